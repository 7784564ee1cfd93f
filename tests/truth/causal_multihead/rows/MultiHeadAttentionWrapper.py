# Ways to write `MultiHeadAttentionWrapper`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

# %% wrong wrapper_sum: heads_added
#: torch.cat([head(x) for head in self.heads], dim=-1) => sum(head(x) for head in self.heads)

# %% wrong wrapper_mean: heads_averaged
#: torch.cat([head(x) for head in self.heads], dim=-1) => torch.stack([head(x) for head in self.heads]).mean(0)

# %% wrong wrapper_along_tokens: joined_along_the_tokens
#: dim=-1 => dim=1

# %% wrong wrapper_along_the_batch: joined_along_the_batch
#: , dim=-1) => )

# %% wrong wrapper_stacked: heads_stacked
#: torch.cat([head(x) for head in self.heads], dim=-1) => torch.stack([head(x) for head in self.heads])

# %% wrong wrapper_stacked_at_the_end: heads_stacked_at_the_end
#: torch.cat => torch.stack

# %% wrong wrapper_stacked_behind_the_tokens: heads_stacked_behind_the_tokens
#: torch.cat => torch.stack
#: dim=-1 => dim=2

# %% wrong wrapper_taking_turns: heads_take_turns
#: torch.cat([head(x) for head in self.heads], dim=-1) => torch.stack([head(x) for head in self.heads], -1).flatten(2)

# %% wrong wrapper_last_head: only_the_last_head
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        for head in self.heads:
#+            out = head(x)
#+        return out

# %% wrong wrapper_returns_in_the_loop: only_the_first_head
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        for head in self.heads:
#+            return head(x)

# %% wrong wrapper_list: heads_in_a_list
#: torch.cat([head(x) for head in self.heads], dim=-1) => [head(x) for head in self.heads]

# %% wrong wrapper_one_head_repeated: one_head_repeated
#: [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)] => [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads

# %% wrong wrapper_plain_list: heads_in_a_plain_list, loses 0.5
#-        self.heads = nn.ModuleList(
#-            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
#-        )
#+        self.heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]

# %% wrong wrapper_no_dropout: dropout_not_passed_on, loses 0.25
#: context_length, dropout, qkv_bias) for => context_length, 0.0, qkv_bias) for

# %% wrong wrapper_no_bias: bias_not_passed_on, loses 0.5
#: context_length, dropout, qkv_bias) for => context_length, dropout) for

# %% wrong wrapper_width_shared: other_sizes, loses 2
#: CausalAttention(d_in, d_out, => CausalAttention(d_in, d_out // num_heads,

# %% wrong wrapper_two_heads: unnamed, loses 2
#: range(num_heads) => range(2)

# %% wrong wrapper_other_name: attribute_misspelt, loses 2
#: self.heads => self.head

# %% wrong wrapper_heads_in_a_row: unnamed
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        for head in self.heads:
#+            x = head(x)
#+        return x

# %% wrong wrapper_no_gradient: no_gradient_at_all, loses 0.25
#: dim=-1) => dim=-1).detach()

# %% wrong wrapper_order_of_arguments: unnamed, loses 2
#: context_length, dropout, qkv_bias) for => dropout, context_length, qkv_bias) for

# %% accepted wrapper_dim_two: axis_counted_otherwise
#: dim=-1 => dim=2

# %% accepted wrapper_concat_in_a_loop: parts_stacked
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        parts = []
#+        for head in self.heads:
#+            parts.append(head(x))
#+        return torch.concat(parts, axis=-1)

# %% accepted wrapper_appended: containers_of_parameters
#-        self.heads = nn.ModuleList(
#-            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
#-        )
#+        self.heads = nn.ModuleList()
#+        for _ in range(num_heads):
#+            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

# %% accepted wrapper_filled: parts_stacked
#-        return torch.cat([head(x) for head in self.heads], dim=-1)
#+        out = torch.stack([head(x) for head in self.heads], dim=2)
#+        return out.reshape(x.shape[0], x.shape[1], -1)
