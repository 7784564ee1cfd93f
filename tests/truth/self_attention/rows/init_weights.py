# Ways to write `init_weights`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% wrong init_plain_tensors: plain_tensors, loses 1
#: W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_query = torch.rand(d_in, d_out)
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = torch.rand(d_in, d_out)
#: W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_value = torch.rand(d_in, d_out)

# %% wrong init_not_frozen: left_trainable, loses 1
#: W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_query = nn.Parameter(torch.rand(d_in, d_out))
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = nn.Parameter(torch.rand(d_in, d_out))
#: W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_value = nn.Parameter(torch.rand(d_in, d_out))

# %% wrong init_one_draw_three_times: seeded_before_each_draw, loses 1
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W, W, W

# %% wrong init_seed_before_each_draw: seeded_before_each_draw, loses 1
#=    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
#+    torch.manual_seed(seed)
#=    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
#+    torch.manual_seed(seed)

# %% wrong init_shape_turned: sizes_turned, loses 1
#: W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_query = nn.Parameter(torch.rand(d_out, d_in), requires_grad=False)
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = nn.Parameter(torch.rand(d_out, d_in), requires_grad=False)
#: W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_value = nn.Parameter(torch.rand(d_out, d_in), requires_grad=False)

# %% wrong init_transposed_draw: drawn_transposed, loses 1
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    # drawn like nn.Linear does and then turned around
    W_query = nn.Parameter(torch.rand(d_out, d_in).T, requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_out, d_in).T, requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_out, d_in).T, requires_grad=False)
    return W_query, W_key, W_value

# %% wrong init_literal_sizes: always_3_by_2, loses 1
#: W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_query = nn.Parameter(torch.rand(3, 2), requires_grad=False)
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = nn.Parameter(torch.rand(3, 2), requires_grad=False)
#: W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_value = nn.Parameter(torch.rand(3, 2), requires_grad=False)

# %% wrong init_zeros: drawn_zeros, loses 1
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(nn.Parameter(torch.zeros(d_in, d_out), requires_grad=False) for _ in "qkv")

# %% wrong init_seed_of_the_book: always_seed_123, loses 1
#: torch.manual_seed(seed) => torch.manual_seed(123)

# %% wrong init_numbers_of_the_book: unnamed, loses 1
def init_weights(d_in, d_out, seed):
    W_query = torch.tensor([[0.2961, 0.5166], [0.2517, 0.6886], [0.0740, 0.8665]])
    W_key = torch.tensor([[0.1366, 0.1025], [0.1841, 0.7264], [0.3153, 0.6871]])
    W_value = torch.tensor([[0.0756, 0.1966], [0.3164, 0.4017], [0.1186, 0.8274]])
    return (
        nn.Parameter(W_query, requires_grad=False),
        nn.Parameter(W_key, requires_grad=False),
        nn.Parameter(W_value, requires_grad=False),
    )

# %% wrong init_order_key_query_value: drawn_key_first, loses 1
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% wrong init_randn: drawn_with_randn, loses 1
#: W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_query = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)
#: W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_value = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)

# %% wrong init_without_seed: seed_not_set, loses 1
#-    torch.manual_seed(seed)

# %% wrong init_ones: drawn_ones
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = W_key = W_value = torch.ones((d_in, d_out))
    return tuple(nn.Parameter(W, requires_grad=False) for W in (W_query, W_key, W_value))

# %% wrong init_order_query_value_key: drawn_value_second
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = torch.rand(d_in, d_out)
    W_value = torch.rand(d_in, d_out)
    W_key = torch.rand(d_in, d_out)
    return tuple(nn.Parameter(W, requires_grad=False) for W in (W_query, W_key, W_value))

# %% wrong init_order_value_key_query: drawn_value_first
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_value = torch.rand(d_in, d_out)
    W_key = torch.rand(d_in, d_out)
    W_query = torch.rand(d_in, d_out)
    return tuple(nn.Parameter(W, requires_grad=False) for W in (W_query, W_key, W_value))

# %% accepted init_requires_grad_afterwards: hints_and_prints
def init_weights(d_in, d_out, seed=123):
    torch.manual_seed(seed)
    matrices = []
    for name in ("query", "key", "value"):
        W = nn.Parameter(torch.rand(d_in, d_out))
        W.requires_grad_(False)
        print(name, W.shape)
        matrices.append(W)
    return matrices

# %% accepted init_uniform: other_distributions
#: W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_query = nn.Parameter(torch.empty(d_in, d_out).uniform_(), requires_grad=False)
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = nn.Parameter(torch.empty(d_in, d_out).uniform_(), requires_grad=False)
#: W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_value = nn.Parameter(torch.empty(d_in, d_out).uniform_(), requires_grad=False)

# %% accepted init_own_generator
def init_weights(d_in, d_out, seed):
    generator = torch.Generator().manual_seed(seed)

    def draw():
        weight = torch.rand(d_in, d_out, generator=generator)
        return nn.Parameter(weight, requires_grad=False)

    return draw(), draw(), draw()
