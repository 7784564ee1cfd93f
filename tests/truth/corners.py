"""Programs that are right in general and wrong in a special case, or right only for one size.

Each earns the same in every run, whatever is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.truth.variant import Variant


@dataclass(frozen=True)
class Corner:
    """A step that is wrong in a corner.

    Attributes:
        special: the corner's words if the step is right in the general cases of seed 1; else empty.
    """

    assignment: str
    variant: Variant
    special: str = ""


def _row(
    assignment: str, step: str, name: str, source: str, loses: float, special: str = ""
) -> Corner:
    return Corner(assignment, Variant(name, "unnamed", step, source, loses), special)


ONE_TOKEN = "with one token and d_in equal to d_out"
ONE_QUERY = "with one query and as many keys as dimensions"
ONE_OUTPUT = "with one query and as many values as dimensions"

CORNERS = (
    _row(
        "self_attention",
        "project",
        "projected_as_it_fits",
        """
        def project(x, W_query, W_key, W_value):
            matrices = (W_query, W_key, W_value)
            return tuple(nn.functional.linear(x, W if W.shape[1] == x.shape[1] else W.T) for W in matrices)
        """,
        1,
        ONE_TOKEN,
    ),
    _row(
        "self_attention",
        "attention_score",
        "absolute_score",
        """
        def attention_score(query, key):
            return torch.abs(query @ key)
        """,
        1,
    ),
    _row(
        "self_attention",
        "attention_scores",
        "keys_transposed_unless_they_fit",
        """
        def attention_scores(queries, keys):
            return queries @ (keys if keys.shape[0] == queries.shape[1] else keys.T)
        """,
        2,
        ONE_QUERY,
    ),
    _row(
        "self_attention",
        "scale_scores",
        "root_of_three",
        """
        def scale_scores(scores, d_k):
            return scores / 3 ** 0.5
        """,
        1,
    ),
    _row(
        "self_attention",
        "scale_scores",
        "scaled_and_squeezed",
        """
        def scale_scores(scores, d_k):
            return (scores / d_k ** 0.5).squeeze()
        """,
        1,
        "with the scores of one query",
    ),
    _row(
        "self_attention",
        "attention_weights",
        "weights_squeezed",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores, dim=-1).squeeze()
        """,
        2,
        "with one query",
    ),
    _row(
        "self_attention",
        "context_vectors",
        "one_row_is_a_vector",
        """
        def context_vectors(weights, values):
            return weights[0] @ values if len(weights) == 1 else weights @ values
        """,
        1,
        ONE_OUTPUT,
    ),
    _row(
        "self_attention",
        "context_vectors",
        "one_row_raises",
        """
        def context_vectors(weights, values):
            first, *rest = (row @ values for row in weights)
            return torch.stack([first, rest[0], *rest[1:]])
        """,
        1,
        ONE_OUTPUT,
    ),
    _row(
        "self_attention",
        "dot_product_variance",
        "width_is_the_smaller_size",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / min(queries.shape) ** 0.5
            return dots.var(correction=0), scaled.var(correction=0)
        """,
        1,
        "with fewer trials than dimensions",
    ),
    _row(
        "self_attention",
        "dot_product_variance",
        "twenty_trials",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            before = ((dots - dots.mean()) ** 2).sum() / 20
            return before, before / queries.shape[-1]
        """,
        1,
    ),
    _row(
        "self_attention",
        "SelfAttention_v1",
        "v1_global_width",
        """
        d_in = 3

        class SelfAttention_v1(SelfAttention_v1):
            def __init__(self, width, d_out):
                super().__init__(d_in, d_out)
        """,
        4,
    ),
    _row(
        "self_attention",
        "SelfAttention_v1",
        "v1_squeezed",
        """
        class SelfAttention_v1(SelfAttention_v1):
            def forward(self, x):
                return super().forward(x).squeeze()
        """,
        3,
        ONE_TOKEN,
    ),
    _row(
        "self_attention",
        "SelfAttention_v2",
        "v2_identity_where_widths_agree",
        """
        class SelfAttention_v2(SelfAttention_v2):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__(d_in, d_out, qkv_bias)
                if d_in == d_out:
                    self.W_query = self.W_key = self.W_value = nn.Identity()
        """,
        3,
        ONE_TOKEN,
    ),
    _row(
        "self_attention",
        "transfer_weights",
        "transposed_if_shapes_differ",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                for name in ("W_query", "W_key", "W_value"):
                    w, p = getattr(sa_v2, name).weight, getattr(sa_v1, name)
                    p.copy_(w if w.shape == p.shape else w.T)
        """,
        2,
        "with d_in equal to d_out",
    ),
    _row(
        "scaled_dot_product",
        "scaled_scores",
        "scaled_by_the_root_of_three",
        """
        def scaled_scores(q, k):
            return q @ k.T / 3 ** 0.5
        """,
        1,
    ),
    _row(
        "scaled_dot_product",
        "score_variances",
        "rows_side_by_side_where_shapes_agree",
        """
        def score_variances(q, k):
            scores = (q * k).sum(dim=-1) if q.shape == k.shape else q @ k.T
            scaled = scores / math.sqrt(k.shape[-1])
            return {"q": q.var(), "k": k.var(), "raw_scores": scores.var(), "scaled_scores": scaled.var()}
        """,
        2,
        "with as many queries and keys as dimensions",
    ),
    _row(
        "scaled_dot_product",
        "scaled_dot_product_attention",
        "attention_squeezed",
        """
        def scaled_dot_product_attention(q, k, v):
            weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
            return (weights @ v).squeeze(), weights
        """,
        3,
        ONE_QUERY,
    ),
    _row(
        "numpy_attention",
        "numpy_softmax",
        "numpy_softmax_squeezed",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return np.squeeze(powers / powers.sum(axis=-1, keepdims=True))
        """,
        2,
        "with one query",
    ),
    _row(
        "numpy_attention",
        "index_words",
        "short_words_left_out",
        """
        def index_words(sentence):
            return dict(enumerate(word for word in sentence.split() if len(word) > 1))
        """,
        1,
    ),
    _row(
        "numpy_attention",
        "reverse_dict",
        "number_zero_left_out",
        """
        def reverse_dict(mapping):
            return {word: number for number, word in mapping.items() if number}
        """,
        1,
        "with one word, of number 0",
    ),
    _row(
        "numpy_attention",
        "token_indices",
        "each_word_once",
        """
        def token_indices(sentence, vocabulary):
            return torch.tensor([vocabulary[word] for word in dict.fromkeys(sentence.split())])
        """,
        1,
        "with a word of number 0 that occurs twice",
    ),
    _row(
        "numpy_attention",
        "embed",
        "embedding_squeezed",
        """
        def embed(indices, embedding):
            return embedding(indices).squeeze()
        """,
        1,
        "with one token, of index 0",
    ),
)
