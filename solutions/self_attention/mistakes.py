"""Mistakes that students make in self_attention, each as the wrong code and a tutor's words for it."""

import torch
from torch import nn

from autograder.mistakes import mistake

MATRICES = ("W_query", "W_key", "W_value")


def frozen(matrix):
    return nn.Parameter(matrix, requires_grad=False)


@mistake(
    "init_weights",
    says="All three matrices hold the same numbers: the seed was set again before each draw.",
    look="Call torch.manual_seed once, before the first draw; each draw then continues the stream.",
)
def seeded_before_each_draw(d_in, d_out, seed):
    matrices = []
    for _ in MATRICES:
        torch.manual_seed(seed)
        matrices.append(frozen(torch.rand(d_in, d_out)))
    return tuple(matrices)


@mistake(
    "init_weights",
    says="The right matrices were drawn, but the first draw became W_key and the second W_query.",
    look="The order of the torch.rand calls: query, key, value.",
)
def drawn_key_first(d_in, d_out, seed):
    torch.manual_seed(seed)
    key, query, value = (frozen(torch.rand(d_in, d_out)) for _ in MATRICES)
    return query, key, value


@mistake(
    "init_weights",
    says="The numbers come from torch.randn, which draws around 0; torch.rand draws between 0 and 1.",
    look="The name of the drawing function.",
)
def drawn_with_randn(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(frozen(torch.randn(d_in, d_out)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The matrices can be trained; in the walk of one token they are frozen.",
    look="nn.Parameter has an argument requires_grad.",
)
def left_trainable(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(nn.Parameter(torch.rand(d_in, d_out)) for _ in MATRICES)


@mistake(
    "project",
    says="Your values are x times W_key: they do not depend on W_value at all.",
    look="The line that makes the values; was it copied from the one above?",
)
def values_from_w_key(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_key


@mistake(
    "project",
    says="All three come from W_query: queries, keys and values need a matrix each.",
    look="Which matrix does each of the three lines use?",
)
def one_matrix_for_all(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_query, x @ W_query


@mistake(
    "project",
    says="Queries and keys are swapped: what you return first was made with W_key.",
    look="The order in the return line, or the names of the matrices.",
)
def queries_and_keys_swapped(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_query, x @ W_value


@mistake(
    "project",
    says="Keys and values are swapped: what you return second was made with W_value.",
    look="The order in the return line, or the names of the matrices.",
)
def keys_and_values_swapped(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_key


@mistake(
    "attention_score",
    says="The key was not used: this is the dot product of the query with itself.",
    look="Both arguments have a part in a score, the one who asks and the one who is asked.",
)
def query_with_itself(query, key):
    return query @ query


@mistake(
    "attention_score",
    says="This is the right score divided by the square root of d_k; scaling is a step of its own.",
    look="Leave the division to scale_scores.",
)
def scaled_already(query, key):
    return query @ key / key.shape[-1] ** 0.5


@mistake(
    "attention_scores",
    says="The scores are transposed: your row i belongs to key i, but it should belong to query i.",
    look="Which of the two stands on the left of the product?",
)
def scores_transposed(queries, keys):
    return keys @ queries.T


@mistake(
    "attention_scores",
    says="You compared the queries with themselves; the keys were not used.",
    look="The second factor of the product.",
)
def queries_with_queries(queries, keys):
    return queries @ queries.T


@mistake(
    "attention_scores",
    says="You compared the keys with themselves; the queries were not used.",
    look="The first factor of the product.",
)
def keys_with_keys(queries, keys):
    return keys @ keys.T


@mistake(
    "attention_scores",
    says="The shape is right, but the keys were reshaped, not transposed: that reads the same numbers "
    "in another order instead of swapping rows and columns.",
    look="A transpose is .T, not .reshape or .view.",
)
def keys_reshaped(queries, keys):
    return queries @ keys.reshape(keys.shape[1], keys.shape[0])


@mistake(
    "attention_scores",
    says="These are the right scores divided by the square root of d_k; scaling is a step of its own.",
    look="Leave the division to scale_scores.",
)
def scores_scaled_already(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


@mistake(
    "scale_scores",
    says="The scores were not scaled.",
    look="Each score is divided by the square root of d_k before the softmax.",
)
def not_scaled(scores, d_k):
    return scores


@mistake(
    "scale_scores",
    says="The scores were divided by d_k itself, not by its square root: that makes them too small.",
    look="The power: the square root of d_k is d_k**0.5.",
)
def divided_by_d_k(scores, d_k):
    return scores / d_k


@mistake(
    "scale_scores",
    says="The scores were divided by half of d_k: Python reads d_k**1/2 as (d_k**1)/2.",
    look="Write d_k**0.5, or put the 1/2 in brackets.",
)
def divided_by_half_of_d_k(scores, d_k):
    return scores / (d_k / 2)


@mistake(
    "scale_scores",
    says="The scores were divided by 2 d_k: Python works from left to right in scores / d_k**1/2.",
    look="Write d_k**0.5, or put the 1/2 in brackets.",
)
def divided_by_twice_d_k(scores, d_k):
    return scores / d_k**1 / 2


@mistake(
    "scale_scores",
    says="The scores were multiplied by the square root of d_k, so they grew instead of shrinking.",
    look="Multiply or divide?",
)
def multiplied(scores, d_k):
    return scores * d_k**0.5


@mistake(
    "scale_scores",
    says="The scores were divided by the square root of 2, which is right only where d_k is 2.",
    look="Take d_k from the argument.",
)
def divided_by_sqrt_2(scores, d_k):
    return scores / 2**0.5


@mistake(
    "attention_weights",
    says="The softmax ran over the queries: each column sums to 1, but each row should.",
    look="The dim of the softmax: the keys are the last axis, dim=-1.",
)
def softmax_over_the_queries(scaled_scores):
    return torch.softmax(scaled_scores, dim=0)


@mistake(
    "attention_weights",
    says="The softmax ran over all scores at once: everything together sums to 1, but each row should.",
    look="The dim of the softmax: one distribution for each query.",
)
def softmax_over_everything(scaled_scores):
    return torch.softmax(scaled_scores.flatten(), dim=0).reshape(scaled_scores.shape)


@mistake(
    "attention_weights",
    says="These are still the scores: there was no softmax.",
    look="Scores can be negative and sum to anything; weights cannot.",
)
def no_softmax(scaled_scores):
    return scaled_scores


@mistake(
    "attention_weights",
    says="The softmax was taken twice, so the weights are almost equal.",
    look="Is there a softmax in an earlier line too?",
)
def softmax_twice(scaled_scores):
    return torch.softmax(torch.softmax(scaled_scores, dim=-1), dim=-1)


@mistake(
    "attention_weights",
    says="The exponentials are there, but they were not divided by the sum of their row.",
    look="The softmax has two parts: exp, then a division that makes each row sum to 1.",
)
def only_exp(scaled_scores):
    return torch.exp(scaled_scores)


@mistake(
    "attention_weights",
    says="The scores were divided by their sum without exp, so negative weights appear.",
    look="The softmax takes the exponential of each score first.",
)
def divided_by_the_sum(scaled_scores):
    return scaled_scores / scaled_scores.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    says="This is the sigmoid: each number lies between 0 and 1, but a row does not sum to 1.",
    look="The tokens of a row compete for one share of 1: that is the softmax.",
)
def sigmoid(scaled_scores):
    return torch.sigmoid(scaled_scores)


@mistake(
    "context_vectors",
    says="All rows are the mean of the values: the attention weights were not used.",
    look="Each row is weighted by its own row of the weights.",
)
def mean_of_the_values(weights, values):
    return values.mean(dim=0).expand(weights.shape[0], -1)


@mistake(
    "context_vectors",
    says="The result is transposed: row i should belong to query i.",
    look="The shape of what you return: (Tq, d_v).",
)
def context_transposed(weights, values):
    return (weights @ values).T


@mistake(
    "dot_product_variance",
    says="These are sample variances, divided by the number of trials less one.",
    look="var has an argument correction: 0 gives the population variance.",
)
def sample_variance(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(), (products / queries.shape[-1] ** 0.5).var()


@mistake(
    "dot_product_variance",
    says="The second number belongs to dot products that were divided by d, not by its square root.",
    look="The scaling before the second variance.",
)
def variance_scaled_by_d(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(correction=0), (products / queries.shape[-1]).var(correction=0)


@mistake(
    "dot_product_variance",
    says="Every query met every key; row i of the queries should meet only row i of the keys.",
    look="How many dot products are there? One for each trial.",
)
def variance_of_all_pairs(queries, keys):
    products = queries @ keys.T
    return products.var(correction=0), (products / queries.shape[-1] ** 0.5).var(correction=0)


@mistake(
    "SelfAttention_v1",
    says="The matrices are plain tensors: parameters() does not list them, so nothing would be trained.",
    look="Wrap each matrix in nn.Parameter.",
    shows_in="parameters",
)
class not_registered(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in MATRICES:
            setattr(self, name, torch.rand(d_in, d_out))

    def forward(self, x):
        return attention(*(x @ getattr(self, name) for name in MATRICES))


@mistake(
    "SelfAttention_v1",
    says="The matrices are frozen (requires_grad=False), so nothing would be trained.",
    look="Freezing was for the walk of one token; in the class leave requires_grad as it is.",
    shows_in="parameters",
)
class parameters_frozen(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in MATRICES:
            setattr(self, name, frozen(torch.rand(d_in, d_out)))

    def forward(self, x):
        return attention(*(x @ getattr(self, name) for name in MATRICES))


@mistake(
    "SelfAttention_v2",
    says="The layers have a bias, though qkv_bias is False.",
    look="nn.Linear has a bias unless it is told bias=False; pass qkv_bias on.",
    shows_in="parameters",
)
class bias_left_on(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in MATRICES:
            setattr(self, name, nn.Linear(d_in, d_out))

    def forward(self, x):
        return attention(*(getattr(self, name)(x) for name in MATRICES))


@mistake(
    "transfer_weights",
    says="sa_v1 is unchanged: nothing was copied into it.",
    look="Are the numbers written into sa_v1's own matrices, and not only into new variables?",
)
def nothing_transferred(sa_v2, sa_v1):
    return None


@mistake(
    "transfer_weights",
    says="The matrices have the right shape, but most numbers are in the wrong places: they were "
    "reshaped instead of transposed.",
    look="A transpose is .T, not .reshape or .view.",
)
def reshaped_in_transfer(sa_v2, sa_v1):
    for name in MATRICES:
        matrix = getattr(sa_v1, name)
        matrix.data = getattr(sa_v2, name).weight.detach().reshape(matrix.shape).clone()


@mistake(
    "transfer_weights",
    says="It went the wrong way: sa_v2 has changed and sa_v1 has not.",
    look="sa_v2 is the source, sa_v1 the target.",
)
def transferred_the_wrong_way(sa_v2, sa_v1):
    with torch.no_grad():
        for name in MATRICES:
            getattr(sa_v2, name).weight.copy_(getattr(sa_v1, name).T)


@mistake(
    "transfer_weights",
    says="Only W_query was copied; W_key and W_value of sa_v1 are unchanged.",
    look="All three matrices have to be copied.",
)
def only_the_query_transferred(sa_v2, sa_v1):
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.T)


def attention(queries, keys, values):
    scores = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ values
