# Ways to write `SelfAttention_v2`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

# %% wrong v2_values_from_the_key_layer: values_from_w_key
#: self.W_value(x) => self.W_key(x)

# %% wrong v2_queries_and_values_swapped: queries_and_values_swapped
#: queries = self.W_query(x) => queries = self.W_value(x)
#: values = self.W_value(x) => values = self.W_query(x)

# %% wrong v2_queries_with_queries: queries_with_queries
#: queries @ keys.T => queries @ queries.T

# %% wrong v2_view_for_transpose: keys_reshaped
#: queries @ keys.T => queries @ keys.view(keys.shape[1], -1)

# %% wrong v2_unscaled: not_scaled
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% wrong v2_scaled_by_d_k: scores_scaled_already
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[-1]

# %% wrong v2_precedence: divided_by_twice_d_k
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / keys.shape[-1]**1/2

# %% wrong v2_scaled_by_d_in: scaled_by_d_in
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / x.shape[-1]**0.5

# %% wrong v2_scaled_by_tokens: divided_by_the_root_of_the_keys_number
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / len(keys)**0.5

# %% wrong v2_scaled_after_softmax: scaled_after_the_softmax
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores, dim=-1) / keys.shape[-1]**0.5

# %% wrong v2_literal_1_4142: divided_by_sqrt_2
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / 1.4142

# %% wrong v2_softmax_over_columns: softmax_over_the_queries
#: dim=-1 => dim=0

# %% wrong v2_no_softmax: no_softmax
#: torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1) => attn_scores / keys.shape[-1] ** 0.5

# %% wrong v2_blend_of_keys: values_from_w_key
#: attn_weights @ values => attn_weights @ keys

# %% wrong v2_transposed_weights: weights_transposed
#: attn_weights @ values => attn_weights.T @ values

# %% wrong v2_residual_of_queries: queries_added
#: attn_weights @ values => attn_weights @ values + queries

# %% wrong v2_tril_after_softmax: masked_afterwards
#: attn_weights @ values => attn_weights.tril() @ values

# %% wrong v2_frozen: parameters_frozen, loses 1.5
#=        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        for parameter in self.parameters():
#+            parameter.requires_grad = False

# %% wrong v2_no_super_init: no_super_init, loses 4
#-        super().__init__()

# %% wrong v2_no_self: not_stored_on_self, loses 4
#: self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias) => W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#: self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias) => W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#: self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias) => W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% wrong v2_layers_made_in_forward: not_stored_on_self, loses 4
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_in = d_in
        self.d_out = d_out
        self.qkv_bias = qkv_bias

    def forward(self, x):
        W_query = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
        W_key = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
        W_value = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
        attn_scores = W_query(x) @ W_key(x).T
        attn_weights = torch.softmax(attn_scores / self.d_out**0.5, dim=-1)
        return attn_weights @ W_value(x)

# %% wrong v2_seed_in_init: seeded_inside, loses 1.5
#=        super().__init__()
#+        torch.manual_seed(789)

# %% wrong v2_literal_sizes: other_sizes, loses 4
#: nn.Linear(d_in, d_out, bias=qkv_bias) => nn.Linear(3, 2, bias=qkv_bias)

# %% wrong v2_zeros: all_start_equal, loses 1.5
#=        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        for layer in (self.W_query, self.W_key, self.W_value):
#+            nn.init.zeros_(layer.weight)

# %% wrong v2_detached_keys: keys_cut_from_the_graph, loses 0.5
#: self.W_key(x) => self.W_key(x).detach()

# %% wrong v2_no_grad: no_gradient_at_all, loses 0.5
#-        context_vec = attn_weights @ values
#+        with torch.no_grad():
#+            context_vec = attn_weights @ values

# %% wrong v2_weights_data: weights_cut_from_the_graph, loses 0.5
#: attn_weights @ values => attn_weights.data @ values

# %% wrong v2_numpy: numpy_of_a_trained_tensor
#: queries @ keys.T => torch.from_numpy(queries.numpy() @ keys.numpy().T)

# %% wrong v2_tensor_of_a_tensor: weights_cut_from_the_graph, loses 0.5
#: queries @ keys.T => torch.tensor(queries @ keys.T)

# %% wrong v2_returns_weights: weights_returned
#: return context_vec => return attn_weights

# %% wrong v2_returns_tuple: weights_returned_first
#: return context_vec => return attn_weights, context_vec

# %% wrong v2_returns_the_factors: values_and_weights_returned
#: return context_vec => return values, attn_weights

