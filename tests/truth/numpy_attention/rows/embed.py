# Ways to write `embed`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong embed_in_a_layer_of_its_own: embedded_in_a_new_layer, loses 1
def embed(indices, embedding):
    layer = nn.Embedding(embedding.num_embeddings, embedding.embedding_dim)
    return layer(indices)

# %% wrong embed_first_rows: first_rows_of_the_table, loses 1
def embed(indices, embedding):
    return embedding.weight[: len(indices)]

# %% wrong embed_off_by_one: embedded_one_row_too_early, loses 1
def embed(indices, embedding):
    return embedding.weight[indices - 1]

# %% wrong embed_scaled: embeddings_multiplied, loses 1
def embed(indices, embedding):
    return embedding(indices) * math.sqrt(embedding.embedding_dim)

# %% accepted embed_rows_of_the_weight
def embed(indices, embedding):
    return embedding.weight[indices]

# %% accepted embed_functional
def embed(indices, embedding):
    return nn.functional.embedding(indices, embedding.weight)

# %% accepted embed_one_hot
def embed(indices, embedding):
    picks = nn.functional.one_hot(indices, embedding.num_embeddings).to(embedding.weight.dtype)
    return picks @ embedding.weight

# %% accepted embed_detached: cut_graph
def embed(indices, embedding):
    return embedding(indices).detach()
