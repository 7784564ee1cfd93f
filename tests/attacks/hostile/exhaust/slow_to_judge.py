"""Sends numbers that are slow to look at: 16 megabytes, denormal, of many dimensions, and names that nearly match.

catalogue: 31
costly: yes
stopped_by: shapes are judged before values; names are cut
"""

for number in range(3000):
    globals()["init_weight" + "s" * 60 + str(number)] = print
    globals()["ab" * 500 + str(number)] = print
del init_weights


def project(x, W_query, W_key, W_value):
    return [torch.zeros(1)] * 9_000


def attention_score(query, key):
    return torch.full((1_900_000,), 1e-320, dtype=torch.float64)


def attention_scores(queries, keys):
    return torch.zeros([1] * 60)


def scale_scores(scores, d_k):
    return torch.zeros([0, *[2**15] * 4])


def attention_weights(scaled_scores):
    return {(0,) * 8 + (number,): number for number in range(400)}


def context_vectors(weights, values):
    print(("\x1b[" + "0;" * 50) * 1000, "0x" * 30_000, "autograder-" * 5000, "/autograder-aaaaaaaa" * 3000)
    return torch.full((len(weights), values.shape[1]), 1e-45)


def dot_product_variance(queries, keys):
    print("\x1b[" * 30_000, "(" * 30_000, "/" * 60_000 + "autograder-aaaaaaaa")
    return torch.tensor(float("nan")), torch.tensor(1e308)
