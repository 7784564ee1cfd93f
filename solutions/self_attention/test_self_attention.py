"""The checks of self_attention: one for each step, in order, with its points.

Each test calls your step and returns what it saw; the kit compares that with what is right.
Run `pytest` in this folder.
The first lines of a test say what is expected, the rest where to look when it is not so: in a wrong shape, in
wrong values, and so on.
"""

try:
    from autograder import alternative, check, criterion, fallback, remark
    from autograder.probing import (
        biases,
        calls,
        census,
        created,
        descend,
        draws,
        gradients,
        holder,
        inject,
        inject_biases,
        matrices,
        seed,
        transferred,
        warns,
    )
except ImportError:
    import pytest

    raise pytest.Collector.CollectError(
        "These checks need the self-attention kit, which is in the zip file that you were given: "
        "python -m pip install ./self_attention_kit-...whl, with the whole name of that file; README.txt has the "
        "line for your system (not the unrelated package called autograder)."
    ) from None

MATRICES = ("W_query", "W_key", "W_value")


@check(points=1, documented=0.25, returns=MATRICES)
def test_init_weights(student, case):
    """Three frozen Parameters of shape (d_in, d_out), drawn with torch.rand in the order query, key, value
    after one torch.manual_seed(seed).

    values: Is the seed set once, before the first draw?

    type, frozen: Is each matrix an nn.Parameter with requires_grad=False?
    """
    return student.init_weights(case.d_in, case.d_out, case.seed)


@check(points=1, documented=0.25, returns=("queries", "keys", "values"))
def test_project(student, case):
    """The queries, keys and values of all tokens, in this order, each of shape (T, d_out).

    shape: Tokens are rows, so x stands on the left of a matrix product.

    values: Does each of the three use its own matrix?
    """
    return student.project(case.x, case.W_query, case.W_key, case.W_value)


@check(points=1, documented=0.25)
def test_attention_score(student, case):
    """The dot product of one query and one key: a single number, not scaled.

    shape: Both arguments are vectors of shape (d_k,), and a score is a single number.
    """
    return student.attention_score(case.query, case.key)


@remark(
    test_attention_score,
    "warning",
    says="The result is right, but there is a warning about the code: {seen}",
)
def score_warns(student, case):
    return warns(lambda: student.attention_score(case.query, case.key))


@check(
    points=2,
    documented=0.5,
    axes=("queries", "keys"),
    builds_on=("attention_score",),
)
def test_attention_scores(student, case):
    """One row for each query, one column for each key: entry (i, j) is the dot product of query i and key j,
    not scaled.

    shape: Which of the two has to be transposed, and which stands on the left?
    """
    return student.attention_scores(case.queries, case.keys)


@check(points=1, documented=0.25, axes=("queries", "keys"))
def test_scale_scores(student, case):
    """The scores, each divided by the square root of d_k.

    values: d_k is the width of a key and comes as an argument. The square root is d_k**0.5, with two asterisks.
    """
    return student.scale_scores(case.scores, case.d_k)


@check(points=2, documented=0.5, axes=("queries", "keys"))
def test_attention_weights(student, case):
    """The softmax of each row: no weight is negative, and each row sums to 1.

    sums: A row belongs to one query, so the softmax runs along the last axis (dim=-1).

    values: The softmax takes the exponential of each score as it comes in, and divides it by the sum of its row.
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
    "from about 89 on, or large scores are cut off. torch.softmax takes the largest score of each row away first.",
)
def weights_of_large_scores(student, case):
    return student.attention_weights(100 * case.scaled_scores)


@check(points=1, documented=0.25, axes=("queries", "dimensions"))
def test_context_vectors(student, case):
    """Row i is the sum of all values, each weighted by row i of the attention weights; shape (Tq, d_v).

    shape: A matrix product does all rows at once. Which shape stands on the left?
    """
    return student.context_vectors(case.weights, case.values)


@check(
    points=1,
    returns=("before", "after"),
    differentiable=False,
    builds_on=("attention_score",),
)
def test_dot_product_variance(student, case):
    """Two numbers: the population variance of the row-wise dot products, and the same after each dot product is
    divided by sqrt(d).

    values: Row i of the queries meets only row i of the keys. Population variance divides by the number of trials.
    """
    return student.dot_product_variance(case.queries, case.keys)


@criterion(test_dot_product_variance, "documented", points=0.25)
def variance_law(student, case):
    """The documents' numbers have no seed, so this is checked: before divided by after is d."""
    before, after = student.dot_product_variance(case.queries, case.keys)
    return before / after


