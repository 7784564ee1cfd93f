"""Known mistakes in the function steps. Wrong numbers cost the whole step."""

from tests.truth.variant import Variant

_INIT_WEIGHTS = (
    Variant(
        "init_plain_tensors",
        "plain_tensors",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = torch.rand(d_in, d_out)
            W_key = torch.rand(d_in, d_out)
            W_value = torch.rand(d_in, d_out)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_not_frozen",
        "unlisted",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = nn.Parameter(torch.rand(d_in, d_out))
            W_key = nn.Parameter(torch.rand(d_in, d_out))
            W_value = nn.Parameter(torch.rand(d_in, d_out))
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_one_draw_three_times",
        "seeded_before_each_draw",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            return W, W, W
        """,
        loses=1,
    ),
    Variant(
        "init_seed_before_each_draw",
        "seeded_before_each_draw",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            torch.manual_seed(seed)
            W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            torch.manual_seed(seed)
            W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_shape_turned",
        "sizes_turned",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = nn.Parameter(torch.rand(d_out, d_in), requires_grad=False)
            W_key = nn.Parameter(torch.rand(d_out, d_in), requires_grad=False)
            W_value = nn.Parameter(torch.rand(d_out, d_in), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_transposed_draw",
        "drawn_transposed",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            # drawn like nn.Linear does and then turned around
            W_query = nn.Parameter(torch.rand(d_out, d_in).T, requires_grad=False)
            W_key = nn.Parameter(torch.rand(d_out, d_in).T, requires_grad=False)
            W_value = nn.Parameter(torch.rand(d_out, d_in).T, requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_literal_sizes",
        "always_3_by_2",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = nn.Parameter(torch.rand(3, 2), requires_grad=False)
            W_key = nn.Parameter(torch.rand(3, 2), requires_grad=False)
            W_value = nn.Parameter(torch.rand(3, 2), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_zeros",
        "drawn_zeros",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            return tuple(nn.Parameter(torch.zeros(d_in, d_out), requires_grad=False) for _ in "qkv")
        """,
        loses=1,
    ),
    Variant(
        "init_seed_of_the_book",
        "always_seed_123",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(123)
            W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_numbers_of_the_book",
        "unnamed",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            W_query = torch.tensor([[0.2961, 0.5166], [0.2517, 0.6886], [0.0740, 0.8665]])
            W_key = torch.tensor([[0.1366, 0.1025], [0.1841, 0.7264], [0.3153, 0.6871]])
            W_value = torch.tensor([[0.0756, 0.1966], [0.3164, 0.4017], [0.1186, 0.8274]])
            return (
                nn.Parameter(W_query, requires_grad=False),
                nn.Parameter(W_key, requires_grad=False),
                nn.Parameter(W_value, requires_grad=False),
            )
        """,
        loses=1,
    ),
    Variant(
        "init_order_key_query_value",
        "unlisted",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_randn",
        "unlisted",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)
            W_key = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)
            W_value = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
    Variant(
        "init_without_seed",
        "unlisted",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
            return W_query, W_key, W_value
        """,
        loses=1,
    ),
)

