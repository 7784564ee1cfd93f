# Names that are nearly right: of attributes, methods, functions, arguments and modules.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% and_between_tensors: attention_scores, lost 2
# says: `and` | one yes or no
# never says: has to be transposed
def attention_scores(queries, keys):
    return (k := keys.T) and queries @ k

# %% a_format_for_one_number: attention_scores, lost 2
# says: unsupported format string | `scores` is a tensor of shape
# never says: has to be transposed
def attention_scores(queries, keys):
    scores = queries @ keys.T
    print(f"scores: {scores:.2f}")
    return scores

# %% an_object_asked_for_names_of_ones_own: transfer_weights, lost 2
# says: It has `W_query`, `W_key` and `W_value` | The object has no `W_q`
# never says: (d_out, d_in)
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_q = nn.Parameter(sa_v2.W_q.weight.T)
    sa_v1.W_k = nn.Parameter(sa_v2.W_k.weight.T)
    sa_v1.W_v = nn.Parameter(sa_v2.W_v.weight.T)

# %% an_object_asked_for_what_it_does_not_have: transfer_weights, lost 2
# says: has no `projections`. It has `W_query` | The name `projections` in this line
# never says: (d_out, d_in)
def transfer_weights(sa_v2, sa_v1):
    sa_v1.load_state_dict(sa_v2.projections.state_dict())

# %% an_object_of_ones_own_asked_for_another_name: transfer_weights, lost 2
# says: It has `W_value`, `W_key`, `W_query` and `forward` | The object has no `W_querry`
# never says: (d_out, d_in)
def transfer_weights(sa_v2, sa_v1):
    check = SelfAttention_v1(3, 2)
    print(check.W_querry)
    with torch.no_grad():
        for name in ("W_query", "W_key", "W_value"):
            getattr(sa_v1, name).copy_(getattr(sa_v2, name).weight.T)

# %% a_class_where_an_object_belongs
# says: type object 'SelfAttention_v2' has no attribute
# line: SelfAttention_v2.W_query(inputs)
# in: SelfAttention_v2
# after: SelfAttention_v2
queries = SelfAttention_v2.W_query(inputs)

# %% a_class_in_its_own_method: SelfAttention_v1, lost 3
# says: `SelfAttention_v1` is the class | is the class SelfAttention_v1
#: queries = x @ self.W_query => queries = x @ SelfAttention_v1.W_query

# %% classes_in_place_of_the_objects_given: transfer_weights, lost 2
# says: `SelfAttention_v2` is the class | is the class SelfAttention_v2
# never says: (d_out, d_in)
# in: SelfAttention_v2
# in: transfer_weights
def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = nn.Parameter(SelfAttention_v2.W_query.weight.T)

# %% a_name_that_no_line_above_makes
# says: There is no `width_of_a_token` | an earlier line makes or imports it
# never says: as an argument, makes it itself
# line: torch.rand(width_of_a_token, 2)
# after: head
queries = torch.rand(width_of_a_token, 2)

# %% a_question_in_a_step: scale_scores, lost 1
# says: EOF when reading a line | asks a person, and nobody answers
def scale_scores(scores, d_k):
    d_k = int(input("d_k? "))
    return scores / d_k ** 0.5

# %% a_processor_of_another_machine: project, lost 1
# says: graphics processor | leave it out
# never says: x stands on the left
def project(x, W_query, W_key, W_value):
    x = x.cuda()
    return x @ W_query.cuda(), x @ W_key.cuda(), x @ W_value.cuda()

# %% a_device_of_another_machine: init_weights, lost 1
# says: graphics processor | leave it out
# never says: Is the seed set once
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out, device="mps"), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out, device="mps"), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out, device="mps"), requires_grad=False)
    return W_query, W_key, W_value

# %% a_method_of_numpy_not_called in numpy_attention: numpy_scores, lost 1
# says: `keys.transpose` is a function that was not called | `queries` is a NumPy array of shape (4, 3)
def numpy_scores(queries, keys):
    return queries @ keys.transpose

# %% a_step_without_return_used_by_another in numpy_attention: numpy_self_attention, lost 2
# says: This step calls your `numpy_softmax`, which is not right yet
# in: numpy_softmax
def numpy_softmax(scores):
    print(np.exp(scores))
# in: numpy_self_attention
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    scores = queries @ keys.T
    if scaled:
        scores = scores / np.sqrt(keys.shape[1])
    return numpy_softmax(scores) @ values

