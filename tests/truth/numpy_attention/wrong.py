"""Known mistakes in the steps of numpy_attention. Wrong numbers cost the whole step."""

from tests.truth.numpy_attention.wrong_beyond import WRONG_BEYOND
from tests.truth.variant import Variant

_NUMPY_PROJECT = (
    Variant(
        "numpy_project_weights_on_the_left",
        "inner_sizes_differ",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            return w_query @ x, w_key @ x, w_value @ x
        """,
        loses=1,
    ),
    Variant(
        "numpy_project_elementwise",
        "product_by_numbers",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            return x * w_query, x * w_key, x * w_value
        """,
        loses=1,
    ),
    Variant(
        "numpy_project_one_matrix_for_all",
        "numpy_one_matrix_for_all",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            queries = x @ w_query
            return queries, queries, queries
        """,
        loses=1,
    ),
    Variant(
        "numpy_project_keys_and_values_swapped",
        "numpy_keys_and_values_swapped",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            queries = x @ w_query
            keys = x @ w_value
            values = x @ w_key
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "numpy_project_returns_tensors",
        "unlisted",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            x = torch.from_numpy(x)
            return tuple(x @ torch.from_numpy(matrix) for matrix in (w_query, w_key, w_value))
        """,
        loses=1,
    ),
)

_NUMPY_SCORES = (
    Variant(
        "numpy_scores_keys_against_queries",
        "numpy_scores_transposed",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return keys @ queries.T
        """,
        loses=1,
    ),
    Variant(
        "numpy_scores_keys_against_keys",
        "numpy_keys_with_keys",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return keys @ keys.T
        """,
        loses=1,
    ),
    Variant(
        "numpy_scores_elementwise",
        "product_by_numbers",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return queries * keys
        """,
        loses=1,
    ),
    Variant(
        "numpy_scores_reshaped_keys",
        "numpy_keys_reshaped",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return queries @ keys.reshape(keys.shape[1], keys.shape[0])
        """,
        loses=1,
    ),
    Variant(
        "numpy_scores_cosine",
        "numpy_cosines",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
            keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
            return queries @ keys.T
        """,
        loses=1,
    ),
    Variant(
        "numpy_scores_scaled_already",
        "unlisted",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return queries @ keys.T / np.sqrt(keys.shape[-1])
        """,
        loses=1,
    ),
)

_NUMPY_SOFTMAX = (
    Variant(
        "numpy_softmax_over_everything",
        "numpy_softmax_over_everything",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.max())
            return powers / powers.sum()
        """,
        loses=2,
    ),
    Variant(
        "numpy_softmax_down_the_columns",
        "numpy_softmax_down_the_columns",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.max(axis=0))
            return powers / powers.sum(axis=0)
        """,
        loses=2,
    ),
    Variant(
        "numpy_softmax_forgotten",
        "numpy_no_softmax",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            return scores
        """,
        loses=2,
    ),
    Variant(
        "numpy_softmax_plain_shares",
        "numpy_divided_by_the_sum",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            return scores / scores.sum(axis=-1, keepdims=True)
        """,
        loses=2,
    ),
    Variant(
        "numpy_softmax_without_keepdims",
        "sum_lost_its_axis",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores)
            return powers / powers.sum(axis=-1)
        """,
        loses=2,
    ),
    Variant(
        "numpy_softmax_maximum_of_each_column",
        "unlisted",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.max(axis=0))
            return powers / powers.sum(axis=-1, keepdims=True)
        """,
        loses=2,
    ),
    Variant(
        "numpy_softmax_not_shifted",
        "softmax_not_shifted",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores)
            return powers / powers.sum(axis=-1, keepdims=True)
        """,
        loses=1,
    ),
    Variant(
        "numpy_softmax_one_maximum_for_all_rows",
        "unlisted",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.max())
            return powers / powers.sum(axis=-1, keepdims=True)
        """,
        loses=1,
    ),
    Variant(
        "numpy_softmax_shifted_by_the_minimum",
        "unlisted",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(scores - scores.min(axis=-1, keepdims=True))
            return powers / powers.sum(axis=-1, keepdims=True)
        """,
        loses=1,
    ),
    Variant(
        "numpy_softmax_clipped",
        "unlisted",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            powers = np.exp(np.clip(scores, -700, 700))
            return powers / powers.sum(axis=-1, keepdims=True)
        """,
        loses=1,
    ),
)

