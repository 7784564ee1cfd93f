# Loops: what is indexed by which variable, and what becomes of the rounds.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% values_stored_in_place_of_added: context_vectors, lost 1, as exported
# says: overwrites `result[i]` | `+=`
# never says: has to be transposed | Which shape
# fix: result[i] = => result[i] +=
def context_vectors(weights, values):
    result = torch.zeros(weights.shape[0], values.shape[1])
    for i in range(weights.shape[0]):
        for j in range(values.shape[0]):
            result[i] = weights[i, j] * values[j]
    return result

# %% products_stored_in_place_of_added: context_vectors, lost 1, as notebook
# says: overwrites `z` | `+=`
# never says: Which shape
# fix: z = a => z += a
def context_vectors(weights, values):
    out = []
    for row in weights:
        z = torch.zeros(values.shape[1])
        for a, v in zip(row, values):
            z = a * v
        out.append(z)
    return torch.stack(out)

# %% entries_stored_in_place_of_added in scaled_dot_product: attention_output, lost 1, as plain
# says: after `out[i, d] = weights[i, j] * v[j, d]`, `out` is the first value that is not right
# never says: Which shape
# line: out[i, d] = weights
def attention_output(weights, v):
    out = torch.zeros(weights.shape[0], v.shape[1])
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            for d in range(v.shape[1]):
                out[i, d] = weights[i, j] * v[j, d]
    return out

# %% a_sum_that_is_only_the_last_product in numpy_attention: numpy_scores, lost 1, as percent
# says: overwrites `s` | `+=`
# never says: has to be transposed
# fix: s = a => s += a
def numpy_scores(queries, keys):
    rows = []
    for q in queries:
        row = []
        for k in keys:
            s = 0
            for a, b in zip(q, k):
                s = a * b
            row.append(s)
        rows.append(row)
    return np.array(rows)

# %% a_row_that_is_only_the_last_value in numpy_attention: attention_output, lost 1, as exported
# says: overwrites `row` | `+=`
# never says: Which shape
# fix: row = weights => row += weights
def attention_output(weights, V):
    out = []
    for i in range(weights.shape[0]):
        row = torch.zeros(V.shape[1])
        for j in range(weights.shape[1]):
            row = weights[i, j] * V[j]
        out.append(row)
    return torch.stack(out)

# %% weights_of_the_last_row_alone: attention_weights, lost 2, as notebook
# says: overwrites `w`
# never says: answer for token
def attention_weights(scaled_scores):
    for i in range(len(scaled_scores)):
        w = torch.softmax(scaled_scores[i], dim=0)
    return w

# %% one_matrix_written_three_times: transfer_weights, lost 2, as plain
# says: overwrites `sa_v1.W_query.data`
# never says: matrices or layers in the place of another
def transfer_weights(sa_v2, sa_v1):
    for name in ("W_query", "W_key", "W_value"):
        sa_v1.W_query.data = getattr(sa_v2, name).weight.data.T.clone()

# %% a_total_that_goes_on: attention_scores, lost 2, as percent
# says: `total = 0` belongs into the loop that comes after it | 4 rounds | the fault is here
# never says: has to be transposed
# line: total = 0
def attention_scores(queries, keys):
    scores = torch.zeros(len(queries), len(keys))
    total = 0
    for i in range(len(queries)):
        for j in range(len(keys)):
            for d in range(queries.shape[1]):
                total += queries[i, d] * keys[j, d]
            scores[i, j] = total
    return scores

# %% a_row_that_goes_on: context_vectors, lost 1, as exported
# says: `acc = torch.zeros(values.shape[1])` belongs into the loop that comes after it: each round begins with it.
# never says: Which shape
# line: acc = torch.zeros(
def context_vectors(weights, values):
    rows = []
    acc = torch.zeros(values.shape[1])
    for i in range(len(weights)):
        for j in range(len(values)):
            acc = acc + weights[i][j] * values[j]
        rows.append(acc)
    return torch.stack(rows)

# %% a_sum_of_exponentials_that_goes_on: attention_weights, lost 2, as notebook
# says: `total = 0` belongs into the loop that comes after it | the fault is here
# never says: yours sum to
# line: total = 0
def attention_weights(scaled_scores):
    out = torch.zeros_like(scaled_scores)
    total = 0
    for i in range(scaled_scores.shape[0]):
        for j in range(scaled_scores.shape[1]):
            total += torch.exp(scaled_scores[i, j])
        for j in range(scaled_scores.shape[1]):
            out[i, j] = torch.exp(scaled_scores[i, j]) / total
    return out

