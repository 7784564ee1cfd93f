# Ways to write `project`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def project(x, W_query, W_key, W_value):
    queries = x @ W_query
    keys = x @ W_key
    values = x @ W_value
    return queries, keys, values

# %% wrong project_token_at_index_2: only_the_third_token, loses 1
def project(x, W_query, W_key, W_value):
    x_2 = x[2]
    query_2 = x_2 @ W_query
    key_2 = x_2 @ W_key
    value_2 = x_2 @ W_value
    return query_2, key_2, value_2

# %% wrong project_matrix_on_the_left: inner_sizes_differ, loses 1
def project(x, W_query, W_key, W_value):
    return W_query @ x, W_key @ x, W_value @ x

# %% wrong project_turned_until_it_fits: projected_transposed, loses 1
def project(x, W_query, W_key, W_value):
    queries = W_query.T @ x.T
    keys = W_key.T @ x.T
    values = W_value.T @ x.T
    return queries, keys, values

# %% wrong project_elementwise: product_by_numbers, loses 1
def project(x, W_query, W_key, W_value):
    queries = x * W_query
    keys = x * W_key
    values = x * W_value
    return queries, keys, values

# %% wrong project_keys_of_one_token: keys_and_values_of_one_token, loses 1
def project(x, W_query, W_key, W_value):
    x_2 = x[1]
    queries = x @ W_query
    keys = x_2 @ W_key
    values = x_2 @ W_value
    return queries, keys, values

# %% wrong project_values_from_the_key_matrix: values_from_w_key, loses 1
#: values = x @ W_value => values = x @ W_key

# %% wrong project_one_matrix_for_all: one_matrix_for_all, loses 1
def project(x, W_query, W_key, W_value):
    projected = x @ W_query
    return projected, projected, projected

# %% wrong project_queries_and_keys_swapped: queries_and_keys_swapped, loses 1
#: queries = x @ W_query => keys = x @ W_query
#: keys = x @ W_key => queries = x @ W_key

# %% wrong project_keys_and_values_swapped: keys_and_values_swapped, loses 1
#: return queries, keys, values => return queries, values, keys

# %% wrong project_queries_and_values_swapped: queries_and_values_swapped, loses 1
#: queries = x @ W_query => queries = x @ W_value
#: values = x @ W_value => values = x @ W_query

# %% wrong project_raw_tokens_as_queries_and_keys: tokens_as_queries_and_keys, loses 1
#: queries = x @ W_query => queries = x
#: keys = x @ W_key => keys = x

# %% wrong project_numbers_of_the_book: unnamed, loses 1
def project(x, W_query, W_key, W_value):
    queries = torch.tensor([[0.2309, 1.0966], [0.4306, 1.4551], [0.4300, 1.4343],
                            [0.2355, 0.7990], [0.2983, 0.6565], [0.2568, 1.0533]])
    keys = torch.tensor([[0.3669, 0.7646], [0.4433, 1.1419], [0.4361, 1.1156],
                         [0.2408, 0.6706], [0.1827, 0.3292], [0.3275, 0.9642]])
    values = torch.tensor([[0.1855, 0.8812], [0.3951, 1.0037], [0.3879, 0.9831],
                           [0.2393, 0.5493], [0.1492, 0.3346], [0.3221, 0.7863]])
    return queries, keys, values

# %% wrong project_the_sentence_instead_of_x, loses 1
def project(x, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    return queries, keys, values

# %% wrong project_prints_without_return: unnamed, loses 1
#-    return queries, keys, values
#+    print("queries:", queries)
#+    print("keys:", keys)
#+    print("values:", values)

# %% wrong project_keys_from_the_value_matrix: keys_from_w_value
def project(x, W_query, W_key, W_value):
    queries = torch.matmul(x, W_query)
    keys = torch.matmul(x, W_value)
    return queries, keys, torch.matmul(x, W_value)

# %% wrong project_queries_from_the_value_matrix: queries_from_w_value
def project(x, W_query, W_key, W_value):
    return tuple(x.mm(W) for W in (W_value, W_key, W_value))

# %% wrong project_key_matrix_for_all: w_key_for_all
def project(x, W_query, W_key, W_value):
    return (torch.mm(x, W_key),) * 3

# %% wrong project_value_matrix_for_all: w_value_for_all
def project(x, W_query, W_key, W_value):
    v = x @ W_value
    return v, v, v

# %% wrong project_nothing: nothing_projected
def project(x, W_query, W_key, W_value):
    q = k = v = x
    return q, k, v

# %% wrong project_token_at_index_1: only_the_second_token
def project(x, W_query, W_key, W_value):
    x_2 = x[1]
    return x_2 @ W_query, x_2 @ W_key, x_2 @ W_value

# %% wrong project_one_key: keys_of_one_token
def project(x, W_query, W_key, W_value):
    x_2 = x[1]
    return x @ W_query, x_2 @ W_key, x @ W_value

# %% wrong project_without_values: values_not_returned
def project(x, W_query, W_key, W_value):
    return [x @ W for W in (W_query, W_key)]

# %% accepted project_matmul: matmul
def project(x, W_query, W_key, W_value):
    queries = torch.matmul(x, W_query)
    keys = torch.matmul(x, W_key)
    values = torch.matmul(x, W_value)
    return queries, keys, values

# %% accepted project_mm: mm_or_bmm
def project(x, W_query, W_key, W_value):
    return x.mm(W_query), x.mm(W_key), x.mm(W_value)

# %% accepted project_bmm_stacked: mm_or_bmm
def project(x, W_query, W_key, W_value):
    W = torch.stack([W_query, W_key, W_value])
    return torch.bmm(x.expand(3, *x.shape), W)

# %% accepted project_einsum: einsum
def project(x, W_query, W_key, W_value):
    return [torch.einsum("ti,io->to", x, W) for W in (W_query, W_key, W_value)]

# %% accepted project_linear: functional_linear
import torch.nn.functional as F

def project(x, W_query, W_key, W_value):
    return F.linear(x, W_query.T), F.linear(x, W_key.T), F.linear(x, W_value.T)

# %% accepted project_rows: row_by_row
def project(x, W_query, W_key, W_value):
    queries = torch.stack([token @ W_query for token in x])
    keys = torch.stack([token @ W_key for token in x])
    values = torch.stack([token @ W_value for token in x])
    return queries, keys, values

# %% accepted project_asserts_and_hints: hints_and_prints
def project(x: torch.Tensor, W_query, W_key, W_value) -> tuple:
    """x is (T, d_in), the matrices are (d_in, d_out)."""
    assert x.ndim == 2, x.shape
    assert W_query.shape == W_key.shape == W_value.shape
    Q: torch.Tensor = x @ W_query
    K: torch.Tensor = x @ W_key
    V: torch.Tensor = x @ W_value
    print(f"{Q.shape=} {K.shape=} {V.shape=}")
    return Q, K, V

# %% accepted project_tabs: tabs_and_line_ends
def project(x, W_query, W_key, W_value):
	queries = x @ W_query
	keys = x @ W_key
	values = x @ W_value
	return queries, keys, values