_PROJECT = (
    Variant(
        "project_token_at_index_2",
        "only_the_third_token",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            x_2 = x[2]
            query_2 = x_2 @ W_query
            key_2 = x_2 @ W_key
            value_2 = x_2 @ W_value
            return query_2, key_2, value_2
        """,
        loses=1,
    ),
    Variant(
        "project_matrix_on_the_left",
        "inner_sizes_differ",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            return W_query @ x, W_key @ x, W_value @ x
        """,
        loses=1,
    ),
    Variant(
        "project_turned_until_it_fits",
        "projected_transposed",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = W_query.T @ x.T
            keys = W_key.T @ x.T
            values = W_value.T @ x.T
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_elementwise",
        "product_by_numbers",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = x * W_query
            keys = x * W_key
            values = x * W_value
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_keys_of_one_token",
        "keys_and_values_of_one_token",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            x_2 = x[1]
            queries = x @ W_query
            keys = x_2 @ W_key
            values = x_2 @ W_value
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_values_from_the_key_matrix",
        "values_from_w_key",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = x @ W_query
            keys = x @ W_key
            values = x @ W_key
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_one_matrix_for_all",
        "one_matrix_for_all",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            projected = x @ W_query
            return projected, projected, projected
        """,
        loses=1,
    ),
    Variant(
        "project_queries_and_keys_swapped",
        "queries_and_keys_swapped",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            keys = x @ W_query
            queries = x @ W_key
            values = x @ W_value
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_keys_and_values_swapped",
        "keys_and_values_swapped",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = x @ W_query
            keys = x @ W_key
            values = x @ W_value
            return queries, values, keys
        """,
        loses=1,
    ),
    Variant(
        "project_queries_and_values_swapped",
        "queries_and_values_swapped",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = x @ W_value
            keys = x @ W_key
            values = x @ W_query
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_raw_tokens_as_queries_and_keys",
        "tokens_as_queries_and_keys",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = x
            keys = x
            values = x @ W_value
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_numbers_of_the_book",
        "unnamed",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = torch.tensor([[0.2309, 1.0966], [0.4306, 1.4551], [0.4300, 1.4343],
                                    [0.2355, 0.7990], [0.2983, 0.6565], [0.2568, 1.0533]])
            keys = torch.tensor([[0.3669, 0.7646], [0.4433, 1.1419], [0.4361, 1.1156],
                                 [0.2408, 0.6706], [0.1827, 0.3292], [0.3275, 0.9642]])
            values = torch.tensor([[0.1855, 0.8812], [0.3951, 1.0037], [0.3879, 0.9831],
                                   [0.2393, 0.5493], [0.1492, 0.3346], [0.3221, 0.7863]])
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_the_sentence_instead_of_x",
        "unlisted",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = inputs @ W_query
            keys = inputs @ W_key
            values = inputs @ W_value
            return queries, keys, values
        """,
        loses=1,
    ),
    Variant(
        "project_prints_without_return",
        "unnamed",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = x @ W_query
            keys = x @ W_key
            values = x @ W_value
            print("queries:", queries)
            print("keys:", keys)
            print("values:", values)
        """,
        loses=1,
    ),
)

_ATTENTION_SCORE = (
    Variant(
        "score_key_at_index_2",
        "name_not_defined",
        "attention_score",
        """
        def attention_score(query, key):
            return query @ keys[2]
        """,
        loses=1,
    ),
    Variant(
        "score_query_with_itself",
        "query_with_itself",
        "attention_score",
        """
        def attention_score(query, key):
            return query.dot(query)
        """,
        loses=1,
    ),
    Variant(
        "score_key_with_itself",
        "key_with_itself",
        "attention_score",
        """
        def attention_score(query, key):
            return torch.dot(key, key)
        """,
        loses=1,
    ),
    Variant(
        "score_elementwise",
        "products_not_added",
        "attention_score",
        """
        def attention_score(query, key):
            return query * key
        """,
        loses=1,
    ),
    Variant(
        "score_outer_product",
        "outer_product",
        "attention_score",
        """
        def attention_score(query, key):
            return query.unsqueeze(1) @ key.unsqueeze(0)
        """,
        loses=1,
    ),
    Variant(
        "score_mean_instead_of_sum",
        "unlisted",
        "attention_score",
        """
        def attention_score(query, key):
            return (query * key).mean()
        """,
        loses=1,
    ),
    Variant(
        "score_cosine",
        "cosine",
        "attention_score",
        """
        def attention_score(query, key):
            return torch.cosine_similarity(query, key, dim=0)
        """,
        loses=1,
    ),
    Variant(
        "score_scaled_already",
        "scaled_already",
        "attention_score",
        """
        def attention_score(query, key):
            return query @ key / len(key) ** 0.5
        """,
        loses=1,
    ),
    Variant(
        "score_number_of_the_book",
        "unnamed",
        "attention_score",
        """
        def attention_score(query, key):
            return torch.tensor(1.8524)
        """,
        loses=1,
    ),
)

