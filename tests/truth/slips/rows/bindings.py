# Names of steps that are bound to something else: a step is what was last bound to its name and fits.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% a_step_under_a_second_name
# after: attention_weights
softmax_of_rows = attention_weights

# %% weights_in_a_variable_of_the_steps_name
# never says: not callable | .T | does not define | takes 1 positional argument
# note: chapter 3 of the book names its variables like the steps
# after: attention_weights
attention_scores_2 = inputs[1] @ inputs.T
attention_weights = torch.softmax(attention_scores_2, dim=0)
print("Attention weights:", attention_weights)
print("Sum:", attention_weights.sum())

# %% a_step_called_by_its_own_name
# never says: not callable | .T | does not define | takes 1 positional argument
# after: attention_weights
attention_weights = attention_weights(inputs @ inputs.T)

# %% three_steps_called_by_their_own_names
# never says: not callable | .T | does not define | takes 1 positional argument
# after: context_vectors
attention_scores = attention_scores(inputs, inputs)
attention_weights = attention_weights(scale_scores(attention_scores, 3))
context_vectors = context_vectors(attention_weights, inputs)
print(context_vectors)

# %% a_class_replaced_by_its_instance
# never says: not callable | .T | does not define | takes 1 positional argument
# after: SelfAttention_v1
SelfAttention_v1 = SelfAttention_v1(3, 2)
print(SelfAttention_v1(inputs))

# %% both_classes_replaced_by_their_instances
# never says: not callable | .T | does not define | takes 1 positional argument
# after: transfer_weights
SelfAttention_v1 = SelfAttention_v1(3, 2)
SelfAttention_v2 = SelfAttention_v2(3, 2)
transfer_weights = transfer_weights(SelfAttention_v2, SelfAttention_v1)

# %% a_step_bound_in_a_loop
# never says: not callable | .T | does not define | takes 1 positional argument
# after: attention_score
for attention_score in inputs[1] @ inputs.T:
    print(attention_score)

# %% a_step_bound_inside_with
# never says: not callable | .T | does not define | takes 1 positional argument
# after: context_vectors
with torch.no_grad():
    context_vectors = context_vectors(torch.eye(6), inputs)

# %% a_step_bound_twice_in_one_statement
# never says: not callable | .T | does not define | takes 1 positional argument
# after: head
if True:
    def helper(scores):
        return scores * 2
    scale_scores = helper
# after: scale_scores
if inputs.shape[0] > 3:
    scale_scores = scale_scores(inputs, 4)
    scale_scores = scale_scores.round()

# %% steps_unpacked
# never says: not callable | .T | does not define | takes 1 positional argument
# after: context_vectors
attention_scores, attention_weights = inputs, 1
project, scale_scores = 1, 2

# %% a_step_added_up
# never says: not callable | .T | does not define | takes 1 positional argument
# after: attention_score
attention_score = 0.0
attention_score += float(inputs[0, 0])

# %% a_step_named_on_the_way
# never says: not callable | .T | does not define | takes 1 positional argument
# after: scale_scores
print((scale_scores := inputs / 2).shape)

# %% a_step_bound_by_a_function
# never says: not callable | .T | does not define | takes 1 positional argument
# after: project
def run():
    global project, attention_score
    project = project(inputs, torch.eye(3), torch.eye(3), torch.eye(3))
    attention_score = project[0] @ project[1].T

run()

# %% a_step_lost_to_an_exception
# never says: not callable | .T | does not define | takes 1 positional argument
# after: project
try:
    print(1 / 0)
except ZeroDivisionError as project:
    print("again:", project)

# %% a_step_that_is_deleted
# never says: not callable | .T | does not define | takes 1 positional argument
# after: attention_scores
print(attention_scores(inputs, inputs))
del attention_scores

# %% steps_that_need_a_hidden_step
# never says: not callable | .T | does not define | takes 1 positional argument
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scores = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scores), values)
# after: transfer_weights
queries, keys, values = project = project(inputs, torch.eye(3), torch.eye(3), torch.eye(3))
attention_scores = attention_scores(queries, keys)
scale_scores = scale_scores(attention_scores, 3)
attention_weights = attention_weights(scale_scores)
context_vectors = context_vectors(attention_weights, values)

