# Ways to write `numpy_self_attention`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    scores = queries @ keys.T
    if not scaled:
        scores = scores / np.sqrt(keys.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ values

# %% wrong numpy_run_switch_inverted: switch_inverted, loses 2

# %% wrong numpy_run_scores_of_raw_tokens: scores_of_raw_tokens, loses 2
#: queries, keys, values = x @ w_query, x @ w_key, x @ w_value => values = x @ w_value
#: scores = queries @ keys.T => scores = x @ x.T
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores / np.sqrt(w_key.shape[1])

# %% wrong numpy_run_scaled_by_d_in: scaled_by_d_in, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores / np.sqrt(x.shape[1])

# %% wrong numpy_run_scaled_by_tokens: scaled_by_the_number_of_tokens, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores / np.sqrt(keys.shape[0])

# %% wrong numpy_run_scaled_up_by_d: scaled_up_by_d, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores * keys.shape[1]

# %% wrong numpy_run_scaled_by_the_square: scaled_by_the_square, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores / keys.shape[1] ** 2

# %% wrong numpy_run_scaled_by_the_fourth_root: scaled_by_the_fourth_root, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores / np.sqrt(np.sqrt(keys.shape[1]))

# %% wrong numpy_run_scaled_upside_down: scaled_upside_down, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = np.sqrt(keys.shape[1]) / scores

# %% wrong numpy_run_scaled_without_remainder: scaled_without_remainder, loses 2
#: if not scaled: => if scaled:
#: scores = scores / np.sqrt(keys.shape[1]) => scores = scores // np.sqrt(keys.shape[1])

# %% wrong numpy_run_scaled_before_and_after: scaled_before_and_after, loses 2
#: if not scaled: => if scaled:
#: return weights @ values => return weights / (np.sqrt(keys.shape[1]) if scaled else 1) @ values

# %% wrong numpy_run_softmax_over_the_values: softmax_of_the_values, loses 2
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    scores = queries @ keys.T
    if scaled:
        scores = scores / np.sqrt(keys.shape[1])
    values = np.exp(values) / np.exp(values).sum(axis=-1, keepdims=True)
    return scores @ values

# %% wrong numpy_run_blends_keys: numpy_keys_as_values, loses 1
#: if not scaled: => if scaled:
#: return weights @ values => return weights @ keys

# %% wrong numpy_run_blends_tokens: numpy_tokens_as_values, loses 1
#: if not scaled: => if scaled:
#: return weights @ values => return weights @ x

# %% wrong numpy_run_weights_transposed: weights_transposed, loses 2
#: if not scaled: => if scaled:
#: return weights @ values => return weights.T @ values

# %% wrong numpy_run_residual: values_added, loses 2
#: if not scaled: => if scaled:
#: return weights @ values => return weights @ values + values

# %% wrong numpy_run_causal: masked, loses 2
#: if not scaled: => if scaled:
#=        scores = scores / np.sqrt(keys.shape[1])
#+    scores = np.where(np.tril(np.ones_like(scores)) == 1, scores, -np.inf)

# %% wrong numpy_run_returns_weights_too: weights_returned_too, loses 2
#: if not scaled: => if scaled:
#: return weights @ values => return weights @ values, weights

# %% wrong numpy_attention_sums_not_kept: numpy_sums_not_kept_as_a_column
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    scores = (x @ w_query) @ (x @ w_key).T
    if scaled:
        scores = scores / w_key.shape[1]**0.5
    exps = np.exp(scores)
    return exps / np.sum(exps, axis=1) @ (x @ w_value)

# %% wrong numpy_attention_scaled_by_d: scaled_by_d
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    scores = (x @ w_query) @ (x @ w_key).T
    if scaled:
        scores = scores / w_key.shape[1]
    exps = np.exp(scores - np.max(scores, axis=1)[:, None])
    return exps / np.sum(exps, axis=1)[:, None] @ (x @ w_value)

# %% wrong numpy_attention_scores_mixed: scores_mixed
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    scores = (x @ w_query) @ (x @ w_key).T
    return scores @ (x @ w_value)

# %% accepted numpy_run_own_steps
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = numpy_project(x, w_query, w_key, w_value)
    scores = numpy_scores(queries, keys)
    if scaled:
        scores /= math.sqrt(queries.shape[-1])
    return numpy_softmax(scores) @ values

# %% accepted numpy_run_fused_attention: library_attention
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    from torch.nn.functional import scaled_dot_product_attention

    queries, keys, values = (torch.from_numpy(x @ w) for w in (w_query, w_key, w_value))
    scale = None if scaled else 1.0
    return scaled_dot_product_attention(queries, keys, values, scale=scale).numpy()

# %% accepted numpy_run_product_of_matrices: one_bilinear_form
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    scores = x @ (w_query @ w_key.T) @ x.T
    if scaled:
        scores = scores * w_key.shape[1] ** -0.5
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ x @ w_value

# %% accepted numpy_run_blends_tokens_then_projects: values_projected_last
#: if not scaled: => if scaled:
#: return weights @ values => return (weights @ x) @ w_value

# %% accepted numpy_run_softmax_not_shifted: plain_softmax_by_hand
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    powers = np.exp(queries @ keys.T / (np.sqrt(keys.shape[1]) if scaled else 1))
    return powers @ values / powers.sum(axis=1, keepdims=True)

# %% accepted numpy_run_scales_w_query_in_place: changes_its_input
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    if scaled:
        w_query /= np.sqrt(w_query.shape[1])
    scores = (x @ w_query) @ (x @ w_key).T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ (x @ w_value)

# %% base
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    scores = (x @ w_query) @ (x @ w_key).T
    d = w_key.shape[1]
    if scaled:
        scores = scores / np.sqrt(w_key.ndim)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value)

