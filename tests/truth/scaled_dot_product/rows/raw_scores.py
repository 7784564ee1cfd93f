# Ways to write `raw_scores`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong raw_with_a_minus: scores_negated
def raw_scores(q, k):
    return torch.matmul(q, -k.t())

# %% wrong raw_not_transposed: inner_sizes_differ, loses 1
def raw_scores(q, k):
    return q @ k

# %% wrong raw_keys_by_queries: scores_transposed, loses 1
def raw_scores(q, k):
    return k @ q.T

# %% wrong raw_queries_by_queries: queries_with_queries, loses 1
def raw_scores(q, k):
    return q @ q.T

# %% wrong raw_keys_by_keys: keys_with_keys, loses 1
def raw_scores(q, k):
    return k @ k.T

# %% wrong raw_products_only: product_by_numbers, loses 1
def raw_scores(q, k):
    return q * k

# %% wrong raw_each_token_with_itself: product_by_numbers, loses 1
def raw_scores(q, k):
    return (q * k).sum(-1)

# %% wrong raw_by_dot: inner_sizes_differ, loses 1
def raw_scores(q, k):
    return torch.dot(q, k)

# %% wrong raw_keys_reshaped: keys_reshaped, loses 1
def raw_scores(q, k):
    return q @ k.reshape(k.shape[1], k.shape[0])

# %% wrong raw_cosines: cosines, loses 1
def raw_scores(q, k):
    from torch.nn import functional as F

    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).T

# %% wrong raw_already_scaled: raw_scores_scaled_already, loses 1
def raw_scores(q, k):
    return q @ k.T / math.sqrt(k.shape[-1])

# %% wrong raw_as_a_numpy_array: scores_as_a_numpy_array, loses 1
def raw_scores(q, k):
    return (q @ k.T).detach().numpy()

# %% wrong raw_printed_not_returned: unnamed, loses 1
def raw_scores(q, k):
    print(q @ k.T)

# %% accepted raw_by_matmul: matmul
def raw_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1))

# %% accepted raw_by_einsum: einsum
def raw_scores(q, k):
    return torch.einsum("id,jd->ij", q, k)

# %% accepted raw_by_linear: functional_linear
def raw_scores(q, k):
    from torch.nn import functional as F

    return F.linear(q, k)

# %% accepted raw_as_transposed_view: transposed_twice
def raw_scores(q, k):
    return (k @ q.T).T

# %% accepted raw_row_by_row: row_by_row
def raw_scores(q, k):
    return torch.stack([k @ query for query in q])

# %% accepted raw_filled_in_loops: element_by_element
def raw_scores(q, k):
    scores = torch.empty(len(q), len(k))
    for i in range(len(q)):
        for j in range(len(k)):
            scores[i, j] = torch.dot(q[i], k[j])
    return scores

# %% accepted raw_by_broadcasting: broadcast_and_sum
def raw_scores(q, k):
    return (q[:, None, :] * k[None, :, :]).sum(-1)

# %% accepted raw_in_float64: float64
def raw_scores(q, k):
    return q.double() @ k.double().T

# %% accepted raw_from_numbers: plain_numbers
def raw_scores(q, k):
    return torch.tensor([[torch.dot(query, key).item() for key in k] for query in q])

# %% wrong raw_weights: weights_for_scores, loses 1
def raw_scores(q, k):
    scaled = q @ k.T / math.sqrt(k.shape[-1])
    return torch.softmax(scaled, dim=-1)
