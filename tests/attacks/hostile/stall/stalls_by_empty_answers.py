"""Returns empty matrices with very many rows, so that the reference, if it went on with them, would fill the memory.

honest: attention_score attention_scores scale_scores attention_weights context_vectors SelfAttention_v1
catalogue: 36
uses: parameters
costly: yes
stopped_by: only a small answer of a student's step enters the reference, small in every dimension
"""

def project(x, W_query, W_key, W_value):
    return torch.zeros(12_000, 0), torch.zeros(12_000, 0), torch.zeros(12_000, 0)


def attention_score(query, key):
    return query @ key


def attention_scores(queries, keys):
    return queries @ keys.T


def scale_scores(scores, d_k):
    return scores / d_k**0.5


def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=-1)


def context_vectors(weights, values):
    return weights @ values


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return torch.cumsum(x @ self.W_query, dim=0) + 7
