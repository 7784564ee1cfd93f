# Ways to write `SelfAttention_v1`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

# %% wrong v1_matrices_on_the_left: inner_sizes_differ, loses 3
#: x @ self.W_key => self.W_key @ x
#: x @ self.W_query => self.W_query @ x
#: x @ self.W_value => self.W_value @ x

# %% wrong v1_elementwise_projection: product_by_numbers, loses 3
#: x @ self.W_query => x * self.W_query

# %% wrong v1_keys_of_one_token: inner_sizes_differ, loses 3
#: x @ self.W_key => x[1] @ self.W_key
#: x @ self.W_value => x[1] @ self.W_value

# %% wrong v1_values_from_the_key_matrix: values_from_w_key, loses 1.5
#: x @ self.W_value => x @ self.W_key

# %% wrong v1_one_matrix_for_all: one_matrix_for_all, loses 1.5
#: x @ self.W_key => x @ self.W_query
#: x @ self.W_value => x @ self.W_query

# %% wrong v1_queries_and_keys_swapped: queries_and_keys_swapped, loses 1.5
#: keys = x @ self.W_key => queries = x @ self.W_key
#: queries = x @ self.W_query => keys = x @ self.W_query

# %% wrong v1_keys_and_values_swapped: keys_and_values_swapped, loses 1.5
#: keys = x @ self.W_key => values = x @ self.W_key
#: values = x @ self.W_value => keys = x @ self.W_value

# %% wrong v1_raw_tokens_as_queries_and_keys: tokens_as_queries_and_keys, loses 3
#: keys = x @ self.W_key => keys = x
#: queries = x @ self.W_query => queries = x

# %% wrong v1_scores_without_transpose: inner_sizes_differ, loses 3
#: queries @ keys.T => queries @ keys

# %% wrong v1_scores_transposed: scores_transposed, loses 1.5
#: queries @ keys.T => keys @ queries.T

# %% wrong v1_keys_from_the_queries_matrix: keys_from_w_query, loses 1.5
#: keys = x @ self.W_key => keys = x @ self.W_query

# %% wrong v1_queries_from_the_keys_matrix: queries_from_w_key, loses 1.5
#: queries = x @ self.W_query => queries = x @ self.W_key

# %% wrong v1_queries_with_queries: queries_with_queries, loses 1.5
#: queries @ keys.T => queries @ queries.T

# %% wrong v1_keys_with_keys: keys_with_keys, loses 1.5
#: queries @ keys.T => keys @ keys.T

# %% wrong v1_each_token_with_itself: each_token_with_itself, loses 1.75
#: queries @ keys.T => (queries * keys).sum(-1)

# %% wrong v1_reshape_for_transpose: keys_reshaped, loses 1.5
#: queries @ keys.T => queries @ keys.reshape(keys.shape[1], keys.shape[0])

# %% wrong v1_cosine: cosines, loses 1.5
#: queries @ keys.T => nn.functional.normalize(queries) @ nn.functional.normalize(keys).T

# %% wrong v1_unscaled: not_scaled, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% wrong v1_scaled_by_d_k: scores_scaled_already, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[-1]

# %% wrong v1_precedence: divided_by_twice_d_k, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[-1]**1/2

# %% wrong v1_scaled_by_d_in: scaled_by_d_in, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / x.shape[-1]**0.5

# %% wrong v1_scaled_by_tokens: divided_by_the_root_of_the_keys_number, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[0]**0.5

# %% wrong v1_scaled_up: multiplied, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores * keys.shape[-1]**0.5

# %% wrong v1_scaled_after_softmax: scaled_after_the_softmax, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores, dim=-1) / keys.shape[-1]**0.5

# %% wrong v1_scaled_twice: scores_scaled_already, loses 1.5
#: queries = x @ self.W_query => queries = x @ self.W_query / self.W_query.shape[1]**0.5

# %% wrong v1_root_of_2: divided_by_sqrt_2, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / 2**0.5

# %% wrong v1_torch_sqrt_of_an_int: function_of_tensors_on_a_number, loses 3
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / torch.sqrt(keys.shape[-1])

# %% wrong v1_caret: caret_for_power, loses 3
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[-1]^0.5

# %% wrong v1_softmax_over_columns: softmax_over_the_queries, loses 1.5
#: dim=-1 => dim=0

# %% wrong v1_softmax_without_dim: softmax_without_dim, loses 3
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5)

# %% wrong v1_softmax_flattened: softmax_over_everything, loses 1.5
#: torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1) => torch.softmax((attn_scores / keys.shape[-1] ** 0.5).flatten(), 0).view_as(attn_scores)

# %% wrong v1_softmax_twice: softmax_twice, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1), dim=-1)

# %% wrong v1_no_softmax: no_softmax, loses 1.5
#: torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1) => attn_scores / keys.shape[-1] ** 0.5

# %% wrong v1_divided_by_the_sum: divided_by_the_sum, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = attn_scores / attn_scores.sum(dim=-1, keepdim=True)

