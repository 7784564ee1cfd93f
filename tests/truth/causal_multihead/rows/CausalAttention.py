# Ways to write `CausalAttention`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vec = attn_weights @ values
        return context_vec

# %% wrong causal_values_from_keys: values_from_w_key
#: self.W_value(x) => self.W_key(x)

# %% wrong causal_queries_and_keys_swapped: queries_and_keys_swapped
#: keys = self.W_key(x) => keys = self.W_query(x)
#: queries = self.W_query(x) => queries = self.W_key(x)

# %% wrong causal_keys_and_values_swapped: keys_and_values_swapped
#: keys = self.W_key(x) => keys = self.W_value(x)
#: values = self.W_value(x) => values = self.W_key(x)

# %% wrong causal_queries_and_values_swapped: queries_and_values_swapped
#: queries = self.W_query(x) => queries = self.W_value(x)
#: values = self.W_value(x) => values = self.W_query(x)

# %% wrong causal_keys_from_the_query_layer: keys_from_w_query
#: keys = self.W_key(x) => keys = self.W_query(x)

# %% wrong causal_queries_from_the_key_layer: queries_from_w_key
#: queries = self.W_query(x) => queries = self.W_key(x)

# %% wrong causal_keys_from_the_value_layer: keys_from_w_value
#: keys = self.W_key(x) => keys = self.W_value(x)

# %% wrong causal_queries_from_the_value_layer: queries_from_w_value
#: queries = self.W_query(x) => queries = self.W_value(x)

# %% wrong causal_values_from_the_query_layer: values_from_w_query
#: self.W_value(x) => self.W_query(x)

# %% wrong causal_by_d_in: scaled_by_d_in
#: keys.shape[-1] ** 0.5 => d_in ** 0.5

# %% wrong causal_unscaled: not_scaled
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% wrong causal_by_the_tokens: divided_by_the_root_of_the_keys_number
#: keys.shape[-1] ** 0.5 => num_tokens ** 0.5

# %% wrong causal_no_mask: not_masked
#-        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)

# %% wrong causal_mask_not_kept: not_masked
#: masked_fill_ => masked_fill

# %% wrong causal_mask_with_tril: visible_keys_marked
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.tril(torch.ones(context_length, context_length))

# %% wrong causal_diagonal_masked: diagonal_hidden
#: , diagonal=1)) => ))

# %% wrong causal_past_masked: past_hidden
#: torch.triu => torch.tril
#: diagonal=1 => diagonal=-1

# %% wrong causal_filled_with_zero: zero_before_the_softmax
#: -torch.inf => 0

# %% wrong causal_masked_weights: masked_after_the_softmax
#-        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = attn_weights.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], 0)

# %% wrong causal_softmax_dim_one: softmax_over_the_queries
#: dim=-1 => dim=1

# %% wrong causal_softmax_dim_zero: softmax_over_the_sequences
#: dim=-1 => dim=0

# %% wrong causal_returns_weights: weights_returned
#: return context_vec => return attn_weights

# %% wrong causal_returns_both: weights_returned_too
#: return context_vec => return context_vec, attn_weights

# %% wrong causal_returns_nothing: nothing_returned
#-        return context_vec

# %% wrong causal_mask_not_cut: unnamed, loses 3.5
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask.bool()

# %% wrong causal_mask_cut_once: unnamed, loses 3.5
#: [:num_tokens, :num_tokens] => [:num_tokens]

# %% wrong causal_float_mask: unnamed, loses 3.5
#: self.mask.bool() => self.mask

# %% wrong causal_all_axes_turned: unnamed, loses 3.5
#: keys.transpose(1, 2) => keys.T

# %% wrong causal_no_gradient: no_gradient_at_all, loses 0.5
#: return context_vec => return context_vec.detach()

# %% wrong causal_weights_detached: weights_cut_from_the_graph, loses 0.5
#: self.dropout(attn_weights) => self.dropout(attn_weights.detach())

# %% wrong causal_queries_detached: queries_cut_from_the_graph, loses 0.5
#: self.W_query(x) => self.W_query(x).detach()

# %% wrong causal_keys_detached: keys_cut_from_the_graph, loses 0.5
#: self.W_key(x) => self.W_key(x).data

