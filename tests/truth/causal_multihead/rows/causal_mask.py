# Ways to write `causal_mask`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def causal_mask(length):
    return torch.triu(torch.ones(length, length), diagonal=1).bool()

# %% wrong mask_tril: visible_keys_marked, loses 1
#: torch.triu(torch.ones(length, length), diagonal=1) => torch.tril(torch.ones(length, length))

# %% wrong mask_tril_equals_one: visible_keys_marked, loses 1
def causal_mask(length):
    return torch.tril(torch.ones(length, length)) == 1

# %% wrong mask_compared_the_other_way: past_hidden, loses 1
def causal_mask(length):
    place = torch.arange(length)
    return place[None, :] < place[:, None]

# %% wrong mask_tril_minus_one: past_hidden, loses 1
#: torch.triu(torch.ones(length, length), diagonal=1) => torch.tril(torch.ones(length, length), diagonal=-1)

# %% wrong mask_with_the_diagonal: diagonal_hidden, loses 1
#: , diagonal=1) => )

# %% wrong mask_greater_or_equal: diagonal_hidden, loses 1
def causal_mask(length):
    place = torch.arange(length)
    return place[None, :] >= place[:, None]

# %% wrong mask_diagonal_two: next_key_visible, loses 1
#: diagonal=1 => diagonal=2

# %% wrong mask_of_the_next: only_the_next_key_hidden, loses 1
def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for row in range(length - 1):
        mask[row, row + 1] = True
    return mask

# %% wrong mask_of_zeros: nothing_hidden, loses 1
#: torch.ones => torch.zeros

# %% wrong mask_of_ones: everything_hidden, loses 1
def causal_mask(length):
    mask = torch.ones(length, length, dtype=torch.bool)
    mask.triu(diagonal=1)
    return mask

# %% wrong mask_not_bool: mask_of_numbers, loses 1
#: diagonal=1).bool() => diagonal=1)

# %% wrong mask_minus_infinity: infinities_for_true, loses 1
def causal_mask(length):
    return torch.triu(torch.full((length, length), -torch.inf), diagonal=1)

# %% wrong mask_visible_as_numbers: visible_keys_as_numbers, loses 1
def causal_mask(length):
    return torch.tril(torch.ones(length, length))

# %% wrong mask_positions_with_themselves: positions_compared_one_by_one, loses 1
def causal_mask(length):
    positions = torch.arange(length)
    return positions > positions

# %% wrong mask_of_six: unnamed, loses 1
#: length, length => 6, 6

# %% wrong mask_as_lists: unnamed, loses 1
def causal_mask(length):
    return [[key > query for key in range(length)] for query in range(length)]

# %% wrong mask_transposed_at_the_end: past_hidden, loses 1
#: .bool() => .bool().T

# %% wrong mask_printed: no_return, loses 1
#: return torch => mask = torch

# %% wrong mask_with_a_batch_axis: unnamed, loses 1
#: .bool() => .bool().unsqueeze(0)

# %% wrong mask_of_integers: unnamed, loses 1
#: .bool() => .long()

# %% accepted mask_tril_equals_zero: mask_by_comparison
def causal_mask(length):
    return torch.tril(torch.ones(length, length)) == 0

# %% accepted mask_of_places: mask_by_comparison
def causal_mask(length):
    place = torch.arange(length)
    return place.unsqueeze(0) > place.unsqueeze(1)

# %% accepted mask_turned_tril: mask_by_comparison
def causal_mask(length):
    return ~torch.ones(length, length, dtype=torch.bool).tril()

# %% accepted mask_in_loops: element_by_element
def causal_mask(length):
    mask = torch.zeros((length, length), dtype=torch.bool)
    for query in range(length):
        for key in range(length):
            if key > query:
                mask[query][key] = True
    return mask

# %% accepted mask_row_by_row: row_by_row
def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for query in range(length):
        mask[query, query + 1 :] = True
    return mask

# %% accepted mask_from_lists: row_by_row
def causal_mask(length):
    return torch.tensor([[key > query for key in range(length)] for query in range(length)])

# %% accepted mask_by_triu_indices: mask_by_comparison
def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    rows, columns = torch.triu_indices(length, length, offset=1)
    mask[rows, columns] = True
    return mask

# %% accepted mask_by_the_library: mask_by_comparison
def causal_mask(length):
    return nn.Transformer.generate_square_subsequent_mask(length) != 0

# %% accepted mask_by_numpy: mask_by_comparison
def causal_mask(length):
    import numpy as np

    return torch.from_numpy(np.triu(np.ones((length, length), dtype=bool), k=1))