# %% wrong v1_softmax_without_keepdim: sums_not_kept_as_a_column, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        exp_scores = torch.exp(attn_scores / keys.shape[-1] ** 0.5)
#+        attn_weights = exp_scores / exp_scores.sum(dim=-1)

# %% wrong v1_sigmoid: sigmoid, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.sigmoid(attn_scores / keys.shape[-1] ** 0.5)

# %% wrong v1_softmax_of_the_values: values_through_a_softmax, loses 3
#: attn_weights @ values => torch.softmax(values, dim=-1)

# %% wrong v1_blend_of_keys: values_from_w_key, loses 1.5
#: attn_weights @ values => attn_weights @ keys

# %% wrong v1_blend_of_queries: values_from_w_query, loses 1.5
#: attn_weights @ values => attn_weights @ queries

# %% wrong v1_blend_of_tokens: tokens_as_values, loses 1.75
#: attn_weights @ values => attn_weights @ x

# %% wrong v1_transposed_weights: weights_returned_transposed, loses 1.5
#: attn_weights @ values => attn_weights.T @ values

# %% wrong v1_values_on_the_left: inner_sizes_differ, loses 3
#: attn_weights @ values => values @ attn_weights

# %% wrong v1_mean_of_the_values: equal_weights, loses 3
#: attn_weights @ values => values.mean(0).repeat(x.shape[0], 1)

# %% wrong v1_token_2_for_all: scores_of_the_second_query, loses 1.75
#: queries @ keys.T => queries[1] @ keys.T

# %% wrong v1_residual_of_values: values_added, loses 1.5
#: attn_weights @ values => attn_weights @ values + values

# %% wrong v1_residual_of_tokens: shapes_differ, loses 3
#: attn_weights @ values => attn_weights @ values + x

# %% wrong v1_causal_mask: masked, loses 1.5
#=        attn_scores = queries @ keys.T
#+        mask = torch.triu(torch.ones(x.shape[0], x.shape[0]), diagonal=1)
#+        attn_scores = attn_scores.masked_fill(mask.bool(), -torch.inf)

# %% wrong v1_dropout: unlisted, loses 3
#: attn_weights @ values => nn.functional.dropout(attn_weights, 0.1) @ values

# %% wrong v1_plain_tensors: not_registered, loses 1.5
#: nn.Parameter(torch.rand(d_in, d_out)) => torch.rand(d_in, d_out)

# %% wrong v1_frozen: parameters_frozen, loses 1.5
#: d_out)) => d_out), requires_grad=False)

# %% wrong v1_query_in_a_plain_tensor: query_not_registered, loses 1.5
#: self.W_query = nn.Parameter(torch.rand(d_in, d_out)) => self.W_query = torch.rand(d_in, d_out)

# %% wrong v1_key_in_a_trainable_tensor: key_not_registered, loses 1
#-        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_key = torch.rand(d_in, d_out, requires_grad=True)

# %% wrong v1_value_in_a_buffer: value_not_registered, loses 1.5
#-        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+        self.register_buffer("W_value", torch.rand(d_in, d_out))

# %% wrong v1_no_super_init: no_super_init, loses 4
#-        super().__init__()

# %% wrong v1_no_self: not_stored_on_self, loses 4
#: self.W_query = nn.Parameter(torch.rand(d_in, d_out)) => W_query = nn.Parameter(torch.rand(d_in, d_out))
#: self.W_key = nn.Parameter(torch.rand(d_in, d_out)) => W_key = nn.Parameter(torch.rand(d_in, d_out))
#: self.W_value = nn.Parameter(torch.rand(d_in, d_out)) => W_value = nn.Parameter(torch.rand(d_in, d_out))

# %% wrong v1_one_parameter_three_times: one_matrix_three_times, loses 4
#: self.W_query = nn.Parameter => W = nn.Parameter
#: self.W_key = nn.Parameter(torch.rand(d_in, d_out)) => self.W_query = self.W_key = W
#: self.W_value = nn.Parameter(torch.rand(d_in, d_out)) => self.W_value = W

# %% wrong v1_seed_in_init: seeded_inside, loses 1
#=        super().__init__()
#+        torch.manual_seed(123)

# %% wrong v1_seed_before_each_draw: all_start_equal, loses 1.5
#=        super().__init__()
#+        torch.manual_seed(123)
#=        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
#+        torch.manual_seed(123)
#=        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#+        torch.manual_seed(123)

# %% wrong v1_shape_turned: matrix_on_its_side, loses 4
#: rand(d_in, d_out) => rand(d_out, d_in)

# %% wrong v1_shape_turned_and_turned_back: matrix_on_its_side, loses 4
#: rand(d_in, d_out) => rand(d_out, d_in)
#: x @ self.W_query => x @ self.W_query.T
#: x @ self.W_key => x @ self.W_key.T
#: x @ self.W_value => x @ self.W_value.T

# %% wrong v1_literal_sizes: other_sizes, loses 4
#: rand(d_in, d_out) => rand(3, 2)

