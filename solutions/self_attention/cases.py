"""What the steps of self_attention are called with: drawn inputs, and the documents' own.

Every drawn input comes from nowhere but the draw: the scores of one case are not computed from the queries of another,
so that no step's inputs give away an earlier step's answer.

A corner is a case in which sizes are equal or a number has another sign, for code that is right only in general.
"""

from itertools import permutations, product

import numpy as np
import torch

from autograder import Right, corner, documented, drawn, printed
from autograder.assignment.cases import DocumentedCase, Draw
from autograder.probing import inject
from autograder.values.values import freeze, tensor

MATRICES = ("W_query", "W_key", "W_value")
SEED = 123
TRIALS = 20
REMARKS = {
    "creation_order": "Your matrices are created in another order than query, key, value. That is as good; "
    "the documents' own numbers come from the order query, key, value."
}


def right(numbers, decimals=4):
    return (Right(printed(numbers), decimals=decimals),)


@drawn("init_weights")
def sizes_and_seed(draw: Draw):
    return {"d_in": draw.d_in, "d_out": draw.d_k, "seed": draw.integer(1, 100_000)}


@drawn("project")
def tokens_and_matrices(draw: Draw):
    matrices = {name: draw.tensor(draw.d_in, draw.d_k) for name in MATRICES}
    return {"x": draw.tensor(draw.tokens, draw.d_in), **matrices}


@drawn("attention_score")
def one_query_one_key(draw: Draw):
    return {"query": draw.tensor(draw.d_k), "key": draw.tensor(draw.d_k)}


@drawn("attention_scores")
def queries_and_keys(draw: Draw):
    return {
        "queries": draw.tensor(draw.tokens, draw.d_k),
        "keys": draw.tensor(draw.other_tokens, draw.d_k),
    }


@drawn("scale_scores")
def scores_and_width(draw: Draw):
    return {"scores": draw.tensor(draw.tokens, draw.other_tokens), "d_k": draw.d_k}


@drawn("attention_weights")
def scaled_scores(draw: Draw):
    return {"scaled_scores": draw.tensor(draw.tokens, draw.other_tokens)}


@drawn("context_vectors")
def weights_and_values(draw: Draw):
    return {
        "weights": draw.rows_that_sum_to_one(draw.tokens, draw.other_tokens),
        "values": draw.tensor(draw.other_tokens, draw.d_k),
    }


@drawn("dot_product_variance")
def trials(draw: Draw):
    shape = (draw.integer(15, 25), draw.d_k)
    return {"queries": draw.tensor(*shape), "keys": draw.tensor(*shape)}


@drawn("SelfAttention_v1")
def tokens_and_weights(draw: Draw):
    return {
        "d_in": draw.d_in,
        "d_out": draw.d_k,
        "x": draw.tensor(draw.tokens, draw.d_in),
        "weights": {name: draw.weights(draw.d_in, draw.d_k) for name in MATRICES},
        "upstream": draw.tensor(draw.tokens, draw.d_k),
        "slopes": {name: draw.weights(draw.d_in, draw.d_k) for name in MATRICES},
        "other_x": draw.tensor(draw.tokens, draw.d_in),
    }


@drawn("SelfAttention_v2")
def tokens_weights_and_biases(draw: Draw):
    return {
        **tokens_and_weights(draw),
        "biases": {name: draw.weights(draw.d_k) for name in MATRICES},
        "bias_slopes": {name: draw.weights(draw.d_k) for name in MATRICES},
    }


@drawn("transfer_weights")
def two_sets_of_weights(draw: Draw):
    def weights():
        return {name: draw.weights(draw.d_in, draw.d_k) for name in MATRICES}

    x = draw.tensor(draw.d_in, draw.d_in)
    return {"d_in": draw.d_in, "d_out": draw.d_k, "v2": weights(), "v1": weights(), "x": x}


@corner("project", says="with one token and d_in equal to d_out")
def one_token_square_matrices(draw: Draw):
    matrices = {name: draw.tensor(draw.d_k, draw.d_k) for name in MATRICES}
    return {"x": draw.tensor(1, draw.d_k), **matrices}


@corner("attention_score", says="with a negative dot product")
def opposite_signs(draw: Draw):
    query, key = draw.normal(draw.d_k), draw.normal(draw.d_k)
    return {"query": tensor(query), "key": tensor(-np.sign(query) * np.abs(key))}


@corner("attention_scores", says="with one query and as many keys as dimensions")
def one_query_square_keys(draw: Draw):
    return {"queries": draw.tensor(1, draw.d_k), "keys": draw.tensor(draw.d_k, draw.d_k)}


@corner("scale_scores", says="with the scores of one query")
def scores_of_one_query(draw: Draw):
    return {"scores": draw.tensor(1, draw.tokens), "d_k": draw.d_k}


@corner("attention_weights", says="with one query")
def scaled_scores_of_one_query(draw: Draw):
    return {"scaled_scores": draw.tensor(1, draw.tokens)}


@corner("context_vectors", says="with one query and as many values as dimensions")
def one_query_square_values(draw: Draw):
    weights = draw.rows_that_sum_to_one(1, draw.d_k)
    return {"weights": weights, "values": draw.tensor(draw.d_k, draw.d_k)}


@corner("dot_product_variance", says="with fewer trials than dimensions")
def few_trials(draw: Draw):
    return {name: draw.tensor(2, draw.d_k) for name in ("queries", "keys")}


