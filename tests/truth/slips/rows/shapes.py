# Shapes that do not fit, in batches and heads: which of the sizes in the line is another one than meant.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% all_axes_turned in causal_multihead: causal_weights, lost 3
# says: `keys.T` is a tensor of shape (3, 5, 2) | `queries` is a tensor of shape (2, 5, 3)
# fix: keys.T => keys.transpose(-2, -1)
def causal_weights(queries, keys, mask):
    scores = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% all_axes_turned_a_line_before in causal_multihead: causal_weights, lost 3
# says: `queries` is a tensor of shape (2, 5, 3) | `turned` is a tensor of shape (3, 5, 2)
def causal_weights(queries, keys, mask):
    turned = keys.T
    scores = torch.matmul(queries, turned)
    scores = scores / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% the_first_two_axes_turned in causal_multihead: causal_weights, lost 3
# says: `queries` is a tensor of shape (2, 5, 3) | `keys.transpose(0, 1)` is a tensor of shape (5, 2, 3)
# never says: turns the order of all axes round
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(0, 1) / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% nothing_turned_in_a_batch in causal_multihead: causal_weights, lost 3
# says: `queries` is a tensor of shape (2, 5, 3) | `keys` is a tensor of shape (2, 5, 3)
def causal_weights(queries, keys, mask):
    scores = queries @ keys / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% a_triangle_as_long_as_the_batch in causal_multihead: causal_weights, lost 3
# says: `weights` is a tensor of shape (2, 5, 5) | `kept` is a tensor of shape (2, 2), made in line
# never says: Is a matrix product meant
def causal_weights(queries, keys, mask):
    weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    length = weights.shape[0]
    kept = torch.tril(torch.ones(length, length))
    shares = weights * kept
    return shares / shares.sum(dim=-1, keepdim=True)

# %% a_mask_as_an_index in causal_multihead: causal_weights, lost 3
# says: `mask` is a tensor of shape (5, 5) | `mask` is a tensor of shape (5, 5), bool | `float("-inf")` is a number (float)
def causal_weights(queries, keys, mask):
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    scores[mask] = float("-inf")
    return torch.softmax(scores, dim=-1)

# %% two_places_for_three_axes in causal_multihead: causal_weights, lost 3
# says: (2, 5, 5) | `row` is from the loop of line | `column` is from the loop of line
# never says: the same in each round
def causal_weights(queries, keys, mask):
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    for row in range(len(mask)):
        for column in range(len(mask)):
            if mask[row, column]:
                scores[row, column] = -torch.inf
    return torch.softmax(scores, dim=-1)

# %% letters_for_one_text in causal_multihead: causal_weights, lost 3
# says: `queries` is a tensor of shape (2, 5, 3) | `keys` is a tensor of shape (2, 5, 3)
# never says: no batch axis
def causal_weights(queries, keys, mask):
    scores = torch.einsum("qd,kd->qk", queries, keys) / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% columns_of_a_batch in causal_multihead: causal_weights, lost 3
# says: `queries @ keys.mT / keys.shape[1] ** 0.5` is the first value that is not right | `queries @ keys.mT` is right
# never says: the mask or the softmax
def causal_weights(queries, keys, mask):
    scores = queries @ keys.mT / keys.shape[1] ** 0.5 + mask * -1e9
    return torch.softmax(scores, dim=1)

# %% the_mask_compared_with_zero in causal_multihead: causal_weights, lost 3
# says: acts the wrong way round | True means hidden
# never says: divided by the square root of d_k?
def causal_weights(queries, keys, mask):
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask == 0, -1e9), dim=-1)

# %% the_mask_added_to_raw_scores in causal_multihead: causal_weights, lost 3
# says: The mask was added to the scores
def causal_weights(queries, keys, mask):
    scores = queries @ keys.mT + mask
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)