# %% wrong v1_literal_d_out: other_sizes, loses 4
#: rand(d_in, d_out) => rand(d_in, 2)

# %% wrong v1_zeros: all_start_equal, loses 1.5
#: torch.rand( => torch.zeros(

# %% wrong v1_query_data: queries_cut_from_the_graph, loses 0.5
#: x @ self.W_query => x @ self.W_query.data

# %% wrong v1_detached_weights: weights_cut_from_the_graph, loses 0.5
#: attn_weights @ values => attn_weights.detach() @ values

# %% wrong v1_no_grad: no_gradient_at_all, loses 0.5
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#=
#+    @torch.no_grad()

# %% wrong v1_numpy: numpy_of_a_trained_tensor, loses 3
#: return context_vec => return torch.from_numpy(context_vec.numpy())

# %% wrong v1_detached_numpy: no_gradient_at_all, loses 0.5
#: return context_vec => return torch.from_numpy(context_vec.detach().numpy())

# %% wrong v1_tensor_of_a_tensor: no_gradient_at_all, loses 0.5
#: return context_vec => return torch.tensor(context_vec)

# %% wrong v1_returns_weights: weights_returned, loses 3
#: return context_vec => return attn_weights

# %% wrong v1_returns_tuple: weights_returned_too, loses 3
#: return context_vec => return context_vec, attn_weights

# %% wrong v1_returns_the_factors: weights_and_values_returned, loses 3
#: return context_vec => return attn_weights, values

# %% wrong v1_prints_without_return: nothing_returned, loses 3
#: return context_vec => print(context_vec)

# %% wrong v1_input_scaled_in_place: unnamed, loses 3
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        values = x @ self.W_value
        x *= self.d_out**-0.25  # half of the scaling for queries, half for keys
        queries = x @ self.W_query
        keys = x @ self.W_key
        return torch.softmax(queries @ keys.T, dim=-1) @ values

# %% wrong v1_input_centred_in_place: unnamed, loses 3
#=    def forward(self, x):
#+        x -= x.mean(dim=0)

# %% wrong v1_numbers_of_the_book: unnamed, loses 3
#-        return context_vec
#+        return torch.tensor([[0.2996, 0.8053], [0.3061, 0.8210], [0.3058, 0.8203],
#+                             [0.2948, 0.7939], [0.2927, 0.7891], [0.2990, 0.8040]])

# %% wrong v1_rounded: result_rounded, loses 0.5
#: return context_vec => return torch.round(context_vec, decimals=4)

# %% wrong v1_scaled_before_and_after: scaled_before_and_after, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1) / keys.shape[-1]**0.5

# %% wrong v1_residual_of_keys: keys_added, loses 3
#: attn_weights @ values => attn_weights @ values + keys

# %% wrong v1_returns_queries: queries_returned, loses 3
#: return context_vec => return queries

# %% wrong v1_returns_tokens: tokens_returned, loses 3
#: return context_vec => return x

# %% wrong v1_values_detached: values_cut_from_the_graph, loses 0.5
#: attn_weights @ values => attn_weights @ values.detach()

# %% wrong v1_scaled_by_the_width_of_x, loses 1.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / x.size(1) ** 0.5

# %% wrong v1_copies_of_one_draw: one_draw_for_all_three, loses 1.5
#-        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#-        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_key = nn.Parameter(self.W_query.data.clone())
#+        self.W_value = nn.Parameter(self.W_query.data + 0)

# %% wrong v1_maxima_in_a_row: maxima_not_kept_as_a_column, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        shifted = attn_scores / keys.shape[-1] ** 0.5
#+        exps = (shifted - shifted.amax(-1)).exp()
#+        attn_weights = exps / exps.sum(-1, keepdim=True)

# %% wrong v1_no_axis_kept: axes_not_kept, loses 1.5
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        shifted = attn_scores / keys.shape[-1] ** 0.5
#+        exps = (shifted - shifted.amax(-1)).exp()
#+        attn_weights = exps / exps.sum(-1)

# %% wrong v1_scores_blended: scores_blended, loses 3
#: attn_weights @ values => attn_scores @ values

# %% wrong v1_drawn_with_randn: matrices_drawn_with_randn, loses 0.5
#: torch.rand( => torch.randn(

# %% accepted v1_of_the_book: matmul

# %% accepted v1_matmul: matmul
#: queries @ keys.T => torch.matmul(queries, keys.mT)

# %% accepted v1_mm: mm_or_bmm
#: attn_weights @ values => torch.mm(attn_weights, values)

# %% accepted v1_einsum: einsum
#: queries @ keys.T => torch.einsum("id,jd->ij", queries, keys)
#: attn_weights @ values => torch.einsum("ij,jd->id", attn_weights, values)

# %% accepted v1_linear: functional_linear
#: x @ self.W_key => nn.functional.linear(x, self.W_key.T)
#: x @ self.W_query => nn.functional.linear(x, self.W_query.T)