# %% a_layer_with_square_brackets in numpy_attention: embed, lost 1
# says: type Embedding | called with round ones
def embed(indices, embedding):
    return embedding[indices]

# %% a_tensor_of_a_generator in numpy_attention: token_indices, lost 1
# says: type generator | square brackets
def token_indices(sentence, vocabulary):
    return torch.tensor(vocabulary[word] for word in sentence.split())

# %% self_Wq: SelfAttention_v1, lost 4, as plain, percent
# says: self.Wq | W_query
# never says: nothing is stored
#: W_query => Wq
#: W_key => Wk
#: W_value => Wv

# %% w_query_small: SelfAttention_v1, lost 4, as percent, exported
# says: w_query | W_query
#: W_query => w_query
#: W_key => w_key
#: W_value => w_value

# %% W_Q: SelfAttention_v1, lost 4, as exported, notebook
# says: W_Q | W_query
#: W_query => W_Q
#: W_key => W_K
#: W_value => W_V

# %% query_weights: SelfAttention_v1, lost 4, as notebook, plain
# says: query_weights | W_query
#: W_query => query_weights
#: W_key => key_weights
#: W_value => value_weights

# %% v2_q_proj: SelfAttention_v2, lost 4, as plain, percent
# says: q_proj | W_query
#: W_query => q_proj
#: W_key => k_proj
#: W_value => v_proj

# %% v2_one_typo: SelfAttention_v2, lost 4, as percent, exported
# says: W_qeury | W_query
#-        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_qeury = nn.Linear(d_in, d_out, bias=qkv_bias)
#-        queries = self.W_query(x)
#+        queries = self.W_qeury(x)

# %% typo_in_forward: SelfAttention_v1, lost 3, as exported, notebook
# says: W_qurey | W_query
#: x @ self.W_query => x @ self.W_qurey

# %% typo_in_init: SelfAttention_v1, lost 4, as notebook, plain
# says: W_qurey | W_query
#: self.W_query = => self.W_qurey =

# %% foward: SelfAttention_v1, lost 3, as plain, percent
# says: foward | forward
#: def forward => def foward

# %% Forward: SelfAttention_v1, lost 3, as percent, exported
# says: Forward | forward
#: def forward => def Forward

# %% call_fwd: SelfAttention_v1, lost 3, as exported, notebook
# says: fwd | forward
#: def forward => def fwd

# %% _init_: SelfAttention_v1, lost 4, as notebook, plain
# says: _init_ | __init__
#: def __init__ => def _init_

# %% __int__: SelfAttention_v1, lost 4, as plain, percent
# says: __int__ | __init__
#: def __init__ => def __int__

# %% init: SelfAttention_v1, lost 4, as percent, exported
# says: init | __init__
#: def __init__ => def init

# %% v2__init: SelfAttention_v2, lost 4, as exported, notebook
# says: __init | __init__
#: def __init__ => def __init

# %% super_init_once: SelfAttention_v1, lost 4, as notebook, plain
# says: _init_ | __init__
#: super().__init__() => super()._init_()

# %% super_no_call: SelfAttention_v1, lost 4, as plain, percent
# says: brackets
#: super().__init__() => super().__init__

# %% super_no_brackets: SelfAttention_v1, lost 4, as percent, exported
# says: super()
#: super().__init__() => super.__init__()

# %% nested_forward: SelfAttention_v1, lost 3, as exported, notebook
# says: move `def forward` and its lines into the class
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

        def forward(self, x):
            keys = x @ self.W_key
            queries = x @ self.W_query
            values = x @ self.W_value
            attn_scores = queries @ keys.T
            attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
            context_vec = attn_weights @ values
            return context_vec

# %% forward_outside: SelfAttention_v1, lost 3, as notebook, plain
# says: move `def forward` and its lines into the class
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

def forward(self, x):
    keys = x @ self.W_key
    queries = x @ self.W_query
    values = x @ self.W_value
    attn_scores = queries @ keys.T
    attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
    context_vec = attn_weights @ values
    return context_vec

# %% W_key_without_self: SelfAttention_v1, lost 3, as plain, percent
# says: self.W_key
#: x @ self.W_key => x @ W_key

# %% W_key_global: SelfAttention_v1, lost 3, as percent, exported
# says: 5 is not 3 | `W_key` is a tensor of shape (3, 2), a variable of your file
#+W_key = torch.rand(3, 2)
#: keys = x @ self.W_key => keys = x @ W_key