@check(points=4, returns=("output", "output of a second call"))
def test_SelfAttention_v1(student, case):
    """The context vectors of x, shape (T, d_out), from its own matrices.

    values, shape: The steps in order: project, scores, scaled scores, weights, context vectors.
    """
    attention = inject(student.SelfAttention_v1(case.d_in, case.d_out), case.weights)
    return attention(case.x), attention(case.x)


@criterion(test_SelfAttention_v1, "parameters", points=1, alone=True, slack=5)
def v1_parameters(student, case):
    """Three trainable nn.Parameters W_query, W_key, W_value of shape (d_in, d_out), drawn anew in each instance.

    type, values, equal: Each is made once, in __init__, and stored on self. No seed is set in the class.
    """

    def make():
        return student.SelfAttention_v1(case.d_in, case.d_out)

    trained = descend(inject(make(), case.weights), case.slopes)
    return {
        "output after one step of gradient descent": trained(case.other_x),
        "two new instances": draws(make, MATRICES),
    }


@fallback(test_SelfAttention_v1, "parameters")
def v1_registered(student, case):
    def make():
        return student.SelfAttention_v1(case.d_in, case.d_out)

    return {
        "parameters": census(inject(make(), case.weights), MATRICES),
        "two new instances": draws(make, MATRICES),
    }


@criterion(test_SelfAttention_v1, "gradients", points=0.5, slack=5)
def v1_gradients(student, case):
    """A gradient for each of the three matrices.

    type, values: Is every tensor recorded, from x to the result? .data, .detach(), no_grad and NumPy cut the graph.
    """
    attention = inject(student.SelfAttention_v1(case.d_in, case.d_out), case.weights)
    return gradients(attention, MATRICES, attention(case.x), case.upstream)


@criterion(test_SelfAttention_v1, "documented", points=0.5)
def v1_documented(student, case):
    """The documents' output: matrices drawn with torch.rand after the seed.

    values: Are the matrices drawn in __init__ with torch.rand, in the shape (d_in, d_out), and nothing else before?
    """
    seed(case.seed)
    return student.SelfAttention_v1(case.d_in, case.d_out)(case.x)


@remark(
    test_SelfAttention_v1,
    "library_attention",
    says="Right, and in a real model a good choice: PyTorch's own function does all steps at once. "
    "In this exercise, write the steps yourself.",
)
def v1_library(student, case):
    from torch.nn import functional

    attention = student.SelfAttention_v1(case.d_in, case.d_out)
    return calls(functional, "scaled_dot_product_attention", lambda: attention(case.x))


@check(points=4, returns=("output", "output of a second call"))
def test_SelfAttention_v2(student, case):
    """The context vectors of x, shape (T, d_out), from its own layers.

    The same computation as SelfAttention_v1; the layers W_query, W_key and W_value are called with x.
    """
    made = created(student.SelfAttention_v2, case.d_in, case.d_out, qkv_bias=False)
    attention = inject(made, case.weights)
    return attention(case.x), attention(case.x)


