"""Has thousands of small gradients computed while its file loads, in the worker of each set of stand-ins.

honest: attention_scores=2 SelfAttention_v1=4 SelfAttention_v2=4
catalogue: 38
uses: frames often
costly: yes
stopped_by: calls are counted, in all questions and all loadings of a submission
"""

def step():
    names = ("project", "attention_score", "scale_scores")
    found = [name for name in names if type(globals()[name]).__name__ == "StandIn"]
    return found[0] if found else None


ONE = torch.ones(1, 1)
NAMES = {
    "project": ("x", "W_query", "W_key", "W_value"),
    "attention_score": ("query", "key"),
    "scale_scores": ("scores", "d_k"),
    None: (),
}


def call_often():
    name = step()
    inputs = dict.fromkeys(NAMES[name], ONE)
    upstream = [ONE] * (3 if name == "project" else 1)
    call = {"number": 1, "step": name, "inputs": inputs, "upstream": upstream}
    body = b"?" + encode(freeze(call))
    for _ in range(500 * (name is not None)):
        send(body)
        receive()


call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()


def attention_scores(queries, keys):
    return attention_score(queries, keys.T)


def dot_product_variance(queries, keys):
    scale_scores(queries, 4)
    return attention_score(queries, keys.T)
