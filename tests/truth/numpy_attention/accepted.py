"""Right steps of numpy_attention, written in another way than the reference."""

from tests.truth.variant import Variant

_NUMPY_PROJECT = (
    Variant(
        "numpy_project_matmul",
        "matmul",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            return np.matmul(x, w_query), np.matmul(x, w_key), np.matmul(x, w_value)
        """,
    ),
    Variant(
        "numpy_project_fused",
        "one_fused_matrix",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            width = w_query.shape[1]
            together = x @ np.hstack([w_query, w_key, w_value])
            return together[:, :width], together[:, width : 2 * width], together[:, 2 * width :]
        """,
    ),
    Variant(
        "numpy_project_stacked",
        "unlisted",
        "numpy_project",
        """
        def numpy_project(x, w_query, w_key, w_value):
            return np.stack([x @ w_query, x @ w_key, x @ w_value])
        """,
    ),
    Variant(
        "numpy_project_other_argument_names",
        "other_argument_names",
        "numpy_project",
        """
        def numpy_project(tokens, wq, wk, wv):
            return [tokens.dot(matrix) for matrix in (wq, wk, wv)]
        """,
    ),
)

_NUMPY_SCORES = (
    Variant(
        "numpy_scores_einsum",
        "einsum",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return np.einsum("id,jd->ij", queries, keys)
        """,
    ),
    Variant(
        "numpy_scores_inner",
        "unlisted",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            return np.inner(queries, keys)
        """,
    ),
    Variant(
        "numpy_scores_double_loop",
        "element_by_element",
        "numpy_scores",
        """
        def numpy_scores(queries, keys):
            scores = np.zeros((len(queries), len(keys)))
            for i, query in enumerate(queries):
                for j, key in enumerate(keys):
                    scores[i, j] = np.dot(query, key)
            return scores
        """,
    ),
)

_NUMPY_SOFTMAX = (
    Variant(
        "numpy_softmax_logarithms_first",
        "softmax_by_logarithms",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
        """,
    ),
    Variant(
        "numpy_softmax_by_hand",
        "stable_softmax_by_hand",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            rows = []
            for row in scores:
                powers = [math.exp(score - max(row)) for score in row]
                rows.append([power / sum(powers) for power in powers])
            return np.array(rows)
        """,
    ),
    Variant(
        "numpy_softmax_columns_turned",
        "column_layout",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            scores = scores.T
            powers = np.exp(scores - scores.max(axis=0))
            return (powers / powers.sum(axis=0)).T
        """,
    ),
    Variant(
        "numpy_softmax_in_torch",
        "unlisted",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            return torch.softmax(torch.from_numpy(scores), dim=-1).numpy()
        """,
    ),
    Variant(
        "numpy_softmax_in_place",
        "changes_its_input",
        "numpy_softmax",
        """
        def numpy_softmax(scores):
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            return scores
        """,
    ),
)

