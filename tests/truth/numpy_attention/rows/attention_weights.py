# Ways to write `attention_weights`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong weights_down_the_columns: softmax_down_the_columns, loses 1
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=0)

# %% wrong weights_without_dim: softmax_without_dim, loses 1
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores)

# %% wrong weights_twice: softmax_twice, loses 1
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores, dim=-1)
    return torch.softmax(weights, dim=-1)

# %% wrong weights_exp_only: only_exp, loses 1
def attention_weights(scaled_scores):
    return torch.exp(scaled_scores)

# %% wrong weights_sigmoid: sigmoid, loses 1
def attention_weights(scaled_scores):
    return torch.sigmoid(scaled_scores)

# %% wrong weights_logarithms: logarithms_of_the_weights, loses 1
def attention_weights(scaled_scores):
    return torch.log_softmax(scaled_scores, dim=-1)

# %% wrong weights_of_the_flattened: softmax_over_everything
def attention_weights(scaled_scores):
    e = scaled_scores.exp()
    return e / e.sum()

# %% wrong weights_are_scores: no_softmax
def attention_weights(scaled_scores):
    return scaled_scores + 0

# %% wrong weights_by_the_sum: divided_by_the_sum
def attention_weights(scaled_scores):
    return scaled_scores / torch.sum(scaled_scores, 1, keepdim=True)

# %% wrong weights_softmin: softmax_of_minus_the_scores
def attention_weights(scaled_scores):
    return nn.functional.softmin(scaled_scores, dim=1)

# %% wrong weights_with_a_mask: weights_masked
def attention_weights(scaled_scores):
    e = scaled_scores.exp().tril()
    return e / e.sum(1, keepdim=True)

# %% accepted weights_module: other_softmax_calls
def attention_weights(scaled_scores):
    return nn.Softmax(dim=-1)(scaled_scores)

# %% accepted weights_method: axis_counted_otherwise
def attention_weights(scaled_scores):
    return scaled_scores.softmax(dim=1)

# %% accepted weights_log_softmax_exp: softmax_by_logarithms
def attention_weights(scaled_scores):
    return scaled_scores.log_softmax(dim=-1).exp()

# %% accepted weights_not_shifted: plain_softmax_by_hand
def attention_weights(scaled_scores):
    powers = torch.exp(scaled_scores)
    return powers / powers.sum(dim=-1, keepdim=True)
