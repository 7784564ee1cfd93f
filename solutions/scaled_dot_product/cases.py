"""What the steps of scaled_dot_product are called with: drawn inputs, and the document's own.

Every drawn input comes from nowhere but the draw: no case is computed from another's inputs, so
that no step's inputs give away another step's answer.

A corner is a case in which sizes are equal or small, for code that is right only in general.
"""

import numpy as np
import torch

from autograder import Right, corner, documented, drawn, printed
from autograder.assignment.cases import DocumentedCase, Draw
from autograder.values.values import freeze

LAYERS = ("w_query", "w_key", "w_value")
# Above any seed that somebody writes into a function: 0, 42, 123, ...
SEEDS = (10_000, 100_000)


@drawn("make_projections")
def width_and_seed(draw: Draw):
    return {"d_model": draw.d_in, "seed": draw.integer(*SEEDS)}


@drawn("make_tokens")
def sizes_scale_and_seed(draw: Draw):
    return {
        "max_sequence_length": draw.tokens,
        "d_model": draw.d_in,
        "scale": draw.integer(20, 80) / 10,
        "seed": draw.integer(*SEEDS),
    }


@drawn("project")
def tokens_and_layers(draw: Draw):
    return {
        "tokens": draw.tensor(draw.tokens, draw.d_in),
        "weights": {name: draw.tensor(draw.d_in, draw.d_k) for name in LAYERS},
        "biases": {name: draw.tensor(draw.d_k) for name in LAYERS},
    }


@drawn("raw_scores")
def queries_and_keys(draw: Draw):
    return {
        "q": draw.tensor(draw.tokens, draw.d_k),
        "k": draw.tensor(draw.other_tokens, draw.d_k),
    }


@drawn("scaled_scores")
def queries_and_keys_to_scale(draw: Draw):
    return queries_and_keys(draw)


@drawn("score_variances")
def queries_and_keys_to_measure(draw: Draw):
    return queries_and_keys(draw)


@drawn("attention_weights")
def scores(draw: Draw):
    return {"scores": draw.tensor(draw.tokens, draw.other_tokens)}


@drawn("attention_output")
def weights_and_values(draw: Draw):
    return {
        "weights": draw.rows_that_sum_to_one(draw.tokens, draw.other_tokens),
        "v": draw.tensor(draw.other_tokens, draw.d_in),
    }


# Values as wide as keys, as everywhere in the document: then keys and values that were mixed up
# give an answer that can be recognised. In the corner they are wider or narrower.
@drawn("scaled_dot_product_attention")
def queries_keys_and_values(draw: Draw):
    return {**queries_and_keys(draw), "v": draw.tensor(draw.other_tokens, draw.d_k)}


@corner("make_tokens", says="with one token")
def one_token_to_make(draw: Draw):
    return sizes_scale_and_seed(draw) | {"max_sequence_length": 1}


@corner("project", says="with one token and d_k equal to d_model")
def one_token_square_layers(draw: Draw):
    return {
        "tokens": draw.tensor(1, draw.d_k),
        "weights": {name: draw.tensor(draw.d_k, draw.d_k) for name in LAYERS},
        "biases": {name: draw.tensor(draw.d_k) for name in LAYERS},
    }


@corner("raw_scores", says="with one query and as many keys as dimensions")
def one_query_square_keys(draw: Draw):
    return {"q": draw.tensor(1, draw.d_k), "k": draw.tensor(draw.d_k, draw.d_k)}


@corner("scaled_scores", says="with one query and as many keys as dimensions")
def one_query_square_keys_to_scale(draw: Draw):
    return one_query_square_keys(draw)


@corner("score_variances", says="with as many queries and keys as dimensions")
def square_queries_and_keys(draw: Draw):
    return {"q": draw.tensor(draw.d_k, draw.d_k), "k": draw.tensor(draw.d_k, draw.d_k)}


@corner("attention_weights", says="with one query")
def scores_of_one_query(draw: Draw):
    return {"scores": draw.tensor(1, draw.tokens)}


