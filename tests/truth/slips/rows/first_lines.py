# First lines that differ from the release: the order, the names and the defaults of arguments.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% weights_behind_the_values: context_vectors, lost 1
# says: `(weights, values)` | is `(values, weights)`, and in the release it is `(weights, values)`
# never says: is a transpose missing | inner sizes
# line: def context_vectors(values, weights)
def context_vectors(values, weights):
    return torch.matmul(weights, values)

# %% short_names_behind_each_other: context_vectors, lost 1
# says: `(v, w)` | is `(v, w)`, and in the release it is `(weights, values)`
# never says: inner sizes
def context_vectors(v, w):
    out = w @ v
    return out

# %% keys_before_queries: attention_scores, lost 2
# says: is `(keys, queries)`, and in the release it is `(queries, keys)`
# never says: has to be transposed | stands on the left of the product
# line: def attention_scores(keys, queries)
def attention_scores(keys, queries):
    scores = torch.empty(len(queries), len(keys))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            scores[i, j] = q @ k
    return scores

# %% d_k_before_the_scores: scale_scores, lost 1
# says: `(scores, d_k)` | in the release it is `(scores, d_k)`
# never says: two asterisks | nan or inf in it. Where
def scale_scores(d_k, scores):
    return scores / d_k**0.5

# %% the_seed_first: init_weights, lost 1
# says: `(d_in, d_out, seed)` | in the release it is `(d_in, d_out, seed)`
# never says: before the first draw
# line: def init_weights(seed, d_in, d_out)
def init_weights(seed, d_in, d_out):
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% the_matrices_before_the_tokens: project, lost 1
# says: `(x, W_query, W_key, W_value)` | is `(W_query, W_key, W_value, x)`, and in the release it is `(x, W_query, W_key, W_value)`
# never says: is a transpose missing | Tokens are rows
def project(W_query, W_key, W_value, x):
    return x @ W_query, x @ W_key, x @ W_value

# %% target_before_source: transfer_weights, lost 2
# says: `(sa_v2, sa_v1)` | is `(sa_v1, sa_v2)`, and in the release it is `(sa_v2, sa_v1)`
# never says: stores its weight as
# line: def transfer_weights(sa_v1, sa_v2)
def transfer_weights(sa_v1, sa_v2):
    sa_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T)
    sa_v1.W_key = nn.Parameter(sa_v2.W_key.weight.T)
    sa_v1.W_value = nn.Parameter(sa_v2.W_value.weight.T)

# %% widths_the_other_way_round: SelfAttention_v1, lost 4
# says: `(self, d_in, d_out)` | in the release it is `(self, d_in, d_out)`
# never says: The two sizes are exchanged
# line: def __init__(self, d_out, d_in)
#: def __init__(self, d_in, d_out) => def __init__(self, d_out, d_in)

# %% widths_of_layers_the_other_way_round: SelfAttention_v2, lost 4
# says: `(self, d_in, d_out, qkv_bias=False)` | in the release it is `(self, d_in, d_out, qkv_bias=False)`
# never says: the size of its input first
#: def __init__(self, d_in, d_out, qkv_bias=False) => def __init__(self, d_out, d_in, qkv_bias=False)

# %% a_model_of_a_video: SelfAttention_v1, lost 4
# says: `(self, d_in, d_out)` | is `(self, d_model, row_dim, col_dim)`, and in the release it is `(self, d_in, d_out)`
# never says: The line that calls
# line: def __init__(self, d_model, row_dim, col_dim)
class SelfAttention_v1(nn.Module):
    def __init__(self, d_model, row_dim, col_dim):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.row_dim = row_dim
        self.col_dim = col_dim

    def forward(self, token_encodings):
        q, k, v = self.W_q(token_encodings), self.W_k(token_encodings), self.W_v(token_encodings)
        sims = torch.matmul(q, k.transpose(dim0=self.row_dim, dim1=self.col_dim))
        return torch.matmul(torch.softmax(sims / k.size(self.col_dim) ** 0.5, dim=self.col_dim), v)

