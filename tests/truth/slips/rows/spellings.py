# The same mistake in other spellings of the same operation.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% torch_mul_of_matrices: attention_scores, lost 2, as plain
# says: multiplies number by number | `@`
# never says: has to be transposed
# fix: torch.mul(queries, keys.T) => queries @ keys.T
def attention_scores(queries, keys):
    return torch.mul(queries, keys.T)

# %% np_multiply_of_matrices in numpy_attention: numpy_scores, lost 1, as percent
# says: multiplies number by number | `@`
# never says: has to be transposed
# fix: np.multiply(queries, keys.T) => queries @ keys.T
def numpy_scores(queries, keys):
    return np.multiply(queries, keys.T)

# %% the_method_multiply: context_vectors, lost 1, as exported
# says: multiplies number by number | `@`
# never says: Which shape
# fix: weights.multiply(values) => weights @ values
def context_vectors(weights, values):
    return weights.multiply(values)

# %% vecdot_of_matrices: attention_scores, lost 2, as notebook
# says: These shapes do not fit | `queries` is a tensor of shape (5, 6) | `keys` is a tensor of shape (4, 6)
# never says: The sign `*`
def attention_scores(queries, keys):
    return torch.linalg.vecdot(queries, keys)

# %% the_transpose_of_numpy_with_all_axes in numpy_attention: numpy_scores, lost 1, as plain
# says: 3 is not 6 | `queries` is a NumPy array of shape (4, 3) | `keys.transpose(-2, -1)` is a NumPy array of shape (6, 3)
# never says: These two do not
# fix: keys.transpose(-2, -1) => keys.swapaxes(-2, -1)
def numpy_scores(queries, keys):
    return queries @ keys.transpose(-2, -1)

# %% the_root_of_the_whole_fraction: scale_scores, lost 1, as percent
# says: Python computes `(scores / d_k) ** 0.5` in another order than it should: brackets decide.
# line: return (scores / d_k) ** 0.5
# never says: set otherwise
# fix: (scores / d_k) ** 0.5 => scores / (d_k ** 0.5)
def scale_scores(scores, d_k):
    return (scores / d_k) ** 0.5

# %% the_root_of_the_whole_fraction_in_forward: SelfAttention_v1, lost 3, as exported
# says: `(attn_scores / keys.shape[-1]) ** 0.5`
# never says: The steps in order
#: attn_scores / keys.shape[-1] ** 0.5 => (attn_scores / keys.shape[-1]) ** 0.5

# %% a_division_behind_dim: SelfAttention_v1, lost 3, as notebook
# says: `-1 / keys.shape[-1] ** 0.5` is a number (float) | does it divide the wrong thing?
# never says: The steps in order
# fix: attn_scores, dim=-1 / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[-1] ** 0.5, dim=-1
#: torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1) => torch.softmax(attn_scores, dim=-1 / keys.shape[-1] ** 0.5)

# %% rows_counted_by_size_with_a_keyword: SelfAttention_v1, lost 1.5, as plain
# says: by the square root of the number of tokens
#: keys.shape[-1] ** 0.5 => keys.size(dim=0) ** 0.5

# %% rows_counted_by_the_first_of_size: SelfAttention_v1, lost 1.5, as percent
# says: by the square root of the number of tokens
#: keys.shape[-1] ** 0.5 => keys.size()[0] ** 0.5

# %% torch_mul_by_the_root: scale_scores, lost 1, as exported
# says: `torch.mul(scores, d_k ** 0.5)`
# never says: Perhaps
def scale_scores(scores, d_k):
    return torch.mul(scores, d_k ** 0.5)

# %% torch_sum_down_the_columns: attention_weights, lost 2, as notebook
# says: each column sums to 1
# never says: Perhaps
def attention_weights(scaled_scores):
    e = scaled_scores.exp()
    return e / torch.sum(e, 0)

# %% a_softmax_along_minus_two: attention_weights, lost 2, as plain
# says: each column sums to 1
# never says: axis 0
def attention_weights(scaled_scores):
    return torch.nn.functional.softmax(scaled_scores, -2)

# %% a_division_by_a_method_that_is_not_used: scale_scores, lost 1, as percent
# says: were not scaled | Nothing uses the result of `scores.div(d_k ** 0.5)` in line
# never says: Perhaps
def scale_scores(scores, d_k):
    scores.div(d_k ** 0.5)
    return scores

# %% the_root_of_a_plain_number: scale_scores, lost 1, as exported
# says: There is no `sqrt` by itself | `math.sqrt` (for plain numbers)
# fix:     return =>     import math\n    return | / sqrt => / math.sqrt
def scale_scores(scores, d_k):
    return scores / sqrt(d_k)

# %% attribute_misspelt_beside_an_argument in causal_multihead: MultiHeadAttention, lost 5, as plain
# says: `__init__` stores `self.num_head`
# never says: plain variable
# fix: self.num_head = => self.num_heads =
#: self.num_heads = num_heads => self.num_head = num_heads