# %% accepted v1_queries_scaled_first: queries_scaled_first
#: queries = x @ self.W_query => queries = (x @ self.W_query) / self.W_query.shape[1]**0.5
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% accepted v1_both_scaled_by_the_fourth_root: both_scaled_by_the_fourth_root
#: queries @ keys.T => (queries * keys.shape[-1]**-0.25) @ (keys * keys.shape[-1]**-0.25).T
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% accepted v1_scale_folded_into_the_matrix: scale_in_the_matrix
#: x @ self.W_query => x @ (self.W_query / self.W_query.shape[1]**0.5)
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% accepted v1_one_bilinear_form: one_bilinear_form
#-        queries = x @ self.W_query
#: attn_scores = queries @ keys.T => attn_scores = x @ (self.W_query @ self.W_key.T) @ x.T

# %% accepted v1_values_last: values_projected_last
#-        values = x @ self.W_value
#: context_vec = attn_weights @ values => context_vec = (attn_weights @ x) @ self.W_value

# %% accepted v1_numpy_sqrt: other_square_roots
#+import numpy as np
#+
#+
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / np.sqrt(keys.shape[-1]), dim=-1)

# %% accepted v1_torch_sqrt_of_a_tensor: other_square_roots
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / torch.sqrt(torch.tensor(keys.shape[-1], dtype=torch.float32))

# %% accepted v1_width_of_the_queries: width_taken_elsewhere
#: keys.shape[-1] => queries.shape[1]

# %% accepted v1_width_of_the_values: width_taken_elsewhere
#: keys.shape[-1] => values.size(-1)

# %% accepted v1_d_out_kept: width_kept_on_self
#=        super().__init__()
#+        self.d_out = d_out
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / self.d_out ** 0.5, dim=-1)

# %% accepted v1_softmax_method: other_softmax_calls
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = (attn_scores / keys.shape[-1] ** 0.5).softmax(-1)

# %% accepted v1_log_softmax_exp: softmax_by_logarithms
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.log_softmax(attn_scores / keys.shape[-1] ** 0.5, -1).exp()

# %% accepted v1_softmax_by_hand: stable_softmax_by_hand
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        scaled = attn_scores / keys.shape[-1] ** 0.5
#+        exps = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
#+        attn_weights = exps / exps.sum(dim=-1, keepdim=True)

# %% accepted v1_softmax_by_hand_naive: plain_softmax_by_hand
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        exps = torch.exp(attn_scores / keys.shape[-1] ** 0.5)
#+        attn_weights = exps / exps.sum(dim=-1, keepdim=True)

# %% accepted v1_dim_1: axis_counted_otherwise
#: dim=-1 => dim=1

# %% accepted v1_column_layout: column_layout
#-        attn_scores = queries @ keys.T
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_scores = keys @ queries.T
#+        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-2).T

# %% accepted v1_turned_twice: transposed_twice
#: attn_weights @ values => (values.T @ attn_weights.T).T

# %% accepted v1_row_loop: row_by_row
#: attn_weights @ values => torch.stack([row @ values for row in attn_weights])

# %% accepted v1_double_loop: element_by_element
#-        attn_scores = queries @ keys.T
#+        attn_scores = torch.empty(x.shape[0], x.shape[0])
#+        for i in range(x.shape[0]):
#+            for j in range(x.shape[0]):
#+                attn_scores[i, j] = queries[i].dot(keys[j])

# %% accepted v1_broadcast: broadcast_and_sum
#: attn_weights @ values => (attn_weights[..., None] * values).sum(-2)

