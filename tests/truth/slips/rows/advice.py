# Advice that names code, and the edit that follows it: with it the submission gets all points.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% advised_to_name_the_module: scale_scores, lost 1, as plain, notebook
# says: There is no `sqrt` by itself | `math.sqrt` (for plain numbers)
# fix: sqrt(d_k) => math.sqrt(d_k)
def scale_scores(scores, d_k):
    return scores / sqrt(d_k)

# %% advised_to_name_torch: attention_weights, lost 2, as plain, notebook
# says: There is no `softmax` by itself | `torch.softmax` (for tensors)
# fix: softmax(scaled => torch.softmax(scaled
def attention_weights(scaled_scores):
    return softmax(scaled_scores, dim=-1)

# %% advised_to_import_numpy: scale_scores, lost 1, as plain
# says: `np` is not imported | The line `import numpy as np` is missing
# fix: import math => import math\nimport numpy as np
# in: scale_scores
def scale_scores(scores, d_k):
    return scores / np.sqrt(d_k)
# after: head
import math

# %% advised_to_write_a_constant: init_weights, lost 1, as plain
# says: There is no `false`. Did you mean `False`?
# fix: false => False
#: W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) => W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=false)

# %% advised_to_write_self: SelfAttention_v1, lost 3, as plain
# says: There is no variable `W_key` here. The module has `self.W_key`
# fix: x @ W_key => x @ self.W_key
#: x @ self.W_key => x @ W_key

# %% advised_of_an_own_name: context_vectors, lost 1, as plain
# says: There is no `weigths`. Did you mean `weights`?
# fix: weigths @ => weights @
def context_vectors(weights, values):
    return weigths @ values

# %% advised_of_a_usual_name: attention_scores, lost 2, as plain
# says: Did you mean `range`
# fix: rnage => range
def attention_scores(queries, keys):
    scores = torch.zeros(len(queries), len(keys))
    for i in rnage(len(queries)):
        scores[i] = keys @ queries[i]
    return scores

# %% advised_of_a_name_in_a_module: attention_weights, lost 2, as plain
# says: There is `torch.softmax` | `torch` has no `sofmax`
# fix: torch.sofmax => torch.softmax
def attention_weights(scaled_scores):
    return torch.sofmax(scaled_scores, dim=-1)

# %% advised_of_another_module: SelfAttention_v2, lost 4, as plain
# says: There is `nn.Linear` | `torch` has no `Linear`
# fix: torch.Linear => nn.Linear
#: self.W_key = nn.Linear => self.W_key = torch.Linear

# %% advised_of_an_attribute: attention_scores, lost 2, as plain
# says: Did you mean `transpose`
# fix: keys.tranpose => keys.transpose
def attention_scores(queries, keys):
    return queries @ keys.tranpose(0, 1)

# %% advised_of_brackets_after_super: SelfAttention_v1, lost 4, as plain
# says: write `super().__init__()`
# fix: super.__init__() => super().__init__()
#: super().__init__() => super.__init__()

# %% advised_of_underscores_after_super: SelfAttention_v1, lost 4, as plain
# says: `__init__` | `super()` has no `_init_`
# fix: super()._init_() => super().__init__()
#: super().__init__() => super()._init_()

# %% advised_of_what_super_has: SelfAttention_v1, lost 4, as plain
# says: `super()` has no `reshape` | In `__init__` it is `super().__init__()`
# never says: underscores
# fix: super().reshape(2) => super().__init__()
#: super().__init__() => super().reshape(2)

# %% advised_of_one_of_several in causal_multihead: MultiHeadAttentionWrapper, lost 1.5, as plain
# says: There is no variable `head` here. The module has `self.heads` | or a part of it
# never says: stores it as
# line: return head(x)
# fix: return head(x) => return torch.cat([head(x) for head in self.heads], dim=-1)
#: return torch.cat([head(x) for head in self.heads], dim=-1) => return head(x)

# %% advised_of_underscores: SelfAttention_v1, lost 4, as plain
# says: rename `_init_` to `__init__`
# fix: def _init_( => def __init__(
#: def __init__( => def _init_(

# %% advised_of_forward: SelfAttention_v1, lost 3, as plain
# says: rename `foward` to `forward`
# fix: def foward( => def forward(
#: def forward( => def foward(