_ATTENTION_SCORES = (
    Variant(
        "scores_key_at_index_2",
        "score_of_the_next_pair",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            query_2 = queries[1]
            attn_score_22 = query_2 @ keys[2]
            return attn_score_22
        """,
        loses=2,
    ),
    Variant(
        "scores_without_transpose",
        "inner_sizes_differ",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return queries @ keys
        """,
        loses=2,
    ),
    Variant(
        "scores_transposed",
        "scores_transposed",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return keys @ queries.T
        """,
        loses=2,
    ),
    Variant(
        "scores_queries_with_queries",
        "queries_with_queries",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return queries @ queries.T
        """,
        loses=2,
    ),
    Variant(
        "scores_keys_with_keys",
        "keys_with_keys",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return keys @ keys.T
        """,
        loses=2,
    ),
    Variant(
        "scores_elementwise",
        "product_by_numbers",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return queries * keys
        """,
        loses=2,
    ),
    Variant(
        "scores_each_token_with_itself",
        "product_by_numbers",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return (queries * keys).sum(-1)
        """,
        loses=2,
    ),
    Variant(
        "scores_zip",
        "walked_side_by_side",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            scores = [torch.dot(q, k) for q, k in zip(queries, keys)]
            return torch.stack(scores)
        """,
        loses=2,
    ),
    Variant(
        "scores_dot_of_matrices",
        "dot_of_matrices",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.dot(queries, keys)
        """,
        loses=2,
    ),
    Variant(
        "scores_reshape_for_transpose",
        "keys_reshaped",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            keys_t = keys.reshape(keys.shape[1], keys.shape[0])
            return queries @ keys_t
        """,
        loses=2,
    ),
    Variant(
        "scores_view_for_transpose",
        "keys_reshaped",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.matmul(queries, keys.view(queries.size(-1), -1))
        """,
        loses=2,
    ),
    Variant(
        "scores_cosine",
        "cosines",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            q = nn.functional.normalize(queries, dim=-1)
            k = nn.functional.normalize(keys, dim=-1)
            return q @ k.T
        """,
        loses=2,
    ),
    Variant(
        "scores_scaled_already",
        "scores_scaled_already",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            d_k = keys.shape[-1]
            return queries @ keys.T / d_k**0.5
        """,
        loses=2,
    ),
    Variant(
        "scores_softmax_of_the_queries",
        "softmax_of_the_queries",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.softmax(queries, dim=-1) @ keys.T
        """,
        loses=2,
    ),
    Variant(
        "scores_numbers_of_the_book",
        "unnamed",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            # checked against the lecture
            return torch.tensor([
                [0.9231, 1.3545, 1.3241, 0.7910, 0.4032, 1.1330],
                [1.2705, 1.8524, 1.8111, 1.0795, 0.5577, 1.5440],
                [1.2544, 1.8284, 1.7877, 1.0654, 0.5508, 1.5238],
                [0.6973, 1.0167, 0.9941, 0.5925, 0.3061, 0.8475],
                [0.6114, 0.8819, 0.8626, 0.5121, 0.2707, 0.7307],
                [0.8995, 1.3165, 1.2871, 0.7682, 0.3937, 1.0996],
            ])
        """,
        loses=2,
    ),
)

_SCALE_SCORES = (
    Variant(
        "scale_not_at_all",
        "not_scaled",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            scores / d_k**0.5
            return scores
        """,
        loses=1,
    ),
    Variant(
        "scale_by_d_k",
        "divided_by_d_k",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / d_k
        """,
        loses=1,
    ),
    Variant(
        "scale_half_of_d_k",
        "divided_by_half_of_d_k",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            scale = d_k**1/2
            return scores / scale
        """,
        loses=1,
    ),
    Variant(
        "scale_inline_precedence",
        "divided_by_twice_d_k",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / d_k**1/2
        """,
        loses=1,
    ),
    Variant(
        "scale_by_the_number_of_queries",
        "divided_by_the_root_of_the_queries_number",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / scores.shape[0]**0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_by_the_number_of_keys",
        "divided_by_the_root_of_the_keys_number",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / scores.shape[-1]**0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_times_the_root",
        "multiplied",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores * d_k**0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_divided_by_the_inverse_root",
        "multiplied",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / d_k**-0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_after_a_softmax",
        "divided_after_a_softmax",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return torch.softmax(scores, dim=-1) / d_k**0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_twice",
        "divided_by_d_k",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            scores = scores / d_k**0.5
            return scores / d_k**0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_root_of_2",
        "divided_by_sqrt_2",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / 2**0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_literal_1_4142",
        "divided_by_sqrt_2",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / 1.4142
        """,
        loses=1,
    ),
    Variant(
        "scale_torch_sqrt_of_an_int",
        "function_of_tensors_on_a_number",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / torch.sqrt(d_k)
        """,
        loses=1,
    ),
    Variant(
        "scale_caret",
        "caret_for_power",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / d_k^0.5
        """,
        loses=1,
    ),
    Variant(
        "scale_caret_of_the_width",
        "caret_for_power",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            sqrt_d_k = d_k^0.5
            return scores / sqrt_d_k
        """,
        loses=1,
    ),
    Variant(
        "scale_numbers_of_the_book",
        "unnamed",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return torch.tensor([
                [0.6528, 0.9578, 0.9363, 0.5593, 0.2851, 0.8011],
                [0.8984, 1.3098, 1.2806, 0.7633, 0.3944, 1.0918],
                [0.8870, 1.2929, 1.2641, 0.7534, 0.3895, 1.0775],
                [0.4930, 0.7189, 0.7029, 0.4190, 0.2164, 0.5993],
                [0.4323, 0.6236, 0.6099, 0.3621, 0.1914, 0.5167],
                [0.6361, 0.9309, 0.9101, 0.5432, 0.2784, 0.7776],
            ])
        """,
        loses=1,
    ),
)