# %% a_list_that_goes_on in numpy_attention: numpy_scores, lost 1, as plain
# says: belongs into the loop that comes after it | (4, 24); (4, 6) was expected
# line: row = []
def numpy_scores(queries, keys):
    rows = []
    row = []
    for q in queries:
        for k in keys:
            row.append(np.dot(q, k))
        rows.append(row)
    return np.array(rows)

# %% a_total_reset_in_each_round: context_vectors, lost 1, as percent
# says: overwrites `total` in each round | must it stand before the loop
# never says: Which shape
def context_vectors(weights, values):
    out = torch.zeros(weights.shape[0], values.shape[1])
    for i in range(weights.shape[0]):
        for j in range(values.shape[0]):
            total = torch.zeros(values.shape[1])
            total += weights[i, j] * values[j]
        out[i] = total
    return out

# %% a_score_reset_in_each_round: attention_score, lost 1, as exported
# says: overwrites `total` in each round | must it stand before the loop
# never says: vectors of shape
# fix:     for i in range(len(query)):\n        total = 0\n =>     total = 0\n    for i in range(len(query)):\n
def attention_score(query, key):
    for i in range(len(query)):
        total = 0
        total += query[i] * key[i]
    return total

# %% the_key_of_the_query: attention_scores, lost 2, as notebook
# says: (`range(queries.shape[0])`) | `keys` is a tensor of shape (4, 6) | `i` is the number 4, from the loop of line
# never says: gets as many
# fix: keys[i] => keys[j]
def attention_scores(queries, keys):
    out = torch.empty(queries.shape[0], keys.shape[0])
    for i in range(queries.shape[0]):
        for j in range(keys.shape[0]):
            out[i, j] = torch.dot(queries[i], keys[i])
    return out

# %% the_query_of_the_key: attention_scores, lost 2, as plain
# says: in `queries[j]`, `j` is not what belongs there. | 4 rounds
# never says: All rows are equal
# line: torch.dot(queries[j], k)
def attention_scores(queries, keys):
    scores = torch.zeros(len(queries), len(keys))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            scores[i, j] = torch.dot(queries[j], k)
    return scores

# %% each_query_with_itself in scaled_dot_product: raw_scores, lost 1, as percent
# says: in `qi * qi`, `qi` is not what belongs there.
# never says: does not depend
# line: (qi * qi)
def raw_scores(q, k):
    rows = []
    for qi in q:
        row = []
        for kj in k:
            row.append((qi * qi).sum())
        rows.append(torch.stack(row))
    return torch.stack(rows)

# %% each_query_with_itself_in_a_list: attention_scores, lost 2, as exported
# says: in `torch.dot(q, q)`, `q` is not what belongs there.
# never says: has to be transposed
# line: torch.dot(q, q)
def attention_scores(queries, keys):
    return torch.stack([torch.stack([torch.dot(q, q) for k in keys]) for q in queries])

# %% one_entry_for_all_positions: context_vectors, lost 1, as notebook
# says: in `values[j, j]`, `j` is not what belongs there | 4 rounds
# never says: Which shape
# line: values[j, j]
def context_vectors(weights, values):
    out = torch.zeros(weights.shape[0], values.shape[1])
    for i in range(weights.shape[0]):
        for d in range(values.shape[1]):
            for j in range(weights.shape[1]):
                out[i, d] += weights[i, j] * values[j, j]
    return out

# %% the_first_entry_of_the_key_each_time: attention_score, lost 1, as plain
# says: after `s += query[i] * key[0]`, `s` is the first value that is not right. | 5 rounds
# never says: vectors of shape
# line: key[0]
def attention_score(query, key):
    s = 0
    for i in range(len(query)):
        s += query[i] * key[0]
    return s

# %% the_first_key_in_each_trial: dot_product_variance, lost 1, as percent
# says: Row i of the queries meets only row i of the keys
def dot_product_variance(queries, keys):
    dots = []
    for i in range(len(queries)):
        dots.append(torch.dot(queries[i], keys[0]))
    dots = torch.stack(dots)
    return dots.var(correction=0), (dots / queries.shape[1] ** 0.5).var(correction=0)

# %% the_sum_of_the_first_row_each_time: attention_weights, lost 2, as exported
# says: `row / e[0].sum()` is the first value that is not right | right until | `row` is right
# never says: yours sum to
# line: row / e[0].sum()
def attention_weights(scaled_scores):
    e = torch.exp(scaled_scores)
    out = []
    for row in e:
        out.append(row / e[0].sum())
    return torch.stack(out)

