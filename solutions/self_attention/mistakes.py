"""Mistakes that students make in self_attention, each as the wrong code and a tutor's words for it."""

import torch
from torch import nn

import families
from autograder import mistake

MATRICES = ("W_query", "W_key", "W_value")

BLENDED = {"mixed": "blended"}
RESULT = {"output": "result", "mixture": "result"}


def frozen(matrix):
    return nn.Parameter(matrix, requires_grad=False)


@mistake(
    "init_weights",
    says="All three matrices hold the same numbers: the seed was set again before each draw, or one "
    "draw was used three times.",
    look="Call torch.manual_seed once, before the first draw; each further draw goes on from there.",
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
    says="The matrices are trainable; in this step they must be frozen.",
    look="nn.Parameter has an argument requires_grad, with an s.",
)
def left_trainable(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(nn.Parameter(torch.rand(d_in, d_out)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The numbers do not depend on `seed`.",
    look="The call of torch.manual_seed: does it come before the first draw, with the argument `seed`? torch.rand "
    "draws from no other generator.",
)
def seed_not_set(d_in, d_out, seed):
    return tuple(frozen(torch.rand(d_in, d_out)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The matrices are always those of seed 123, whatever seed is asked for.",
    look="The argument of torch.manual_seed.",
)
def always_seed_123(d_in, d_out, seed):
    torch.manual_seed(123)
    return tuple(frozen(torch.rand(d_in, d_out)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The numbers are right, but they came back as plain tensors, not as Parameters.",
    look="Make each matrix an nn.Parameter before you return it.",
)
def plain_tensors(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(torch.rand(d_in, d_out) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The matrices are transposed: they have d_out rows, but a token with d_in numbers needs d_in rows.",
    look="The order of the two sizes in the draw.",
)
def sizes_turned(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(frozen(torch.rand(d_out, d_in)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The shape is right, but the matrices were drawn with the sizes exchanged and transposed afterwards. "
    "So the drawn numbers are in other places.",
    look="Draw in the shape that is needed: then no transpose is needed.",
)
def drawn_transposed(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(frozen(torch.rand(d_out, d_in).T) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The matrices have shape (3, 2), whatever sizes are asked for.",
    look="Are the sizes taken from the arguments?",
)
def always_3_by_2(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(frozen(torch.rand(3, 2)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="All numbers are 0, so every query, key and value would be 0 too.",
    look="The matrices start with random numbers: which function draws them?",
)
def drawn_zeros(d_in, d_out, seed):
    return tuple(frozen(torch.zeros(d_in, d_out)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="All numbers are 1, so all columns of a query would be equal.",
    look="The matrices start with random numbers: which function draws them?",
)
def drawn_ones(d_in, d_out, seed):
    return tuple(frozen(torch.ones(d_in, d_out)) for _ in MATRICES)


@mistake(
    "init_weights",
    says="The right matrices were drawn, but W_value was drawn before W_key, or they were "
    "returned in another order.",
    look="The order of the draws and of what is returned: query, key, value.",
)
def drawn_value_second(d_in, d_out, seed):
    torch.manual_seed(seed)
    query, value, key = (frozen(torch.rand(d_in, d_out)) for _ in MATRICES)
    return query, key, value


@mistake(
    "init_weights",
    says="The right matrices were drawn, but W_value comes first and W_query last.",
    look="The order of the draws and of what is returned: query, key, value.",
)
def drawn_value_first(d_in, d_out, seed):
    torch.manual_seed(seed)
    value, key, query = (frozen(torch.rand(d_in, d_out)) for _ in MATRICES)
    return query, key, value


values_from_w_key = families.values_from_w_key("project", called=BLENDED)


@mistake(
    "project",
    says="All three were made with W_query. Queries, keys and values need one matrix each.",
    look="Which matrix does each of the three lines use?",
)
def one_matrix_for_all(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_query, x @ W_query


@mistake(
    "project",
    says="Queries and keys are swapped: what you return first was made with W_key.",
    look="The order in the return line, or the names of the matrices.",
    inside=(
        "Queries and keys are swapped: the queries were made with W_key, the keys with W_query.",
        "The lines that make the three, and the order in which they are unpacked.",
    ),
)
def queries_and_keys_swapped(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_query, x @ W_value


@mistake(
    "project",
    says="Keys and values are swapped: what you return second was made with W_value.",
    look="The order in the return line, or the names of the matrices.",
    inside=(
        "Keys and values are swapped: the keys were made with W_value, the values with W_key.",
        "The lines that make the three, and the order in which they are unpacked.",
    ),
)
def keys_and_values_swapped(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_key


@mistake(
    "project",
    says="Queries and values are swapped: what you return first was made with W_value.",
    look="The order in the return line, or the names of the matrices.",
    inside=(
        "Queries and values are swapped: the queries were made with W_value, the values with W_query.",
        "The lines that make the three, and the order in which they are unpacked.",
    ),
)
def queries_and_values_swapped(x, W_query, W_key, W_value):
    return x @ W_value, x @ W_key, x @ W_query


@mistake(
    "project",
    says="The queries were used in place of the values: nothing depends on W_value.",
    look="Which matrix makes the values, and what is blended at the end?",
)
def values_from_w_query(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_query


@mistake(
    "project",
    says="Your keys are x times W_query: they do not depend on W_key.",
    look="The line that makes the keys; was it copied from the one above?",
)
def keys_from_w_query(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_query, x @ W_value


@mistake(
    "project",
    says="Your queries are x times W_key: they do not depend on W_query.",
    look="The line that makes the queries.",
)
def queries_from_w_key(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_key, x @ W_value


@mistake(
    "project",
    says="Your keys are x times W_value: they do not depend on W_key.",
    look="The line that makes the keys.",
)
def keys_from_w_value(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_value


@mistake(
    "project",
    says="Your queries are x times W_value: they do not depend on W_query.",
    look="The line that makes the queries.",
)
def queries_from_w_value(x, W_query, W_key, W_value):
    return x @ W_value, x @ W_key, x @ W_value


@mistake(
    "project",
    says="All three were made with W_key. Queries, keys and values need one matrix each.",
    look="Which matrix does each of the three lines use?",
)
def w_key_for_all(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_key, x @ W_key


@mistake(
    "project",
    says="All three were made with W_value. Queries, keys and values need one matrix each.",
    look="Which matrix does each of the three lines use? Did one matrix overwrite the others?",
)
def w_value_for_all(x, W_query, W_key, W_value):
    return x @ W_value, x @ W_value, x @ W_value


@mistake(
    "project",
    says="Queries and keys are the tokens themselves, not projected: W_query and W_key were not used for the "
    "scores.",
    look="Each token must go through its matrix before tokens are compared.",
)
def tokens_as_queries_and_keys(x, W_query, W_key, W_value):
    return x, x, x @ W_value


tokens_as_values = families.tokens_as_values("project", called=BLENDED)
nothing_projected = families.nothing_projected("project")


@mistake(
    "project",
    says="Only the second token was projected: each of the three has a single row.",
    look="Is a row of x taken by its number? All rows are needed.",
)
def only_the_second_token(x, W_query, W_key, W_value):
    return x[1] @ W_query, x[1] @ W_key, x[1] @ W_value


@mistake(
    "project",
    says="Only the third token was projected: index 2 is the third row, since Python counts from 0.",
    look="Is a row of x taken by its number? All rows are needed.",
)
def only_the_third_token(x, W_query, W_key, W_value):
    return x[2] @ W_query, x[2] @ W_key, x[2] @ W_value


@mistake(
    "project",
    says="There is a query for each token, but a key for the second one only: every token needs one.",
    look="The line that makes the keys: does it take a single row of x?",
)
def keys_of_one_token(x, W_query, W_key, W_value):
    return x @ W_query, x[1] @ W_key, x @ W_value


@mistake(
    "project",
    says="There is a query for each token, but key and value of the second one only: every token "
    "needs both.",
    look="The lines that make keys and values: do they take a single row of x?",
)
def keys_and_values_of_one_token(x, W_query, W_key, W_value):
    return x @ W_query, x[1] @ W_key, x[1] @ W_value


@mistake(
    "project",
    says="All three are transposed: tokens should be rows, here they are columns.",
    look="The token stands on the left of the product: then no transpose is needed.",
)
def projected_transposed(x, W_query, W_key, W_value):
    return W_query.T @ x.T, W_key.T @ x.T, W_value.T @ x.T


@mistake(
    "project",
    says="Queries and keys came back; the values are missing.",
    look="The `return` line: queries, keys and values.",
)
def values_not_returned(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key


@mistake(
    "attention_score",
    says="The key was not used: this is the dot product of the query with itself.",
    look="A score needs both arguments, the query and the key.",
)
def query_with_itself(query, key):
    return query @ query


@mistake(
    "attention_score",
    says="This is the right score divided by the square root of d_k. Scaling is another step.",
    look="Leave the division to scale_scores.",
)
def scaled_already(query, key):
    return query @ key / key.shape[-1] ** 0.5


@mistake(
    "attention_score",
    says="The query was not used: this is the dot product of the key with itself.",
    look="A score needs both arguments, the query and the key.",
)
def key_with_itself(query, key):
    return key @ key


@mistake(
    "attention_score",
    says="Here are the products, one for each position, but they were not added up.",
    look="A score is a single number: what must still be done with the products?",
)
def products_not_added(query, key):
    return query * key


@mistake(
    "attention_score",
    says="Every entry of the query was multiplied with every entry of the key, which gives a table.",
    look="In a dot product only entries at the same position are multiplied.",
)
def outer_product(query, key):
    return torch.outer(query, key)


@mistake(
    "attention_score",
    says="The products were averaged; the dot product adds them up.",
    look="The last operation: mean or sum?",
)
def mean_of_the_products(query, key):
    return (query * key).mean()


@mistake(
    "attention_score",
    says="This is the cosine: the score was divided by the lengths of both vectors.",
    look="Take the vectors as they are; their lengths matter.",
)
def cosine(query, key):
    return torch.cosine_similarity(query, key, dim=0)


@mistake(
    "attention_score",
    says="This is the right score divided by d_k. Scaling is another step.",
    look="Leave the division to scale_scores, with the square root.",
    same_as="mean_of_the_products",
)
def score_divided_by_d_k(query, key):
    return query @ key / key.shape[-1]


@mistake(
    "attention_score",
    says="The entries were added to each other and summed; a dot product multiplies them first.",
    look="The sign between query and key.",
)
def sum_of_both(query, key):
    return (query + key).sum()


@mistake(
    "attention_scores",
    says="The scores are transposed: your row i belongs to key i, but it should belong to query i.",
    look="Do the queries belong to the rows of the scores, or to the columns?",
    same_as="queries_and_keys_swapped",
)
def scores_transposed(queries, keys):
    return keys @ queries.T


@mistake(
    "attention_scores",
    says="You compared the queries with themselves; the keys were not used.",
    look="The second factor of the product.",
    same_as="keys_from_w_query",
)
def queries_with_queries(queries, keys):
    return queries @ queries.T


@mistake(
    "attention_scores",
    says="You compared the keys with themselves; the queries were not used.",
    look="The first factor of the product.",
    same_as="queries_from_w_key",
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
    says="These are the right scores divided by the square root of d_k. Scaling is another step.",
    look="Leave the division to scale_scores.",
    same_as="divided_by_d_k",
    inside=(
        "The scores were divided by the square root of d_k once too often.",
        "Each division, and each call of `scale_scores`: one is enough.",
    ),
)
def scores_scaled_already(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


cosines = families.cosines("attention_scores")


@mistake(
    "attention_scores",
    says="Each query was compared with the key of its own token only. Every query must be compared with every "
    "key.",
    look="How many scores should there be? One for each pair.",
)
def each_token_with_itself(queries, keys):
    return (queries * keys).sum(dim=-1)


@mistake(
    "attention_scores",
    says="Each query was compared with the key of its own token only. Every query must be compared with every "
    "key.",
    look="How many scores should there be? One for each pair.",
    same_as="each_token_with_itself",
)
def walked_side_by_side(queries, keys):
    return torch.stack([query @ key for query, key in zip(queries, keys, strict=False)])


@mistake(
    "attention_scores",
    says="Only the second query was compared with the keys; every query needs a row of scores.",
    look="Is a single query taken by its number?",
    same_as="only_the_second_query",
)
def scores_of_the_second_query(queries, keys):
    return queries[1] @ keys.T


@mistake(
    "attention_scores",
    says="Every query was compared with the second key only. Every key needs a column of scores.",
    look="Is a single key taken by its number?",
    same_as="keys_of_one_token",
)
def scores_of_the_second_key(queries, keys):
    return queries @ keys[1]


@mistake(
    "attention_scores",
    says="A single score came back, of one query and one key. There must be one for each pair.",
    look="Are query and key taken by their number? Index 1 is the second token.",
)
def score_of_one_pair(queries, keys):
    return queries[1] @ keys[1]


@mistake(
    "attention_scores",
    says="A single score came back, of query 2 and key 3: index 2 is the third token.",
    look="Every query must be compared with every key, so no index picks one. Python counts from 0.",
)
def score_of_the_next_pair(queries, keys):
    return queries[1] @ keys[2]


@mistake(
    "attention_scores",
    says="A softmax was taken of the queries before they met the keys.",
    look="The softmax has a step of its own; scores come from queries and keys as they are.",
    inside=(
        "A softmax was taken of the queries before they met the keys.",
        "Each softmax: scores come from queries and keys as they are.",
    ),
)
def softmax_of_the_queries(queries, keys):
    return torch.softmax(queries, dim=-1) @ keys.T


@mistake(
    "attention_scores",
    says="These are the right scores divided by d_k. Scaling is another step.",
    look="Leave the division to scale_scores, with the square root.",
    inside=(
        "The scores were divided by d_k and by its square root.",
        "Each division by d_k: one is needed, by the square root.",
    ),
)
def scores_divided_by_d_k(queries, keys):
    return queries @ keys.T / keys.shape[-1]


@mistake(
    "attention_scores",
    says="These are already weights: the softmax of the scores.",
    look="Return the dot products; scaling and softmax are other steps.",
    inside=(
        "The scores went through a softmax before they were divided.",
        "The order: first the division, then one softmax.",
    ),
)
def softmax_of_the_scores(queries, keys):
    return torch.softmax(queries @ keys.T, dim=-1)


scores_negated = families.scores_negated("attention_scores")
weights_for_scores = families.weights_for_scores("attention_scores")


@mistake(
    "attention_scores",
    says="These are distances between queries and keys. A score is their dot product.",
    look="A large score means a good match; a large distance means a bad one.",
)
def distances(queries, keys):
    return torch.cdist(queries, keys)


not_scaled = families.not_scaled(
    "scale_scores",
    look="Before the softmax, each score is divided by the square root of d_k.",
    inside=("The scores were not scaled.", "Each score is divided by the square root of d_k."),
)


@mistake(
    "scale_scores",
    says="The scores were divided by d_k itself, not by its square root: that makes them too small.",
    look="The power: the square root of d_k is d_k**0.5.",
)
def divided_by_d_k(scores, d_k):
    return scores / d_k


divided_by_half_of_d_k = families.divided_by_half_of_d_k("scale_scores")
divided_by_twice_d_k = families.divided_by_twice_d_k(
    "scale_scores",
    look="The power: the square root of d_k is d_k**0.5, or put the 1/2 in brackets.",
)


multiplied = families.multiplied("scale_scores")
divided_by_sqrt_2 = families.divided_by_the_root_of_2("scale_scores")
divided_by_the_root_of_the_keys_number = families.divided_by_the_root_of_the_keys_number(
    "scale_scores",
    look="d_k is the width of a key, not how many there are.",
    inside=(
        "The scores were divided by the square root of the number of tokens.",
        "d_k is the width of a key, not how many there are.",
    ),
)


divided_by_the_root_of_the_queries_number = families.divided_by_the_root_of_the_queries_number(
    "scale_scores",
    look="d_k is the width of a key; take it from the argument, not from the scores.",
    same_as="divided_by_the_root_of_the_keys_number",
    inside=(
        "The scores were divided by the square root of the number of tokens.",
        "d_k is the width of a key, not how many there are.",
    ),
)
divided_by_the_square = families.divided_by_the_square("scale_scores")


multiplied_by_d_k = families.multiplied_by_d_k("scale_scores")


@mistake(
    "scale_scores",
    says="The scores went through a softmax before they were divided.",
    look="This step only divides; the softmax comes after it.",
    same_as="softmax_of_the_scores",
    inside=(
        "The scores went through a softmax before they were divided.",
        "The order: first the division, then one softmax.",
    ),
)
def divided_after_a_softmax(scores, d_k):
    return torch.softmax(scores, dim=-1) / d_k**0.5


divided_by_the_fourth_root = families.divided_by_the_fourth_root("scale_scores")


fraction_upside_down = families.fraction_upside_down("scale_scores")


divided_without_remainder = families.divided_without_remainder("scale_scores")
softmax_over_the_queries = families.softmax_over_the_queries(
    "attention_weights", look="The dim of the softmax: the keys are the last axis, dim=-1."
)


@mistake(
    "attention_weights",
    says="The softmax ran over all scores at once: everything together sums to 1, but each row should.",
    look="The dim of the softmax: each query has its own sum of 1.",
)
def softmax_over_everything(scaled_scores):
    return torch.softmax(scaled_scores.flatten(), dim=0).reshape(scaled_scores.shape)


no_softmax = families.no_softmax("attention_weights")
softmax_twice = families.softmax_twice("attention_weights")
only_exp = families.only_exp("attention_weights")


@mistake(
    "attention_weights",
    says="The scores were divided by their sum without exp, so negative weights appear.",
    look="The softmax takes the exponential of each score first.",
)
def divided_by_the_sum(scaled_scores):
    return scaled_scores / scaled_scores.sum(dim=-1, keepdim=True)


sigmoid = families.sigmoid("attention_weights")
scaled_again = families.scaled_again("attention_weights")
logarithms_of_the_weights = families.logarithms_of_the_weights("attention_weights")
softmax_of_minus_the_scores = families.softmax_of_minus_the_scores(
    "attention_weights", same_as="scores_negated"
)


@mistake(
    "attention_weights",
    says="Row i uses only the keys up to number i: that is a causal mask, which belongs to section 3.5.",
    look="Leave the mask out; here every token looks at all tokens.",
)
def masked(scaled_scores):
    hidden = torch.ones_like(scaled_scores).triu(1).bool()
    return torch.softmax(scaled_scores.masked_fill(hidden, -torch.inf), dim=-1)


@mistake(
    "attention_weights",
    says="The weights above the diagonal are 0, and the rows no longer sum to 1: a causal mask was applied to "
    "the weights.",
    look="Leave the mask out; here every token looks at all tokens.",
)
def masked_afterwards(scaled_scores):
    return torch.softmax(scaled_scores, dim=-1).tril()


@mistake(
    "attention_weights",
    says="Column j was divided by the sum of row j: the sums lie in a row, not in a column.",
    look="The sums: keepdim=True keeps them as a column, one beside each row.",
)
def sums_not_kept_as_a_column(scaled_scores):
    powers = torch.exp(scaled_scores)
    return powers / powers.sum(dim=-1)


@mistake(
    "attention_weights",
    says="From each row the largest score of another row was subtracted: the maxima lie in a row, not in a column.",
    look="The maxima: keepdim=True keeps them as a column, one beside each row.",
)
def maxima_not_kept_as_a_column(scaled_scores):
    powers = torch.exp(scaled_scores - scaled_scores.max(dim=-1).values)
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    says="Maxima and sums lie in a row, not in a column, so each row met the maximum and the sum of other rows.",
    look="The maxima and the sums: keepdim=True keeps both as a column.",
)
def axes_not_kept(scaled_scores):
    powers = torch.exp(scaled_scores - scaled_scores.max(dim=-1).values)
    return powers / powers.sum(dim=-1)


maximum_above_only = families.maximum_above_only("attention_weights")
maximum_below_only = families.maximum_below_only("attention_weights")
only_exp_after_the_shift = families.only_exp_after_the_shift("attention_weights")
maximum_of_each_column = families.maximum_of_each_column("attention_weights")


@mistake(
    "attention_weights",
    says="The exponentials of each row were divided by their mean, so each row sums to the number of keys.",
    look="Mean or sum?",
)
def divided_by_the_mean(scaled_scores):
    powers = torch.exp(scaled_scores)
    return powers / powers.mean(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    says="The right weights are transposed: row i should belong to query i.",
    look="Row i of the weights belongs to query i: no transpose is needed.",
    same_as="weights_transposed",
)
def weights_returned_transposed(scaled_scores):
    return torch.softmax(scaled_scores, dim=-1).T


@mistake(
    "attention_weights",
    says="All weights are equal: the scores were not used.",
    look="What is the argument of the softmax?",
    same_as="mean_of_the_values",
)
def equal_weights(scaled_scores):
    return torch.full_like(scaled_scores, 1 / scaled_scores.shape[-1])


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


weights_transposed = families.weights_transposed(
    "context_vectors",
    called=BLENDED,
    look="Row i of the weights belongs to query i: no transpose is needed.",
)


second_query_for_all = families.one_query_for_all(
    "context_vectors", says="All rows are the context vector of the second query."
)


@mistake(
    "context_vectors",
    says="Only the context vector of the second query came back.",
    look="Is a single row of the weights taken, by its number? All of them are needed.",
)
def only_the_second_query(weights, values):
    return weights[1] @ values


@mistake(
    "context_vectors",
    says="Only the context vector of the third query came back: index 2 is the third row.",
    look="Is a single row of the weights taken, by its number? All of them are needed.",
)
def only_the_third_query(weights, values):
    return weights[2] @ values


@mistake(
    "context_vectors",
    says="The values went through a softmax before they were blended.",
    look="The softmax makes the weights; the values are blended unchanged.",
)
def softmax_of_the_values(weights, values):
    return weights @ torch.softmax(values, dim=-1)


@mistake(
    "context_vectors",
    says="This is the softmax of the values; the weights were not used.",
    look="The softmax makes the weights; the values are blended unchanged.",
)
def values_through_a_softmax(weights, values):
    return torch.softmax(values, dim=-1)


softmax_of_the_result = families.softmax_of_the_output("context_vectors", called=RESULT)
result_scaled = families.output_scaled(
    "context_vectors", called=RESULT, same_as="scaled_before_and_after"
)


@mistake(
    "context_vectors",
    says="All rows are the plain sum of the values: the attention weights were not used.",
    look="Each row is weighted by its own row of the weights.",
)
def sum_of_the_values(weights, values):
    return values.sum(dim=0).expand(weights.shape[0], -1)


@mistake(
    "context_vectors",
    says="These are the values unchanged: the attention weights were not used.",
    look="Each row is a blend of all values.",
)
def values_unblended(weights, values):
    return values


@mistake(
    "context_vectors",
    says="These are the attention weights; the values were not used.",
    look="Each row of the weights says how much of each value to take: one product is missing.",
    same_as="weights_returned",
    inside=(
        "The attention weights came back; the context vectors were asked for.",
        "The `return` line: which variable does it name?",
    ),
)
def weights_instead_of_a_blend(weights, values):
    return weights


values_added = families.values_added("context_vectors")


@mistake(
    "context_vectors",
    says="The right result was divided by the number of keys. The weights already sum to 1.",
    look="Mean or sum? The matrix product adds up, and nothing more is needed.",
)
def mean_of_the_weighted_values(weights, values):
    return weights @ values / values.shape[0]


@mistake(
    "dot_product_variance",
    says="These are sample variances: they divide by the number of trials minus one.",
    look="var has an argument correction: 0 gives the population variance.",
)
def sample_variance(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(), (products / queries.shape[-1] ** 0.5).var()


@mistake(
    "dot_product_variance",
    says="The second number belongs to dot products that were divided by d, not by its square root.",
    look="The scaling before the second variance.",
    same_as="divided_by_d_k",
)
def variance_scaled_by_d(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(correction=0), (products / queries.shape[-1]).var(correction=0)


@mistake(
    "dot_product_variance",
    says="Every query was multiplied with every key. Row i of the queries belongs to row i of the keys only.",
    look="How many dot products are there? One for each trial.",
)
def variance_of_all_pairs(queries, keys):
    products = queries @ keys.T
    return products.var(correction=0), (products / queries.shape[-1] ** 0.5).var(correction=0)


@mistake(
    "dot_product_variance",
    says="The products were not added up: these are variances of single products, not of dot products.",
    look="How many numbers are left in a row before the variance? One.",
)
def variance_of_single_products(queries, keys):
    products = queries * keys
    return products.var(correction=0), (products / queries.shape[-1] ** 0.5).var(correction=0)


@mistake(
    "dot_product_variance",
    says="The first variance was divided by the root of d. If numbers are divided by c, their variance is "
    "divided by c squared.",
    look="Divide the dot products first, then take the variance.",
    same_as="divided_by_the_fourth_root",
)
def variance_divided_by_the_root(queries, keys):
    before = (queries * keys).sum(dim=-1).var(correction=0)
    return before, before / queries.shape[-1] ** 0.5


@mistake(
    "dot_product_variance",
    says="The second number belongs to dot products divided by the root of the number of trials.",
    look="d is the width of the vectors; the first size counts the trials.",
    same_as="divided_by_the_root_of_the_keys_number",
)
def variance_scaled_by_the_trials(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(correction=0), (products / queries.shape[0] ** 0.5).var(correction=0)


@mistake(
    "dot_product_variance",
    says="The second number belongs to dot products divided by 10, which is right only where d is 100.",
    look="Take d from the tensors.",
)
def variance_scaled_by_10(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(correction=0), (products / 10).var(correction=0)


@families.standard_deviations.words_for("dot_product_variance")
def standard_deviations(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.std(correction=0), (products / queries.shape[-1] ** 0.5).std(correction=0)


@mistake(
    "dot_product_variance",
    says="These are standard deviations, and those of a sample: two things differ from the task.",
    look="std or var? And what does it divide by?",
)
def sample_standard_deviations(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.std(), (products / queries.shape[-1] ** 0.5).std()


@mistake(
    "dot_product_variance",
    says="Before and after are swapped: the first number belongs to the scaled dot products.",
    look="The order in the `return` line.",
)
def after_and_before(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return (products / queries.shape[-1] ** 0.5).var(correction=0), products.var(correction=0)


@families.distances_from_zero.words_for(
    "dot_product_variance", look="A variance subtracts the mean of all dot products first."
)
def distances_from_zero(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return (products**2).mean(), ((products / queries.shape[-1] ** 0.5) ** 2).mean()


@mistake(
    "dot_product_variance",
    says="The queries were multiplied with themselves; the keys were not used.",
    look="Both tensors are needed.",
)
def variance_of_the_queries_squared(queries, keys):
    products = (queries * queries).sum(dim=-1)
    return products.var(correction=0), (products / queries.shape[-1] ** 0.5).var(correction=0)


@mistake(
    "dot_product_variance",
    says="The first number is right; the second one belongs to dot products that grew by the root of d.",
    look="Multiply or divide?",
    same_as="multiplied",
)
def variance_scaled_up(queries, keys):
    products = (queries * keys).sum(dim=-1)
    return products.var(correction=0), (products * queries.shape[-1] ** 0.5).var(correction=0)


@mistake(
    "dot_product_variance",
    says="The products were added up over the trials: that gives one number for each position, where one for each "
    "trial is needed.",
    look="The axis of the sum: a dot product adds up the products of one row.",
)
def added_up_over_the_trials(queries, keys):
    products = (queries * keys).sum(dim=0)
    return products.var(correction=0), (products / queries.shape[-1] ** 0.5).var(correction=0)


scaled_by_d_in = families.scaled_by_d_in("width_to_scale_by", task_of="scale_scores")


@mistake(
    "after_the_softmax",
    says="The weights or the result were divided, not the scores: the rows no longer sum to 1.",
    look="The order: scaling comes before the softmax.",
    task_of="scale_scores",
    also={"scale_scores": not_scaled},
)
def scaled_after_the_softmax(weights, d_k):
    return weights / d_k**0.5


@mistake(
    "after_the_softmax",
    says="Scaling happened twice, before the softmax and after it: the rows no longer sum to 1.",
    look="One division, and before the softmax.",
    task_of="scale_scores",
)
def scaled_before_and_after(weights, d_k):
    return weights / d_k**0.5


@mistake(
    "after_the_softmax",
    says="The scores blended the values, before scaling and softmax: the attention weights were not used.",
    look="The last product: which variable holds the attention weights?",
    also={"scale_scores": not_scaled, "attention_weights": no_softmax},
)
def scores_blended(weights, d_k):
    return weights


@mistake(
    "returned",
    says="The scores blended the values, and the softmax was taken of the result. It makes the weights.",
    look="The order: softmax first, of the scores, then the product with the values.",
    also={"attention_weights": no_softmax},
)
def softmax_after_blending(context, weights, x, queries, keys, values):
    return torch.softmax(context, dim=-1)


@mistake(
    "returned",
    says="The queries were added to the result.",
    look="The last line. A residual connection belongs to a whole Transformer block.",
)
def queries_added(context, weights, x, queries, keys, values):
    return context + queries


@mistake(
    "returned",
    says="The keys were added to the result.",
    look="The last line: only the blend of the values comes back.",
)
def keys_added(context, weights, x, queries, keys, values):
    return context + keys


@mistake(
    "returned",
    says="The attention weights came back, one row and one column for each token; the context "
    "vectors were asked for.",
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
    says="Two things came back, and the first is the attention weights; only the context vectors were asked for.",
    look="The `return` line.",
)
def weights_returned_first(context, weights, x, queries, keys, values):
    return weights, context


@mistake(
    "returned",
    says="Two things came back, the attention weights and the values; their product was asked for.",
    look="The `return` line: `weights @ values` is missing.",
)
def weights_and_values_returned(context, weights, x, queries, keys, values):
    return weights, values


@mistake(
    "returned",
    says="Two things came back, the values and the attention weights; their product was asked for.",
    look="The `return` line: `weights @ values` is missing.",
)
def values_and_weights_returned(context, weights, x, queries, keys, values):
    return values, weights


@mistake(
    "returned",
    says="None came back: forward computes, but does not return.",
    look="Is there a return in forward? Printing is not returning.",
)
def nothing_returned(context, weights, x, queries, keys, values):
    return None


@mistake(
    "returned",
    says="The queries came back; the context vectors were asked for.",
    look="The `return` line: which variable does it name?",
)
def queries_returned(context, weights, x, queries, keys, values):
    return queries


@mistake(
    "returned",
    says="The tokens came back unchanged.",
    look="The `return` line: which variable does it name?",
)
def tokens_returned(context, weights, x, queries, keys, values):
    return x


@mistake(
    "returned",
    says="The result is right, but rounded, and no gradient flows through rounding.",
    look="Round only what is printed, never what is returned.",
    shows_in="gradients",
)
def result_rounded(context, weights, x, queries, keys, values):
    return torch.round(context, decimals=4)


@mistake(
    "returned",
    says="The result is right, but no gradient reaches any of the three matrices, so nothing would be learned.",
    look="From the matrices to the result, use PyTorch operations that record gradients: .detach(), .data, no_grad() "
    "and NumPy cut the graph. Are the matrices trainable?",
    shows_in="gradients",
)
def no_gradient_at_all(context, weights, x, queries, keys, values):
    return context.detach()


@mistake(
    "after_the_softmax",
    says="The result is right, but no gradient reaches W_query and W_key: the attention weights were "
    "cut from the graph.",
    look="The lines that make the scores and the weights: .detach(), .data, no_grad() and NumPy cut the graph.",
    shows_in="gradients",
)
def weights_cut_from_the_graph(weights, d_k):
    return weights.detach()


@mistake(
    "projected",
    says="The result is right, but no gradient reaches W_query: the queries were cut from the graph.",
    look="The line that makes the queries: use the parameter itself.",
    shows_in="gradients",
)
def queries_cut_from_the_graph(queries, keys, values):
    return queries.detach(), keys, values


@mistake(
    "projected",
    says="The result is right, but no gradient reaches W_key: the keys were cut from the graph.",
    look="The line that makes the keys: use the parameter itself.",
    shows_in="gradients",
)
def keys_cut_from_the_graph(queries, keys, values):
    return queries, keys.detach(), values


@mistake(
    "projected",
    says="The result is right, but no gradient reaches W_value: the values were cut from the graph.",
    look="The line that makes the values: use the parameter itself.",
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
    "created",
    says="The three names hold one and the same matrix: queries, keys and values are always equal.",
    look="__init__: a second name for a matrix does not make a second matrix.",
    same_as="w_value_for_all",
)
def one_matrix_three_times(module):
    module.W_key = module.W_value = module.W_query


@mistake(
    "created",
    says="parameters() does not list the matrices, so nothing would be trained. Perhaps they are plain tensors"
    " or buffers, or elements of a plain list.",
    look="A module trains an nn.Parameter, or a layer, that is stored on self by its name.",
    shows_in="parameters",
)
def not_registered(module):
    for name in MATRICES:
        unregister(module, name)


@mistake(
    "created",
    says="parameters() does not list W_query, so training would leave it as it is; the other two are listed.",
    look="The line that makes W_query: a module trains an nn.Parameter, or a layer, that is stored on self.",
    shows_in="parameters",
)
def query_not_registered(module):
    unregister(module, "W_query")


@mistake(
    "created",
    says="parameters() does not list W_key, so training would leave it as it is; the other two are listed.",
    look="The line that makes W_key: a module trains an nn.Parameter, or a layer, that is stored on self.",
    shows_in="parameters",
)
def key_not_registered(module):
    unregister(module, "W_key")


@mistake(
    "created",
    says="parameters() does not list W_value, so training would leave it as it is; the other two are listed.",
    look="The line that makes W_value: a module trains an nn.Parameter, or a layer, that is stored on self.",
    shows_in="parameters",
)
def value_not_registered(module):
    unregister(module, "W_value")


@mistake(
    "created",
    says="The matrices are frozen (requires_grad=False), so nothing would be trained.",
    look="Frozen matrices were for the first steps only: leave requires_grad as it is in the class.",
    shows_in="parameters",
)
def parameters_frozen(module):
    module.requires_grad_(False)


@mistake(
    "created",
    says="Two new instances start with the same numbers: a seed is set in the class, or the numbers "
    "are fixed.",
    look="Set no seed in the class.",
    shows_in="parameters",
)
def seeded_inside(module):
    for number, name in enumerate(MATRICES):
        nn.init.constant_(weight_of(module, name), number)


@mistake(
    "created",
    says="W_query, W_key and W_value start with the same numbers, in every instance. Perhaps a seed is "
    "set before each draw, or all are 0.",
    look="Make three separate draws, and set no seed in the class.",
    shows_in="parameters",
)
def all_start_equal(module):
    for name in MATRICES:
        nn.init.zeros_(weight_of(module, name))


@mistake(
    "created",
    says="Within an instance, W_query, W_key and W_value start with the same numbers.",
    look="Each matrix needs its own draw; a copy of another one starts with the same numbers.",
    shows_in="parameters",
)
def one_draw_for_all_three(module):
    for name in MATRICES:
        weight_of(module, name).data = weight_of(module, "W_query").data.clone()


@mistake(
    "SelfAttention_v1",
    says="The matrices were drawn with torch.randn, around 0; torch.rand draws between 0 and 1.",
    look="The name of the drawing function.",
    shows_in="documented",
)
class matrices_drawn_with_randn(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in MATRICES:
            setattr(self, name, nn.Parameter(torch.randn(d_in, d_out)))

    def forward(self, x):
        return attention(*(x @ getattr(self, name) for name in MATRICES))


@mistake(
    "SelfAttention_v1",
    says="The matrices start as nn.Linear would start them; here torch.rand was asked for, between 0 and 1.",
    look="The lines that make the three: v1 holds matrices of shape (d_in, d_out), each an nn.Parameter around the "
    "numbers of torch.rand.",
    shows_in="documented",
)
class matrices_of_a_layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in MATRICES:
            layer = nn.Linear(d_in, d_out, bias=False)
            setattr(self, name, nn.Parameter(layer.weight.detach().T.clone()))

    def forward(self, x):
        return attention(*(x @ getattr(self, name) for name in MATRICES))


@mistake(
    "SelfAttention_v2",
    says="The layers have a bias, though qkv_bias is False.",
    look="nn.Linear has a bias by default: pass qkv_bias on to its argument bias.",
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
    says="The weights went the wrong way: sa_v2 has changed and sa_v1 has not.",
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


@mistake(
    "transfer_weights",
    says="The matrices were copied as the layers store them, so those of sa_v1 are transposed now.",
    look="A layer stores its weight as (d_out, d_in); sa_v1 needs (d_in, d_out).",
)
def not_transposed_in_transfer(sa_v2, sa_v1):
    for name in MATRICES:
        getattr(sa_v1, name).data = getattr(sa_v2, name).weight.detach().clone()


@mistake(
    "transfer_weights",
    says="Only W_key was copied; W_query and W_value of sa_v1 are unchanged.",
    look="All three matrices have to be copied.",
)
def only_the_key_transferred(sa_v2, sa_v1):
    sa_v1.W_key.data = turned(sa_v2.W_key)


@mistake(
    "transfer_weights",
    says="Only W_value was copied; W_query and W_key of sa_v1 are unchanged.",
    look="All three matrices have to be copied. Does a loop write into one of them each time?",
)
def only_the_value_transferred(sa_v2, sa_v1):
    sa_v1.W_value.data = turned(sa_v2.W_value)


@mistake(
    "transfer_weights",
    says="W_value was not copied; the other two were.",
    look="All three matrices have to be copied.",
)
def value_not_transferred(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_query, W_key=sa_v2.W_key)


@mistake(
    "transfer_weights",
    says="W_key was not copied; the other two were.",
    look="All three matrices have to be copied.",
)
def key_not_transferred(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_query, W_value=sa_v2.W_value)


@mistake(
    "transfer_weights",
    says="W_query was not copied; the other two were.",
    look="All three matrices have to be copied.",
)
def query_not_transferred(sa_v2, sa_v1):
    fill(sa_v1, W_key=sa_v2.W_key, W_value=sa_v2.W_value)


@mistake(
    "transfer_weights",
    says="Key and value are crossed: W_key of sa_v1 holds the numbers of W_value, and the other way round.",
    look="The names on both sides of each copy.",
)
def key_and_value_crossed(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_query, W_key=sa_v2.W_value, W_value=sa_v2.W_key)


@mistake(
    "transfer_weights",
    says="Query and key are crossed: W_query of sa_v1 holds the numbers of W_key, and the other way round.",
    look="The names on both sides of each copy.",
)
def query_and_key_crossed(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_key, W_key=sa_v2.W_query, W_value=sa_v2.W_value)


@mistake(
    "transfer_weights",
    says="Query and value are crossed: W_query of sa_v1 holds the numbers of W_value, and the other way round.",
    look="The names on both sides of each copy.",
)
def query_and_value_crossed(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_value, W_key=sa_v2.W_key, W_value=sa_v2.W_query)


@mistake(
    "transfer_weights",
    says="All three matrices of sa_v1 hold the numbers of W_query now.",
    look="The names on both sides of each copy. Was a line copied and not changed?",
)
def query_transferred_three_times(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_query, W_key=sa_v2.W_query, W_value=sa_v2.W_query)


@mistake(
    "transfer_weights",
    says="All three matrices of sa_v1 hold the numbers of W_value now.",
    look="The names on both sides of each copy. Does one line overwrite what another one wrote?",
)
def value_transferred_three_times(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_value, W_key=sa_v2.W_value, W_value=sa_v2.W_value)


@mistake(
    "transfer_weights",
    says="W_value of sa_v1 holds the numbers of W_key.",
    look="The names on both sides of each copy. Was a line copied and not changed?",
)
def key_transferred_as_value(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_query, W_key=sa_v2.W_key, W_value=sa_v2.W_key)


@mistake(
    "transfer_weights",
    says="W_key of sa_v1 holds the numbers of W_query.",
    look="The names on both sides of each copy. Was a line copied and not changed?",
)
def query_transferred_as_key(sa_v2, sa_v1):
    fill(sa_v1, W_query=sa_v2.W_query, W_key=sa_v2.W_query, W_value=sa_v2.W_value)


@mistake(
    "transfer_weights",
    says="sa_v1 and sa_v2 were both drawn anew with seed 789. From one seed nn.Linear and torch.rand make "
    "different numbers.",
    look="Nothing is drawn in this step: copy what sa_v2 holds.",
)
def drawn_again_with_one_seed(sa_v2, sa_v1):
    shape = sa_v1.W_query.shape
    torch.manual_seed(789)
    for name in MATRICES:
        setattr(sa_v2, name, nn.Linear(*shape, bias=False))
    torch.manual_seed(789)
    for name in MATRICES:
        setattr(sa_v1, name, nn.Parameter(torch.rand(shape)))


@mistake(
    "transfer_weights",
    says="The numbers are right, but the matrices of sa_v1 are frozen now (requires_grad is False).",
    look="They should stay trainable: what did you put in their place?",
)
def frozen_in_transfer(sa_v2, sa_v1):
    for name in MATRICES:
        setattr(sa_v1, name, frozen(turned(getattr(sa_v2, name))))


@mistake(
    "transfer_weights",
    says="The numbers are right, but the matrices of sa_v1 are plain tensors now, not Parameters.",
    look="What is stored in sa_v1: write into the Parameter that is there, or make a new one.",
)
def plain_tensors_in_transfer(sa_v2, sa_v1):
    for name in MATRICES:
        delattr(sa_v1, name)
        setattr(sa_v1, name, turned(getattr(sa_v2, name)))


@mistake(
    "transfer_weights",
    says="sa_v1 is right, but sa_v2 was changed: its weights are transposed now.",
    look="Transpose a copy of the numbers, not what sa_v2 holds.",
)
def source_turned(sa_v2, sa_v1):
    for name in MATRICES:
        layer = getattr(sa_v2, name)
        layer.weight.data = turned(layer)
        getattr(sa_v1, name).data = layer.weight.detach().clone()


@mistake(
    "transfer_weights",
    says="sa_v1 and sa_v2 exchanged their weights; sa_v2 should stay as it is.",
    look="sa_v2 is only read. Does a line write into it?",
)
def weights_exchanged(sa_v2, sa_v1):
    for name in MATRICES:
        layer, matrix = getattr(sa_v2, name), getattr(sa_v1, name)
        layer.weight.data, matrix.data = matrix.detach().T.clone(), turned(layer)


@mistake(
    "transfer_weights",
    says="The weights of sa_v2 were added to those that sa_v1 had; they should replace them.",
    look="The operation that writes into sa_v1.",
)
def added_in_transfer(sa_v2, sa_v1):
    for name in MATRICES:
        getattr(sa_v1, name).data += turned(getattr(sa_v2, name))


def attention(queries, keys, values):
    scores = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ values


def unregister(module, name):
    held = getattr(module, name)
    delattr(module, name)
    module.__dict__[name] = held.detach() if isinstance(held, nn.Parameter) else held


def weight_of(module, name):
    return getattr(getattr(module, name), "weight", getattr(module, name))


def turned(layer):
    return layer.weight.detach().T.clone()


def fill(sa_v1, **layers):
    for name, layer in layers.items():
        getattr(sa_v1, name).data = turned(layer)
