# Functions of the libraries that a file replaces: the kit's own calls go on, and the line is named.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% a_vector_transposed: attention_score
# says: there is a warning about the code: UserWarning: The use of `x.T`
# never says: pytest
def attention_score(query, key):
    return query @ key.T

# %% the_seed_set_by_an_equals_sign, lost 1
# says: `torch.manual_seed` | in place of | A function is called with brackets, without `=`
# line: torch.manual_seed = 123
# after: head
torch.manual_seed = 123
tokens = torch.rand(4, 3)

# %% the_step_that_calls_a_replaced_function: init_weights, lost 1
# says: needs `torch.manual_seed` | replaced
# never says: operator missing | .T is no function
# line: torch.manual_seed = 123
# after: head
torch.manual_seed = 123

# %% the_seed_set_by_an_equals_sign_in_a_step, lost 1
# says: `torch.manual_seed` | A function is called with brackets, without `=`
# line: torch.manual_seed = seed
# in: init_weights
#: torch.manual_seed(seed) => torch.manual_seed = seed

# %% a_step_that_breaks_a_function_breaks_no_other
# says: `torch.softmax`
# line: torch.softmax = x @ W_query
# in: project
def project(x, W_query, W_key, W_value):
    torch.softmax = x @ W_query
    return x @ W_query, x @ W_key, x @ W_value

# %% layers_replaced_by_a_layer, lost 4
# says: `torch.nn.Linear` | in place of
# line: nn.Linear = nn.Linear(3, 2)
# after: head
nn.Linear = nn.Linear(3, 2)

# %% no_grad_replaced, lost 6
# says: `torch.no_grad` | in place of
# line: torch.no_grad = True
# after: head
torch.no_grad = True

# %% gradients_switched_off_by_an_equals_sign, lost 6
# says: `torch.set_grad_enabled` | A function is called with brackets, without `=`
# line: torch.set_grad_enabled = False
# after: head
torch.set_grad_enabled = False

# %% a_class_that_needs_a_replaced_function: SelfAttention_v2, lost 6
# says: needs `torch.no_grad` | replaced
# line: torch.no_grad = True
# after: head
torch.no_grad = True

# %% random_numbers_replaced, lost 4
# says: `torch.randn` | `torch.zeros` | `torch.empty` | in place of
# line: torch.empty = None
# after: head
torch.randn = 5
torch.zeros = 0
torch.empty = None

# %% gradients_switched_off
# never says: in place of
# after: head
torch.set_grad_enabled(False)
torch.set_default_dtype(torch.float64)

# %% the_softmax_replaced_by_weights, lost 8
# says: `torch.softmax` | a name of your own
# never says: .T is no function
# line: torch.softmax = torch.softmax(inputs
# after: attention_weights
torch.softmax = torch.softmax(inputs, dim=-1)

# %% a_device_that_is_everybodys
# says: meta the default device | checked on the CPU | costs no points
# never says: NotImplementedError | meta tensor | stopped
# line: torch.set_default_device("meta")
# after: head
torch.set_default_device("meta")
numbers = torch.ones(2).tolist()

# %% a_default_device_of_nvidia
# says: cuda the default device | checked on the CPU | costs no points
# never says: stopped | xpu
# line: torch.set_default_device("cuda")
# after: head
torch.set_default_device("cuda")
numbers = torch.ones(2).tolist()
torch.set_default_device("xpu")

# %% a_default_device_of_apple
# says: mps the default device | checked on the CPU
# never says: stopped
# line: torch.set_default_device("mps")
# after: head
torch.set_default_device("mps")
numbers = torch.ones(2).tolist()

# %% a_default_device_of_intel
# says: xpu the default device | checked on the CPU
# line: torch.set_default_device("xpu")
# after: head
torch.set_default_device("xpu")

# %% a_default_device_that_is_entered
# says: meta the default device | checked on the CPU
# line: torch.device("meta").__enter__()
# after: head
torch.device("meta").__enter__()

# %% a_default_device_that_is_the_usual_one
# never says: default device
# after: head
torch.set_default_device("cpu" if not torch.cuda.is_available() else "cuda")

# %% a_default_device_set_in_a_step
# never says: meta tensor | stopped | no gradient
# in: attention_score
def attention_score(query, key):
    torch.set_default_device("meta")
    return query @ key

# %% a_device_for_some_lines_of_a_step
# never says: default device | no gradient
# in: attention_score
def attention_score(query, key):
    with torch.device("meta"):
        torch.ones(2)
    return query @ key

# %% warnings_as_errors
# never says: Warning
# after: head
import warnings

warnings.simplefilter("error")

# %% deterministic_functions_only, as plain, notebook
# never says: deterministic
# after: head
torch.use_deterministic_algorithms(True)

# %% a_builtin_hidden
# never says: in place of
# after: head
sum = 0
max = 5
list = [1, 2]
len = 3
print = None
type = 'x'

# %% a_builtin_hidden_where_it_is_called in numpy_attention: numpy_softmax, lost 2
# says: `max` is not one: it is of type int | a variable of your file
# never says: Their sizes need not fit | an operator missing
# line: max = 10
# in: numpy_softmax
def numpy_softmax(scores):
    rows = []
    for row in scores:
        powers = np.exp(row - max(row))
        rows.append(powers / powers.sum())
    return np.array(rows)
