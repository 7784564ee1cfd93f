# Ways to write `MultiHeadAttention`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        keys = keys.view(b, num_tokens, self.num_heads, self.head_dim)
        queries = queries.view(b, num_tokens, self.num_heads, self.head_dim)
        values = values.view(b, num_tokens, self.num_heads, self.head_dim)
        keys = keys.transpose(1, 2)
        queries = queries.transpose(1, 2)
        values = values.transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        mask = self.mask.bool()[:num_tokens, :num_tokens]
        attn_scores.masked_fill_(mask, -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.d_out)
        context_vec = self.out_proj(context_vec)
        return context_vec

# %% wrong heads_by_d_out: scaled_by_d_out
#: keys.shape[-1] ** 0.5 => self.d_out ** 0.5

# %% wrong heads_by_d_in: scaled_by_d_in
#: keys.shape[-1] ** 0.5 => d_in ** 0.5

# %% wrong heads_unscaled: not_scaled
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores

# %% wrong heads_by_the_width: divided_by_d_k
#: keys.shape[-1] ** 0.5 => self.head_dim

# %% wrong heads_by_the_tokens: divided_by_the_root_of_the_keys_number
#: keys.shape[-1] ** 0.5 => keys.shape[-2] ** 0.5

# %% wrong heads_no_mask: not_masked
#-        attn_scores.masked_fill_(mask, -torch.inf)

# %% wrong heads_masked_with_zero: zero_before_the_softmax
#: -torch.inf => 0

# %% wrong heads_masked_afterwards: masked_after_the_softmax
#-        attn_scores.masked_fill_(mask, -torch.inf)
#: self.dropout(attn_weights) => self.dropout(attn_weights.masked_fill(mask, 0.0))

# %% wrong heads_diagonal_masked: diagonal_hidden
#: , diagonal=1)) => ))

# %% wrong heads_next_visible: next_key_visible
#: diagonal=1 => diagonal=2

# %% wrong heads_tril: visible_keys_marked
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.tril(torch.ones(context_length, context_length))

# %% wrong heads_values_from_keys: values_from_w_key
#: self.W_value(x) => self.W_key(x)

# %% wrong heads_queries_from_keys: queries_from_w_key
#: self.W_query(x) => self.W_key(x)

# %% wrong heads_keys_from_values: keys_from_w_value
#: keys = self.W_key(x) => keys = self.W_value(x)

# %% wrong heads_view_only: tokens_and_heads_mixed
#: b, num_tokens, self.num_heads, self.head_dim => b, self.num_heads, num_tokens, self.head_dim
#-        keys = keys.transpose(1, 2)
#-        queries = queries.transpose(1, 2)
#-        values = values.transpose(1, 2)

# %% wrong heads_not_transposed: unnamed, loses 5
#-        keys = keys.transpose(1, 2)
#-        queries = queries.transpose(1, 2)
#-        values = values.transpose(1, 2)

# %% wrong heads_view_back_only: heads_not_moved_back
#: (attn_weights @ values).transpose(1, 2) => attn_weights @ values

# %% wrong heads_no_out_proj: out_proj_left_out
#-        context_vec = self.out_proj(context_vec)

# %% wrong heads_out_proj_not_kept: out_proj_left_out
#: context_vec = self.out_proj(context_vec) => self.out_proj(context_vec)

# %% wrong heads_out_proj_weight: out_proj_without_its_bias
#: self.out_proj(context_vec) => context_vec @ self.out_proj.weight.T

# %% wrong heads_out_proj_twice: out_proj_twice
#: return context_vec => return self.out_proj(context_vec)

# %% wrong heads_out_proj_without_bias: bias_not_passed_on, loses 1
#: nn.Linear(d_out, d_out) => nn.Linear(d_out, d_out, bias=False)

# %% wrong heads_softmax_over_queries: softmax_over_the_queries
#: dim=-1 => dim=-2

# %% wrong heads_softmax_over_heads: unnamed
#: dim=-1 => dim=1

# %% wrong heads_assert: unnamed, loses 0.5
#-        if d_out % num_heads != 0:
#-            raise ValueError("d_out must be divisible by num_heads")
#+        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"

# %% wrong heads_not_refused: unequal_heads_not_refused, loses 0.5
#-        if d_out % num_heads != 0:
#-            raise ValueError("d_out must be divisible by num_heads")

# %% wrong heads_always_refused: unnamed, loses 6
#: != 0 => == 0

# %% wrong heads_mask_not_cut: unnamed, loses 5
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask.bool()

# %% wrong heads_mask_on_self: mask_is_no_buffer, loses 0.5
#-        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
#+        self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)

# %% wrong heads_mask_not_stored: mask_not_stored, loses 0.5
#: diagonal=1)) => diagonal=1), persistent=False)

# %% wrong heads_own_mask_in_forward: buffer_not_used, loses 0.5
#: self.mask.bool()[:num_tokens, :num_tokens] => torch.ones(num_tokens, num_tokens).triu(1).bool()

# %% wrong heads_no_dropout: nothing_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)

# %% wrong heads_output_dropped: output_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: return context_vec => return self.dropout(context_vec)

