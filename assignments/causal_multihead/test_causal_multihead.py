"""The checks of causal_multihead: one for each step, in order, with its points.

Each test calls your step and returns what it saw; the kit compares that with what is right.
Run `pytest` in this folder.
The first lines of a test say what is expected, the rest where to look when it is not so: in a wrong shape, in
wrong values, and so on.
"""

try:
    from autograder import check, criterion, fallback, remark
    from autograder.probing import (
        biases,
        calls,
        census,
        created,
        descend,
        draws,
        gradients,
        inject,
        inject_biases,
        uniform_buffer,
    )
except ImportError:
    import pytest

    raise pytest.Collector.CollectError(
        "These checks need the self-attention kit, which is in the zip file that you were given: "
        "python -m pip install ./self_attention_kit-...whl, with the whole name of that file; README.txt has the "
        "line for your system (not the unrelated package called autograder)."
    ) from None

MATRICES = ("W_query", "W_key", "W_value")
LAYERS = (*MATRICES, "out_proj")
PASSES = 16
LIBRARY = (
    "Right, and in a real model a good choice: PyTorch's own function does all steps at once. In this exercise, write "
    "the steps yourself."
)


@check(points=1, axes=("queries", "keys"), differentiable=False)
def test_causal_mask(student, case):
    """True where the key comes after the query, False elsewhere; shape (length, length), dtype bool.

    shape: The mask has a row for each query and a column for each key.

    values: A query is a row, a key is a column. May a token see itself?

    dtype, type: A comparison gives bool, and every tensor can be turned into one.
    """
    return student.causal_mask(case.length)


@check(points=3, axes=("sequences", "queries", "keys"))
def test_causal_weights(student, case):
    """For each sequence the softmax of each row of scaled scores, with the weight 0 for hidden keys.

    shape: The scores of each sequence are a matrix product. Which two axes of the keys have to be exchanged?

    sums: The visible weights of a row share out the whole 1. What comes first, the mask or the softmax?

    values: Hidden scores become minus infinity before the softmax. Is each score divided by the square root of d_k?

    not_finite: If all keys of a query are hidden, its row is 0 divided by 0. What does True mean in this mask?
    """
    return student.causal_weights(case.queries, case.keys, case.mask)


@remark(
    test_causal_weights,
    "overflow",
    says="With scores a hundred times as large the weights are wrong. Perhaps an exponential overflows, as it does "
    "from about 89 on, or the number for hidden scores is not small enough.",
)
def weights_of_large_scores(student, case):
    return student.causal_weights(100 * case.queries, case.keys, case.mask)


@check(
    points=4,
    returns=("output", "output of a second call"),
    axes={"output": ("sequences", "tokens", "dimensions")},
)
def test_CausalAttention(student, case):
    """The context vectors of a batch whose sequences are shorter than context_length, shape (B, T, d_out).

    values: The steps in order: three layers, scaled scores, mask, softmax, product with the values. In eval mode
    nothing is dropped.

    shape: Every operation works on the last two axes. Is the mask cut to the number of tokens?
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout
    attention = inject(
        created(student.CausalAttention, *sizes, qkv_bias=False), case.weights
    ).eval()
    return attention(case.x), attention(case.x)


@criterion(test_CausalAttention, "parameters", points=0.5, alone=True, slack=5)
def causal_parameters(student, case):
    """Three nn.Linear layers W_query, W_key, W_value, drawn anew in each instance; a bias only if qkv_bias=True.

    type, values, equal, unsuitable: Each is made once, in __init__, and stored on self. Is qkv_bias passed on to
    each layer?
    """

    def make(**options):
        sizes = case.d_in, case.d_out, case.context_length, case.dropout
        return student.CausalAttention(*sizes, **options).eval()

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "biases": biases(plain, MATRICES),
        "output after one step of gradient descent": descend(plain, case.slopes)(case.x),
        "output with qkv_bias=True after one step of gradient descent": descend(
            biased, case.slopes, case.bias_slopes
        )(case.x),
        "two new instances": draws(make, MATRICES),
    }


@fallback(test_CausalAttention, "parameters")
def causal_registered(student, case):
    def make(**options):
        sizes = case.d_in, case.d_out, case.context_length, case.dropout
        return student.CausalAttention(*sizes, **options).eval()

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "parameters": census(plain, MATRICES),
        "biases": biases(plain, MATRICES),
        "biases with qkv_bias=True": biases(biased, MATRICES),
        "two new instances": draws(make, MATRICES),
    }


@criterion(test_CausalAttention, "gradients", points=0.5, slack=5)
def causal_gradients(student, case):
    """A gradient for each of the three matrices.

    type, values: Is every tensor recorded, from x to the result? .data, .detach(), no_grad and NumPy cut the graph.
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout
    attention = inject(
        created(student.CausalAttention, *sizes, qkv_bias=False), case.weights
    ).eval()
    return gradients(attention, MATRICES, attention(case.x), case.upstream)


