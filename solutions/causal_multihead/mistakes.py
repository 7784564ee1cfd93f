"""Mistakes that students make in causal_multihead, each as the wrong code and a tutor's words for it."""

import torch
from torch import nn
from torch.nn import functional as F

import families
from autograder import mistake

MATRICES = ("W_query", "W_key", "W_value")
CONTEXT = {"mixed": "blended"}


def full(length):
    return torch.ones(length, length, dtype=torch.bool)


@mistake(
    "causal_mask",
    says="The mask is turned round: it is True where a key may be seen. Here True means hidden.",
    look="Read the entry in the first row and the last column: is this key before or after the query?",
    inside=(
        "The mask acts the wrong way round: what should be seen is hidden, and the other way round.",
        "True means hidden where scores are filled: does the mask mark the keys before or after a query?",
    ),
)
def visible_keys_marked(length):
    return full(length).tril()


@mistake(
    "causal_mask",
    says="The mask hides the past: it is True below the diagonal, where the key comes before the query.",
    look="A row is a query, a column is a key. Does a later key stand to the left or to the right of the diagonal?",
    inside=(
        "The past was hidden, not the future: each query sees itself and the keys after it.",
        "The mask: does a later key stand to the left or to the right of the diagonal?",
    ),
)
def past_hidden(length):
    return full(length).tril(diagonal=-1)


@mistake(
    "causal_mask",
    says="The diagonal is True as well: each token is hidden from itself. The first token then sees nothing at all.",
    look="Where the triangle begins: the first hidden key of a query is the one after its own.",
    inside=(
        "Each token is hidden from itself, too. The first token then sees nothing at all.",
        "The mask: where does its triangle begin? The first hidden key of a query is the one after its own.",
    ),
)
def diagonal_hidden(length):
    return full(length).triu()


@mistake(
    "causal_mask",
    says="The triangle begins one place too late: each query still sees the one key after it.",
    look="Where the triangle begins: the first hidden key of a query is the next one.",
)
def next_key_visible(length):
    return full(length).triu(diagonal=2)


@mistake(
    "causal_mask",
    says="Each position was compared with itself alone, so one row came back.",
    look="To compare each position with each other one, one of the two must be a column: shape (length, 1).",
)
def positions_compared_one_by_one(length):
    return torch.arange(length) > torch.arange(length)


@mistake(
    "causal_mask",
    says="Only the one key after each query is hidden, not those after that one.",
    look="All keys that come after the query are hidden, not only the next one.",
)
def only_the_next_key_hidden(length):
    return full(length).triu(diagonal=1).tril(diagonal=1)


@mistake(
    "causal_mask",
    says="Nothing is hidden: no entry is True.",
    look="Which entries of the table have to be True? Did a method return a new tensor that was not kept?",
    inside=(
        "Nothing is hidden: every query has a weight for every key.",
        "The mask: is it used, is its result kept, and which of its entries are True?",
    ),
)
def nothing_hidden(length):
    return ~full(length)


@mistake(
    "causal_mask",
    says="Everything is hidden: all entries are True.",
    look="Only keys after the query are hidden. Did a method return a new tensor that was not kept?",
)
def everything_hidden(length):
    return full(length)


@mistake(
    "causal_mask",
    says="The right places are marked, but with the numbers 1 and 0. A mask of bool was asked for.",
    look="The dtype: `torch.ones` makes numbers unless it is told otherwise.",
)
def mask_of_numbers(length):
    return torch.ones(length, length).triu(diagonal=1)


@mistake(
    "causal_mask",
    says="The right places hold minus infinity. That is what a hidden score becomes in the next step; the mask only "
    "says which scores are hidden, as True and False.",
    look="What the function is asked to return: a tensor of bool.",
)
def infinities_for_true(length):
    return torch.zeros(length, length).masked_fill(full(length).triu(diagonal=1), -torch.inf)


@mistake(
    "causal_mask",
    says="The numbers 1 and 0 stand in the lower triangle: 1 where a key may be seen. Asked for is True where it may "
    "not.",
    look="What True means here, and the dtype.",
)
def visible_keys_as_numbers(length):
    return torch.ones(length, length).tril()


def scaled(queries, keys):
    return queries @ keys.mT / keys.shape[-1] ** 0.5


def shares(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)


