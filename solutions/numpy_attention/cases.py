"""What the steps of numpy_attention are called with: drawn inputs, and the document's own.

Every drawn input comes from nowhere but the draw: the scores of one case are not computed from the
queries of another, so that no step's inputs give away an earlier step's answer.

A corner is a case in which sizes are equal or a number is 0, for code that is right only in general.
"""

import numpy as np

from autograder import Right, corner, documented, drawn, printed
from autograder.assignment.cases import WEIGHT_SCALE, DocumentedCase, Draw
from autograder.values.values import freeze, tensor

NUMPY_MATRICES = ("w_query", "w_key", "w_value")
TORCH_MATRICES = ("W_Q", "W_K", "W_V")

# As many upper-case as lower-case words, so that a drawn sentence has both.
WORDS = (
    *("Ada", "Emmy", "I", "March", "Monday", "Paris", "Rome", "Venus"),
    *("a", "bag", "light", "map", "paints", "reads", "the", "window"),
)
# In no vocabulary.
OTHER_WORDS = ("Alan", "Berlin", "cup", "writes")


def right(numbers, decimals):
    return (Right(printed(numbers), decimals=decimals),)


def choose(draw: Draw, things, count):
    """Some of `things`, none of them twice, in a drawn order."""
    rest = list(things)
    return [rest.pop(draw.integer(0, len(rest))) for _ in range(count)]


def sentence_length(draw: Draw):
    """Longer than any other size, and never the six words of the document."""
    return draw.integer(8, 11)


@drawn("numpy_project")
def tokens_and_arrays(draw: Draw):
    matrices = {name: draw.normal(draw.d_in, draw.d_k) for name in NUMPY_MATRICES}
    return {"x": draw.normal(draw.tokens, draw.d_in), **matrices}


@drawn("numpy_scores")
def query_and_key_arrays(draw: Draw):
    return {
        "queries": draw.normal(draw.tokens, draw.d_k),
        "keys": draw.normal(draw.other_tokens, draw.d_k),
    }


@drawn("numpy_softmax")
def small_and_large_scores(draw: Draw):
    """Large: rows around 1000, rows around 3000 (one maximum does not serve both), and a lone peak."""
    offsets = np.zeros((draw.tokens, draw.other_tokens))
    offsets[:-1:2] = 1000
    offsets[1:-1:2] = 3000
    offsets[-1, draw.integer(0, draw.other_tokens)] = 3000
    return {
        "scores": draw.normal(*offsets.shape),
        "large_scores": np.round(draw.normal(*offsets.shape) + offsets, 4),
    }


@drawn("numpy_self_attention")
def tokens_and_small_arrays(draw: Draw):
    """Small matrices, as for a class: at the full scale most softmax rows would be decided."""
    matrices = {
        name: draw.normal(draw.d_in, draw.d_k, scale=WEIGHT_SCALE) for name in NUMPY_MATRICES
    }
    return {"x": draw.normal(draw.tokens, draw.d_in), **matrices}


@drawn("index_words")
def a_sentence(draw: Draw):
    return {"sentence": " ".join(choose(draw, WORDS, sentence_length(draw)))}


@drawn("reverse_dict")
def numbers_to_words(draw: Draw):
    """Numbers in no order and with gaps: counting again does not find them."""
    words = choose(draw, WORDS, sentence_length(draw))
    return {"mapping": dict(zip(choose(draw, range(100), len(words)), words, strict=True))}


@drawn("token_indices")
def sentence_and_vocabulary(draw: Draw):
    """The word that the vocabulary lacks stands anywhere in the unknown sentence.

    Both lengths are drawn first, so that they stand in the same place in each draw.
    """
    length, other_length = sentence_length(draw), sentence_length(draw)
    numbers = choose(draw, range(len(WORDS)), len(WORDS))
    sentence = choose(draw, WORDS, length)
    vocabulary = dict(zip(choose(draw, WORDS, len(WORDS)), numbers, strict=True))
    unknown = choose(draw, WORDS, other_length)
    unknown[draw.integer(0, len(unknown))] = choose(draw, OTHER_WORDS, 1)[0]
    return {
        "sentence": " ".join(sentence),
        "vocabulary": vocabulary,
        "unknown": " ".join(unknown),
    }


