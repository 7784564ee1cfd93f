# Ways to write `make_projections`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong layers_in_the_order_key_query_value: key_layer_created_first, loses 1
def make_projections(d_model):
    w_key = nn.Linear(d_model, d_model)
    w_query = nn.Linear(d_model, d_model)
    w_value = nn.Linear(d_model, d_model)
    return w_query, w_key, w_value

# %% wrong layers_without_bias: layers_without_bias, loses 1
def make_projections(d_model):
    return tuple(nn.Linear(d_model, d_model, bias=False) for _ in range(3))

# %% wrong one_layer_three_times: one_layer_three_times, loses 1
def make_projections(d_model):
    layer = nn.Linear(d_model, d_model)
    return layer, layer, layer

# %% wrong layers_seeded_inside: layers_seeded_inside, loses 1
def make_projections(d_model):
    torch.manual_seed(42)
    return tuple(nn.Linear(d_model, d_model) for _ in range(3))

# %% wrong layers_of_width_8: layers_of_width_8, loses 1
def make_projections(d_model):
    return nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)

# %% wrong matrices_instead_of_layers: unnamed, loses 1
def make_projections(d_model):
    return tuple(nn.Parameter(torch.randn(d_model, d_model)) for _ in range(3))

# %% wrong layers_frozen: layers_frozen, loses 1
def make_projections(d_model):
    return tuple(nn.Linear(d_model, d_model).requires_grad_(False) for _ in range(3))

# %% wrong layers_start_at_zero: layers_of_zeros, loses 1
def make_projections(d_model):
    layers = tuple(nn.Linear(d_model, d_model) for _ in range(3))
    for layer in layers:
        nn.init.zeros_(layer.weight)
        nn.init.zeros_(layer.bias)
    return layers

# %% wrong one_wide_layer: unnamed, loses 1
def make_projections(d_model):
    return nn.Linear(d_model, 3 * d_model)

# %% accepted layers_in_a_list
def make_projections(d_model):
    return [nn.Linear(d_model, d_model) for _ in range(3)]

# %% accepted layers_in_a_module_list
def make_projections(d_model):
    return nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(3))

# %% accepted layers_by_keywords: bias_keyword
def make_projections(d_model):
    w_query = nn.Linear(in_features=d_model, out_features=d_model, bias=True)
    w_key = nn.Linear(in_features=d_model, out_features=d_model, bias=True)
    w_value = nn.Linear(in_features=d_model, out_features=d_model, bias=True)
    return w_query, w_key, w_value

# %% accepted layers_with_prints_and_asserts: hints_and_prints
def make_projections(d_model):
    layers = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
    for layer in layers:
        assert layer.weight.shape == (d_model, d_model)
        print(layer)
    return layers
