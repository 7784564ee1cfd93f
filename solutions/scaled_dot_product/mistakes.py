"""Mistakes that students make in scaled_dot_product, each as the wrong code and a tutor's words for it.

A mistake of one step inside another, such as no scaling in scaled_dot_product_attention, gets the same
words, so they describe what was computed and name no function.
"""

import json
import math
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from autograder import mistake

DOCUMENTED = json.loads(Path(__file__).with_name("documented.json").read_text(encoding="utf-8"))
NAMES = ("q", "k", "raw_scores", "scaled_scores")
# The run's own numbers: what is left in a function that was written for one case only.
SEED = 42
WIDTH = 8
SCALE = 10.0

# Ways to write a mistake, each with a sentence about the student's own code (see Mistake.written).
_AXES = "{code} is the number of axes, which is 2 for every matrix. It is not the width of a key."
AXES = dict.fromkeys(("dim()", "ndimension()", "_.ndim", "len(_.shape)", "len(size())"), _AXES)
_TIMES = "You wrote {code}, with one asterisk: that multiplies. A power has two asterisks."
HALF = {
    "_ ** 1 / 2": "You wrote {code}: Python takes the power first, then divides by 2.",
    "_ * 0.5": _TIMES,
    "_ * (1 / 2)": _TIMES,
    "_ / 2": "You wrote {code}.",
}
TWICE = {
    "_ / _ ** 1 / 2": "You wrote {code}: Python works from left to right, so it divides by the power, then by 2.",
    "_ * 2": "You wrote {code}.",
}
MULTIPLIED = {
    "_ / _ ** -0.5": "You wrote {code}: to divide by a power with a negative exponent is to multiply.",
    "_ * _ ** 0.5": "You wrote {code}.",
    "_ * sqrt()": "You wrote {code}.",
}
COUNT = dict.fromkeys(
    ("len(_)", "_.shape[0]", "size(0)", "_.shape[-2]"),
    "{code} counts the rows: there is one for each key.",
)
DOWN = dict.fromkeys(
    (
        "softmax(dim=0)",
        "softmax(_, 0)",
        "softmax(0)",
        "Softmax(dim=0)",
        "Softmax(0)",
        "sum(dim=0)",
        "sum(axis=0)",
    ),
    "{code} runs down the columns: axis 0 counts the rows.",
)
_UNUSED = "{code} is computed, but its result is not used."
ROOT_UNUSED = dict.fromkeys(("sqrt()", "_ ** 0.5", "_ ** -0.5"), _UNUSED)
SOFTMAX_UNUSED = {"softmax()": _UNUSED, "Softmax()": _UNUSED}


def measured(measure, q, k):
    """Something other than the unbiased variance, of the four tensors that it is asked of."""
    raw = q @ k.T
    return dict(zip(NAMES, map(measure, (q, k, raw, raw / math.sqrt(k.shape[-1]))), strict=True))


def row_weights(q, k):
    return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)


@mistake(
    "make_projections",
    says="The layers were not created in the order query, key, value: the one created first came "
    "back as the second.",
    look="The order of the lines that create the layers, or what is returned.",
)
def key_layer_created_first(d_model):
    key, query, value = (nn.Linear(d_model, d_model) for _ in range(3))
    return query, key, value


@mistake(
    "make_projections",
    says="The layers have no bias; here they must have one.",
    look="The arguments of nn.Linear: is the bias turned off?",
)
def layers_without_bias(d_model):
    return tuple(nn.Linear(d_model, d_model, bias=False) for _ in range(3))


@mistake(
    "make_projections",
    says="One layer came back three times: queries, keys and values would always be the same.",
    look="How many layers are created? A second name for a layer does not make a second one.",
)
def one_layer_three_times(d_model):
    return (nn.Linear(d_model, d_model),) * 3


@mistake(
    "make_projections",
    says="The layers are the same whatever seed was set before the call: 42 is set again inside.",
    look="Remove the seed in the function.",
)
def layers_seeded_inside(d_model):
    torch.manual_seed(SEED)
    return tuple(nn.Linear(d_model, d_model) for _ in range(3))