@drawn("embed")
def indices_and_table(draw: Draw):
    indices = [draw.integer(0, len(WORDS)) for _ in range(sentence_length(draw))]
    return {"indices": tensor(indices, "int64"), "table": draw.tensor(len(WORDS), draw.d_in)}


@drawn("project")
def tokens_and_matrices(draw: Draw):
    matrices = {name: draw.tensor(draw.d_in, draw.d_k) for name in TORCH_MATRICES}
    return {"X": draw.tensor(draw.tokens, draw.d_in), **matrices}


@drawn("scaled_scores")
def queries_and_keys(draw: Draw):
    return {
        "Q": draw.tensor(draw.tokens, draw.d_k),
        "K": draw.tensor(draw.other_tokens, draw.d_k),
    }


@drawn("attention_weights")
def scores(draw: Draw):
    return {"scaled_scores": draw.tensor(draw.tokens, draw.other_tokens)}


@drawn("attention_output")
def weights_and_values(draw: Draw):
    return {
        "weights": draw.rows_that_sum_to_one(draw.tokens, draw.other_tokens),
        "V": draw.tensor(draw.other_tokens, draw.d_k),
    }


@corner("numpy_project", says="with one token and d equal to d_in")
def one_token_square_arrays(draw: Draw):
    matrices = {name: draw.normal(draw.d_k, draw.d_k) for name in NUMPY_MATRICES}
    return {"x": draw.normal(1, draw.d_k), **matrices}


@corner("numpy_scores", says="with one query and as many keys as dimensions")
def one_query_square_key_arrays(draw: Draw):
    return {"queries": draw.normal(1, draw.d_k), "keys": draw.normal(draw.d_k, draw.d_k)}


@corner("numpy_softmax", says="with one query")
def scores_of_one_query_as_array(draw: Draw):
    return {"scores": draw.normal(1, draw.tokens)}


@corner("numpy_self_attention", says="with one token, whose score is negative, and d equal to d_in")
def one_token_small_square_arrays(draw: Draw):
    query, key, value = (
        draw.normal(draw.d_k, draw.d_k, scale=WEIGHT_SCALE) for _ in NUMPY_MATRICES
    )
    x = draw.normal(1, draw.d_k)
    score = ((x @ query) @ (x @ key).T).item()
    matrices = (query, -np.sign(score) * key, value)
    return {"x": x, **dict(zip(NUMPY_MATRICES, matrices, strict=True))}


@corner("index_words", says="with one word of one letter")
def one_letter(draw: Draw):
    return {"sentence": "I"}


@corner("reverse_dict", says="with one word, of number 0")
def number_zero(draw: Draw):
    return {"mapping": {0: WORDS[draw.integer(0, len(WORDS))]}}


@corner("token_indices", says="with a word of number 0 that occurs twice")
def a_word_twice(draw: Draw):
    words = choose(draw, WORDS, 4)
    return {
        "sentence": " ".join([words[1], words[0], words[2], words[0]]),
        "vocabulary": {word: number for number, word in enumerate(words)},
    }


@corner("embed", says="with one token, of index 0")
def index_zero(draw: Draw):
    return {"indices": tensor([0], "int64"), "table": draw.tensor(len(WORDS), draw.d_in)}


@corner("project", says="with one token and d equal to d_in")
def one_token_square_matrices(draw: Draw):
    matrices = {name: draw.tensor(draw.d_k, draw.d_k) for name in TORCH_MATRICES}
    return {"X": draw.tensor(1, draw.d_k), **matrices}


@corner("scaled_scores", says="with one query and as many keys as dimensions")
def one_query_square_keys(draw: Draw):
    return {"Q": draw.tensor(1, draw.d_k), "K": draw.tensor(draw.d_k, draw.d_k)}


@corner("attention_weights", says="with one query")
def scores_of_one_query(draw: Draw):
    return {"scaled_scores": draw.tensor(1, draw.tokens)}