# %% wrong causal_values_detached: values_cut_from_the_graph, loses 0.5
#: self.W_value(x) => self.W_value(x).detach()

# %% wrong causal_biases_unused: biases_not_used, loses 0.5
#: self.W_key(x) => x @ self.W_key.weight.T
#: self.W_query(x) => x @ self.W_query.weight.T
#: self.W_value(x) => x @ self.W_value.weight.T

# %% wrong causal_bias_on: bias_left_on, loses 0.5
#: d_out, bias=qkv_bias) => d_out)

# %% wrong causal_bias_off: bias_not_passed_on, loses 0.5
#: bias=qkv_bias => bias=False

# %% wrong causal_one_layer: one_layer_three_times
#-        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#-        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_key = self.W_value = self.W_query

# %% wrong causal_layers_in_a_dict: not_registered
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    W_query = property(lambda self: self.layers[0])
    W_key = property(lambda self: self.layers[1])
    W_value = property(lambda self: self.layers[2])

    def forward(self, x):
        num_tokens = x.shape[1]
        queries, keys, values = (layer(x) for layer in self.layers)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return self.dropout(attn_weights) @ values

# %% wrong causal_frozen: parameters_frozen
#=        self.dropout = nn.Dropout(dropout)
#+        for parameter in self.parameters():
#+            parameter.requires_grad = False

# %% wrong causal_seeded: seeded_inside, loses 0.5
#=        super().__init__()
#+        torch.manual_seed(123)

# %% wrong causal_zeros: all_start_equal, loses 0.5
#=        self.dropout = nn.Dropout(dropout)
#+        for layer in (self.W_query, self.W_key, self.W_value):
#+            nn.init.zeros_(layer.weight)

# %% wrong causal_mask_on_self: mask_is_no_buffer, loses 0.5
#-        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
#+        self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)

# %% wrong causal_mask_in_forward: mask_is_no_buffer, loses 0.5
#-        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
#: self.mask.bool()[:num_tokens, :num_tokens] => torch.ones(num_tokens, num_tokens).triu(1).bool()

# %% wrong causal_buffer_of_another_name: mask_is_no_buffer, loses 0.5
#: "mask", => "tril",
#: self.mask => self.tril

# %% wrong causal_buffer_not_used: buffer_not_used, loses 0.5
#: self.mask.bool()[:num_tokens, :num_tokens] => torch.ones(num_tokens, num_tokens).triu(1).bool()

# %% wrong causal_mask_as_parameter: buffer_not_used, loses 0.5
#-        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
#+        self.mask = nn.Parameter(torch.ones(context_length, context_length).triu(1), requires_grad=False)

# %% wrong causal_mask_not_stored: mask_not_stored, loses 0.5
#: diagonal=1)) => diagonal=1), persistent=False)

# %% wrong causal_library_is_causal: mask_is_no_buffer, loses 1
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        return nn.functional.scaled_dot_product_attention(
            self.W_query(x), self.W_key(x), self.W_value(x), is_causal=True
        )

# %% wrong causal_no_dropout: nothing_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)

# %% wrong causal_dropout_not_kept: nothing_dropped, loses 0.5
#: attn_weights = self.dropout(attn_weights) => self.dropout(attn_weights)

# %% wrong causal_scores_dropped: nothing_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: queries @ keys.transpose(1, 2) => self.dropout(queries @ keys.transpose(1, 2))

# %% wrong causal_masked_scores_dropped: unnamed, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: torch.softmax(attn_scores / => torch.softmax(self.dropout(attn_scores) /

# %% wrong causal_always_dropping: dropped_in_eval_mode
#: self.dropout(attn_weights) => nn.functional.dropout(attn_weights, self.dropout.p)

# %% wrong causal_output_dropped: output_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: attn_weights @ values => self.dropout(attn_weights @ values)

# %% wrong causal_values_dropped: values_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: attn_weights @ values => attn_weights @ self.dropout(values)

# %% wrong causal_tokens_dropped: tokens_dropped, loses 0.5
#: attn_weights = self.dropout(attn_weights) => attn_weights = attn_weights
#: b, num_tokens, d_in = x.shape => b, num_tokens, d_in = x.shape; x = self.dropout(x)

