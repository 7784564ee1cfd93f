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

import families
from autograder import mistake

DOCUMENTED = json.loads(Path(__file__).with_name("documented.json").read_text(encoding="utf-8"))

# What the two parts of this assignment call what families.py speaks of.
W = {"W_key": "w_key", "W_value": "w_value"}
QKV = {"Queries": "Q", "Keys": "K", "keys": "K", "values": "V", "W_key": "W_K", "W_value": "W_V"}
D = {"d_k": "d"}
LOWER = {name: name.lower() for name in ("W_query", "W_key", "W_value")}


def row_softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def scores_and_values(x, w_query, w_key, w_value):
    return (x @ w_query) @ (x @ w_key).T, x @ w_value


def weights_and_values(x, w_query, w_key, w_value, scaled):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(w_key.shape[1]) if scaled else 1.0
    return row_softmax(scores / divisor), values


def attention_scaled(divide):
    """numpy_self_attention with a wrong division, which takes the scores and the width of a key."""

    def attention(x, w_query, w_key, w_value, scaled=True):
        scores, values = scores_and_values(x, w_query, w_key, w_value)
        return row_softmax(divide(scores, w_key.shape[1]) if scaled else scores) @ values

    return attention


def attention_mixed(mix):
    """numpy_self_attention that mixes the values in a wrong way."""

    def attention(x, w_query, w_key, w_value, scaled=True):
        return mix(*weights_and_values(x, w_query, w_key, w_value, scaled))

    return attention


def scaled(divide):
    """scaled_scores with a wrong division."""
    return lambda Q, K: divide(Q @ K.T, K.shape[-1])


def scaled_after(compare):
    """scaled_scores with a wrong comparison, which is then scaled."""
    return lambda Q, K: compare(Q, K) / math.sqrt(K.shape[-1])


@mistake(
    "numpy_project",
    says="Queries, keys and values are all the same: each was made with w_query.",
    look="Which matrix does each of the three products use?",
)
def numpy_one_matrix_for_all(x, w_query, w_key, w_value):
    queries = x @ w_query
    return queries, queries, queries


numpy_queries_and_keys_swapped = families.queries_and_keys_swapped(
    "numpy_project",
    says="Queries and keys are swapped: the queries were made with w_key.",
    called=LOWER,
)


numpy_keys_and_values_swapped = families.keys_and_values_swapped(
    "numpy_project",
    says="Keys and values are swapped: the keys were made with w_value.",
    called=LOWER,
)


numpy_keys_as_values = families.values_from_w_key("numpy_project", called=W)
numpy_tokens_as_values = families.tokens_as_values("numpy_project", called=W)


@mistake(
    "numpy_project",
    says="The numbers are right, but these are PyTorch tensors; this part uses NumPy.",
    look="Arrays come in and arrays go out; torch is not needed before the second part.",
)
def tensors_instead_of_arrays(x, w_query, w_key, w_value):
    x = torch.from_numpy(x)
    return tuple(x @ torch.from_numpy(matrix) for matrix in (w_query, w_key, w_value))


numpy_scores_transposed = families.scores_transposed(
    "numpy_scores",
    same_as="numpy_queries_and_keys_swapped",
)


numpy_queries_with_queries = families.queries_with_queries("numpy_scores")
numpy_keys_with_keys = families.keys_with_keys("numpy_scores")
numpy_keys_reshaped = families.keys_reshaped("numpy_scores")


@families.weights_for_scores.words_for("numpy_scores")
def numpy_weights_for_scores(queries, keys):
    return row_softmax(queries @ keys.T / np.sqrt(keys.shape[-1]))


@families.cosines.words_for("numpy_scores")
def numpy_cosines(queries, keys):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    return queries @ keys.T


@mistake(
    "numpy_scores",
    says="The dot products were divided by the square root of d too early: in this step the scores are not "
    "scaled.",
    look="Leave the division to numpy_self_attention, where the argument scaled decides.",
    inside=(
        "The scores were divided by the square root of d whatever `scaled` says, and once more if it is True.",
        "Each division: one is enough, where the argument scaled decides.",
    ),
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
)
def numpy_softmax_down_the_columns(scores):
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0)


numpy_no_softmax = families.no_softmax(
    "numpy_softmax",
)


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


@families.maximum_above_only.words_for("numpy_softmax")
def numpy_maximum_above_only(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted) / np.exp(scores).sum(axis=-1, keepdims=True)


