"""Further mistakes, as some student would write them."""

from tests.truth.variant import Variant


def _step(name: str, step: str, source: str) -> Variant:
    return Variant(name, "unlisted", step, source)


WRONG_BEYOND = (
    _step(
        "projected_q_and_v_swapped",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            v, k, q = (layer(tokens) for layer in (w_query, w_key, w_value))
            return q, k, v
        """,
    ),
    _step(
        "raw_with_a_minus",
        "raw_scores",
        """
        def raw_scores(q, k):
            return torch.matmul(q, -k.t())
        """,
    ),
    _step(
        "scaled_by_the_square",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            d_k = k.size(-1)
            return torch.matmul(q, k.t()) / (d_k * d_k)
        """,
    ),
    _step(
        "weights_softmin",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.nn.functional.softmin(scores, dim=-1)
        """,
    ),
    _step(
        "output_sum",
        "attention_output",
        """
        def attention_output(weights, v):
            return torch.ones_like(weights) @ v
        """,
    ),
    _step(
        "scaled_by_the_axes",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / math.sqrt(k.dim())
        """,
    ),
    _step(
        "attention_scores_mixed",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T
            weights = torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1)
            return scores @ v, weights
        """,
    ),
    _step(
        "attention_scaled_scores_mixed",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / k.shape[-1] ** 0.5
            weights = torch.softmax(scores, dim=-1)
            return scores @ v, weights
        """,
    ),
)
