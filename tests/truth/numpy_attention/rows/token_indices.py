# Ways to write `token_indices`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong indices_counted_again: indices_counted_again, loses 1
def token_indices(sentence, vocabulary):
    return torch.arange(len(sentence.split()))

# %% wrong indices_are_floats: indices_as_floats, loses 1
def token_indices(sentence, vocabulary):
    return torch.Tensor([vocabulary[word] for word in sentence.split()])

# %% wrong indices_in_the_vocabularys_order: indices_in_the_vocabularys_order, loses 1
def token_indices(sentence, vocabulary):
    words = sentence.split()
    return torch.tensor([number for word, number in vocabulary.items() if word in words])

# %% wrong indices_as_a_batch: indices_in_a_batch, loses 1
def token_indices(sentence, vocabulary):
    return torch.tensor([[vocabulary[word] for word in sentence.split()]])

# %% wrong unknown_word_is_left_out: unknown_word_left_out, loses 0.25
def token_indices(sentence, vocabulary):
    return torch.tensor([vocabulary[word] for word in sentence.split() if word in vocabulary])

# %% wrong unknown_word_by_get: unknown_word_as_0, loses 0.25
def token_indices(sentence, vocabulary):
    indices = torch.zeros(len(sentence.split()), dtype=torch.long)
    for place, word in enumerate(sentence.split()):
        indices[place] = vocabulary.get(word, 0)
    return indices

# %% wrong unknown_word_is_minus_1: unknown_word_as_minus_1, loses 0.25
def token_indices(sentence, vocabulary):
    return torch.tensor([vocabulary[word] if word in vocabulary else -1 for word in sentence.split()])

# %% wrong unknown_word_is_none, loses 0.25
def token_indices(sentence, vocabulary):
    return torch.tensor([vocabulary.get(word) for word in sentence.split()])

# %% wrong unknown_word_is_printed, loses 0.25
def token_indices(sentence, vocabulary):
    try:
        return torch.tensor([vocabulary[word] for word in sentence.split()])
    except KeyError as error:
        print(f"unknown: {error}")

# %% wrong unknown_word_is_another_exception, loses 0.25
def token_indices(sentence, vocabulary):
    words = list(vocabulary)
    return torch.tensor([vocabulary[words[words.index(word)]] for word in sentence.split()])

# %% wrong unknown_word_is_a_class_called_key_error, loses 0.25
class KeyError(Exception):
    pass

def token_indices(sentence, vocabulary):
    for word in sentence.split():
        if word not in vocabulary:
            raise KeyError(word)
    return torch.tensor([vocabulary[word] for word in sentence.split()])

# %% wrong unknown_word_is_not_implemented, loses 0.25
def token_indices(sentence, vocabulary):
    if not set(sentence.split()) <= vocabulary.keys():
        raise NotImplementedError("what to do with unknown words?")
    return torch.tensor([vocabulary[word] for word in sentence.split()])

# %% wrong key_error_for_every_sentence, loses 1
def token_indices(sentence, vocabulary):
    raise KeyError(sentence)

# %% wrong key_error_beside_wrong_indices, loses 1
def token_indices(sentence, vocabulary):
    return torch.tensor([vocabulary[word] + 1 for word in sentence.split()])

# %% accepted indices_long_tensor
def token_indices(sentence, vocabulary):
    return torch.LongTensor([vocabulary[word] for word in sentence.split()])

# %% accepted indices_stacked: row_by_row
def token_indices(sentence, vocabulary):
    return torch.stack([torch.tensor(vocabulary[word]) for word in sentence.split()])

# %% accepted indices_from_numpy
def token_indices(sentence, vocabulary):
    return torch.from_numpy(np.array([vocabulary[word] for word in sentence.split()], dtype=np.int64))

# %% accepted indices_by_getitem
def token_indices(sentence, vocabulary):
    return torch.tensor(list(map(vocabulary.__getitem__, sentence.split())))

# %% accepted indices_or_an_exception_of_our_own
class UnknownWord(KeyError):
    pass

def token_indices(sentence, vocabulary):
    unknown = [word for word in sentence.split() if word not in vocabulary]
    if unknown:
        raise UnknownWord(f"not in the vocabulary: {', '.join(unknown)}")
    return torch.tensor([vocabulary[word] for word in sentence.split()])

# %% accepted indices_or_an_exception_raised_again
def token_indices(sentence, vocabulary):
    try:
        return torch.tensor([vocabulary[word] for word in sentence.split()])
    except KeyError as error:
        raise KeyError(f"{error} is not in the vocabulary") from error

# %% accepted indices_of_a_series
def token_indices(sentence, vocabulary):
    words = sentence.split()
    indices = torch.empty(len(words), dtype=torch.long)
    for place in range(len(words)):
        indices[place] = vocabulary[words[place]]
    return indices
