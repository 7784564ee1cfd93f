# The step's own hint, only for the kind of fault that it is for; and what was looked at before it was said.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% scores_as_lists: attention_scores, lost 2
# says: yours is a list | The numbers in it are right
# never says: has to be transposed
def attention_scores(queries, keys):
    return (queries @ keys.T).tolist()

# %% weights_as_a_function: attention_weights, lost 2
# says: A function came back | round brackets
# never says: dim=-1
def attention_weights(scaled_scores):
    def softmax():
        return torch.softmax(scaled_scores, dim=-1)
    return softmax

# %% the_product_itself_returned: context_vectors, lost 1
# says: an object of type builtin_function_or_method | called with the numbers, in round brackets
# never says: Which shape stands on the left
def context_vectors(weights, values):
    torch.matmul(weights, values)
    return torch.matmul

# %% scores_as_an_array: attention_scores, lost 2
# says: NumPy array | The numbers in it are right
# never says: has to be transposed
def attention_scores(queries, keys):
    return queries.numpy().dot(keys.numpy().T)

# %% a_library_inside_the_step: attention_weights, lost 2
# says: There is no module `scipy` | torch, NumPy and what the release itself imports are there
# never says: runs along
def attention_weights(scaled_scores):
    from scipy.special import softmax

    return torch.from_numpy(softmax(scaled_scores.numpy(), axis=1))

# %% row_sums_are_right: attention_weights, lost 2
# never says: runs along the last axis
def attention_weights(scaled_scores):
    powers = 3.0**scaled_scores
    return powers / powers.sum(dim=-1, keepdim=True)

# %% row_sums_are_right_squares: attention_weights, lost 2
# never says: runs along the last axis
def attention_weights(scaled_scores):
    squares = scaled_scores**2
    return squares / squares.sum(dim=1, keepdim=True)

# %% row_sums_are_wrong: attention_weights, lost 2
# says: an operation in `torch.softmax(scaled_scores, dim=1) + 0.25 * scaled_scores` does not belong there.
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=1) + 0.25 * scaled_scores

# %% right_shape_wrong_numbers: attention_scores, lost 2
# never says: has to be transposed
def attention_scores(queries, keys):
    return torch.tanh(queries @ keys.T)

# %% right_shape_wrong_blend: context_vectors, lost 1
# never says: Which shape stands on the left
def context_vectors(weights, values):
    return torch.tanh(weights) @ values

# %% one_matrix_in_a_wrong_shape: project, lost 1
# says: the outer call in `x.mean(dim=0)` does not belong there.
# never says: Does each of the three use its own
def project(x, W_query, W_key, W_value):
    return x.mean(dim=0) @ W_query, x.mean(dim=0) @ W_key, x.mean(dim=0) @ W_value

# %% a_text_for_a_score: attention_score, lost 1
# never says: vectors of shape
def attention_score(query, key):
    return f"{(query @ key).item():.4f}"

# %% the_last_row_without_a_loop: attention_scores, lost 2
# says: scores = queries @ keys.T | right | 4 of 20 numbers
# line: scores[-1] = 1.0
# never says: loop
def attention_scores(queries, keys):
    scores = queries @ keys.T
    scores[-1] = 1.0
    return scores

# %% right_where_nothing_is_negative: attention_scores, lost 2
# says: the outer call in `(queries @ keys.T).clamp(min=0)` does not belong there.
# line: clamp(min=0)
# never says: written into the code | has to be transposed
def attention_scores(queries, keys):
    return (queries @ keys.T).clamp(min=0)

# %% right_where_nothing_is_negative_np in numpy_attention: numpy_scores, lost 1
# never says: written into the code | has to be transposed
def numpy_scores(queries, keys):
    return np.sqrt((queries @ keys.T) ** 2)

# %% the_root_in_a_branch: scale_scores, lost 1
# says: not scaled
# never says: is computed, but its result is not used
def scale_scores(scores, d_k):
    root = d_k**0.5
    if scores.shape[0] == scores.shape[1] == 1000:
        scores = scores / root
    return scores

# %% the_seed_zero: init_weights, lost 1
# says: do not depend on `seed`
# never says: it was not set
def init_weights(d_in, d_out, seed):
    torch.manual_seed(0)
    return tuple(nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) for _ in range(3))

# %% a_text_is_no_tensor: scale_scores, lost 1
# says: A tensor has `float` | `str(d_k)` is the text '3'
# never says: `format`
def scale_scores(scores, d_k):
    return scores / str(d_k).float() ** 0.5

# %% a_number_is_no_tensor: scale_scores, lost 1
# says: A tensor has `sqrt` | `d_k` is the number 3
def scale_scores(scores, d_k):
    return scores / d_k.sqrt()

# %% a_far_name: attention_weights, lost 2
# says: A Tensor has no `shares`
# never says: Did you mean
def attention_weights(scaled_scores):
    return scaled_scores.shares(-1)

# %% three_lists_of_rows: project, lost 1
# says: yours is a list | The numbers in it are right | make one of the list: `torch.stack`
# never says: x stands on the left
def project(x, W_query, W_key, W_value):
    q, k, v = [], [], []
    for row in x:
        q.append(row @ W_query)
        k.append(row @ W_key)
        v.append(row @ W_value)
    return q, k, v

# %% softmax_before_the_scores_leave: attention_scores, lost 2
# says: These are already weights
# never says: has to be transposed
def attention_scores(queries, keys):
    return nn.functional.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)

# %% weights_divided_by_the_largest: attention_weights, lost 2
# says: The largest number of each row is 1
# never says: was subtracted
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores, dim=-1)
    return weights / weights.max(dim=-1, keepdim=True).values

# %% weights_in_percent: attention_weights, lost 2
# says: Every number is 100 times the right one
# never says: runs along the last axis
def attention_weights(scaled_scores):
    return 100 * torch.softmax(scaled_scores, dim=-1)

# %% indices_in_a_list in numpy_attention: token_indices, lost 1
# says: yours is a list | Return the tensor itself
# never says: look each word up
def token_indices(sentence, vocabulary):
    return [vocabulary[word] for word in sentence.split()]