@mistake(
    "make_projections",
    says="The layers have width 8, whatever d_model says.",
    look="Take the width from the argument.",
)
def layers_of_width_8(d_model):
    return tuple(nn.Linear(WIDTH, WIDTH) for _ in range(3))


@mistake(
    "make_projections",
    says="The layers are frozen (requires_grad is False), so they could not learn.",
    look="Leave requires_grad as nn.Linear sets it.",
)
def layers_frozen(d_model):
    return tuple(nn.Linear(d_model, d_model).requires_grad_(False) for _ in range(3))


@mistake(
    "make_projections",
    says="All weights and biases are 0: every token would get the same query, key and value.",
    look="A new layer fills itself with random numbers; leave these unchanged.",
)
def layers_of_zeros(d_model):
    layers = tuple(nn.Linear(d_model, d_model) for _ in range(3))
    for parameter in nn.ModuleList(layers).parameters():
        nn.init.zeros_(parameter)
    return layers


@mistake(
    "make_tokens",
    says="The numbers lie between 0 and scale: torch.rand draws uniformly from 0 to 1. The tokens should be "
    "normal, with mean 0.",
    look="The drawing function: rand draws uniformly, randn normally.",
)
def uniform_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.rand(max_sequence_length, d_model) * scale


@mistake(
    "make_tokens",
    says="The argument scale was not used: these tokens have standard deviation 1.",
    look="What has to happen to each number after the draw?",
)
def tokens_not_scaled(max_sequence_length, d_model, scale=10.0):
    return torch.randn(max_sequence_length, d_model)


@mistake(
    "make_tokens",
    says="The tokens were multiplied by 10, whatever scale says.",
    look="Take the factor from the argument.",
)
def tokens_always_times_10(max_sequence_length, d_model, scale=10.0):
    return torch.randn(max_sequence_length, d_model) * SCALE


@mistake(
    "make_tokens",
    says="With a given scale it is right; without one the tokens come out ten times too small.",
    look="The default of scale in the function's first line: it is 10.0.",
)
def default_scale_of_1(max_sequence_length, d_model, scale=1.0):
    return torch.randn(max_sequence_length, d_model) * scale


@mistake(
    "make_tokens",
    says="The tokens were multiplied by the square root of scale: it was used as a variance.",
    look="scale is the standard deviation itself.",
)
def scale_taken_for_a_variance(max_sequence_length, d_model, scale=10.0):
    return torch.randn(max_sequence_length, d_model) * math.sqrt(scale)


@mistake(
    "make_tokens",
    says="The tokens are columns; each token should be a row.",
    look="The order of the two sizes: tokens first, then d_model.",
)
def tokens_in_columns(max_sequence_length, d_model, scale=10.0):
    return torch.randn(d_model, max_sequence_length) * scale


@mistake(
    "make_tokens",
    says="The tokens are the same at each call, whatever seed was set before: 42 is set again inside.",
    look="Remove the seed in the function.",
)
def tokens_seeded_inside(max_sequence_length, d_model, scale=10.0):
    torch.manual_seed(SEED)
    return torch.randn(max_sequence_length, d_model) * scale


@mistake(
    "make_tokens",
    says="The second call drew the first one's numbers again: the generator was reset.",
    look="Do not reset the random generator.",
)
def generator_set_back(max_sequence_length, d_model, scale=10.0):
    torch.manual_seed(torch.initial_seed())
    return torch.randn(max_sequence_length, d_model) * scale


@mistake(
    "project",
    says="The bias of the layers is missing: only their weight was used.",
    look="Call the layer itself: it uses weight and bias.",
)
def bias_left_out(tokens, w_query, w_key, w_value):
    return tuple(F.linear(tokens, layer.weight) for layer in (w_query, w_key, w_value))


@mistake(
    "project",
    says="Only the first token was projected; queries, keys and values are needed for all.",
    look="Is a single row of the tokens taken?",
)
def first_token_only(tokens, w_query, w_key, w_value):
    return tuple(layer(tokens[0]) for layer in (w_query, w_key, w_value))


@mistake(
    "project",
    says="The values equal the keys: they were made by the key layer.",
    look="The line that makes v; was it copied from the one above?",
)
def values_by_the_key_layer(tokens, w_query, w_key, w_value):
    k = w_key(tokens)
    return w_query(tokens), k, k


