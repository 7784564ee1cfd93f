"""The checks of numpy_attention: one for each step, in order, with its points.

Each test calls your step and returns what it saw; the kit compares that with what is right. Run
`pytest` in this folder. The first lines of a test say what is expected, the rest where to look when
it is not so: in a wrong shape, in wrong values, and so on.
"""

try:
    from autograder import check, criterion, remark
    from autograder.probing import calls, warns
except ImportError:
    import pytest

    raise pytest.Collector.CollectError(
        "These checks need the self-attention kit, which is in the zip file that you were given: "
        "python -m pip install ./self_attention_kit-...whl, with the whole name of that file; README.txt has the "
        "line for your system (not the unrelated package called autograder)."
    ) from None


@check(points=1, documented=0.25, returns=("queries", "keys", "values"))
def test_numpy_project(student, case):
    """The queries, keys and values of all tokens, in this order, each of shape (T, d).

    shape: Tokens are rows, so x stands on the left of a matrix product.

    values: Does each of the three use its own matrix?
    """
    return student.numpy_project(case.x, case.w_query, case.w_key, case.w_value)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_numpy_scores(student, case):
    """One row for each query, one column for each key: entry (i, j) is the dot product of query i
    and key j, not scaled.

    shape: Which of the two has to be transposed, and which stands on the left?
    """
    return student.numpy_scores(case.queries, case.keys)


@check(points=2, documented=0.25, axes=("queries", "keys"))
def test_numpy_softmax(student, case):
    """The softmax of each row: no weight is negative, each row sums to 1, and every weight is finite,
    at scores of 1000 and above too.

    sums, shape: One row belongs to one query. What is computed of a whole row: along which axis, and is the shape
    still right after it?
    """
    return student.numpy_softmax(case.scores)


@criterion(test_numpy_softmax, "stability", points=1)
def softmax_of_large_scores(student, case):
    """The right weights, without nan or inf, for scores where a plain exponential overflows.

    values, sums, not_finite: What can be subtracted from every score of a row without changing its
    weights? Each row has its own.
    """
    return student.numpy_softmax(case.large_scores)


@check(points=2, returns=("with scaling, the default", "with scaled=False"))
def test_numpy_self_attention(student, case):
    """The output of shape (T, d). By default the scores are divided by the square root of d before
    the softmax; with scaled=False they stay as they are.

    The steps in order: project, scores, scale them if `scaled`, softmax of each row, mix the values.
    d is the width of the keys.
    """
    arguments = (case.x, case.w_query, case.w_key, case.w_value)
    # Copies: what one call changes in place must not reach the other.
    copies = [argument.copy() for argument in arguments]
    unscaled = student.numpy_self_attention(*copies, False)
    return student.numpy_self_attention(*arguments), unscaled


@criterion(test_numpy_self_attention, "documented", points=0.5)
def documented_run(student, case):
    """The document's output, which comes from unscaled scores."""
    return student.numpy_self_attention(case.x, case.w_query, case.w_key, case.w_value, False)


@remark(
    test_numpy_self_attention,
    "library_attention",
    says="Right, and in a real model a good choice: PyTorch's own function does all steps at once. "
    "In this exercise, write the steps yourself.",
)
def library_run(student, case):
    from torch.nn import functional

    inputs = (case.x, case.w_query, case.w_key, case.w_value)
    return calls(
        functional, "scaled_dot_product_attention", lambda: student.numpy_self_attention(*inputs)
    )


@check(points=1, documented=0.25)
def test_index_words(student, case):
    """A dictionary with one entry per word: the number is the key, the word is the value. Numbers
    start at 0 and follow the sentence; the words keep their spelling.

    keys: Which of the two is the key? At which number does the count begin, and does it count words?

    values: Is each value a word, as it is spelt in the sentence, and at its own number?
    """
    return student.index_words(case.sentence)


@check(points=1, documented=0.25)
def test_reverse_dict(student, case):
    """A dictionary with keys and values exchanged.

    keys, values: The numbers need not be 0, 1, 2 and so on: take them from the mapping, do not count again.
    """
    return student.reverse_dict(case.mapping)


@check(points=1)
def test_token_indices(student, case):
    """The index that the vocabulary has for each word, in the order of the sentence: a tensor of
    shape (T,) with whole numbers, dtype torch.long.

    values, shape, raised: The vocabulary may be larger than the sentence and in another order: look each word up.
    """
    return student.token_indices(case.sentence, case.vocabulary)


@criterion(test_token_indices, "unknown_word", points=0.25, raises=KeyError)
def index_of_an_unknown_word(student, case):
    """KeyError, because the vocabulary does not have one of the words.

    no_exception, raised: What does a dictionary do by itself if you look up a word that it does not have?
    """
    return student.token_indices(case.unknown, case.vocabulary)


@check(points=1, documented=0.25)
def test_embed(student, case):
    """One row of the layer's table for each index, in the order of the indices; shape (T, d_in).

    values, shape, raised: An index is the number of a row, counted from 0. The layer can look up all of them at once.
    """
    import torch

    embedding = torch.nn.Embedding.from_pretrained(case.table, freeze=False)
    return student.embed(case.indices, embedding)


@check(points=1, documented=0.25, returns=("Q", "K", "V"))
def test_project(student, case):
    """Q, K and V of all tokens, in this order, each of shape (T, d).

    shape: Tokens are rows, so X stands on the left of a matrix product.

    values: Does each of the three use its own matrix?
    """
    return student.project(case.X, case.W_Q, case.W_K, case.W_V)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_scaled_scores(student, case):
    """Entry (i, j) is the dot product of query i and key j, divided by the square root of d; shape
    (Tq, Tk).

    shape: Which of the two has to be transposed?

    values: d is the width of the keys; take it from the tensor.
    """
    return student.scaled_scores(case.Q, case.K)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_attention_weights(student, case):
    """The softmax of each row: no weight is negative, and each row sums to 1.

    sums: A row belongs to one query. Along which axis do its keys lie?

    values: The softmax takes the exponential of each score, and divides it by the sum of its row.
    """
    return student.attention_weights(case.scaled_scores)


@remark(
    test_attention_weights,
    "warning",
    says="The result is right, but there is a warning about the code: {seen}",
)
def weights_warn(student, case):
    return warns(lambda: student.attention_weights(case.scaled_scores))


@remark(
    test_attention_weights,
    "overflow",
    says="With scores a hundred times as large the weights are wrong. Perhaps an exponential overflows, as it does "
    "from about 89 on, or large scores are cut off. Take the largest score of each row away first.",
)
def weights_of_large_scores(student, case):
    return student.attention_weights(100 * case.scaled_scores)


@check(points=1, documented=0.25, axes=("queries", "dimensions"))
def test_attention_output(student, case):
    """Row i is the sum of all values, each weighted by row i of the weights; shape (Tq, d).

    shape: A matrix product does all rows at once. Which shape stands on the left?
    """
    return student.attention_output(case.weights, case.V)


if __name__ == "__main__":
    print(
        "This file checks nothing by itself. To check your steps, open a terminal in its folder and run"
    )
    print("    python -m pytest")