def of_scores(wrong):
    """Return causal_weights whose scores, not scaled yet, are those of a wrong function."""
    return lambda queries, keys, mask: shares(wrong(queries, keys) / keys.shape[-1] ** 0.5, mask)


def of_scaling(wrong):
    """Return causal_weights whose scores are scaled by a wrong function."""
    return lambda queries, keys, mask: shares(wrong(queries @ keys.mT, keys.shape[-1]), mask)


def of_softmax(wrong):
    """Return causal_weights whose masked scores go through a wrong function in place of the softmax."""
    return lambda queries, keys, mask: wrong(scaled(queries, keys).masked_fill(mask, -torch.inf))


@mistake(
    "causal_weights",
    says="Nothing is hidden: every query has a weight for every key.",
    look="The mask that comes in: is it used, and is its result kept?",
    same_as="nothing_hidden",
    inside=(
        "Nothing is hidden: every query has a weight for every key.",
        "The mask: is it used, is its result kept, and which of its entries are True?",
    ),
)
def not_masked(queries, keys, mask):
    return torch.softmax(scaled(queries, keys), dim=-1)


@mistake(
    "causal_weights",
    says="The hidden weights were set to 0 after the softmax: hidden keys have taken their shares already, so the "
    "rows no longer sum to 1.",
    look="The order: hide the scores first, then share out.",
)
def masked_after_the_softmax(queries, keys, mask):
    return torch.softmax(scaled(queries, keys), dim=-1).masked_fill(mask, 0.0)


@mistake(
    "causal_weights",
    says="Hidden scores were set to 0. That is an ordinary score, its exponential is 1, so hidden keys keep a share.",
    look="Which score has an exponential of 0?",
)
def zero_before_the_softmax(queries, keys, mask):
    return torch.softmax(scaled(queries, keys).masked_fill(mask, 0.0), dim=-1)


@mistake(
    "causal_weights",
    says="Hidden scores were set to -1, which is an ordinary score: hidden keys keep a share.",
    look="Which score has an exponential of 0?",
)
def minus_one_before_the_softmax(queries, keys, mask):
    return torch.softmax(scaled(queries, keys).masked_fill(mask, -1.0), dim=-1)


@mistake(
    "causal_weights",
    says="The scores were set to 0 before the softmax, and the weights once more afterwards: the rows do not sum to 1.",
    look="One mask is enough, if hidden scores become so small that their exponential is 0.",
)
def zero_before_and_after(queries, keys, mask):
    return torch.softmax(scaled(queries, keys).masked_fill(mask, 0.0), dim=-1).masked_fill(mask, 0)


@mistake(
    "causal_weights",
    says="The softmax came first, and its weights were masked with minus infinity and not put through a softmax again.",
    look="The order: hide the scores first, then the softmax.",
)
def infinity_after_the_softmax(queries, keys, mask):
    return torch.softmax(scaled(queries, keys), dim=-1).masked_fill(mask, -torch.inf)


@mistake(
    "causal_weights",
    says="The mask acts the wrong way round: what it marks is seen, and the rest is hidden. The last query then sees "
    "no key at all.",
    look="True means hidden: is the mask turned on the way, or does the filling number stand where the scores belong?",
    same_as="visible_keys_marked",
    inside=(
        "The mask acts the wrong way round: what should be seen is hidden, and the other way round.",
        "True means hidden where scores are filled: does the mask mark the keys before or after a query?",
    ),
)
def mask_turned_round(queries, keys, mask):
    return shares(scaled(queries, keys), ~mask)


@mistake(
    "causal_weights",
    says="The mask acts the wrong way round: what it marks is seen, and the rest is hidden.",
    look="True means hidden: is the mask turned on the way, or does the filling number stand where the scores belong?",
    same_as="visible_keys_marked",
    inside=(
        "The mask acts the wrong way round: what should be seen is hidden, and the other way round.",
        "True means hidden where scores are filled: does the mask mark the keys before or after a query?",
    ),
)
def mask_turned_round_with_a_number(queries, keys, mask):
    return torch.softmax(scaled(queries, keys).masked_fill(~mask, -1e9), dim=-1)


@mistake(
    "causal_weights",
    says="The past was hidden, not the future: each query sees itself and the keys after it.",
    look="Is the mask transposed, or were rows and columns exchanged?",
    same_as="past_hidden",
)
def past_hidden_by_the_mask(queries, keys, mask):
    return shares(scaled(queries, keys), mask.mT)


