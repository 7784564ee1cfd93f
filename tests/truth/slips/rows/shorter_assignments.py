# Slips in the steps of the two shorter assignments.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% an_axis_that_is_not_there_beside_a_number_of_the_file in scaled_dot_product: scaled_scores, lost 1
# says: `K` is a tensor of shape (6, 5) | There is no such axis here
# never says: `model_dim`
model_dim = 8
def scaled_scores(Q, K):
    return (Q @ K.transpose(1, 2)) / model_dim ** 0.5

# %% turned_by_two_transposes in scaled_dot_product: attention_output, lost 1
# says: The numbers are right, but their axes have another order
# never says: a transpose too many
def attention_output(weights, v):
    return v.t() @ weights.t()

# %% a_helper_with_a_similar_name_and_other_arguments in numpy_attention: attention_output, lost 1
# says: does not define `attention_output` | copy the step's first line
# never says: did you mean
# without: attention_output
# after: head
def self_attention(text):
    return np.random.randn(3, len(text.split()))

# %% an_array_changed_in_place in numpy_attention: numpy_softmax, lost 2
# says: changes its input in place | the caller's `scores` holds other numbers
# never says: tensor
def numpy_softmax(scores):
    scores /= np.sqrt(scores.shape[1])
    powers = np.exp(scores)
    return powers / np.sum(powers, axis=1, keepdims=True)

# %% unscaled_and_with_the_weights in numpy_attention: numpy_self_attention, lost 2
# says: `numpy_self_attention` never uses its argument `scaled` | a tuple of 2 came back
# never says: right on its own
def numpy_self_attention(X, W_Q, W_K, W_V, scaled=True):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% with_the_keys in numpy_attention: numpy_self_attention, lost 2
# says: `weights @ V, K` (line | makes a tuple | a tuple of 2 came back | only one thing is asked for
# never says: unscaled
def numpy_self_attention(X, W_Q, W_K, W_V, scaled=True):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T
    if scaled:
        scores = scores / np.sqrt(K.shape[1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, K

# %% a_width_of_the_file_and_a_switch_that_decides_nothing in numpy_attention: numpy_self_attention, lost 2
# says: `np.dot(Q, K.T) / np.sqrt(d_k)` is the first value that is not right | `np.dot(Q, K.T)` is right
# says: `d_k` is a variable of your file | never uses its argument `scaled`
# line: scaled_scores = np.dot(Q, K.T)
K = np.array([[0, 1], [2, 3]])
d_k = K.shape[1]
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    Q, K, V = np.dot(x, w_query), np.dot(x, w_key), np.dot(x, w_value)
    scaled_scores = np.dot(Q, K.T) / np.sqrt(d_k)
    powers = np.exp(scaled_scores)
    return np.dot(powers / np.sum(powers, axis=1, keepdims=True), V)

# %% tokens_given_back_for_both_answers in numpy_attention: numpy_self_attention, lost 2
# says: What comes back is the value of `x` | not yet the answer | the shape is (7, 6); (7, 5) was expected
# never says: must differ
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    return x
