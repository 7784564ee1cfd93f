"""What the steps of causal_multihead are called with: drawn inputs only, since the documents print no numbers here.

The sizes of a case all differ, so that no axis can be taken for another; in one of the two cases there are more tokens
than a head is wide, in the other one fewer. Sequences are shorter than context_length, except in the corners.
"""

from dataclasses import dataclass

import numpy as np

from autograder import corner, drawn
from autograder.assignment.cases import Draw
from autograder.values.values import tensor

MATRICES = ("W_query", "W_key", "W_value")
RATES = (0.25, 0.75)


@dataclass(frozen=True)
class Sizes:
    """The sizes of a batch and of a module; `width` is that of one head."""

    batch: int
    tokens: int
    d_in: int
    width: int
    context_length: int
    num_heads: int


ONE_HEAD = (Sizes(2, 5, 4, 3, 7, 1), Sizes(3, 4, 7, 5, 6, 1))
SEVERAL = (Sizes(4, 5, 7, 3, 8, 2), Sizes(2, 4, 6, 5, 7, 3))


def sizes_of(draw: Draw, choices: tuple[Sizes, Sizes]) -> Sizes:
    return choices[draw.integer(0, 2)]


def full(draw: Draw) -> Sizes:
    """Return the sizes of one sequence of context_length tokens, which are more than it has numbers, for one head."""
    *others, tokens = sorted((draw.tokens, draw.d_in, draw.d_k))
    return Sizes(1, tokens, others[0], others[1], tokens, 1)


def mask_of(length: int):
    return tensor(np.triu(np.ones((length, length), bool), 1), "bool")


def batch_of(draw: Draw, sizes: Sizes):
    return draw.tensor(sizes.batch, sizes.tokens, sizes.d_in)


def matrices(draw: Draw, d_in: int, d_out: int):
    return {name: draw.weights(d_in, d_out) for name in MATRICES}


def vectors(draw: Draw, d_out: int):
    return {name: draw.weights(d_out) for name in MATRICES}


@drawn("causal_mask")
def length(draw: Draw):
    return {"length": draw.integer(4, 8)}


@corner("causal_mask", says="for one token")
def length_of_one(draw: Draw):
    return {"length": 1}


@drawn("causal_weights")
def queries_keys_and_mask(draw: Draw):
    sizes = sizes_of(draw, ONE_HEAD)
    shape = (sizes.batch, sizes.tokens, sizes.width)
    return {
        "queries": draw.tensor(*shape),
        "keys": draw.tensor(*shape),
        "mask": mask_of(sizes.tokens),
    }


@corner(
    "causal_weights",
    says="with heads: four axes, as many tokens as dimensions, and a mask that hides earlier keys",
)
def square_heads(draw: Draw):
    """A mask that no function makes for itself. Each query sees itself, so that each row sums to 1."""
    queries, keys = (draw.tensor(2, 3, draw.d_k, draw.d_k) for _ in range(2))
    earlier = tensor(np.tril(np.ones((draw.d_k, draw.d_k), bool), -1), "bool")
    return {"queries": queries, "keys": keys, "mask": earlier}


@drawn("CausalAttention")
def batch_and_weights(draw: Draw):
    sizes = sizes_of(draw, ONE_HEAD)
    return {
        "d_in": sizes.d_in,
        "d_out": sizes.width,
        "context_length": sizes.context_length,
        "dropout": RATES[draw.integer(0, 2)],
        "x": batch_of(draw, sizes),
        "weights": matrices(draw, sizes.d_in, sizes.width),
        "upstream": draw.tensor(sizes.batch, sizes.tokens, sizes.width),
        "slopes": matrices(draw, sizes.d_in, sizes.width),
        "biases": vectors(draw, sizes.width),
        "bias_slopes": vectors(draw, sizes.width),
    }


@corner(
    "CausalAttention", says="with one sequence of context_length tokens and d_in equal to d_out"
)
def one_full_sequence(draw: Draw):
    sizes = full(draw)
    return {
        "d_in": sizes.width,
        "d_out": sizes.width,
        "context_length": sizes.tokens,
        "dropout": 0.5,
        "x": draw.tensor(1, sizes.tokens, sizes.width),
        "weights": matrices(draw, sizes.width, sizes.width),
    }