@mistake(
    "causal_weights",
    says="Hidden keys got plus infinity or a very large number: they take all of the weight.",
    look="The sign of what is filled in.",
)
def plus_infinity(queries, keys, mask):
    return torch.softmax(scaled(queries, keys).masked_fill(mask, 1e9), dim=-1)


@mistake(
    "causal_weights",
    says="The mask was added to the scores: True counts as 1, so hidden scores are larger by 1.",
    look="Hidden scores have to be replaced, not enlarged.",
)
def mask_added(queries, keys, mask):
    return torch.softmax(scaled(queries, keys) + mask.to(queries.dtype), dim=-1)


@mistake(
    "causal_weights",
    says="The mask was added to the scores: True counts as 1, so hidden scores are larger by 1.",
    look="Hidden scores have to be replaced, not enlarged.",
)
def mask_added_before_the_division(queries, keys, mask):
    scores = queries @ keys.mT + mask.to(queries.dtype)
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)


@mistake(
    "causal_weights",
    says="The scores were multiplied by the mask: visible scores became 0, hidden ones stayed.",
    look="Hidden scores have to be replaced by minus infinity. A product with a mask cannot do that.",
)
def multiplied_by_the_mask(queries, keys, mask):
    return torch.softmax(scaled(queries, keys) * mask.to(queries.dtype), dim=-1)


@mistake(
    "causal_weights",
    says="Each query is hidden from itself: the diagonal was masked, too.",
    look="A token sees itself. Is a second mask made here?",
    same_as="diagonal_hidden",
)
def diagonal_masked(queries, keys, mask):
    return shares(scaled(queries, keys), mask | torch.eye(mask.shape[-1], dtype=torch.bool))


scores_transposed = families.scores_transposed(
    "causal_weights",
    through=lambda wrong: of_scores(lambda queries, keys: keys @ queries.mT),
    says="The scores are transposed: row i belongs to key i, and the mask then hides the wrong ones of them.",
)
queries_with_queries = families.queries_with_queries(
    "causal_weights",
    through=lambda wrong: of_scores(lambda queries, keys: queries @ queries.mT),
    same_as="keys_from_w_query",
)
keys_with_keys = families.keys_with_keys(
    "causal_weights",
    through=lambda wrong: of_scores(lambda queries, keys: keys @ keys.mT),
    same_as="queries_from_w_key",
)
keys_reshaped = families.keys_reshaped(
    "causal_weights",
    through=lambda wrong: of_scores(
        lambda queries, keys: queries @ keys.reshape(*keys.shape[:-2], *keys.shape[:-3:-1])
    ),
)
scores_negated = families.scores_negated(
    "causal_weights", through=lambda wrong: of_scores(lambda queries, keys: -queries @ keys.mT)
)

# Without the words about a step of its own: here all is one step.
not_scaled = families.not_scaled("causal_weights", through=of_scaling)
divided_by_d_k = families.divided_by_d_k("causal_weights", through=of_scaling)
divided_by_half_of_d_k = families.divided_by_half_of_d_k("causal_weights", through=of_scaling)
divided_by_twice_d_k = families.divided_by_twice_d_k("causal_weights", through=of_scaling)
divided_by_the_root_of_2 = families.divided_by_the_root_of_2(
    "causal_weights",
    through=of_scaling,
)
divided_by_the_square = families.divided_by_the_square("causal_weights", through=of_scaling)
multiplied = families.multiplied("causal_weights", through=of_scaling)
multiplied_by_d_k = families.multiplied_by_d_k("causal_weights", through=of_scaling)
divided_by_the_fourth_root = families.divided_by_the_fourth_root(
    "causal_weights", through=of_scaling
)
fraction_upside_down = families.fraction_upside_down("causal_weights", through=of_scaling)
divided_without_remainder = families.divided_without_remainder("causal_weights", through=of_scaling)
divided_by_the_root_of_the_keys_number = families.divided_by_the_root_of_the_keys_number(
    "causal_weights",
    through=of_scaling,
    says="The scores were divided by the square root of the number of tokens.",
    look="The sizes of keys are: sequences, tokens, width. Take the last one.",
)

softmax_over_the_queries = families.softmax_over_the_queries(
    "causal_weights",
    through=lambda wrong: of_softmax(lambda scores: torch.softmax(scores, dim=-2)),
    look="The dim of the softmax: the keys are the last axis.",
)