# %% advised_of_the_object_itself: SelfAttention_v1, lost 3, as plain
# says: `SelfAttention_v1` is the class | is the class SelfAttention_v1
# fix: x @ SelfAttention_v1.W_value => x @ self.W_value
#: x @ self.W_value => x @ SelfAttention_v1.W_value

# %% advised_to_make_an_object, as plain
# says: type object 'SelfAttention_v1' has no attribute
# fix: print(SelfAttention_v1.W_query) => d_in, d_out = 3, 2\nmodel = SelfAttention_v1(d_in, d_out)\nprint(model.W_query)
# after: SelfAttention_v1
print(SelfAttention_v1.W_query)

# %% advised_of_a_keyword: attention_weights, lost 2, as plain
# says: It is called `dim`
# fix: dims=-1 => dim=-1
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dims=-1)

# %% advised_of_the_order: context_vectors, lost 1, as plain
# says: write `(weights, values)`
# fix: (values, weights) => (weights, values)
def context_vectors(values, weights):
    return weights @ values

# %% advised_of_the_meaning: SelfAttention_v1, lost 4, as plain
# says: Its sizes are not those that this step was given | makes it: `nn.Parameter(torch.rand(d_model, d_model))`
# fix: self, d_model=2, row_dim=0, col_dim=1 => self, d_in, d_out
# fix: d_model, d_model => d_in, d_out
# fix: self.row_dim, self.col_dim = row_dim, col_dim => self.row_dim, self.col_dim = 0, 1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_model, d_model))
        self.W_key = nn.Parameter(torch.rand(d_model, d_model))
        self.W_value = nn.Parameter(torch.rand(d_model, d_model))
        self.row_dim, self.col_dim = row_dim, col_dim

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        sims = q @ k.transpose(self.row_dim, self.col_dim) / k.shape[self.col_dim] ** 0.5
        return torch.softmax(sims, dim=self.col_dim) @ v

# %% advised_of_a_default: SelfAttention_v2, lost 1, as plain
# says: is `(self, d_in, d_out, qkv_bias)`, and in the release it is `(self, d_in, d_out, qkv_bias=False)`
# fix: qkv_bias): => qkv_bias=False):
#: qkv_bias=False => qkv_bias

# %% advised_of_another_default: SelfAttention_v2, lost 1, as plain
# says: is `(self, d_in, d_out, qkv_bias=True)`, and in the release it is `(self, d_in, d_out, qkv_bias=False)`
# fix: qkv_bias=True => qkv_bias=False
#: qkv_bias=False => qkv_bias=True

# %% advised_of_a_point: scale_scores, lost 1, as plain
# says: `scores / d_k ** 0,5` (line | makes a tuple | decimal number is written with a point
# line: 0,5
# fix: 0,5 => 0.5
def scale_scores(scores, d_k):
    return scores / d_k ** 0,5

# %% advised_of_zeros: context_vectors, lost 1, as plain
# says: `torch.zeros` starts with zeros
# fix: torch.empty => torch.zeros
def context_vectors(weights, values):
    out = torch.empty(weights.shape[0], values.shape[1])
    for j in range(values.shape[0]):
        out += torch.outer(weights[:, j], values[j])
    return out

# %% advised_of_names_of_matrices: SelfAttention_v1, lost 4, as plain
# says: Rename `self.Wq` to `self.W_query` | `self.Wk` to `self.W_key`
# fix: self.Wq => self.W_query
# fix: self.Wk => self.W_key
# fix: self.Wv => self.W_value
#: self.W_query => self.Wq
#: self.W_key => self.Wk
#: self.W_value => self.Wv

# %% advised_to_store_a_matrix: SelfAttention_v1, lost 4, as plain
# says: `self.W_key = ...` stores it
# fix: matrix_key = nn => self.W_key = nn
#: self.W_key = nn => matrix_key = nn

# %% advised_to_store_a_number: SelfAttention_v1, lost 3, as plain
# says: `self.root = ...` stores it
# fix: root = d_out**0.5 => self.root = d_out**0.5
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        root = d_out**0.5

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / self.root, dim=-1) @ v

