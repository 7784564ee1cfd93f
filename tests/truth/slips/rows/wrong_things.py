# A wrong thing used: a variable, a size, a number, a function.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% rows_counted_by_the_keys: attention_scores, lost 2
# says: (`enumerate(queries)`) | `torch.empty(keys.shape[0], len(keys))` | `j` is from the loop of line | `torch.dot(query, key)` is a tensor of shape ()
# never says: written into the code
# line: torch.empty(keys.shape[0], len(keys))
def attention_scores(queries, keys):
    scores = torch.empty(keys.shape[0], len(keys))
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = torch.dot(query, key)
    return scores

# %% a_number_of_columns_written_into_the_code: attention_scores, lost 2
# says: `torch.empty(len(queries), 2)` | `j` is from the loop of line | `torch.dot(queries[i], keys[j])` is a tensor of shape ()
# line: torch.empty(len(queries), 2)
def attention_scores(queries, keys):
    scores = torch.empty(len(queries), 2)
    for i in range(len(queries)):
        for j in range(len(keys)):
            scores[i, j] = torch.dot(queries[i], keys[j])
    return scores

# %% weights_and_values_not_multiplied: SelfAttention_v1, lost 3
# says: the attention weights and the values | `weights @ values` is missing
# never says: unchanged | Two mistakes
#: return context_vec => return attn_weights, values

# %% unscaled_weights_and_values_not_multiplied: SelfAttention_v1, lost 3
# says: is the first value that is not right
# never says: unchanged
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores
#: return context_vec => return attn_weights, values

# %% layers_in_v1: SelfAttention_v1, lost 2
# says: each an nn.Parameter around the numbers of torch.rand | nn.Parameter around
# never says: drawing function
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

# %% inputs_for_x: SelfAttention_v1, lost 3, as exported, notebook
# says: `inputs`
#: x @ self.W_key => inputs @ self.W_key

# %% inputs_for_all: SelfAttention_v1, lost 3, as notebook, plain
# says: `inputs` | `x`
#: x @ => inputs @