@corner("attention_output", says="with one query and as many values as dimensions")
def one_query_square_values(draw: Draw):
    weights = draw.rows_that_sum_to_one(1, draw.d_k)
    return {"weights": weights, "V": draw.tensor(draw.d_k, draw.d_k)}


@documented("numpy_project")
def three_tokens(reference, numbers):
    three = tuple(printed(numbers[name]) for name in ("queries", "keys", "values"))
    yield DocumentedCase(numpy_inputs(reference), (Right(freeze(three), decimals=8),))


@documented("numpy_scores")
def three_by_three(reference, numbers):
    queries, keys, _ = numpy_projected(reference)
    inputs = {"queries": queries, "keys": keys}
    yield DocumentedCase(inputs, right(numbers["attention_scores"], 8))


@documented("numpy_softmax")
def unscaled_scores(reference, numbers):
    queries, keys, _ = numpy_projected(reference)
    inputs = {"scores": reference.numpy_scores(queries, keys)}
    yield DocumentedCase(inputs, right(numbers["attention_weights"], 8))


@documented("numpy_self_attention")
def unscaled_run(reference, numbers):
    yield DocumentedCase(numpy_inputs(reference), right(numbers["output"], 8))


@documented("index_words")
def six_words(reference, numbers):
    # JSON knows no numbers as keys.
    words = {int(index): word for index, word in numbers["index_to_word"].items()}
    yield DocumentedCase({"sentence": numbers["sentence"]}, (Right(freeze(words)),))


@documented("reverse_dict")
def six_numbers(reference, numbers):
    mapping = reference.index_words(numbers["sentence"])
    yield DocumentedCase({"mapping": mapping}, (Right(freeze(numbers["word_to_index"])),))


@documented("embed")
def six_embeddings(reference, numbers):
    vocabulary = reference.reverse_dict(reference.index_words(numbers["sentence"]))
    indices = reference.token_indices(numbers["sentence"], vocabulary)
    inputs = {"indices": indices, "table": reference.embedding.weight.detach()}
    yield DocumentedCase(inputs, right(numbers["X"], 4))


# From here on the document's own inputs are not to be had: its matrices and the digits that it did
# not print are lost. Each step gets the printed, rounded numbers, so its answer is only good to
# what `made_by` in documented.json says.


@documented("project")
def six_tokens(reference, numbers):
    matrices = {name: getattr(reference, name) for name in TORCH_MATRICES}
    three = tuple(printed(numbers[name]) for name in ("Q", "K", "V"))
    # Three decimals: matrices fitted to rounded products miss them by up to 3.2e-4.
    inputs = {"X": tensor(numbers["X"]), **matrices}
    yield DocumentedCase(inputs, (Right(freeze(three), decimals=3),))


@documented("scaled_scores")
def printed_queries_and_keys(reference, numbers):
    inputs = {"Q": tensor(numbers["Q"]), "K": tensor(numbers["K"])}
    # Three decimals: the scores agree to 5e-4, scaled to half of that.
    yield DocumentedCase(inputs, right(numbers["scaled_scores"], 3))


@documented("attention_weights")
def printed_scaled_scores(reference, numbers):
    inputs = {"scaled_scores": tensor(numbers["scaled_scores"])}
    # Five significant digits: five decimals of the largest. They agree to 1e-5.
    yield DocumentedCase(inputs, right(numbers["torch_attention_weights"], 5))


@documented("attention_output")
def printed_weights_and_values(reference, numbers):
    inputs = {
        "weights": tensor(numbers["torch_attention_weights"]),
        "V": tensor(numbers["V"]),
    }
    yield DocumentedCase(inputs, right(numbers["torch_output"], 4))


def numpy_inputs(reference):
    return {name: getattr(reference, name) for name in ("x", *NUMPY_MATRICES)}


def numpy_projected(reference):
    """Queries, keys and values of the document's three tokens."""
    return reference.numpy_project(**numpy_inputs(reference))


HOLES = {
    "numpy_self_attention": {
        "rounded": "powers rounded to 4 decimals move the output by up to 4 tolerances, in some draws by less than 1"
    }
}
