# Answers that are wrong by little: few digits, rounded numbers, a small number that was added.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% scores_in_half_precision: attention_scores, lost 2
# says: `queries.half()` is the first value that is not right | `queries` is right | almost right | What changes them by so little
# never says: has to be transposed | squeeze
# line: queries.half()
def attention_scores(queries, keys):
    return queries.half() @ keys.half().T

# %% weights_through_half_precision: attention_weights, lost 2
# says: the outer call in `scaled_scores.half()` does not belong there. | `scaled_scores.half()`
# never says: dim=-1 | squeeze
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores.half(), dim=1).float()

# %% scores_in_bfloat16: attention_scores, lost 2
# says: the outer call in `queries.to(torch.bfloat16)` does not belong there.
# never says: has to be transposed
# line: queries.to(torch.bfloat16)
def attention_scores(queries, keys):
    q, k = queries.to(torch.bfloat16), keys.to(torch.bfloat16)
    return (q @ k.T).float()

# %% context_in_half_precision_np in numpy_attention: numpy_scores, lost 1
# says: float16
# never says: has to be transposed
def numpy_scores(queries, keys):
    return (queries @ keys.T).astype(np.float16)

# %% scores_to_two_decimals: attention_scores, lost 2
# says: the outer call in `torch.round(queries @ keys.T, decimals=2)` does not belong there. | none is off by more than 0.005
# never says: has to be transposed
# line: torch.round(
def attention_scores(queries, keys):
    return torch.round(queries @ keys.T, decimals=2)

# %% score_to_three_decimals: attention_score, lost 1
# says: the outer call in `round(total, 3)` does not belong there.
# line: round(total, 3)
def attention_score(query, key):
    total = sum(a * b for a, b in zip(query.tolist(), key.tolist()))
    return round(total, 3)

# %% weights_to_two_decimals: attention_weights, lost 2
# says: the outer call in `torch.round(weights * 100)` does not belong there. | almost right
# never says: should sum to 1; yours | dim=-1
# line: weights * 100
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores, dim=-1)
    return torch.round(weights * 100) / 100

# %% scores_rounded_on_the_way: scale_scores, lost 1
# says: the outer call in `round(d_k**0.5, 3)` does not belong there. | almost right
# never says: two asterisks | times the right one
# line: root = round(d_k
def scale_scores(scores, d_k):
    root = round(d_k**0.5, 3)
    return scores / root

# %% a_root_of_few_digits: scale_scores, lost 1
# says: almost right
# never says: Every number is
def scale_scores(scores, d_k):
    roots = {2: 1.41, 3: 1.73, 4: 2.0, 5: 2.24, 6: 2.45, 7: 2.65, 8: 2.83}
    return scores / roots[d_k]

# %% a_number_below_the_line: attention_weights, lost 2
# says: almost right | `powers.sum(dim=-1, keepdim=True) + 0.005`
# never says: yours sum to | dim=-1).
def attention_weights(scaled_scores):
    powers = torch.exp(scaled_scores)
    return powers / (powers.sum(dim=-1, keepdim=True) + 0.005)

# %% a_number_beside_the_root: scale_scores, lost 1
# says: an operation in `d_k**0.5 + 1e-3` does not belong there. | almost right
# never says: squeeze | two asterisks
# line: 1e-3
def scale_scores(scores, d_k):
    return scores / (d_k**0.5 + 1e-3)

# %% a_tiny_number_beside_the_root: scale_scores
# never says: almost
def scale_scores(scores, d_k):
    return scores / (d_k**0.5 + 1e-8)

# %% all_of_v1_to_four_decimals: SelfAttention_v1, lost 0.5
# says: rounded | no gradient flows through rounding
# never says: Remark
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        out = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
        return torch.round(out, decimals=4)

# %% whole_numbers_for_scores: attention_scores, lost 2
# says: the outer call in `torch.round(queries @ keys.T)` does not belong there.
# line: torch.round(
def attention_scores(queries, keys):
    return torch.round(queries @ keys.T)

# %% small_numbers_are_no_equal_rows: context_vectors, lost 1
# says: 1e-05 times
# never says: All rows are equal
def context_vectors(weights, values):
    return weights @ values * 1e-5
