# Ways to write `project`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong projected_q_and_v_swapped: queries_and_values_swapped
def project(tokens, w_query, w_key, w_value):
    v, k, q = (layer(tokens) for layer in (w_query, w_key, w_value))
    return q, k, v

# %% wrong projected_without_bias: bias_left_out, loses 1
def project(tokens, w_query, w_key, w_value):
    return tokens @ w_query.weight.T, tokens @ w_key.weight.T, tokens @ w_value.weight.T

# %% wrong projected_weight_on_the_left: inner_sizes_differ, loses 1
def project(tokens, w_query, w_key, w_value):
    return w_query.weight @ tokens, w_key.weight @ tokens, w_value.weight @ tokens

# %% wrong projected_by_untransposed_weights: inner_sizes_differ, loses 1
def project(tokens, w_query, w_key, w_value):
    return tuple(tokens @ layer.weight + layer.bias for layer in (w_query, w_key, w_value))

# %% wrong projected_by_at_sign: operation, loses 1
def project(tokens, w_query, w_key, w_value):
    return tokens @ w_query, tokens @ w_key, tokens @ w_value

# %% wrong projected_element_by_element: product_by_numbers, loses 1
def project(tokens, w_query, w_key, w_value):
    return tokens * w_query.weight, tokens * w_key.weight, tokens * w_value.weight

# %% wrong projected_first_token_only: first_token_only, loses 1
def project(tokens, w_query, w_key, w_value):
    return w_query(tokens[0]), w_key(tokens[0]), w_value(tokens[0])

# %% wrong projected_values_by_the_key_layer: values_by_the_key_layer, loses 1
def project(tokens, w_query, w_key, w_value):
    return w_query(tokens), w_key(tokens), w_key(tokens)

# %% wrong projected_all_by_the_query_layer: one_layer_for_all, loses 1
def project(tokens, w_query, w_key, w_value):
    return w_query(tokens), w_query(tokens), w_query(tokens)

# %% wrong projected_query_and_key_swapped: queries_and_keys_swapped, loses 1
def project(tokens, w_query, w_key, w_value):
    return w_key(tokens), w_query(tokens), w_value(tokens)

# %% wrong projected_key_and_value_swapped: keys_and_values_swapped, loses 1
def project(tokens, w_query, w_key, w_value):
    return w_query(tokens), w_value(tokens), w_key(tokens)

# %% wrong projected_not_at_all: tokens_not_projected, loses 1
def project(tokens, w_query, w_key, w_value):
    return tokens, tokens, tokens

# %% accepted projected_in_a_list
def project(tokens, w_query, w_key, w_value):
    return [layer(tokens) for layer in (w_query, w_key, w_value)]

# %% accepted projected_and_stacked
def project(tokens, w_query, w_key, w_value):
    return torch.stack([w_query(tokens), w_key(tokens), w_value(tokens)])

# %% accepted projected_by_functional_linear: functional_linear
def project(tokens, w_query, w_key, w_value):
    from torch.nn import functional as F

    return tuple(F.linear(tokens, layer.weight, layer.bias) for layer in (w_query, w_key, w_value))

# %% accepted projected_by_hand: matmul
def project(tokens, w_query, w_key, w_value):
    def apply(layer):
        return torch.matmul(tokens, layer.weight.T) + layer.bias

    return apply(w_query), apply(w_key), apply(w_value)

# %% accepted projected_by_einsum: einsum
def project(tokens, w_query, w_key, w_value):
    return tuple(
        torch.einsum("td,kd->tk", tokens, layer.weight) + layer.bias
        for layer in (w_query, w_key, w_value)
    )

# %% accepted projected_transposed_and_back: transposed_twice
def project(tokens, w_query, w_key, w_value):
    return tuple(
        (layer.weight @ tokens.T + layer.bias[:, None]).T for layer in (w_query, w_key, w_value)
    )

# %% accepted projected_without_gradients: cut_graph
def project(tokens, w_query, w_key, w_value):
    with torch.no_grad():
        return w_query(tokens), w_key(tokens), w_value(tokens)