@criterion(test_SelfAttention_v2, "parameters", points=1, alone=True, slack=5)
def v2_parameters(student, case):
    """Three nn.Linear layers W_query, W_key, W_value, drawn anew in each instance; a bias only if qkv_bias=True.

    type, values, equal, unsuitable: Each is made once, in __init__, and stored on self. Is qkv_bias passed on to
    each layer?
    """

    def make(**options):
        return student.SelfAttention_v2(case.d_in, case.d_out, **options)

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "biases": biases(plain, MATRICES),
        "output with qkv_bias=True": biased(case.x),
        "output after one step of gradient descent": descend(plain, case.slopes)(case.other_x),
        "output with qkv_bias=True after one step of gradient descent": descend(
            biased, case.slopes, case.bias_slopes
        )(case.other_x),
        "two new instances": draws(make, MATRICES),
    }


@fallback(test_SelfAttention_v2, "parameters")
def v2_registered(student, case):
    def make(**options):
        return student.SelfAttention_v2(case.d_in, case.d_out, **options)

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "parameters": census(plain, MATRICES),
        "biases": biases(plain, MATRICES),
        "biases with qkv_bias=True": biases(biased, MATRICES),
        "two new instances": draws(make, MATRICES),
    }


@criterion(test_SelfAttention_v2, "gradients", points=0.5, slack=5)
def v2_gradients(student, case):
    """A gradient for each of the three matrices.

    type, values: Is every tensor recorded, from x to the result? .data, .detach(), no_grad and NumPy cut the graph.
    """
    made = created(student.SelfAttention_v2, case.d_in, case.d_out, qkv_bias=False)
    attention = inject(made, case.weights)
    return gradients(attention, MATRICES, attention(case.x), case.upstream)


@criterion(test_SelfAttention_v2, "documented", points=0.5)
def v2_documented(student, case):
    """The documents' output: three nn.Linear layers without bias, created after the seed.

    values: Are the three layers the only thing that is drawn in __init__?
    """
    seed(case.seed)
    made = created(student.SelfAttention_v2, case.d_in, case.d_out, qkv_bias=False)
    return made(case.x)


@remark(
    test_SelfAttention_v2,
    "library_attention",
    says="Right, and in a real model a good choice: PyTorch's own function does all steps at once. "
    "In this exercise, write the steps yourself.",
)
def v2_library(student, case):
    from torch.nn import functional

    attention = created(student.SelfAttention_v2, case.d_in, case.d_out, qkv_bias=False)
    return calls(functional, "scaled_dot_product_attention", lambda: attention(case.x))


@check(points=2)
def test_transfer_weights(student, case):
    """Afterwards the three matrices of sa_v1 hold the numbers of sa_v2's layers, and sa_v2 is unchanged.

    values, shape, type, raised: A layer stores its weight as (d_out, d_in). Copy into sa_v1 under torch.no_grad(), or
    put new Parameters there.
    """
    sa_v2, sa_v1 = holder(case.v2, layers=True), holder(case.v1)
    before, source, target = transferred(student.transfer_weights, sa_v2, sa_v1, MATRICES, case.x)
    return {"sa_v1": target, "sa_v2": source, "sa_v2 before": before}


@alternative(test_transfer_weights)
def transfer_between_own_classes(student, case):
    """The same with your own classes."""
    made = created(student.SelfAttention_v2, case.d_in, case.d_out, qkv_bias=False)
    sa_v2 = inject(made, case.v2)
    sa_v1 = inject(student.SelfAttention_v1(case.d_in, case.d_out), case.v1)
    before, source, target = transferred(student.transfer_weights, sa_v2, sa_v1, MATRICES, case.x)
    return {"sa_v1": target, "sa_v2": source, "sa_v2 before": before}


@remark(
    test_transfer_weights,
    "shared_memory",
    says="Right. But both models now share these numbers: training sa_v1 would move sa_v2 too. A .clone() "
    "makes them independent.",
)
def v2_after_v1_is_trained(student, case):
    sa_v2, sa_v1 = holder(case.v2, layers=True), holder(case.v1)
    student.transfer_weights(sa_v2, sa_v1)
    inject(sa_v1, case.v1)
    return matrices(sa_v2, MATRICES)


if __name__ == "__main__":
    print(
        "This file checks nothing by itself. To check your steps, open a terminal in its folder and run"
    )
    print("    python -m pytest")
