# Slips with batches, masks and heads.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% mask_used_whole in causal_multihead: CausalAttention, lost 3.5
# says: of shape (6, 6) | `self.mask.bool()` is a tensor of shape (6, 6), bool, with `self.mask` of line
# never says: different number of columns
# line: self.mask.bool(), -torch.inf
# fix: self.mask.bool(), => self.mask.bool()[:num_tokens, :num_tokens],
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask.bool()

# %% mask_used_whole_by_another_name in causal_multihead: MultiHeadAttention, lost 5
# says: `mask` is a tensor of shape (7, 7) | `attn_scores` is a tensor of shape (2, 3, 4, 4) | `mask` is a tensor of shape (7, 7), bool
# fix: self.mask.bool() => self.mask.bool()[:num_tokens, :num_tokens]
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask.bool()

# %% mask_given_whole_to_a_step in causal_multihead: CausalAttention, lost 3.5
# says: `mask` = a tensor of shape (6, 6) | Is the mask cut to the number of tokens?
# fix: keys, self.mask.bool()) => keys, self.mask.bool()[:num_tokens, :num_tokens])
#-        attn_scores = queries @ keys.transpose(1, 2)
#-        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = causal_weights(queries, keys, self.mask.bool())

# %% buffer_without_self in causal_multihead: CausalAttention, lost 3.5
# says: There is no variable `mask` here. The module has `self.mask`
# line: masked_fill_(mask.bool()
# fix: (mask.bool() => (self.mask.bool()
#: self.mask.bool() => mask.bool()

# %% assert_for_an_exception in causal_multihead: MultiHeadAttention, lost 0.5
# says: ValueError must be raised, not AssertionError
# never says: inputs of other sizes
# fix: assert d_out % num_heads == 0 => if d_out % num_heads: raise ValueError(d_out)
#-        if d_out % num_heads != 0:
#-            raise ValueError("d_out must be divisible by num_heads")
#+        assert d_out % num_heads == 0

# %% axes_of_a_whole_batch_turned in causal_multihead: causal_weights, lost 3
# says: `queries` is a tensor of shape (2, 5, 3) | `keys.T` is a tensor of shape (3, 5, 2)
# line: queries @ keys.T
# fix: keys.T => keys.mT
def causal_weights(queries, keys, mask):
    scores = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% view_behind_a_transpose in causal_multihead: merge_heads, lost 1
# says: the numbers no longer stand in memory in their order
# line: .transpose(1, 2).view(
# fix: .view( => .reshape(
def merge_heads(x):
    size, heads, length, width = x.shape
    return x.transpose(1, 2).view(size, length, heads * width)

# %% width_is_a_float in causal_multihead: split_heads, lost 1
# says: has to be a whole number | `width / num_heads` is a number (float)
# line: width / num_heads
# fix: width / num_heads => width // num_heads
def split_heads(x, num_heads):
    size, length, width = x.shape
    return x.view(size, length, num_heads, width / num_heads).transpose(1, 2)

# %% width_is_a_float_from_init in causal_multihead: MultiHeadAttention, lost 5
# says: has to be a whole number | `self.head_dim` is a number (float), made in line | `d_out / num_heads`
# fix: d_out / num_heads => d_out // num_heads
#: d_out // num_heads => d_out / num_heads