_ATTENTION_WEIGHTS = (
    Variant(
        "weights_scaled_again",
        "scaled_again",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            d_k = scaled_scores.shape[-1]
            return torch.softmax(scaled_scores / d_k**0.5, dim=-1)
        """,
        loses=2,
    ),
    Variant(
        "weights_columns",
        "softmax_over_the_queries",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores, dim=0)
        """,
        loses=2,
    ),
    Variant(
        "weights_columns_by_hand",
        "softmax_over_the_queries",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            exps = torch.exp(scaled_scores)
            return exps / exps.sum(0)
        """,
        loses=2,
    ),
    Variant(
        "weights_torch_softmax_without_dim",
        "softmax_without_dim",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores)
        """,
        loses=2,
    ),
    Variant(
        "weights_flattened",
        "softmax_over_everything",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            weights = torch.softmax(scaled_scores.flatten(), dim=0)
            return weights.reshape(scaled_scores.shape)
        """,
        loses=2,
    ),
    Variant(
        "weights_one_sum_for_all",
        "softmax_over_everything",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            exp_scores = torch.exp(scaled_scores)
            return exp_scores / exp_scores.sum()
        """,
        loses=2,
    ),
    Variant(
        "weights_softmax_twice",
        "softmax_twice",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            weights = torch.softmax(scaled_scores, dim=-1)
            weights = torch.softmax(weights, dim=-1)
            return weights
        """,
        loses=2,
    ),
    Variant(
        "weights_no_softmax",
        "no_softmax",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            attn_weights = scaled_scores
            return attn_weights
        """,
        loses=2,
    ),
    Variant(
        "weights_divided_by_the_sum",
        "divided_by_the_sum",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return scaled_scores / scaled_scores.sum(dim=-1, keepdim=True)
        """,
        loses=2,
    ),
    Variant(
        "weights_exp_only",
        "only_exp",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return scaled_scores.exp()
        """,
        loses=2,
    ),
    Variant(
        "weights_without_keepdim",
        "sum_lost_its_axis",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            exp_scores = torch.exp(scaled_scores)
            return exp_scores / exp_scores.sum(-1)
        """,
        loses=2,
    ),
    Variant(
        "weights_sigmoid",
        "sigmoid",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.sigmoid(scaled_scores)
        """,
        loses=2,
    ),
    Variant(
        "weights_log_softmax",
        "logarithms_of_the_weights",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.log_softmax(scaled_scores, dim=-1)
        """,
        loses=2,
    ),
    Variant(
        "weights_masked_before_softmax",
        "masked",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            mask = torch.triu(torch.ones_like(scaled_scores), diagonal=1).bool()
            masked = scaled_scores.masked_fill(mask, -torch.inf)
            return torch.softmax(masked, dim=-1)
        """,
        loses=2,
    ),
    Variant(
        "weights_masked_and_renormalised",
        "masked",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            weights = torch.softmax(scaled_scores, dim=-1)
            weights = torch.tril(weights)
            return weights / weights.sum(dim=-1, keepdim=True)
        """,
        loses=2,
    ),
    Variant(
        "weights_with_dropout",
        "unnamed",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            dropout = nn.Dropout(0.5)
            return dropout(torch.softmax(scaled_scores, dim=-1))
        """,
        loses=2,
    ),
    Variant(
        "weights_numbers_of_the_book",
        "unnamed",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.tensor([
                [0.1551, 0.2104, 0.2059, 0.1413, 0.1074, 0.1799],
                [0.1500, 0.2264, 0.2199, 0.1311, 0.0906, 0.1820],
                [0.1503, 0.2256, 0.2192, 0.1315, 0.0914, 0.1819],
                [0.1591, 0.1994, 0.1962, 0.1477, 0.1206, 0.1769],
                [0.1610, 0.1949, 0.1923, 0.1501, 0.1265, 0.1752],
                [0.1557, 0.2092, 0.2048, 0.1419, 0.1089, 0.1794],
            ])
        """,
        loses=2,
    ),
)

_CONTEXT_VECTORS = (
    Variant(
        "context_elementwise",
        "product_by_numbers",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return weights * values
        """,
        loses=1,
    ),
    Variant(
        "context_softmax_of_the_values",
        "softmax_of_the_values",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return weights @ torch.softmax(values, dim=-1)
        """,
        loses=1,
    ),
    Variant(
        "context_transposed_weights",
        "inner_sizes_differ",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return weights.T @ values
        """,
        loses=1,
    ),
    Variant(
        "context_values_on_the_left",
        "inner_sizes_differ",
        "context_vectors",
        """
        def context_vectors(weights, values):
            attn_weights_2 = weights[1]
            return values @ attn_weights_2
        """,
        loses=1,
    ),
    Variant(
        "context_matrices_in_the_wrong_order",
        "inner_sizes_differ",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return values @ weights
        """,
        loses=1,
    ),
    Variant(
        "context_mean_of_the_values",
        "mean_of_the_values",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return values.mean(0).expand(weights.shape[0], -1)
        """,
        loses=1,
    ),
    Variant(
        "context_token_2_only",
        "only_the_second_query",
        "context_vectors",
        """
        def context_vectors(weights, values):
            context_vec_2 = weights[1] @ values
            return context_vec_2
        """,
        loses=1,
    ),
    Variant(
        "context_token_2_for_all",
        "second_query_for_all",
        "context_vectors",
        """
        def context_vectors(weights, values):
            context_vec_2 = weights[1] @ values
            return torch.stack([context_vec_2 for _ in weights])
        """,
        loses=1,
    ),
    Variant(
        "context_with_residual",
        "shapes_differ",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return weights @ values + values
        """,
        loses=1,
    ),
    Variant(
        "context_with_dropout",
        "unnamed",
        "context_vectors",
        """
        def context_vectors(weights, values):
            weights = nn.functional.dropout(weights, p=0.1)
            return weights @ values
        """,
        loses=1,
    ),
    Variant(
        "context_numbers_of_the_book",
        "unnamed",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return torch.tensor([[0.2996, 0.8053], [0.3061, 0.8210], [0.3058, 0.8203],
                                 [0.2948, 0.7939], [0.2927, 0.7891], [0.2990, 0.8040]])
        """,
        loses=1,
    ),
)