_NUMPY_SELF_ATTENTION = (
    Variant(
        "numpy_run_never_scaled",
        "never_scaled",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_always_scaled",
        "unlisted",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_switch_inverted",
        "unlisted",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if not scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_scores_of_raw_tokens",
        "scores_of_raw_tokens",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            values = x @ w_value
            scores = x @ x.T
            if scaled:
                scores = scores / np.sqrt(w_key.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_scaled_by_d_in",
        "scaled_by_d_in",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(x.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_scaled_by_tokens",
        "scaled_by_the_number_of_tokens",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[0])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_scaled_after_softmax",
        "scaled_after_the_softmax",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            if scaled:
                weights = weights / np.sqrt(keys.shape[1])
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_softmax_over_the_values",
        "softmax_of_the_values",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            values = np.exp(values) / np.exp(values).sum(axis=-1, keepdims=True)
            return scores @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_blends_keys",
        "numpy_keys_as_values",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ keys
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_blends_tokens",
        "numpy_tokens_as_values",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ x
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_weights_transposed",
        "weights_transposed",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights.T @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_residual",
        "values_added",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values + values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_causal",
        "masked",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            scores = np.where(np.tril(np.ones_like(scores)) == 1, scores, -np.inf)
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
        loses=2,
    ),
    Variant(
        "numpy_run_returns_weights_too",
        "weights_returned_too",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values, weights
        """,
        loses=2,
    ),
)

_INDEX_WORDS = (
    Variant(
        "words_counted_from_one",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            return dict(enumerate(sentence.split(), start=1))
        """,
        loses=1,
    ),
    Variant(
        "words_lead_to_numbers",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            return {word: number for number, word in enumerate(sentence.split())}
        """,
        loses=1,
    ),
    Variant(
        "letters_counted",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            return dict(enumerate(sentence))
        """,
        loses=1,
    ),
    Variant(
        "words_in_lower_case",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            return dict(enumerate(sentence.lower().split()))
        """,
        loses=1,
    ),
    Variant(
        "words_sorted",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            return dict(enumerate(sorted(set(sentence.split()))))
        """,
        loses=1,
    ),
)

_REVERSE_DICT = (
    Variant(
        "mapping_returned_as_it_is",
        "unlisted",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            return dict(mapping)
        """,
        loses=1,
    ),
    Variant(
        "mapping_order_reversed",
        "unlisted",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            return dict(reversed(mapping.items()))
        """,
        loses=1,
    ),
    Variant(
        "mapping_counted_again",
        "unlisted",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            return {word: number for number, word in enumerate(mapping.values())}
        """,
        loses=1,
    ),
    Variant(
        "mapping_as_pairs",
        "unlisted",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            return [(word, number) for number, word in mapping.items()]
        """,
        loses=1,
    ),
)

_TOKEN_INDICES = (
    Variant(
        "indices_counted_again",
        "unlisted",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            return torch.arange(len(sentence.split()))
        """,
        loses=1,
    ),
    Variant(
        "indices_are_floats",
        "unlisted",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            return torch.Tensor([vocabulary[word] for word in sentence.split()])
        """,
        loses=1,
    ),
    Variant(
        "indices_in_the_vocabularys_order",
        "unlisted",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            words = sentence.split()
            return torch.tensor([number for word, number in vocabulary.items() if word in words])
        """,
        loses=1,
    ),
    Variant(
        "indices_as_a_batch",
        "unlisted",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            return torch.tensor([[vocabulary[word] for word in sentence.split()]])
        """,
        loses=1,
    ),
)

_EMBED = (
    Variant(
        "embed_in_a_layer_of_its_own",
        "embedded_in_a_new_layer",
        "embed",
        """
        def embed(indices, embedding):
            layer = nn.Embedding(embedding.num_embeddings, embedding.embedding_dim)
            return layer(indices)
        """,
        loses=1,
    ),
    Variant(
        "embed_first_rows",
        "unlisted",
        "embed",
        """
        def embed(indices, embedding):
            return embedding.weight[: len(indices)]
        """,
        loses=1,
    ),
    Variant(
        "embed_off_by_one",
        "unlisted",
        "embed",
        """
        def embed(indices, embedding):
            return embedding.weight[indices - 1]
        """,
        loses=1,
    ),
    Variant(
        "embed_scaled",
        "unlisted",
        "embed",
        """
        def embed(indices, embedding):
            return embedding(indices) * math.sqrt(embedding.embedding_dim)
        """,
        loses=1,
    ),
)

_PROJECT = (
    Variant(
        "project_keys_of_one_token",
        "keys_of_one_token",
        "project",
        """
        def project(X, W_Q, W_K, W_V):
            return X @ W_Q, X[1] @ W_K, X @ W_V
        """,
        loses=1,
    ),
    Variant(
        "project_values_from_w_k",
        "values_from_w_k",
        "project",
        """
        def project(X, W_Q, W_K, W_V):
            return X @ W_Q, X @ W_K, X @ W_K
        """,
        loses=1,
    ),
    Variant(
        "project_queries_and_keys_swapped",
        "queries_and_keys_swapped",
        "project",
        """
        def project(X, W_Q, W_K, W_V):
            return X @ W_K, X @ W_Q, X @ W_V
        """,
        loses=1,
    ),
)

_SCALED_SCORES = (
    Variant(
        "scaled_scores_not_transposed",
        "inner_sizes_differ",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K / math.sqrt(K.shape[-1])
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_queries_against_queries",
        "queries_with_queries",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ Q.T / math.sqrt(Q.shape[-1])
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_own_token_only",
        "product_by_numbers",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return (Q * K).sum(-1) / math.sqrt(K.shape[-1])
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_torch_dot",
        "dot_of_matrices",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return torch.dot(Q, K) / math.sqrt(K.shape[-1])
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_by_d",
        "divided_by_d",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T / K.shape[-1]
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_half_of_d",
        "divided_by_half_of_d",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            scale = K.shape[-1] ** 1 / 2
            return Q @ K.T / scale
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_power_then_half",
        "divided_by_twice_d",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T / K.shape[-1] ** 1 / 2
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_by_tokens",
        "divided_by_the_root_of_the_keys_number",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T / K.shape[0] ** 0.5
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_multiplied",
        "multiplied",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T * K.shape[-1] ** 0.5
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_twice",
        "divided_by_d",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            d = K.shape[-1]
            Q = Q / math.sqrt(d)
            return Q @ K.T / math.sqrt(d)
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_literal_two",
        "divided_by_2",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T / 2
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_torch_sqrt_of_int",
        "function_of_tensors_on_a_number",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T / torch.sqrt(K.shape[-1])
        """,
        loses=1,
    ),
    Variant(
        "scaled_scores_caret",
        "caret_for_power",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.T / K.shape[-1]^0.5
        """,
        loses=1,
    ),
)

_ATTENTION_WEIGHTS = (
    Variant(
        "weights_down_the_columns",
        "softmax_down_the_columns",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores, dim=0)
        """,
        loses=1,
    ),
    Variant(
        "weights_without_dim",
        "softmax_without_dim",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores)
        """,
        loses=1,
    ),
    Variant(
        "weights_twice",
        "softmax_twice",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            weights = torch.softmax(scaled_scores, dim=-1)
            return torch.softmax(weights, dim=-1)
        """,
        loses=1,
    ),
    Variant(
        "weights_exp_only",
        "only_exp",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.exp(scaled_scores)
        """,
        loses=1,
    ),
    Variant(
        "weights_sigmoid",
        "sigmoid",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.sigmoid(scaled_scores)
        """,
        loses=1,
    ),
    Variant(
        "weights_logarithms",
        "logarithms_of_the_weights",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.log_softmax(scaled_scores, dim=-1)
        """,
        loses=1,
    ),
)