@mistake(
    "project",
    says="Queries, keys and values are all the same: each was made by the query layer.",
    look="Which layer does each of the three lines use?",
)
def one_layer_for_all(tokens, w_query, w_key, w_value):
    return (w_query(tokens),) * 3


@mistake(
    "project",
    says="Queries and keys are swapped: what comes first was made by the key layer.",
    look="The order in which the three are returned, or the names of the layers.",
)
def queries_and_keys_swapped(tokens, w_query, w_key, w_value):
    return w_key(tokens), w_query(tokens), w_value(tokens)


@mistake(
    "project",
    says="Keys and values are swapped: what comes second was made by the value layer.",
    look="The order in which the three are returned, or the names of the layers.",
)
def keys_and_values_swapped(tokens, w_query, w_key, w_value):
    return w_query(tokens), w_value(tokens), w_key(tokens)


@mistake(
    "project",
    says="The tokens came back unchanged; the layers were not used.",
    look="A layer is called like a function, with the tokens as its argument.",
)
def tokens_not_projected(tokens, w_query, w_key, w_value):
    return tokens, tokens, tokens


@mistake(
    "raw_scores",
    says="The scores are transposed: row i belongs to key i, but it should belong to query i.",
    look="The queries stand on the left of the product.",
)
def scores_transposed(q, k):
    return k @ q.T


@mistake(
    "raw_scores",
    says="The queries were compared with themselves; the keys were not used.",
    look="The right side of the product.",
)
def queries_with_queries(q, k):
    return q @ q.T


@mistake(
    "raw_scores",
    says="The keys were compared with themselves; the queries were not used.",
    look="The left side of the product.",
)
def keys_with_keys(q, k):
    return k @ k.T


@mistake(
    "raw_scores",
    says="The shape fits, but the keys were reshaped. That fills the new shape with the numbers in reading "
    "order, so each column mixes several keys.",
    look="Rows and columns have to change places: that is the transpose.",
)
def keys_reshaped(q, k):
    return q @ k.reshape(k.shape[1], k.shape[0])


@mistake(
    "raw_scores",
    says="Each dot product was divided by the lengths of its query and its key.",
    look="Take the dot product of the vectors as they are; their lengths matter.",
)
def cosines(q, k):
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).T


@mistake(
    "raw_scores",
    says="The numbers are right, but they left PyTorch: no gradient flows through a NumPy array.",
    look="Use tensors from start to end; nothing has to be detached or converted.",
)
def scores_as_a_numpy_array(q, k):
    return (q @ k.T).detach().numpy()


@mistake(
    "scaled_scores",
    says="The scores were not scaled: the raw scores came back.",
    look="What is each score divided by before the softmax?",
    written=ROOT_UNUSED,
)
def not_scaled(q, k):
    return q @ k.T


@mistake(
    "scaled_scores",
    says="The scores were divided by d_k instead of its square root, or by the square root twice.",
    look="Is the root missing, or is there a division in two places?",
)
def divided_by_d_k(q, k):
    return q @ k.T / k.shape[-1]


# After divided_by_d_k: in scaled_scores both give the same answer, and the first tells where to look.
@mistake(
    "raw_scores",
    says="The raw scores were already divided by the square root of d_k.",
    look="Raw means unscaled: the division belongs to scaled_scores, and happens only there.",
    same_as="divided_by_d_k",
)
def raw_scores_scaled_already(q, k):
    return q @ k.T / math.sqrt(k.shape[-1])


@mistake(
    "scaled_scores",
    says="The scores were divided by half of d_k, not by its square root.",
    look="The power: the square root of d_k is d_k**0.5, with two asterisks and 0.5.",
    written=HALF,
)
def divided_by_half_of_d_k(q, k):
    return q @ k.T / (k.shape[-1] / 2)


@mistake(
    "scaled_scores",
    says="The scores were divided by 2 d_k, not by the square root of d_k.",
    look="The power: put brackets around the 1/2.",
    written=TWICE,
)
def divided_by_twice_d_k(q, k):
    return q @ k.T / (2 * k.shape[-1])


