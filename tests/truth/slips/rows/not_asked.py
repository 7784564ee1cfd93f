# Parts that no step asks for, and parts in the wrong place.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% three_sizes_out_of_two_axes: SelfAttention_v1, lost 3, as notebook
# says: `x.shape` is the tuple (4, 5)
# never says: How many parts
# fix:         b, num_tokens, d_in = x.shape\n =>  | transpose(1, 2) => transpose(-2, -1)
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        attn_scores = queries @ keys.transpose(1, 2)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_weights @ values

# %% keys_transposed_as_in_a_batch: attention_scores, lost 2, as plain
# says: `keys` is a tensor of shape (4, 6) | There is no such axis here
# never says: has to be transposed
# fix: transpose(1, 2) => transpose(-2, -1)
def attention_scores(queries, keys):
    return queries @ keys.transpose(1, 2)

# %% keys_permuted_as_in_a_batch in scaled_dot_product: raw_scores, lost 1, as percent
# says: `k` is a tensor of shape (4, 6)
# never says: has to be transposed
# fix: permute(0, 2, 1) => transpose(-2, -1)
def raw_scores(q, k):
    return torch.matmul(q, k.permute(0, 2, 1))

# %% bmm_of_two_matrices: context_vectors, lost 1, as exported
# says: `weights` is a tensor of shape (7, 4) | `values` is a tensor of shape (4, 5)
# never says: Which shape
# fix: torch.bmm(weights, values) => weights @ values
def context_vectors(weights, values):
    return torch.bmm(weights, values)

# %% einsum_over_a_batch: attention_scores, lost 2, as notebook
# says: `queries` is a tensor of shape (5, 6) | `keys` is a tensor of shape (4, 6)
# never says: has to be transposed
def attention_scores(queries, keys):
    return torch.einsum("bqd,bkd->bqk", queries, keys)

# %% slices_of_three_axes: SelfAttention_v2, lost 3, as plain
# says: `self.W_key(x)` is a tensor of shape (3, 5)
# never says: name more axes
# fix: [:, :, :] => 
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        k = self.W_key(x)[:, :, :]
        q = self.W_query(x)
        v = self.W_value(x)
        return torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5, dim=-1) @ v

# %% a_mask_of_zeros: attention_weights, lost 2, as percent
# says: the outer call in `scaled_scores.masked_fill(mask == 0, 0)` does not belong there.
# never says: dim=-1).
def attention_weights(scaled_scores):
    mask = torch.tril(torch.ones(scaled_scores.shape))
    scaled_scores = scaled_scores.masked_fill(mask == 0, 0)
    return torch.softmax(scaled_scores, dim=-1)

# %% a_mask_that_multiplies: attention_weights, lost 2, as exported
# says: of shape (6, 7) | `mask` is a tensor of shape (6, 6), made in line | `torch.softmax(scaled_scores, dim=-1)` is a tensor of shape (6, 7)
# never says: matrix product meant
def attention_weights(scaled_scores):
    n = scaled_scores.shape[0]
    mask = torch.tril(torch.ones(n, n))
    return torch.softmax(scaled_scores, dim=-1) * mask

# %% a_mask_by_indices in numpy_attention: numpy_self_attention, lost 2, as notebook
# says: `scores + mask` is the first value that is not right | `scores` is right
# never says: must differ
# line: scores + mask
def numpy_self_attention(X, WQ, WK, WV, bidir=False):
    K = X @ WK
    Q = X @ WQ
    V = X @ WV
    scores = Q @ K.T
    if not bidir:
        mask = np.zeros(scores.shape)
        mask[np.triu_indices(scores.shape[0], 1)] = -np.inf
        scores = scores + mask
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    alpha = e / e.sum(axis=1, keepdims=True)
    return alpha @ V

# %% dropout_in_the_class: SelfAttention_v1, lost 3, as plain
# says: the outer call in `self.dropout(attn_weights)` does not belong there.
# line: self.dropout(attn_weights)
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out, dropout=0.5):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        return attn_weights @ values

# %% dropout_as_a_function: attention_weights, lost 2, as percent
# says: `torch.nn.functional.dropout(w, 0.1)`
# never says: Perhaps
# fix: torch.nn.functional.dropout(w, 0.1) => w
def attention_weights(scaled_scores):
    w = torch.softmax(scaled_scores, dim=-1)
    return torch.nn.functional.dropout(w, 0.1)

# %% weights_in_place_of_scores: attention_scores, lost 2, as exported
# says: already weights
# never says: has to be transposed
def attention_scores(queries, keys):
    scores = queries @ keys.T
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)

# %% weights_in_place_of_raw_scores in scaled_dot_product: raw_scores, lost 1, as notebook
# says: already weights
# never says: has to be transposed
def raw_scores(q, k):
    return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)

# %% a_projection_of_the_output: SelfAttention_v2, lost 3, as plain
# says: the outer call in `self.out_proj(w @ v)` does not belong there.
# line: self.out_proj(w @ v)
# fix: self.out_proj(w @ v) => w @ v |         self.out_proj = nn.Linear(d_out, d_out)\n => 
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        k = self.W_key(x)
        q = self.W_query(x)
        v = self.W_value(x)
        w = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
        return self.out_proj(w @ v)

