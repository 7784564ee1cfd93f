# What is said where a mistake was found, what is said once, and small things around a file.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% divided_by_d_k_in_forward: SelfAttention_v1, lost 1.5
# says: d_k
# never says: another step | Leave the division
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        queries = x @ self.W_query
        keys = x @ self.W_key
        values = x @ self.W_value
        weights = torch.softmax(queries @ keys.T / keys.shape[1], dim=1)
        return weights @ values

# %% scaled_once_too_often_in_forward: SelfAttention_v2, lost 1.5
# says: once too often
# never says: another step | Leave the division
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = attention_scores(q, k) / k.shape[-1] ** 0.5
        return context_vectors(attention_weights(scale_scores(scores, k.shape[-1])), v)

# %% softmax_then_scaled_in_forward: SelfAttention_v2, lost 1.5
# says: softmax
# never says: other steps | This step only divides | Return the dot products
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(q @ k.T, dim=-1)
        return torch.softmax(weights / k.shape[-1] ** 0.5, dim=-1) @ v

# %% queries_and_keys_crossed_in_forward: SelfAttention_v2, lost 1.5
# says: the queries were made with W_key
# never says: what you return first
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        k, q, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% weights_come_back_from_v1: SelfAttention_v1, lost 3
# says: The attention weights came back
# never says: one product is missing
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)

# %% a_softmax_of_the_queries_in_forward: SelfAttention_v1, lost 1.5
# says: A softmax was taken of the queries
# never says: a step of its own
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = torch.softmax(x @ self.W_query, dim=-1)
        k, v = x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% scaled_twice_in_one_function in numpy_attention: numpy_self_attention, lost 1
# says: whatever `scaled` says
# never says: in this step | Leave the division
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    q, k, v = numpy_project(x, w_query, w_key, w_value)
    s = numpy_scores(q, k) / np.sqrt(k.shape[1])
    if scaled:
        s = s / np.sqrt(k.shape[1])
    return numpy_softmax(s) @ v

# %% scaled_twice_in_all_of_it in scaled_dot_product: scaled_dot_product_attention, lost 1.5
# never says: belongs to scaled_scores | the raw scores came back
def scaled_dot_product_attention(q, k, v):
    scores = raw_scores(q, k) / k.shape[-1] ** 0.5
    weights = attention_weights(scores / k.shape[-1] ** 0.5)
    return attention_output(weights, v), weights

# %% nothing_recorded_in_both_classes: SelfAttention_v2, lost 1
# says: The same as in `SelfAttention_v1`
# never says: Remark
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        with torch.no_grad():
            q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
            return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
# in: SelfAttention_v2
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        with torch.no_grad():
            q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
            return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% nothing_recorded_in_one_class: SelfAttention_v1, lost 0.5
# says: no gradient reaches any | no_grad() and NumPy cut the graph
# never says: Remark
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    @torch.no_grad()
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% a_warning_of_torch: attention_weights
# says: UserWarning: Implicit dimension choice
# never says: call it in Python yourself
def attention_weights(scaled_scores):
    return nn.functional.softmax(scaled_scores)

# %% variances_unscaled_like_the_scores: dot_product_variance, lost 1.5
# says: repeats what is wrong in `scale_scores` | costs half of what rests on the answer
# never says: computes nothing | does not depend
# in: scale_scores
def scale_scores(scores, d_k):
    return scores
# in: dot_product_variance
def dot_product_variance(queries, keys):
    products = (queries * keys).sum(dim=1)
    variance = products.var(correction=0)
    return variance, variance

# %% a_record_of_three: project
# never says: Remark | tuple of 3
class Projected:
    def __init__(self, queries, keys, values):
        self.three = [queries, keys, values]

    def __iter__(self):
        return iter(self.three)

def project(x, W_query, W_key, W_value):
    return Projected(x @ W_query, x @ W_key, x @ W_value)

# %% a_record_of_two: project, lost 1
# says: 3 parts (queries, keys, values) were expected
class Pair:
    def __init__(self, *parts):
        self.parts = parts

    def __iter__(self):
        yield from self.parts

def project(x, W_query, W_key, W_value):
    return Pair(x @ W_query, x @ W_key)

# %% a_helper_in_a_file_beside, lost 2
# says: imports `helper`, and there is no such module here | only one file is handed in
# line: from helper import row_softmax
# after: head
from helper import row_softmax
# in: attention_weights
def attention_weights(scaled_scores):
    return row_softmax(scaled_scores)

# %% a_printed_score: attention_score, lost 1
# says: `torch.tensor(1.8524)` is the first value that is not right
# never says: the documents print
def attention_score(query, key):
    return torch.tensor(1.8524)

# %% a_root_by_itself: scale_scores, lost 1
# says: There is no `sqrt` by itself | `math.sqrt` (for plain numbers)
def scale_scores(scores, d_k):
    return scores / sqrt(d_k)

# %% a_root_of_a_shape_by_itself in scaled_dot_product: scaled_scores, lost 1
# says: There is no `sqrt` by itself | `math.sqrt` (for plain numbers)
def scaled_scores(q, k):
    width = k.shape[-1]
    return q @ k.T / sqrt(width)

# %% an_exponential_by_itself: attention_weights, lost 2
# says: There is no `exp` by itself | `torch.exp` (for tensors)
def attention_weights(scaled_scores):
    powers = exp(scaled_scores)
    return powers / powers.sum(dim=-1, keepdim=True)

# %% an_exponential_by_itself_np in numpy_attention: numpy_softmax, lost 2
# says: There is no `exp` by itself | `np.exp` (for NumPy arrays)
def numpy_softmax(scores):
    powers = exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

# %% two_steps_each_without_an_argument: dot_product_variance, lost 3
# says: `dot_product_variance` never uses its argument `keys`
# never says: The same as in
# in: attention_weights
def attention_weights(scaled_scores):
    return torch.softmax(torch.ones(6, 6), dim=-1)
# in: dot_product_variance
def dot_product_variance(queries, keys):
    sums = queries.exp().sum(dim=-1)
    return sums.var(correction=0), sums.var(correction=0) / queries.shape[-1]