_NUMPY_SELF_ATTENTION = (
    Variant(
        "numpy_run_own_steps",
        "unlisted",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = numpy_project(x, w_query, w_key, w_value)
            scores = numpy_scores(queries, keys)
            if scaled:
                scores /= math.sqrt(queries.shape[-1])
            return numpy_softmax(scores) @ values
        """,
    ),
    Variant(
        "numpy_run_fused_attention",
        "library_attention",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            from torch.nn.functional import scaled_dot_product_attention

            queries, keys, values = (torch.from_numpy(x @ w) for w in (w_query, w_key, w_value))
            scale = None if scaled else 1.0
            return scaled_dot_product_attention(queries, keys, values, scale=scale).numpy()
        """,
    ),
    Variant(
        "numpy_run_scales_queries_first",
        "queries_scaled_first",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            if scaled:
                queries = queries / keys.shape[1] ** 0.5
            scores = queries @ keys.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
    ),
    Variant(
        "numpy_run_scales_both",
        "both_scaled_by_the_fourth_root",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            if scaled:
                queries, keys = (vectors * keys.shape[1] ** -0.25 for vectors in (queries, keys))
            scores = queries @ keys.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values
        """,
    ),
    Variant(
        "numpy_run_scale_folded_into_w_query",
        "scale_in_the_matrix",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            w_query = w_query / np.sqrt(w_query.shape[1] if scaled else 1)
            scores = (x @ w_query) @ (x @ w_key).T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ (x @ w_value)
        """,
    ),
    Variant(
        "numpy_run_product_of_matrices",
        "one_bilinear_form",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            scores = x @ (w_query @ w_key.T) @ x.T
            if scaled:
                scores = scores * w_key.shape[1] ** -0.5
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ x @ w_value
        """,
    ),
    Variant(
        "numpy_run_blends_tokens_then_projects",
        "values_projected_last",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            scores = queries @ keys.T
            if scaled:
                scores = scores / np.sqrt(keys.shape[1])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return (weights @ x) @ w_value
        """,
    ),
    Variant(
        "numpy_run_softmax_not_shifted",
        "plain_softmax_by_hand",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            powers = np.exp(queries @ keys.T / (np.sqrt(keys.shape[1]) if scaled else 1))
            return powers @ values / powers.sum(axis=1, keepdims=True)
        """,
    ),
    Variant(
        "numpy_run_scales_w_query_in_place",
        "changes_its_input",
        "numpy_self_attention",
        """
        def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
            if scaled:
                w_query /= np.sqrt(w_query.shape[1])
            scores = (x @ w_query) @ (x @ w_key).T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ (x @ w_value)
        """,
    ),
)

_INDEX_WORDS = (
    Variant(
        "words_in_a_loop",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            words = {}
            for word in sentence.split(" "):
                words[len(words)] = word
            return words
        """,
    ),
    Variant(
        "words_typed_and_asserted",
        "hints_and_prints",
        "index_words",
        """
        def index_words(sentence: str) -> dict[int, str]:
            '''Number the words.'''
            words: list[str] = sentence.split()
            assert len(set(words)) == len(words), "a word occurs twice"
            print("vocabulary of", len(words))
            return {number: words[number] for number in range(len(words))}
        """,
    ),
    Variant(
        "words_numbered_by_numpy",
        "unlisted",
        "index_words",
        """
        def index_words(sentence):
            words = sentence.split()
            return {number: words[number] for number in np.arange(len(words))}
        """,
    ),
)

_REVERSE_DICT = (
    Variant(
        "mapping_zipped",
        "unlisted",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            return dict(zip(mapping.values(), mapping.keys()))
        """,
    ),
    Variant(
        "mapping_pairs_reversed",
        "unlisted",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            return dict(map(reversed, mapping.items()))
        """,
    ),
    Variant(
        "mapping_changed_in_place",
        "changes_its_input",
        "reverse_dict",
        """
        def reverse_dict(mapping):
            for number in list(mapping):
                mapping[mapping.pop(number)] = number
            return mapping
        """,
    ),
)

_TOKEN_INDICES = (
    Variant(
        "indices_long_tensor",
        "unlisted",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            return torch.LongTensor([vocabulary[word] for word in sentence.split()])
        """,
    ),
    Variant(
        "indices_stacked",
        "row_by_row",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            return torch.stack([torch.tensor(vocabulary[word]) for word in sentence.split()])
        """,
    ),
    Variant(
        "indices_from_numpy",
        "unlisted",
        "token_indices",
        """
        def token_indices(sentence, vocabulary):
            return torch.from_numpy(np.array([vocabulary[word] for word in sentence.split()], dtype=np.int64))
        """,
    ),
)

_EMBED = (
    Variant(
        "embed_rows_of_the_weight",
        "unlisted",
        "embed",
        """
        def embed(indices, embedding):
            return embedding.weight[indices]
        """,
    ),
    Variant(
        "embed_functional",
        "unlisted",
        "embed",
        """
        def embed(indices, embedding):
            return nn.functional.embedding(indices, embedding.weight)
        """,
    ),
    Variant(
        "embed_one_hot",
        "unlisted",
        "embed",
        """
        def embed(indices, embedding):
            picks = nn.functional.one_hot(indices, embedding.num_embeddings).to(embedding.weight.dtype)
            return picks @ embedding.weight
        """,
    ),
    Variant(
        "embed_detached",
        "cut_graph",
        "embed",
        """
        def embed(indices, embedding):
            return embedding(indices).detach()
        """,
    ),
)

