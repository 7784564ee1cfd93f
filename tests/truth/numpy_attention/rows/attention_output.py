# Ways to write `attention_output`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong output_values_on_the_left: inner_sizes_differ, loses 1
def attention_output(weights, V):
    return V @ weights

# %% wrong output_plain_average: mean_of_the_values, loses 1
def attention_output(weights, V):
    return V.mean(dim=0).expand(weights.shape[0], -1)

# %% wrong output_one_query_for_all: one_query_for_all, loses 1
def attention_output(weights, V):
    return (weights[1] @ V).repeat(weights.shape[0], 1)

# %% wrong output_printed_numbers: printed_output, loses 1
def attention_output(weights, V):
    return torch.tensor(
        [
            [1.278, -3.3907, -3.0882, 0.297],
            [-1.6289, -1.3933, -0.329, 1.6975],
            [-2.9089, -1.4556, 0.2345, 2.6695],
            [1.185, -3.3384, -3.008, 0.3455],
            [1.2575, -3.3837, -3.0738, 0.3092],
            [3.9501, 0.9211, -0.9828, -2.4441],
        ]
    )

# %% wrong output_favourite_only: largest_weight_only, loses 1
def attention_output(weights, V):
    return V[weights.argmax(dim=-1)]

# %% wrong output_softmax: softmax_of_the_output
def attention_output(weights, V):
    return (weights @ V).softmax(1)

# %% wrong output_sum: sum_of_the_values
def attention_output(weights, V):
    return torch.ones_like(weights) @ V

# %% accepted output_of_columns: transposed_twice
def attention_output(weights, V):
    return (V.T @ weights.T).T

# %% accepted output_row_by_row: row_by_row
def attention_output(weights, V):
    return torch.stack([row @ V for row in weights])

# %% accepted output_filled_in: element_by_element
def attention_output(weights, V):
    output = torch.empty(weights.shape[0], V.shape[1])
    for i in range(weights.shape[0]):
        for j in range(V.shape[1]):
            output[i, j] = torch.dot(weights[i], V[:, j])
    return output

# %% accepted output_broadcast: broadcast_and_sum
def attention_output(weights, V):
    return (weights[..., None] * V).sum(-2)