@mistake(
    "causal_weights",
    says="The softmax ran over the sequences of the batch, so the weights of one sequence depend on the others.",
    look="The dim of the softmax: the first axis counts sequences now, the keys are the last axis.",
)
def softmax_over_the_sequences(queries, keys, mask):
    return torch.softmax(scaled(queries, keys).masked_fill(mask, -torch.inf), dim=0)


softmax_over_everything = families.softmax_over_everything(
    "causal_weights",
    through=of_softmax,
    says="The softmax ran over all scores at once: the weights of the whole batch sum to 1, but each row should.",
)
no_softmax = families.no_softmax("causal_weights", through=of_softmax)
only_exp = families.only_exp("causal_weights", through=of_softmax)
softmax_twice = families.softmax_twice(
    "causal_weights",
    through=of_softmax,
    says="The softmax was taken twice after the mask. The second one gives hidden keys a share again, since exp(0) "
    "is 1.",
)


@mistake(
    "causal_weights",
    says="There is a softmax before the mask and one after it, so the weights are almost equal.",
    look="One softmax, behind the mask.",
)
def softmax_before_and_after_the_mask(queries, keys, mask):
    return shares(torch.softmax(scaled(queries, keys), dim=-1), mask)


@mistake(
    "causal_weights",
    says="The weights were divided by the square root of d_k, not the scores: the rows no longer sum to 1.",
    look="The order: scaling comes before the softmax.",
)
def scaled_after_the_softmax(queries, keys, mask):
    return shares(queries @ keys.mT, mask) / keys.shape[-1] ** 0.5


@mistake(
    "causal_weights",
    says="Scaling happened twice, before the softmax and after it: the rows no longer sum to 1.",
    look="One division, and before the softmax.",
)
def scaled_before_and_after(queries, keys, mask):
    return shares(scaled(queries, keys), mask) / keys.shape[-1] ** 0.5


sigmoid = families.sigmoid("causal_weights", through=of_softmax)


@mistake(
    "causal_weights",
    says="All visible keys have the same weight: the scores were not used.",
    look="What is masked and put through the softmax?",
)
def equal_shares(queries, keys, mask):
    return shares(torch.zeros_like(scaled(queries, keys)), mask)


# Inside the classes.
values_from_w_key = families.values_from_w_key("project", called=CONTEXT)
queries_and_keys_swapped = families.queries_and_keys_swapped(
    "project",
    same_as="scores_transposed",
    says="Queries and keys are swapped: the queries were made with W_key, the keys with W_query.",
    look="The lines that make the three, and the order in which they are unpacked.",
)
keys_and_values_swapped = families.keys_and_values_swapped(
    "project",
    says="Keys and values are swapped: the keys were made with W_value, the values with W_key.",
    look="The lines that make the three, and the order in which they are unpacked.",
)
queries_and_values_swapped = families.queries_and_values_swapped(
    "project",
    says="Queries and values are swapped: the queries were made with W_value, the values with W_query.",
    look="The lines that make the three, and the order in which they are unpacked.",
)