# %% indices_of_queries_and_keys_exchanged: attention_scores, lost 2, as notebook
# says: (`range(queries.shape[0])`) | `keys` is a tensor of shape (4, 6) | `i` is the number 4, from the loop of line
# never says: gets as many
# fix: queries[j], keys[i] => queries[i], keys[j]
def attention_scores(queries, keys):
    out = torch.empty(queries.shape[0], keys.shape[0])
    for i in range(queries.shape[0]):
        for j in range(keys.shape[0]):
            out[i, j] = torch.dot(queries[j], keys[i])
    return out

# %% values_indexed_by_the_query: context_vectors, lost 1, as plain
# says: (`range(n)`) | `values` is a tensor of shape (4, 5) | `i` is the number 4, from the loop of line
# never says: gets as many
# fix: values[i] => values[j]
def context_vectors(weights, values):
    n = weights.shape[0]
    out = torch.zeros(n, values.shape[1])
    for i in range(n):
        for j in range(weights.shape[1]):
            out[i] += weights[i, j] * values[i]
    return out

# %% weights_indexed_the_other_way_round: context_vectors, lost 1, as percent
# says: (`range(weights.shape[0])`) | `j` is the number 0, from the loop of line | `i` is the number 4, from the loop of line
# never says: do both belong to the same axis
# fix: weights[j, i] => weights[i, j]
def context_vectors(weights, values):
    out = torch.zeros(weights.shape[0], values.shape[1])
    for i in range(weights.shape[0]):
        for j in range(values.shape[0]):
            out[i] += weights[j, i] * values[j]
    return out

# %% keys_counted_by_the_queries: attention_scores, lost 2, as exported
# says: (`range(n)`) | `keys` is a tensor of shape (4, 6) | `j` is the number 4, from the loop of line
# never says: gets as many
def attention_scores(queries, keys):
    n, d = queries.shape
    out = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            out[i, j] = queries[i] @ keys[j]
    return out

# %% keys_counted_by_their_width: attention_scores, lost 2, as notebook
# says: (`range(keys.shape[1])`) | `keys` is a tensor of shape (4, 6) | `j` is the number 4, from the loop of line
# never says: gets as many
# fix: keys.shape[1] => keys.shape[0]
def attention_scores(queries, keys):
    out = torch.zeros(queries.shape[0], keys.shape[1])
    for i in range(queries.shape[0]):
        for j in range(keys.shape[1]):
            out[i, j] = queries[i] @ keys[j]
    return out

# %% columns_counted_by_the_queries: attention_scores, lost 2, as plain
# says: after `out[i, j] = queries[i] @ keys[j]`, `out` is the first value that is not right. | (5, 4) was expected
# never says: written into the code | fits only these
# line: out[i, j] = queries
# fix: len(queries), len(queries) => len(queries), len(keys)
def attention_scores(queries, keys):
    out = torch.zeros(len(queries), len(queries))
    for i in range(len(queries)):
        for j in range(len(keys)):
            out[i, j] = queries[i] @ keys[j]
    return out

# %% scores_stored_at_the_other_place: attention_scores, lost 2, as percent
# says: (`enumerate(queries)`) | `torch.zeros(len(queries), len(keys))` | `i` is from the loop of line | `q @ k` is a tensor of shape ()
# never says: must one of the two
# fix: scores[j, i] => scores[i, j]
def attention_scores(queries, keys):
    scores = torch.zeros(len(queries), len(keys))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            scores[j, i] = q @ k
    return scores

# %% a_table_of_six_by_six: attention_scores, lost 2, as exported
# says: `attn_scores` is the first value that is not right. | (5, 4) was expected
# never says: makes room for numbers
# line: attn_scores[i, j] = torch.dot(x_i, x_j)
# fix: empty(6, 6) => empty(queries.shape[0], keys.shape[0])
def attention_scores(queries, keys):
    attn_scores = torch.empty(6, 6)
    for i, x_i in enumerate(queries):
        for j, x_j in enumerate(keys):
            attn_scores[i, j] = torch.dot(x_i, x_j)
    return attn_scores

# %% six_rounds: attention_scores, lost 2, as notebook
# says: (`range(6)`) | `keys` is a tensor of shape (4, 6) | `j` is the number 4, from the loop of line
# never says: gets as many
def attention_scores(queries, keys):
    out = torch.zeros(6, 6)
    for i in range(6):
        for j in range(6):
            out[i, j] = torch.dot(queries[i], keys[j])
    return out