@corner("SelfAttention_v1", says="with one token and d_in equal to d_out")
def one_token_square_weights(draw: Draw):
    weights = {name: draw.weights(draw.d_k, draw.d_k) for name in MATRICES}
    sizes = {"d_in": draw.d_k, "d_out": draw.d_k}
    return {**sizes, "x": draw.tensor(1, draw.d_k), "weights": weights}


@corner("SelfAttention_v2", says="with one token and d_in equal to d_out")
def one_token_square_layers(draw: Draw):
    return one_token_square_weights(draw)


@corner("transfer_weights", says="with d_in equal to d_out")
def two_sets_of_square_weights(draw: Draw):
    def weights():
        return {name: draw.weights(draw.d_k, draw.d_k) for name in MATRICES}

    x = draw.tensor(draw.d_k, draw.d_k)
    return {"d_in": draw.d_k, "d_out": draw.d_k, "v2": weights(), "v1": weights(), "x": x}


@documented("init_weights")
def seeded_matrices(reference, numbers):
    yield DocumentedCase(
        {"d_in": 3, "d_out": 2, "seed": SEED},
        (Right(freeze(tuple(printed(numbers[name]) for name in MATRICES)), decimals=4),),
    )


@documented("project")
def six_tokens(reference, numbers):
    weights = dict(zip(MATRICES, reference.init_weights(3, 2, SEED), strict=True))
    inputs = {"x": reference.inputs} | {name: plain(matrix) for name, matrix in weights.items()}
    three = tuple(printed(numbers[name]) for name in ("queries", "keys", "values"))
    yield DocumentedCase(inputs, (Right(freeze(three), decimals=4),))


@documented("attention_score")
def journey_against_itself(reference, numbers):
    queries, keys, _ = projected(reference)
    yield DocumentedCase({"query": queries[1], "key": keys[1]}, right(numbers["attn_score_22"]))


@documented("attention_scores")
def all_against_all(reference, numbers):
    queries, keys, _ = projected(reference)
    yield DocumentedCase({"queries": queries, "keys": keys}, right(numbers["attn_scores"]))


@documented("scale_scores")
def all_scores(reference, numbers):
    queries, keys, _ = projected(reference)
    scores = reference.attention_scores(queries, keys)
    yield DocumentedCase({"scores": scores, "d_k": 2}, right(numbers["scaled_attn_scores"]))


@documented("attention_weights")
def all_scaled_scores(reference, numbers):
    queries, keys, _ = projected(reference)
    scaled = reference.scale_scores(reference.attention_scores(queries, keys), 2)
    yield DocumentedCase({"scaled_scores": scaled}, right(numbers["attn_weights"]))


@documented("context_vectors")
def all_weights_and_values(reference, numbers):
    queries, keys, values = projected(reference)
    scaled = reference.scale_scores(reference.attention_scores(queries, keys), 2)
    inputs = {"weights": reference.attention_weights(scaled), "values": values}
    yield DocumentedCase(inputs, right(numbers["context_vectors"]))


@documented("dot_product_variance")
def law_at_5_and_at_100(reference, numbers):
    draw = Draw("documented", "dot_product_variance")
    for key, width in (("variance_dim_5", 5), ("variance_dim_100", 100)):
        vectors = {name: draw.tensor(TRIALS, width, scale=1.0) for name in ("queries", "keys")}
        law = numbers[key]["before"] / numbers[key]["after"]
        yield DocumentedCase(vectors, (Right(law),))


@documented("SelfAttention_v1")
def seeded_v1(reference, numbers):
    torch.manual_seed(SEED)
    drawn_matrices = [torch.rand(3, 2) for _ in MATRICES]
    yield seeded(reference, SEED, drawn_matrices, numbers["sa_v1_seed_123"])


@documented("SelfAttention_v2")
def seeded_v2(reference, numbers):
    for number in (789, 78):
        torch.manual_seed(number)
        layers = [torch.nn.Linear(3, 2, bias=False) for _ in MATRICES]
        matrices = [layer.weight.detach().T for layer in layers]
        case = seeded(reference, number, matrices, numbers[f"sa_v2_seed_{number}"])
        yield DocumentedCase(case.inputs, (*case.right, *with_biases(reference, number)))


def with_biases(reference, number):
    """What comes out if some layers draw a bias: that costs its points in `parameters` alone."""
    for left_on in list(product((False, True), repeat=3))[1:]:
        attention = reference.SelfAttention_v2(3, 2)
        torch.manual_seed(number)
        for name, bias in zip(MATRICES, left_on, strict=True):
            setattr(attention, name, torch.nn.Linear(3, 2, bias=bias))
        yield Right(freeze(attention(reference.inputs)))


def seeded(reference, number, matrices, numbers):
    """The printed output, and what comes out if the three matrices were created in another order."""
    answers = list(right(numbers))
    for order in list(permutations(MATRICES))[1:]:
        attention = inject(
            reference.SelfAttention_v1(3, 2), dict(zip(order, matrices, strict=True))
        )
        output = attention(reference.inputs)
        answers.append(Right(freeze(output), remark="creation_order"))
    inputs = {"x": reference.inputs, "d_in": 3, "d_out": 2, "seed": number}
    return DocumentedCase(inputs, tuple(answers))


def projected(reference):
    """Queries, keys and values of the documents' six tokens."""
    return reference.project(reference.inputs, *map(plain, reference.init_weights(3, 2, SEED)))


def plain(matrix):
    return matrix.detach()