_ATTENTION_OUTPUT = (
    Variant(
        "output_values_on_the_left",
        "inner_sizes_differ",
        "attention_output",
        """
        def attention_output(weights, V):
            return V @ weights
        """,
        loses=1,
    ),
    Variant(
        "output_plain_average",
        "mean_of_the_values",
        "attention_output",
        """
        def attention_output(weights, V):
            return V.mean(dim=0).expand(weights.shape[0], -1)
        """,
        loses=1,
    ),
    Variant(
        "output_one_query_for_all",
        "one_query_for_all",
        "attention_output",
        """
        def attention_output(weights, V):
            return (weights[1] @ V).repeat(weights.shape[0], 1)
        """,
        loses=1,
    ),
    Variant(
        "output_printed_numbers",
        "printed_output",
        "attention_output",
        """
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
        """,
        loses=1,
    ),
    Variant(
        "output_favourite_only",
        "unlisted",
        "attention_output",
        """
        def attention_output(weights, V):
            return V[weights.argmax(dim=-1)]
        """,
        loses=1,
    ),
)

WRONG: tuple[Variant, ...] = (
    *_NUMPY_PROJECT,
    *_NUMPY_SCORES,
    *_NUMPY_SOFTMAX,
    *_NUMPY_SELF_ATTENTION,
    *_INDEX_WORDS,
    *_REVERSE_DICT,
    *_TOKEN_INDICES,
    *_EMBED,
    *_PROJECT,
    *_SCALED_SCORES,
    *_ATTENTION_WEIGHTS,
    *_ATTENTION_OUTPUT,
    *WRONG_BEYOND,
)