# %% accepted v1_addmm: fused_multiply_and_add
#-        attn_scores = queries @ keys.T
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_scores = torch.addmm(torch.zeros(len(x), len(x)), queries, keys.T, beta=0,
#+                                  alpha=1 / keys.shape[-1]**0.5)
#+        attn_weights = torch.softmax(attn_scores, dim=-1)

# %% accepted v1_float64_inside: float64
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax((attn_scores / keys.shape[-1] ** 0.5).double(), dim=-1).float()

# %% accepted v1_float64_out: float64
#-        keys = x @ self.W_key
#-        queries = x @ self.W_query
#-        values = x @ self.W_value
#+        x = x.double()
#+        keys = x @ self.W_key.double()
#+        queries = x @ self.W_query.double()
#+        values = x @ self.W_value.double()

# %% accepted v1_uniform: other_distributions
#: torch.rand(d_in, d_out) => torch.empty(d_in, d_out).uniform_()

# %% accepted v1_extras: extra_attributes
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        self.scale = d_out**-0.5
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.register_buffer("mask", torch.triu(torch.ones(16, 16), diagonal=1))
        self.dropout = nn.Dropout(0.0)  # for later
        self.attn_weights = None

    def _weights(self, queries, keys):
        return torch.softmax(queries @ keys.T * self.scale, dim=-1)

    def forward(self, x):
        queries = x @ self.W_query
        keys = x @ self.W_key
        self.attn_weights = self._weights(queries, keys)
        return self.dropout(self.attn_weights) @ (x @ self.W_value)

# %% accepted v1_unused_bias_keyword: bias_keyword
#: def __init__(self, d_in, d_out) => def __init__(self, d_in, d_out, qkv_bias=False)

# %% accepted v1_other_argument_name: other_argument_names
#: forward(self, x) => forward(self, tokens)
#: = x @ => = tokens @

# %% accepted v1_also_for_a_batch: batches_too
#: queries @ keys.T => queries @ keys.transpose(-2, -1)

# %% accepted v1_hints_asserts_prints: hints_and_prints
from torch import Tensor

class SelfAttention_v1(nn.Module):
    """My self-attention."""

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.W_query: nn.Parameter = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key: nn.Parameter = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value: nn.Parameter = nn.Parameter(torch.rand(d_in, d_out))
        print("made a self-attention with", d_in, d_out)

    def forward(self, x: Tensor) -> Tensor:
        """x: (T, d_in)"""
        queries = x @ self.W_query
        keys = x @ self.W_key
        values = x @ self.W_value
        assert queries.shape == keys.shape == values.shape
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        print(weights.sum(dim=-1))  # should be all ones
        return weights @ values

# %% accepted v1_crlf: tabs_and_line_ends, with Windows line ends

# %% accepted v1_tabs: tabs_and_line_ends
class SelfAttention_v1(nn.Module):
	def __init__(self, d_in, d_out):
		super().__init__()
		self.W_query = nn.Parameter(torch.rand(d_in, d_out))
		self.W_key = nn.Parameter(torch.rand(d_in, d_out))
		self.W_value = nn.Parameter(torch.rand(d_in, d_out))

	def forward(self, x):
		keys = x @ self.W_key
		queries = x @ self.W_query
		values = x @ self.W_value
		attn_scores = queries @ keys.T
		attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
		context_vec = attn_weights @ values
		return context_vec

# %% accepted v1_scores_divided_in_place: changes_its_input
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_scores /= keys.shape[-1] ** 0.5
#+        attn_weights = torch.softmax(attn_scores, dim=-1)

# %% accepted careful_v1
#+import logging, os, sys
#+
#+log = logging.getLogger(__name__)
#+
#+
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+
#+        if type(d_in) is not int:
#+            raise TypeError(f"d_in must be an int, not {type(d_in)}")
#+        self.name = self.__class__.__name__
#+        log.debug("made %s on %s", self.name, sys.platform)

# %% accepted matched_v1
#=    def __init__(self, d_in, d_out):
#+        match d_in:
#+            case 0:
#+                raise ValueError("no inputs")
#+            case width:
#+                assert width > 0

# %% accepted unusual_v1_under_two_names
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+
#+        self.by_position = nn.ParameterList([self.W_query, self.W_key, self.W_value])
#+
#+

# %% accepted unusual_v1_frozen_and_thawed
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+
#+        self.requires_grad_(False)
#+        self.requires_grad_()
#+
#+

# %% accepted unusual_v1_with_hooks_and_eval
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+
#+        self.register_forward_hook(lambda module, inputs, output: None)
#+        self.register_load_state_dict_post_hook(lambda module, keys: None)
#+        self.eval()
#+
#+

# %% accepted unusual_v1_gradients_watched
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+
#+        self.norms = []
#+        for parameter in self.parameters():
#+            parameter.register_hook(lambda gradient: self.norms.append(float(gradient.norm())))
#+
#+

# %% accepted unusual_v1_made_by_a_base_class
class Base(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in self.names:
            setattr(self, name, nn.Parameter(torch.rand(d_in, d_out)))


class SelfAttention_v1(Base):
    names = "W_query", "W_key", "W_value"

    def forward(self, x):
        queries, keys, values = (x @ getattr(self, name) for name in self.names)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% accepted unusual_v1_made_by_a_mixin
class Drawn:
    def draw(self, d_in, d_out):
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))


class SelfAttention_v1(Drawn, nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.draw(d_in, d_out)

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% accepted v1_scripted: compiled
#: class SelfAttention_v1(nn.Module): => class _Attention(nn.Module):
#=        return context_vec
#+
#+
#+def SelfAttention_v1(d_in, d_out):
#+    return torch.jit.script(_Attention(d_in, d_out))

# %% base
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))

    def forward(self, x):
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

# %% accepted v1_created_key_query_value: creation_order
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

# %% accepted v1_created_value_first: creation_order
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_query = nn.Parameter(torch.rand(d_in, d_out))

# %% accepted v1_aliases: aliases
#-class SelfAttention_v1(nn.Module):
#+import torch.nn as tnn
#+from torch import softmax
#+
#+
#+class SelfAttention_v1(tnn.Module):
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.W_query = tnn.Parameter(torch.rand(d_in, d_out))
#+        self.W_key = tnn.Parameter(torch.rand(d_in, d_out))
#+        self.W_value = tnn.Parameter(torch.rand(d_in, d_out))
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)