# after: head
max = 10

# %% a_builtin_hidden_in_a_function: attention_weights, lost 2
# says: makes a variable `sum`
# line: sum = sum(
def attention_weights(scaled_scores):
    powers = torch.exp(scaled_scores)
    sum = sum(powers.T)
    return powers / sum[:, None]

# %% torch_hidden_in_a_function: attention_weights, lost 2
# says: `torch` is a tensor of shape (6, 7), made in line | (`scaled_scores`)
# line: torch = scaled_scores
def attention_weights(scaled_scores):
    torch = scaled_scores
    powers = torch.exp(torch)
    return powers / powers.sum(dim=-1, keepdim=True)

# %% a_module_under_a_name_of_its_own: attention_weights, lost 2
# says: `dim`
# never says: to a variable
def attention_weights(scaled_scores):
    F = torch.nn.functional
    return F.softmax(scaled_scores, axis=-1)

# %% torch_hidden_in_the_file, lost 20, as plain, exported
# says: object has no attribute 'Tensor'
# after: init_weights
torch = torch.manual_seed(123)

# %% numpys_seed_set_by_an_equals_sign in numpy_attention
# says: `numpy.random.seed` | A function is called with brackets, without `=`
# line: np.random.seed = 42
# after: head
np.random.seed = 42
x = np.random.randn(3, 4)

# %% the_root_replaced in numpy_attention, lost 2
# says: `numpy.sqrt` | in place of
# line: np.sqrt = 2.0
# after: head
np.sqrt = 2.0

# %% the_module_random_reseeded_by_an_equals_sign in numpy_attention
# says: `random.seed`
# after: head
import random

random.seed = 1

# %% scaled_dot_product_seed_by_an_equals_sign in scaled_dot_product
# says: `torch.manual_seed` | A function is called with brackets, without `=`
# line: torch.manual_seed = seed
# after: head
torch.manual_seed = seed

# %% scaled_dot_product_set_by_name in scaled_dot_product
# says: `torch.manual_seed`
# line: setattr(torch
# after: head
setattr(torch, "manual_seed", 42)

# %% numpy_function_with_its_own_options_on_a_tensor in numpy_attention: attention_weights, lost 1
# says: Its arguments: dim, keepdim, dtype
# never says: It is called `dim`
# fix: np.sum(powers, axis=1, keepdims=True) => powers.sum(dim=1, keepdim=True)
def attention_weights(scaled_scores):
    powers = torch.exp(scaled_scores)
    return powers / np.sum(powers, axis=1, keepdims=True)

# %% numpy_axes_exchanged_as_in_a_batch in numpy_attention: numpy_scores, lost 1
# says: `keys` is a NumPy array of shape (6, 3)
# fix: 1, 2 => 0, 1
def numpy_scores(queries, keys):
    return queries @ np.swapaxes(keys, 1, 2)

# %% numpy_einsum_over_a_batch in numpy_attention: numpy_scores, lost 1
# says: `queries` is a NumPy array of shape (4, 3) | `keys` is a NumPy array of shape (6, 3)
# fix: "btd,bsd->bts" => "td,sd->ts"
def numpy_scores(queries, keys):
    return np.einsum("btd,bsd->bts", queries, keys)

# %% numpy_axis_that_is_not_there in numpy_attention: numpy_softmax, lost 2
# says: `scores` is a NumPy array of shape (4, 5)
# fix: axis=2 => axis=-1
def numpy_softmax(scores):
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True)

# %% size_of_an_axis_that_is_not_there in scaled_dot_product: scaled_scores, lost 1
# says: `k.shape` is the tuple (6, 5)
# never says: batch
# fix: k.shape[2] => k.shape[1]
def scaled_scores(q, k):
    return raw_scores(q, k) / math.sqrt(k.shape[2])

# %% matrix_on_the_left_of_the_tokens in numpy_attention: numpy_project, lost 1
# says: `w_query` is a NumPy array of shape (6, 5) | 5 is not 4 | `x` is a NumPy array of shape (4, 6)
# never says: is a transpose missing
# fix: w_query @ x => x @ w_query
def numpy_project(x, w_query, w_key, w_value):
    return w_query @ x, x @ w_key, x @ w_value

# %% matrix_on_the_left_of_the_tokens_in_torch: project, lost 1
# says: `W_key` is a tensor of shape (7, 6) | 6 is not 4 | `x` is a tensor of shape (4, 7)
# fix: torch.matmul(W_key, x) => torch.matmul(x, W_key)
def project(x, W_query, W_key, W_value):
    queries = torch.matmul(x, W_query)
    return queries, torch.matmul(W_key, x), torch.matmul(x, W_value)

# %% list_index_one_too_large in numpy_attention: token_indices, lost 1
# says: `words` is a list of 10 | `i` is the number 10 | they count from 0
# fix: i <= len(words) => i < len(words)
def token_indices(sentence, vocabulary):
    words, found, i = sentence.split(), [], 0
    while i <= len(words):
        found.append(vocabulary[words[i]])
        i += 1
    return torch.tensor(found)
