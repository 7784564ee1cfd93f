# Ways to write `project`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong project_keys_of_one_token: keys_of_one_token, loses 1
def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X[1] @ W_K, X @ W_V

# %% wrong project_values_from_w_k: values_from_w_k, loses 1
def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_K

# %% wrong project_queries_and_keys_swapped: queries_and_keys_swapped, loses 1
def project(X, W_Q, W_K, W_V):
    return X @ W_K, X @ W_Q, X @ W_V

# %% wrong project_one_for_all: one_matrix_for_all
def project(X, W_Q, W_K, W_V):
    Q = torch.mm(X, W_Q)
    return Q, Q.clone(), Q.clone()

# %% wrong project_k_and_v_swapped: keys_and_values_swapped
def project(X, W_Q, W_K, W_V):
    return torch.mm(X, W_Q), torch.mm(X, W_V), torch.mm(X, W_K)

# %% wrong project_q_and_v_swapped: queries_and_values_swapped
def project(X, W_Q, W_K, W_V):
    return torch.mm(X, W_V), torch.mm(X, W_K), torch.mm(X, W_Q)

# %% wrong project_nothing: nothing_projected
def project(X, W_Q, W_K, W_V):
    return [X] * 3

# %% accepted project_mm: mm_or_bmm
def project(X, W_Q, W_K, W_V):
    return torch.mm(X, W_Q), torch.mm(X, W_K), torch.mm(X, W_V)

# %% accepted project_linear: functional_linear
def project(X, W_Q, W_K, W_V):
    return [nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V)]

# %% accepted project_in_float64: float64
def project(X, W_Q, W_K, W_V):
    return tuple(X.double() @ W.double() for W in (W_Q, W_K, W_V))
