# Ways to write `numpy_scores`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong numpy_scores_keys_against_queries: numpy_scores_transposed, loses 1
def numpy_scores(queries, keys):
    return keys @ queries.T

# %% wrong numpy_scores_keys_against_keys: numpy_keys_with_keys, loses 1
def numpy_scores(queries, keys):
    return keys @ keys.T

# %% wrong numpy_scores_elementwise: product_by_numbers, loses 1
def numpy_scores(queries, keys):
    return queries * keys

# %% wrong numpy_scores_reshaped_keys: numpy_keys_reshaped, loses 1
def numpy_scores(queries, keys):
    return queries @ keys.reshape(keys.shape[1], keys.shape[0])

# %% wrong numpy_scores_cosine: numpy_cosines, loses 1
def numpy_scores(queries, keys):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    return queries @ keys.T

# %% wrong numpy_scores_scaled_already: numpy_scores_scaled_already, loses 1
def numpy_scores(queries, keys):
    return queries @ keys.T / np.sqrt(keys.shape[-1])

# %% wrong numpy_scores_queries_twice: numpy_queries_with_queries
def numpy_scores(queries, keys):
    return np.dot(queries, queries.T)

# %% accepted numpy_scores_einsum: einsum
def numpy_scores(queries, keys):
    return np.einsum("id,jd->ij", queries, keys)

# %% accepted numpy_scores_inner
def numpy_scores(queries, keys):
    return np.inner(queries, keys)

# %% accepted numpy_scores_double_loop: element_by_element
def numpy_scores(queries, keys):
    scores = np.zeros((len(queries), len(keys)))
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = np.dot(query, key)
    return scores

# %% wrong numpy_scores_that_are_weights: numpy_weights_for_scores, loses 1
def numpy_scores(queries, keys):
    powers = np.exp(queries @ keys.T / np.sqrt(keys.shape[1]))
    return powers / powers.sum(axis=1, keepdims=True)
