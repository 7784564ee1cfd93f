# Ways to write `index_words`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong words_counted_from_one: counted_from_one, loses 1
def index_words(sentence):
    return dict(enumerate(sentence.split(), start=1))

# %% wrong words_lead_to_numbers: words_lead_to_numbers, loses 1
def index_words(sentence):
    return {word: number for number, word in enumerate(sentence.split())}

# %% wrong letters_counted: letters_counted, loses 1
def index_words(sentence):
    return dict(enumerate(sentence))

# %% wrong words_in_lower_case: words_in_lower_case, loses 1
def index_words(sentence):
    return dict(enumerate(sentence.lower().split()))

# %% wrong words_sorted: words_sorted, loses 1
def index_words(sentence):
    return dict(enumerate(sorted(set(sentence.split()))))

# %% accepted words_in_a_loop
def index_words(sentence):
    words = {}
    for word in sentence.split(" "):
        words[len(words)] = word
    return words

# %% accepted words_typed_and_asserted: hints_and_prints
def index_words(sentence: str) -> dict[int, str]:
    '''Number the words.'''
    words: list[str] = sentence.split()
    assert len(set(words)) == len(words), "a word occurs twice"
    print("vocabulary of", len(words))
    return {number: words[number] for number in range(len(words))}

# %% accepted words_numbered_by_numpy
def index_words(sentence):
    words = sentence.split()
    return {number: words[number] for number in np.arange(len(words))}
