"""What students get wrong in scaled_dot_product, and what it costs."""

from tests.truth.scaled_dot_product.wrong_beyond import WRONG_BEYOND
from tests.truth.variant import Variant

WRONG: tuple[Variant, ...] = (
    *WRONG_BEYOND,
    Variant(
        "layers_in_the_order_key_query_value",
        "unlisted",
        "make_projections",
        """
        def make_projections(d_model):
            w_key = nn.Linear(d_model, d_model)
            w_query = nn.Linear(d_model, d_model)
            w_value = nn.Linear(d_model, d_model)
            return w_query, w_key, w_value
        """,
        loses=1.0,
    ),
    Variant(
        "layers_without_bias",
        "unlisted",
        "make_projections",
        """
        def make_projections(d_model):
            return tuple(nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        """,
        loses=1.0,
    ),
    Variant(
        "one_layer_three_times",
        "one_layer_three_times",
        "make_projections",
        """
        def make_projections(d_model):
            layer = nn.Linear(d_model, d_model)
            return layer, layer, layer
        """,
        loses=1.0,
    ),
    Variant(
        "layers_seeded_inside",
        "layers_seeded_inside",
        "make_projections",
        """
        def make_projections(d_model):
            torch.manual_seed(42)
            return tuple(nn.Linear(d_model, d_model) for _ in range(3))
        """,
        loses=1.0,
    ),
    Variant(
        "layers_of_width_8",
        "layers_of_width_8",
        "make_projections",
        """
        def make_projections(d_model):
            return nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
        """,
        loses=1.0,
    ),
    Variant(
        "matrices_instead_of_layers",
        "unnamed",
        "make_projections",
        """
        def make_projections(d_model):
            return tuple(nn.Parameter(torch.randn(d_model, d_model)) for _ in range(3))
        """,
        loses=1.0,
    ),
    Variant(
        "layers_frozen",
        "layers_frozen",
        "make_projections",
        """
        def make_projections(d_model):
            return tuple(nn.Linear(d_model, d_model).requires_grad_(False) for _ in range(3))
        """,
        loses=1.0,
    ),
    Variant(
        "layers_start_at_zero",
        "layers_of_zeros",
        "make_projections",
        """
        def make_projections(d_model):
            layers = tuple(nn.Linear(d_model, d_model) for _ in range(3))
            for layer in layers:
                nn.init.zeros_(layer.weight)
                nn.init.zeros_(layer.bias)
            return layers
        """,
        loses=1.0,
    ),
    Variant(
        "one_wide_layer",
        "unnamed",
        "make_projections",
        """
        def make_projections(d_model):
            return nn.Linear(d_model, 3 * d_model)
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_uniform",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.rand(max_sequence_length, d_model) * scale
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_not_scaled",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.randn(max_sequence_length, d_model)
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_times_10",
        "tokens_always_times_10",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.randn(max_sequence_length, d_model) * 10.0
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_default_scale_1",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=1.0):
            return torch.randn(max_sequence_length, d_model) * scale
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_scale_taken_as_variance",
        "unlisted",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.randn(max_sequence_length, d_model) * scale**0.5
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_in_columns",
        "tokens_in_columns",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            return torch.randn(d_model, max_sequence_length) * scale
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_seeded_inside",
        "tokens_seeded_inside",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            torch.manual_seed(42)
            return torch.randn(max_sequence_length, d_model) * scale
        """,
        loses=1.0,
    ),
    Variant(
        "tokens_the_same_at_each_call",
        "generator_set_back",
        "make_tokens",
        """
        def make_tokens(max_sequence_length, d_model, scale=10.0):
            torch.manual_seed(torch.initial_seed())
            return torch.randn(max_sequence_length, d_model) * scale
        """,
        loses=1.0,
    ),
    Variant(
        "projected_without_bias",
        "unlisted",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tokens @ w_query.weight.T, tokens @ w_key.weight.T, tokens @ w_value.weight.T
        """,
        loses=1.0,
    ),
    Variant(
        "projected_weight_on_the_left",
        "inner_sizes_differ",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return w_query.weight @ tokens, w_key.weight @ tokens, w_value.weight @ tokens
        """,
        loses=1.0,
    ),
    Variant(
        "projected_by_untransposed_weights",
        "inner_sizes_differ",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tuple(tokens @ layer.weight + layer.bias for layer in (w_query, w_key, w_value))
        """,
        loses=1.0,
    ),
    Variant(
        "projected_by_at_sign",
        "layer_used_as_a_matrix",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tokens @ w_query, tokens @ w_key, tokens @ w_value
        """,
        loses=1.0,
    ),
    Variant(
        "projected_element_by_element",
        "product_by_numbers",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tokens * w_query.weight, tokens * w_key.weight, tokens * w_value.weight
        """,
        loses=1.0,
    ),
    Variant(
        "projected_first_token_only",
        "first_token_only",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return w_query(tokens[0]), w_key(tokens[0]), w_value(tokens[0])
        """,
        loses=1.0,
    ),
    Variant(
        "projected_values_by_the_key_layer",
        "values_by_the_key_layer",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return w_query(tokens), w_key(tokens), w_key(tokens)
        """,
        loses=1.0,
    ),
    Variant(
        "projected_all_by_the_query_layer",
        "one_layer_for_all",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return w_query(tokens), w_query(tokens), w_query(tokens)
        """,
        loses=1.0,
    ),
    Variant(
        "projected_query_and_key_swapped",
        "queries_and_keys_swapped",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return w_key(tokens), w_query(tokens), w_value(tokens)
        """,
        loses=1.0,
    ),
    Variant(
        "projected_key_and_value_swapped",
        "keys_and_values_swapped",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return w_query(tokens), w_value(tokens), w_key(tokens)
        """,
        loses=1.0,
    ),
    Variant(
        "projected_not_at_all",
        "tokens_not_projected",
        "project",
        """
        def project(tokens, w_query, w_key, w_value):
            return tokens, tokens, tokens
        """,
        loses=1.0,
    ),
    Variant(
        "raw_not_transposed",
        "inner_sizes_differ",
        "raw_scores",
        """
        def raw_scores(q, k):
            return q @ k
        """,
        loses=1.0,
    ),
    Variant(
        "raw_keys_by_queries",
        "scores_transposed",
        "raw_scores",
        """
        def raw_scores(q, k):
            return k @ q.T
        """,
        loses=1.0,
    ),
    Variant(
        "raw_queries_by_queries",
        "queries_with_queries",
        "raw_scores",
        """
        def raw_scores(q, k):
            return q @ q.T
        """,
        loses=1.0,
    ),
    Variant(
        "raw_keys_by_keys",
        "keys_with_keys",
        "raw_scores",
        """
        def raw_scores(q, k):
            return k @ k.T
        """,
        loses=1.0,
    ),
    Variant(
        "raw_products_only",
        "product_by_numbers",
        "raw_scores",
        """
        def raw_scores(q, k):
            return q * k
        """,
        loses=1.0,
    ),
    Variant(
        "raw_each_token_with_itself",
        "product_by_numbers",
        "raw_scores",
        """
        def raw_scores(q, k):
            return (q * k).sum(-1)
        """,
        loses=1.0,
    ),
    Variant(
        "raw_by_dot",
        "dot_of_matrices",
        "raw_scores",
        """
        def raw_scores(q, k):
            return torch.dot(q, k)
        """,
        loses=1.0,
    ),
    Variant(
        "raw_keys_reshaped",
        "keys_reshaped",
        "raw_scores",
        """
        def raw_scores(q, k):
            return q @ k.reshape(k.shape[1], k.shape[0])
        """,
        loses=1.0,
    ),
    Variant(
        "raw_cosines",
        "cosines",
        "raw_scores",
        """
        def raw_scores(q, k):
            from torch.nn import functional as F

            return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).T
        """,
        loses=1.0,
    ),
    Variant(
        "raw_already_scaled",
        "unlisted",
        "raw_scores",
        """
        def raw_scores(q, k):
            return q @ k.T / math.sqrt(k.shape[-1])
        """,
        loses=1.0,
    ),
    Variant(
        "raw_as_a_numpy_array",
        "unlisted",
        "raw_scores",
        """
        def raw_scores(q, k):
            return (q @ k.T).detach().numpy()
        """,
        loses=1.0,
    ),
    Variant(
        "raw_printed_not_returned",
        "unnamed",
        "raw_scores",
        """
        def raw_scores(q, k):
            print(q @ k.T)
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_not",
        "not_scaled",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_by_d_k",
        "divided_by_d_k",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / k.shape[-1]
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_by_half_d_k",
        "divided_by_half_of_d_k",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            scale = k.shape[-1] ** 1 / 2
            return q @ k.T / scale
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_and_halved",
        "divided_by_twice_d_k",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / k.shape[-1] ** 1 / 2
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_by_d_model_of_the_run",
        "divided_by_the_root_of_8",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / math.sqrt(d_model)
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_by_number_of_keys",
        "divided_by_the_root_of_the_keys_number",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / math.sqrt(k.shape[0])
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_up",
        "multiplied",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T * math.sqrt(k.shape[-1])
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_twice",
        "divided_by_d_k",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            scale = math.sqrt(k.shape[-1])
            return (q / scale) @ k.T / scale
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_by_root_of_8",
        "divided_by_the_root_of_8",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / 8**0.5
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_by_root_of_an_int",
        "function_of_tensors_on_a_number",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / torch.sqrt(k.shape[-1])
        """,
        loses=1.0,
    ),
    Variant(
        "scaled_with_a_caret",
        "caret_for_power",
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.T / k.shape[-1]^0.5
        """,
        loses=1.0,
    ),
    Variant(
        "variances_biased",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            tensors = {"q": q, "k": k, "raw_scores": raw, "scaled_scores": scaled}
            return {name: tensor.var(unbiased=False) for name, tensor in tensors.items()}
        """,
        loses=2.0,
    ),
    Variant(
        "variances_as_deviations",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": q.std(),
                "k": k.std(),
                "raw_scores": raw.std(),
                "scaled_scores": scaled.std(),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_of_rows",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": q.var(-1),
                "k": k.var(-1),
                "raw_scores": raw.var(-1),
                "scaled_scores": scaled.var(-1),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_of_rows_averaged",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": q.var(-1).mean(),
                "k": k.var(-1).mean(),
                "raw_scores": raw.var(-1).mean(),
                "scaled_scores": scaled.var(-1).mean(),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_around_zero",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": (q**2).mean(),
                "k": (k**2).mean(),
                "raw_scores": (raw**2).mean(),
                "scaled_scores": (scaled**2).mean(),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_of_unscaled_twice",
        "not_scaled",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": q.var(),
                "k": k.var(),
                "raw_scores": raw.var(),
                "scaled_scores": raw.var(),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_divided_by_the_root",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": q.var(),
                "k": k.var(),
                "raw_scores": raw.var(),
                "scaled_scores": raw.var() / math.sqrt(k.shape[-1]),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_before_and_after_swapped",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {
                "q": q.var(),
                "k": k.var(),
                "raw_scores": scaled.var(),
                "scaled_scores": raw.var(),
            }
        """,
        loses=2.0,
    ),
    Variant(
        "variances_under_other_keys",
        "unlisted",
        "score_variances",
        """
        def score_variances(q, k):
            raw = q @ k.T
            scaled = raw / math.sqrt(k.shape[-1])
            return {"q": q.var(), "k": k.var(), "raw": raw.var(), "scaled": scaled.var()}
        """,
        loses=2.0,
    ),
    Variant(
        "variances_of_the_document",
        "printed_variances",
        "score_variances",
        """
        def score_variances(q, k):
            return {"q": 21.7614, "k": 31.7007, "raw_scores": 3491.731, "scaled_scores": 436.4664}
        """,
        loses=2.0,
    ),
    Variant(
        "weights_over_queries",
        "softmax_over_the_queries",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(scores, dim=0)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_without_dim",
        "softmax_without_dim",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(scores)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_flattened",
        "softmax_over_everything",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_softmax_twice",
        "softmax_twice",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_are_scores",
        "no_softmax",
        "attention_weights",
        """
        def attention_weights(scores):
            return scores
        """,
        loses=1.0,
    ),
    Variant(
        "weights_divided_by_sum",
        "divided_by_the_sum",
        "attention_weights",
        """
        def attention_weights(scores):
            return scores / scores.sum(-1, keepdim=True)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_exp_only",
        "only_exp",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.exp(scores)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_without_keepdim",
        "sum_lost_its_axis",
        "attention_weights",
        """
        def attention_weights(scores):
            powers = torch.exp(scores)
            return powers / powers.sum(-1)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_by_sigmoid",
        "sigmoid",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.sigmoid(scores)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_by_log_softmax",
        "logarithms_of_the_weights",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.log_softmax(scores, dim=-1)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_scaled_again",
        "scaled_again",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(scores / math.sqrt(scores.shape[-1]), dim=-1)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_masked",
        "masked",
        "attention_weights",
        """
        def attention_weights(scores):
            hidden = torch.ones_like(scores).triu(1).bool()
            return torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
        """,
        loses=1.0,
    ),
    Variant(
        "weights_one_hot",
        "unlisted",
        "attention_weights",
        """
        def attention_weights(scores):
            from torch.nn import functional as F

            return F.one_hot(scores.argmax(-1), scores.shape[-1]).float()
        """,
        loses=1.0,
    ),
    Variant(
        "weights_clamped",
        "unlisted",
        "attention_weights",
        """
        def attention_weights(scores):
            return torch.softmax(scores.clamp(-20, 20), dim=-1)
        """,
        loses=0.25,
    ),
    Variant(
        "output_weights_transposed",
        "inner_sizes_differ",
        "attention_output",
        """
        def attention_output(weights, v):
            return weights.T @ v
        """,
        loses=1.0,
    ),
    Variant(
        "output_values_on_the_left",
        "inner_sizes_differ",
        "attention_output",
        """
        def attention_output(weights, v):
            return v @ weights
        """,
        loses=1.0,
    ),
    Variant(
        "output_mean_of_values",
        "mean_of_the_values",
        "attention_output",
        """
        def attention_output(weights, v):
            return v.mean(0).expand(len(weights), -1)
        """,
        loses=1.0,
    ),
    Variant(
        "output_of_one_row_for_all",
        "one_query_for_all",
        "attention_output",
        """
        def attention_output(weights, v):
            return (weights[1] @ v).expand(len(weights), -1)
        """,
        loses=1.0,
    ),
    Variant(
        "output_softmaxed",
        "softmax_of_the_output",
        "attention_output",
        """
        def attention_output(weights, v):
            return torch.softmax(weights @ v, dim=-1)
        """,
        loses=1.0,
    ),
    Variant(
        "output_scaled",
        "output_scaled",
        "attention_output",
        """
        def attention_output(weights, v):
            return weights @ v / math.sqrt(v.shape[-1])
        """,
        loses=1.0,
    ),
    Variant(
        "output_picks_one_value",
        "unlisted",
        "attention_output",
        """
        def attention_output(weights, v):
            return v[weights.argmax(-1)]
        """,
        loses=1.0,
    ),
    Variant(
        "attention_not_scaled",
        "not_scaled",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_scaled_by_d_k",
        "divided_by_d_k",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / k.shape[-1]
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_scaled_by_tokens",
        "divided_by_the_root_of_the_keys_number",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[0])
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_scaled_after_softmax",
        "scaled_after_the_softmax",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T
            weights = torch.softmax(scores, dim=-1) / math.sqrt(k.shape[-1])
            return weights @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_over_queries",
        "softmax_over_the_queries",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=0)
            return weights @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_keys_and_values_swapped",
        "attention_with_keys_and_values_swapped",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ v.T / math.sqrt(v.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ k, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_mixes_keys",
        "keys_mixed",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ k, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_mixes_queries",
        "inner_sizes_differ",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ q, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_weights_transposed",
        "inner_sizes_differ",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights.T @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_with_residual",
        "queries_added",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ v + q, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_masked",
        "masked",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            hidden = torch.ones_like(scores).triu(1).bool()
            weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
            return weights @ v, weights
        """,
        loses=3.0,
    ),
    Variant(
        "attention_returns_scores",
        "unlisted",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, scores
        """,
        loses=3.0,
    ),
    Variant(
        "attention_returned_the_other_way_round",
        "unlisted",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights, weights @ v
        """,
        loses=3.0,
    ),
    Variant(
        "attention_returns_output_only",
        "output_only",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores, dim=-1)
            return weights @ v
        """,
        loses=3.0,
    ),
    Variant(
        "attention_clamped",
        "unlisted",
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.T / math.sqrt(k.shape[-1])
            weights = torch.softmax(scores.clamp(-20, 20), dim=-1)
            return weights @ v, weights
        """,
        loses=0.75,
    ),
)