@families.maximum_below_only.words_for("numpy_softmax")
def numpy_maximum_below_only(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(scores) / np.exp(shifted).sum(axis=-1, keepdims=True)


@families.divided_by_the_sum.words_for("numpy_softmax")
def numpy_divided_by_the_sum(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


@families.only_exp.words_for("numpy_softmax")
def numpy_only_exp(scores):
    return np.exp(scores)


@families.softmax_twice.words_for("numpy_softmax")
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


@families.maximum_of_each_column.words_for("numpy_softmax")
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
    says="What was subtracted from each row is smaller than its largest score. A score far above it still gives inf, "
    "and inf / inf is nan.",
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


@families.scaled_by_d_in.words_for(
    "numpy_self_attention", look="Scores are sums of d products: take the width of the keys."
)
def scaled_by_d_in(x, w_query, w_key, w_value, scaled=True):
    scores, values = scores_and_values(x, w_query, w_key, w_value)
    divisor = np.sqrt(x.shape[1]) if scaled else 1.0
    return row_softmax(scores / divisor) @ values


@mistake(
    "numpy_self_attention",
    says="The scores were divided by the square root of T, the number of tokens.",
    look="The keys have two sizes, how many and how wide; take the width.",
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


scaled_by_sqrt_2 = families.divided_by_the_root_of_2(
    "numpy_self_attention", through=attention_scaled, called=D
)


scaled_by_half_of_d = families.divided_by_half_of_d_k(
    "numpy_self_attention", through=attention_scaled, called=D
)


scaled_by_twice_d = families.divided_by_twice_d_k(
    "numpy_self_attention", through=attention_scaled, called=D
)


scaled_up = families.multiplied(
    "numpy_self_attention",
    through=attention_scaled,
    called=D,
)
scaled_up_by_d = families.multiplied_by_d_k(
    "numpy_self_attention", through=attention_scaled, called=D
)
scaled_by_the_square = families.divided_by_the_square(
    "numpy_self_attention", through=attention_scaled, called=D
)
scaled_by_the_fourth_root = families.divided_by_the_fourth_root(
    "numpy_self_attention", through=attention_scaled, called=D
)
scaled_upside_down = families.fraction_upside_down("numpy_self_attention", through=attention_scaled)
scaled_without_remainder = families.divided_without_remainder(
    "numpy_self_attention", through=attention_scaled
)


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
    says="Scaling happened twice, before the softmax and after it: the rows no longer sum to 1.",
    look="One division, and before the softmax.",
)
def scaled_before_and_after(x, w_query, w_key, w_value, scaled=True):
    weights, values = weights_and_values(x, w_query, w_key, w_value, scaled)
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


weights_transposed = families.weights_transposed("numpy_self_attention", through=attention_mixed)
values_added = families.values_added("numpy_self_attention", through=attention_mixed)


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
    "token_indices",
    says="A word that is not in the vocabulary was left out: there are fewer indices than words, and no error.",
    look="Look up every word, also one that may not be there: what does a dictionary do then?",
    shows_in="unknown_word",
)
def unknown_word_left_out(sentence, vocabulary):
    return torch.tensor([vocabulary[word] for word in sentence.split() if word in vocabulary])


@mistake(
    "token_indices",
    says="A word that is not in the vocabulary got the index 0, which belongs to another word.",
    look="The method get of a dictionary gives a value for words that are not there. Square brackets do not.",
    shows_in="unknown_word",
)
def unknown_word_as_0(sentence, vocabulary):
    return torch.tensor([vocabulary.get(word, 0) for word in sentence.split()])


@mistake(
    "token_indices",
    says="A word that is not in the vocabulary got the index -1, which points at the last row of a table.",
    look="The method get of a dictionary gives a value for words that are not there. Square brackets do not.",
    shows_in="unknown_word",
)
def unknown_word_as_minus_1(sentence, vocabulary):
    return torch.tensor([vocabulary.get(word, -1) for word in sentence.split()])


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


queries_and_keys_swapped = families.queries_and_keys_swapped("project", called=QKV)
keys_and_values_swapped = families.keys_and_values_swapped("project", called=QKV)


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
)
def not_scaled(Q, K):
    return Q @ K.T


scores_transposed = families.scores_transposed(
    "scaled_scores",
    through=scaled_after,
)


