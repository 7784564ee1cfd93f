"""Raises in frames that are called like other steps, so that these are judged with stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: each step is judged once, with its own earlier steps
"""

def init_weights(d_in, d_out, seed):
    return attention_weights(torch.ones(2, 2))


def dot_product_variance(queries, keys):
    return attention_weights(queries), project


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        for name in ("init_weights", "project", "transfer_weights", "dot_product_variance"):
            code = f"def {name}(*_):\n    raise ValueError\n{name}()"
            exec(compile(code, __file__ if "__file__" in globals() else "self_attention.py", "exec"), {})