# %% project_inputs: project, lost 1, as plain, percent
# says: `inputs` | `x`
def project(x, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value

# %% scores_global_keys: attention_scores, lost 2, as percent, exported
# says: `queries`
keys = torch.rand(6, 2)
queries = torch.rand(6, 2)
def attention_scores(q, k):
    return queries @ keys.T

# %% scale_global_dk: scale_scores, lost 1, as exported, notebook
# says: d_k
d_k = 2
def scale_scores(scores, d):
    return scores / d_k ** 0.5

# %% scale_global_d_out: scale_scores, lost 1, as notebook, plain
# says: `d_out` | `d_k`
d_out = 2
def scale_scores(scores, d_k):
    return scores / d_out ** 0.5

# %% weights_later_variable: attention_weights, lost 2, as plain, percent
# says: `attn_scores_2` | `scaled_scores`
def attention_weights(scaled_scores):
    return torch.softmax(attn_scores_2, dim=-1)

attn_scores_2 = torch.tensor([[1.27, 1.85, 1.81, 1.08, 0.56, 1.54]])

# %% context_later: context_vectors, lost 1, as percent, exported
# says: `all_values` | `values`
def context_vectors(weights, values):
    return weights @ all_values
all_values = torch.rand(6, 2)

# %% hard_sizes: SelfAttention_v1, lost 4, as exported, notebook
# says: `W_query` has shape (3, 2); (5, 3) was expected | makes it: `nn.Parameter(torch.rand(3, 2))`
# line: self.W_query = nn.Parameter(
#: torch.rand(d_in, d_out) => torch.rand(3, 2)

# %% v2_hard_sizes: SelfAttention_v2, lost 4, as notebook, plain
# says: nn.Linear(3, 2
#: nn.Linear(d_in, d_out => nn.Linear(3, 2

# %% scores_blended: SelfAttention_v1, lost 3, as plain, percent
# says: scores
# never says: Two mistakes
#: attn_weights @ values => attn_scores @ values

# %% v2_scores_blended: SelfAttention_v2, lost 3, as percent, exported
# says: scores
# never says: Two mistakes
#: attn_weights @ values => attn_scores @ values

# %% scores_blended_fn in scaled_dot_product: scaled_dot_product_attention, lost 3, as exported, notebook
# says: scores
# never says: Two mistakes
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T
    weights = torch.softmax(scores / math.sqrt(k.shape[-1]), dim=-1)
    return scores @ v, weights

# %% scaled_blended_fn in scaled_dot_product: scaled_dot_product_attention, lost 3, as notebook, plain
# says: scores
# never says: Two mistakes
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return scores @ v, weights

# %% k_dim: SelfAttention_v1, lost 1.5, as plain, percent
# says: keys.dim()
#: keys.shape[-1] ** 0.5 => keys.dim() ** 0.5

# %% len_shape: SelfAttention_v1, lost 1.5, as percent, exported
# says: len(keys.shape)
#: keys.shape[-1] ** 0.5 => len(keys.shape) ** 0.5

# %% ndim: SelfAttention_v1, lost 1.5, as exported, notebook
# says: keys.ndim
#: keys.shape[-1] ** 0.5 => keys.ndim ** 0.5

# %% len_keys: SelfAttention_v1, lost 1.5, as notebook, plain
# says: len(keys)
#: keys.shape[-1] ** 0.5 => len(keys) ** 0.5

# %% d_k_dim in scaled_dot_product: scaled_scores, lost 1, as plain, percent
# says: k.dim()
def scaled_scores(q, k):
    return q @ k.T / math.sqrt(k.dim())

# %% d_len_shape in numpy_attention: scaled_scores, lost 1, as percent, exported
# says: len(K.shape)
def scaled_scores(Q, K):
    return Q @ K.T / math.sqrt(len(K.shape))

# %% n_ndim in numpy_attention: numpy_self_attention, lost 2, as exported, notebook
# says: k.ndim
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    s = q @ k.T
    if scaled:
        s = s / np.sqrt(k.ndim)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v

# %% max_above_only: attention_weights, lost 2, as notebook, plain
# says: maximum | only
def attention_weights(scaled_scores):
    top = torch.exp(scaled_scores - scaled_scores.max(dim=-1, keepdim=True).values)
    return top / torch.exp(scaled_scores).sum(dim=-1, keepdim=True)

# %% max_above_only_np in numpy_attention: numpy_softmax, lost 2, as plain, percent
# says: only
def numpy_softmax(scores):
    top = np.exp(scores - scores.max(axis=1, keepdims=True))
    return top / np.exp(scores).sum(axis=1, keepdims=True)

# %% max_below_only_np in numpy_attention: numpy_softmax, lost 2, as percent, exported
# says: only
def numpy_softmax(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(shifted).sum(axis=1, keepdims=True)

# %% keepdims_forgotten_np in numpy_attention: numpy_softmax, lost 2, as exported, notebook
# says: keepdims
def numpy_softmax(scores):
    e = np.exp(scores - np.max(scores, axis=1))
    return e / np.sum(e, axis=1)

# %% keepdims_forgotten_np_inline in numpy_attention: numpy_self_attention, lost 1, as notebook, plain
# says: keepdims
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    s = q @ k.T
    if scaled:
        s = s / np.sqrt(k.shape[1])
    e = np.exp(s - s.max(axis=1))
    return e / e.sum(axis=1) @ v

# %% keepdim_forgotten: attention_weights, lost 2, as plain, percent
# says: keepdim
def attention_weights(scaled_scores):
    e = torch.exp(scaled_scores)
    return e / e.sum(dim=-1)

# %% keepdim_forgotten_var: attention_weights, lost 2, as percent, exported
# says: keepdim
def attention_weights(scaled_scores):
    e = torch.exp(scaled_scores)
    total = e.sum(dim=-1)
    return e / total

# %% max_values: attention_weights, lost 2, as exported, notebook
# says: .values
def attention_weights(scaled_scores):
    e = torch.exp(scaled_scores - scaled_scores.max(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)

# %% keepdim_class: SelfAttention_v1, lost 1.5, as notebook, plain
# says: keepdim
#: torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1) => (attn_scores / keys.shape[-1] ** 0.5).exp() / (attn_scores / keys.shape[-1] ** 0.5).exp().sum(-1)

# %% comma: scale_scores, lost 1, as plain, percent
# says: `scores / d_k ** 0,5` (line | makes a tuple | point
# line: return scores / d_k ** 0,5
def scale_scores(scores, d_k):
    return scores / d_k ** 0,5

# %% comma_class: SelfAttention_v1, lost 3, as percent, exported
# says: point
#: keys.shape[-1] ** 0.5 => keys.shape[-1] ** 0,5

# %% comma_d in scaled_dot_product: scaled_scores, lost 1, as exported, notebook
# says: `scale` is the tuple (1, 5), made in line | (`d_k ** 0,5`)
def scaled_scores(q, k):
    d_k = k.shape[-1]
    scale = d_k ** 0,5
    return q @ k.T / scale

# %% one_tensor: project, lost 1, as notebook, plain
# says: One tensor | queries, keys, values
# never says: 5 parts
def project(x, W_query, W_key, W_value):
    return x @ W_query

# %% one_tensor_np in numpy_attention: numpy_project, lost 1, as plain, percent
# says: One array
def numpy_project(x, w_query, w_key, w_value):
    return x @ w_query

# %% one_tensor_cat: project, lost 1, as percent, exported
# says: One tensor
def project(x, W_query, W_key, W_value):
    return torch.cat([x @ W_query, x @ W_key, x @ W_value])

# %% sum_three: project, lost 1, as exported, notebook
# says: One tensor
def project(x, W_query, W_key, W_value):
    return x @ W_query @ W_key.T @ W_value

# %% helper_none: attention_weights, lost 2, as notebook, plain
# says: `softmax_by_hand` | return
def softmax_by_hand(z):
    e = torch.exp(z - z.max(dim=-1, keepdim=True).values)
    e / e.sum(dim=-1, keepdim=True)

def attention_weights(scaled_scores):
    return softmax_by_hand(scaled_scores)

# %% helper_none_used: context_vectors, lost 1, as plain, percent
# says: `transposed` | return
def transposed(m):
    m = m.T

def context_vectors(weights, values):
    w = transposed(weights)
    return w.T @ values

# %% helper_prints: SelfAttention_v1, lost 3, as percent, exported
# says: `weights_of` | return
#+def weights_of(s):
#+    print(torch.softmax(s, dim=-1))
#+
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = weights_of(attn_scores / keys.shape[-1] ** 0.5)

# %% dk_times_half: scale_scores, lost 1, as exported, notebook
# says: d_k*0.5
# never says: 1/2
def scale_scores(scores, d_k):
    return scores / (d_k*0.5)

# %% dk_pow_half: scale_scores, lost 1, as notebook, plain
# says: d_k**1/2
# never says: 0.5 is half
def scale_scores(scores, d_k):
    scale = d_k**1/2
    return scores / scale

# %% dk_half_div: scale_scores, lost 1, as plain, percent
# says: half
# never says: **1/2
def scale_scores(scores, d_k):
    return scores / (d_k / 2)

# %% dk_pow_inline: scale_scores, lost 1, as percent, exported
# says: first wrong value | `scores / d_k ** 1`
def scale_scores(scores, d_k):
    return scores / d_k ** 1/2

# %% dk_times2: scale_scores, lost 1, as exported, notebook
# says: 2
# never says: **1/2
def scale_scores(scores, d_k):
    return scores / (2 * d_k)

# %% d_dk_times_half in scaled_dot_product: scaled_scores, lost 1, as notebook, plain
# says: * 0.5
# never says: 1/2
def scaled_scores(q, k):
    return q @ k.T / (k.shape[-1] * 0.5)

# %% unused_keys: attention_scores, lost 2, as plain, percent
# says: `attention_scores` never uses its argument `keys`.
def attention_scores(queries, keys):
    return queries @ queries.flip(0).T

# %% unused_weights: context_vectors, lost 1, as percent, exported
# says: `weights`
def context_vectors(weights, values):
    return values * 2

# %% unused_dk: scale_scores, lost 1, as exported, notebook
# says: `d_k`
def scale_scores(scores, d_k):
    return scores * 0.37

# %% probability_called_like_a_layer in causal_multihead: CausalAttention, lost 3.5
# says: `self.dropout` is a number (float), made in line | `attn_weights` is a tensor of shape (3, 4, 4)
# line: self.dropout(attn_weights)
#: self.dropout = nn.Dropout(dropout) => self.dropout = dropout

# %% number_called_for_a_product: SelfAttention_v1, lost 3
# says: `self.scale` is a number (float), made in line | `attn_scores` is a tensor of shape (4, 4)
# line: self.scale(attn_scores)
#: self.W_query = nn.Parameter(torch.rand(d_in, d_out)) => self.W_query = nn.Parameter(torch.rand(d_in, d_out)); self.scale = d_out**-0.5
#: attn_scores / keys.shape[-1] ** 0.5 => self.scale(attn_scores)

# %% matrix_called_like_a_layer: SelfAttention_v1, lost 3
# says: `self.W_key` is a Parameter of shape (5, 3), made in line | `x` is a tensor of shape (4, 5)
# never says: is an operator missing
#: x @ self.W_key => self.W_key(x)

# %% number_called_around_a_layer in causal_multihead: CausalAttention, lost 3.5
# says: `self.scale` is a number (float), made in line | `self.W_query(x)` is a tensor of shape (3, 4, 5)
# line: self.scale(self.W_query(x))
#: self.dropout = nn.Dropout(dropout) => self.dropout = nn.Dropout(dropout); self.scale = 1.0
#: queries = self.W_query(x) => queries = self.scale(self.W_query(x))

# %% whole_numbers_drawn in scaled_dot_product: make_tokens, lost 1
# never says: is not one number
def make_tokens(max_sequence_length, d_model, scale=10.0):
    return torch.randint(0, 10, (max_sequence_length, d_model)) * scale

# %% function_that_numpy_lacks in numpy_attention: numpy_softmax, lost 2
# says: `numpy` has no `softmax`. There is `torch.softmax`
# never says: It is `torch.softmax`
# fix: np.softmax(scores, axis=-1) => np.exp(scores - scores.max(-1)[:, None]) / np.exp(scores - scores.max(-1)[:, None]).sum(-1)[:, None]
def numpy_softmax(scores):
    return np.softmax(scores, axis=-1)

# %% letters_looked_up in numpy_attention: token_indices, lost 1
# says: `vocabulary` is a dict with 16 entries | `word` is the text 'E'
# fix: in sentence] => in sentence.split()]
def token_indices(sentence, vocabulary):
    return torch.tensor([vocabulary[word] for word in sentence])

# %% dictionary_that_grows_in_its_loop in numpy_attention: reverse_dict, lost 1
# says: dictionary changed size during iteration | `mapping.items()`
def reverse_dict(mapping):
    for number, word in mapping.items():
        mapping[word] = number
    return mapping

# %% operator_left_out_behind_a_layer in causal_multihead: CausalAttention, lost 3.5
# says: `self.dropout(attn_weights)` is a tensor of shape | What belongs between the two? An operator such as `@` or `*` may be missing
# never says: holds numbers
# fix: (attn_weights)(values) => (attn_weights)
#: attn_weights = self.dropout(attn_weights) => attn_weights = self.dropout(attn_weights)(values)
