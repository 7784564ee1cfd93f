"""Returns numbers that are not numbers, or are larger than all, which some comparisons let pass.

catalogue: 31
stopped_by: what is not finite is wrong before anything is compared
"""


def filled(value):
    return lambda *arguments: torch.full_like(arguments[0], value)


def init_weights(d_in, d_out, seed):
    return [torch.nn.Parameter(torch.full((d_in, d_out), float("nan")), False)] * 3


def attention_score(query, key):
    return torch.tensor(float("nan"))


def attention_scores(queries, keys):
    return torch.full((len(queries), len(keys)), float("inf"))


scale_scores = filled(float("nan"))
attention_weights = filled(float("-inf"))


def context_vectors(weights, values):
    return torch.full((len(weights), values.shape[1]), 3e38, dtype=torch.float64) * 1e300


def dot_product_variance(queries, keys):
    return float("nan"), float("nan")


def transfer_weights(sa_v2, sa_v1):
    with torch.no_grad():
        for parameter in (*sa_v1.parameters(), *sa_v2.parameters()):
            parameter.fill_(float("nan"))