# %% advised_to_store_an_argument: SelfAttention_v1, lost 3, as plain
# says: only `__init__` knows it | `self.d_out = ...` stores it
# fix: super().__init__() => super().__init__()\n        self.d_out = d_out
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / self.d_out ** 0.5, dim=-1) @ v

# %% advised_to_store_what_is_in_a_list: SelfAttention_v1, lost 4, as plain
# says: `self.W_query = ...` stores it
# fix: self.matrices = matrices => self.W_query, self.W_key, self.W_value = matrices
# fix: = self.matrices => = self.W_query, self.W_key, self.W_value
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        matrices = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
        self.matrices = matrices

    def forward(self, x):
        a, b, c = self.matrices
        q, k, v = x @ a, x @ b, x @ c
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% advised_to_stack_rows: context_vectors, lost 1, as plain
# says: yours is a list | The numbers in it are right | make one of the list: `torch.stack`
# fix: return rows => return torch.stack(rows)
def context_vectors(weights, values):
    rows = [row @ values for row in weights]
    return rows

# %% advised_of_the_steps_name: scale_scores, lost 1, as plain
# says: did you mean `scale_scores`
# fix: def scaled_score( => def scale_scores(
def scaled_score(scores, d_k):
    return scores / d_k**0.5

# %% advised_of_brackets_for_an_equals_sign, lost 1, as plain
# says: A function is called with brackets, without `=`
# fix: torch.manual_seed = 123 => torch.manual_seed(123)
# after: head
torch.manual_seed = 123

# %% advised_of_a_name_of_ones_own, lost 8, as plain
# says: A value gets a name of your own
# fix: torch.softmax = => result =
# after: attention_weights
torch.softmax = torch.softmax(inputs, dim=-1)

# %% advised_of_kept_sums: attention_weights, lost 2, as plain
# says: `keepdim=True`
# fix: sum(dim=-1) => sum(dim=-1, keepdim=True)
def attention_weights(scaled_scores):
    powers = torch.exp(scaled_scores)
    return powers / powers.sum(dim=-1)

# %% advised_of_kept_maxima_np in numpy_attention: numpy_softmax, lost 2, as plain
# says: `keepdims=True`
# fix: max(axis=1) => max(axis=1, keepdims=True)
def numpy_softmax(scores):
    powers = np.exp(scores - scores.max(axis=1))
    return powers / powers.sum(axis=1, keepdims=True)

# %% advised_of_full_precision: attention_scores, lost 2, as plain
# says: `queries.half()` is the first value that is not right | `queries` is right | float16
# line: queries.half()
# fix: queries.half() => queries
# fix: keys.half() => keys
def attention_scores(queries, keys):
    return (queries.half() @ keys.half().T).float()

# %% advised_of_square_brackets: scale_scores, lost 1, as plain
# says: `scores.shape` is the tuple (5, 7)
# fix: shape(-1) => shape[-1]
def scale_scores(scores, d_k):
    return scores * scores.shape(-1) / scores.shape[-1] / d_k**0.5

# %% advised_of_round_brackets: attention_scores, lost 2, as plain
# says: `keys.t` is a function that was not called | `queries` is a tensor of shape (5, 6)
# fix: keys.t => keys.t()
def attention_scores(queries, keys):
    return queries @ keys.t

# %% advised_of_items in numpy_attention: reverse_dict, lost 1, as plain
# says: `.items()`
# fix: in mapping => in mapping.items()
def reverse_dict(mapping):
    return {word: number for number, word in mapping}

# %% advised_of_a_missing_library, lost 2, as plain
# says: Did you mean `numpy`
# fix: import numpyy as np => import numpy as np
# after: head
import numpyy as np
# in: attention_weights
def attention_weights(scaled_scores):
    powers = np.exp(scaled_scores.numpy())
    return torch.from_numpy(powers / powers.sum(axis=1, keepdims=True))

# %% advised_of_no_activation: attention_scores, lost 2, as plain
# says: the outer call in `torch.relu(queries @ keys.T)` does not belong there.
# line: torch.relu(queries @ keys.T)
# fix: torch.relu(queries @ keys.T) => queries @ keys.T
def attention_scores(queries, keys):
    return torch.relu(queries @ keys.T)
