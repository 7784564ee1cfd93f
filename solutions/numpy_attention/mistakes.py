"""Mistakes that students make in numpy_attention, each as the wrong code and a tutor's words for it.

A mistake of an earlier step inside numpy_self_attention gets the same words, so they describe what was
computed and name no function.
"""

import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

from autograder import mistake

DOCUMENTED = json.loads(Path(__file__).with_name("documented.json").read_text(encoding="utf-8"))

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


def row_softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def scores_and_values(x, w_query, w_key, w_value):
    return (x @ w_query) @ (x @ w_key).T, x @ w_value


def weights_and_values(x, w_query, w_key, w_value, scaled):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    return row_softmax(scores / divisor), values


@mistake(
    "numpy_project",
    says="Queries, keys and values are all the same: each was made with w_query.",
    look="Which matrix does each of the three products use?",
)
def numpy_one_matrix_for_all(x, w_query, w_key, w_value):
    queries = x @ w_query
    return queries, queries, queries


@mistake(
    "numpy_project",
    says="Queries and keys are swapped: the queries were made with w_key.",
    look="The order in which the three are returned, or the names of the matrices.",
)
def numpy_queries_and_keys_swapped(x, w_query, w_key, w_value):
    return x @ w_key, x @ w_query, x @ w_value