@criterion(test_CausalAttention, "buffer", points=0.5)
def causal_buffer(student, case):
    """The mask that hides later keys is the buffer `mask`, and the state_dict holds it.

    values, type: If the numbers of the buffer change, the output must change. Is the mask registered under the name
    `mask`, once, in __init__, and does forward use it?
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout
    attention = inject(
        created(student.CausalAttention, *sizes, qkv_bias=False), case.weights
    ).eval()
    stored = "mask" in attention.state_dict()
    opened = uniform_buffer(attention, "mask")
    return {
        "mask in the state_dict": stored,
        "output if the buffer `mask` hides nothing": opened(case.x),
    }


@criterion(test_CausalAttention, "dropout", points=0.5)
def causal_dropout(student, case):
    """In training, the weights are dropped with the probability `dropout`, those that stay are divided by the rest.

    The first token has one weight, that of itself: so its context vector is dropped as a whole, or enlarged.

    values, shape, count: Is nn.Dropout made with the argument `dropout`, and does it get the attention weights, after
    the softmax?
    """

    def make(dropout):
        sizes = case.d_in, case.d_out, case.context_length, dropout
        return inject(created(student.CausalAttention, *sizes, qkv_bias=False), case.weights)

    return in_training(make(0.0), make(case.dropout), case.x)


def in_training(without, attention, x):
    """Return the different context vectors of the first token in training, as far as their first two numbers."""
    import torch

    first = x[:1, :1].repeat(x.shape[1], 1, 1)
    plain = without.eval()(first)[0, 0, :2].detach()
    attention.train()
    passes = torch.cat([attention(first)[:, 0, :2].detach() for _ in range(PASSES)])
    found = (passes / plain).round(decimals=2).unique(dim=0) * plain
    return {"different context vectors of the first token in training": list(found)}


@remark(test_CausalAttention, "library_attention", says=LIBRARY)
def causal_library(student, case):
    from torch.nn import functional

    sizes = case.d_in, case.d_out, case.context_length, case.dropout
    attention = created(student.CausalAttention, *sizes, qkv_bias=False).eval()
    return calls(functional, "scaled_dot_product_attention", lambda: attention(case.x))


@check(points=2, axes=("sequences", "tokens", "dimensions"))
def test_MultiHeadAttentionWrapper(student, case):
    """The context vectors of all heads side by side, shape (B, T, num_heads * d_out).

    shape: Side by side means along the last axis.

    values: The vectors of the first head come first. Does each head get x itself?
    """
    sizes = case.d_in, case.d_out, case.context_length, 0.0, case.num_heads
    made = created(student.MultiHeadAttentionWrapper, *sizes, qkv_bias=False)
    return inject(made, case.weights).eval()(case.x)


@criterion(test_MultiHeadAttentionWrapper, "parameters", points=0.5, alone=True, slack=5)
def wrapper_parameters(student, case):
    """An nn.ModuleList `heads` with num_heads modules, each with layers of its own, and with biases if qkv_bias=True.

    type, values, equal, unsuitable: A plain list does not register its modules. Is each head made anew? Is qkv_bias
    passed on?
    """

    def make(**options):
        sizes = case.d_in, case.d_out, case.context_length, 0.0, case.num_heads
        return student.MultiHeadAttentionWrapper(*sizes, **options).eval()

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "biases": biases(plain, tuple(case.weights)),
        "output with qkv_bias=True after one step of gradient descent": descend(
            biased, case.slopes, case.bias_slopes
        )(case.x),
        "two new instances": draws(make, tuple(case.weights)),
    }


@fallback(test_MultiHeadAttentionWrapper, "parameters")
def wrapper_registered(student, case):
    def make(**options):
        sizes = case.d_in, case.d_out, case.context_length, 0.0, case.num_heads
        return student.MultiHeadAttentionWrapper(*sizes, **options).eval()

    names = tuple(case.weights)
    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "parameters": census(plain, names),
        "biases": biases(plain, names),
        "biases with qkv_bias=True": biases(biased, names),
        "two new instances": draws(make, names),
    }


@criterion(test_MultiHeadAttentionWrapper, "gradients", points=0.25, slack=5)
def wrapper_gradients(student, case):
    """A gradient for each layer of each head.

    type, values: Is every tensor recorded, from x to the result? .data, .detach(), no_grad and NumPy cut the graph.
    """
    sizes = case.d_in, case.d_out, case.context_length, 0.0, case.num_heads
    made = created(student.MultiHeadAttentionWrapper, *sizes, qkv_bias=False)
    attention = inject(made, case.weights).eval()
    return gradients(attention, tuple(case.weights), attention(case.x), case.upstream)


@criterion(test_MultiHeadAttentionWrapper, "dropout", points=0.25)
def wrapper_dropout(student, case):
    """In training, each head drops weights with the probability `dropout`.

    values, shape, count: Is `dropout` passed on to each head?
    """

    def make(dropout):
        sizes = case.d_in, case.d_out, case.context_length, dropout, case.num_heads
        made = created(student.MultiHeadAttentionWrapper, *sizes, qkv_bias=False)
        return inject(made, case.weights)

    return in_training(make(0.0), make(case.dropout), case.x)


@check(points=1)
def test_split_heads(student, case):
    """Shape (B, num_heads, T, d / num_heads): each head has its part of each token.

    shape: The last axis becomes two. Where do the heads stand then, and where should they stand?

    values: A reshape keeps the order of the numbers in memory; only an exchange of axes moves the heads in front of
    the tokens.
    """
    return student.split_heads(case.x, case.num_heads)


@check(points=1)
def test_merge_heads(student, case):
    """Shape (B, T, H * w): for each token the parts of all heads side by side.

    shape: The heads stand behind the tokens again, then the last two axes become one.

    values: A reshape keeps the order of the numbers in memory. Which two axes have to be exchanged before it?
    """
    return student.merge_heads(case.x)


@check(
    points=6,
    returns=("output", "output of a second call"),
    axes={"output": ("sequences", "tokens", "dimensions")},
)
def test_MultiHeadAttention(student, case):
    """The context vectors of all heads, after out_proj, shape (B, T, d_out).

    values: The steps in order: three layers, split, weights of each head, product with the values, merge, out_proj.
    The width for the scaling is that of one head. In eval mode nothing is dropped.

    shape: Before the product the heads stand in front of the tokens, and behind them afterwards.
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout, case.num_heads
    made = created(student.MultiHeadAttention, *sizes, qkv_bias=False)
    attention = inject(made, case.weights).eval()
    return attention(case.x), attention(case.x)