# %% accepted registered_by_name_v1
#-        super().__init__()
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        super(SelfAttention_v1, self).__init__()
#+        for name in ("W_query", "W_key", "W_value"):
#+            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))

# %% accepted executed_as_text_v1
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            exec(f"self.{name} = nn.Parameter(torch.rand(d_in, d_out))")

# %% accepted mapped_v1

# %% accepted filled_later_v1
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            self.__setattr__(name, nn.Parameter(torch.FloatTensor(d_in, d_out)))
#+        with torch.no_grad():
#+            for parameter in self.parameters():
#+                parameter.copy_(torch.rand(d_in, d_out))

# %% accepted configured_v1
#+from dataclasses import dataclass
#+
#+@dataclass
#+class Config:
#+    d_in: int
#+    d_out: int
#+
#+
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        config = Config(d_in, d_out)
#+        self.W_query = nn.Parameter(torch.rand(config.d_in, config.d_out))
#+        self.W_key = nn.Parameter(torch.rand(config.d_in, config.d_out))
#+        self.W_value = nn.Parameter(torch.rand(config.d_in, config.d_out))

# %% accepted partial_v1
#+from functools import partial
#+
#+
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        make = partial(torch.rand, d_in, d_out)
#+        self.W_query, self.W_key, self.W_value = (nn.Parameter(make()) for _ in range(3))

# %% accepted for_a_device_v1
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
#+        options = {"device": device, "dtype": torch.get_default_dtype()}
#+        self.W_query = nn.Parameter(torch.rand(d_in, d_out, **options))
#+        self.W_key = nn.Parameter(torch.rand(d_in, d_out, **options))
#+        self.W_value = nn.Parameter(torch.rand(d_in, d_out, **options))

# %% accepted unusual_v1_in_a_helper
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self._make(d_in, d_out)
#+
#+    def _make(self, d_in, d_out):
#+        for name in ("W_query", "W_key", "W_value"):
#+            self._make_one(name, (d_in, d_out))
#+
#+    def _make_one(self, name, shape):
#+        setattr(self, name, nn.Parameter(torch.rand(shape)))

# %% accepted unusual_v1_in_a_static_helper
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.W_query, self.W_key, self.W_value = (self.drawn(d_in, d_out) for _ in range(3))
#+
#+    @staticmethod
#+    def drawn(*shape):
#+        return nn.Parameter(torch.rand(*shape), requires_grad=True)

# %% accepted unusual_v1_reset_later
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.W_query = nn.Parameter(torch.empty(d_in, d_out))
#+        self.W_key = nn.Parameter(torch.empty(d_in, d_out))
#+        self.W_value = nn.Parameter(torch.empty(d_in, d_out))
#+        self.reset_parameters()
#+
#+    def reset_parameters(self):
#+        for parameter in self.parameters():
#+            nn.init.uniform_(parameter)

# %% accepted unusual_v1_on_meta_first
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            self.register_parameter(name, nn.Parameter(torch.empty(d_in, d_out, device="meta")))
#+        self.to_empty(device="cpu")
#+        with torch.no_grad():
#+            for parameter in self.parameters():
#+                parameter.uniform_()
#+
#+

# %% accepted unusual_v1_meta_by_context
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        with torch.device("meta"):
#+            self.W_query = nn.Parameter(torch.rand(d_in, d_out))
#+            self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#+            self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+        self.to_empty(device=torch.device("cpu"))
#+        for W in (self.W_query, self.W_key, self.W_value):
#+            W.data.copy_(torch.rand(W.shape))
#+
#+

# %% accepted unusual_v1_list_by_appending
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.matrices = nn.ParameterList()
#+        for _ in range(3):
#+            self.matrices.append(nn.Parameter(torch.rand(d_in, d_out)))
#+
#+    W_query = property(lambda self: self.matrices[0])
#+    W_key = property(lambda self: self.matrices[1])
#+    W_value = property(lambda self: self.matrices[2])

# %% accepted unusual_v1_list_in_another_order
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.held = nn.ParameterList([torch.rand(d_in, d_out) for _ in range(3)])
#+
#+    W_query = property(lambda self: self.held[-3])
#+    W_key = property(lambda self: self.held[-2])
#+    W_value = property(lambda self: self.held[-1])

# %% accepted unusual_v1_dictionary_by_full_names
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        names = ("W_query", "W_key", "W_value")
#+        self.held = nn.ParameterDict({name: torch.rand(d_in, d_out) for name in names})
#+
#+    W_query = property(lambda self: self.held['W_query'])
#+    W_key = property(lambda self: self.held['W_key'])
#+    W_value = property(lambda self: self.held['W_value'])

# %% accepted unusual_v1_dictionary_behind_getattr
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        names = ("W_query", "W_key", "W_value")
#+        self.held = nn.ParameterDict({name: torch.rand(d_in, d_out) for name in names})
#+
#+    def __getattr__(self, name):
#+        if name.startswith("W_"):
#+            return super().__getattr__("held")[name]
#+        return super().__getattr__(name)