# %% nn_parameter: SelfAttention_v1, lost 4, as exported, notebook
# says: nn.Parameter
#: nn.Parameter => nn.parameter

# %% nn_parameters: SelfAttention_v1, lost 4, as notebook, plain
# says: nn.Parameter
#: nn.Parameter => nn.Parameters

# %% nn_linear: SelfAttention_v2, lost 4, as plain, percent
# says: nn.Linear
#: nn.Linear => nn.linear

# %% require_grad: init_weights, lost 1, as percent, exported
# says: requires_grad
# never says: as in the release
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = torch.nn.Parameter(torch.rand(d_in, d_out), require_grad=False)
    W_key = torch.nn.Parameter(torch.rand(d_in, d_out), require_grad=False)
    W_value = torch.nn.Parameter(torch.rand(d_in, d_out), require_grad=False)
    return W_query, W_key, W_value

# %% requires_gradient_rand: init_weights, lost 1, as exported, notebook
# says: requires_grad
# never says: as in the release
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    return tuple(nn.Parameter(torch.rand(d_in, d_out, require_grad=False)) for _ in range(3))

# %% manualseed: init_weights, lost 1, as notebook, plain
# says: manual_seed
def init_weights(d_in, d_out, seed):
    torch.manualseed(seed)
    return tuple(nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) for _ in range(3))

# %% transpose_empty: attention_scores, lost 2, as plain, percent
# says: Its arguments: dim0, dim1 | `keys` is a tensor of shape (4, 6)
# never says: as in the release
def attention_scores(queries, keys):
    return queries @ keys.transpose()

# %% T_call: attention_scores, lost 2, as percent, exported
# says: brackets
def attention_scores(queries, keys):
    return queries @ keys.T()

# %% small_t: attention_scores, lost 2, as exported, notebook
# says: `queries` is a tensor of shape (5, 6) | `keys.t` is a function that was not called
def attention_scores(queries, keys):
    return queries @ keys.t

# %% np_transpose_kw: attention_scores, lost 2, as notebook, plain
# says: import numpy as np
def attention_scores(queries, keys):
    return np.dot(queries, keys.T)

# %% F_missing: attention_weights, lost 2, as plain, percent
# says: import torch.nn.functional as F
def attention_weights(scaled_scores):
    return F.softmax(scaled_scores, dim=-1)

# %% sofmax: attention_weights, lost 2, as percent, exported
# says: softmax
def attention_weights(scaled_scores):
    return torch.sofmax(scaled_scores, dim=-1)

# %% Softmax_capital: attention_weights, lost 2, as exported, notebook
# says: softmax
def attention_weights(scaled_scores):
    return torch.Softmax(scaled_scores, dim=-1)

# %% dims: attention_weights, lost 2, as notebook, plain
# says: `dim`
# never says: as in the release
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dims=-1)

# %% axis_ok_softmax: attention_weights, lost 2, as plain, percent
# says: `dim`
# never says: as in the release
def attention_weights(scaled_scores):
    return nn.functional.softmax(scaled_scores, axis=-1)

# %% np_keepdim in numpy_attention: numpy_softmax, lost 2, as percent, exported
# says: keepdims
# never says: as in the release
def numpy_softmax(scores):
    e = np.exp(scores - np.max(scores, axis=1, keepdim=True))
    return e / e.sum(axis=1, keepdims=True)

# %% np_keepdim_method in numpy_attention: numpy_softmax, lost 2, as exported, notebook
# says: keepdims
# never says: as in the release
def numpy_softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdim=True)