queries_with_queries = families.queries_with_queries("scaled_scores", through=scaled_after)
keys_with_keys = families.keys_with_keys("scaled_scores", through=scaled_after)
divided_by_d = families.divided_by_d_k("scaled_scores", through=scaled, called=D)
divided_by_half_of_d = families.divided_by_half_of_d_k("scaled_scores", through=scaled, called=D)
divided_by_twice_d = families.divided_by_twice_d_k("scaled_scores", through=scaled, called=D)
divided_by_the_root_of_the_keys_number = families.divided_by_the_root_of_the_keys_number(
    "scaled_scores",
    through=scaled,
    called=D,
    look="K has two sizes, how many keys and how wide; take the width.",
)


divided_by_the_root_of_the_queries_number = families.divided_by_the_root_of_the_queries_number(
    "scaled_scores", through=scaled, called=D
)


multiplied = families.multiplied("scaled_scores", through=scaled, called=D)
multiplied_by_d = families.multiplied_by_d_k("scaled_scores", through=scaled, called=D)
divided_by_the_square = families.divided_by_the_square("scaled_scores", through=scaled, called=D)
divided_by_the_fourth_root = families.divided_by_the_fourth_root(
    "scaled_scores", through=scaled, called=D
)
fraction_upside_down = families.fraction_upside_down("scaled_scores", through=scaled)
divided_without_remainder = families.divided_without_remainder("scaled_scores", through=scaled)
divided_by_sqrt_2 = families.divided_by_the_root_of_2("scaled_scores", through=scaled, called=D)


@mistake(
    "scaled_scores",
    says="The scores were divided by 2, which is the square root of d only where d is 4.",
    look="Take d from the tensor, not from this sentence's run.",
)
def divided_by_2(Q, K):
    return Q @ K.T / 2


softmax_down_the_columns = families.softmax_over_the_queries(
    "attention_weights",
    says="The softmax ran down the columns: each column sums to 1, but each row should.",
)


softmax_over_everything = families.softmax_over_everything(
    "attention_weights",
    says="The softmax ran over the whole table: all weights together sum to 1, but each row should.",
)


no_softmax = families.no_softmax("attention_weights")
softmax_twice = families.softmax_twice("attention_weights")
only_exp = families.only_exp("attention_weights")
divided_by_the_sum = families.divided_by_the_sum("attention_weights")
sigmoid = families.sigmoid("attention_weights")
logarithms_of_the_weights = families.logarithms_of_the_weights("attention_weights")
mean_of_the_values = families.mean_of_the_values("attention_output")
one_query_for_all = families.one_query_for_all("attention_output")


@mistake(
    "attention_output",
    says="These are the numbers that the document printed, whatever weights and values come in.",
    look="Compute the output from the two arguments.",
)
def printed_output(weights, V):
    return torch.tensor(DOCUMENTED["torch_output"]["printed"])


largest_weight_only = families.largest_weight_only("attention_output")
numpy_queries_and_values_swapped = families.queries_and_values_swapped(
    "numpy_project",
    says="Queries and values are swapped: the queries were made with w_value.",
    called=LOWER,
)


numpy_nothing_projected = families.nothing_projected("numpy_project")


@mistake(
    "numpy_project",
    says="The keys were made with w_query: nothing depends on w_key.",
    look="The line that makes the keys; was it copied from the one above?",
    same_as="numpy_queries_with_queries",
)
def numpy_keys_from_w_query(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_query, x @ w_value


@families.softmax_of_minus_the_scores.words_for("numpy_softmax")
def numpy_softmax_of_minus_the_scores(scores):
    return row_softmax(-scores)


@families.logarithms_of_the_weights.words_for(
    "numpy_softmax", look="The last line: weights are shares between 0 and 1."
)
def numpy_logarithms_of_the_weights(scores):
    return np.log(row_softmax(scores))


@families.only_exp_after_the_shift.words_for("numpy_softmax")
def numpy_only_exp_after_the_shift(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


queries_and_values_swapped = families.queries_and_values_swapped("project", called=QKV)
nothing_projected = families.nothing_projected(
    "project", says="X came back unchanged, three times: none of the matrices was used."
)


cosines = families.cosines(
    "scaled_scores",
    through=scaled_after,
    says="Q and K were divided by their lengths first, so all scores are small.",
)


keys_reshaped = families.keys_reshaped(
    "scaled_scores", through=scaled_after, called={"the keys were": "K was"}
)


softmax_of_minus_the_scores = families.softmax_of_minus_the_scores("attention_weights")
weights_masked = families.masked("attention_weights")
softmax_of_the_output = families.softmax_of_the_output("attention_output")
sum_of_the_values = families.sum_of_the_values("attention_output")