@mistake(
    "numpy_project",
    says="Keys and values are swapped: the keys were made with w_value.",
    look="The order in which the three are returned, or the names of the matrices.",
)
def numpy_keys_and_values_swapped(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_value, x @ w_key


@mistake(
    "numpy_project",
    says="The keys were used in place of the values: nothing depends on w_value.",
    look="Where the values are made, or where they are mixed. Was a line copied?",
)
def numpy_keys_as_values(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_key, x @ w_key


@mistake(
    "numpy_project",
    says="The tokens were used in place of the values: nothing depends on w_value.",
    look="Where the values are made, or where they are mixed.",
)
def numpy_tokens_as_values(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_key, x


@mistake(
    "numpy_project",
    says="The numbers are right, but these are PyTorch tensors; this part uses NumPy.",
    look="Arrays come in and arrays go out; torch is not needed before the second part.",
)
def tensors_instead_of_arrays(x, w_query, w_key, w_value):
    x = torch.from_numpy(x)
    return tuple(x @ torch.from_numpy(matrix) for matrix in (w_query, w_key, w_value))


@mistake(
    "numpy_scores",
    says="The table is transposed: row i belongs to key i, but it should belong to query i.",
    look="The queries stand on the left of the product.",
    same_as="numpy_queries_and_keys_swapped",
)
def numpy_scores_transposed(queries, keys):
    return keys @ queries.T


@mistake(
    "numpy_scores",
    says="The queries were compared with themselves; the keys were not used.",
    look="The right side of the product.",
)
def numpy_queries_with_queries(queries, keys):
    return queries @ queries.T


@mistake(
    "numpy_scores",
    says="The keys were compared with themselves; the queries were not used.",
    look="The left side of the product.",
)
def numpy_keys_with_keys(queries, keys):
    return keys @ keys.T


@mistake(
    "numpy_scores",
    says="The shape fits, but the keys were reshaped. That fills the new shape with the numbers in reading "
    "order, so each column mixes several keys.",
    look="Rows and columns have to change places: that is the transpose.",
)
def numpy_keys_reshaped(queries, keys):
    return queries @ keys.reshape(keys.shape[1], keys.shape[0])


@mistake(
    "numpy_scores",
    says="All scores lie between -1 and 1: queries and keys were divided by their lengths first.",
    look="Take the dot product of the vectors as they are; their lengths matter.",
)
def numpy_cosines(queries, keys):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    return queries @ keys.T


@mistake(
    "numpy_scores",
    says="The dot products were divided by the square root of d too early: in this step the scores are not "
    "scaled.",
    look="Leave the division to numpy_self_attention, where the argument scaled decides.",
)
def numpy_scores_scaled_already(queries, keys):
    return queries @ keys.T / np.sqrt(keys.shape[-1])


@mistake(
    "numpy_softmax",
    says="The softmax ran over the whole table: all weights together sum to 1, but each row should.",
    look="The axis of the sum: each query has a sum of its own.",
)
def numpy_softmax_over_everything(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@mistake(
    "numpy_softmax",
    says="The softmax ran down the columns: each column sums to 1, but each row should.",
    look="A row is a query, a column is a key. Which axis runs along one row?",
    written=DOWN,
)
def numpy_softmax_down_the_columns(scores):
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0)


@mistake(
    "numpy_softmax",
    says="No softmax was taken: the scores came back in place of the weights.",
    look="Scores may be negative and sum to anything; weights may not.",
)
def numpy_no_softmax(scores):
    return scores


@mistake(
    "numpy_softmax",
    says="From each row the largest score of another row was subtracted: the maxima lie in a row, not in a "
    "column. NumPy accepted that only because the table is square.",
    look="The maxima: keepdims=True keeps them as a column, one beside each row.",
)
def numpy_maxima_not_kept_as_a_column(scores):
    powers = np.exp(scores - scores.max(axis=-1))
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="Maxima and sums lie in a row, not in a column, so each row met the maximum and the sum of other "
    "rows. NumPy accepted that only because the table is square.",
    look="The maxima and the sums: keepdims=True keeps both as a column.",
)
def numpy_axes_not_kept(scores):
    powers = np.exp(scores - scores.max(axis=-1))
    return powers / powers.sum(axis=-1)


@mistake(
    "numpy_softmax",
    says="The maximum was subtracted only above the line of the fraction, not in the sum below, so the rows do "
    "not sum to 1.",
    look="Both parts of the fraction: the same exponentials stand above and in the sum.",
)
def numpy_maximum_above_only(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted) / np.exp(scores).sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="The maximum was subtracted only in the sum below the line of the fraction, not above, so the rows do "
    "not sum to 1.",
    look="Both parts of the fraction: the same exponentials stand above and in the sum.",
)
def numpy_maximum_below_only(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(scores) / np.exp(shifted).sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="The scores were divided by their sum without an exponential, so negative weights appear.",
    look="The formula of the softmax: what happens to each score before the sum?",
)
def numpy_divided_by_the_sum(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="The exponentials were not divided by the sum of their row.",
    look="The division by the sum of the row: it makes each row sum to 1.",
)
def numpy_only_exp(scores):
    return np.exp(scores)


@mistake(
    "numpy_softmax",
    says="The softmax was taken twice, so the weights are almost equal.",
    look="Is there a softmax in an earlier line too?",
)
def numpy_softmax_twice(scores):
    return row_softmax(row_softmax(scores))


@mistake(
    "numpy_softmax",
    says="Column j was divided by the sum of row j: the sums lie in a row, not in a column. NumPy accepted "
    "that only because the table is square.",
    look="The sums: keepdims=True keeps them as a column, one beside each row.",
)
def numpy_sums_not_kept_as_a_column(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1)


@mistake(
    "numpy_softmax",
    says="The largest score of each column was subtracted. That changes the weights: only a number that is "
    "subtracted from a whole row cancels.",
    look="The axis of the maximum: each row has a maximum of its own.",
)
def maximum_of_each_column(scores):
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="Small scores come out right, but the exponential of 1000 is inf, and inf / inf is nan.",
    look="What can be subtracted from each row before the exponential, without changing the weights?",
    shows_in="stability",
)
def softmax_not_shifted(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="The largest score of the whole table was subtracted everywhere. In a row far below it "
    "all exponentials become 0, and 0 / 0 is nan.",
    look="The axis of the maximum: each row has a maximum of its own.",
    shows_in="stability",
)
def one_maximum_for_all_rows(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="The smallest score of each row was subtracted, not the largest. A score far above it "
    "still gives inf, and inf / inf is nan.",
    look="Which score must become 0 so that nothing can overflow?",
    shows_in="stability",
)
def shifted_by_the_minimum(scores):
    powers = np.exp(scores - scores.min(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_softmax",
    says="Large scores were cut off at 700: nothing overflows, but keys above this limit get the same weight "
    "although their scores differ.",
    look="Subtract a number from each row instead of cutting: then the differences stay.",
    shows_in="stability",
)
def scores_cut_off_at_700(scores):
    powers = np.exp(np.clip(scores, -700, 700))
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "numpy_self_attention",
    says="Both answers are unscaled: the scores are never divided, or scaled is False by default.",
    look="The line where the argument scaled decides, and its default in the first line.",
)
def never_scaled(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, False)
    return weights @ values


