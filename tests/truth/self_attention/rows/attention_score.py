# Ways to write `attention_score`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong score_key_at_index_2: name_not_defined, loses 1
def attention_score(query, key):
    return query @ keys[2]

# %% wrong score_query_with_itself: query_with_itself, loses 1
def attention_score(query, key):
    return query.dot(query)

# %% wrong score_key_with_itself: key_with_itself, loses 1
def attention_score(query, key):
    return torch.dot(key, key)

# %% wrong score_elementwise: products_not_added, loses 1
def attention_score(query, key):
    return query * key

# %% wrong score_outer_product: outer_product, loses 1
def attention_score(query, key):
    return query.unsqueeze(1) @ key.unsqueeze(0)

# %% wrong score_mean_instead_of_sum: mean_of_the_products, loses 1
def attention_score(query, key):
    return (query * key).mean()

# %% wrong score_divided_by_the_width: score_divided_by_d_k, loses 1
def attention_score(query, key):
    return query @ key / len(key)

# %% wrong score_cosine: cosine, loses 1
def attention_score(query, key):
    return torch.cosine_similarity(query, key, dim=0)

# %% wrong score_scaled_already: scaled_already, loses 1
def attention_score(query, key):
    return query @ key / len(key) ** 0.5

# %% wrong score_number_of_the_book: unnamed, loses 1
def attention_score(query, key):
    return torch.tensor(1.8524)

# %% wrong score_sum_of_both: sum_of_both
def attention_score(query, key):
    return torch.sum(query + key)

# %% accepted score_matmul: matmul
def attention_score(query, key):
    return torch.matmul(query, key)

# %% accepted score_einsum: einsum
def attention_score(query, key):
    return torch.einsum("d,d->", query, key)

# %% accepted score_sum_of_products: broadcast_and_sum
def attention_score(query, key):
    return (query * key).sum()

# %% accepted score_loop: element_by_element
def attention_score(query, key):
    result = 0.
    for i in range(len(query)):
        result = result + query[i] * key[i]
    return result

# %% accepted score_t_of_a_vector: vector_transposed
def attention_score(query, key):
    return query @ key.T

# %% accepted score_item: plain_numbers
def attention_score(query, key):
    score = query.dot(key)
    return score.item()

# %% accepted score_float64_and_back: float64
def attention_score(query, key):
    return torch.dot(query.double(), key.double()).float()

# %% accepted score_other_argument_names: other_argument_names
def attention_score(q, k):
    return torch.inner(q, k)
