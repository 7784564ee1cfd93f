"""The checks of scaled_dot_product: one for each step, in order, with its points.

Each test calls your step and returns what it saw; the kit compares that with what is right.
The first lines of a test say what is expected, the rest where to look when it is not so: in a wrong shape, in
wrong values, and so on.
Run `pytest` in this folder.
"""

from types import SimpleNamespace

try:
    from autograder import check, criterion, remark
    from autograder.probing import calls, inject, inject_biases, layer, seed, warns
except ImportError:
    import pytest

    raise pytest.Collector.CollectError(
        "These checks need the self-attention kit, which is in the zip file that you were given: "
        "python -m pip install ./self_attention_kit-...whl, with the whole name of that file; README.txt has the "
        "line for your system (not the unrelated package called autograder)."
    ) from None

LAYERS = ("w_query", "w_key", "w_value")


@check(points=1, documented=0.25)
def test_make_projections(student, case):
    """Three separate nn.Linear layers of width d_model with bias, trainable and filled by PyTorch,
    created in the order query, key, value.

    values: A seed was set just before the call. Another order, a layer more or less, a bias left out or a
    seed inside the function gives other numbers.
    """
    seed(case.seed)
    w_query, w_key, w_value = student.make_projections(case.d_model)
    made = SimpleNamespace(w_query=w_query, w_key=w_key, w_value=w_value)
    layers = {name: layer(made, name) for name in LAYERS}
    return {name: {"weight": held.weight, "bias": held.bias} for name, held in layers.items()}


@check(points=1, returns=("tokens", "tokens of a second call, without scale"))
def test_make_tokens(student, case):
    """Normal random numbers of shape (max_sequence_length, d_model) with mean 0 and standard
    deviation scale, which is 10.0 if it is not given. A second call gives new numbers.

    values: A seed was set just before the first call. Is scale used as it comes in? Is a seed set inside
    the function?
    """
    seed(case.seed)
    first = student.make_tokens(case.max_sequence_length, case.d_model, case.scale)
    return first, student.make_tokens(case.max_sequence_length, case.d_model)


@criterion(test_make_tokens, "documented", points=0.25)
def tokens_after_the_layers(student, case):
    """The document's tokens: the seed, then three layers, then the tokens."""
    from torch import nn

    seed(case.seed)
    for _ in LAYERS:
        nn.Linear(case.d_model, case.d_model)
    return student.make_tokens(case.max_sequence_length, case.d_model)


@check(points=1, returns=("q", "k", "v"))
def test_project(student, case):
    """The queries, keys and values of all tokens, in this order, each of shape (T, d_k).

    Each comes from its own layer, and from the whole layer: weight and bias.
    """
    from torch import nn

    layers = SimpleNamespace(
        **{name: nn.Linear(*weight.shape) for name, weight in case.weights.items()}
    )
    inject_biases(inject(layers, case.weights), case.biases)
    return student.project(case.tokens, layers.w_query, layers.w_key, layers.w_value)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_raw_scores(student, case):
    """One row for each query, one column for each key: entry (i, j) is the dot product of query i
    and key j, not scaled.

    shape: Which of the two has to be transposed, and which stands on the left?
    """
    return student.raw_scores(case.q, case.k)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_scaled_scores(student, case):
    """The dot product of each query (row) with each key (column), divided by the square root of
    d_k.

    values: d_k is the width of a key, not the number of keys. Is it taken from the arguments, for any
    width? Is it the root that divides?
    """
    return student.scaled_scores(case.q, case.k)


@check(points=2, documented=0.5, differentiable=False)
def test_score_variances(student, case):
    """A dict with four numbers: the unbiased variance of all entries of q, of k, of the raw scores
    and of the scaled scores.

    values: An unbiased variance divides by the number of entries minus one.
    """
    return student.score_variances(case.q, case.k)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_attention_weights(student, case):
    """The softmax of each row: no weight is negative, and each row sums to 1.

    sums: A row belongs to one query: along which axis do its keys lie?

    values: The scores are scaled already. The softmax takes the exponential of each, and divides it by
    the sum of its row.
    """
    return student.attention_weights(case.scores)


@remark(
    test_attention_weights,
    "warning",
    says="The result is right, but there is a warning about the code: {seen}",
)
def weights_warn(student, case):
    return warns(lambda: student.attention_weights(case.scores))


@remark(
    test_attention_weights,
    "overflow",
    says="With scores a hundred times as large the weights are wrong. Perhaps an exponential overflows, as it does "
    "from about 89 on, or large scores are cut off. torch.softmax takes the largest score of each row away first.",
)
def weights_of_large_scores(student, case):
    return student.attention_weights(100 * case.scores)


@check(points=1, documented=0.25, axes=("queries", "dimensions"))
def test_attention_output(student, case):
    """Row i is the sum of all values, each weighted by row i of the attention weights; shape
    (Tq, d_v).

    shape: A matrix product does all rows at once. Which shape stands on the left?
    """
    return student.attention_output(case.weights, case.v)


@check(
    points=3,
    documented=0.75,
    returns=("output", "weights"),
    axes={"output": ("queries", "dimensions"), "weights": ("queries", "keys")},
)
def test_scaled_dot_product_attention(student, case):
    """The output and the attention weights, in this order, of shapes (Tq, d_v) and (Tq, Tk).

    values, sums, shape: The order inside: scores, scaling, softmax over each row, mixing. Each happens once, and the
    values are mixed.
    """
    return student.scaled_dot_product_attention(case.q, case.k, case.v)


@remark(
    test_scaled_dot_product_attention,
    "library_attention",
    says="Right, and in a real model a good choice: PyTorch's own function does all steps at once. "
    "In this exercise, write the steps yourself.",
)
def library_run(student, case):
    from torch.nn import functional

    return calls(
        functional,
        "scaled_dot_product_attention",
        lambda: student.scaled_dot_product_attention(case.q, case.k, case.v),
    )


if __name__ == "__main__":
    print(
        "This file checks nothing by itself. To check your steps, open a terminal in its folder and run"
    )
    print("    python -m pytest")
