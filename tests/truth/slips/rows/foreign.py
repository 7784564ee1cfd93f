# Names that a step's code reads and does not own: they are told before what the numbers are.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% a_width_of_the_file_in_forward: SelfAttention_v1, lost 1.5, as plain
# says: square root of 2 | `attn_scores / d_k ** 0.5`
# says: `d_k` is a variable of your file | Where `d_k` stands: use what the step gets or computes
# line: attn_scores / d_k ** 0.5
# never says: it must be d_k
# fix: / d_k ** 0.5 => / keys.shape[-1] ** 0.5
# after: head
d_k = 2
# in: SelfAttention_v1
#: keys.shape[-1] ** 0.5 => d_k ** 0.5

# %% the_width_of_the_file_in_place_of_that_of_init: SelfAttention_v1, lost 1.5, as percent
# says: `attn_scores / d_out ** 0.5`
# says: `d_out` is a variable of your file | Where `d_out` stands: use what the step gets or computes
# line: attn_scores / d_out ** 0.5
# never says: it must be d_k
# fix: / d_out ** 0.5 => / keys.shape[-1] ** 0.5
# after: head
d_in = inputs.shape[1]
d_out = 2
# in: SelfAttention_v1
#: keys.shape[-1] ** 0.5 => d_out ** 0.5

# %% an_argument_of_init_in_forward: SelfAttention_v1, lost 3, as exported
# says: only `__init__` knows it | `self.d_out`
# never says: The spelling of the name
# fix: super().__init__() => super().__init__()\n        self.d_out = d_out | / d_out ** => / self.d_out **
#: keys.shape[-1] ** 0.5 => d_out ** 0.5

# %% a_width_of_the_file_given_to_a_step: SelfAttention_v2, lost 1.5, as notebook
# says: `d_out` is a variable of your file | Where `d_out` stands: use what the step gets or computes
# line: scale_scores(attention_scores(q, k), d_out)
# never says: it must be d_k
# fix: , d_out)\n        return => , k.shape[-1])\n        return
# after: head
d_in, d_out = 3, 2
# in: SelfAttention_v2
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        k = self.W_key(x)
        q = self.W_query(x)
        v = self.W_value(x)
        s = scale_scores(attention_scores(q, k), d_out)
        return context_vectors(attention_weights(s), v)

# %% keys_of_the_file_in_forward: SelfAttention_v1, lost 3, as plain
# says: `keys.T` is a tensor of shape (2, 6), a variable of your file
# never says: is a transpose missing
# after: project
W_query, W_key, W_value = init_weights(3, 2, 123)
queries, keys, values = project(inputs, W_query, W_key, W_value)
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = x @ self.W_query
        v = x @ self.W_value
        scores = q @ keys.T
        w = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
        return w @ v

# %% functions_of_the_file_behind_self: SelfAttention_v1, lost 3, as percent
# says: `project` is a function of your file | leave out `self.`
# never says: Nothing is stored | `__init__`: only
# fix: self.project => project | self.attention_scores => attention_scores
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = self.project(x, self.W_query, self.W_key, self.W_value)
        s = self.attention_scores(q, k)
        return context_vectors(attention_weights(scale_scores(s, k.shape[-1])), v)

# %% a_variable_named_like_its_step: SelfAttention_v1, lost 3, as exported
# says: makes a variable `attention_scores`. So the function of line
# never says: only in a branch
# fix: attention_scores = attention_scores => scores = attention_scores | attention_weights = attention_weights => weights = attention_weights | scale_scores(attention_scores => scale_scores(scores | context_vectors(attention_weights => context_vectors(weights
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        attention_scores = attention_scores(q, k)
        attention_weights = attention_weights(scale_scores(attention_scores, k.shape[-1]))
        return context_vectors(attention_weights, v)

