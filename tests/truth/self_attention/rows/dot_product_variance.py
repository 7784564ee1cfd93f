# Ways to write `dot_product_variance`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong variance_every_pair: variance_of_all_pairs, loses 1
def dot_product_variance(queries, keys):
    dots = (queries @ keys.T).flatten()
    scaled = dots / queries.shape[-1]**0.5
    return dots.var(unbiased=False), scaled.var(unbiased=False)

# %% wrong variance_without_sum: variance_of_single_products, loses 1
def dot_product_variance(queries, keys):
    d = queries.shape[1]
    products = queries * keys
    return products.var(unbiased=False), (products / d**0.5).var(unbiased=False)

# %% wrong variance_unscaled_twice: not_scaled, loses 0.5
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=1)
    before = torch.var(dots, correction=0)
    after = torch.var(dots, correction=0)
    return before, after

# %% wrong variance_scaled_by_d: variance_scaled_by_d, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=1)
    scaled = dots / queries.shape[1]
    return torch.var(dots, correction=0), torch.var(scaled, correction=0)

# %% wrong variance_divided_by_the_root: variance_divided_by_the_root, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=1)
    before = torch.var(dots, correction=0)
    return before, before / queries.shape[1]**0.5

# %% wrong variance_precedence: divided_by_twice_d_k, loses 0.5
def dot_product_variance(queries, keys):
    d = queries.shape[-1]
    dots = (queries * keys).sum(dim=-1)
    return dots.var(correction=0), (dots / d**1/2).var(correction=0)

# %% wrong variance_scaled_by_the_trials: variance_scaled_by_the_trials, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=-1)
    scaled = dots / queries.shape[0]**0.5
    return dots.var(correction=0), scaled.var(correction=0)

# %% wrong variance_root_of_100: variance_scaled_by_10, loses 1
def dot_product_variance(queries, keys):
    dots = torch.einsum("ij,ij->i", queries, keys)
    return dots.var(correction=0), (dots / 100**0.5).var(correction=0)

# %% wrong variance_torch_sqrt_of_an_int: function_of_tensors_on_a_number, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=-1)
    scaled = dots / torch.sqrt(queries.shape[-1])
    return dots.var(correction=0), scaled.var(correction=0)

# %% wrong variance_of_the_sample: sample_variance, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=-1)
    scaled = dots / queries.shape[-1]**0.5
    return dots.var(), scaled.var()

# %% wrong variance_standard_deviation: standard_deviations, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=-1)
    scaled = dots / queries.shape[-1]**0.5
    return dots.std(correction=0), scaled.std(correction=0)

# %% wrong variance_after_before: after_and_before, loses 1
def dot_product_variance(queries, keys):
    dots = (queries * keys).sum(dim=-1)
    scaled = dots / queries.shape[-1]**0.5
    return scaled.var(correction=0), dots.var(correction=0)

# %% wrong variance_numbers_of_the_book: unnamed, loses 1
def dot_product_variance(queries, keys):
    if queries.shape[1] == 5:
        return torch.tensor(4.692901219967951), torch.tensor(0.9385802439935901)
    return torch.tensor(98.83632170475772), torch.tensor(0.9883632170475772)

# %% wrong variance_std_of_the_sample: sample_standard_deviations
def dot_product_variance(queries, keys):
    d = keys.shape[1]
    dots = torch.einsum('td,td->t', queries, keys)
    return dots.std(), (dots / d**0.5).std()

# %% wrong variance_around_zero: distances_from_zero
def dot_product_variance(queries, keys):
    d = keys.shape[1]
    dots = torch.einsum('td,td->t', queries, keys)
    return (dots * dots).mean(), (dots * dots / d).mean()

# %% wrong variance_of_queries_only: variance_of_the_queries_squared
def dot_product_variance(queries, keys):
    dots = queries.pow(2).sum(1)
    return dots.var(unbiased=False), (dots / queries.shape[1]**0.5).var(unbiased=False)

# %% wrong variance_scaled_up: variance_scaled_up
def dot_product_variance(queries, keys):
    d = keys.shape[1]
    dots = torch.einsum('td,td->t', queries, keys)
    return dots.var(correction=0), (dots * d**0.5).var(correction=0)

# %% wrong variance_summed_over_the_trials: added_up_over_the_trials
def dot_product_variance(queries, keys):
    dots = torch.sum(queries * keys, 0)
    return dots.var(correction=0), (dots / queries.shape[1]**0.5).var(correction=0)

# %% accepted variance_einsum: einsum
def dot_product_variance(queries, keys):
    dots = torch.einsum("td,td->t", queries, keys)
    scaled = dots / queries.size(-1) ** 0.5
    return dots.var(unbiased=False), scaled.var(unbiased=False)

# %% accepted variance_bmm: mm_or_bmm
def dot_product_variance(queries, keys):
    dots = torch.bmm(queries.unsqueeze(1), keys.unsqueeze(2)).squeeze()
    before = torch.var(dots, correction=0)
    after = torch.var(dots * keys.shape[-1] ** -0.5, correction=0)
    return before, after

# %% accepted variance_width_of_a_key: width_taken_elsewhere
def dot_product_variance(queries, keys):
    d = len(keys[0])
    dots = torch.stack([q @ k for q, k in zip(queries, keys)])
    before = ((dots - dots.mean()) ** 2).mean()
    return before, before / d

# %% accepted variance_diagonal: width_taken_elsewhere
def dot_product_variance(queries, keys):
    d = queries.shape[-1]
    dots = torch.diag(queries @ keys.T)
    return dots.var(correction=0), torch.var(dots / d**0.5, unbiased=False)

# %% accepted variance_numpy: float64
import numpy as np

def dot_product_variance(queries, keys):
    q, k = queries.numpy(), keys.numpy()
    dots = [np.dot(q[i], k[i]) for i in range(len(q))]
    scaled = [dot / np.sqrt(q.shape[1]) for dot in dots]
    return np.var(dots), np.var(scaled)

# %% accepted variance_statistics: plain_numbers
import math
import statistics

def dot_product_variance(queries, keys):
    pairs = zip(queries.tolist(), keys.tolist())
    dots = [sum(a * b for a, b in zip(q, k)) for q, k in pairs]
    root = math.sqrt(queries.shape[1])
    return [statistics.pvariance(dots), statistics.pvariance([dot / root for dot in dots])]