# %% wrong heads_context_dropped: heads_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: self.out_proj(context_vec) => self.out_proj(self.dropout(context_vec))

# %% wrong heads_values_dropped: values_dropped, loses 0.5
#-        attn_weights = self.dropout(attn_weights)
#: attn_weights @ values => attn_weights @ self.dropout(values)

# %% wrong heads_dropout_not_passed: dropout_of_one_half, loses 0.5
#: nn.Dropout(dropout) => nn.Dropout()

# %% wrong heads_always_dropping: dropped_in_eval_mode
#: self.dropout(attn_weights) => nn.functional.dropout(attn_weights, self.dropout.p)

# %% wrong heads_weights_detached: weights_cut_from_the_graph, loses 0.5
#: self.dropout(attn_weights) => self.dropout(attn_weights).detach()

# %% wrong heads_no_gradient: no_gradient_at_all, loses 0.5
#: return context_vec => return context_vec.data

# %% wrong heads_bias_on: bias_left_on, loses 1
#: d_out, bias=qkv_bias) => d_out)

# %% wrong heads_bias_off: bias_not_passed_on, loses 1
#: bias=qkv_bias => bias=False

# %% wrong heads_seeded: seeded_inside, loses 1
#=        super().__init__()
#+        torch.manual_seed(123)

# %% wrong heads_frozen: parameters_frozen
#=        self.out_proj = nn.Linear(d_out, d_out)
#+        self.requires_grad_(False)

# %% wrong heads_returns_weights_too: weights_returned_too
#: return context_vec => return context_vec, attn_weights

# %% wrong heads_fused_layer: not_stored_on_self, loses 6
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.dropout = dropout

    def forward(self, x):
        b, n, _ = x.shape
        qkv = self.qkv(x).view(b, n, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        out = nn.functional.scaled_dot_product_attention(*qkv, is_causal=True)
        return self.proj(out.transpose(1, 2).flatten(2))

# %% wrong heads_of_the_library: not_stored_on_self, loses 6
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError
        self.attention = nn.MultiheadAttention(d_out, num_heads, dropout, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)[0]

# %% wrong heads_third_axis_of_values: unnamed, loses 5
#: values = values.transpose(1, 2) => values = values.transpose(1, 3)

# %% accepted heads_all_reshape: view_or_reshape
#: .contiguous().view( => .reshape(
#: keys.view( => keys.reshape(

# %% accepted heads_permuted: view_or_reshape
#: keys = keys.transpose(1, 2) => keys = keys.permute(0, 2, 1, 3)
#: queries = queries.transpose(1, 2) => queries = queries.permute(0, 2, 1, 3)
#: values = values.transpose(1, 2) => values = values.permute(0, 2, 1, 3)

# %% accepted heads_keys_for_the_product: view_or_reshape
#: keys = keys.transpose(1, 2) => keys = keys.permute(0, 2, 3, 1)
#: keys.transpose(2, 3) => keys
#: keys.shape[-1] ** 0.5 => self.head_dim ** 0.5

# %% accepted heads_einsum: einsum
#-        keys = keys.transpose(1, 2)
#-        queries = queries.transpose(1, 2)
#-        values = values.transpose(1, 2)
#: queries @ keys.transpose(2, 3) => torch.einsum("bqhd,bkhd->bhqk", queries, keys)
#: (attn_weights @ values).transpose(1, 2) => torch.einsum("bhqk,bkhd->bqhd", attn_weights, values)

# %% accepted heads_by_chunks: parts_stacked
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out} numbers cannot be shared among {num_heads} heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        length = x.size(1)
        out = []
        parts = (layer(x).chunk(self.num_heads, -1) for layer in (self.W_query, self.W_key, self.W_value))
        for q, k, v in zip(*parts):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(k.size(-1))
            scores = scores.masked_fill(self.mask[:length, :length] == 0, float("-inf"))
            out.append(torch.bmm(self.drop(scores.softmax(-1)), v))
        return self.out_proj(torch.cat(out, -1))

# %% accepted heads_additive_buffer: other_masks
#: torch.triu(torch.ones(context_length, context_length), diagonal=1) => torch.full((context_length, context_length), -torch.inf).triu(1)[None, None]
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask[:, :, :num_tokens, :num_tokens]
#: attn_scores.masked_fill_(mask, -torch.inf) => attn_scores = attn_scores + mask

# %% accepted heads_mask_unsqueezed: other_masks
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask.bool()[:num_tokens, :num_tokens].unsqueeze(0).unsqueeze(0)

# %% accepted heads_library_with_the_mask: library_attention
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out} numbers cannot be shared among {num_heads} heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        length = x.shape[1]
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        out = nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=self.mask[:length, :length], dropout_p=self.dropout.p * self.training
        )
        return self.out_proj(out.transpose(1, 2).flatten(-2))

# %% accepted heads_from_the_steps: view_or_reshape
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("unequal heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.W_query, self.W_key, self.W_value))
        b, h, t, w = q.shape
        mask = self.mask[:t, :t]
        weights = causal_weights(q.flatten(0, 1), k.flatten(0, 1), mask).view(b, h, t, t)
        return self.out_proj(merge_heads(self.dropout(weights) @ v))
