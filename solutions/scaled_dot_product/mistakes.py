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

import families
from autograder import mistake

DOCUMENTED = json.loads(Path(__file__).with_name("documented.json").read_text(encoding="utf-8"))
NAMES = ("q", "k", "raw_scores", "scaled_scores")
# The run's own numbers: what is left in a function that was written for one case only.
SEED = 42
WIDTH = 8
SCALE = 10.0

LAYERS = {
    "with W_key": "by the key layer",
    "with W_value": "by the value layer",
    "matrices": "layers",
}


def measured(measure, q, k):
    """Something other than the unbiased variance, of the four tensors that it is asked of."""
    raw = q @ k.T
    return dict(zip(NAMES, map(measure, (q, k, raw, raw / math.sqrt(k.shape[-1]))), strict=True))


def measured_by(measure):
    """score_variances with a wrong measure."""
    return lambda q, k: measured(measure, q, k)


def scaled(divide):
    """scaled_scores with a wrong division, which takes the scores and the width of a key."""
    return lambda q, k: divide(q @ k.T, k.shape[-1])


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
    says="The second call gave the first one's numbers again: the generator was reset, or the numbers were kept.",
    look="Each call draws new numbers: nothing sets a seed, and nothing keeps what was drawn.",
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


@families.queries_and_keys_swapped.words_for("project", called=LAYERS)
def queries_and_keys_swapped(tokens, w_query, w_key, w_value):
    return w_key(tokens), w_query(tokens), w_value(tokens)


@families.keys_and_values_swapped.words_for("project", called=LAYERS)
def keys_and_values_swapped(tokens, w_query, w_key, w_value):
    return w_query(tokens), w_value(tokens), w_key(tokens)


@mistake(
    "project",
    says="The tokens came back unchanged; the layers were not used.",
    look="A layer is called like a function, with the tokens as its argument.",
)
def tokens_not_projected(tokens, w_query, w_key, w_value):
    return tokens, tokens, tokens


scores_transposed = families.scores_transposed("raw_scores")
queries_with_queries = families.queries_with_queries("raw_scores")
keys_with_keys = families.keys_with_keys("raw_scores")
keys_reshaped = families.keys_reshaped("raw_scores")
cosines = families.cosines("raw_scores")


@mistake(
    "raw_scores",
    says="The numbers are right, but they left PyTorch: no gradient flows through a NumPy array.",
    look="Use tensors from start to end; nothing has to be detached or converted.",
)
def scores_as_a_numpy_array(q, k):
    return (q @ k.T).detach().numpy()


not_scaled = families.not_scaled(
    "scaled_scores", through=scaled, says="The scores were not scaled: the raw scores came back."
)


divided_by_d_k = families.divided_by_d_k("scaled_scores", through=scaled)


# After divided_by_d_k: in scaled_scores both give the same answer, and the first tells where to look.
@mistake(
    "raw_scores",
    says="The raw scores were already divided by the square root of d_k.",
    look="Raw means unscaled: the division belongs to scaled_scores, and happens only there.",
    same_as="divided_by_d_k",
    inside=(
        "The scores were divided by the square root of d_k once too often.",
        "Each division, and each call of `scaled_scores`: one is enough.",
    ),
)
def raw_scores_scaled_already(q, k):
    return q @ k.T / math.sqrt(k.shape[-1])


divided_by_half_of_d_k = families.divided_by_half_of_d_k("scaled_scores", through=scaled)
divided_by_twice_d_k = families.divided_by_twice_d_k("scaled_scores", through=scaled)
divided_by_the_root_of_2 = families.divided_by_the_root_of_2("scaled_scores", through=scaled)


@mistake(
    "scaled_scores",
    says="The scores were divided by the square root of 8, whatever comes in. The keys of the document are 8 wide, "
    "these are not.",
    look="Take d_k from the arguments: it is the width of a key.",
)
def divided_by_the_root_of_8(q, k):
    return q @ k.T / math.sqrt(WIDTH)