# %% np_dim in numpy_attention: numpy_softmax, lost 2, as notebook, plain
# says: axis
# never says: as in the release
def numpy_softmax(scores):
    e = np.exp(scores - scores.max(dim=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

# %% np_expp in numpy_attention: numpy_softmax, lost 2, as plain, percent
# says: There is `numpy.exp` | `numpy` has no `Exp`
def numpy_softmax(scores):
    e = np.Exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

# %% own_argument_names: SelfAttention_v1, lost 3, as percent, exported
# says: my_softmax
# never says: as in the release
#+def my_softmax(s):
#+    return torch.softmax(s, dim=-1)
#+
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = my_softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)

# %% biased_kw: SelfAttention_v2, lost 4, as exported, notebook
# says: `bias`
# never says: as in the release
#: bias=qkv_bias => biased=qkv_bias

# %% qkv_bias_to_linear: SelfAttention_v2, lost 4, as notebook, plain
# says: `bias`
# never says: as in the release
#: bias=qkv_bias => qkv_bias=qkv_bias

# %% arg_typo: attention_scores, lost 2, as plain, percent
# says: querys
def attention_scores(querys, keys):
    return queries @ keys.T

# %% arg_missing: scale_scores, lost 1, as percent, exported
# says: d_k
def scale_scores(scores):
    return scores / 2 ** 0.5

# %% embed_typo in numpy_attention: embed, lost 1, as exported, notebook
# says: embedding
def embed(indices, embedding):
    return embeddings(indices)

# %% split_without_call in numpy_attention: index_words, lost 1, as notebook, plain
# says: `sentence.split` is a function that was not called
def index_words(sentence):
    return dict(enumerate(sentence.split))

# %% append_none in numpy_attention: token_indices, lost 1, as plain, percent
# says: append
def token_indices(sentence, vocabulary):
    ids = []
    for word in sentence.split():
        ids = ids.append(vocabulary[word])
    return torch.tensor(ids)

# %% sort_none in numpy_attention: index_words, lost 1, as percent, exported
# says: reverse
def index_words(sentence):
    words = sentence.split().reverse()
    return dict(enumerate(words))

# %% dict_item in numpy_attention: reverse_dict, lost 1, as exported, notebook
# says: items
def reverse_dict(mapping):
    return {v: k for k, v in mapping.item()}

# %% dict_no_items in numpy_attention: reverse_dict, lost 1, as notebook, plain
# says: items
def reverse_dict(mapping):
    return {v: k for k, v in mapping}

# %% nn_softmax_dim: attention_weights, lost 2, as percent, exported
# says: an object of type Softmax | never uses its argument `scaled_scores`
def attention_weights(scaled_scores):
    return torch.nn.Softmax(dim=-1)

# %% nn_softmax_x_dim in scaled_dot_product: attention_weights, lost 1, as exported, notebook
# says: nn.Softmax
# never says: as in the release
def attention_weights(scores):
    return nn.Softmax(scores, dim=-1)

# %% nn_softmax_class: SelfAttention_v1, lost 3, as notebook, plain
# says: nn.Softmax
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = nn.Softmax(attn_scores / keys.shape[-1] ** 0.5)

# %% case_return: attention_scores, lost 2, as plain, percent
# says: return
def attention_scores(queries, keys):
    Return = queries @ keys.T

# %% power_times: scale_scores, lost 1, as percent, exported
# says: There is no `sqrt` by itself | `math.sqrt` (for plain numbers)
def scale_scores(scores, d_k):
    return scores / sqrt(d_k)

# %% shape_call: SelfAttention_v1, lost 3, as exported, notebook
# says: `keys.shape` is the tuple (4, 3)
#-        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
#+        attn_weights = torch.softmax(attn_scores / keys.shape(-1) ** 0.5, dim=-1)

# %% matmul_name: context_vectors, lost 1, as notebook, plain
# says: matmul
def context_vectors(weights, values):
    return torch.matmult(weights, values)

# %% values_missing_s: context_vectors, lost 1, as plain, percent
# says: values
def context_vectors(weights, values):
    return weights @ value

# %% x_dot_W in numpy_attention: numpy_project, lost 1, as percent, exported
# says: w_query
def numpy_project(x, w_query, w_key, w_value):
    return np.dot(x, W_query), np.dot(x, W_key), np.dot(x, W_value)

# %% self_in_function: project, lost 1, as exported, notebook
# says: self
def project(self, x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_value

# %% noself_forward: SelfAttention_v1, lost 3, as notebook, plain
# says: self
#: def forward(self, x): => def forward(x):

# %% noself_init: SelfAttention_v1, lost 4, as plain, percent
# says: self
#: def __init__(self, d_in, d_out): => def __init__(d_in, d_out):

# %% the_lectures_name_for_an_argument: context_vectors, lost 1, as plain, notebook
# says: Its argument `weights` | No line of `context_vectors` makes `attn_weights`
# never says: init_weights`?
def context_vectors(weights, values):
    return attn_weights @ values

# %% an_argument_renamed_in_the_first_line_only: project, lost 1, as plain, notebook
# says: No line of `project` makes `x`. Its argument `tokens` is never used
def project(tokens, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_value

# %% one_product_left_out: project, lost 1, as plain, notebook
# says: No line of `project` makes `values`.
# never says: There is no `values`. Did you mean your argument
#-    values = x @ W_value
