# Ways to write `scale_scores`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong scale_not_at_all: not_scaled, loses 1
def scale_scores(scores, d_k):
    scores / d_k**0.5
    return scores

# %% wrong scale_by_d_k: divided_by_d_k, loses 1
def scale_scores(scores, d_k):
    return scores / d_k

# %% wrong scale_half_of_d_k: divided_by_half_of_d_k, loses 1
def scale_scores(scores, d_k):
    scale = d_k**1/2
    return scores / scale

# %% wrong scale_inline_precedence: divided_by_twice_d_k, loses 1
def scale_scores(scores, d_k):
    return scores / d_k**1/2

# %% wrong scale_by_the_number_of_queries: divided_by_the_root_of_the_queries_number, loses 1
def scale_scores(scores, d_k):
    return scores / scores.shape[0]**0.5

# %% wrong scale_by_the_number_of_keys: divided_by_the_root_of_the_keys_number, loses 1
def scale_scores(scores, d_k):
    return scores / scores.shape[-1]**0.5

# %% wrong scale_times_the_root: multiplied, loses 1
def scale_scores(scores, d_k):
    return scores * d_k**0.5

# %% wrong scale_divided_by_the_inverse_root: multiplied, loses 1
def scale_scores(scores, d_k):
    return scores / d_k**-0.5

# %% wrong scale_after_a_softmax: divided_after_a_softmax, loses 1
def scale_scores(scores, d_k):
    return torch.softmax(scores, dim=-1) / d_k**0.5

# %% wrong scale_twice: divided_by_d_k, loses 1
def scale_scores(scores, d_k):
    scores = scores / d_k**0.5
    return scores / d_k**0.5

# %% wrong scale_root_of_2: divided_by_sqrt_2, loses 1
def scale_scores(scores, d_k):
    return scores / 2**0.5

# %% wrong scale_literal_1_4142: divided_by_sqrt_2, loses 1
def scale_scores(scores, d_k):
    return scores / 1.4142

# %% wrong scale_torch_sqrt_of_an_int: function_of_tensors_on_a_number, loses 1
def scale_scores(scores, d_k):
    return scores / torch.sqrt(d_k)

# %% wrong scale_caret: caret_for_power, loses 1
def scale_scores(scores, d_k):
    return scores / d_k^0.5

# %% wrong scale_caret_of_the_width: caret_for_power, loses 1
def scale_scores(scores, d_k):
    sqrt_d_k = d_k^0.5
    return scores / sqrt_d_k

# %% wrong scale_numbers_of_the_book: unnamed, loses 1
def scale_scores(scores, d_k):
    return torch.tensor([
        [0.6528, 0.9578, 0.9363, 0.5593, 0.2851, 0.8011],
        [0.8984, 1.3098, 1.2806, 0.7633, 0.3944, 1.0918],
        [0.8870, 1.2929, 1.2641, 0.7534, 0.3895, 1.0775],
        [0.4930, 0.7189, 0.7029, 0.4190, 0.2164, 0.5993],
        [0.4323, 0.6236, 0.6099, 0.3621, 0.1914, 0.5167],
        [0.6361, 0.9309, 0.9101, 0.5432, 0.2784, 0.7776],
    ])

# %% wrong scale_times_d_k: multiplied_by_d_k
def scale_scores(scores, d_k):
    return d_k * scores

# %% wrong scale_by_the_square: divided_by_the_square
def scale_scores(scores, d_k):
    return scores / (d_k * d_k)

# %% wrong scale_by_the_fourth_root: divided_by_the_fourth_root
def scale_scores(scores, d_k):
    return scores / math.sqrt(math.sqrt(d_k))

# %% wrong scale_upside_down: fraction_upside_down
def scale_scores(scores, d_k):
    return math.sqrt(d_k) / scores

# %% wrong scale_floor_division: divided_without_remainder
def scale_scores(scores, d_k):
    return torch.floor(scores / math.sqrt(d_k))

# %% accepted scale_numpy_sqrt: other_square_roots
import numpy as np

def scale_scores(scores, d_k):
    return scores / np.sqrt(d_k)

# %% accepted scale_torch_sqrt_of_a_tensor: other_square_roots
def scale_scores(scores, d_k):
    return scores / torch.sqrt(torch.tensor(d_k))

# %% accepted scale_times_the_inverse_root: other_square_roots
def scale_scores(scores, d_k):
    return scores * d_k ** -0.5

# %% accepted scale_half_in_brackets: other_square_roots
def scale_scores(scores, d_k):
    return torch.div(scores, d_k ** (1/2))

# %% accepted scale_two_quarters: both_scaled_by_the_fourth_root
def scale_scores(scores, d_k):
    root_of_root = d_k**0.25
    return scores / root_of_root / root_of_root

# %% accepted scale_float64_out: float64
def scale_scores(scores, d_k):
    return scores / torch.full_like(scores, d_k, dtype=torch.float64).sqrt()

# %% accepted scale_in_place: changes_its_input
def scale_scores(scores, d_k):
    scores /= d_k**0.5
    return scores

# %% accepted scale_no_grad: cut_graph
@torch.no_grad()
def scale_scores(scores, d_k):
    return scores / d_k**0.5
