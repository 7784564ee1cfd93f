"""What is right in scaled_dot_product, though written in another way than the reference."""

from tests.truth.variant import Variant

ACCEPTED: tuple[Variant, ...] = (
    Variant(
        "layers_in_a_list",
        "unlisted",
        "make_projections",
        """
        def make_projections(d_model):
            return [nn.Linear(d_model, d_model) for _ in range(3)]
        """,
    ),
    Variant(
        "layers_in_a_module_list",
        "unlisted",
        "make_projections",
        """
        def make_projections(d_model):
            return nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(3))
        """,
    ),
    Variant(
        "layers_by_keywords",
        "bias_keyword",
        "make_projections",
        """
        def make_projections(d_model):
            w_query = nn.Linear(in_features=d_model, out_features=d_model, bias=True)
            w_key = nn.Linear(in_features=d_model, out_features=d_model, bias=True)
            w_value = nn.Linear(in_features=d_model, out_features=d_model, bias=True)
            return w_query, w_key, w_value
        """,
    ),
    Variant(
        "layers_with_prints_and_asserts",
        "hints_and_prints",
        "make_projections",
        """
        def make_projections(d_model):
            layers = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            for layer in layers:
                assert layer.weight.shape == (d_model, d_model)
                print(layer)
            return layers
        """,
    ),
    Variant(
        "tokens_by_normal",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.normal(0.0, scale, size=(max_sequence_length, d_model))
        """,
    ),
    Variant(
        "tokens_from_a_distribution",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.distributions.Normal(0.0, scale).sample((max_sequence_length, d_model))
        """,
    ),
    Variant(
        "tokens_scaled_in_place",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            tokens = torch.randn((max_sequence_length, d_model), dtype=torch.float32)
            tokens *= scale
            return tokens
        """,
    ),
    Variant(
        "projected_in_a_list",
        "unlisted",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return [layer(tokens) for layer in (w_query, w_key, w_value)]
        """,
    ),
    Variant(
        "projected_and_stacked",
        "unlisted",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return torch.stack([w_query(tokens), w_key(tokens), w_value(tokens)])
        """,
    ),
    Variant(
        "projected_by_functional_linear",
        "functional_linear",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            from torch.nn import functional as F

            return tuple(F.linear(tokens, layer.weight, layer.bias) for layer in (w_query, w_key, w_value))
        """,
    ),
    Variant(
        "projected_by_hand",
        "matmul",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            def apply(layer):
                return torch.matmul(tokens, layer.weight.T) + layer.bias

            return apply(w_query), apply(w_key), apply(w_value)
        """,
    ),
    Variant(
        "projected_by_einsum",
        "einsum",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tuple(
                torch.einsum("td,kd->tk", tokens, layer.weight) + layer.bias
                for layer in (w_query, w_key, w_value)
            )
        """,
    ),
    Variant(
        "projected_transposed_and_back",
        "transposed_twice",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tuple(
                (layer.weight @ tokens.T + layer.bias[:, None]).T for layer in (w_query, w_key, w_value)
            )
        """,
    ),
    Variant(
        "projected_without_gradients",
        "cut_graph",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            with torch.no_grad():
                return w_query(tokens), w_key(tokens), w_value(tokens)
        """,
    ),
    Variant(
        "raw_by_matmul",
        "matmul",
        "raw_scores",
        """
        def raw_scores(q, k):
            return torch.matmul(q, k.transpose(-2, -1))
        """,
    ),
    Variant(
        "raw_by_einsum",
        "einsum",
        "raw_scores",
        """
        def raw_scores(q, k):
            return torch.einsum("id,jd->ij", q, k)
        """,
    ),
    Variant(
        "raw_by_linear",
        "functional_linear",
        "raw_scores",
        """
        def raw_scores(q, k):
            from torch.nn import functional as F

            return F.linear(q, k)
        """,
    ),
    Variant(
        "raw_as_transposed_view",
        "transposed_twice",
        "raw_scores",
        """
        def raw_scores(q, k):
            return (k @ q.T).T
        """,
    ),
    Variant(
        "raw_row_by_row",
        "row_by_row",
        "raw_scores",
        """
        def raw_scores(q, k):
            return torch.stack([k @ query for query in q])
        """,
    ),
    Variant(
        "raw_filled_in_loops",
        "element_by_element",
        "raw_scores",
        """
        def raw_scores(q, k):
            scores = torch.empty(len(q), len(k))
            for i in range(len(q)):
                for j in range(len(k)):
                    scores[i, j] = torch.dot(q[i], k[j])
            return scores
        """,
    ),
    Variant(
        "raw_by_broadcasting",
        "broadcast_and_sum",
        "raw_scores",
        """
        def raw_scores(q, k):
            return (q[:, None, :] * k[None, :, :]).sum(-1)
        """,
    ),
    Variant(
        "raw_in_float64",
        "float64",
        "raw_scores",
        """
        def raw_scores(q, k):
            return q.double() @ k.double().T
        """,
    ),
    Variant(
        "raw_from_numbers",
        "plain_numbers",
        "raw_scores",
        """
        def raw_scores(q, k):
            return torch.tensor([[torch.dot(query, key).item() for key in k] for query in q])
        """,
    ),
    Variant(
        "scaled_queries_first",
        "queries_scaled_first",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return (q / math.sqrt(q.shape[-1])) @ k.T
        """,
    ),
    Variant(
        "scaled_both_by_the_fourth_root",
        "both_scaled_by_the_fourth_root",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            scale = k.size(-1) ** -0.25
            return (q * scale) @ (k * scale).T
        """,
    ),
    Variant(
        "scaled_by_power",
        "other_square_roots",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return torch.matmul(q, k.T) * k.shape[1] ** -0.5
        """,
    ),
    Variant(
        "scaled_by_torch_root",
        "other_square_roots",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / torch.sqrt(torch.tensor(k.shape[-1]))
        """,
    ),
    Variant(
        "scaled_by_query_width",
        "width_taken_elsewhere",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            d_k = q.size(-1)
            return q @ k.mT / d_k**0.5
        """,
    ),
    Variant(
        "scaled_by_baddbmm",
        "fused_multiply_and_add",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            nothing = torch.zeros(1, len(q), len(k))
            return torch.baddbmm(nothing, q[None], k.T[None], alpha=k.shape[-1] ** -0.5)[0]
        """,
    ),
    Variant(
        "variances_as_floats",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            tensors = {"q": q, "k": k, "raw_scores": raw, "scaled_scores": scaled}
            return {name: tensor.var().item() for name, tensor in tensors.items()}
        """,
    ),
    Variant(
        "variances_by_numpy",
        "float64",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])

            import numpy as np

            tensors = {"q": q, "k": k, "raw_scores": raw, "scaled_scores": scaled}
            return {name: np.var(tensor.numpy(), ddof=1) for name, tensor in tensors.items()}
        """,
    ),
    Variant(
        "variances_by_hand",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            def variance(tensor):
                return ((tensor - tensor.mean()) ** 2).sum() / (tensor.numel() - 1)

            raw = q @ k.T
            scaled = raw / k.shape[-1] ** 0.5
            return {
                "q": variance(q),
                "k": variance(k),
                "raw_scores": variance(raw),
                "scaled_scores": variance(scaled),
            }
        """,
    ),
    Variant(
        "variances_by_the_law",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            found = {"scaled_scores": raw.var() / k.shape[-1], "raw_scores": raw.var()}
            found["k"], found["q"] = k.var(), q.var()
            return found
        """,
    ),
    Variant(
        "weights_by_method",
        "other_softmax_calls",
        "attention_weights",
        """
        def attention_weights(scores):
            return scores.softmax(1)
        """,
    ),
    Variant(
        "weights_by_functional_in_float64",
        "other_softmax_calls",
        "attention_weights",
        """
        def attention_weights(scores):
            from torch.nn.functional import softmax

            return softmax(scores, dim=-1, dtype=torch.float64)
        """,
    ),
    Variant(
        "weights_by_log_softmax_and_exp",
        "softmax_by_logarithms",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.log_softmax(scores, dim=-1).exp()
        """,
    ),
    Variant(
        "weights_by_hand_stable",
        "stable_softmax_by_hand",
        "attention_weights",
        """
        def attention_weights(scores):
            powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            return powers / powers.sum(dim=-1, keepdim=True)
        """,
    ),
    Variant(
        "weights_by_hand_naive",
        "plain_softmax_by_hand",
        "attention_weights",
        """
        def attention_weights(scores):
            powers = torch.exp(scores)
            return powers / powers.sum(dim=-1, keepdim=True)
        """,
    ),
    Variant(
        "weights_by_columns_and_back",
        "column_layout",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(scores.T, dim=0).T
        """,
    ),
    Variant(
        "weights_row_by_row",
        "axis_counted_otherwise",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.stack([torch.softmax(row, dim=0) for row in scores])
        """,
    ),
    Variant(
        "weights_that_change_their_input",
        "changes_its_input",
        "attention_weights",
        """
        def attention_weights(scores):
            scores -= scores.max(dim=-1, keepdim=True).values
            scores.exp_()
            scores /= scores.sum(dim=-1, keepdim=True)
            return scores
        """,
    ),
    Variant(
        "output_by_matmul",
        "matmul",
        "attention_output",
        """
        def attention_output(weights, v):
            return torch.matmul(weights, v)
        """,
    ),
    Variant(
        "output_by_einsum",
        "einsum",
        "attention_output",
        """
        def attention_output(weights, v):
            return torch.einsum("ij,jd->id", weights, v)
        """,
    ),
    Variant(
        "output_transposed_and_back",
        "transposed_twice",
        "attention_output",
        """
        def attention_output(weights, v):
            return (v.T @ weights.T).T
        """,
    ),
    Variant(
        "output_row_by_row",
        "row_by_row",
        "attention_output",
        """
        def attention_output(weights, v):
            return torch.stack([row @ v for row in weights])
        """,
    ),
    Variant(
        "output_summed_in_loops",
        "element_by_element",
        "attention_output",
        """
        def attention_output(weights, v):
            output = torch.zeros(weights.shape[0], v.shape[1])
            for i in range(weights.shape[0]):
                for j in range(weights.shape[1]):
                    output[i] += weights[i, j] * v[j]
            return output
        """,
    ),
    Variant(
        "output_by_broadcasting",
        "broadcast_and_sum",
        "attention_output",
        """
        def attention_output(weights, v):
            return (weights[..., None] * v).sum(-2)
        """,
    ),
    Variant(
        "attention_by_torch",
        "library_attention",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            from torch.nn import functional as F

            weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
            return F.scaled_dot_product_attention(q, k, v), weights
        """,
    ),
    Variant(
        "attention_width_of_values",
        "width_taken_elsewhere",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(v.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
        """,
    ),
    Variant(
        "attention_from_own_steps",
        "unlisted",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            weights = attention_weights(scaled_scores(q, k))
            return attention_output(weights, v), weights
        """,
    ),
    Variant(
        "attention_by_hand_stable",
        "stable_softmax_by_hand",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = torch.einsum("id,jd->ij", q, k) * k.shape[-1] ** -0.5
            powers = torch.exp(scores - scores.amax(-1, keepdim=True))
            weights = powers / powers.sum(-1, keepdim=True)
            return torch.einsum("ij,jd->id", weights, v), weights
        """,
    ),
    Variant(
        "attention_in_columns",
        "column_layout",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            weights = torch.softmax(k @ q.T / math.sqrt(k.shape[-1]), dim=-2)
            return (v.T @ weights).T, weights.T
        """,
    ),
    Variant(
        "attention_in_float64",
        "float64",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            weights = torch.softmax(q.double() @ k.double().T / math.sqrt(k.shape[-1]), dim=-1)
            return weights @ v.double(), weights
        """,
    ),
    Variant(
        "attention_for_batches_too",
        "batches_too",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)
            return weights @ v, weights
        """,
    ),
    Variant(
        "attention_detached",
        "cut_graph",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q.detach() @ k.detach().T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
        """,
    ),
)