divided_by_the_root_of_the_keys_number = families.divided_by_the_root_of_the_keys_number(
    "scaled_scores", through=scaled
)


divided_by_the_root_of_the_queries_number = families.divided_by_the_root_of_the_queries_number(
    "scaled_scores", through=scaled
)


multiplied = families.multiplied("scaled_scores", through=scaled)
multiplied_by_d_k = families.multiplied_by_d_k("scaled_scores", through=scaled)
divided_by_the_fourth_root = families.divided_by_the_fourth_root("scaled_scores", through=scaled)
fraction_upside_down = families.fraction_upside_down("scaled_scores", through=scaled)
divided_without_remainder = families.divided_without_remainder("scaled_scores", through=scaled)


@mistake(
    "score_variances",
    says="These variances were divided by the number of entries; unbiased means that number less 1.",
    look="What your variance divides by: an argument of it decides.",
)
def biased_variances(q, k):
    return measured(lambda tensor: tensor.var(correction=0), q, k)


standard_deviations = families.standard_deviations("score_variances", through=measured_by)


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


distances_from_zero = families.distances_from_zero("score_variances", through=measured_by)


@mistake(
    "score_variances",
    says="The variance of the raw scores was divided by the square root of d_k. If numbers are divided by c, "
    "their variance is divided by c squared.",
    look="Divide the scores first, then take the variance.",
    same_as="divided_by_the_fourth_root",
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
)
def printed_variances(q, k):
    return {name: DOCUMENTED[f"variance_{name}"]["printed"] for name in NAMES}


softmax_over_the_queries = families.softmax_over_the_queries("attention_weights")
softmax_over_everything = families.softmax_over_everything("attention_weights")
softmax_twice = families.softmax_twice("attention_weights")
no_softmax = families.no_softmax("attention_weights")
divided_by_the_sum = families.divided_by_the_sum("attention_weights")
only_exp = families.only_exp("attention_weights")
sigmoid = families.sigmoid("attention_weights")
logarithms_of_the_weights = families.logarithms_of_the_weights("attention_weights")
scaled_again = families.scaled_again("attention_weights")
masked = families.masked("attention_weights")


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


mean_of_the_values = families.mean_of_the_values("attention_output")
one_query_for_all = families.one_query_for_all("attention_output")
softmax_of_the_output = families.softmax_of_the_output("attention_output")
output_scaled = families.output_scaled("attention_output")
largest_weight_only = families.largest_weight_only("attention_output")


@mistake(
    "scaled_dot_product_attention",
    says="The weights were divided by the square root of d_k, not the scores: the rows no longer "
    "sum to 1.",
    look="The order: scaling comes before the softmax.",
    task_of="scaled_scores",
)
def scaled_after_the_softmax(q, k, v):
    weights = torch.softmax(q @ k.T, dim=-1) / math.sqrt(k.shape[-1])
    return weights @ v, weights


@mistake(
    "scaled_dot_product_attention",
    says="Scaling happened twice, before the softmax and after it: the rows no longer sum to 1.",
    look="One division, and before the softmax.",
    task_of="scaled_scores",
)
def scaled_before_and_after(q, k, v):
    weights = row_weights(q, k) / math.sqrt(k.shape[-1])
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


@families.queries_and_values_swapped.words_for("project", called=LAYERS)
def queries_and_values_swapped(tokens, w_query, w_key, w_value):
    return w_value(tokens), w_key(tokens), w_query(tokens)


scores_negated = families.scores_negated("raw_scores")
weights_for_scores = families.weights_for_scores("raw_scores")
divided_by_the_square = families.divided_by_the_square("scaled_scores", through=scaled)
softmax_of_minus_the_scores = families.softmax_of_minus_the_scores(
    "attention_weights", same_as="scores_negated"
)


sum_of_the_values = families.sum_of_the_values("attention_output")
