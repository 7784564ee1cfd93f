# Ways to write `numpy_project`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong numpy_project_weights_on_the_left: inner_sizes_differ, loses 1
def numpy_project(x, w_query, w_key, w_value):
    return w_query @ x, w_key @ x, w_value @ x

# %% wrong numpy_project_elementwise: product_by_numbers, loses 1
def numpy_project(x, w_query, w_key, w_value):
    return x * w_query, x * w_key, x * w_value

# %% wrong numpy_project_one_matrix_for_all: numpy_one_matrix_for_all, loses 1
def numpy_project(x, w_query, w_key, w_value):
    queries = x @ w_query
    return queries, queries, queries

# %% wrong numpy_project_keys_and_values_swapped: numpy_keys_and_values_swapped, loses 1
def numpy_project(x, w_query, w_key, w_value):
    queries = x @ w_query
    keys = x @ w_value
    values = x @ w_key
    return queries, keys, values

# %% wrong numpy_project_returns_tensors: tensors_instead_of_arrays, loses 1
def numpy_project(x, w_query, w_key, w_value):
    x = torch.from_numpy(x)
    return tuple(x @ torch.from_numpy(matrix) for matrix in (w_query, w_key, w_value))

# %% wrong numpy_project_queries_and_keys_swapped: numpy_queries_and_keys_swapped
def numpy_project(x, w_query, w_key, w_value):
    return np.dot(x, w_key), np.dot(x, w_query), np.dot(x, w_value)

# %% wrong numpy_project_queries_and_values_swapped: numpy_queries_and_values_swapped
def numpy_project(x, w_query, w_key, w_value):
    return np.dot(x, w_value), np.dot(x, w_key), np.dot(x, w_query)

# %% wrong numpy_project_nothing: numpy_nothing_projected
def numpy_project(x, w_query, w_key, w_value):
    return x.copy(), x.copy(), x.copy()

# %% wrong numpy_project_keys_from_the_query_matrix: numpy_keys_from_w_query
def numpy_project(x, w_query, w_key, w_value):
    return [x.dot(w) for w in (w_query, w_query, w_value)]

# %% accepted numpy_project_matmul: matmul
def numpy_project(x, w_query, w_key, w_value):
    return np.matmul(x, w_query), np.matmul(x, w_key), np.matmul(x, w_value)

# %% accepted numpy_project_fused: one_fused_matrix
def numpy_project(x, w_query, w_key, w_value):
    width = w_query.shape[1]
    together = x @ np.hstack([w_query, w_key, w_value])
    return together[:, :width], together[:, width : 2 * width], together[:, 2 * width :]

# %% accepted numpy_project_stacked
def numpy_project(x, w_query, w_key, w_value):
    return np.stack([x @ w_query, x @ w_key, x @ w_value])

# %% accepted numpy_project_other_argument_names: other_argument_names
def numpy_project(tokens, wq, wk, wv):
    return [tokens.dot(matrix) for matrix in (wq, wk, wv)]
