"""Further mistakes: each known one that has no row elsewhere, as some student would write it."""

from tests.truth.variant import Variant

_HEADS = {
    "numpy_project": "def numpy_project(x, w_query, w_key, w_value):",
    "numpy_scores": "def numpy_scores(queries, keys):",
    "numpy_softmax": "def numpy_softmax(scores):",
    "numpy_self_attention": "def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):",
    "project": "def project(X, W_Q, W_K, W_V):",
    "scaled_scores": "def scaled_scores(Q, K):",
    "attention_weights": "def attention_weights(scaled_scores):",
    "attention_output": "def attention_output(weights, V):",
}


def _step(name: str, step: str, *lines: str) -> Variant:
    body = "\n".join("    " + line for line in lines)
    return Variant(name, "unlisted", step, f"{_HEADS[step]}\n{body}")


_EXPS = "exps = np.exp(scores - np.max(scores, axis=1)[:, None])"

WRONG_BEYOND = (
    _step(
        "numpy_project_queries_and_keys_swapped",
        "numpy_project",
        "return np.dot(x, w_key), np.dot(x, w_query), np.dot(x, w_value)",
    ),
    _step(
        "numpy_project_queries_and_values_swapped",
        "numpy_project",
        "return np.dot(x, w_value), np.dot(x, w_key), np.dot(x, w_query)",
    ),
    _step("numpy_project_nothing", "numpy_project", "return x.copy(), x.copy(), x.copy()"),
    _step(
        "numpy_project_keys_from_the_query_matrix",
        "numpy_project",
        "return [x.dot(w) for w in (w_query, w_query, w_value)]",
    ),
    _step("numpy_scores_queries_twice", "numpy_scores", "return np.dot(queries, queries.T)"),
    _step("numpy_softmax_exp_only", "numpy_softmax", "return np.e**scores"),
    _step(
        "numpy_softmax_two_times",
        "numpy_softmax",
        "for _ in range(2):",
        f"    {_EXPS}",
        "    scores = exps / exps.sum(axis=1)[:, None]",
        "return scores",
    ),
    _step(
        "numpy_softmax_of_minus_the_scores",
        "numpy_softmax",
        "scores = -scores",
        _EXPS,
        "return exps / exps.sum(1)[:, None]",
    ),
    _step(
        "numpy_softmax_logarithm",
        "numpy_softmax",
        _EXPS,
        "return np.log(exps / exps.sum(1)[:, None])",
    ),
    _step("numpy_softmax_shifted_exp_only", "numpy_softmax", _EXPS, "return exps"),
    _step(
        "numpy_attention_sums_not_kept",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "if scaled:",
        "    scores = scores / w_key.shape[1]**0.5",
        "exps = np.exp(scores)",
        "return exps / np.sum(exps, axis=1) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_scaled_by_d",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "if scaled:",
        "    scores = scores / w_key.shape[1]",
        _EXPS,
        "return exps / np.sum(exps, axis=1)[:, None] @ (x @ w_value)",
    ),
    _step(
        "project_one_for_all", "project", "Q = torch.mm(X, W_Q)", "return Q, Q.clone(), Q.clone()"
    ),
    _step(
        "project_k_and_v_swapped",
        "project",
        "return torch.mm(X, W_Q), torch.mm(X, W_V), torch.mm(X, W_K)",
    ),
    _step(
        "project_q_and_v_swapped",
        "project",
        "return torch.mm(X, W_V), torch.mm(X, W_K), torch.mm(X, W_Q)",
    ),
    _step("project_nothing", "project", "return [X] * 3"),
    _step("scores_unscaled", "scaled_scores", "return torch.matmul(Q, K.t())"),
    _step("scores_turned", "scaled_scores", "return torch.matmul(K, Q.t()) / K.size(1)**0.5"),
    _step("scores_keys_twice", "scaled_scores", "return torch.matmul(K, K.t()) / K.size(1)**0.5"),
    _step(
        "scores_of_unit_vectors",
        "scaled_scores",
        "Q, K = Q / Q.norm(dim=1, keepdim=True), K / K.norm(dim=1, keepdim=True)",
        "return Q @ K.T / K.shape[1]**0.5",
    ),
    _step(
        "scores_view_for_transpose",
        "scaled_scores",
        "return Q @ K.view(K.size(1), -1) / K.shape[1]**0.5",
    ),
    _step(
        "weights_of_the_flattened",
        "attention_weights",
        "e = scaled_scores.exp()",
        "return e / e.sum()",
    ),
    _step("weights_are_scores", "attention_weights", "return scaled_scores + 0"),
    _step(
        "weights_by_the_sum",
        "attention_weights",
        "return scaled_scores / torch.sum(scaled_scores, 1, keepdim=True)",
    ),
    _step(
        "weights_softmin", "attention_weights", "return nn.functional.softmin(scaled_scores, dim=1)"
    ),
    _step(
        "weights_with_a_mask",
        "attention_weights",
        "e = scaled_scores.exp().tril()",
        "return e / e.sum(1, keepdim=True)",
    ),
    _step("output_softmax", "attention_output", "return (weights @ V).softmax(1)"),
    _step("output_sum", "attention_output", "return torch.ones_like(weights) @ V"),
    _step(
        "numpy_attention_scaled_by_the_axes",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "d = w_key.shape[1]",
        "if scaled:",
        "    scores = scores / np.sqrt(w_key.ndim)",
        "exps = np.exp(scores - scores.max(axis=1, keepdims=True))",
        "return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_scaled_by_half_of_d",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "d = w_key.shape[1]",
        "if scaled:",
        "    scores = scores / (d * 0.5)",
        "exps = np.exp(scores - scores.max(axis=1, keepdims=True))",
        "return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_scaled_by_twice_d",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "d = w_key.shape[1]",
        "if scaled:",
        "    scores = scores / d ** 1/2",
        "exps = np.exp(scores - scores.max(axis=1, keepdims=True))",
        "return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_scaled_up",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "d = w_key.shape[1]",
        "if scaled:",
        "    scores = scores * d ** 0.5",
        "exps = np.exp(scores - scores.max(axis=1, keepdims=True))",
        "return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_maxima_in_a_row",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "d = w_key.shape[1]",
        "if scaled:",
        "    scores = scores / d ** 0.5",
        "exps = np.exp(scores - scores.max(axis=1))",
        "return exps / exps.sum(axis=1, keepdims=True) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_no_axis_kept",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "d = w_key.shape[1]",
        "if scaled:",
        "    scores = scores / d ** 0.5",
        "exps = np.exp(scores - scores.max(axis=1))",
        "return exps / exps.sum(axis=1) @ (x @ w_value)",
    ),
    _step(
        "numpy_attention_scores_mixed",
        "numpy_self_attention",
        "scores = (x @ w_query) @ (x @ w_key).T",
        "return scores @ (x @ w_value)",
    ),
    _step(
        "numpy_softmax_maximum_above_only",
        "numpy_softmax",
        "largest = scores.max(axis=1, keepdims=True)",
        "return np.exp(scores - largest) / np.exp(scores).sum(axis=1, keepdims=True)",
    ),
    _step(
        "numpy_softmax_maximum_below_only",
        "numpy_softmax",
        "largest = scores.max(axis=1, keepdims=True)",
        "return np.exp(scores) / np.exp(scores - largest).sum(axis=1, keepdims=True)",
    ),
    _step("scores_by_the_axes", "scaled_scores", "return Q @ K.T / len(K.shape) ** 0.5"),
)