@mistake(
    "scaled_scores",
    says="The scores were divided by the square root of 2. That is right only where d_k is 2.",
    look="What the root is taken of: it must be d_k, the width of a key.",
    written=AXES,
)
def divided_by_the_root_of_2(q, k):
    return q @ k.T / math.sqrt(2)


@mistake(
    "scaled_scores",
    says="The scores were divided by the square root of 8, which is the width of this run only.",
    look="Take d_k from the arguments, not from the global d_model.",
)
def divided_by_the_root_of_8(q, k):
    return q @ k.T / math.sqrt(WIDTH)


@mistake(
    "scaled_scores",
    says="The scores were divided by the square root of the number of keys.",
    look="k has two sizes, how many keys and how wide; take the width.",
    written=COUNT,
)
def divided_by_the_root_of_the_keys_number(q, k):
    return q @ k.T / math.sqrt(k.shape[0])


@mistake(
    "scaled_scores",
    says="The scores were multiplied by the square root of d_k, so they grew instead of shrinking.",
    look="Multiply or divide?",
    written=MULTIPLIED,
)
def multiplied(q, k):
    return q @ k.T * math.sqrt(k.shape[-1])


@mistake(
    "score_variances",
    says="These variances were divided by the number of entries; unbiased means that number less 1.",
    look="What your variance divides by: an argument of it decides.",
)
def biased_variances(q, k):
    return measured(lambda tensor: tensor.var(correction=0), q, k)


@mistake(
    "score_variances",
    says="These are standard deviations, the square roots of the variances.",
    look="std or var?",
)
def standard_deviations(q, k):
    return measured(torch.std, q, k)


@mistake(
    "score_variances",
    says="There is a variance for each row; one number over all entries was asked for.",
    look="Name no dim: then all entries count at once.",
)
def variances_of_rows(q, k):
    return measured(lambda tensor: tensor.var(dim=-1), q, k)


@mistake(
    "score_variances",
    says="These are means of the variances of the rows. They leave out how much the rows differ from each "
    "other.",
    look="One variance over all entries at once, not a mean of several.",
)
def row_variances_averaged(q, k):
    return measured(lambda tensor: tensor.var(dim=-1).mean(), q, k)


@mistake(
    "score_variances",
    says="These are means of squares: the mean was not subtracted.",
    look="A variance first subtracts the mean of all entries.",
)
def distances_from_zero(q, k):
    return measured(lambda tensor: (tensor**2).mean(), q, k)


@mistake(
    "score_variances",
    says="The variance of the raw scores was divided by the square root of d_k. If numbers are divided by c, "
    "their variance is divided by c squared.",
    look="Divide the scores first, then take the variance.",
)
def variance_divided_by_the_root(q, k):
    variances = measured(torch.var, q, k)
    root = math.sqrt(k.shape[-1])
    return variances | {"scaled_scores": variances["raw_scores"] / root}


@mistake(
    "score_variances",
    says="Before and after are swapped: the number under raw_scores belongs to scaled_scores.",
    look="Which tensor goes with which key of the dictionary?",
)
def before_and_after_swapped(q, k):
    variances = measured(torch.var, q, k)
    before, after = variances["raw_scores"], variances["scaled_scores"]
    return variances | {"raw_scores": after, "scaled_scores": before}


@mistake(
    "score_variances",
    says="The variances are right, but two of them have other keys: raw and scaled.",
    look="Copy the dictionary's keys from the description of the step.",
)
def shortened_names(q, k):
    return dict(zip(("q", "k", "raw", "scaled"), measured(torch.var, q, k).values(), strict=True))


@mistake(
    "score_variances",
    says="These are the numbers that the document printed, whatever q and k come in.",
    look="Compute the variances from the arguments.",
    carried=False,
)
def printed_variances(q, k):
    return {name: DOCUMENTED[f"variance_{name}"]["printed"] for name in NAMES}


@mistake(
    "attention_weights",
    says="The softmax ran over the queries: each column sums to 1, but each row should.",
    look="A row is a query, a column is a key. Which dim runs along one row?",
    written=DOWN,
)
def softmax_over_the_queries(scores):
    return torch.softmax(scores, dim=0)


