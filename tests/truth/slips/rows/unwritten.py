# Memory that was never written: the same mark in every run, and the mistake is named.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% added_to_an_empty_tensor: context_vectors, lost 1
# says: torch.empty | torch.zeros
# never says: softmax | two mistakes
def context_vectors(weights, values):
    out = torch.empty(weights.shape[0], values.shape[1])
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            out[i] += weights[i, j] * values[j]
    return out

# %% added_to_an_empty_tensor_like_another: project, lost 1
# says: `torch.empty_like(x @ W_query)` makes room for numbers and writes none, and nothing else fills all of it | torch.zeros
# never says: square root
# line: torch.empty_like
def project(x, W_query, W_key, W_value):
    queries = torch.empty_like(x @ W_query)
    queries += x @ W_query
    return queries, x @ W_key, x @ W_value

# %% a_row_that_was_never_written: attention_scores, lost 2
# says: `torch.empty(len(queries), len(keys))` makes room for numbers and writes none, and nothing else fills all of it | What must be written into it
# line: torch.empty
def attention_scores(queries, keys):
    scores = torch.empty(len(queries), len(keys))
    for i in range(0, len(queries), 2):
        scores[i] = keys @ queries[i]
    return scores

# %% an_empty_tensor_that_is_filled
# never says: never written
# in: attention_scores
def attention_scores(queries, keys):
    scores = torch.empty(len(queries), len(keys))
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = torch.dot(query, key)
    return scores

# %% a_class_that_adds_to_an_empty_tensor: SelfAttention_v1, lost 3
# says: torch.empty | torch.zeros
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        output = torch.empty(x.shape[0], values.shape[1])
        for i in range(x.shape[0]):
            output[i] += weights[i] @ values
        return output

# %% numpy_added_to_an_empty_array in numpy_attention: numpy_scores, lost 1
# says: np.empty | np.zeros
def numpy_scores(queries, keys):
    scores = np.empty((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            for k in range(queries.shape[1]):
                scores[i, j] += queries[i, k] * keys[j, k]
    return scores

# %% numpy_imported_empty in numpy_attention: numpy_scores, lost 1
# says: `empty_like(queries @ keys.T)` makes room for numbers and writes none, and nothing else fills all of it | `zeros_like`
# line: scores = empty_like
from numpy import empty_like

def numpy_scores(queries, keys):
    scores = empty_like(queries @ keys.T)
    scores += queries @ keys.T
    return scores

# %% scaled_dot_product_added_to_an_empty_tensor in scaled_dot_product: attention_output, lost 1
# says: weights.new_empty | weights.new_zeros
def attention_output(weights, v):
    result = weights.new_empty(weights.shape[0], v.shape[1])
    for column in range(v.shape[0]):
        result += weights[:, column : column + 1] * v[column]
    return result

# %% added_to_a_tensor_made_by_its_sizes: context_vectors, lost 1
# says: `torch.Tensor(weights.shape[0], values.shape[1])` makes room for numbers and writes none, and nothing else fills all of it | torch.zeros
# line: out = torch.Tensor(
def context_vectors(weights, values):
    out = torch.Tensor(weights.shape[0], values.shape[1])
    for j in range(values.shape[0]):
        out += weights[:, j : j + 1] * values[j]
    return out

# %% weights_that_were_never_drawn: init_weights, lost 1
# says: `torch.empty(d_in, d_out)` makes room for numbers and writes none, and nothing else fills all of it | What must be written into it
# line: W_value = nn.Parameter(torch.empty(
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.empty(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.empty(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.empty(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% an_empty_tensor_that_is_filled_with_roots: scale_scores, lost 1
# says: `torch.sqrt(scores[i])` gives the first nan or inf
# never says: makes room | zeros
# line: torch.sqrt
def scale_scores(scores, d_k):
    out = torch.empty_like(scores)
    for i in range(len(scores)):
        out[i] = torch.sqrt(scores[i]) / d_k
    return out