@criterion(test_MultiHeadAttention, "parameters", points=1, alone=True, slack=5)
def heads_parameters(student, case):
    """Four nn.Linear layers, W_query, W_key, W_value and out_proj, drawn anew in each instance. out_proj has a bias,
    the others only if qkv_bias=True.

    type, values, equal, unsuitable: Each is made once, in __init__, and stored on self. Is qkv_bias passed on to
    three layers, and not to out_proj?
    """

    def make(**options):
        sizes = case.d_in, case.d_out, case.context_length, case.dropout, case.num_heads
        return student.MultiHeadAttention(*sizes, **options).eval()

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "biases": biases(plain, MATRICES),
        "output after one step of gradient descent": descend(
            inject_biases(plain, case.bias), case.slopes, case.bias_slope
        )(case.x),
        "output with qkv_bias=True after one step of gradient descent": descend(
            biased, case.slopes, case.bias_slopes
        )(case.x),
        "two new instances": draws(make, LAYERS),
    }


@fallback(test_MultiHeadAttention, "parameters")
def heads_registered(student, case):
    def make(**options):
        sizes = case.d_in, case.d_out, case.context_length, case.dropout, case.num_heads
        return student.MultiHeadAttention(*sizes, **options).eval()

    plain = inject(make(), case.weights)
    biased = inject_biases(inject(make(qkv_bias=True), case.weights), case.biases)
    return {
        "parameters": census(plain, LAYERS),
        "biases": biases(plain, LAYERS),
        "biases with qkv_bias=True": biases(biased, LAYERS),
        "two new instances": draws(make, LAYERS),
    }