_VARIANCE = (
    Variant(
        "variance_every_pair",
        "variance_of_all_pairs",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries @ keys.T).flatten()
            scaled = dots / queries.shape[-1]**0.5
            return dots.var(unbiased=False), scaled.var(unbiased=False)
        """,
        loses=1,
    ),
    Variant(
        "variance_without_sum",
        "variance_of_single_products",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            d = queries.shape[1]
            products = queries * keys
            return products.var(unbiased=False), (products / d**0.5).var(unbiased=False)
        """,
        loses=1,
    ),
    Variant(
        "variance_unscaled_twice",
        "not_scaled",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=1)
            before = torch.var(dots, correction=0)
            after = torch.var(dots, correction=0)
            return before, after
        """,
        loses=1,
    ),
    Variant(
        "variance_scaled_by_d",
        "variance_scaled_by_d",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=1)
            scaled = dots / queries.shape[1]
            return torch.var(dots, correction=0), torch.var(scaled, correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_divided_by_the_root",
        "variance_divided_by_the_root",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=1)
            before = torch.var(dots, correction=0)
            return before, before / queries.shape[1]**0.5
        """,
        loses=1,
    ),
    Variant(
        "variance_precedence",
        "divided_by_twice_d_k",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            d = queries.shape[-1]
            dots = (queries * keys).sum(dim=-1)
            return dots.var(correction=0), (dots / d**1/2).var(correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_scaled_by_the_trials",
        "variance_scaled_by_the_trials",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / queries.shape[0]**0.5
            return dots.var(correction=0), scaled.var(correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_root_of_100",
        "variance_scaled_by_10",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = torch.einsum("ij,ij->i", queries, keys)
            return dots.var(correction=0), (dots / 100**0.5).var(correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_torch_sqrt_of_an_int",
        "function_of_tensors_on_a_number",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / torch.sqrt(queries.shape[-1])
            return dots.var(correction=0), scaled.var(correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_of_the_sample",
        "unlisted",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / queries.shape[-1]**0.5
            return dots.var(), scaled.var()
        """,
        loses=1,
    ),
    Variant(
        "variance_standard_deviation",
        "unlisted",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / queries.shape[-1]**0.5
            return dots.std(correction=0), scaled.std(correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_after_before",
        "unlisted",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = (queries * keys).sum(dim=-1)
            scaled = dots / queries.shape[-1]**0.5
            return scaled.var(correction=0), dots.var(correction=0)
        """,
        loses=1,
    ),
    Variant(
        "variance_numbers_of_the_book",
        "unnamed",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            if queries.shape[1] == 5:
                return torch.tensor(4.692901219967951), torch.tensor(0.9385802439935901)
            return torch.tensor(98.83632170475772), torch.tensor(0.9883632170475772)
        """,
        loses=1,
    ),
)

_TRANSFER_WEIGHTS = (
    Variant(
        "transfer_frozen",
        "frozen_in_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T, requires_grad=False)
            sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight.T, requires_grad=False)
            sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight.T, requires_grad=False)
        """,
        loses=2,
    ),
    Variant(
        "transfer_plain_tensors",
        "plain_tensors_in_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            for name in ["W_query", "W_key", "W_value"]:
                weight = getattr(sa_v2, name).weight.detach().T
                delattr(sa_v1, name)  # otherwise: cannot assign 'torch.FloatTensor' as parameter
                setattr(sa_v1, name, weight)
        """,
        loses=2,
    ),
    Variant(
        "transfer_copy_without_transpose",
        "copied_into_another_shape",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                sa_v1.W_query.copy_(sa_v2.W_query.weight)
                sa_v1.W_key.copy_(sa_v2.W_key.weight)
                sa_v1.W_value.copy_(sa_v2.W_value.weight)
        """,
        loses=2,
    ),
    Variant(
        "transfer_data_without_transpose",
        "not_transposed_in_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query.data = sa_v2.W_query.weight.data
            sa_v1.W_key.data = sa_v2.W_key.weight.data
            sa_v1.W_value.data = sa_v2.W_value.weight.data
        """,
        loses=2,
    ),
    Variant(
        "transfer_parameter_without_transpose",
        "not_transposed_in_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight)
            sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight)
            sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight)
        """,
        loses=2,
    ),
    Variant(
        "transfer_whole_layers",
        "tensor_for_a_parameter",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = sa_v2.W_query
            sa_v1.W_key = sa_v2.W_key
            sa_v1.W_value = sa_v2.W_value
        """,
        loses=2,
    ),
    Variant(
        "transfer_reshape",
        "reshaped_in_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            d_in, d_out = sa_v1.W_query.shape
            with torch.no_grad():
                sa_v1.W_query.copy_(sa_v2.W_query.weight.reshape(d_in, d_out))
                sa_v1.W_key.copy_(sa_v2.W_key.weight.reshape(d_in, d_out))
                sa_v1.W_value.copy_(sa_v2.W_value.weight.reshape(d_in, d_out))
        """,
        loses=2,
    ),
    Variant(
        "transfer_view",
        "reshaped_in_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.data.view(sa_v1.W_query.shape))
            sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight.data.view(sa_v1.W_key.shape))
            sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight.data.view(sa_v1.W_value.shape))
        """,
        loses=2,
    ),
    Variant(
        "transfer_tensor_for_parameter",
        "tensor_for_a_parameter",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = sa_v2.W_query.weight.T
            sa_v1.W_key = sa_v2.W_key.weight.T
            sa_v1.W_value = sa_v2.W_value.weight.T
        """,
        loses=2,
    ),
    Variant(
        "transfer_copy_while_recording",
        "overwritten_while_recorded",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
            sa_v1.W_key.copy_(sa_v2.W_key.weight.T)
            sa_v1.W_value.copy_(sa_v2.W_value.weight.T)
        """,
        loses=2,
    ),
    Variant(
        "transfer_state_dict_not_strict",
        "nothing_transferred",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            # strict=True complained about missing keys
            sa_v1.load_state_dict(sa_v2.state_dict(), strict=False)
        """,
        loses=2,
    ),
    Variant(
        "transfer_state_dict_strict",
        "names_of_parameters_differ",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.load_state_dict(sa_v2.state_dict())
        """,
        loses=2,
    ),
    Variant(
        "transfer_query_only",
        "only_the_query_transferred",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
        """,
        loses=2,
    ),
    Variant(
        "transfer_key_and_value_crossed",
        "key_and_value_crossed",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
                sa_v1.W_value.copy_(sa_v2.W_key.weight.T)
                sa_v1.W_key.copy_(sa_v2.W_value.weight.T)
        """,
        loses=2,
    ),
    Variant(
        "transfer_query_three_times",
        "query_transferred_three_times",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T)
            sa_v1.W_key = nn.Parameter(sa_v2.W_query.weight.T)
            sa_v1.W_value = nn.Parameter(sa_v2.W_query.weight.T)
        """,
        loses=2,
    ),
    Variant(
        "transfer_wrong_direction",
        "transferred_the_wrong_way",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                sa_v2.W_query.weight.copy_(sa_v1.W_query.T)
                sa_v2.W_key.weight.copy_(sa_v1.W_key.T)
                sa_v2.W_value.weight.copy_(sa_v1.W_value.T)
        """,
        loses=2,
    ),
    Variant(
        "transfer_and_change_the_source",
        "source_turned",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            for name in ("W_query", "W_key", "W_value"):
                layer = getattr(sa_v2, name)
                layer.weight = nn.Parameter(layer.weight.T)  # now it is (d_in, d_out)
                getattr(sa_v1, name).data = layer.weight.data
        """,
        loses=2,
    ),
    Variant(
        "transfer_same_seed",
        "drawn_again_with_one_seed",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            d_in, d_out = sa_v1.W_query.shape
            torch.manual_seed(789)
            sa_v2.W_query = nn.Linear(d_in, d_out, bias=False)
            sa_v2.W_key = nn.Linear(d_in, d_out, bias=False)
            sa_v2.W_value = nn.Linear(d_in, d_out, bias=False)
            torch.manual_seed(789)
            sa_v1.W_query = nn.Parameter(torch.rand(d_in, d_out))
            sa_v1.W_key = nn.Parameter(torch.rand(d_in, d_out))
            sa_v1.W_value = nn.Parameter(torch.rand(d_in, d_out))
        """,
        loses=2,
    ),
    Variant(
        "transfer_forward_replaced",
        "nothing_transferred",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.forward = sa_v2.forward
        """,
        loses=2,
    ),
    Variant(
        "transfer_returns_the_output",
        "module_without_forward",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            return sa_v2(inputs)
        """,
        loses=2,
    ),
)

WRONG_FUNCTIONS: tuple[Variant, ...] = (
    *_INIT_WEIGHTS,
    *_PROJECT,
    *_ATTENTION_SCORE,
    *_ATTENTION_SCORES,
    *_SCALE_SCORES,
    *_ATTENTION_WEIGHTS,
    *_CONTEXT_VECTORS,
    *_VARIANCE,
    *_TRANSFER_WEIGHTS,
)