# %% wrong v2_prints_without_return: nothing_returned
#: return context_vec => print('context vectors:', context_vec)

# %% wrong v2_input_normalised_in_place: unnamed
#=    def forward(self, x):
#+        x /= x.norm(dim=-1, keepdim=True)

# %% wrong v2_rounded: result_rounded, loses 0.5
#: return context_vec => return context_vec.round(decimals=4)

# %% wrong v2_sizes_turned: matrix_on_its_side, loses 4
#: nn.Linear(d_in, d_out, => nn.Linear(d_out, d_in,

# %% wrong v2_bias_left_on: bias_left_on, loses 1
#: d_out, bias=qkv_bias) => d_out)

# %% wrong v2_bias_on_by_default: bias_left_on, loses 1
#: qkv_bias=False => qkv_bias=True

# %% wrong v2_bias_always_off: bias_not_passed_on, loses 1
#: d_out, bias=qkv_bias) => d_out, bias=False)

# %% wrong v2_bias_has_no_default: arguments_do_not_fit, loses 1
#: qkv_bias=False => qkv_bias

# %% wrong v2_no_keyword_for_the_bias: arguments_do_not_fit, loses 1
#: d_out, qkv_bias=False) => d_out)
#: d_out, bias=qkv_bias) => d_out, bias=False)

# %% wrong v2_layer_not_called: operation
#: self.W_query(x) => x @ self.W_query
#: self.W_key(x) => x @ self.W_key
#: self.W_value(x) => x @ self.W_value

# %% wrong v2_weight_not_transposed: inner_sizes_differ
#: self.W_query(x) => x @ self.W_query.weight
#: self.W_key(x) => x @ self.W_key.weight
#: self.W_value(x) => x @ self.W_value.weight

# %% wrong v2_weight_without_its_bias: biases_not_used, loses 1
#: self.W_query(x) => x @ self.W_query.weight.T
#: self.W_key(x) => x @ self.W_key.weight.T
#: self.W_value(x) => x @ self.W_value.weight.T

# %% accepted v2_of_the_book: matmul

# %% accepted v2_einsum: einsum
#: queries @ keys.T => torch.einsum("...id,...jd->...ij", queries, keys)
#: attn_weights @ values => torch.einsum("...ij,...jd->...id", attn_weights, values)

# %% accepted v2_linear_function: functional_linear
import torch.nn.functional as F

class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = (F.linear(x, w.weight, w.bias)
                   for w in (self.W_query, self.W_key, self.W_value))
        return F.softmax(q @ k.T / q.shape[-1]**0.5, dim=-1) @ v

# %% accepted v2_scaled_dot_product_attention: library_attention
#: return context_vec => return nn.functional.scaled_dot_product_attention(queries, keys, values)

# %% accepted v2_queries_scaled_first: queries_scaled_first
#: queries @ keys.T => (queries / queries.shape[-1]**0.5) @ keys.T
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% accepted v2_both_scaled_by_the_fourth_root: both_scaled_by_the_fourth_root
#: self.W_key(x) => self.W_key(x) / self.W_key.out_features**0.25
#: self.W_query(x) => self.W_query(x) / self.W_query.out_features**0.25
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% accepted v2_width_of_the_layer: width_taken_elsewhere
#: keys.shape[-1] => self.W_key.weight.shape[0]

# %% accepted v2_d_out_kept: width_kept_on_self
#=        super().__init__()
#+        self.d_out = d_out
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / self.d_out ** 0.5, dim=-1)

# %% accepted v2_softmax_module: other_softmax_calls
#=        super().__init__()
#+        self.softmax = nn.Softmax(dim=-1)
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = self.softmax(attn_scores / keys.shape[-1] ** 0.5)

# %% accepted v2_column_layout: column_layout
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax((attn_scores / keys.shape[-1] ** 0.5).T, dim=0).T

# %% accepted v2_row_loop: row_by_row
#: queries @ keys.T => torch.stack([keys @ query for query in queries])

# %% accepted v2_baddbmm: fused_multiply_and_add
#+import math
#+
#+
#-        attn_scores = queries @ keys.T
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_scores = torch.baddbmm(
#+            torch.zeros(1, len(x), len(x)), queries[None], keys.T[None],
#+            alpha=1 / math.sqrt(keys.shape[-1]),
#+        )[0]
#+        attn_weights = torch.softmax(attn_scores, dim=-1)

# %% accepted v2_float64_inside: float64
#: attn_weights @ values => (attn_weights.double() @ values.double()).to(x.dtype)

# %% accepted v2_extras: extra_attributes
#=        super().__init__()
#+        self.scale = d_out**-0.5
#+        self.last_weights = None
#+        self.register_buffer('mask', torch.ones(8, 8).tril())
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores * self.scale, dim=-1)
#=        context_vec = attn_weights @ values
#+        self.last_weights = attn_weights

