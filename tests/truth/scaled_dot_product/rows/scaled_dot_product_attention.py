# Ways to write `scaled_dot_product_attention`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong attention_scores_mixed: scores_mixed
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T
    weights = torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1)
    return scores @ v, weights

# %% wrong attention_scaled_scores_mixed: scaled_scores_mixed
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / k.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return scores @ v, weights

# %% wrong attention_not_scaled: not_scaled, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights

# %% wrong attention_scaled_by_d_k: divided_by_d_k, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / k.shape[-1]
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights

# %% wrong attention_scaled_by_tokens: divided_by_the_root_of_the_keys_number, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[0])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights

# %% wrong attention_scaled_after_softmax: scaled_after_the_softmax, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T
    weights = torch.softmax(scores, dim=-1) / math.sqrt(k.shape[-1])
    return weights @ v, weights

# %% wrong attention_scaled_by_number_of_queries: divided_by_the_root_of_the_queries_number, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[0])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights

# %% wrong attention_scaled_before_and_after: scaled_before_and_after, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scale = math.sqrt(k.shape[-1])
    weights = torch.softmax(q @ k.T / scale, dim=-1) / scale
    return weights @ v, weights

# %% wrong attention_over_queries: softmax_over_the_queries, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=0)
    return weights @ v, weights

# %% wrong attention_keys_and_values_swapped: attention_with_keys_and_values_swapped, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ v.T / math.sqrt(v.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ k, weights

# %% wrong attention_mixes_keys: keys_mixed, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ k, weights

# %% wrong attention_mixes_queries: inner_sizes_differ, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ q, weights

# %% wrong attention_weights_transposed: inner_sizes_differ, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights.T @ v, weights

# %% wrong attention_with_residual: queries_added, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v + q, weights

# %% wrong attention_masked: masked, loses 1.5
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    hidden = torch.ones_like(scores).triu(1).bool()
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
    return weights @ v, weights

# %% wrong attention_returns_scores: scores_returned_for_weights, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, scores

# %% wrong attention_returned_the_other_way_round: returned_the_other_way_round, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights, weights @ v

# %% wrong attention_returns_output_only: output_only, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v

# %% wrong attention_clamped: scaled_scores_cut_off_at_20, loses 0.75
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores.clamp(-20, 20), dim=-1)
    return weights @ v, weights

# %% wrong attention_width_of_values: unnamed, loses 3
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(v.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights

# %% accepted attention_by_torch: library_attention
def scaled_dot_product_attention(q, k, v):
    from torch.nn import functional as F

    weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
    return F.scaled_dot_product_attention(q, k, v), weights

# %% accepted attention_from_own_steps
def scaled_dot_product_attention(q, k, v):
    weights = attention_weights(scaled_scores(q, k))
    return attention_output(weights, v), weights

# %% accepted attention_by_hand_stable: stable_softmax_by_hand
def scaled_dot_product_attention(q, k, v):
    scores = torch.einsum("id,jd->ij", q, k) * k.shape[-1] ** -0.5
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = powers / powers.sum(-1, keepdim=True)
    return torch.einsum("ij,jd->id", weights, v), weights

# %% accepted attention_in_columns: column_layout
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(k @ q.T / math.sqrt(k.shape[-1]), dim=-2)
    return (v.T @ weights).T, weights.T

# %% accepted attention_in_float64: float64
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(q.double() @ k.double().T / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v.double(), weights

# %% accepted attention_for_batches_too: batches_too
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)
    return weights @ v, weights

# %% accepted attention_detached: cut_graph
def scaled_dot_product_attention(q, k, v):
    scores = q.detach() @ k.detach().T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
