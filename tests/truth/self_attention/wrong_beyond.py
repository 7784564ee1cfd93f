"""Further mistakes: each known one that has no row elsewhere, as some student would write it."""

from tests.truth.self_attention.classes import CONTEXT, RETURN, SCALED, V1, WEIGHTS
from tests.truth.variant import Variant, rewritten

_HEADS = {
    "init_weights": "def init_weights(d_in, d_out, seed):",
    "project": "def project(x, W_query, W_key, W_value):",
    "attention_score": "def attention_score(query, key):",
    "attention_scores": "def attention_scores(queries, keys):",
    "scale_scores": "def scale_scores(scores, d_k):",
    "attention_weights": "def attention_weights(scaled_scores):",
    "context_vectors": "def context_vectors(weights, values):",
    "dot_product_variance": "def dot_product_variance(queries, keys):",
    "transfer_weights": "def transfer_weights(sa_v2, sa_v1):",
}


def _step(name: str, step: str, *lines: str) -> Variant:
    body = "\n".join("    " + line for line in lines)
    return Variant(name, "unlisted", step, f"{_HEADS[step]}\n{body}")


def _init(name: str, *lines: str) -> Variant:
    draws = [line.replace("RAND", "torch.rand(d_in, d_out)") for line in lines]
    wrap = "return tuple(nn.Parameter(W, requires_grad=False) for W in (W_query, W_key, W_value))"
    return _step(name, "init_weights", "torch.manual_seed(seed)", *draws, wrap)


def _variance(name: str, first: str, second: str) -> Variant:
    dots = "dots = torch.einsum('td,td->t', queries, keys)"
    return _step(
        name, "dot_product_variance", "d = keys.shape[1]", dots, f"return {first}, {second}"
    )


def _transfer(name: str, **copied: str) -> Variant:
    lines = [f"    sa_v1.W_{to}.copy_(sa_v2.W_{what}.weight.t())" for to, what in copied.items()]
    return _step(name, "transfer_weights", "with torch.no_grad():", *lines)


def _v1(name: str, *changes: tuple[str, str], loses: float | None = 3) -> Variant:
    return Variant(f"v1_{name}", "unlisted", "SelfAttention_v1", rewritten(V1, *changes), loses)