# %% a_norm_of_the_output: SelfAttention_v1, lost 3, as percent
# says: the outer call in `self.norm(context_vectors(attention_weights(scale_scores(att ...` does not belong there. | `self.norm(context_vectors(
# line: self.norm(context_vectors
# fix: self.norm(context_vectors => (context_vectors |         self.norm = nn.LayerNorm(d_out)\n => 
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.norm = nn.LayerNorm(d_out)

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return self.norm(context_vectors(attention_weights(scale_scores(attention_scores(q, k), k.shape[-1])), v))

# %% one_layer_for_all_three: SelfAttention_v2, lost 4, as exported
# says: It stores `self.qkv`
# never says: plain variable
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        w = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
        return w @ v

# %% a_layer_of_torch_for_all: SelfAttention_v2, lost 4, as notebook
# says: `self.mha`
# never says: plain variable
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.mha = nn.MultiheadAttention(d_in, 1, bias=qkv_bias)

    def forward(self, x):
        out, _ = self.mha(x, x, x)
        return out

# %% frozen_matrices_in_the_class: SelfAttention_v1, lost 1.5, as plain
# says: Are the matrices trainable?
# never says: Perhaps
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = init_weights(d_in, d_out, 123)

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return context_vectors(attention_weights(scale_scores(attention_scores(q, k), k.shape[-1])), v)

# %% a_seed_in_the_class: SelfAttention_v1, lost 1, as percent
# says: Set no seed in the class.
# never says: Perhaps
# fix:         torch.manual_seed(123)\n => 
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        torch.manual_seed(123)
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return context_vectors(attention_weights(scale_scores(attention_scores(q, k), k.shape[-1])), v)

# %% a_switch_without_its_s: init_weights, lost 1, as exported
# says: requires_grad, with an s
# never says: Perhaps
# fix: require_grad => requires_grad
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    ws = []
    for _ in range(3):
        w = nn.Parameter(torch.rand(d_in, d_out))
        w.require_grad = False
        ws.append(w)
    return tuple(ws)

# %% a_softmax_after_the_product: SelfAttention_v1, lost 3, as notebook
# says: The scores blended the values, and the softmax was taken of the result
# never says: Two mistakes
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        s = q @ k.T / k.shape[-1] ** 0.5
        z = s @ v
        return torch.softmax(z, dim=-1)

# %% one_of_three_drawn_with_randn: init_weights, lost 1, as plain
# says: in `torch.randn(d_in, d_out)` another function belongs there.
# never says: Perhaps
# fix: randn => rand
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.randn(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% a_seed_after_the_first_draw: init_weights, lost 1, as percent
# says: `W_query = nn.Parameter(torch.rand(d_in, d_out), requires_gra ...` and the line after it should be exchanged.
# line: W_query = nn.Parameter(torch.rand(d_in, d_out), requires
def init_weights(d_in, d_out, seed):
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    torch.manual_seed(seed)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% a_seed_set_again: init_weights, lost 1, as exported
# says: Is the seed set once
# never says: must differ
def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    torch.manual_seed(seed)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value

# %% an_activation_behind_the_projection: SelfAttention_v1, lost 3, as plain
# says: the outer call in `torch.relu(x @ self.W_key)` does not belong there.
# line: torch.relu(
# fix: torch.relu(x @ self.W_key) => x @ self.W_key
#: x @ self.W_key => torch.relu(x @ self.W_key)

# %% a_mask_that_no_call_asks_for in scaled_dot_product: scaled_dot_product_attention, lost 3, as percent
# says: numbers are not right
# never says: leave the mask out
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / 1.9
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights

# %% numpys_seed_for_torchs_numbers: init_weights, lost 1, as exported
# says: torch.rand draws from no other generator
# fix: np.random.seed => torch.manual_seed
def init_weights(d_in, d_out, seed):
    np.random.seed(seed)
    return tuple(nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) for _ in range(3))
# after: head
import numpy as np

# %% dropout_made_in_the_file in scaled_dot_product: scaled_dot_product_attention, lost 3
# says: the outer call in `drop(weights)` does not belong there.
# line: drop(weights)
# fix: drop(weights) => weights
drop = nn.Dropout(0.2)


def scaled_dot_product_attention(q, k, v):
    weights = attention_weights(scaled_scores(q, k))
    weights = drop(weights)
    return weights @ v, weights

# %% seed_before_each_layer in scaled_dot_product: make_projections, lost 1
# says: a seed inside the function gives other numbers
# never says: documents' own inputs
def make_projections(d_model):
    torch.manual_seed(seed)
    w_query = nn.Linear(d_model, d_model)
    torch.manual_seed(seed)
    w_key = nn.Linear(d_model, d_model)
    torch.manual_seed(seed)
    w_value = nn.Linear(d_model, d_model)
    return w_query, w_key, w_value

# %% root_of_a_number_in_a_variance in scaled_dot_product: score_variances, lost 2
# says: `before / math.sqrt(16)` is the first value that is not right | `before` is right
# line: math.sqrt(16)
def score_variances(q, k):
    before = q @ k.T
    after = before / math.sqrt(16)
    return {"q": q.var(), "k": k.var(), "raw_scores": before.var(), "scaled_scores": after.var()}

# %% divided_by_a_number_in_a_variance in scaled_dot_product: score_variances, lost 2
# says: `before / 4` is the first value that is not right | `before` is right
# line: before / 4
def score_variances(q, k):
    before = q @ k.T
    after = before / 4
    return {"q": q.var(), "k": k.var(), "raw_scores": before.var(), "scaled_scores": after.var()}
