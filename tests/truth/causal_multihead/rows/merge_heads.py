# Ways to write `merge_heads`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def merge_heads(x):
    b, num_heads, num_tokens, head_dim = x.shape
    x = x.transpose(1, 2)
    return x.contiguous().view(b, num_tokens, num_heads * head_dim)

# %% wrong merge_without_transpose: heads_not_moved_back, loses 1
#-    x = x.transpose(1, 2)

# %% wrong merge_transpose_not_kept: heads_not_moved_back, loses 1
#: x = x.transpose(1, 2) => x.transpose(1, 2)

# %% wrong merge_not_joined: heads_not_joined, loses 1
#: x.contiguous().view(b, num_tokens, num_heads * head_dim) => x.contiguous()

# %% wrong merge_taking_turns: heads_take_turns_when_merged, loses 1
#: x.transpose(1, 2) => x.permute(0, 2, 3, 1)

# %% wrong merge_sum: heads_summed, loses 1
def merge_heads(x):
    return x.sum(dim=1)

# %% wrong merge_mean: mean_of_the_heads, loses 1
def merge_heads(x):
    return torch.mean(x, 1)

# %% wrong merge_flatten_one_two: heads_and_tokens_joined, loses 1
def merge_heads(x):
    return torch.flatten(x, 1, 2)

# %% wrong merge_view_of_a_transpose: unnamed, loses 1
#: .contiguous().view => .view

# %% wrong merge_flat: unnamed, loses 1
#: x.contiguous().view(b, num_tokens, num_heads * head_dim) => x.flatten(1)

# %% wrong merge_last_axes_exchanged: unnamed, loses 1
#: x.transpose(1, 2) => x.transpose(2, 3)

# %% accepted merge_reshape: view_or_reshape
#: x.contiguous().view(b, num_tokens, num_heads * head_dim) => x.reshape(b, num_tokens, -1)

# %% accepted merge_flatten: view_or_reshape
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% accepted merge_permute: view_or_reshape
#: x.transpose(1, 2) => x.permute(0, 2, 1, 3)

# %% accepted merge_cat: parts_stacked
def merge_heads(x):
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)

# %% accepted merge_unbind: parts_stacked
def merge_heads(x):
    return torch.cat(x.unbind(1), -1)

# %% accepted merge_einsum: einsum
def merge_heads(x):
    b, h, t, w = x.size()
    return torch.einsum("bhtw->bthw", x).reshape(b, t, h * w)
