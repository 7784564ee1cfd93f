# How functions and classes end, where they stand, and what their last line makes.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% a_return_inside_the_loop in numpy_attention: index_words, lost 1
# says: stands inside the loop | first round
# never says: Which of the two is the key?
# line:         return words
def index_words(sentence):
    words = {}
    for number, word in enumerate(sentence.split()):
        words[number] = word
        return words

# %% a_search_with_a_return_inside_its_loop in numpy_attention
# never says: inside the loop
# in: index_words
def index_words(sentence):
    parts = sentence.split()
    while True:
        if not parts:
            continue
        return dict(enumerate(parts))

# %% parts_that_are_yielded: project, lost 1
# says: `yield x @ W` | makes a generator | `return` gives back all parts at once
# never says: x stands on the left
# line: yield x @ W
def project(x, W_query, W_key, W_value):
    for W in (W_query, W_key, W_value):
        yield x @ W

# %% parts_in_round_brackets: project, lost 1
# says: `(x @ W for W in (W_query, W_key, W_value))` | makes a generator | square brackets
# line: return (x @ W for W in
def project(x, W_query, W_key, W_value):
    return (x @ W for W in (W_query, W_key, W_value))

# %% a_loop_that_begins_at_1 in numpy_attention: numpy_scores, lost 1
# says: `range(1, len(queries))` leaves out i = 0 | All wrong numbers stand in row 0
# line: for i in range(1
# fix: range(1, len(queries)) => range(len(queries))
def numpy_scores(queries, keys):
    scores = np.zeros((len(queries), len(keys)))
    for i in range(1, len(queries)):
        for j in range(len(keys)):
            scores[i, j] = np.dot(queries[i], keys[j])
    return scores

# %% a_loop_that_ends_too_soon: attention_scores, lost 2
# says: `range(len(keys) - 1)` leaves out j = 3 | stand in column 3
# line: for j in range(len(keys) - 1)
def attention_scores(queries, keys):
    scores = torch.zeros(len(queries), len(keys))
    for j in range(len(keys) - 1):
        scores[:, j] = queries @ keys[j]
    return scores

# %% layers_with_commas_behind_them: SelfAttention_v2, lost 4
# says: It holds something else than a layer or a matrix | `nn.Linear(d_in, d_out, bias=qkv_bias),`
# line: self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias),
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias),
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias),
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias),

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% a_result_with_a_comma_behind_it in scaled_dot_product: raw_scores, lost 1
# says: `q @ k.T,` (line | makes a tuple | only one thing is asked for
# line: return q @ k.T,
def raw_scores(q, k):
    return q @ k.T,

# %% a_variable_with_a_comma_behind_it in scaled_dot_product: scaled_scores, lost 1
# says: `raw` is a tuple of 1, made in line
# line: raw = q @ k.T,
def scaled_scores(q, k):
    raw = q @ k.T,
    return raw / k.shape[-1] ** 0.5

# %% a_class_inside_a_class: SelfAttention_v2, lost 4
# says: stands inside `SelfAttention_v1` | left margin
# never says: Names must be as in the release
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

    class SelfAttention_v2(nn.Module):
        def __init__(self, d_in, d_out, qkv_bias=False):
            super().__init__()
            self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
            self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
            self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

        def forward(self, x):
            q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
            return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
# without: SelfAttention_v2

# %% a_step_inside_a_condition: scale_scores, lost 1
# says: but indented | left margin
# line: def scale_scores
# without: scale_scores
# after: head
if inputs is None:
    def scale_scores(scores, d_k):
        return scores / d_k**0.5

# %% a_second_definition_that_is_wrong, lost 2
# says: `attention_weights` is defined in line | and again in line | the last one counts
# after: context_vectors
# playing
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=0)

# %% the_empty_step_below_the_finished_one, lost 1
# says: `scale_scores` is defined in line | and again in line | the last one counts
# after: context_vectors
def scale_scores(scores, d_k):
    raise NotImplementedError()

# %% matrices_in_the_class_itself: SelfAttention_v1, lost 4
# says: `W_query` has shape (3, 2); (5, 3) was expected | makes it: `nn.Parameter(torch.rand(3, 2))`
# line:     W_query = nn.Parameter(torch.rand(3, 2))
class SelfAttention_v1(nn.Module):
    W_query = nn.Parameter(torch.rand(3, 2))
    W_key = nn.Parameter(torch.rand(3, 2))
    W_value = nn.Parameter(torch.rand(3, 2))

    def __init__(self, d_in, d_out):
        super().__init__()

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% the_class_in_place_of_its_object: transfer_weights, lost 2
# says: sa_v1 is unchanged: nothing was copied into it | written into sa_v1's own matrices
def transfer_weights(sa_v2, sa_v1):
    SelfAttention_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T)
    SelfAttention_v1.W_key = nn.Parameter(sa_v2.W_key.weight.T)
    SelfAttention_v1.W_value = nn.Parameter(sa_v2.W_value.weight.T)

# %% rows_in_a_list: context_vectors, lost 1
# says: yours is a list of numbers. The numbers in it are right. | `torch.stack`
def context_vectors(weights, values):
    result = []
    for row in weights:
        result.append(row @ values)
    return result

# %% numbers_right_in_an_array: attention_weights, lost 2
# says: yours is a NumPy array | The numbers in it are right
# never says: something in the code fits only these
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=-1).detach().numpy()

# %% keys_of_other_names in scaled_dot_product: score_variances, lost 2
# says: These are not the expected keys; yours are 'Q', 'K', 'raw', 'scaled'
# never says: number of entries minus one
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / k.shape[-1] ** 0.5
    return {"Q": q.var(), "K": k.var(), "raw": raw.var(), "scaled": scaled.var()}

# %% an_assert_for_one_size: attention_weights, lost 2
# says: an `assert` of your own | other sizes
# never says: A row belongs to one query
def attention_weights(scaled_scores):
    weights = torch.softmax(scaled_scores, dim=-1)
    assert weights.shape == (6, 6)
    return weights