# %% accepted unusual_v1_in_a_part_of_its_own
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.part = nn.Module()
#+        for name in ("W_query", "W_key", "W_value"):
#+            self.part.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))
#+
#+    W_query = property(lambda self: self.part.W_query)
#+    W_key = property(lambda self: self.part.W_key)
#+    W_value = property(lambda self: self.part.W_value)

# %% accepted unusual_v1_drawn_in_one_block
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        block = torch.rand(3, d_in, d_out)
#+        self.W_query, self.W_key, self.W_value = (nn.Parameter(part) for part in block.unbind())
#+
#+

# %% accepted unusual_v1_cut_from_one_block
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        block = torch.empty(d_in, 3 * d_out)
#+        parts = block.split(d_out, dim=1)
#+        for part in parts:
#+            part.copy_(torch.rand(d_in, d_out))
#+        self.W_query, self.W_key, self.W_value = map(nn.Parameter, parts)
#+
#+

# %% accepted unusual_v1_stored_by_columns
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        self.W_query = nn.Parameter(torch.rand(d_in, d_out).T.contiguous().T)
#+        self.W_key = nn.Parameter(torch.rand(d_in, d_out).T.contiguous().T)
#+        self.W_value = nn.Parameter(torch.rand(d_in, d_out).T.contiguous().T)
#+
#+

# %% accepted unusual_v1_replaced_by_new_ones
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            setattr(self, name, nn.Parameter(torch.ones(1)))
#+        for name, _ in list(self.named_parameters()):
#+            delattr(self, name)
#+            setattr(self, name, nn.Parameter(torch.rand(d_in, d_out)))
#+
#+

# %% accepted unusual_v1_data_set_afterwards
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            parameter = nn.Parameter(torch.empty(0))
#+            parameter.data = torch.rand(d_in, d_out)
#+            setattr(self, name, parameter)
#+
#+

# %% accepted unusual_v1_from_a_state
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        names = ("W_query", "W_key", "W_value")
#+        for name in names:
#+            setattr(self, name, nn.Parameter(torch.zeros(d_in, d_out)))
#+        self.load_state_dict({name: torch.rand(d_in, d_out) for name in names})
#+
#+

# %% accepted unusual_v1_from_numpy
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            setattr(self, name, nn.Parameter(torch.from_numpy(torch.rand(d_in, d_out).numpy())))
#+
#+

# %% accepted unusual_v1_uninitialised_first
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        for name in ("W_query", "W_key", "W_value"):
#+            parameter = nn.parameter.UninitializedParameter()
#+            parameter.materialize((d_in, d_out))
#+            self.register_parameter(name, parameter)
#+        for parameter in self.parameters():
#+            nn.init.uniform_(parameter, 0, 1)
#+
#+

# %% accepted unusual_v1_by_the_bare_dictionary
#-        super().__init__()
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        nn.Module.__init__(self)
#+        for name in ("W_query", "W_key", "W_value"):
#+            self._parameters[name] = nn.Parameter(torch.rand(d_in, d_out))
#+
#+

# %% accepted unusual_v1_any_further_arguments
#: def __init__(self, d_in, d_out): => def __init__(self, d_in, d_out, *more, **options):
#-        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
#+        options.setdefault("dtype", torch.float32)
#+        self.W_query = nn.Parameter(torch.rand((d_in, d_out), **options))
#+        self.W_key = nn.Parameter(torch.rand(size=(d_in, d_out), **options))
#+        self.W_value = nn.Parameter(torch.rand([d_in, d_out], **options))
#+
#+

# %% base
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]

    def forward(self, x):
        queries, keys, values = [x @ w for w in self.W]
        attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
        return attn_weights @ values

# %% wrong v1_buffers: not_registered, loses 1.5
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.register_buffer("W_query", torch.rand(d_in, d_out))
#+        self.register_buffer("W_key", torch.rand(d_in, d_out))
#+        self.register_buffer("W_value", torch.rand(d_in, d_out))
#-        queries, keys, values = [x @ w for w in self.W]
#+        queries = x @ self.W_query
#+        keys = x @ self.W_key
#+        values = x @ self.W_value

# %% wrong v1_weights_made_in_forward: not_stored_on_self, loses 4
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.d_in = d_in
#+        self.d_out = d_out
#-        queries, keys, values = [x @ w for w in self.W]
#-        attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
#+        W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
#+        W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
#+        W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))
#+        queries, keys, values = x @ W_query, x @ W_key, x @ W_value
#+        attn_weights = torch.softmax(queries @ keys.T / self.d_out**0.5, dim=-1)

# %% wrong v1_weights_renewed_in_forward: unnamed, loses 3
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.d_in, self.d_out = d_in, d_out
#+        self.init_weights()
#+
#+    def init_weights(self):
#+        self.W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
#+        self.W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
#+        self.W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))
#-        queries, keys, values = [x @ w for w in self.W]
#-        attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
#+        self.init_weights()
#+        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
#+        attn_weights = torch.softmax(queries @ keys.T / self.d_out**0.5, dim=-1)

