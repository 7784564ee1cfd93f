# Ways to write `scaled_scores`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong scaled_by_the_square: divided_by_the_square
def scaled_scores(q, k):
    d_k = k.size(-1)
    return torch.matmul(q, k.t()) / (d_k * d_k)

# %% wrong scaled_by_the_axes: divided_by_the_root_of_2
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(k.dim())

# %% wrong scaled_not: not_scaled, loses 1
def scaled_scores(q, k):
    return q @ k.T

# %% wrong scaled_by_d_k: divided_by_d_k, loses 1
def scaled_scores(q, k):
    return q @ k.T / k.shape[-1]

# %% wrong scaled_by_half_d_k: divided_by_half_of_d_k, loses 1
def scaled_scores(q, k):
    scale = k.shape[-1] ** 1 / 2
    return q @ k.T / scale

# %% wrong scaled_and_halved: divided_by_twice_d_k, loses 1
def scaled_scores(q, k):
    return q @ k.T / k.shape[-1] ** 1 / 2

# %% wrong scaled_by_d_model_of_the_run: divided_by_the_root_of_8, loses 1
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(d_model)

# %% wrong scaled_by_number_of_keys: divided_by_the_root_of_the_keys_number, loses 1
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(k.shape[0])

# %% wrong scaled_up: multiplied, loses 1
def scaled_scores(q, k):
    return q @ k.T * math.sqrt(k.shape[-1])

# %% wrong scaled_twice: divided_by_d_k, loses 1
def scaled_scores(q, k):
    scale = math.sqrt(k.shape[-1])
    return (q / scale) @ k.T / scale

# %% wrong scaled_by_root_of_8: divided_by_the_root_of_8, loses 1
def scaled_scores(q, k):
    return q @ k.T / 8**0.5

# %% wrong scaled_by_root_of_an_int: function_of_tensors_on_a_number, loses 1
def scaled_scores(q, k):
    return q @ k.T / torch.sqrt(k.shape[-1])

# %% wrong scaled_with_a_caret: caret_for_power, loses 1
def scaled_scores(q, k):
    return q @ k.T / k.shape[-1]^0.5

# %% wrong scaled_by_number_of_queries: divided_by_the_root_of_the_queries_number, loses 1
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(q.shape[0])

# %% wrong scaled_by_root_of_the_root: divided_by_the_fourth_root, loses 1
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(math.sqrt(k.shape[-1]))

# %% wrong scaled_by_upside_down: fraction_upside_down, loses 1
def scaled_scores(q, k):
    return math.sqrt(k.shape[-1]) / (q @ k.T)

# %% wrong scaled_by_rounded_down: divided_without_remainder, loses 1
def scaled_scores(q, k):
    return q @ k.T // math.sqrt(k.shape[-1])

# %% wrong scaled_by_d_k_upwards: multiplied_by_d_k, loses 1
def scaled_scores(q, k):
    return q @ k.T * k.shape[-1]

# %% accepted scaled_queries_first: queries_scaled_first
def scaled_scores(q, k):
    return (q / math.sqrt(q.shape[-1])) @ k.T

# %% accepted scaled_both_by_the_fourth_root: both_scaled_by_the_fourth_root
def scaled_scores(q, k):
    scale = k.size(-1) ** -0.25
    return (q * scale) @ (k * scale).T

# %% accepted scaled_by_power: other_square_roots
def scaled_scores(q, k):
    return torch.matmul(q, k.T) * k.shape[1] ** -0.5

# %% accepted scaled_by_torch_root: other_square_roots
def scaled_scores(q, k):
    return q @ k.T / torch.sqrt(torch.tensor(k.shape[-1]))

# %% accepted scaled_by_query_width: width_taken_elsewhere
def scaled_scores(q, k):
    d_k = q.size(-1)
    return q @ k.mT / d_k**0.5

# %% accepted scaled_by_baddbmm: fused_multiply_and_add
def scaled_scores(q, k):
    nothing = torch.zeros(1, len(q), len(k))
    return torch.baddbmm(nothing, q[None], k.T[None], alpha=k.shape[-1] ** -0.5)[0]