# %% a_shape_with_too_few_names in causal_multihead: split_heads, lost 1
# says: `x.shape` is the tuple (2, 4, 15)
# never says: How many parts does the right-hand side have
def split_heads(x, num_heads):
    tokens, width = x.shape
    return x.reshape(tokens, num_heads, width // num_heads).transpose(0, 1)

# %% a_shape_with_too_many_names in causal_multihead: split_heads, lost 1
# says: `x.size()` is the tuple (2, 4, 15)
def split_heads(x, num_heads):
    sequences, heads, tokens, width = x.size()
    return x.reshape(sequences, tokens, num_heads, width // num_heads).transpose(1, 2)

# %% the_whole_width_for_each_head in causal_multihead: split_heads, lost 1
# says: `num_heads` is the number 3 | `width` is the number 15
# never says: ask for another shape at all
def split_heads(x, num_heads):
    sequences, tokens, width = x.shape
    return x.view(sequences, tokens, num_heads, width).transpose(1, 2)

# %% two_sizes_from_the_wrong_axes in causal_multihead: split_heads, lost 1
# says: `tokens` is the number 15 | `width // num_heads` is the number 1
# never says: 3 here. With it
def split_heads(x, num_heads):
    sequences, width, tokens = x.shape
    return x.view(sequences, tokens, num_heads, width // num_heads).transpose(1, 2)

# %% a_width_with_a_point in causal_multihead: split_heads, lost 1
# says: has to be a whole number | `width / num_heads` is a number (float)
# fix: width / num_heads => width // num_heads
def split_heads(x, num_heads):
    sequences, tokens, width = x.shape
    return x.view(sequences, tokens, num_heads, width / num_heads).transpose(1, 2)

# %% a_width_by_the_number_of_heads in causal_multihead: MultiHeadAttention, lost 5
# says: `self.head_dim` is the number 45, made in line | `d_out * num_heads` | `self.num_heads` is the number 3
#: d_out // num_heads => d_out * num_heads

# %% a_number_in_a_view in causal_multihead: merge_heads, lost 1
# says: `sequences` is the number 4 | `tokens` is the number 5
def merge_heads(x):
    sequences, _, tokens, _ = x.shape
    return x.transpose(1, 2).reshape(sequences, tokens, 4)

# %% heads_left_behind_the_tokens in causal_multihead: MultiHeadAttention, lost 5
# says: `attn_scores` is a tensor of shape (2, 4, 3, 3) | `mask` is a tensor of shape (4, 4)
# says: the heads stand in front of the tokens
#-        keys = keys.transpose(1, 2)
#-        queries = queries.transpose(1, 2)
#-        values = values.transpose(1, 2)

# %% a_mask_for_all_tokens in causal_multihead: CausalAttention, lost 3.5
# says: `self.mask.bool()` is a tensor of shape (6, 6), bool, with `self.mask` of line
# never says: Side by side means
#: self.mask.bool()[:num_tokens, :num_tokens] => self.mask.bool()

# %% a_whole_mask_for_the_own_step in causal_multihead: CausalAttention, lost 3.5
# says: `mask` = a tensor of shape (6, 6) | Is the mask cut to the number of tokens?
#-        attn_scores = queries @ keys.transpose(1, 2)
#-        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = causal_weights(queries, keys, self.mask.bool())

# %% the_cause_stands_in_the_head in causal_multihead: MultiHeadAttentionWrapper, lost 3.5
# says: This step calls your `CausalAttention`, which is not right yet: fix that first.
# never says: which is right by itself
#: torch.cat([head => torch.cat([head
# in: CausalAttention
#: queries @ keys.transpose(1, 2) => queries @ keys.T

# %% a_head_after_the_other in causal_multihead: MultiHeadAttentionWrapper, lost 1.5
# says: calls your `CausalAttention`, which is right, with something that it does not take
# never says: `context_length` = int
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        for head in self.heads:
#+            x = head(x)
#+        return x

# %% heads_called_as_a_list in causal_multihead: MultiHeadAttentionWrapper, lost 1.5
# says: calls a ModuleList | are called one by one
# never says: Perhaps only its parameters are needed
#: return torch.cat([head(x) for head in self.heads], dim=-1) => return torch.cat(self.heads(x), dim=-1)

# %% one_head_too_few in causal_multihead: MultiHeadAttentionWrapper, lost 2
# says: it holds fewer than were asked for
# never says: `self.2 = ...`
#: range(num_heads) => range(2)

# %% heads_with_a_part_of_the_width in causal_multihead: MultiHeadAttentionWrapper, lost 2
# says: `heads.0.W_query` has shape (1, 6); (5, 6) was expected | CausalAttention(d_in, d_out // num_heads
# line: self.heads = nn.ModuleList(
# never says: a size is written into the code as a number
#: CausalAttention(d_in, d_out, => CausalAttention(d_in, d_out // num_heads,

# %% heads_with_sizes_exchanged in causal_multihead: MultiHeadAttentionWrapper, lost 2
# says: Where `heads` is made
# never says: nn.Linear takes
#: CausalAttention(d_in, d_out, => CausalAttention(d_out, d_in,

# %% a_layer_after_the_heads in causal_multihead: MultiHeadAttentionWrapper, lost 1.5
# says: the outer call in `self.mix(torch.cat([head(x) for head in self.heads], dim=-1))` does not belong there. | `self.mix(torch.cat([head(x) for head in self.heads], dim=-1)
# says: the outer call in `self.mix(torch.cat([head(x) for head in self.heads], dim=-1))` does not belong there.
# line: return self.mix(
#=        super().__init__()
#+        self.mix = nn.Linear(num_heads * d_out, num_heads * d_out)
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        return self.mix(torch.cat([head(x) for head in self.heads], dim=-1))

# %% a_layer_from_d_in in causal_multihead: MultiHeadAttention, lost 6
# says: Line | makes it: `nn.Linear(d_in, d_out)`
# never says: a size is written into the code as a number
#: self.out_proj = nn.Linear(d_out, d_out) => self.out_proj = nn.Linear(d_in, d_out)

# %% another_exception_by_assert in causal_multihead: MultiHeadAttention, lost 0.5
# says: ValueError must be raised, not AssertionError
# never says: does it hold for inputs of other sizes
#-        if d_out % num_heads != 0:
#-            raise ValueError("d_out must be divisible by num_heads")
#+        assert d_out % num_heads == 0, "the heads have unequal widths"

# %% another_exception_by_raise in causal_multihead: MultiHeadAttention, lost 0.5
# says: ValueError must be raised, not TypeError | What is left over when d_out is divided
# never says: these inputs are allowed
#: raise ValueError("d_out => raise TypeError("d_out

# %% a_length_that_is_refused in causal_multihead: CausalAttention, lost 3.5
# says: This line is a `raise` of your own, and it ran
#=        b, num_tokens, d_in = x.shape
#+        if num_tokens != self.mask.shape[0]:
#+            raise ValueError("a text of another length")

# %% a_bias_of_the_wrong_layer in causal_multihead: MultiHeadAttention, lost 1
# says: out_proj: None came back; a Parameter of shape (15,), float32 was expected | not to out_proj?
#: nn.Linear(d_out, d_out) => nn.Linear(d_out, d_out, bias=qkv_bias)

# %% layers_without_a_bias in scaled_dot_product: make_projections, lost 1
# says: w_query, bias: None came back; a Parameter of shape (4,), float32 was expected
def make_projections(width):
    keys, queries, values = (nn.Linear(width, width, bias=False) for _ in range(3))
    return queries, keys, values

# %% one_layer_for_three_parts in scaled_dot_product: project, lost 1
# says: `w_query(tokens).split(tokens.shape[-1], dim=-1)` is a tuple of 1
def project(tokens, w_query, w_key, w_value):
    q, k, v = w_query(tokens).split(tokens.shape[-1], dim=-1)
    return q, k, v

# %% the_axis_of_a_layer in scaled_dot_product: attention_weights, lost 1
# says: `share` is a layer (Softmax), made in line | `nn.Softmax(dim=2)` | `scores` is a tensor of shape (5, 4)
# never says: dim) in this line
# line: share = nn.Softmax(dim=2)
def attention_weights(scores):
    share = nn.Softmax(dim=2)
    return share(scores)

# %% another_root in scaled_dot_product: scaled_scores, lost 1
# says: first wrong value | `q @ k.T / k.shape[-1] ** 0.25`
# says: the square root of its square root
# line: return q @ k.T / k.shape[-1] ** 0.25
def scaled_scores(q, k):
    return q @ k.T / k.shape[-1] ** 0.25

# %% an_array_for_a_tensor in causal_multihead: causal_mask, lost 1
# says: yours is a NumPy array | `torch.from_numpy`
# never says: A comparison gives bool
# in: head
import math

import numpy as np
import torch
from torch import nn
# in: causal_mask
def causal_mask(length):
    return np.arange(length) > np.arange(length)[:, None]

# %% an_argument_of_another_name in causal_multihead: split_heads, lost 1
# says: There is no `num_heads` | an argument
# never says: Perhaps it is `merge_heads`
# fix: (x, sequences) => (x, num_heads) | view(sequences, => view(len(x),
def split_heads(x, sequences):
    width = x.shape[-1] // num_heads
    return x.view(sequences, -1, num_heads, width).transpose(1, 2)

# %% keys_for_their_width: scale_scores, lost 1
# says: `d_k` is a variable of your file (line
# never says: here `keys`
# line: return scores / d_k**0.5
d_k = 2


def scale_scores(scores, keys):
    return scores / d_k**0.5

# %% a_buffer_without_self in causal_multihead: CausalAttention, lost 3.5
# says: There is no variable `mask` here. The module has `self.mask`
#: self.mask.bool() => mask.bool()

# %% a_mask_of_numbers in causal_multihead: CausalAttention, lost 3.5
# says: A mask holds True and False, and this one holds numbers
#: self.mask.bool()[: => self.mask[:

# %% heads_that_give_two_things in causal_multihead: MultiHeadAttentionWrapper, lost 3.5
# says: This step calls your `CausalAttention`, which is not right yet: fix that first.
#: torch.cat([head => torch.cat([head
# in: CausalAttention
#: return context_vec => return context_vec, attn_weights

# %% parts_along_the_tokens in causal_multihead: split_heads, lost 1
# says: `x.numpy()` is a NumPy array of shape (2, 4, 15) | `num_heads` is the number 3
# in: head
import math

import numpy as np
import torch
from torch import nn
# in: split_heads
def split_heads(x, num_heads):
    return torch.tensor(np.split(x.numpy(), num_heads, axis=1))

# %% a_view_that_is_not_the_fault in causal_multihead: MultiHeadAttention, lost 2.5
# says: the axes were not exchanged back
# never says: You wrote `keys.view(
#: (attn_weights @ values).transpose(1, 2) => attn_weights @ values

# %% products_of_rows_by_numbers in scaled_dot_product: raw_scores, lost 1
# says: `q` is a tensor of shape (7, 6) | `k` is a tensor of shape (4, 6)
# never says: from which axis does each size come
def raw_scores(q, k):
    return q * k

# %% an_error_of_ones_own_and_an_argument_unused in numpy_attention: reverse_dict, lost 1
# says: This line is a `raise` of your own, and it ran
# never says: these inputs are allowed
def reverse_dict(mapping):
    raise RuntimeError("not finished yet")

# %% values_on_the_left_in_a_batch in causal_multihead: CausalAttention, lost 3.5
# says: `values` is a tensor of shape (3, 4, 5) | `attn_weights` is a tensor of shape (3, 4, 4)
# never says: is a transpose missing
# fix: values @ attn_weights => attn_weights @ values
#: attn_weights @ values => values @ attn_weights

# %% last_layer_before_the_heads_are_merged in causal_multihead: MultiHeadAttention, lost 5
# says: 5 is not 15 | `attn_weights @ values` is a tensor of shape (2, 3, 4, 5)
# never says: is a transpose missing
# line: self.out_proj(attn_weights @ values)
#: (attn_weights @ values).transpose(1, 2) => self.out_proj(attn_weights @ values).transpose(1, 2)

# %% layers_of_the_documents_sizes: project, lost 1
# says: 7 is not 3 | `x` is a tensor of shape (4, 7)
# never says: x stands on the left
def project(x, W_query, W_key, W_value):
    return nn.Linear(3, 2)(x), nn.Linear(3, 2)(x), nn.Linear(3, 2)(x)

# %% product_and_layer_in_one_line in causal_multihead: MultiHeadAttention, lost 5
# says: inner sizes must be equal | 15 is not 4 | `context_vec[0]` is a tensor of shape (4, 15)
# never says: takes rows of
#: context_vec = self.out_proj(context_vec) => context_vec = self.out_proj(context_vec[0] @ context_vec[0])