@criterion(test_MultiHeadAttention, "gradients", points=0.5, slack=5)
def heads_gradients(student, case):
    """A gradient for each of the four matrices.

    type, values: Is every tensor recorded, from x to the result? .data, .detach(), no_grad and NumPy cut the graph.
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout, case.num_heads
    made = created(student.MultiHeadAttention, *sizes, qkv_bias=False)
    attention = inject(made, case.weights).eval()
    return gradients(attention, LAYERS, attention(case.x), case.upstream)


@criterion(test_MultiHeadAttention, "buffer", points=0.5)
def heads_buffer(student, case):
    """The mask that hides later keys is the buffer `mask`, and the state_dict holds it.

    values, type: If the numbers of the buffer change, the output must change. Is the mask registered under the name
    `mask`, once, in __init__, and does forward use it?
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout, case.num_heads
    made = created(student.MultiHeadAttention, *sizes, qkv_bias=False)
    attention = inject(made, case.weights).eval()
    stored = "mask" in attention.state_dict()
    opened = uniform_buffer(attention, "mask")
    return {
        "mask in the state_dict": stored,
        "output if the buffer `mask` hides nothing": opened(case.x),
    }


@criterion(test_MultiHeadAttention, "dropout", points=0.5)
def heads_dropout(student, case):
    """In training, the weights are dropped with the probability `dropout`, those that stay are divided by the rest.

    In each head the first token has one weight, that of itself: so what the head gives it is dropped as a whole, or
    enlarged.

    values, shape, count: Is nn.Dropout made with the argument `dropout`, and does it get the attention weights, after
    the softmax?
    """

    def make(dropout):
        sizes = case.d_in, case.d_out, case.context_length, dropout, case.num_heads
        made = created(student.MultiHeadAttention, *sizes, qkv_bias=False)
        return inject(inject(made, case.weights), case.unmixed)

    return in_training(make(0.0), make(case.dropout), case.x)


@criterion(test_MultiHeadAttention, "indivisible", points=0.5, raises=ValueError)
def heads_of_unequal_width(student, case):
    """ValueError, because the heads cannot have equal widths.

    no_exception, raised: What is left over when d_out is divided by num_heads? An assert raises AssertionError.
    """
    sizes = case.d_in, case.d_out, case.context_length, case.dropout
    student.MultiHeadAttention(*sizes, case.indivisible)
    return "a module"


@remark(test_MultiHeadAttention, "library_attention", says=LIBRARY)
def heads_library(student, case):
    from torch.nn import functional

    sizes = case.d_in, case.d_out, case.context_length, case.dropout, case.num_heads
    attention = created(student.MultiHeadAttention, *sizes, qkv_bias=False).eval()
    return calls(functional, "scaled_dot_product_attention", lambda: attention(case.x))


if __name__ == "__main__":
    print(
        "This file checks nothing by itself. To check your steps, open a terminal in its folder and run"
    )
    print("    python -m pytest")
