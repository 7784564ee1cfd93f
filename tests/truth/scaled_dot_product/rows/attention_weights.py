# Ways to write `attention_weights`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong weights_softmin: softmax_of_minus_the_scores
def attention_weights(scores):
    return torch.nn.functional.softmin(scores, dim=-1)

# %% wrong weights_over_queries: softmax_over_the_queries, loses 1
def attention_weights(scores):
    return torch.softmax(scores, dim=0)

# %% wrong weights_without_dim: softmax_without_dim, loses 1
def attention_weights(scores):
    return torch.softmax(scores)

# %% wrong weights_flattened: softmax_over_everything, loses 1
def attention_weights(scores):
    return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

# %% wrong weights_softmax_twice: softmax_twice, loses 1
def attention_weights(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)

# %% wrong weights_are_scores: no_softmax, loses 1
def attention_weights(scores):
    return scores

# %% wrong weights_divided_by_sum: divided_by_the_sum, loses 1
def attention_weights(scores):
    return scores / scores.sum(-1, keepdim=True)

# %% wrong weights_exp_only: only_exp, loses 1
def attention_weights(scores):
    return torch.exp(scores)

# %% wrong weights_without_keepdim: unlisted, loses 1
def attention_weights(scores):
    powers = torch.exp(scores)
    return powers / powers.sum(-1)

# %% wrong weights_by_sigmoid: sigmoid, loses 1
def attention_weights(scores):
    return torch.sigmoid(scores)

# %% wrong weights_by_log_softmax: logarithms_of_the_weights, loses 1
def attention_weights(scores):
    return torch.log_softmax(scores, dim=-1)

# %% wrong weights_scaled_again: scaled_again, loses 1
def attention_weights(scores):
    return torch.softmax(scores / math.sqrt(scores.shape[-1]), dim=-1)

# %% wrong weights_masked: masked, loses 1
def attention_weights(scores):
    hidden = torch.ones_like(scores).triu(1).bool()
    return torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)

# %% wrong weights_one_hot: one_hot_weights, loses 1
def attention_weights(scores):
    from torch.nn import functional as F

    return F.one_hot(scores.argmax(-1), scores.shape[-1]).float()

# %% wrong weights_clamped: scores_cut_off_at_20, loses 0.25
def attention_weights(scores):
    return torch.softmax(scores.clamp(-20, 20), dim=-1)

# %% accepted weights_by_method: other_softmax_calls
def attention_weights(scores):
    return scores.softmax(1)

# %% accepted weights_by_functional_in_float64: other_softmax_calls
def attention_weights(scores):
    from torch.nn.functional import softmax

    return softmax(scores, dim=-1, dtype=torch.float64)

# %% accepted weights_by_log_softmax_and_exp: softmax_by_logarithms
def attention_weights(scores):
    return torch.log_softmax(scores, dim=-1).exp()

# %% accepted weights_by_hand_stable: stable_softmax_by_hand
def attention_weights(scores):
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)

# %% accepted weights_by_hand_naive: plain_softmax_by_hand
def attention_weights(scores):
    powers = torch.exp(scores)
    return powers / powers.sum(dim=-1, keepdim=True)

# %% accepted weights_by_columns_and_back: column_layout
def attention_weights(scores):
    return torch.softmax(scores.T, dim=0).T

# %% accepted weights_row_by_row: axis_counted_otherwise
def attention_weights(scores):
    return torch.stack([torch.softmax(row, dim=0) for row in scores])

# %% accepted weights_that_change_their_input: changes_its_input
def attention_weights(scores):
    scores -= scores.max(dim=-1, keepdim=True).values
    scores.exp_()
    scores /= scores.sum(dim=-1, keepdim=True)
    return scores
