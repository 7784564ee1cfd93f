# Ways to write `context_vectors`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong context_elementwise: product_by_numbers, loses 1
def context_vectors(weights, values):
    return weights * values

# %% wrong context_softmax_of_the_values: softmax_of_the_values, loses 1
def context_vectors(weights, values):
    return weights @ torch.softmax(values, dim=-1)

# %% wrong context_transposed_weights: inner_sizes_differ, loses 1
def context_vectors(weights, values):
    return weights.T @ values

# %% wrong context_values_on_the_left: inner_sizes_differ, loses 1
def context_vectors(weights, values):
    attn_weights_2 = weights[1]
    return values @ attn_weights_2

# %% wrong context_matrices_in_the_wrong_order: inner_sizes_differ, loses 1
def context_vectors(weights, values):
    return values @ weights

# %% wrong context_mean_of_the_values: mean_of_the_values, loses 1
def context_vectors(weights, values):
    return values.mean(0).expand(weights.shape[0], -1)

# %% wrong context_token_2_only: only_the_second_query, loses 1
def context_vectors(weights, values):
    context_vec_2 = weights[1] @ values
    return context_vec_2

# %% wrong context_token_2_for_all: second_query_for_all, loses 1
def context_vectors(weights, values):
    context_vec_2 = weights[1] @ values
    return torch.stack([context_vec_2 for _ in weights])

# %% wrong context_with_residual: shapes_differ, loses 1
def context_vectors(weights, values):
    return weights @ values + values

# %% wrong context_with_dropout: unlisted, loses 1
def context_vectors(weights, values):
    weights = nn.functional.dropout(weights, p=0.1)
    return weights @ values

# %% wrong context_numbers_of_the_book: unnamed, loses 1
def context_vectors(weights, values):
    return torch.tensor([[0.2996, 0.8053], [0.3061, 0.8210], [0.3058, 0.8203],
                         [0.2948, 0.7939], [0.2927, 0.7891], [0.2990, 0.8040]])

# %% wrong context_turned: context_transposed
def context_vectors(weights, values):
    return values.T @ weights.T

# %% wrong context_token_3_only: only_the_third_query
def context_vectors(weights, values):
    attn_weights_3 = weights[2]
    return attn_weights_3 @ values

# %% wrong context_softmax_at_the_end: softmax_of_the_result
def context_vectors(weights, values):
    return (weights @ values).softmax(dim=1)

# %% wrong context_scaled: result_scaled
def context_vectors(weights, values):
    return weights @ values / math.sqrt(values.shape[1])

# %% wrong context_largest_weight_only
def context_vectors(weights, values):
    return values[weights.max(dim=1).indices]

# %% wrong context_sum_of_the_values: sum_of_the_values
def context_vectors(weights, values):
    return torch.ones_like(weights) @ values

# %% wrong context_values_as_they_are: values_unblended
def context_vectors(weights, values):
    return values.clone()

# %% wrong context_weights_as_they_are: weights_instead_of_a_blend
def context_vectors(weights, values):
    return weights * 1

# %% wrong context_mean: mean_of_the_weighted_values
def context_vectors(weights, values):
    return (weights[:, :, None] * values[None]).mean(1)

# %% accepted context_matmul: matmul
def context_vectors(weights, values):
    return torch.matmul(weights, values)

# %% accepted context_einsum: einsum
def context_vectors(weights, values):
    return torch.einsum("qk,kd->qd", weights, values)

# %% accepted context_turned_twice: transposed_twice
def context_vectors(weights, values):
    return (values.T @ weights.T).T

# %% accepted context_one_token_at_a_time: transposed_twice
def context_vectors(weights, values):
    return torch.stack([values.T @ w for w in weights])

# %% accepted context_loop: element_by_element
def context_vectors(weights, values):
    context = torch.zeros(weights.shape[0], values.shape[1])
    for i in range(weights.shape[0]):
        for j in range(values.shape[0]):
            context[i] += weights[i, j] * values[j]
    return context

# %% accepted context_broadcast: broadcast_and_sum
def context_vectors(weights, values):
    return (weights[..., None] * values).sum(-2)

# %% accepted context_also_for_a_batch: batches_too
def context_vectors(weights, values):
    if values.ndim == 2:
        return weights @ values
    return torch.bmm(weights, values)

# %% accepted context_tensor_of_a_list: tensor_made_anew
def context_vectors(weights, values):
    return torch.tensor((weights @ values).tolist())