# %% wrong causal_both_dropped: output_dropped_too, loses 0.5
#: attn_weights @ values => self.dropout(attn_weights @ values)

# %% wrong causal_keep_probability: dropout_turned_round, loses 0.5
#: nn.Dropout(dropout) => nn.Dropout(1 - dropout)

# %% wrong causal_dropout_default: dropout_of_one_half, loses 0.5
#: nn.Dropout(dropout) => nn.Dropout()

# %% wrong causal_dropout_tenth: dropout_of_one_tenth, loses 0.5
#: nn.Dropout(dropout) => nn.Dropout(0.1)

# %% wrong causal_no_self: not_stored_on_self, loses 4
#: self.W_query = nn => W_query = nn
#: self.W_key = nn => W_key = nn
#: self.W_value = nn => W_value = nn

# %% wrong causal_one_fused_layer: not_stored_on_self, loses 4
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        queries, keys, values = self.qkv(x).chunk(3, dim=-1)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return self.dropout(attn_weights) @ values

# %% wrong causal_no_super: no_super_init, loses 4
#-        super().__init__()

# %% wrong causal_exchanged_factors: unnamed, loses 3.5
#: attn_weights @ values => values @ attn_weights

# %% accepted causal_keyword_sizes: bias_keyword
#: nn.Linear(d_in, d_out, bias=qkv_bias) => nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)

# %% accepted causal_tril_buffer: other_masks
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.tril(torch.ones(context_length, context_length))
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask[:num_tokens, :num_tokens] == 0

# %% accepted causal_bool_buffer: other_masks
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.ones(context_length, context_length, dtype=torch.bool).triu(1)
#: self.mask.bool() => self.mask

# %% accepted causal_additive_buffer: other_masks
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.full((context_length, context_length), -torch.inf).triu(1)
#: attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf) => attn_scores = attn_scores + self.mask[:num_tokens, :num_tokens]

# %% accepted causal_buffer_with_four_axes: other_masks
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.tril(torch.ones(context_length, context_length)).view(1, 1, context_length, context_length)
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask[0, :, :num_tokens, :num_tokens] == 0

# %% accepted causal_attribute_of_a_buffer: other_masks
#-        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
#+        self.register_buffer("mask", None)
#+        self.mask = torch.ones(context_length, context_length).triu(1)

# %% accepted causal_einsum: einsum
#: queries @ keys.transpose(1, 2) => torch.einsum("bqd,bkd->bqk", queries, keys)
#: attn_weights @ values => torch.einsum("bqk,bkd->bqd", attn_weights, values)

# %% accepted causal_bmm: mm_or_bmm
#: queries @ keys.transpose(1, 2) => torch.bmm(queries, keys.mT)
#: attn_weights @ values => torch.bmm(attn_weights, values)

# %% accepted causal_by_d_out: width_kept_on_self
#: keys.shape[-1] ** 0.5 => self.d_out ** 0.5

# %% accepted causal_library_with_the_mask: library_attention
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = dropout
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def forward(self, x):
        num_tokens = x.size(1)
        return nn.functional.scaled_dot_product_attention(
            self.W_query(x),
            self.W_key(x),
            self.W_value(x),
            attn_mask=self.mask[:num_tokens, :num_tokens],
            dropout_p=self.dropout if self.training else 0.0,
        )

# %% accepted causal_functional_dropout: dropout_by_function
#: self.dropout(attn_weights) => nn.functional.dropout(attn_weights, self.dropout.p, self.training)

# %% accepted causal_dropout_by_hand: dropout_by_function
#-        attn_weights = self.dropout(attn_weights)
#+        if self.training:
#+            kept = torch.rand(attn_weights.shape) >= self.dropout.p
#+            attn_weights = attn_weights * kept / (1 - self.dropout.p)

# %% accepted causal_renormalised: renormalised
#-        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = attn_weights * (1 - self.mask[:num_tokens, :num_tokens])
#+        attn_weights = attn_weights / attn_weights.sum(dim=-1, keepdim=True)

# %% accepted causal_layers_in_another_order
#-        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#-        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#-        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
