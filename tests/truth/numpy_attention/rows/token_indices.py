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

# %% accepted indices_long_tensor
def token_indices(sentence, vocabulary):
    return torch.LongTensor([vocabulary[word] for word in sentence.split()])

# %% accepted indices_stacked: row_by_row
def token_indices(sentence, vocabulary):
    return torch.stack([torch.tensor(vocabulary[word]) for word in sentence.split()])

# %% accepted indices_from_numpy
def token_indices(sentence, vocabulary):
    return torch.from_numpy(np.array([vocabulary[word] for word in sentence.split()], dtype=np.int64))
