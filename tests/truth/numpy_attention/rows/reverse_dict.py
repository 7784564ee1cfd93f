# Ways to write `reverse_dict`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong mapping_returned_as_it_is: mapping_not_reversed, loses 1
def reverse_dict(mapping):
    return dict(mapping)

# %% wrong mapping_order_reversed, loses 1
def reverse_dict(mapping):
    return dict(reversed(mapping.items()))

# %% wrong mapping_counted_again: numbers_counted_again, loses 1
def reverse_dict(mapping):
    return {word: number for number, word in enumerate(mapping.values())}

# %% wrong mapping_as_pairs: list_of_pairs, loses 1
def reverse_dict(mapping):
    return [(word, number) for number, word in mapping.items()]

# %% accepted mapping_zipped
def reverse_dict(mapping):
    return dict(zip(mapping.values(), mapping.keys()))

# %% accepted mapping_pairs_reversed
def reverse_dict(mapping):
    return dict(map(reversed, mapping.items()))

# %% accepted mapping_changed_in_place: changes_its_input
def reverse_dict(mapping):
    for number in list(mapping):
        mapping[mapping.pop(number)] = number
    return mapping
