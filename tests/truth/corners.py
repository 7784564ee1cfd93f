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


ONE_TOKEN = "with one token and d_in equal to d_out"
ONE_QUERY = "with one query and as many keys as dimensions"
OTHER_VALUES = "with one query, as many keys as dimensions, and values of another width"
AS_MANY = "with as many queries and keys as dimensions"
ONE_OUTPUT = "with one query and as many values as dimensions"

# By assignment: the step, the row's name, the points that it loses, what is special; and the source.
_ROWS = {
    "self_attention": (
        ("project", "projected_as_it_fits", 1, ONE_TOKEN, """
        def project(x, W_query, W_key, W_value):
            matrices = (W_query, W_key, W_value)
            return tuple(nn.functional.linear(x, W if W.shape[1] == x.shape[1] else W.T) for W in matrices)
        """),
        ("attention_score", "absolute_score", 1, "", """
        def attention_score(query, key):
            return torch.abs(query @ key)
        """),
        ("attention_scores", "keys_transposed_unless_they_fit", 2, ONE_QUERY, """
        def attention_scores(queries, keys):
            return queries @ (keys if keys.shape[0] == queries.shape[1] else keys.T)
        """),
        ("scale_scores", "root_of_three", 1, "", """
        def scale_scores(scores, d_k):
            return scores / 3 ** 0.5
        """),
        ("scale_scores", "scaled_and_squeezed", 1, "with the scores of one query", """
        def scale_scores(scores, d_k):
            return (scores / d_k ** 0.5).squeeze()
        """),
        ("attention_weights", "weights_squeezed", 2, "with one query", """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores, dim=-1).squeeze()
        """),
        ("context_vectors", "one_row_is_a_vector", 1, ONE_OUTPUT, """
        def context_vectors(weights, values):
            return weights[0] @ values if len(weights) == 1 else weights @ values
        """),
        ("context_vectors", "one_row_raises", 1, ONE_OUTPUT, """
        def context_vectors(weights, values):
            first, *rest = (row @ values for row in weights)
            return torch.stack([first, rest[0], *rest[1:]])
        """),
        ("dot_product_variance", "width_is_the_smaller_size", 1, "with fewer trials than dimensions", """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / min(queries.shape) ** 0.5
            return dots.var(correction=0), scaled.var(correction=0)
        """),
        ("dot_product_variance", "twenty_trials", 1, "", """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            before = ((dots - dots.mean()) ** 2).sum() / 20
            return before, before / queries.shape[-1]
        """),
        ("SelfAttention_v1", "v1_global_width", 4, "", """
        d_in = 3

        class SelfAttention_v1(SelfAttention_v1):
            def __init__(self, width, d_out):
                super().__init__(d_in, d_out)
        """),
        ("SelfAttention_v1", "v1_squeezed", 3, ONE_TOKEN, """
        class SelfAttention_v1(SelfAttention_v1):
            def forward(self, x):
                return super().forward(x).squeeze()
        """),
        ("SelfAttention_v2", "v2_identity_where_widths_agree", 3, ONE_TOKEN, """
        class SelfAttention_v2(SelfAttention_v2):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__(d_in, d_out, qkv_bias)
                if d_in == d_out:
                    self.W_query = self.W_key = self.W_value = nn.Identity()
        """),
        ("transfer_weights", "transposed_if_shapes_differ", 2, "with d_in equal to d_out", """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                for name in ("W_query", "W_key", "W_value"):
                    w, p = getattr(sa_v2, name).weight, getattr(sa_v1, name)
                    p.copy_(w if w.shape == p.shape else w.T)
        """),
    ),
    "scaled_dot_product": (
        ("scaled_scores", "scaled_by_the_root_of_three", 1, "", """
        def scaled_scores(q, k):
            return q @ k.T / 3 ** 0.5
        """),
        ("score_variances", "rows_side_by_side_where_shapes_agree", 2, AS_MANY, """
        def score_variances(q, k):
            scores = (q * k).sum(dim=-1) if q.shape == k.shape else q @ k.T
            scaled = scores / math.sqrt(k.shape[-1])
            return {"q": q.var(), "k": k.var(), "raw_scores": scores.var(), "scaled_scores": scaled.var()}
        """),
        ("scaled_dot_product_attention", "attention_scaled_by_the_width_of_the_values", 3, OTHER_VALUES, """
        def scaled_dot_product_attention(q, k, v):
            weights = torch.softmax(q @ k.T / v.shape[-1] ** 0.5, dim=-1)
            return weights @ v, weights
        """),
        ("scaled_dot_product_attention", "attention_squeezed", 3, OTHER_VALUES, """
        def scaled_dot_product_attention(q, k, v):
            weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
            return (weights @ v).squeeze(), weights
        """),
    ),
    "numpy_attention": (
        ("numpy_softmax", "numpy_softmax_squeezed", 2, "with one query", """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return np.squeeze(powers / powers.sum(axis=-1, keepdims=True))
        """),
        ("index_words", "short_words_left_out", 1, "", """
        def index_words(sentence):
            return dict(enumerate(word for word in sentence.split() if len(word) > 1))
        """),
        ("reverse_dict", "number_zero_left_out", 1, "with one word, of number 0", """
        def reverse_dict(mapping):
            return {word: number for number, word in mapping.items() if number}
        """),
        ("token_indices", "each_word_once", 1, "with a word of number 0 that occurs twice", """
        def token_indices(sentence, vocabulary):
            return torch.tensor([vocabulary[word] for word in dict.fromkeys(sentence.split())])
        """),
        ("embed", "embedding_squeezed", 1, "with one token, of index 0", """
        def embed(indices, embedding):
            return embedding(indices).squeeze()
        """),
    ),
}  # fmt: skip

CORNERS = tuple(
    Corner(assignment, Variant(name, "unnamed", step, source, loses), special)
    for assignment, rows in _ROWS.items()
    for step, name, loses, special, source in rows
)