# %% six_rows_of_weights: context_vectors, lost 1, as plain
# says: `torch.stack(context)` is the first value that is not right. | (6, 5); (7, 5) was expected
# never says: fits only these
# line: torch.stack(context)
def context_vectors(weights, values):
    context = []
    for i in range(6):
        context.append(weights[i] @ values)
    return torch.stack(context)

# %% six_rounds_and_two_columns: context_vectors, lost 1, as percent
# says: `context` is a tensor of shape (6, 2), made in line | `torch.zeros(6, 2)` | of shape (5,)
# never says: matrix product is meant | multiplies number by number
def context_vectors(weights, values):
    context = torch.zeros(6, 2)
    for i in range(6):
        for j in range(6):
            context[i] += weights[i][j] * values[j]
    return context

# %% rows_that_do_not_fit_into_six: attention_weights, lost 2, as exported
# says: `result` is a tensor of shape (6, 6), made in line | `torch.zeros(6, 6)` | of shape (7,)
# never says: A row belongs to one query
def attention_weights(scaled_scores):
    result = torch.zeros(6, 6)
    for i in range(len(scaled_scores)):
        result[i] = torch.softmax(scaled_scores[i], dim=-1)
    return result

# %% two_rounds_for_a_dot_product: attention_score, lost 1, as notebook
# says: `range(2)` leaves out i = 2, 3, 4
# never says: vectors of shape
# line: for i in range(2)
def attention_score(query, key):
    s = 0
    for i in range(2):
        s += query[i] * key[i]
    return s

# %% the_last_entry_left_out: attention_score, lost 1, as plain
# says: `range(len(query) - 1)` leaves out i = 4
# never says: vectors of shape
# line: for i in range(len(query) - 1)
def attention_score(query, key):
    result = 0
    for i in range(len(query) - 1):
        result += query[i] * key[i]
    return result

# %% queries_counted_by_their_width: attention_scores, lost 2, as percent
# says: (`range(queries.shape[1])`) | `queries` is a tensor of shape (5, 6) | `i` is the number 5, from the loop of line
# never says: there must be 6
# fix: queries.shape[1] => queries.shape[0]
def attention_scores(queries, keys):
    out = torch.zeros(len(queries), len(keys))
    for i in range(queries.shape[1]):
        for j in range(keys.shape[0]):
            out[i, j] = queries[i] @ keys[j]
    return out

# %% a_sum_reset_for_each_query_only: attention_scores, lost 2, as exported
# says: `total = 0` belongs into the loop that comes after it | the fault is here
# never says: has to be transposed
# line: total = 0
def attention_scores(queries, keys):
    out = torch.zeros(len(queries), len(keys))
    for i in range(len(queries)):
        total = 0
        for j in range(len(keys)):
            for d in range(queries.shape[1]):
                total += queries[i][d] * keys[j][d]
            out[i][j] = total
    return out

# %% range_from_one: context_vectors, lost 1
# says: `range(1, len(values))` leaves out j = 0
# line: for j in range(1
def context_vectors(weights, values):
    out = torch.zeros(weights.shape[0], values.shape[1])
    for i in range(len(weights)):
        for j in range(1, len(values)):
            out[i] += weights[i, j] * values[j]
    return out

# %% while_from_one in numpy_attention: token_indices, lost 1
# says: (9,); (10,) was expected
def token_indices(sentence, vocabulary):
    words = sentence.split()
    found = []
    i = 1
    while i < len(words):
        found.append(vocabulary[words[i]])
        i += 1
    return torch.tensor(found)

# %% while_that_ends_too_early: context_vectors, lost 1
# says: `i < weights.shape[0] - 1` compares in another way than it should. | 5 of 35 numbers
# never says: which variable counts
# line: while i <
def context_vectors(weights, values):
    out = torch.zeros(weights.shape[0], values.shape[1])
    i = 0
    while i < weights.shape[0] - 1:
        out[i] = weights[i] @ values
        i += 1
    return out

# %% scaled_by_the_number_of_queries in numpy_attention: scaled_scores, lost 1, as notebook
# says: divided by the square root of the number of queries | d is the width of a key | first wrong value
# never says: It begins in | has to be transposed
# line: d_k = Q.shape[0]
def scaled_scores(Q, K):
    d_k = Q.shape[0]
    s = Q @ K.T
    return s / d_k ** 0.5

# %% another_way_of_a_known_mistake in scaled_dot_product: raw_scores, lost 1, as plain
# says: an operation in `scores + 1` does not belong there.
# never says: first wrong value
def raw_scores(q, k):
    scores = q @ k.transpose(-2, -1)
    return scores + 1