# %% accepted v2_positional_bias: bias_keyword
#: bias=qkv_bias => qkv_bias

# %% accepted v2_bias_when_asked_for: bias_keyword
#: qkv_bias=False => qkv_bias: bool = False, **kwargs
#: bias=qkv_bias => bias=True if qkv_bias else False

# %% accepted v2_other_argument_name: other_argument_names
#: forward(self, x) => forward(self, inputs)
#: (x) => (inputs)

# %% accepted v2_also_for_a_batch: batches_too
#: queries @ keys.T => queries @ keys.mT

# %% accepted v2_prints: hints_and_prints
#=        context_vec = attn_weights @ values
#+        print(context_vec.shape)

# %% accepted v2_aliases: aliases
#-class SelfAttention_v2(nn.Module):
#+from torch.nn import Linear, Module
#+
#+
#+class SelfAttention_v2(Module):
#: self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias) => self.W_query = Linear(d_in, d_out, bias=qkv_bias)
#: self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias) => self.W_key = Linear(d_in, d_out, bias=qkv_bias)
#: self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias) => self.W_value = Linear(d_in, d_out, bias=qkv_bias)

# %% accepted initialised_by_type_v2
#=        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+
#+        for module in self.modules():
#+            if type(module) is nn.Linear and module.bias is not None:
#+                nn.init.zeros_(module.bias)

# %% accepted unusual_v2_applied_to_each_part
#=        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+
#+        self.apply(self._settle)
#+
#+    def _settle(self, part):
#+        if isinstance(part, nn.Linear):
#+            part.weight.requires_grad_()

# %% accepted unusual_v2_with_buffers
#=        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+
#+        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
#+        self.register_buffer("mask", torch.ones(8, 8).tril(), persistent=False)
#+
#+

# %% accepted unusual_v2_around_another_class
class Projections(nn.Module):
    def __init__(self, d_in, d_out, bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=bias)
        self.W_key = nn.Linear(d_in, d_out, bias=bias)
        self.W_value = nn.Linear(d_in, d_out, bias=bias)

    def forward(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)


class SelfAttention_v2(Projections):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)

    def forward(self, x):
        queries, keys, values = super().forward(x)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% accepted unusual_v2_layer_that_counts
class Counting(nn.Linear):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x)


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = Counting(d_in, d_out, bias=qkv_bias)
        self.W_key = Counting(d_in, d_out, bias=qkv_bias)
        self.W_value = Counting(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

# %% base
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]

    def forward(self, x):
        queries, keys, values = (layer(x) for layer in self.layers)
        attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
        return attn_weights @ values

# %% wrong v2_plain_list: not_stored_on_self, loses 4

# %% wrong v2_plain_list_behind_properties: not_registered, loses 1
#=        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
#=
#+    W_query = property(lambda self: self.layers[0])
#+    W_key = property(lambda self: self.layers[1])
#+    W_value = property(lambda self: self.layers[2])
#+

# %% wrong v2_one_layer_reused: one_matrix_three_times, loses 4
#-        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
#+        linear = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_query = linear
#+        self.W_key = linear
#+        self.W_value = linear
#-        queries, keys, values = (layer(x) for layer in self.layers)
#+        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)

# %% wrong v2_fused_layer: not_stored_on_self, loses 4
#-        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
#+        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
#-        queries, keys, values = (layer(x) for layer in self.layers)
#+        queries, keys, values = self.qkv(x).chunk(3, dim=-1)

# %% accepted v2_module_dict: containers_of_parameters
#-        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
#+        self.layers = nn.ModuleDict({
#+            "q": nn.Linear(d_in, d_out, bias=qkv_bias),
#+            "k": nn.Linear(d_in, d_out, bias=qkv_bias),
#+            "v": nn.Linear(d_in, d_out, bias=qkv_bias),
#+        })
#+
#+    W_query = property(lambda self: self.layers["q"])
#+    W_key = property(lambda self: self.layers["k"])
#+    W_value = property(lambda self: self.layers["v"])
#-        queries, keys, values = (layer(x) for layer in self.layers)
#+        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)

