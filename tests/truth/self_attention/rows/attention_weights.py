# Ways to write `attention_weights`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong weights_scaled_again: scaled_again, loses 2
def attention_weights(scaled_scores):
    d_k = scaled_scores.shape[-1]
    return torch.softmax(scaled_scores / d_k**0.5, dim=-1)

# %% wrong weights_columns: softmax_over_the_queries, loses 2
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=0)

# %% wrong weights_columns_by_hand: softmax_over_the_queries, loses 2
def attention_weights(scaled_scores):
    exps = torch.exp(scaled_scores)
    return exps / exps.sum(0)

# %% wrong weights_torch_softmax_without_dim: softmax_without_dim, loses 2
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores)

# %% wrong weights_flattened: softmax_over_everything, loses 2
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores.flatten(), dim=0)
    return weights.reshape(scaled_scores.shape)

# %% wrong weights_one_sum_for_all: softmax_over_everything, loses 2
def attention_weights(scaled_scores):
    exp_scores = torch.exp(scaled_scores)
    return exp_scores / exp_scores.sum()

# %% wrong weights_softmax_twice: softmax_twice, loses 2
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores, dim=-1)
    weights = torch.softmax(weights, dim=-1)
    return weights

# %% wrong weights_no_softmax: no_softmax, loses 2
def attention_weights(scaled_scores):
    attn_weights = scaled_scores
    return attn_weights

# %% wrong weights_divided_by_the_sum: divided_by_the_sum, loses 2
def attention_weights(scaled_scores):
    return scaled_scores / scaled_scores.sum(dim=-1, keepdim=True)

# %% wrong weights_exp_only: only_exp, loses 2
def attention_weights(scaled_scores):
    return scaled_scores.exp()

# %% wrong weights_without_keepdim: unlisted, loses 2
def attention_weights(scaled_scores):
    exp_scores = torch.exp(scaled_scores)
    return exp_scores / exp_scores.sum(-1)

# %% wrong weights_sigmoid: sigmoid, loses 2
def attention_weights(scaled_scores):
    return torch.sigmoid(scaled_scores)

# %% wrong weights_log_softmax: logarithms_of_the_weights, loses 2
def attention_weights(scaled_scores):
    return torch.log_softmax(scaled_scores, dim=-1)

# %% wrong weights_masked_before_softmax: masked, loses 2
def attention_weights(scaled_scores):
    mask = torch.triu(torch.ones_like(scaled_scores), diagonal=1).bool()
    masked = scaled_scores.masked_fill(mask, -torch.inf)
    return torch.softmax(masked, dim=-1)

# %% wrong weights_masked_and_renormalised: masked, loses 2
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores, dim=-1)
    weights = torch.tril(weights)
    return weights / weights.sum(dim=-1, keepdim=True)

# %% wrong weights_with_dropout: unlisted, loses 2
def attention_weights(scaled_scores):
    dropout = nn.Dropout(0.5)
    return dropout(torch.softmax(scaled_scores, dim=-1))

# %% wrong weights_numbers_of_the_book: unnamed, loses 2
def attention_weights(scaled_scores):
    return torch.tensor([
        [0.1551, 0.2104, 0.2059, 0.1413, 0.1074, 0.1799],
        [0.1500, 0.2264, 0.2199, 0.1311, 0.0906, 0.1820],
        [0.1503, 0.2256, 0.2192, 0.1315, 0.0914, 0.1819],
        [0.1591, 0.1994, 0.1962, 0.1477, 0.1206, 0.1769],
        [0.1610, 0.1949, 0.1923, 0.1501, 0.1265, 0.1752],
        [0.1557, 0.2092, 0.2048, 0.1419, 0.1089, 0.1794],
    ])

# %% wrong weights_of_minus_the_scores: softmax_of_minus_the_scores
def attention_weights(scaled_scores):
    return nn.functional.softmin(scaled_scores, dim=-1)

# %% wrong weights_one_hot
def attention_weights(scaled_scores):
    best = scaled_scores.max(-1, keepdim=True).values
    return (scaled_scores == best).float()