def of_heads(draw: Draw, sizes: Sizes, *shape: int):
    """Return fresh numbers of this shape for each layer of each head, by the name of the layer."""
    return {
        f"heads.{head}.{name}": draw.weights(*shape)
        for head in range(sizes.num_heads)
        for name in MATRICES
    }


@drawn("MultiHeadAttentionWrapper")
def batch_and_weights_of_heads(draw: Draw):
    sizes = sizes_of(draw, SEVERAL)
    return {
        "d_in": sizes.d_in,
        "d_out": sizes.width,
        "context_length": sizes.context_length,
        "dropout": RATES[draw.integer(0, 2)],
        "num_heads": sizes.num_heads,
        "x": batch_of(draw, sizes),
        "weights": of_heads(draw, sizes, sizes.d_in, sizes.width),
        "upstream": draw.tensor(sizes.batch, sizes.tokens, sizes.num_heads * sizes.width),
        "slopes": of_heads(draw, sizes, sizes.d_in, sizes.width),
        "biases": of_heads(draw, sizes, sizes.width),
        "bias_slopes": of_heads(draw, sizes, sizes.width),
    }


@corner("MultiHeadAttentionWrapper", says="with one head and one sequence of context_length tokens")
def one_head_in_the_wrapper(draw: Draw):
    sizes = full(draw)
    return {
        "d_in": sizes.d_in,
        "d_out": sizes.width,
        "context_length": sizes.tokens,
        "dropout": 0.5,
        "num_heads": 1,
        "x": batch_of(draw, sizes),
        "weights": of_heads(draw, sizes, sizes.d_in, sizes.width),
    }


@drawn("split_heads")
def rows_to_split(draw: Draw):
    sizes = sizes_of(draw, SEVERAL)
    x = draw.tensor(sizes.batch, sizes.tokens, sizes.num_heads * sizes.width)
    return {"x": x, "num_heads": sizes.num_heads}


@corner("split_heads", says="with one head and one sequence of more tokens than numbers each")
def rows_of_one_head(draw: Draw):
    sizes = full(draw)
    return {"x": draw.tensor(1, sizes.tokens, sizes.width), "num_heads": 1}


@drawn("merge_heads")
def heads_to_merge(draw: Draw):
    sizes = sizes_of(draw, SEVERAL)
    return {"x": draw.tensor(sizes.batch, sizes.num_heads, sizes.tokens, sizes.width)}


@corner("merge_heads", says="with one head and one sequence")
def one_head_to_merge(draw: Draw):
    return {"x": draw.tensor(1, 1, draw.tokens, draw.d_k)}


@drawn("MultiHeadAttention")
def batch_weights_and_projection(draw: Draw):
    sizes = sizes_of(draw, SEVERAL)
    d_out = sizes.num_heads * sizes.width

    def weights():
        return {**matrices(draw, sizes.d_in, d_out), "out_proj": draw.weights(d_out, d_out)}

    def biases():
        return {**vectors(draw, d_out), "out_proj": draw.weights(d_out)}

    return {
        "d_in": sizes.d_in,
        "d_out": d_out,
        "context_length": sizes.context_length,
        "dropout": RATES[draw.integer(0, 2)],
        "num_heads": sizes.num_heads,
        "indivisible": sizes.tokens,
        "x": batch_of(draw, sizes),
        "weights": weights(),
        "bias": {"out_proj": draw.weights(d_out)},
        "unmixed": {"out_proj": tensor(np.eye(d_out))},
        "upstream": draw.tensor(sizes.batch, sizes.tokens, d_out),
        "slopes": weights(),
        "bias_slope": {"out_proj": draw.weights(d_out)},
        "biases": biases(),
        "bias_slopes": biases(),
    }


@corner("MultiHeadAttention", says="with one head and one sequence of context_length tokens")
def one_head(draw: Draw):
    sizes = full(draw)
    weights = matrices(draw, sizes.d_in, sizes.width)
    return {
        "d_in": sizes.d_in,
        "d_out": sizes.width,
        "context_length": sizes.tokens,
        "dropout": 0.5,
        "num_heads": 1,
        "x": batch_of(draw, sizes),
        "weights": {**weights, "out_proj": draw.weights(sizes.width, sizes.width)},
    }