# %% accepted unusual_v2_float64_layers
#-        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
#+        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.double()
#: queries, keys, values = (layer(x) for layer in self.layers) => queries, keys, values = self.W_query(x.double()), self.W_key(x.double()), self.W_value(x.double())
#: attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) => weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
#: return attn_weights @ values => return (weights @ values).to(x.dtype)

# %% accepted unusual_v2_learnable_temperature
#-        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
#+        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.log_tau = nn.Parameter(torch.zeros(1))
#: queries, keys, values = (layer(x) for layer in self.layers) => queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
#: attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) => scores = queries @ keys.T / keys.shape[-1] ** 0.5 * torch.exp(self.log_tau)
#: return attn_weights @ values => return torch.softmax(scores, dim=-1) @ values

# %% base
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

# %% accepted v2_created_key_query_value: creation_order
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% accepted added_by_name_v2

# %% accepted class_in_a_variable_v2
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        layer = nn.Linear
#+        self.W_query = layer(d_in, d_out, bias=qkv_bias)
#+        self.W_key = layer(d_in, d_out, bias=qkv_bias)
#+        self.W_value = layer(d_in, d_out, bias=qkv_bias)

# %% accepted own_kind_of_layer_v2
#+class Layer(nn.Linear):
#+    def extra_repr(self):
#+        return 'mine'
#+
#+
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        self.W_query, self.W_key, self.W_value = (Layer(d_in, d_out, bias=qkv_bias) for _ in range(3))

# %% accepted unusual_v2_in_a_helper
#=        super().__init__()
#+        self._make(d_in, d_out, qkv_bias)
#+
#+    def _make(self, *sizes):
#: self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias)) => setattr(self, name, nn.Linear(*sizes))

# %% accepted unusual_v2_on_meta_first
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias, device="meta")
#+        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias, device="meta")
#+        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias, device="meta")
#+        self.to_empty(device="cpu")
#+        for layer in (self.W_query, self.W_key, self.W_value):
#+            layer.reset_parameters()
#+
#+

# %% accepted unusual_v2_initialisation_skipped
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+            layer = nn.utils.skip_init(nn.Linear, d_in, d_out, bias=qkv_bias)
#+            layer.reset_parameters()
#+            setattr(self, name, layer)
#+
#+

# %% accepted unusual_v2_lazy_until_it_saw_a_token
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+            layer = nn.LazyLinear(d_out, bias=qkv_bias)
#+            layer(torch.zeros(1, d_in))
#+            setattr(self, name, layer)
#+
#+

# %% accepted unusual_v2_list_of_layers
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        self.layers = nn.ModuleList(nn.Linear(d_in, d_out, qkv_bias) for _ in range(3))
#+
#+    W_query = property(lambda self: self.layers[0])
#+    W_key = property(lambda self: self.layers[1])
#+    W_value = property(lambda self: self.layers[2])

# %% accepted unusual_v2_row_of_layers
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        self.row = nn.Sequential(*(nn.Linear(d_in, d_out, qkv_bias) for _ in range(3)))
#+
#+    W_query = property(lambda self: self.row[0])
#+    W_key = property(lambda self: self.row[1])
#+    W_value = property(lambda self: self.row[2])

# %% accepted unusual_v2_in_a_part_of_its_own
#=        super().__init__()
#+        self.part = nn.Module()
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+            self.part.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+
#+    W_query = property(lambda self: self.part.W_query)
#+    W_key = property(lambda self: self.part.W_key)
#+    W_value = property(lambda self: self.part.W_value)

# %% accepted unusual_v2_bias_put_in_later
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+            layer = nn.Linear(d_in, d_out, bias=False)
#+            if qkv_bias:
#+                layer.bias = nn.Parameter(torch.zeros(d_out))
#+            setattr(self, name, layer)
#+
#+

# %% accepted unusual_v2_weight_given_anew
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+            layer = nn.Linear(d_in, d_out, bias=qkv_bias)
#+            layer.weight = nn.Parameter(layer.weight.detach().clone())
#+            setattr(self, name, layer)
#+
#+

# %% accepted unusual_v2_options_in_a_dictionary
#-        for name in ("W_query", "W_key", "W_value"):
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+        options = dict(in_features=d_in, out_features=d_out, bias=qkv_bias, dtype=torch.float32)
#+        self.W_query, self.W_key, self.W_value = [nn.Linear(**options) for _ in "qkv"]
#+
#+

# %% accepted unusual_v2_by_the_bare_dictionary
#: super().__init__() => nn.Module.__init__(self)
#-            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
#+            self._modules[name] = nn.Linear(d_in, d_out, bool(qkv_bias))
#+
#+