@mistake(
    "attention_weights",
    says="The softmax ran over all scores at once: all weights together sum to 1, but each row "
    "should.",
    look="The dim of the softmax: each query has a sum of its own.",
)
def softmax_over_everything(scores):
    return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)


@mistake(
    "attention_weights",
    says="The softmax was taken twice, so the weights are almost equal.",
    look="Is there a softmax in an earlier line too?",
)
def softmax_twice(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)


@mistake(
    "attention_weights",
    says="No softmax was taken: the scores came back in place of the weights.",
    look="Scores may be negative and sum to anything; weights may not.",
    written=SOFTMAX_UNUSED,
)
def no_softmax(scores):
    return scores


@mistake(
    "attention_weights",
    says="The scores were divided by their sum without an exponential, so negative weights appear.",
    look="What does the softmax do to each score before it sums?",
)
def divided_by_the_sum(scores):
    return scores / scores.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    says="The exponentials were not divided by the sum of their row.",
    look="The second half of the softmax: it makes each row sum to 1.",
)
def only_exp(scores):
    return torch.exp(scores)


@mistake(
    "attention_weights",
    says="This is the sigmoid: each weight lies between 0 and 1, but a row does not sum to 1.",
    look="The weights of a row are shares of 1: that is the softmax.",
)
def sigmoid(scores):
    return torch.sigmoid(scores)


@mistake(
    "attention_weights",
    says="These are the logarithms of the weights: none of them is above 0.",
    look="log_softmax is a function of its own; use the plain softmax.",
)
def logarithms_of_the_weights(scores):
    return torch.log_softmax(scores, dim=-1)


@mistake(
    "attention_weights",
    says="The scores were divided once more before the softmax, by the root of the number of keys.",
    look="The scores that come in are scaled already.",
)
def scaled_again(scores):
    return torch.softmax(scores / math.sqrt(scores.shape[-1]), dim=-1)


@mistake(
    "attention_weights",
    says="Row i uses only the keys up to number i: that is a causal mask.",
    look="Leave the mask out; here every query looks at all keys.",
)
def masked(scores):
    hidden = torch.ones_like(scores).triu(1).bool()
    return torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)


@mistake(
    "attention_weights",
    says="Each row holds a single 1, at its largest score: one key is picked instead of weighting all.",
    look="Every key gets a share; the softmax makes it.",
)
def one_hot_weights(scores):
    return F.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)


@mistake(
    "attention_weights",
    says="Scores above 20 were cut off. Small scores do not show it, but large scores that differ get the same"
    " weight.",
    look="PyTorch's softmax can handle large scores; pass them unchanged.",
    shows_in="documented",
)
def scores_cut_off_at_20(scores):
    return torch.softmax(scores.clamp(-20, 20), dim=-1)


@mistake(
    "attention_output",
    says="All rows are the plain mean of the values: the weights were not used.",
    look="Each output has its own row of weights.",
    carried=False,
)
def mean_of_the_values(weights, v):
    return v.mean(dim=0).expand(weights.shape[0], -1)


@mistake(
    "attention_output",
    says="All rows are the output of the second query.",
    look="Is a single row of the weights taken, by its number? All of them are needed.",
)
def one_query_for_all(weights, v):
    return (weights[1] @ v).expand(weights.shape[0], -1)


@mistake(
    "attention_output",
    says="The right output went through a softmax: its rows sum to 1, but rows of values need not.",
    look="The softmax makes the weights; leave the mixture unchanged.",
)
def softmax_of_the_output(weights, v):
    return torch.softmax(weights @ v, dim=-1)


@mistake(
    "attention_output",
    says="The right output was divided by the square root of its width.",
    look="Scaling is for scores, before the softmax; leave the mixture unchanged.",
)
def output_scaled(weights, v):
    return weights @ v / math.sqrt(v.shape[-1])


@mistake(
    "attention_output",
    says="Each row is one single value, that of the key with the largest weight.",
    look="Every output is a mixture of all values.",
)
def largest_weight_only(weights, v):
    return v[weights.argmax(dim=-1)]


@mistake(
    "scaled_dot_product_attention",
    says="The weights were divided by the square root of d_k, not the scores: the rows no longer "
    "sum to 1.",
    look="The order: scaling comes before the softmax.",
)
def scaled_after_the_softmax(q, k, v):
    weights = torch.softmax(q @ k.T, dim=-1) / math.sqrt(k.shape[-1])
    return weights @ v, weights