@corner("attention_output", says="with one query and as many values as dimensions")
def one_query_square_values(draw: Draw):
    weights = draw.rows_that_sum_to_one(1, draw.d_k)
    return {"weights": weights, "v": draw.tensor(draw.d_k, draw.d_k)}


@corner(
    "scaled_dot_product_attention",
    says="with one query, as many keys as dimensions, and values of another width",
)
def one_query_square_keys_and_other_values(draw: Draw):
    return {**one_query_square_keys(draw), "v": draw.tensor(draw.d_k, draw.d_in)}


@documented("make_projections")
def seeded_layers(reference, numbers):
    d_model = reference.d_model
    layers = {
        name: {"weight": cut([], d_model, d_model), "bias": unprinted(d_model)} for name in LAYERS
    }
    layers["w_query"]["weight"] = printed(numbers["w_query_weight"])
    inputs = {"d_model": d_model, "seed": reference.seed}
    yield DocumentedCase(inputs, (Right(freeze(layers), decimals=4),))


@documented("make_tokens")
def ten_tokens(reference, numbers):
    sizes = {"max_sequence_length": reference.max_sequence_length, "d_model": reference.d_model}
    tokens = cut(numbers["tokens"], *sizes.values())
    yield DocumentedCase({**sizes, "seed": reference.seed}, (Right(tokens, decimals=4),))


@documented("raw_scores")
def all_against_all(reference, numbers):
    q, k, _ = projected(reference)
    yield DocumentedCase({"q": q, "k": k}, (square(reference, numbers["raw_scores"]),))


@documented("scaled_scores")
def all_against_all_scaled(reference, numbers):
    q, k, _ = projected(reference)
    yield DocumentedCase({"q": q, "k": k}, (square(reference, numbers["scaled_scores"]),))


@documented("score_variances")
def four_variances(reference, numbers):
    q, k, _ = projected(reference)
    variances = {
        name: numbers[f"variance_{name}"] for name in ("q", "k", "raw_scores", "scaled_scores")
    }
    yield DocumentedCase({"q": q, "k": k}, (Right(freeze(variances), decimals=4),))


@documented("attention_weights")
def all_scaled_scores(reference, numbers):
    q, k, _ = projected(reference)
    scaled = reference.scaled_scores(q, k)
    yield DocumentedCase({"scores": scaled}, (square(reference, numbers["attn_weights"]),))


@documented("attention_output")
def all_weights_and_values(reference, numbers):
    q, k, v = projected(reference)
    weights = reference.attention_weights(reference.scaled_scores(q, k))
    output = cut(numbers["attention_output"], *v.shape)
    yield DocumentedCase({"weights": weights, "v": v}, (Right(output, decimals=4),))


@documented("scaled_dot_product_attention")
def all_in_one(reference, numbers):
    q, k, v = projected(reference)
    output = cut(numbers["attention_output"], *v.shape)
    weights = square(reference, numbers["attn_weights"]).value
    yield DocumentedCase({"q": q, "k": k, "v": v}, (Right(freeze((output, weights)), decimals=4),))


def projected(reference):
    """Queries, keys and values of the document's ten tokens."""
    torch.manual_seed(reference.seed)
    layers = reference.make_projections(reference.d_model)
    tokens = reference.make_tokens(reference.max_sequence_length, reference.d_model)
    with torch.no_grad():
        return reference.project(tokens, *layers)


def square(reference, numbers):
    """The right scores or weights of every query (row) for every key (column), as printed."""
    tokens = reference.max_sequence_length
    return Right(cut(numbers, tokens, tokens), decimals=4)


def cut(numbers, rows, columns):
    """A table whose print ends early, in its full shape."""
    table = np.full((rows, columns), np.nan)
    for row, seen in zip(table, numbers, strict=False):
        row[: len(seen)] = seen
    return printed(table)


def unprinted(size):
    """A vector that the document has and does not print."""
    return printed(np.full(size, np.nan))