# %% a_model_of_a_video_with_defaults: SelfAttention_v2, lost 4
# says: Its sizes are not those that this step was given
# never says: The line that calls | Rename
class SelfAttention_v2(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_query = nn.Linear(d_model, d_model, bias=False)
        self.W_key = nn.Linear(d_model, d_model, bias=False)
        self.W_value = nn.Linear(d_model, d_model, bias=False)
        self.row_dim, self.col_dim = row_dim, col_dim

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        sims = q @ k.transpose(self.row_dim, self.col_dim) / k.shape[self.col_dim] ** 0.5
        return torch.softmax(sims, dim=self.col_dim) @ v

# %% qkv_bias_without_a_default: SelfAttention_v2, lost 1
# says: is `(self, d_in, d_out, qkv_bias)`, and in the release it is `(self, d_in, d_out, qkv_bias=False)`
# never says: The line that calls | output:
# line: def __init__(self, d_in, d_out, qkv_bias):
#: qkv_bias=False => qkv_bias

# %% qkv_bias_on_by_default: SelfAttention_v2, lost 1
# says: is `(self, d_in, d_out, qkv_bias=True)`, and in the release it is `(self, d_in, d_out, qkv_bias=False)`
# never says: output:
# line: def __init__(self, d_in, d_out, qkv_bias=True)
#: qkv_bias=False => qkv_bias=True

# %% bias_of_all_layers_forgotten: SelfAttention_v2, lost 1
# says: bias | qkv_bias
# never says: output: | The line that calls
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% bias_of_one_layer_forgotten: SelfAttention_v2, lost 1
# says: W_value
# never says: output:
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% qkv_bias_called_bias: SelfAttention_v2, lost 1
# says: is `(self, d_in, d_out, bias=False)`, and in the release it is `(self, d_in, d_out, qkv_bias=False)`
# never says: The line that calls
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=bias)
        self.W_key = nn.Linear(d_in, d_out, bias=bias)
        self.W_value = nn.Linear(d_in, d_out, bias=bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% a_forward_with_three_inputs: SelfAttention_v2, lost 3
# says: is `(self, queries, keys, values)`, and in the release it is `(self, x)`
# never says: The line that calls
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, queries, keys, values):
        q, k, v = self.W_query(queries), self.W_key(keys), self.W_value(values)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% scaled_without_a_default in numpy_attention: numpy_self_attention, lost 2
# says: is `(x, w_query, w_key, w_value, scaled)`, and in the release it is `(x, w_query, w_key, w_value, scaled=True)`
# line: def numpy_self_attention
def numpy_self_attention(x, w_query, w_key, w_value, scaled):
    q, k, v = numpy_project(x, w_query, w_key, w_value)
    s = numpy_scores(q, k)
    if scaled:
        s = s / np.sqrt(k.shape[1])
    return numpy_softmax(s) @ v

# %% never_scaled_unless_asked in numpy_attention: numpy_self_attention, lost 2
# says: is `(x, w_query, w_key, w_value, scaled=False)`, and in the release it is `(x, w_query, w_key, w_value, scaled=True)`
def numpy_self_attention(x, w_query, w_key, w_value, scaled=False):
    q, k, v = numpy_project(x, w_query, w_key, w_value)
    s = numpy_scores(q, k)
    if scaled:
        s = s / np.sqrt(k.shape[1])
    return numpy_softmax(s) @ v

# %% the_vocabulary_first in numpy_attention: token_indices, lost 1
# says: `(sentence, vocabulary)` | is `(vocabulary, sentence)`, and in the release it is `(sentence, vocabulary)`
# never says: look each word up
def token_indices(vocabulary, sentence):
    return torch.tensor([vocabulary[word] for word in sentence.split()])

# %% the_layer_first in numpy_attention: embed, lost 1
# says: `(indices, embedding)` | is `(embedding, indices)`, and in the release it is `(indices, embedding)`
# never says: number of a row
def embed(embedding, indices):
    return embedding(indices)

# %% values_in_front in scaled_dot_product: scaled_dot_product_attention, lost 3
# says: `(q, k, v)` | is `(v, k, q)`, and in the release it is `(q, k, v)`
# never says: The order inside
def scaled_dot_product_attention(v, k, q):
    w = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
    return w @ v, w

# %% the_width_first in scaled_dot_product: make_tokens, lost 1
# says: is `(d_model, max_sequence_length, scale=10.0)`, and in the release it is `(max_sequence_length, d_model, scale=10.0)`
def make_tokens(d_model, max_sequence_length, scale=10.0):
    return scale * torch.randn(max_sequence_length, d_model)

# %% other_names_in_the_right_order: attention_scores
# never says: another order | other arguments
def attention_scores(a, b):
    return a @ b.T

# %% other_names_in_the_right_order_and_a_mistake: attention_scores, lost 2
# says: themselves
# never says: another order | other arguments
def attention_scores(q, k):
    return q @ q.T

# %% the_same_default_as_a_whole_number in scaled_dot_product: make_tokens, lost 1
# says: torch.rand
# never says: has the default
def make_tokens(max_sequence_length, d_model, scale=10):
    return torch.rand(max_sequence_length, d_model) * scale

# %% an_option_more: scale_scores, lost 1
# never says: another order | mean something else | other arguments
def scale_scores(scores, d_k, factor=2.0):
    return scores / (factor * d_k)

# %% a_name_of_ones_own_for_an_option: SelfAttention_v2, lost 4
# says: Its argument `bias` | No line of `__init__` makes `qkv_bias`
# never says: Did you mean your argument
# fix: d_out, bias=False) => d_out, qkv_bias=False)
#: d_out, qkv_bias=False) => d_out, bias=False)
