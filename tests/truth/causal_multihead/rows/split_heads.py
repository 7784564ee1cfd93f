# Ways to write `split_heads`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def split_heads(x, num_heads):
    b, num_tokens, d_out = x.shape
    x = x.view(b, num_tokens, num_heads, d_out // num_heads)
    return x.transpose(1, 2)

# %% wrong split_in_one_view: tokens_and_heads_mixed, loses 1
def split_heads(x, num_heads):
    b, num_tokens, d_out = x.shape
    return x.view(b, num_heads, num_tokens, d_out // num_heads)

# %% wrong split_one_reshape: tokens_and_heads_mixed, loses 1
def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)

# %% wrong split_not_transposed: heads_behind_the_tokens, loses 1
#: x.transpose(1, 2) => x

# %% wrong split_transpose_not_kept: heads_behind_the_tokens, loses 1
#-    return x.transpose(1, 2)
#+    x.transpose(1, 2)
#+    return x

# %% wrong split_sizes_exchanged: heads_take_turns_in_a_token, loses 1
def split_heads(x, num_heads):
    b, num_tokens, d_out = x.shape
    return x.view(b, num_tokens, d_out // num_heads, num_heads).permute(0, 3, 1, 2)

# %% wrong split_width_first: width_before_the_tokens, loses 1
#: num_heads, d_out // num_heads => d_out // num_heads, num_heads

# %% wrong split_chunks_stacked: heads_before_the_sequences, loses 1
def split_heads(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, dim=-1))

# %% wrong split_permuted_too_far: width_and_tokens_exchanged, loses 1
#: x.transpose(1, 2) => x.permute(0, 2, 3, 1)

# %% wrong split_first_axes_exchanged: unnamed, loses 1
#: x.transpose(1, 2) => x.transpose(0, 1)

# %% wrong split_for_two_heads: unnamed
#: num_tokens, num_heads, d_out // num_heads => num_tokens, 2, d_out // 2

# %% wrong split_true_division: unnamed, loses 1
#: d_out // num_heads => d_out / num_heads

# %% accepted split_reshape: view_or_reshape
#: x.view => x.reshape

# %% accepted split_minus_one: view_or_reshape
#: d_out // num_heads => -1

# %% accepted split_unflatten: view_or_reshape
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)

# %% accepted split_permute: view_or_reshape
#: x.transpose(1, 2) => x.permute(0, 2, 1, 3)

# %% accepted split_swapaxes: view_or_reshape
#: x.transpose(1, 2) => torch.swapaxes(x, 1, 2).contiguous()

# %% accepted split_chunks: parts_stacked
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)

# %% accepted split_in_a_loop: parts_stacked
def split_heads(x, num_heads):
    width = x.shape[2] // num_heads
    heads = []
    for head in range(num_heads):
        heads.append(x[:, :, head * width : (head + 1) * width])
    return torch.stack(heads, dim=1)

# %% accepted split_einsum: einsum
def split_heads(x, num_heads):
    return torch.einsum("bthw->bhtw", x.reshape(*x.shape[:2], num_heads, x.shape[2] // num_heads))