@mistake(
    "scaled_dot_product_attention",
    says="Keys and values are swapped: queries were compared with values, and keys were mixed.",
    look="The order of the arguments is q, k, v.",
)
def attention_with_keys_and_values_swapped(q, k, v):
    weights = row_weights(q, v)
    return weights @ k, weights


@mistake(
    "scaled_dot_product_attention",
    says="The weights are right, but they mixed the keys, not the values.",
    look="The last product: the weights mix the values, not the keys.",
)
def keys_mixed(q, k, v):
    weights = row_weights(q, k)
    return weights @ k, weights


@mistake(
    "scaled_dot_product_attention",
    says="The weights are right, but the queries were added to the output.",
    look="A residual connection belongs to a whole Transformer block; the output is the mixture.",
)
def queries_added(q, k, v):
    weights = row_weights(q, k)
    return weights @ v + q, weights


@mistake(
    "scaled_dot_product_attention",
    says="The weights are right, but the scores mixed the values, before scaling and softmax.",
    look="The last product: which variable holds the weights after the softmax?",
)
def scores_mixed(q, k, v):
    return q @ k.T @ v, row_weights(q, k)


@mistake(
    "scaled_dot_product_attention",
    says="The weights are right, but the scaled scores mixed the values, before the softmax.",
    look="The last product: which variable holds the weights after the softmax?",
)
def scaled_scores_mixed(q, k, v):
    return q @ k.T / math.sqrt(k.shape[-1]) @ v, row_weights(q, k)


@mistake(
    "scaled_dot_product_attention",
    says="The output is right, but the second thing that came back is the scores, not the weights.",
    look="Which of your variables holds the scores after the softmax?",
)
def scores_returned_for_weights(q, k, v):
    return row_weights(q, k) @ v, q @ k.T / math.sqrt(k.shape[-1])


@mistake(
    "scaled_dot_product_attention",
    says="Both are right, but in the wrong order: the output comes first, then the weights.",
    look="The order in the `return` line.",
)
def returned_the_other_way_round(q, k, v):
    weights = row_weights(q, k)
    return weights, weights @ v


@mistake(
    "scaled_dot_product_attention",
    says="The output is right, but it came back alone; the weights were asked for too.",
    look="Return two things: the output and the weights that it was mixed with.",
)
def output_only(q, k, v):
    return row_weights(q, k) @ v


@mistake(
    "scaled_dot_product_attention",
    says="Scaled scores above 20 were cut off. Small scores do not show it, but large scores that differ get "
    "the same weight.",
    look="PyTorch's softmax can handle large scores; pass them unchanged.",
    shows_in="documented",
)
def scaled_scores_cut_off_at_20(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores.clamp(-20, 20), dim=-1)
    return weights @ v, weights


@mistake(
    "project",
    says="Queries and values are swapped: what comes first was made by the value layer.",
    look="The order in which the three are returned, or the names of the layers.",
)
def queries_and_values_swapped(tokens, w_query, w_key, w_value):
    return w_value(tokens), w_key(tokens), w_query(tokens)


@mistake(
    "raw_scores",
    says="Every score has the wrong sign.",
    look="Is there one minus sign too many?",
)
def scores_negated(q, k):
    return -q @ k.T


@mistake(
    "scaled_scores",
    says="The scores were divided by the square of d_k, which makes them far too small.",
    look="The power: the square and the square root are opposites.",
)
def divided_by_the_square(q, k):
    return q @ k.T / k.shape[-1] ** 2


@mistake(
    "attention_weights",
    says="The smallest score got the largest weight: the softmax was taken of minus the scores.",
    look="Is there one minus sign too many?",
    same_as="scores_negated",
)
def softmax_of_minus_the_scores(scores):
    return torch.softmax(-scores, dim=-1)


@mistake(
    "attention_output",
    says="All rows are the plain sum of the values: the weights were not used.",
    look="Each output has its own row of weights.",
    carried=False,
)
def sum_of_the_values(weights, v):
    return v.sum(dim=0).expand(weights.shape[0], -1)
