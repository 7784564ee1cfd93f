"""Mistakes that students make in more than one assignment, each as the wrong code and a tutor's words for it.

The mistakes.py of an assignment says in which of its steps such a mistake is made, and what it words in another way.
Words name no function: they are read at the steps of several assignments.
"""

import torch
from torch.nn import functional as F

from autograder import shared_mistake

MINUS = (
    "Is there one minus sign too many, or do the two sides of a minus stand the wrong way round?"
)

# Projecting: the tokens and the three matrices.


@shared_mistake(
    says="The keys were used in place of the values: nothing depends on W_value.",
    look="Where the values are made, or where they are mixed. Was a line copied?",
)
def values_from_w_key(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_key


@shared_mistake(
    says="The tokens were used in place of the values: nothing depends on W_value.",
    look="Where the values are made, or where they are mixed.",
)
def tokens_as_values(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x


@shared_mistake(
    says="The tokens came back unchanged: none of the three matrices was used.",
    look="Each of the three needs a matrix product.",
    inside=(
        "The tokens themselves were used as queries, keys and values: none of the three matrices was used.",
        "Each of the three needs a matrix product.",
    ),
)
def nothing_projected(x, W_query, W_key, W_value):
    return x, x, x


@shared_mistake(
    says="Queries and keys are swapped: what comes first was made with W_key.",
    look="The order in which the three are returned, or the names of the matrices.",
    inside=(
        "Queries and keys are swapped: the queries were made with W_key, the keys with W_query.",
        "The lines that make the three, and the order in which they are unpacked.",
    ),
)
def queries_and_keys_swapped(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_query, x @ W_value


@shared_mistake(
    says="Keys and values are swapped: what comes second was made with W_value.",
    look="The order in which the three are returned, or the names of the matrices.",
    inside=(
        "Keys and values are swapped: the keys were made with W_value, the values with W_key.",
        "The lines that make the three, and the order in which they are unpacked.",
    ),
)
def keys_and_values_swapped(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_key


@shared_mistake(
    says="Queries and values are swapped: what comes first was made with W_value.",
    look="The order in which the three are returned, or the names of the matrices.",
    inside=(
        "Queries and values are swapped: the queries were made with W_value, the values with W_query.",
        "The lines that make the three, and the order in which they are unpacked.",
    ),
)
def queries_and_values_swapped(x, W_query, W_key, W_value):
    return x @ W_value, x @ W_key, x @ W_query


# Scores that are not scaled yet: a row for each query, a column for each key.


@shared_mistake(
    says="The scores are transposed: row i belongs to key i, but it should belong to query i.",
    look="Do the queries belong to the rows of the scores, or to the columns?",
)
def scores_transposed(queries, keys):
    return keys @ queries.T


@shared_mistake(
    says="The queries were compared with themselves; the keys were not used.",
    look="The right side of the product.",
)
def queries_with_queries(queries, keys):
    return queries @ queries.T


@shared_mistake(
    says="The keys were compared with themselves; the queries were not used.",
    look="The left side of the product.",
)
def keys_with_keys(queries, keys):
    return keys @ keys.T


@shared_mistake(
    says="The shape fits, but the keys were reshaped. That fills the new shape with the numbers in reading "
    "order, so each column mixes several keys.",
    look="Rows and columns have to change places: that is the transpose.",
)
def keys_reshaped(queries, keys):
    return queries @ keys.reshape(keys.shape[1], keys.shape[0])


@shared_mistake(
    says="Queries and keys were divided by their lengths first, so all scores lie between -1 and 1.",
    look="Take the dot product of the vectors as they are; their lengths matter.",
)
def cosines(queries, keys):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T


@shared_mistake(says="Every score has the wrong sign.", look=MINUS)
def scores_negated(queries, keys):
    return -queries @ keys.T


@shared_mistake(
    says="These are already weights: the scores were scaled and went through a softmax.",
    look="Return the dot products: scaling and softmax have steps of their own.",
    inside=(
        "The scores were scaled and went through a softmax, and then through both once more.",
        "Each division and each softmax: one of each is needed.",
    ),
)
def weights_for_scores(queries, keys):
    return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)


# Scaling: the scores, and the width of a key.


@shared_mistake(
    says="The scores were not scaled.",
    look="What is each score divided by before the softmax?",
    inside=(
        "The scores were not scaled.",
        "What is each score divided by before the softmax?",
    ),
)
def not_scaled(scores, d_k):
    return scores


@shared_mistake(
    says="The scores were divided by d_k instead of its square root, or by the square root twice.",
    look="Is the root missing, or is there a division in two places?",
)
def divided_by_d_k(scores, d_k):
    return scores / d_k


@shared_mistake(
    says="The scores were divided by half of d_k, not by its square root.",
    look="The power: the square root of d_k is d_k**0.5, with two asterisks and 0.5.",
)
def divided_by_half_of_d_k(scores, d_k):
    return scores / (d_k / 2)


@shared_mistake(
    says="The scores were divided by 2 d_k, not by the square root of d_k.",
    look="The power: put brackets around the 1/2.",
)
def divided_by_twice_d_k(scores, d_k):
    return scores / (2 * d_k)


@shared_mistake(
    says="The scores were divided by the square root of 2. That is right only where d_k is 2.",
    look="What the root is taken of: it must be d_k, the width of a key. A matrix has 2 axes: `ndim` counts these.",
)
def divided_by_the_root_of_2(scores, d_k):
    return scores / 2**0.5


@shared_mistake(
    says="The scores were divided by the square root of the number of keys.",
    look="k has two sizes, how many keys and how wide; take the width.",
)
def divided_by_the_root_of_the_keys_number(scores, d_k):
    return scores / scores.shape[-1] ** 0.5


@shared_mistake(
    says="The scores were multiplied by the square root of d_k, so they grew instead of shrinking.",
    look="The line that scales: how large is the factor, and does it make a score larger or smaller?",
)
def multiplied(scores, d_k):
    return scores * d_k**0.5


@shared_mistake(
    says="The scores were divided by the square of d_k, which makes them far too small.",
    look="The power: the square and the square root are opposites.",
)
def divided_by_the_square(scores, d_k):
    return scores / d_k**2


@shared_mistake(
    says="The scores were divided by the square root of the number of queries.",
    look="d_k is the width of a key, not how many queries there are.",
)
def divided_by_the_root_of_the_queries_number(scores, d_k):
    return scores / scores.shape[-2] ** 0.5


@shared_mistake(
    says="The scores were multiplied by d_k, so they grew instead of shrinking.",
    look="Multiply or divide? And the square root is missing.",
)
def multiplied_by_d_k(scores, d_k):
    return scores * d_k


@shared_mistake(
    says="The scores were divided by the fourth root of d_k, which is the square root of its square root.",
    look="Is there a second square root, or a power of 0.25?",
)
def divided_by_the_fourth_root(scores, d_k):
    return scores / d_k**0.25


@shared_mistake(
    says="The fraction is upside down: the root was divided by the scores.",
    look="Which of the two is divided by the other?",
)
def fraction_upside_down(scores, d_k):
    return d_k**0.5 / scores


@shared_mistake(
    says="The result of the division was rounded down to whole numbers.",
    look="The division: / keeps the decimals; // and floor cut them off.",
)
def divided_without_remainder(scores, d_k):
    return scores // d_k**0.5


# The softmax of scaled scores.


@shared_mistake(
    says="The softmax ran over the queries: each column sums to 1, but each row should.",
    look="A row is a query, a column is a key. Which dim runs along one row?",
)
def softmax_over_the_queries(scores):
    return torch.softmax(scores, dim=0)


@shared_mistake(
    says="The softmax ran over all scores at once: all weights together sum to 1, but each row should.",
    look="The dim of the softmax: each query has a sum of its own.",
)
def softmax_over_everything(scores):
    return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)


@shared_mistake(
    says="No softmax was taken: the scores came back in place of the weights.",
    look="Scores may be negative and sum to anything; weights may not.",
    inside=(
        "No softmax was taken: the scores were used in place of the weights.",
        "Scores may be negative and sum to anything; weights may not.",
    ),
)
def no_softmax(scores):
    return scores


@shared_mistake(
    says="The softmax was taken twice, so the weights are almost equal.",
    look="Is there a softmax in an earlier line too?",
)
def softmax_twice(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)


@shared_mistake(
    says="The exponentials were not divided by the sum of their row.",
    look="The softmax has two parts: exp, then a division that makes each row sum to 1.",
)
def only_exp(scores):
    return torch.exp(scores)


@shared_mistake(
    says="The scores were divided by their sum without an exponential, so negative weights appear.",
    look="What does the softmax do to each score before it sums?",
)
def divided_by_the_sum(scores):
    return scores / scores.sum(dim=-1, keepdim=True)


@shared_mistake(
    says="This is the sigmoid: each weight lies between 0 and 1, but a row does not sum to 1.",
    look="The weights of a row are shares of 1: that is the softmax.",
)
def sigmoid(scores):
    return torch.sigmoid(scores)


@shared_mistake(
    says="These are the logarithms of the weights: none of them is above 0.",
    look="log_softmax is a function of its own; use the plain softmax.",
)
def logarithms_of_the_weights(scores):
    return torch.log_softmax(scores, dim=-1)


@shared_mistake(
    says="The scores were divided once more before the softmax, by the root of the number of keys.",
    look="The scores that come in are scaled already.",
    inside=(
        "The scores were divided once more before the softmax, by the root of the number of keys.",
        "Each division before the softmax: one is needed, by the root of the width of a key.",
    ),
)
def scaled_again(scores):
    return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)


@shared_mistake(
    says="The smallest score got the largest weight: the softmax was taken of minus the scores.",
    look=MINUS,
)
def softmax_of_minus_the_scores(scores):
    return torch.softmax(-scores, dim=-1)


@shared_mistake(
    says="Row i uses only the keys up to number i: that is a causal mask.",
    look="Leave the mask out; here every query looks at all keys.",
)
def masked(scores):
    hidden = torch.ones_like(scores).triu(1).bool()
    return torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)