# %% a_variable_named_like_the_step_that_makes_it in scaled_dot_product: scaled_dot_product_attention, lost 3, as notebook
# says: makes a variable `scaled_scores`. So the function of line
# never says: only in a branch
# fix: scaled_scores = => scaled = | softmax(scaled_scores => softmax(scaled
def scaled_dot_product_attention(q, k, v):
    scaled_scores = scaled_scores(q, k)
    weights = torch.softmax(scaled_scores, dim=-1)
    return weights @ v, weights

# %% a_variable_named_like_the_step_before_it in scaled_dot_product: score_variances, lost 2, as plain
# says: makes a variable `raw_scores`. So the function of line
# never says: only in a branch
# fix: raw_scores = raw => raw = raw | raw_scores.var => raw.var
def score_variances(q, k):
    raw_scores = raw_scores(q, k)
    scaled = scaled_scores(q, k)
    return {"q": q.var(), "k": k.var(), "raw_scores": raw_scores.var(), "scaled_scores": scaled.var()}

# %% the_steps_own_name_as_a_value: attention_scores, lost 2, as percent
# says: makes a variable `attention_scores`. So the function of line
# never says: only in a branch
# fix: attention_scores @ => queries @
def attention_scores(queries, keys):
    attention_scores = attention_scores @ keys.T
    return attention_scores

# %% a_step_in_place_of_its_result: scale_scores, lost 1, as exported
# says: `attention_scores` is your function
# never says: two asterisks
# fix: attention_scores / => scores /
def scale_scores(scores, d_k):
    return attention_scores / d_k ** 0.5

# %% a_width_that_is_overwritten: scale_scores, lost 1, as notebook
# says: `d_k = 2` | what the step was given is lost | leave it out
# line: d_k = 2
# never says: it must be d_k
# fix:     d_k = 2\n => 
def scale_scores(scores, d_k):
    d_k = 2
    return scores / d_k ** 0.5

# %% queries_and_keys_drawn_anew: attention_scores, lost 2, as plain
# says: overwrites the argument `queries`
# never says: has to be transposed
def attention_scores(queries, keys):
    keys = torch.rand(6, 2)
    queries = torch.rand(6, 2)
    return queries @ keys.T

# %% keys_overwritten_by_queries: attention_scores, lost 2, as percent
# says: `keys = queries` | leave it out
# line: keys = queries
# never says: second factor
# fix:     keys = queries\n => 
def attention_scores(queries, keys):
    keys = queries
    scores = queries @ keys.T
    return scores

# %% tokens_overwritten_by_those_of_the_file: project, lost 1, as exported
# says: 3 is not 7 | `x` is a tensor of shape (6, 3), made in line | (`inputs`)
# never says: is a transpose missing
# fix:     x = inputs\n => 
def project(x, W_query, W_key, W_value):
    x = inputs
    return x @ W_query, x @ W_key, x @ W_value

