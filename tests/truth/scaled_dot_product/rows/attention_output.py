# Ways to write `attention_output`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong output_sum: sum_of_the_values
def attention_output(weights, v):
    return torch.ones_like(weights) @ v

# %% wrong output_weights_transposed: inner_sizes_differ, loses 1
def attention_output(weights, v):
    return weights.T @ v

# %% wrong output_values_on_the_left: inner_sizes_differ, loses 1
def attention_output(weights, v):
    return v @ weights

# %% wrong output_mean_of_values: mean_of_the_values, loses 1
def attention_output(weights, v):
    return v.mean(0).expand(len(weights), -1)

# %% wrong output_of_one_row_for_all: one_query_for_all, loses 1
def attention_output(weights, v):
    return (weights[1] @ v).expand(len(weights), -1)

# %% wrong output_softmaxed: softmax_of_the_output, loses 1
def attention_output(weights, v):
    return torch.softmax(weights @ v, dim=-1)

# %% wrong output_scaled: output_scaled, loses 1
def attention_output(weights, v):
    return weights @ v / math.sqrt(v.shape[-1])

# %% wrong output_picks_one_value: largest_weight_only, loses 1
def attention_output(weights, v):
    return v[weights.argmax(-1)]

# %% accepted output_by_matmul: matmul
def attention_output(weights, v):
    return torch.matmul(weights, v)

# %% accepted output_by_einsum: einsum
def attention_output(weights, v):
    return torch.einsum("ij,jd->id", weights, v)

# %% accepted output_transposed_and_back: transposed_twice
def attention_output(weights, v):
    return (v.T @ weights.T).T

# %% accepted output_row_by_row: row_by_row
def attention_output(weights, v):
    return torch.stack([row @ v for row in weights])

# %% accepted output_summed_in_loops: element_by_element
def attention_output(weights, v):
    output = torch.zeros(weights.shape[0], v.shape[1])
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            output[i] += weights[i, j] * v[j]
    return output

# %% accepted output_by_broadcasting: broadcast_and_sum
def attention_output(weights, v):
    return (weights[..., None] * v).sum(-2)
