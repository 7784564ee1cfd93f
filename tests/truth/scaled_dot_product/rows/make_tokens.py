# Ways to write `make_tokens`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong tokens_uniform: uniform_tokens, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.rand(max_sequence_length, d_model) * scale

# %% wrong tokens_not_scaled: tokens_not_scaled, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.randn(max_sequence_length, d_model)

# %% wrong tokens_times_10: tokens_always_times_10, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.randn(max_sequence_length, d_model) * 10.0

# %% wrong tokens_default_scale_1: default_scale_of_1, loses 1
def make_tokens(max_sequence_length, d_model, scale=1.0):
    return torch.randn(max_sequence_length, d_model) * scale

# %% wrong tokens_scale_taken_as_variance: scale_taken_for_a_variance, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.randn(max_sequence_length, d_model) * scale**0.5

# %% wrong tokens_in_columns: tokens_in_columns, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.randn(d_model, max_sequence_length) * scale

# %% wrong tokens_seeded_inside: tokens_seeded_inside, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    torch.manual_seed(42)
    return torch.randn(max_sequence_length, d_model) * scale

# %% wrong tokens_the_same_at_each_call: generator_set_back, loses 1
def make_tokens(max_sequence_length, d_model, scale=10.0):
    torch.manual_seed(torch.initial_seed())
    return torch.randn(max_sequence_length, d_model) * scale

# %% accepted tokens_by_normal
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.normal(0.0, scale, size=(max_sequence_length, d_model))

# %% accepted tokens_from_a_distribution
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.distributions.Normal(0.0, scale).sample((max_sequence_length, d_model))

# %% accepted tokens_scaled_in_place
def make_tokens(max_sequence_length, d_model, scale=10.0):
    tokens = torch.randn((max_sequence_length, d_model), dtype=torch.float32)
    tokens *= scale
    return tokens
