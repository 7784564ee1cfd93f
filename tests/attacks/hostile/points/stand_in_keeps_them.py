"""Keeps the stand-ins in torch for steps that have none.

honest: SelfAttention_v1=4
catalogue: 38
uses: parameters
stopped_by: other steps are asked in a worker without stand-ins
"""

def transfer_weights(sa_v2, sa_v1):
    for name in ("W_query", "W_key", "W_value"):
        torch.kept[0](getattr(sa_v2, name).weight.T, 1)


def attention_weights(scaled_scores):
    return torch.kept[1](scaled_scores)


torch.kept = [scale_scores, attention_weights]


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scaled), values)
