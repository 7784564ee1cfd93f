# Ways to write `scaled_scores`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong scaled_scores_not_transposed: inner_sizes_differ, loses 1
def scaled_scores(Q, K):
    return Q @ K / math.sqrt(K.shape[-1])

# %% wrong scaled_scores_queries_against_queries: queries_with_queries, loses 1
def scaled_scores(Q, K):
    return Q @ Q.T / math.sqrt(Q.shape[-1])

# %% wrong scaled_scores_own_token_only: product_by_numbers, loses 1
def scaled_scores(Q, K):
    return (Q * K).sum(-1) / math.sqrt(K.shape[-1])

# %% wrong scaled_scores_torch_dot: inner_sizes_differ, loses 1
def scaled_scores(Q, K):
    return torch.dot(Q, K) / math.sqrt(K.shape[-1])

# %% wrong scaled_scores_by_d: divided_by_d, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / K.shape[-1]

# %% wrong scaled_scores_half_of_d: divided_by_half_of_d, loses 1
def scaled_scores(Q, K):
    scale = K.shape[-1] ** 1 / 2
    return Q @ K.T / scale

# %% wrong scaled_scores_power_then_half: divided_by_twice_d, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / K.shape[-1] ** 1 / 2

# %% wrong scaled_scores_by_tokens: divided_by_the_root_of_the_keys_number, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / K.shape[0] ** 0.5

# %% wrong scaled_scores_multiplied: multiplied, loses 1
def scaled_scores(Q, K):
    return Q @ K.T * K.shape[-1] ** 0.5

# %% wrong scaled_scores_twice: divided_by_d, loses 1
def scaled_scores(Q, K):
    d = K.shape[-1]
    Q = Q / math.sqrt(d)
    return Q @ K.T / math.sqrt(d)

# %% wrong scaled_scores_literal_two: divided_by_2, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / 2

# %% wrong scaled_scores_torch_sqrt_of_int: function_of_tensors_on_a_number, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / torch.sqrt(K.shape[-1])

# %% wrong scaled_scores_caret: caret_for_power, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / K.shape[-1]^0.5

# %% wrong scores_unscaled: not_scaled
def scaled_scores(Q, K):
    return torch.matmul(Q, K.t())

# %% wrong scores_turned: scores_transposed
def scaled_scores(Q, K):
    return torch.matmul(K, Q.t()) / K.size(1)**0.5

# %% wrong scores_keys_twice: keys_with_keys
def scaled_scores(Q, K):
    return torch.matmul(K, K.t()) / K.size(1)**0.5

# %% wrong scores_of_unit_vectors: cosines
def scaled_scores(Q, K):
    Q, K = Q / Q.norm(dim=1, keepdim=True), K / K.norm(dim=1, keepdim=True)
    return Q @ K.T / K.shape[1]**0.5

# %% wrong scores_view_for_transpose: keys_reshaped
def scaled_scores(Q, K):
    return Q @ K.view(K.size(1), -1) / K.shape[1]**0.5

# %% wrong scores_by_the_axes: divided_by_sqrt_2
def scaled_scores(Q, K):
    return Q @ K.T / len(K.shape) ** 0.5

# %% wrong scaled_scores_by_number_of_queries: divided_by_the_root_of_the_queries_number, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / math.sqrt(Q.shape[0])

# %% wrong scaled_scores_by_root_of_the_root: divided_by_the_fourth_root, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / math.sqrt(math.sqrt(K.shape[-1]))

# %% wrong scaled_scores_by_upside_down: fraction_upside_down, loses 1
def scaled_scores(Q, K):
    return math.sqrt(K.shape[-1]) / (Q @ K.T)

# %% wrong scaled_scores_by_rounded_down: divided_without_remainder, loses 1
def scaled_scores(Q, K):
    return Q @ K.T // math.sqrt(K.shape[-1])

# %% wrong scaled_scores_by_d_upwards: multiplied_by_d, loses 1
def scaled_scores(Q, K):
    return Q @ K.T * K.shape[-1]

# %% wrong scaled_scores_by_the_square: divided_by_the_square, loses 1
def scaled_scores(Q, K):
    return Q @ K.T / K.shape[-1] ** 2

# %% accepted scaled_scores_numpy_sqrt: other_square_roots
def scaled_scores(Q, K):
    return torch.matmul(Q, K.transpose(-2, -1)) / np.sqrt(K.size(-1))

# %% accepted scaled_scores_torch_sqrt_of_tensor: other_square_roots
def scaled_scores(Q, K):
    return Q @ K.mT / torch.sqrt(torch.tensor(Q.shape[-1]))

# %% accepted scaled_scores_width_of_queries: width_taken_elsewhere
def scaled_scores(Q, K):
    return Q @ K.t() * Q.size(1) ** -0.5

# %% accepted scaled_scores_baddbmm: fused_multiply_and_add
def scaled_scores(Q, K):
    nothing = torch.zeros(1, len(Q), len(K))
    return torch.baddbmm(nothing, Q[None], K.T[None], alpha=K.shape[1] ** -0.5)[0]

# %% accepted scaled_scores_loop_of_numbers: plain_numbers
def scaled_scores(Q, K):
    return torch.tensor([[torch.dot(q, k).item() / len(k) ** 0.5 for k in K] for q in Q])