# %% [What fits, however it was bound]

# %% modules_and_library_functions_as_steps
# in: attention_weights
attention_weights = nn.Softmax(dim=-1)
# in: attention_score
attention_score = torch.dot
# in: context_vectors
from torch import matmul as context_vectors

# %% a_partial_function_as_a_step
# in: attention_weights
import functools

attention_weights = functools.partial(torch.softmax, dim=-1)
# after: transfer_weights
attention_weights = attention_weights(inputs)

# %% lambdas_as_steps
# in: scale_scores
scale_scores = lambda scores, d_k: scores / d_k**0.5
# in: attention_scores
attention_scores = lambda q, k: q @ k.T

# %% a_decorated_step
# in: scale_scores
import functools

def shown(function):
    @functools.wraps(function)
    def inner(*arguments):
        result = function(*arguments)
        print(function.__name__, result.shape)
        return result

    return inner

@shown
def scale_scores(scores, d_k):
    return scores / d_k**0.5

# %% the_second_definition_counts
# in: scale_scores
def scale_scores(scores, d_k):
    return scores

def scale_scores(scores, d_k):
    return scores / d_k**0.5

# %% a_class_of_another_name
# never says: not callable | .T | does not define | takes 1 positional argument
# in: SelfAttention_v2
class Attention(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        return weights @ values

SelfAttention_v2 = Attention
SelfAttention_v2 = SelfAttention_v2(3, 2, qkv_bias=True)

# %% a_function_that_makes_the_class
# never says: not callable | .T | does not define | takes 1 positional argument
# after: SelfAttention_v1
made = SelfAttention_v1

def SelfAttention_v1(d_in, d_out):
    return made(3, 2)

# %% [What never fits]

# %% a_step_that_was_only_computed: attention_weights, lost 2
# says: `attention_weights` is something of type Tensor here | first line of the release
# never says: not callable | .T is no function
# line: attention_weights = torch.softmax
attention_weights = torch.softmax(inputs @ inputs.T, dim=-1)

# %% an_object_without_its_class: SelfAttention_v1, lost 4
# says: something of type Linear
# never says: takes | positional
SelfAttention_v1 = nn.Linear(3, 2)

# %% [The other assignments]

# %% numpy_steps_called_by_their_own_names in numpy_attention
# never says: not callable | .T | does not define | takes 1 positional argument
# after: numpy_self_attention
x = np.ones((3, 4))
numpy_project = numpy_project(x, x.T, x.T, x.T)
numpy_scores = numpy_scores(*numpy_project[:2])
numpy_softmax = numpy_softmax(numpy_scores)
print(numpy_softmax.sum(axis=1))

# %% words_in_variables_of_the_steps_names in numpy_attention
# never says: not callable | .T | does not define | takes 1 positional argument
# after: token_indices
index_words = index_words("the cat sat on the mat")
reverse_dict = {word: index for index, word in index_words.items()}
token_indices = torch.tensor([reverse_dict[word] for word in ("cat", "mat")])
# after: embed
embed = nn.Embedding(50_000, 3)(token_indices)

# %% an_embedding_is_no_step in numpy_attention, lost 1
# never says: does not define
# in: embed
torch.manual_seed(123)
embed = nn.Embedding(6, 3)

# %% scaled_dot_product_as_a_script in scaled_dot_product
# never says: not callable | .T | does not define | takes 1 positional argument
# after: scaled_dot_product_attention
torch.manual_seed(42)
w_query, w_key, w_value = make_projections(8)
tokens = make_tokens(10, 8)
q, k, v = project(tokens, w_query, w_key, w_value)
raw_scores = q @ k.T
scaled_scores = raw_scores / math.sqrt(k.shape[-1])
attention_weights = torch.softmax(scaled_scores, dim=-1)
attention_output = attention_weights @ v
score_variances = {"q": q.var(), "k": k.var()}

# %% scaled_dot_product_called_by_their_own_names in scaled_dot_product
# never says: not callable | .T | does not define | takes 1 positional argument
# after: scaled_dot_product_attention
make_projections = make_projections(8)
make_tokens = make_tokens(10, 8)
project = project(make_tokens, *make_projections)
scaled_dot_product_attention = scaled_dot_product_attention(*project)