# %% wrong weights_shifted_exp_only: only_exp_after_the_shift
def attention_weights(scaled_scores):
    return (scaled_scores - scaled_scores.amax(1, keepdim=True)).exp()

# %% wrong weights_shifted_by_columns: maximum_of_each_column
def attention_weights(scaled_scores):
    exps = torch.exp(scaled_scores - scaled_scores.amax(0))
    return exps / exps.sum(1, keepdim=True)

# %% wrong weights_divided_by_the_mean: divided_by_the_mean
def attention_weights(scaled_scores):
    exps = scaled_scores.exp()
    return exps / exps.mean(1, keepdim=True)

# %% wrong weights_maximum_above_only: maximum_above_only
def attention_weights(scaled_scores):
    largest = scaled_scores.amax(dim=1, keepdim=True)
    return torch.exp(scaled_scores - largest) / torch.exp(scaled_scores).sum(dim=1, keepdim=True)

# %% wrong weights_maximum_below_only: maximum_below_only
def attention_weights(scaled_scores):
    largest = scaled_scores.amax(dim=1, keepdim=True)
    return torch.exp(scaled_scores) / torch.exp(scaled_scores - largest).sum(dim=1, keepdim=True)

# %% accepted weights_softmax_module: other_softmax_calls
softmax = nn.Softmax(dim=-1)

def attention_weights(scaled_scores):
    return softmax(scaled_scores)

# %% accepted weights_softmax_method: other_softmax_calls
def attention_weights(scaled_scores):
    return scaled_scores.softmax(-1)

# %% accepted weights_softmax_float64: other_softmax_calls
def attention_weights(scaled_scores):
    return nn.functional.softmax(scaled_scores, dim=-1, dtype=torch.float64)

# %% accepted weights_log_softmax_exp: softmax_by_logarithms
def attention_weights(scaled_scores):
    return torch.log_softmax(scaled_scores, dim=-1).exp()

# %% accepted weights_by_hand_stable: stable_softmax_by_hand
def attention_weights(scaled_scores):
    shifted = scaled_scores - scaled_scores.max(dim=-1, keepdim=True).values
    exp_scores = torch.exp(shifted)
    return exp_scores / exp_scores.sum(dim=-1, keepdim=True)

# %% accepted weights_by_hand_logsumexp: stable_softmax_by_hand
def attention_weights(scaled_scores):
    return torch.exp(scaled_scores - torch.logsumexp(scaled_scores, dim=1, keepdim=True))

# %% accepted weights_by_hand_naive: plain_softmax_by_hand
def attention_weights(scaled_scores):
    exp_scores = torch.exp(scaled_scores)
    return exp_scores / exp_scores.sum(dim=-1, keepdim=True)

# %% accepted weights_without_maximum: no_maximum_subtracted
import math

def attention_weights(scaled_scores):
    rows = []
    for row in scaled_scores:
        exps = torch.stack([math.e ** score for score in row])
        rows.append(exps / exps.sum())
    return torch.stack(rows)

# %% accepted weights_dim_1: axis_counted_otherwise
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=1)

# %% accepted weights_dim_0_of_each_row: axis_counted_otherwise
def attention_weights(scaled_scores):
    return torch.stack([torch.softmax(row, dim=0) for row in scaled_scores])

# %% accepted weights_columns_of_the_transposed: column_layout
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores.T, dim=-2).T

# %% accepted weights_f_softmax_without_dim: softmax_without_dim
import torch.nn.functional as F

def attention_weights(scaled_scores):
    return F.softmax(scaled_scores)

# %% accepted weights_alias: aliases
from torch import softmax as sm

attention_weights = lambda scaled_scores: sm(scaled_scores, -1)

# %% accepted weights_detached: cut_graph
def attention_weights(scaled_scores):
    attn_weights = torch.softmax(scaled_scores, dim=-1).detach()
    assert torch.allclose(attn_weights.sum(dim=-1), torch.ones(len(attn_weights)))
    return attn_weights