@mistake(
    "numpy_self_attention",
    says="Both answers are scaled: with scaled=False the scores should stay as they are.",
    look="Does the argument scaled decide anything?",
)
def always_scaled(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, True)
    return weights @ values


@mistake(
    "numpy_self_attention",
    says="The argument works the wrong way round: scaled=False divides, scaled=True does not.",
    look="The condition: is there one `not` too many?",
)
def switch_inverted(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, not scaled)
    return weights @ values


@mistake(
    "numpy_self_attention",
    says="The scores compare the tokens themselves; w_query and w_key were not used.",
    look="What is scored against what? Queries against keys, both projected.",
)
def scores_of_raw_tokens(x, w_query, w_key, w_value, scaled=True):
    divisor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    return row_softmax(x @ x.T / divisor) @ (x @ w_value)


@mistake(
    "numpy_self_attention",
    says="The scores were divided by the square root of d_in, the width of the tokens.",
    look="Scores are sums of d products: take the width of the keys.",
)
def scaled_by_d_in(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(x.shape[1]) if scaled else 1.0
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were divided by the square root of T, the number of tokens.",
    look="The keys have two sizes, how many and how wide; take the width.",
    written=COUNT,
)
def scaled_by_the_number_of_tokens(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(x.shape[0]) if scaled else 1.0
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were divided by d itself, not by its square root.",
    look="The divisor: is the root missing?",
)
def scaled_by_d(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = w_key.shape[1] if scaled else 1
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were divided by the square root of 2. That is right only where d is 2.",
    look="What the root is taken of: it must be d, the width of a key.",
    written=AXES,
)
def scaled_by_sqrt_2(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(2) if scaled else 1.0
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were divided by half of d, not by its square root.",
    look="The power: the square root of d is d**0.5, with two asterisks and 0.5.",
    written=HALF,
)
def scaled_by_half_of_d(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = w_key.shape[1] / 2 if scaled else 1.0
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were divided by 2 d, not by the square root of d.",
    look="The power: put brackets around the 1/2.",
    written=TWICE,
)
def scaled_by_twice_d(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = w_key.shape[1] * 2 if scaled else 1.0
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were multiplied by the square root of d, so they grew instead of shrinking.",
    look="Multiply or divide?",
)
def scaled_up(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    factor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    return row_softmax(scores * factor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores mixed the values, before the softmax: the attention weights were not used.",
    look="The last product: which variable holds the weights after the softmax?",
)
def scores_mixed(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    return scores @ values


@mistake(
    "numpy_self_attention",
    says="The weights or the output were divided, not the scores: the rows no longer sum to 1.",
    look="The order: scaling comes before the softmax.",
)
def scaled_after_the_softmax(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, False)
    divisor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    return weights / divisor @ values


@mistake(
    "numpy_self_attention",
    says="The softmax was taken of the values, and the scores went without one.",
    look="Which of the two has to become shares that sum to 1?",
)
def softmax_of_the_values(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    return scores / divisor @ row_softmax(values)


@mistake(
    "numpy_self_attention",
    says="The weights were transposed before they mixed the values, so keys and queries changed places.",
    look="Row i of the weights belongs to output i; they need no transpose.",
)
def weights_transposed(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, scaled)
    return weights.T @ values


@mistake(
    "numpy_self_attention",
    says="Each row is the right one plus the token's own value: something was added.",
    look="The last line. A residual connection belongs to a whole Transformer block.",
)
def values_added(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, scaled)
    return weights @ values + values


@mistake(
    "numpy_self_attention",
    says="Each token uses only itself and the tokens before it: that is a causal mask. The last row is right, "
    "the others are not.",
    look="Leave the mask out; here every token looks at all tokens.",
)
def masked(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    hidden = np.triu(np.ones(scores.shape, dtype=bool), k=1)
    return row_softmax(np.where(hidden, -np.inf, scores / divisor)) @ values


@mistake(
    "numpy_self_attention",
    says="Two things came back, the output and the weights; only the output was asked for.",
    look="The `return` line.",
)
def weights_returned_too(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, scaled)
    return weights @ values, weights


@mistake(
    "index_words",
    says="The first word has the number 1; counting starts at 0.",
    look="Where the counting starts.",
)
def counted_from_one(sentence):
    return dict(enumerate(sentence.split(), start=1))


@mistake(
    "index_words",
    says="The words are the keys. Here the number must be the key and the word the value.",
    look="Which of the two is looked up? The other direction comes with reverse_dict.",
)
def words_lead_to_numbers(sentence):
    return {word: number for number, word in enumerate(sentence.split())}


@mistake(
    "index_words",
    says="There is an entry for each letter: a loop over a text gives its letters.",
    look="The sentence has to be split into words first.",
)
def letters_counted(sentence):
    return dict(enumerate(sentence))


@mistake(
    "index_words",
    says="The words are in lower case; they should keep their spelling.",
    look="Is the sentence changed before it is split?",
)
def words_in_lower_case(sentence):
    return dict(enumerate(sentence.lower().split()))


@mistake(
    "index_words",
    says="The words are in the order of the alphabet; the numbers should follow the sentence.",
    look="Leave sorted out, and set too: it loses the order.",
)
def words_sorted(sentence):
    return dict(enumerate(sorted(sentence.split())))


@mistake(
    "reverse_dict",
    says="Each key still has its old value: nothing was exchanged, or only the order of the entries was "
    "reversed.",
    look="In each entry the key and the value must change places.",
)
def mapping_not_reversed(mapping):
    return dict(mapping)


@mistake(
    "reverse_dict",
    says="The words were counted again from 0; the numbers of the mapping were lost.",
    look="Take the number from each entry of the mapping.",
)
def numbers_counted_again(mapping):
    return {word: number for number, word in enumerate(mapping.values())}


@mistake(
    "reverse_dict",
    says="The pairs are right, but they came back in a list; a dictionary was asked for.",
    look="The brackets: a list has square ones, a dictionary curly ones.",
)
def list_of_pairs(mapping):
    return [(word, number) for number, word in mapping.items()]


@mistake(
    "token_indices",
    says="These are just 0, 1, 2 and so on; the vocabulary was not used.",
    look="Look up each word in the vocabulary, which may have another order.",
)
def indices_counted_again(sentence, vocabulary):
    return torch.arange(len(sentence.split()))


@mistake(
    "token_indices",
    says="The numbers are right, but they are floats; only whole numbers can point at a row.",
    look="The dtype. torch.Tensor with a capital T always makes floats.",
)
def indices_as_floats(sentence, vocabulary):
    return torch.tensor([float(vocabulary[word]) for word in sentence.split()])


@mistake(
    "token_indices",
    says="The right numbers, but in the vocabulary's order; they should follow the sentence.",
    look="What does your loop walk through, the sentence or the vocabulary?",
)
def indices_in_the_vocabularys_order(sentence, vocabulary):
    words = sentence.split()
    return torch.tensor([number for word, number in vocabulary.items() if word in words])


@mistake(
    "token_indices",
    says="The numbers are right, but there is one axis too many: the shape should be (T,).",
    look="Count the pairs of square brackets.",
)
def indices_in_a_batch(sentence, vocabulary):
    return torch.tensor([[vocabulary[word] for word in sentence.split()]])


@mistake(
    "embed",
    says="These rows come from a new layer with its own random numbers.",
    look="Use the layer that is passed in; do not make a new one.",
)
def embedded_in_a_new_layer(indices, embedding):
    return nn.Embedding(*embedding.weight.shape)(indices)


@mistake(
    "embed",
    says="These are the first rows of the table; the indices were not used.",
    look="Each index says which row to fetch.",
)
def first_rows_of_the_table(indices, embedding):
    return embedding.weight[: len(indices)]


@mistake(
    "embed",
    says="Each row is the one before the right one: 1 was subtracted from the indices.",
    look="Indices and rows are both counted from 0, so they fit as they are.",
)
def embedded_one_row_too_early(indices, embedding):
    return embedding.weight[indices - 1]


@mistake(
    "embed",
    says="The rows are right but too large, by the square root of d_in.",
    look="To embed is to fetch rows; nothing is computed.",
)
def embeddings_multiplied(indices, embedding):
    return embedding(indices) * math.sqrt(embedding.embedding_dim)


@mistake(
    "project",
    says="Q, K and V are all the same: each was made with W_Q.",
    look="Which matrix does each of the three products use?",
)
def one_matrix_for_all(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q, X @ W_Q


@mistake(
    "project",
    says="V equals K: it was made with W_K and does not depend on W_V.",
    look="The line that makes V; was it copied from the one above?",
)
def values_from_w_k(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_K


@mistake(
    "project",
    says="Q and K are swapped: what comes first was made with W_K.",
    look="The order in which the three are returned, or the names of the matrices.",
)
def queries_and_keys_swapped(X, W_Q, W_K, W_V):
    return X @ W_K, X @ W_Q, X @ W_V


@mistake(
    "project",
    says="K and V are swapped: what comes second was made with W_V.",
    look="The order in which the three are returned, or the names of the matrices.",
)
def keys_and_values_swapped(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_V, X @ W_K


@mistake(
    "project",
    says="K is the key of the second token only; every token needs one.",
    look="The line that makes K: does it take a single row of X?",
)
def keys_of_one_token(X, W_Q, W_K, W_V):
    return X @ W_Q, X[1] @ W_K, X @ W_V


@mistake(
    "scaled_scores",
    says="The dot products are right, but they were not scaled.",
    look="This step also scales: what are all scores divided by?",
    written=ROOT_UNUSED,
)
def not_scaled(Q, K):
    return Q @ K.T


@mistake(
    "scaled_scores",
    says="The table is transposed: row i belongs to key i, but it should belong to query i.",
    look="The queries stand on the left of the product.",
)
def scores_transposed(Q, K):
    return K @ Q.T / math.sqrt(Q.shape[-1])


@mistake(
    "scaled_scores",
    says="The queries were compared with themselves; the keys were not used.",
    look="The right side of the product.",
)
def queries_with_queries(Q, K):
    return Q @ Q.T / math.sqrt(Q.shape[-1])


@mistake(
    "scaled_scores",
    says="The keys were compared with themselves; the queries were not used.",
    look="The left side of the product.",
)
def keys_with_keys(Q, K):
    return K @ K.T / math.sqrt(K.shape[-1])


@mistake(
    "scaled_scores",
    says="The scores were divided by d instead of its square root, or by the square root twice.",
    look="Is the root missing, or is there a division in two places?",
)
def divided_by_d(Q, K):
    return Q @ K.T / K.shape[-1]


@mistake(
    "scaled_scores",
    says="The scores were divided by half of d, not by its square root.",
    look="The power: the square root of d is d**0.5, with two asterisks and 0.5.",
    written=HALF,
)
def divided_by_half_of_d(Q, K):
    return Q @ K.T / (K.shape[-1] / 2)


@mistake(
    "scaled_scores",
    says="The scores were divided by 2 d, not by the square root of d.",
    look="The power: put brackets around the 1/2.",
    written=TWICE,
)
def divided_by_twice_d(Q, K):
    return Q @ K.T / (2 * K.shape[-1])


@mistake(
    "scaled_scores",
    says="The scores were divided by the square root of the number of keys.",
    look="K has two sizes, how many keys and how wide; take the width.",
    written=COUNT,
)
def divided_by_the_root_of_the_keys_number(Q, K):
    return Q @ K.T / math.sqrt(K.shape[0])


@mistake(
    "scaled_scores",
    says="The scores were multiplied by the square root of d, so they grew instead of shrinking.",
    look="Multiply or divide?",
    written=MULTIPLIED,
)
def multiplied(Q, K):
    return Q @ K.T * math.sqrt(K.shape[-1])


@mistake(
    "scaled_scores",
    says="The scores were divided by the square root of 2. That is right only where d is 2.",
    look="What the root is taken of: it must be d, the width of a key.",
    written=AXES,
)
def divided_by_sqrt_2(Q, K):
    return Q @ K.T / math.sqrt(2)


@mistake(
    "scaled_scores",
    says="The scores were divided by 2, which is the square root of d only where d is 4.",
    look="Take d from the tensor, not from this sentence's run.",
)
def divided_by_2(Q, K):
    return Q @ K.T / 2


@mistake(
    "attention_weights",
    says="The softmax ran down the columns: each column sums to 1, but each row should.",
    look="A row is a query, a column is a key. Which dim runs along one row?",
    written=DOWN,
)
def softmax_down_the_columns(scaled_scores):
    return torch.softmax(scaled_scores, dim=0)


@mistake(
    "attention_weights",
    says="The softmax ran over the whole table: all weights together sum to 1, but each row should.",
    look="The dim of the softmax: each query has a sum of its own.",
)
def softmax_over_everything(scaled_scores):
    return torch.softmax(scaled_scores.flatten(), dim=0).reshape(scaled_scores.shape)


@mistake(
    "attention_weights",
    says="These are still the scores: there was no softmax.",
    look="Scores may be negative and sum to anything; weights may not.",
    written=SOFTMAX_UNUSED,
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
    says="The exponentials were not divided by the sum of their row.",
    look="The division by the sum of the row: it makes each row sum to 1.",
)
def only_exp(scaled_scores):
    return torch.exp(scaled_scores)


@mistake(
    "attention_weights",
    says="The scores were divided by their sum without an exponential, so negative weights appear.",
    look="The formula of the softmax: what happens to each score before the sum?",
)
def divided_by_the_sum(scaled_scores):
    return scaled_scores / scaled_scores.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    says="This is the sigmoid: each weight lies between 0 and 1, but a row does not sum to 1.",
    look="The weights of a row are shares of 1: that is the softmax.",
)
def sigmoid(scaled_scores):
    return torch.sigmoid(scaled_scores)


@mistake(
    "attention_weights",
    says="These are the logarithms of the weights: none of them is above 0.",
    look="log_softmax is a function of its own; use the plain softmax.",
)
def logarithms_of_the_weights(scaled_scores):
    return torch.log_softmax(scaled_scores, dim=-1)


@mistake(
    "attention_output",
    says="All rows are the plain mean of the values: the weights were not used.",
    look="Each output has its own row of weights.",
    carried=False,
)
def mean_of_the_values(weights, V):
    return V.mean(dim=0).expand(weights.shape[0], -1)


@mistake(
    "attention_output",
    says="All rows are the output of the second query.",
    look="Is a single row of the weights taken, by its number? All of them are needed.",
)
def one_query_for_all(weights, V):
    return (weights[1] @ V).expand(weights.shape[0], -1)


@mistake(
    "attention_output",
    says="These are the numbers that the document printed, whatever weights and values come in.",
    look="Compute the output from the two arguments.",
    carried=False,
)
def printed_output(weights, V):
    return torch.tensor(DOCUMENTED["torch_output"]["printed"])


@mistake(
    "attention_output",
    says="Each row is one single value, that of the key with the largest weight.",
    look="Every output is a mixture of all values.",
)
def largest_weight_only(weights, V):
    return V[weights.argmax(dim=-1)]


@mistake(
    "numpy_project",
    says="Queries and values are swapped: the queries were made with w_value.",
    look="The order in which the three are returned, or the names of the matrices.",
)
def numpy_queries_and_values_swapped(x, w_query, w_key, w_value):
    return x @ w_value, x @ w_key, x @ w_query


@mistake(
    "numpy_project",
    says="The tokens came back unchanged: none of the three matrices was used.",
    look="Each of the three needs a matrix product.",
)
def numpy_nothing_projected(x, w_query, w_key, w_value):
    return x, x, x


@mistake(
    "numpy_project",
    says="The keys were made with w_query: nothing depends on w_key.",
    look="The line that makes the keys; was it copied from the one above?",
    same_as="numpy_queries_with_queries",
)
def numpy_keys_from_w_query(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_query, x @ w_value


@mistake(
    "numpy_softmax",
    says="The smallest score got the largest weight: the softmax was taken of minus the scores.",
    look="Is there one minus sign too many?",
)
def numpy_softmax_of_minus_the_scores(scores):
    return row_softmax(-scores)


@mistake(
    "numpy_softmax",
    says="These are the logarithms of the weights: none of them is above 0.",
    look="The last line: weights are shares between 0 and 1.",
)
def numpy_logarithms_of_the_weights(scores):
    return np.log(row_softmax(scores))


@mistake(
    "numpy_softmax",
    says="The largest score of each row was subtracted and exp applied, but nothing was divided by the sum of "
    "its row.",
    look="The division by the sum of the row: it makes each row sum to 1.",
)
def numpy_only_exp_after_the_shift(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@mistake(
    "project",
    says="Q and V are swapped: what comes first was made with W_V.",
    look="The order in which the three are returned, or the names of the matrices.",
)
def queries_and_values_swapped(X, W_Q, W_K, W_V):
    return X @ W_V, X @ W_K, X @ W_Q


@mistake(
    "project",
    says="X came back unchanged, three times: none of the matrices was used.",
    look="Each of the three needs a matrix product.",
)
def nothing_projected(X, W_Q, W_K, W_V):
    return X, X, X


@mistake(
    "scaled_scores",
    says="Q and K were divided by their lengths first, so all scores are small.",
    look="Take the dot product of the vectors as they are; their lengths matter.",
)
def cosines(Q, K):
    unit = nn.functional.normalize
    return unit(Q, dim=-1) @ unit(K, dim=-1).T / math.sqrt(K.shape[-1])


@mistake(
    "scaled_scores",
    says="The shape fits, but K was reshaped. That fills the new shape with the numbers in reading order, so "
    "each column mixes several keys.",
    look="Rows and columns have to change places: that is the transpose.",
)
def keys_reshaped(Q, K):
    return Q @ K.reshape(K.shape[1], K.shape[0]) / math.sqrt(K.shape[-1])


@mistake(
    "attention_weights",
    says="The smallest score got the largest weight: the softmax was taken of minus the scores.",
    look="Is there one minus sign too many?",
)
def softmax_of_minus_the_scores(scaled_scores):
    return torch.softmax(-scaled_scores, dim=-1)


@mistake(
    "attention_weights",
    says="Row i uses only the keys up to number i: that is a causal mask.",
    look="Leave the mask out; here every query looks at all keys.",
)
def weights_masked(scaled_scores):
    hidden = torch.ones_like(scaled_scores).triu(1).bool()
    return torch.softmax(scaled_scores.masked_fill(hidden, -math.inf), dim=-1)


@mistake(
    "attention_output",
    says="The right output went through a softmax: its rows sum to 1, but rows of values need not.",
    look="The softmax makes the weights; leave the mixture unchanged.",
)
def softmax_of_the_output(weights, V):
    return torch.softmax(weights @ V, dim=-1)


@mistake(
    "attention_output",
    says="All rows are the plain sum of the values: the weights were not used.",
    look="Each output has its own row of weights.",
    carried=False,
)
def sum_of_the_values(weights, V):
    return V.sum(dim=0).expand(weights.shape[0], -1)