_PROJECT = (
    Variant(
        "project_mm",
        "mm_or_bmm",
        "project",
        """
        def project(X, W_Q, W_K, W_V):
            return torch.mm(X, W_Q), torch.mm(X, W_K), torch.mm(X, W_V)
        """,
    ),
    Variant(
        "project_linear",
        "functional_linear",
        "project",
        """
        def project(X, W_Q, W_K, W_V):
            return [nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V)]
        """,
    ),
    Variant(
        "project_in_float64",
        "float64",
        "project",
        """
        def project(X, W_Q, W_K, W_V):
            return tuple(X.double() @ W.double() for W in (W_Q, W_K, W_V))
        """,
    ),
)

_SCALED_SCORES = (
    Variant(
        "scaled_scores_numpy_sqrt",
        "other_square_roots",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return torch.matmul(Q, K.transpose(-2, -1)) / np.sqrt(K.size(-1))
        """,
    ),
    Variant(
        "scaled_scores_torch_sqrt_of_tensor",
        "other_square_roots",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.mT / torch.sqrt(torch.tensor(Q.shape[-1]))
        """,
    ),
    Variant(
        "scaled_scores_width_of_queries",
        "width_taken_elsewhere",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return Q @ K.t() * Q.size(1) ** -0.5
        """,
    ),
    Variant(
        "scaled_scores_baddbmm",
        "fused_multiply_and_add",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            nothing = torch.zeros(1, len(Q), len(K))
            return torch.baddbmm(nothing, Q[None], K.T[None], alpha=K.shape[1] ** -0.5)[0]
        """,
    ),
    Variant(
        "scaled_scores_loop_of_numbers",
        "plain_numbers",
        "scaled_scores",
        """
        def scaled_scores(Q, K):
            return torch.tensor([[torch.dot(q, k).item() / len(k) ** 0.5 for k in K] for q in Q])
        """,
    ),
)

_ATTENTION_WEIGHTS = (
    Variant(
        "weights_module",
        "other_softmax_calls",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return nn.Softmax(dim=-1)(scaled_scores)
        """,
    ),
    Variant(
        "weights_method",
        "axis_counted_otherwise",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return scaled_scores.softmax(dim=1)
        """,
    ),
    Variant(
        "weights_log_softmax_exp",
        "softmax_by_logarithms",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return scaled_scores.log_softmax(dim=-1).exp()
        """,
    ),
    Variant(
        "weights_not_shifted",
        "plain_softmax_by_hand",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            powers = torch.exp(scaled_scores)
            return powers / powers.sum(dim=-1, keepdim=True)
        """,
    ),
)

_ATTENTION_OUTPUT = (
    Variant(
        "output_of_columns",
        "transposed_twice",
        "attention_output",
        """
        def attention_output(weights, V):
            return (V.T @ weights.T).T
        """,
    ),
    Variant(
        "output_row_by_row",
        "row_by_row",
        "attention_output",
        """
        def attention_output(weights, V):
            return torch.stack([row @ V for row in weights])
        """,
    ),
    Variant(
        "output_filled_in",
        "element_by_element",
        "attention_output",
        """
        def attention_output(weights, V):
            output = torch.empty(weights.shape[0], V.shape[1])
            for i in range(weights.shape[0]):
                for j in range(V.shape[1]):
                    output[i, j] = torch.dot(weights[i], V[:, j])
            return output
        """,
    ),
    Variant(
        "output_broadcast",
        "broadcast_and_sum",
        "attention_output",
        """
        def attention_output(weights, V):
            return (weights[..., None] * V).sum(-2)
        """,
    ),
)

ACCEPTED: tuple[Variant, ...] = (
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
)