WRONG_BEYOND = (
    _init("init_ones", "W_query = W_key = W_value = torch.ones((d_in, d_out))"),
    _init("init_order_query_value_key", "W_query = RAND", "W_value = RAND", "W_key = RAND"),
    _init("init_order_value_key_query", "W_value = RAND", "W_key = RAND", "W_query = RAND"),
    _step(
        "project_keys_from_the_value_matrix",
        "project",
        "queries = torch.matmul(x, W_query)",
        "keys = torch.matmul(x, W_value)",
        "return queries, keys, torch.matmul(x, W_value)",
    ),
    _step(
        "project_queries_from_the_value_matrix",
        "project",
        "return tuple(x.mm(W) for W in (W_value, W_key, W_value))",
    ),
    _step("project_key_matrix_for_all", "project", "return (torch.mm(x, W_key),) * 3"),
    _step("project_value_matrix_for_all", "project", "v = x @ W_value", "return v, v, v"),
    _step("project_nothing", "project", "q = k = v = x", "return q, k, v"),
    _step(
        "project_token_at_index_1",
        "project",
        "x_2 = x[1]",
        "return x_2 @ W_query, x_2 @ W_key, x_2 @ W_value",
    ),
    _step(
        "project_one_key",
        "project",
        "x_2 = x[1]",
        "return x @ W_query, x_2 @ W_key, x @ W_value",
    ),
    _step("project_without_values", "project", "return [x @ W for W in (W_query, W_key)]"),
    _step("score_sum_of_both", "attention_score", "return torch.sum(query + key)"),
    _step(
        "scores_against_one_key",
        "attention_scores",
        "key_2 = keys[1]",
        "return torch.mv(queries, key_2)",
    ),
    _step("scores_of_one_pair", "attention_scores", "return torch.dot(queries[1], keys[1])"),
    _step("scores_by_d_k", "attention_scores", "return (queries @ keys.T) / queries.shape[1]"),
    _step("scores_with_a_softmax", "attention_scores", "return (queries @ keys.T).softmax(-1)"),
    _step("scores_with_a_minus", "attention_scores", "return queries @ (-keys.T)"),
    _step(
        "scores_distances",
        "attention_scores",
        "apart = queries[:, None] - keys[None]",
        "return apart.pow(2).sum(-1).sqrt()",
    ),
    _step("scale_times_d_k", "scale_scores", "return d_k * scores"),
    _step("scale_by_the_square", "scale_scores", "return scores / (d_k * d_k)"),
    _step("scale_by_the_fourth_root", "scale_scores", "return scores / math.sqrt(math.sqrt(d_k))"),
    _step("scale_upside_down", "scale_scores", "return math.sqrt(d_k) / scores"),
    _step("scale_floor_division", "scale_scores", "return torch.floor(scores / math.sqrt(d_k))"),
    _step(
        "weights_of_minus_the_scores",
        "attention_weights",
        "return nn.functional.softmin(scaled_scores, dim=-1)",
    ),
    _step(
        "weights_one_hot",
        "attention_weights",
        "best = scaled_scores.max(-1, keepdim=True).values",
        "return (scaled_scores == best).float()",
    ),
    _step(
        "weights_shifted_exp_only",
        "attention_weights",
        "return (scaled_scores - scaled_scores.amax(1, keepdim=True)).exp()",
    ),
    _step(
        "weights_shifted_by_columns",
        "attention_weights",
        "exps = torch.exp(scaled_scores - scaled_scores.amax(0))",
        "return exps / exps.sum(1, keepdim=True)",
    ),
    _step(
        "weights_divided_by_the_mean",
        "attention_weights",
        "exps = scaled_scores.exp()",
        "return exps / exps.mean(1, keepdim=True)",
    ),
    _step("context_turned", "context_vectors", "return values.T @ weights.T"),
    _step(
        "context_token_3_only",
        "context_vectors",
        "attn_weights_3 = weights[2]",
        "return attn_weights_3 @ values",
    ),
    _step(
        "context_softmax_at_the_end", "context_vectors", "return (weights @ values).softmax(dim=1)"
    ),
    _step(
        "context_scaled", "context_vectors", "return weights @ values / math.sqrt(values.shape[1])"
    ),
    _step(
        "context_largest_weight_only",
        "context_vectors",
        "return values[weights.max(dim=1).indices]",
    ),
    _step(
        "context_sum_of_the_values", "context_vectors", "return torch.ones_like(weights) @ values"
    ),
    _step("context_values_as_they_are", "context_vectors", "return values.clone()"),
    _step("context_weights_as_they_are", "context_vectors", "return weights * 1"),
    _step("context_mean", "context_vectors", "return (weights[:, :, None] * values[None]).mean(1)"),
    _variance("variance_std_of_the_sample", "dots.std()", "(dots / d**0.5).std()"),
    _variance("variance_around_zero", "(dots * dots).mean()", "(dots * dots / d).mean()"),
    _step(
        "variance_of_queries_only",
        "dot_product_variance",
        "dots = queries.pow(2).sum(1)",
        "return dots.var(unbiased=False), (dots / queries.shape[1]**0.5).var(unbiased=False)",
    ),
    _variance("variance_scaled_up", "dots.var(correction=0)", "(dots * d**0.5).var(correction=0)"),
    _step(
        "variance_summed_over_the_trials",
        "dot_product_variance",
        "dots = torch.sum(queries * keys, 0)",
        "return dots.var(correction=0), (dots / queries.shape[1]**0.5).var(correction=0)",
    ),
    _v1("scaled_before_and_after", (WEIGHTS, f"{WEIGHTS} / keys.shape[-1]**0.5")),
    _v1("residual_of_keys", (CONTEXT, f"{CONTEXT} + keys")),
    _v1("returns_queries", (RETURN, "return queries")),
    _v1("returns_tokens", (RETURN, "return x")),
    _v1("values_detached", (CONTEXT, "attn_weights @ values.detach()"), loses=0.5),
    _v1("scaled_by_the_width_of_x", (SCALED, "attn_scores / x.size(1) ** 0.5")),
    _v1(
        "copies_of_one_draw",
        (
            "self.W_key = nn.Parameter(torch.rand(d_in, d_out))",
            "self.W_key = nn.Parameter(self.W_query.data.clone())",
        ),
        (
            "self.W_value = nn.Parameter(torch.rand(d_in, d_out))",
            "self.W_value = nn.Parameter(self.W_query.data + 0)",
        ),
        loses=1.5,
    ),
    Variant(
        "v1_drawn_like_a_layer",
        "matrices_of_a_layer",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T)
                self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T)
                self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T)

            def forward(self, x):
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values
        """,
        loses=0.5,
    ),
    _transfer("transfer_key_only", key="key"),
    _transfer("transfer_value_only", value="value"),
    _transfer("transfer_value_forgotten", query="query", key="key"),
    _transfer("transfer_key_forgotten", query="query", value="value"),
    _transfer("transfer_query_forgotten", key="key", value="value"),
    _transfer("transfer_query_and_key_crossed", query="key", key="query", value="value"),
    _transfer("transfer_query_and_value_crossed", query="value", key="key", value="query"),
    _transfer("transfer_value_three_times", query="value", key="value", value="value"),
    _transfer("transfer_key_as_value", query="query", key="key", value="key"),
    _transfer("transfer_query_as_key", query="query", key="query", value="value"),
    _step(
        "transfer_exchanged",
        "transfer_weights",
        "for name in ('W_query', 'W_key', 'W_value'):",
        "    layer, matrix = getattr(sa_v2, name), getattr(sa_v1, name)",
        "    kept = matrix.data.clone()",
        "    matrix.data = layer.weight.data.T.clone()",
        "    layer.weight.data = kept.T.clone()",
    ),
    _step(
        "transfer_added",
        "transfer_weights",
        "with torch.no_grad():",
        "    for name in ('W_query', 'W_key', 'W_value'):",
        "        getattr(sa_v1, name).add_(getattr(sa_v2, name).weight.T)",
    ),
    _v1(
        "maxima_in_a_row",
        (
            f"attn_weights = {WEIGHTS}",
            (
                f"shifted = {SCALED}\n        exps = (shifted - shifted.amax(-1)).exp()\n"
                "        attn_weights = exps / exps.sum(-1, keepdim=True)"
            ),
        ),
    ),
    _v1(
        "no_axis_kept",
        (
            f"attn_weights = {WEIGHTS}",
            (
                f"shifted = {SCALED}\n        exps = (shifted - shifted.amax(-1)).exp()\n"
                "        attn_weights = exps / exps.sum(-1)"
            ),
        ),
    ),
    _v1("scores_blended", (CONTEXT, "attn_scores @ values")),
    _step(
        "weights_maximum_above_only",
        "attention_weights",
        "largest = scaled_scores.amax(dim=1, keepdim=True)",
        "return torch.exp(scaled_scores - largest) / torch.exp(scaled_scores).sum(dim=1, keepdim=True)",
    ),
    _step(
        "weights_maximum_below_only",
        "attention_weights",
        "largest = scaled_scores.amax(dim=1, keepdim=True)",
        "return torch.exp(scaled_scores) / torch.exp(scaled_scores - largest).sum(dim=1, keepdim=True)",
    ),
)