# %% sizes_that_are_overwritten: init_weights, lost 1, as notebook
# says: `d_in = 3` | leave it out
# line: d_in = 3
# never says: Are the sizes taken
# fix:     d_in = 3\n    d_out = 2\n => 
def init_weights(d_in, d_out, seed):
    d_in = 3
    d_out = 2
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% a_seed_that_is_overwritten: init_weights, lost 1, as plain
# says: `seed = 123` | leave it out
# line: seed = 123
# never says: The argument of torch.manual_seed
# fix:     seed = 123\n => 
def init_weights(d_in, d_out, seed):
    seed = 123
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% a_switch_that_is_overwritten in numpy_attention: numpy_self_attention, lost 2, as percent
# says: `scaled = True` | leave it out
# line: scaled = True
# never says: Does the argument scaled decide
# fix:     scaled = True\n => 
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    scaled = True
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    s = q @ k.T
    if scaled:
        s = s / np.sqrt(k.shape[1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v

# %% a_size_overwritten_in_init: SelfAttention_v1, lost 4, as exported
# says: Its sizes are not those that this step was given | makes it: `nn.Parameter(torch.rand(d_in, d_out))`
# never says: written into the code as a number
# fix:         d_in = 3\n => 
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        d_in = 3
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return context_vectors(attention_weights(scale_scores(attention_scores(q, k), k.shape[-1])), v)

# %% sizes_of_the_file_in_init: SelfAttention_v1, lost 4, as notebook
# says: `__init__` | Its sizes are not those that this step was given
# line: self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# never says: written into the code as a number
# after: head
x_2 = inputs[1]
d_in = inputs.shape[1]
d_out = 2
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, dim_in, dim_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return context_vectors(attention_weights(scale_scores(attention_scores(q, k), k.shape[-1])), v)

# %% the_width_of_the_books_inputs: SelfAttention_v1, lost 4, as plain
# says: Its sizes are not those that this step was given | makes it: `nn.Parameter(torch.rand(d_in, d_out))`
# never says: written into the code as a number
# fix:         d_in = inputs.shape[1]\n => 
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        d_in = inputs.shape[1]
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return context_vectors(attention_weights(scale_scores(attention_scores(q, k), k.shape[-1])), v)

# %% matrices_of_the_file: SelfAttention_v1, lost 4, as percent
# says: Its sizes are not those that this step was given | makes it: `W_query`
# line: self.W_query = W_query
# never says: written into the code as a number
# after: init_weights
torch.manual_seed(123)
W_query = nn.Parameter(torch.rand(3, 2))
W_key = nn.Parameter(torch.rand(3, 2))
W_value = nn.Parameter(torch.rand(3, 2))
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = W_query
        self.W_key = W_key
        self.W_value = W_value

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% the_files_d_model_under_the_root in scaled_dot_product: scaled_scores, lost 1, as exported
# says: square root of 8, whatever comes in | `d_model` is a variable of your file
# says: Where `d_model` stands: use what the step gets or computes
# line: math.sqrt(d_model)
# never says: global d_model
# fix: sqrt(d_model) => sqrt(k.shape[-1])
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(d_model)

# %% a_width_of_the_file_that_is_not_d_model in scaled_dot_product: scaled_scores, lost 1, as notebook
# says: square root of 8, whatever comes in | `d_k` is a variable of your file
# says: Where `d_k` stands: use what the step gets or computes
# line: math.sqrt(d_k)
# never says: global d_model
# after: head
d_k = 8
# in: scaled_scores
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(d_k)

# %% a_switch_of_the_file_that_only_prints: SelfAttention_v1, lost 1.5, as plain
# says: The scores were not scaled.
# never says: VERBOSE
# after: head
VERBOSE = False
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        if VERBOSE:
            print(q.shape)
        return torch.softmax(q @ k.T, dim=-1) @ v

# %% a_layer_of_the_file_that_is_called: attention_weights, lost 2, as percent
# says: ran over the queries | `softmax` is made in line
# never says: a variable of your file
# after: head
softmax = nn.Softmax(dim=0)
# in: attention_weights
def attention_weights(scaled_scores):
    return softmax(scaled_scores)

# %% a_variable_of_a_cell_that_only_shows: scale_scores, lost 1, as notebook
# says: No line of `scale_scores` makes `queries` | `d_k` is never used | Its argument `d_k` is never used
def scale_scores(scores, d_k):
    return scores / queries.shape[-1] ** 0.5

# %% a_width_of_the_file_beside_a_softmax_of_columns: SelfAttention_v1, lost 3, as plain
# says: `d_k` is a variable of your file
# says: `attn_scores / d_k ** 0.5` is the first value that is not right
# never says: it must be d_k | each column sums to 1
# after: head
d_k = 2
# in: SelfAttention_v1
#: keys.shape[-1] ** 0.5, dim=-1 => d_k ** 0.5, dim=0

# %% a_helper_that_uses_the_file: attention_scores, lost 2, as percent
# says: an operation in `a @ b.T / width` does not belong there. | 0.5 times
# line: a @ b.T / width
# never says: right on the way
# after: head
width = 2
def halved(a, b):
    return a @ b.T / width
# in: attention_scores
def attention_scores(queries, keys):
    return halved(queries, keys)
