# Files that Python cannot read or run as a whole: one bad line costs what it defines, and is said once.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% [Lines that Python cannot read]

# %% a_bracket_left_open_in_a_try_out
# says: Python cannot read | a `(` has no `)` | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: print((inputs
# after: project
print((inputs @ inputs.T

# %% a_bracket_left_open_in_a_step, lost 1
# says: a `(` has no `)` | `project` is not defined | Everything else was checked.
# never says: does not define
# line: queries = torch.matmul
# in: project
def project(x, W_query, W_key, W_value):
    queries = torch.matmul(x, W_query
    keys = torch.matmul(x, W_key)
    values = torch.matmul(x, W_value)
    return queries, keys, values

# %% the_step_with_the_open_bracket_points_to_the_note: scale_scores, lost 1
# says: could not be read or run | the note about your file
# never says: does not define | Names must be as in the release
def scale_scores(scores, d_k):
    return (scores / d_k**0.5

# %% a_bracket_too_many, lost 2
# says: a `)` has no `(` before it
# never says: does not define
# line: dim=-1))
# in: attention_weights
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=-1))

# %% a_bracket_too_many_at_the_beginning, lost 2
# says: a `(` has no `)` | `attention_weights` is not defined | Everything else was checked.
# never says: == | does not define
# line: softmax((
# in: attention_weights
def attention_weights(scaled_scores):
    return torch.softmax((scaled_scores, dim=-1)

# %% brackets_of_two_kinds
# says: a `[` is closed by `)` | Everything else was checked.
# line: 2.0)
# after: head
weights = torch.tensor([1.0, 2.0)

# %% a_tab_among_spaces, lost 2
# says: Python cannot read line | `attention_scores` is not defined
# never says: does not define | gave nothing back
# in: attention_scores
def attention_scores(queries, keys):
    keys = keys.T
	return queries @ keys

# %% a_tab_above_spaces, lost 1
# says: Python cannot read line | four spaces
# in: context_vectors
def context_vectors(weights, values):
	result = weights @ values
    return result

# %% a_try_out_with_one_space_before_it
# says: indented further | Everything else was checked.
# never says: does not define | None
# line: print(scale_scores
# in: scale_scores
def scale_scores(scores, d_k):
    return scores / d_k**0.5

 print(scale_scores(inputs, 4))

# %% a_cell_that_is_indented_as_a_whole, as notebook
# never says: cannot read
# after: scale_scores
half = scale_scores(inputs, 4)
print(half.shape)

# %% a_line_of_a_function_in_the_first_column, lost 1
# says: indented further than the line above it | `project` is not defined
# never says: returned None | does not define
# in: project
#-    keys = x @ W_key
#+keys = x @ W_key

# %% a_body_that_is_not_indented, lost 1
# says: has no indented lines below it
# never says: does not define `attention_score` | defines no function
# in: attention_score
def attention_score(query, key):
return torch.dot(query, key)

# %% a_colon_forgotten, lost 1
# says: a `:` is missing | `scale_scores` is not defined
# never says: does not define
# line: def scale_scores(scores, d_k)
# in: scale_scores
def scale_scores(scores, d_k)
    return scores / d_k**0.5

# %% a_class_without_a_colon, lost 4
# says: a `:` is missing | `SelfAttention_v1` is not defined
# line: class SelfAttention_v1(nn.Module)
# in: SelfAttention_v1
class SelfAttention_v1(nn.Module)
    def __init__(self, d_in, d_out):
        super().__init__()

# %% def_with_a_capital, lost 1
# says: `Def` is no word of Python | `attention_score` is not defined
# line: Def attention_score
# in: attention_score
Def attention_score(query, key):
    return query @ key

# %% function_for_def, lost 1
# says: `function` is no word of Python
# in: attention_score
function attention_score(query, key):
    return query @ key

# %% a_quote_forgotten
# says: a string has no end in its line | Everything else was checked.
# line: print('queries
# after: project
print('queries and keys)

# %% a_docstring_without_an_end, lost 1
# says: a string has no end | three quotes | `scale_scores` is not defined
# says: Everything else was checked.
# never says: does not define
# line: Divide by the root of d_k.
# in: scale_scores
def scale_scores(scores, d_k):
    """Divide by the root of d_k.
    return scores / d_k**0.5

# %% a_quote_too_few_at_the_beginning
# says: a string has no end | Everything else was checked.
# never says: does not define | np
# line: The steps of one head.
# in: scale_scores
def scale_scores(scores, d_k):
    return scores / np.sqrt(d_k)
# after: head
""The steps of one head."""
import numpy as np

# %% a_comment_in_quotes_without_an_end
# says: a string has no end | Everything else was checked.
# never says: does not define
# after: transfer_weights
"""
print(inputs)

# %% old_code_in_quotes_is_no_code
# says: a `(` has no `)` | Everything else was checked.
# line: print((1
# after: scale_scores
"""
def scale_scores(scores, d_k):
    return scores
"""
print((1

# %% quotes_of_printed_text
# says: quotation mark of printed text | Everything else was checked.
# never says: U+201C
# after: head
print(“inputs”)

# %% a_space_that_is_none, lost 1
# says: invisible character | `context_vectors` is not defined
# in: context_vectors
def context_vectors(weights, values):
    return weights @ values

# %% a_dash_for_a_minus, lost 2
# says: is not one of Python's | `attention_weights` is not defined
# in: attention_weights
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=–1)

# %% print_as_in_python_2
# says: `print` is called without brackets | Everything else was checked.
# line: print "scores"
# after: attention_scores
print "scores", inputs

# %% one_equals_sign_in_a_comparison
# says: == compares | Everything else was checked.
# after: init_weights
if inputs.shape[0] = 6:
    print('six')

# %% a_comma_forgotten, lost 1
# says: `project` is not defined | Everything else was checked.
# never says: does not define
# in: project
def project(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key x @ W_value

# %% marks_of_a_conflict, lost 1
# says: marks of a conflict | `scale_scores` is not defined
# never says: does not define
# in: scale_scores
def scale_scores(scores, d_k):
<<<<<<< HEAD
    return scores / d_k**0.5
=======
    return scores / d_k
>>>>>>> theirs

# %% the_edge_of_a_code_block
# says: code block in Markdown | Everything else was checked.
# never says: does not define
# after: project
```
# after: attention_score
```python

# %% prose_between_the_steps
# says: Python cannot read | Everything else was checked.
# never says: does not define
# line: Now we compute the scores.
# after: project
Now we compute the scores.
Each query meets each key.

# %% a_command_for_the_terminal
# says: command for the terminal | Everything else was checked.
# line: pip install torch
# after: head
pip install torch

# %% a_windows_path
# says: backslash | Everything else was checked.
# after: head
data = open("C:\Users\me\verdict.txt")

# %% a_return_outside_of_its_function, lost 1
# says: a `return` stands outside of a function
# never says: does not define
# line: return dot
# in: attention_score
def attention_score(query, key):
    dot = query @ key
return dot

# %% a_broken_line_in_two_steps, lost 2
# says: `scale_scores` is not defined | `attention_score` is not defined
# says: Everything else was checked.
# in: scale_scores
def scale_scores(scores, d_k):
    return scores / (d_k**0.5
# in: attention_score
def attention_score(query, key)
    return torch.dot(query, key)

# %% lines_for_a_notebook
# says: only a notebook understands | `?torch.softmax` | `torch.softmax?`
# never says: cannot read
# after: head
?torch.softmax
torch.softmax?
nn.Linear??
%matplotlib inline
!pip install x

# %% a_library_installed_where_it_is_missing
# says: only a notebook understands | `!pip install tiktoken`
# never says: cannot read | stopped
# after: head
try:
    import tiktoken
except ImportError:
    !pip install tiktoken
    %pip install x

# %% output_of_a_command_in_a_variable
# says: only a notebook understands | Everything else was checked.
# never says: NameError
# line: files = !ls
# after: head
files = !ls
print(files)

# %% [Lines that stop]

# %% a_type_hint_that_is_not_imported, lost 2
# says: `from torch import Tensor` | Everything else was checked. | `Tensor` is not imported
# never says: does not define | Something is also wrong
# line: query: Tensor
# in: attention_score
def attention_score(query: Tensor, key: Tensor):
    return query @ key
# in: scale_scores
def scale_scores(scores: Tensor, d_k):
    return scores / d_k**0.5

# %% a_library_that_is_not_there
# says: imports `tiktoken` | Everything else was checked. | there is no such module here
# never says: does not define | defines no function | stopped with NameError
# line: import tiktoken
# after: head
import tiktoken
tokenizer = tiktoken.get_encoding("gpt2")
ids = tokenizer.encode("Your journey starts with one step")

# %% several_libraries_that_are_not_there, as notebook, plain, percent, exported
# says: Everything else was checked. | imports `my_loader`, and there is no such module here
# never says: does not define | defines no function | stopped with NameError
# line: from my_loader import Dataset
# after: head
from my_loader import Dataset
from my_loader import create_dataloader
from my_tokens import embedding

# %% a_library_that_is_not_there_beside_one_that_is
# says: imports `tiktoken` | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# after: head
import math, tiktoken, torch

# %% a_submodule_misspelt, lost 2
# says: Did you mean `torch.nn.functional`?
# line: functionl
# in: attention_weights
def attention_weights(scaled_scores):
    return F.softmax(scaled_scores, dim=-1)
# after: head
import torch.nn.functionl as F

# %% a_step_that_uses_what_an_import_should_define: attention_weights, lost 2
# says: uses `F` | should define
# never says: Did you mean `np`
# in: attention_weights
def attention_weights(scaled_scores):
    return F.softmax(scaled_scores, dim=-1)
# after: head
import torch.nn.functionl as F

# %% a_name_that_a_library_does_not_have
# says: softmaks | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: softmaks
# after: head
from torch import nn, softmaks

# %% a_file_that_is_not_there
# says: the-verdict.txt | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: open("the-verdict.txt"
# after: head
with open("the-verdict.txt", encoding="utf-8") as file:
    raw_text = file.read()
print(len(raw_text))
words = raw_text.split()

# %% a_download
# says: outside of your program | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: urlretrieve
# after: head
import urllib.request
urllib.request.urlretrieve("https://example.org/the-verdict.txt", "the-verdict.txt")

# %% a_try_out_with_wrong_shapes
# says: stopped inside your `attention_scores` | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: print(attention_scores
# after: attention_scores
print(attention_scores(inputs, inputs.T))

# %% a_try_out_with_names_of_the_notebook
# says: W_query | Everything else was checked.
# never says: does not define | `queries`
# line: queries, keys, values = project(inputs
# after: project
queries, keys, values = project(inputs, W_query, W_key, W_value)
print(queries.shape)

# %% a_plot_without_its_library
# says: plt | Everything else was checked.
# line: plt.imshow
# after: attention_weights
plt.imshow(attention_weights(inputs))

# %% division_by_zero_at_the_left_margin
# says: ZeroDivisionError | Everything else was checked.
# line: print(1 / 0)
# after: head
print(1 / 0)

# %% an_assert_that_does_not_hold
# says: assert that does not hold | not equal | Everything else was checked.
# line: assert torch.equal
# after: scale_scores
assert torch.equal(scale_scores(inputs, 4), inputs), 'not equal'

# %% exit_between_the_steps
# says: ends the program | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: exit()
# after: project
exit()

# %% sys_exit_between_the_steps
# says: ends the program | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# line: sys.exit(0)
# after: project
import sys
sys.exit(0)

# %% a_question_to_the_user
# says: asks for input | nobody answers | Everything else was checked.
# line: input(
# after: head
d_in = int(input("How many columns? "))

# %% a_device_that_is_not_there
# says: CUDA | Everything else was checked.
# line: inputs.to(device)
# after: head
device = torch.device("cuda")
inputs = inputs.to(device)

# %% endless_recursion_at_the_left_margin
# says: RecursionError | Everything else was checked.
# after: head
def again(x):
    return again(x)

again(1)

# %% [Definitions that stop]

# %% an_annotation_that_is_not_imported, lost 1
# says: Tensor | `scale_scores` is not defined
# never says: does not define
# line: def scale_scores
# in: scale_scores
def scale_scores(scores: Tensor, d_k: int) -> Tensor:
    return scores / d_k**0.5

# %% annotations_of_the_future_in_a_later_cell
# never says: cannot read | stopped
# in: scale_scores
def scale_scores(scores: Tensor, d_k: int) -> Tensor:
    return scores / d_k**0.5
# after: head
from __future__ import annotations

# %% a_decorator_that_is_not_there, lost 1
# says: timed | `scale_scores` is not defined
# never says: does not define
# in: scale_scores
@timed
def scale_scores(scores, d_k):
    return scores / d_k**0.5

# %% a_default_that_is_not_there, lost 1
# says: D_K | `scale_scores` is not defined
# in: scale_scores
def scale_scores(scores, d_k=D_K):
    return scores / d_k**0.5

# %% a_base_class_misspelt, lost 4
# says: nn.Modul | `SelfAttention_v1` is not defined
# never says: does not define
# line: nn.Modul)
# in: SelfAttention_v1
class SelfAttention_v1(nn.Modul):
    pass

# %% [What only a notebook has]

# %% a_timed_cell
# says: %%time
# never says: does not define
# in: scale_scores
%%time
def scale_scores(scores, d_k):
    return scores / d_k**0.5

# %% a_timed_cell_as_jupyter_exports_it, as exported
# never says: does not define | stopped
# in: project
get_ipython().run_cell_magic('time', '', 'def project(x, W_query, W_key, W_value):\n    return x @ W_query, x @ W_key, x @ W_value\n')
# after: project
print(project(inputs, *init_weights(3, 2, 123))[0].shape)

# %% an_error_below_a_timed_cell: scale_scores, lost 1, as exported
# says: `d_k`
# line: return scores / dk
# in: project
get_ipython().run_cell_magic('timeit', '-n 10', 'def project(x, W_query, W_key, W_value):\n    return x @ W_query, x @ W_key, x @ W_value\n')
# in: scale_scores
def scale_scores(scores, d_k):
    return scores / dk**0.5

# %% an_annotation_in_a_class_that_is_not_imported, lost 4
# says: `Tensor` is not imported | `from torch import Tensor`
# never says: stopped inside your
# line: def forward(self, x: Tensor)
# in: SelfAttention_v2
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% [The other assignments]

# %% numpy_open_bracket in numpy_attention, lost 1
# says: a `(` has no `)` | `numpy_scores` is not defined | Everything else was checked.
# never says: does not define
# line: np.dot(queries
# in: numpy_scores
def numpy_scores(queries, keys):
    return np.dot(queries, keys.T

# %% numpy_no_such_function in numpy_attention
# says: sed | Everything else was checked.
# line: np.random.sed
# after: head
np.random.sed(42)
rows = np.random.randn(3, 4)

# %% numpy_alias_forgotten in numpy_attention, as plain, percent, exported
# says: `np` | Everything else was checked.
# line: print(np.ones(3))
# in: head
import numpy
import torch
from torch import nn
# in: numpy_project
def numpy_project(x, a, b, c):
    return x @ a, x @ b, x @ c
# in: numpy_scores
def numpy_scores(queries, keys):
    return queries @ keys.T
# in: numpy_softmax
def numpy_softmax(scores):
    powers = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
# in: numpy_self_attention
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    queries, keys, values = numpy_project(x, w_query, w_key, w_value)
    scores = numpy_scores(queries, keys)
    if scaled:
        scores = scores / numpy.sqrt(keys.shape[1])
    return numpy_softmax(scores) @ values
# in: scaled_scores
def scaled_scores(Q, K):
    return Q @ K.T / K.shape[-1] ** 0.5
# after: numpy_project
print(np.ones(3))

# %% numpy_prose_of_a_tutor in numpy_attention
# says: Python cannot read | Everything else was checked.
# line: Here is the corrected version:
# after: numpy_softmax
Here is the corrected version:

# %% words_without_their_library in numpy_attention
# says: imports `nltk | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# after: index_words
from nltk.tokenize import word_tokenize
print(word_tokenize('Hello there'))

# %% scaled_dot_product_unclosed_call in scaled_dot_product, lost 2
# says: a `(` has no `)` | `score_variances` is not defined
# never says: does not define
# line: scaled = raw / math.sqrt(k.shape[-1]
# in: score_variances
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / math.sqrt(k.shape[-1]
    return {"q": q.var(), "k": k.var(), "raw_scores": raw.var(), "scaled_scores": scaled.var()}

# %% scaled_dot_product_a_later_variable in scaled_dot_product
# says: `project` | Everything else was checked.
# never says: stopped with NameError: name 'q'
# line: q, k, v = project(tokens
# after: make_projections
q, k, v = project(tokens, *make_projections(8))
print(q.var(), k.var())

# %% scaled_dot_product_one_library_in_many_lines in scaled_dot_product
# says: imports `seaborn` | Everything else was checked.
# never says: does not define | defines no function | stopped with NameError
# after: head
import seaborn as sns
sns.set_theme()
palette = sns.color_palette()