@shared_mistake(
    says="The maximum was subtracted only above the line of the fraction, not in the sum below, so the rows do "
    "not sum to 1.",
    look="Both parts of the fraction: the same exponentials stand above and in the sum.",
)
def maximum_above_only(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    return torch.exp(shifted) / torch.exp(scores).sum(dim=-1, keepdim=True)


@shared_mistake(
    says="The maximum was subtracted only in the sum below the line of the fraction, not above, so the rows do "
    "not sum to 1.",
    look="Both parts of the fraction: the same exponentials stand above and in the sum.",
)
def maximum_below_only(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    return torch.exp(scores) / torch.exp(shifted).sum(dim=-1, keepdim=True)


@shared_mistake(
    says="The largest score of each column was subtracted. That changes the weights: only a number that is "
    "subtracted from a whole row cancels.",
    look="The axis of the maximum: each row has a maximum of its own.",
)
def maximum_of_each_column(scores):
    powers = torch.exp(scores - scores.max(dim=0).values)
    return powers / powers.sum(dim=-1, keepdim=True)


@shared_mistake(
    says="The largest number of each row is 1: the exponentials were not divided by the sum of their row.",
    look="The softmax has two parts: exp, then a division that makes each row sum to 1.",
)
def only_exp_after_the_shift(scores):
    return torch.exp(scores - scores.max(dim=-1, keepdim=True).values)


# Mixing the values by the weights.


@shared_mistake(
    says="All rows are the plain mean of the values: the weights were not used.",
    look="Each output has its own row of weights.",
)
def mean_of_the_values(weights, values):
    return values.mean(dim=0).expand(weights.shape[0], -1)


@shared_mistake(
    says="All rows are the plain sum of the values: the weights were not used.",
    look="Each output has its own row of weights.",
)
def sum_of_the_values(weights, values):
    return values.sum(dim=0).expand(weights.shape[0], -1)


@shared_mistake(
    says="All rows are the output of the second query.",
    look="Is a single row of the weights taken, by its number? All of them are needed.",
)
def one_query_for_all(weights, values):
    return (weights[1] @ values).expand(weights.shape[0], -1)


@shared_mistake(
    says="Each row is one single value, that of the key with the largest weight.",
    look="Every output is a mixture of all values.",
)
def largest_weight_only(weights, values):
    return values[weights.argmax(dim=-1)]


@shared_mistake(
    says="The weights were transposed before they mixed the values, so keys and queries changed places.",
    look="Row i of the weights belongs to output i; they need no transpose.",
)
def weights_transposed(weights, values):
    return weights.T @ values


@shared_mistake(
    says="The right output went through a softmax: its rows sum to 1, but rows of values need not.",
    look="The softmax makes the weights; leave the mixture unchanged.",
)
def softmax_of_the_output(weights, values):
    return torch.softmax(weights @ values, dim=-1)


@shared_mistake(
    says="The right output was divided by the square root of its width.",
    look="Scaling is for scores, before the softmax; leave the mixture unchanged.",
)
def output_scaled(weights, values):
    return weights @ values / values.shape[-1] ** 0.5


@shared_mistake(
    says="Each row is the right one plus the token's own value: something was added.",
    look="The last line. A residual connection belongs to a whole Transformer block.",
)
def values_added(weights, values):
    return weights @ values + values


@shared_mistake(
    says="The scores were divided by the square root of d_in, the width of the tokens.",
    look="A score adds up d_k products: take the width of the keys.",
)
def scaled_by_d_in(x, keys):
    return x.shape[-1]


# Variances.


@shared_mistake(
    says="These are standard deviations, the square roots of the variances.", look="std or var?"
)
def standard_deviations(tensor):
    return tensor.std()


@shared_mistake(
    says="These are means of squares: the mean was not subtracted.",
    look="A variance first subtracts the mean of all entries.",
)
def distances_from_zero(tensor):
    return (tensor**2).mean()