@mistake(
    "project",
    says="Nothing depends on W_key: the keys were made with W_query, the queries were compared with themselves, or "
    "W_key and W_query are one layer.",
    look="The layers, the line that makes the keys, and the product of the scores: which leaves out W_key?",
)
def keys_from_w_query(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_query, x @ W_value


@mistake(
    "project",
    says="Nothing depends on W_query: the queries were made with W_key, the keys were compared with themselves, or "
    "W_query and W_key are one layer.",
    look="The layers, the line that makes the queries, and the product of the scores: which leaves out W_query?",
)
def queries_from_w_key(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_key, x @ W_value


@mistake(
    "project",
    says="Nothing depends on W_key: the keys were made with W_value, the queries were compared with the values, or "
    "W_key and W_value are one layer.",
    look="The layers, the line that makes the keys, and the product of the scores: which leaves out W_key?",
)
def keys_from_w_value(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_value


@mistake(
    "project",
    says="Nothing depends on W_query: the queries were made with W_value, the keys were compared with the values, or "
    "W_query and W_value are one layer.",
    look="The layers, the line that makes the queries, and the product of the scores: which leaves out W_query?",
)
def queries_from_w_value(x, W_query, W_key, W_value):
    return x @ W_value, x @ W_key, x @ W_value


@mistake(
    "project",
    says="The queries were used in place of the values: nothing depends on W_value.",
    look="Which layer makes the values, and what is multiplied by the weights at the end?",
)
def values_from_w_query(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_query


@families.scaled_by_d_in.words_for("compared", task_of="causal_weights")
def scaled_by_d_in(queries, x):
    return queries * (queries.shape[-1] / x.shape[-1]) ** 0.5


@mistake(
    "compared_in_heads",
    says="The scores were divided by the square root of d_out, the width of all heads together.",
    look="A score of a head adds up d_out / num_heads products: take the width of one head.",
    task_of="causal_weights",
)
def scaled_by_d_out(queries, d_out):
    return queries * (queries.shape[-1] / d_out) ** 0.5


@mistake(
    "returned",
    says="The attention weights came back; the context vectors were asked for.",
    look="The `return` line: which variable does it name?",
)
def weights_returned(context, weights, x, queries, keys, values):
    return weights


@mistake(
    "returned",
    says="Two things came back, and the second is the attention weights; only the context vectors were asked for.",
    look="The `return` line.",
)
def weights_returned_too(context, weights, x, queries, keys, values):
    return context, weights


@mistake(
    "returned",
    says="None came back: forward computes, but does not return.",
    look="Is there a return in forward? Printing is not returning.",
)
def nothing_returned(context, weights, x, queries, keys, values):
    return None


@mistake(
    "returned",
    says="The result is right, but no gradient reaches any of the layers, so nothing would be learned.",
    look="From the layers to the result, use PyTorch operations that record gradients: .detach(), .data, no_grad() and "
    "NumPy cut the graph.",
    shows_in="gradients",
)
def no_gradient_at_all(context, weights, x, queries, keys, values):
    return context.detach()


@mistake(
    "with_dropout",
    says="The result is right, but no gradient reaches W_query and W_key: the attention weights were cut from the "
    "graph.",
    look="The lines that make the scores and the weights: .detach(), .data, no_grad() and NumPy cut the graph.",
    shows_in="gradients",
)
def weights_cut_from_the_graph(module, part):
    return module.dropout(part.detach())


@mistake(
    "projected",
    says="The result is right, but no gradient reaches W_query: the queries were cut from the graph.",
    look="The line that makes the queries: use the layer itself.",
    shows_in="gradients",
)
def queries_cut_from_the_graph(queries, keys, values):
    return queries.detach(), keys, values


@mistake(
    "projected",
    says="The result is right, but no gradient reaches W_key: the keys were cut from the graph.",
    look="The line that makes the keys: use the layer itself.",
    shows_in="gradients",
)
def keys_cut_from_the_graph(queries, keys, values):
    return queries, keys.detach(), values


@mistake(
    "projected",
    says="The result is right, but no gradient reaches W_value: the values were cut from the graph.",
    look="The line that makes the values: use the layer itself.",
    shows_in="gradients",
)
def values_cut_from_the_graph(queries, keys, values):
    return queries, keys, values.detach()


@mistake(
    "biased",
    says="With qkv_bias=True there are biases, but they are not used in the result.",
    look="Is the layer called, or only its weight used?",
    shows_in="parameters",
)
def biases_not_used(part, bias):
    return part


@mistake(
    "bias_of",
    says="The three layers have a bias, though qkv_bias is False.",
    look="nn.Linear has a bias by default: pass qkv_bias on to its argument bias.",
    shows_in="parameters",
)
def bias_left_on(qkv_bias):
    return True


@mistake(
    "created",
    says="The three names hold one and the same layer: queries, keys and values are always equal.",
    look="__init__: a second name for a layer does not make a second layer.",
)
def one_layer_three_times(module):
    module.W_key = module.W_value = module.W_query


@mistake(
    "created",
    says="parameters() does not list the layers W_query, W_key and W_value, so they would not be trained.",
    look="A module trains a layer that is stored on self by its name, not one in a plain list or dictionary.",
    shows_in="parameters",
)
def not_registered(module):
    for name in MATRICES:
        layer = getattr(module, name)
        delattr(module, name)
        module.__dict__[name] = layer


@mistake(
    "created",
    says="The layers are frozen (requires_grad=False), so nothing would be trained.",
    look="Nothing in this class has to be frozen. The mask needs no gradient in any case, since it is a buffer.",
    shows_in="parameters",
)
def parameters_frozen(module):
    module.requires_grad_(False)


@mistake(
    "created",
    says="Two new instances start with the same numbers: a seed is set in the class, or the numbers are fixed.",
    look="Set no seed in the class.",
    shows_in="parameters",
)
def seeded_inside(module):
    for number, parameter in enumerate(module.parameters()):
        nn.init.constant_(parameter, number)


@mistake(
    "created",
    says="W_query, W_key and W_value start with the same numbers, in every instance.",
    look="Make three layers, and set no seed in the class.",
    shows_in="parameters",
)
def all_start_equal(module):
    for name in MATRICES:
        nn.init.zeros_(getattr(module, name).weight)


# The mask of a class.
@mistake(
    "registered",
    says="The result is right, but `mask` is no buffer: it does not move with the module, and it is not saved. Perhaps "
    "it is a plain tensor on self, or has another name, or is made in forward.",
    look="A module owns what is given to register_buffer in __init__. The docstring says its name.",
    shows_in="buffer",
)
def mask_is_no_buffer(module, mask):
    module.__dict__["mask"] = mask


@mistake(
    "registered",
    says="The state_dict has a `mask`, but its numbers hide nothing: forward uses another mask, or `mask` is a "
    "Parameter and not a buffer.",
    look="The name that forward uses: it must be the buffer that __init__ registers.",
    shows_in="buffer",
)
def buffer_not_used(module, mask):
    module.mask = nn.Parameter(mask, requires_grad=False)


@mistake(
    "registered",
    says="The mask is a buffer, but it is left out of the state_dict (persistent=False), so it is not saved.",
    look="The third argument of register_buffer.",
    shows_in="buffer",
)
def mask_not_stored(module, mask):
    module.register_buffer("mask", mask, persistent=False)


# Dropout in a class.
@mistake(
    "with_dropout",
    says="The result is right, but in training no attention weight is dropped. Perhaps dropout is made and not called, "
    "or its result is not used, or it is called with the scores before the softmax.",
    look="forward: what is given to dropout, and where does its result go?",
    shows_in="dropout",
)
def nothing_dropped(module, part):
    return part


@mistake(
    "with_dropout",
    says="In eval mode weights are dropped, too. Perhaps the function dropout is used: it drops unless its argument "
    "`training` says otherwise.",
    look="nn.Dropout, made in __init__, knows by itself whether the module is in training.",
)
def dropped_in_eval_mode(module, part):
    return F.dropout(part, module.dropout.p)


@mistake(
    "without_dropout",
    says="Dropout acts on single numbers of the values or of the output. It is for the attention weights.",
    look="forward: what is given to dropout?",
    shows_in="dropout",
    also={"with_dropout": nothing_dropped},
)
def output_dropped(module, part, name):
    return module.dropout(part) if name == "output" else part


@mistake(
    "without_dropout",
    says="Dropout acts on single numbers of the values or of the output. It is for the attention weights.",
    look="forward: what is given to dropout?",
    shows_in="dropout",
    also={"with_dropout": nothing_dropped},
    same_as="output_dropped",
)
def values_dropped(module, part, name):
    return module.dropout(part) if name == "values" else part


@mistake(
    "without_dropout",
    says="Dropout acts on the tokens `x`, before the layers. It is for the attention weights.",
    look="forward: what is given to dropout?",
    shows_in="dropout",
    also={"with_dropout": nothing_dropped},
)
def tokens_dropped(module, part, name):
    return module.dropout(part) if name == "x" else part


@mistake(
    "without_dropout",
    says="Dropout acts twice, on the weights and on the output. It is for the attention weights only.",
    look="forward: how often is dropout called?",
    shows_in="dropout",
)
def output_dropped_too(module, part, name):
    return module.dropout(part) if name == "output" else part


@mistake(
    "vectors_of_the_heads",
    says="Dropout acts on the context vectors of the heads. It is for the attention weights.",
    look="forward: what is given to dropout?",
    shows_in="dropout",
    also={"with_dropout": nothing_dropped},
    same_as="output_dropped",
)
def heads_dropped(module, context):
    return module.dropout(context)


@mistake(
    "rate",
    says="Weights are dropped with the probability 1 - dropout, not `dropout`.",
    look="nn.Dropout takes the probability of dropping, not that of keeping.",
    shows_in="dropout",
)
def dropout_turned_round(dropout):
    return 1 - dropout


@mistake(
    "rate",
    says="Weights are dropped with the probability 0.5, whatever `dropout` is.",
    look="The line that makes nn.Dropout: 0.5 is what it takes without an argument.",
    shows_in="dropout",
)
def dropout_of_one_half(dropout):
    return 0.5


@mistake(
    "rate",
    says="Weights are dropped with the probability 0.1, whatever `dropout` is.",
    look="The line that makes nn.Dropout: does it use the argument?",
    shows_in="dropout",
)
def dropout_of_one_tenth(dropout):
    return 0.1


# The wrapper.
@mistake(
    "joined",
    says="The context vectors of the heads were added up; they belong side by side.",
    look="The result has num_heads * d_out numbers for each token: see torch.cat.",
)
def heads_added(outputs):
    return sum(outputs)


@mistake(
    "joined",
    says="The context vectors of the heads were averaged; they belong side by side.",
    look="The result has num_heads * d_out numbers for each token: see torch.cat.",
)
def heads_averaged(outputs):
    return torch.stack(outputs).mean(dim=0)


@mistake(
    "joined",
    says="The heads were joined along the tokens: the result has num_heads times as many tokens.",
    look="The dim of torch.cat: which axis holds the numbers of one token?",
)
def joined_along_the_tokens(outputs):
    return torch.cat(outputs, dim=1)


@mistake(
    "joined",
    says="The heads were joined along the batch: the result has num_heads times as many sequences.",
    look="The dim of torch.cat: without it, the first axis is taken. Which axis holds the numbers of one token?",
)
def joined_along_the_batch(outputs):
    return torch.cat(outputs, dim=0)


@mistake(
    "joined",
    says="The heads have an axis of their own in the result: they were stacked, and belong side by side.",
    look="torch.stack makes a new axis, torch.cat makes an axis longer.",
    same_as="heads_in_a_list",
)
def heads_stacked(outputs):
    return torch.stack(outputs)


@mistake(
    "joined",
    says="The heads have an axis of their own in the result, the last one: they were stacked, and belong side by side.",
    look="torch.stack makes a new axis, torch.cat makes an axis longer.",
)
def heads_stacked_at_the_end(outputs):
    return torch.stack(outputs, dim=-1)


@mistake(
    "joined",
    says="The heads have an axis of their own in the result: they were stacked, and belong side by side.",
    look="torch.stack makes a new axis, torch.cat makes an axis longer.",
)
def heads_stacked_behind_the_tokens(outputs):
    return torch.stack(outputs, dim=2)


@mistake(
    "joined",
    says="The numbers of the heads take turns: first the first number of each head, then the second of each.",
    look="First all numbers of the first head, then all of the second: see torch.cat.",
)
def heads_take_turns(outputs):
    return torch.stack(outputs, dim=-1).flatten(-2)


@mistake(
    "joined",
    says="Only the context vectors of the last head came back.",
    look="Does each round of the loop overwrite what the one before has made?",
)
def only_the_last_head(outputs):
    return outputs[-1]


@mistake(
    "joined",
    says="Only the context vectors of the first head came back.",
    look="All heads are called. Does the loop return in its first round?",
)
def only_the_first_head(outputs):
    return outputs[0]


@mistake(
    "joined",
    says="A list of the heads' context vectors came back; they belong side by side in one tensor.",
    look="What is done with the list? See torch.cat.",
)
def heads_in_a_list(outputs):
    return outputs


@mistake(
    "made_heads",
    says="All entries of `heads` are one and the same head, so all parts of the result are equal.",
    look="[head] * n repeats one module. Make a new one for each entry.",
)
def one_head_repeated(make, num_heads):
    return nn.ModuleList([make()] * num_heads)


@mistake(
    "made_heads",
    says="parameters() does not list the layers of the heads, so they would not be trained: `heads` is a plain list.",
    look="Put the list of heads into an nn.ModuleList.",
    shows_in="parameters",
    same_as="not_registered",
)
def heads_in_a_plain_list(make, num_heads):
    return [make() for _ in range(num_heads)]


@mistake(
    "passed_on",
    says="In training the heads drop nothing: `dropout` does not reach them.",
    look="The line that makes a head: which arguments does it pass on?",
    shows_in="dropout",
    same_as="nothing_dropped",
)
def dropout_not_passed_on(dropout, qkv_bias):
    return 0.0, qkv_bias


# Splitting and merging.
@mistake(
    "split_heads",
    says="The shape is right, but one reshape mixed tokens and heads: head 0 got all numbers of the first tokens.",
    look="A view or reshape keeps the order of the numbers. First cut the last axis, then exchange two axes.",
)
def tokens_and_heads_mixed(x, num_heads):
    batch_size, length, width = x.shape
    return x.reshape(batch_size, num_heads, length, width // num_heads)


@mistake(
    "split_heads",
    says="The last axis was cut, but the heads stand behind the tokens still: (B, T, H, d / H).",
    look="Which two axes have to be exchanged, and is what comes back the tensor in which they are?",
)
def heads_behind_the_tokens(x, num_heads):
    return x.unflatten(-1, (num_heads, -1))


@mistake(
    "split_heads",
    says="The shape is right, but each head got every num_heads-th number of a token, not a part in one piece.",
    look="In which order do the two new sizes stand where the last axis is cut? Heads first, then the width of a head.",
)
def heads_take_turns_in_a_token(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)


@mistake(
    "split_heads",
    says="The width of a head stands in front of the tokens: (B, d / H, T, H).",
    look="The last axis: into how many pieces is it cut, and how wide is each? A head is one piece, of width d / H.",
)
def width_before_the_tokens(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).transpose(1, 2)


@mistake(
    "split_heads",
    says="The heads stand in front of the sequences: (H, B, T, d / H).",
    look="The sequences stay in front; the heads come second.",
)
def heads_before_the_sequences(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


@mistake(
    "split_heads",
    says="Heads and tokens are right, but the last two axes are exchanged: (B, H, d / H, T).",
    look="Which axis does each operation move? The width of a head comes last.",
)
def width_and_tokens_exchanged(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 3, 1)


@mistake(
    "merge_heads",
    says="The shape is right, but the axes were not exchanged back before they were joined: tokens and heads are "
    "mixed.",
    look="A view or reshape keeps the order of the numbers. First the heads go behind the tokens, then join.",
)
def heads_not_moved_back(x):
    batch_size, _, length, _ = x.shape
    return x.reshape(batch_size, length, -1)


@mistake(
    "merge_heads",
    says="The heads are behind the tokens, but still have an axis of their own.",
    look="The last two axes have to become one. Is the result kept?",
)
def heads_not_joined(x):
    return x.transpose(1, 2)


@mistake(
    "merge_heads",
    says="The numbers of the heads take turns: first the first number of each head, then the second of each.",
    look="Which axis comes first of the two that become one? First the heads, then the width of a head.",
)
def heads_take_turns_when_merged(x):
    return x.permute(0, 2, 3, 1).flatten(2)


@mistake(
    "merge_heads",
    says="The heads were added up; they belong side by side.",
    look="The result has H * w numbers for each token.",
)
def heads_summed(x):
    return x.sum(dim=1)


@mistake(
    "merge_heads",
    says="The heads were averaged; they belong side by side.",
    look="The result has H * w numbers for each token.",
)
def mean_of_the_heads(x):
    return x.mean(dim=1)


@mistake(
    "merge_heads",
    says="Heads and tokens were joined: (B, H * T, w). Heads and the width of a head belong together.",
    look="Which two axes become one, and do they stand side by side?",
)
def heads_and_tokens_joined(x):
    return x.flatten(1, 2)


# The last class.
@mistake(
    "mixed",
    says="The vectors of the heads came back as they are: `out_proj` was not used.",
    look="The last line of forward: is out_proj called, and is its result returned?",
)
def out_proj_left_out(module, context):
    return context


@mistake(
    "mixed",
    says="`out_proj` was used without its bias.",
    look="Call the layer itself, and make it with a bias.",
    shows_in="parameters",
)
def out_proj_without_its_bias(module, context):
    return context @ module.out_proj.weight.T


@mistake(
    "mixed",
    says="`out_proj` was called twice.",
    look="How often is out_proj called in forward?",
)
def out_proj_twice(module, context):
    return module.out_proj(module.out_proj(context))


@mistake(
    "refuse_unequal_heads",
    says="A module was made, although d_out is not divisible by num_heads.",
    look="__init__: what is left over in the division, and what should be raised then?",
    shows_in="indivisible",
)
def unequal_heads_not_refused(d_out, num_heads):
    """Go on."""