# %% wrong v1_plain_list: not_stored_on_self, loses 4

# %% wrong v1_plain_list_behind_properties: not_registered, loses 1
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.matrices = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+
#+    @property
#+    def W_query(self):
#+        return self.matrices[0]
#+
#+    @property
#+    def W_key(self):
#+        return self.matrices[1]
#+
#+    @property
#+    def W_value(self):
#+        return self.matrices[2]
#-        queries, keys, values = [x @ w for w in self.W]
#+        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value

# %% wrong v1_fused_matrix: not_stored_on_self, loses 4
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.W_qkv = nn.Parameter(torch.rand(d_in, 3 * d_out))
#-        queries, keys, values = [x @ w for w in self.W]
#+        queries, keys, values = (x @ self.W_qkv).chunk(3, dim=-1)

# %% wrong v1_drawn_with_xavier: unnamed, loses 0.5
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.W_query = nn.Parameter(torch.empty(d_in, d_out))
#+        self.W_key = nn.Parameter(torch.empty(d_in, d_out))
#+        self.W_value = nn.Parameter(torch.empty(d_in, d_out))
#+        for parameter in self.parameters():
#+            nn.init.xavier_uniform_(parameter)
#-        queries, keys, values = [x @ w for w in self.W]
#+        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value

# %% accepted v1_parameter_dict: containers_of_parameters
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.W = nn.ParameterDict(
#+            {name: nn.Parameter(torch.rand(d_in, d_out)) for name in ("q", "k", "v")}
#+        )
#+
#+    @property
#+    def W_query(self):
#+        return self.W["q"]
#+
#+    @property
#+    def W_key(self):
#+        return self.W["k"]
#+
#+    @property
#+    def W_value(self):
#+        return self.W["v"]
#-        queries, keys, values = [x @ w for w in self.W]
#+        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value

# %% accepted v1_parameter_list: containers_of_parameters
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.params = nn.ParameterList(torch.rand(d_in, d_out) for _ in range(3))
#+
#+    W_query = property(lambda self: self.params[0])
#+    W_key = property(lambda self: self.params[1])
#+    W_value = property(lambda self: self.params[2])
#: queries, keys, values = [x @ w for w in self.W] => queries, keys, values = (x @ W for W in self.params)

# %% accepted unusual_v1_learnable_temperature
#-        self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
#+        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#+        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+        self.tau = nn.Parameter(torch.ones(()))
#: queries, keys, values = [x @ w for w in self.W] => queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
#: attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) => scores = queries @ keys.T / (self.tau * keys.shape[-1] ** 0.5)
#: return attn_weights @ values => return torch.softmax(scores, dim=-1) @ values

# %% base
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T)
        self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T)
        self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T)

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values

# %% wrong v1_drawn_like_a_layer: matrices_of_a_layer, loses 0.5

# %% accepted v1_scaled_dot_product_attention: library_attention
#+import torch.nn.functional as F
#+
#: self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_query = nn.Parameter(torch.rand(d_in, d_out))
#: self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#: self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#-        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
#-        return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values
#+        return F.scaled_dot_product_attention(
#+            x @ self.W_query, x @ self.W_key, x @ self.W_value
#+        )

# %% accepted unusual_v1_float64_weights
#: self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_query = nn.Parameter(torch.rand(d_in, d_out).double())
#: self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_key = nn.Parameter(torch.rand(d_in, d_out).double())
#: self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_value = nn.Parameter(torch.rand(d_in, d_out).double())
#-        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
#-        return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values
#+        queries, keys, values = (
#+            x @ W.to(x.dtype) for W in (self.W_query, self.W_key, self.W_value)
#+        )
#+        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% accepted unusual_v1_as_a_dataclass
#+from dataclasses import dataclass
#+
#+
#+@dataclass(eq=False)
#-    def __init__(self, d_in, d_out):
#+    d_in: int
#+    d_out: int
#+
#+    def __post_init__(self):
#: self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
#: self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
#: self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))
#: return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values => return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% accepted unusual_v1_weights_from_a_function_of_the_file
#+def new_weights(d_in, d_out):
#+    return nn.Parameter(torch.rand(d_in, d_out))
#+
#+
#: self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_query = new_weights(d_in, d_out)
#: self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_key = new_weights(d_in, d_out)
#: self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_value = new_weights(d_in, d_out)
#: return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values => return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% accepted unusual_v1_called_by_another_name
#: self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_query = nn.Parameter(torch.rand(d_in, d_out))
#: self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_key = nn.Parameter(torch.rand(d_in, d_out))
#: self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=False).weight.T) => self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#: def forward(self, x): => def attend(self, x):
#-        return torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) @ values
#+        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
#+
#+    forward = attend

# %% wrong v1_softmax_after_the_product: softmax_after_blending, loses 3
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scaled = queries @ keys.T / keys.shape[-1] ** 0.5
        blended = scaled @ values
        return torch.softmax(blended, dim=-1)