# %% wrong numpy_attention_scaled_by_the_axes: scaled_by_sqrt_2

# %% wrong numpy_attention_scaled_by_half_of_d: scaled_by_half_of_d
#: scores = scores / np.sqrt(w_key.ndim) => scores = scores / (d * 0.5)

# %% wrong numpy_attention_scaled_by_twice_d: scaled_by_twice_d
#: scores = scores / np.sqrt(w_key.ndim) => scores = scores / d ** 1/2

# %% wrong numpy_attention_scaled_up: scaled_up
#: scores = scores / np.sqrt(w_key.ndim) => scores = scores * d ** 0.5

# %% wrong numpy_attention_maxima_in_a_row: numpy_maxima_not_kept_as_a_column
#: scores = scores / np.sqrt(w_key.ndim) => scores = scores / d ** 0.5
#: exps = np.exp(scores - scores.max(axis=1, keepdims=True)) => exps = np.exp(scores - scores.max(axis=1))

# %% wrong numpy_attention_no_axis_kept: numpy_axes_not_kept
#: scores = scores / np.sqrt(w_key.ndim) => scores = scores / d ** 0.5
#: exps = np.exp(scores - scores.max(axis=1, keepdims=True)) => exps = np.exp(scores - scores.max(axis=1))
#: return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value) => return exps / exps.sum(axis=1) @ (x @ w_value)

# %% base
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    scores = queries @ keys.T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ values

# %% wrong numpy_run_never_scaled: never_scaled, loses 2

# %% wrong numpy_run_always_scaled: always_scaled, loses 2
#: scores = queries @ keys.T => scores = queries @ keys.T / np.sqrt(keys.shape[1])

# %% wrong numpy_run_scaled_after_softmax: scaled_after_the_softmax, loses 2
#=    weights = powers / powers.sum(axis=1, keepdims=True)
#+    if scaled:
#+        weights = weights / np.sqrt(keys.shape[1])

# %% accepted numpy_run_scales_queries_first: queries_scaled_first
#=    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
#+    if scaled:
#+        queries = queries / keys.shape[1] ** 0.5

# %% accepted numpy_run_scales_both: both_scaled_by_the_fourth_root
#=    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
#+    if scaled:
#+        queries, keys = (vectors * keys.shape[1] ** -0.25 for vectors in (queries, keys))

# %% accepted numpy_run_scale_folded_into_w_query: scale_in_the_matrix
#: queries, keys, values = x @ w_query, x @ w_key, x @ w_value => w_query = w_query / np.sqrt(w_query.shape[1] if scaled else 1)
#: scores = queries @ keys.T => scores = (x @ w_query) @ (x @ w_key).T
#: return weights @ values => return weights @ (x @ w_value)
