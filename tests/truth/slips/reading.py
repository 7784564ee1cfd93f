"""Files that Python cannot read or run as a whole: one bad line costs what it defines, and is said once."""

from tests.truth.slips.slip import HEAD, Slip

CHECKED = "Everything else was checked."
# What must not be said of a step that stands further down, or of what follows from an earlier line.
UNTRUE = ("does not define", "defines no function", "stopped with NameError")

SLIPS = (
    # Lines that Python cannot read.
    Slip(
        "a_bracket_left_open_in_a_try_out",
        after={"project": "print((inputs @ inputs.T"},
        wanted=("Python cannot read", "a `(` has no `)`", CHECKED),
        line="print((inputs",
        misleading=UNTRUE,
    ),
    Slip(
        "a_bracket_left_open_in_a_step",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    queries = torch.matmul(x, W_query
                    keys = torch.matmul(x, W_key)
                    values = torch.matmul(x, W_value)
                    return queries, keys, values
            """
        },
        lost=1,
        wanted=("a `(` has no `)`", "`project` is not defined", CHECKED),
        line="queries = torch.matmul",
        misleading=("does not define",),
    ),
    Slip(
        "the_step_with_the_open_bracket_points_to_the_note",
        instead={"scale_scores": "def scale_scores(scores, d_k):\n    return (scores / d_k**0.5"},
        lost=1,
        where="scale_scores",
        wanted=("could not be read or run", "the note about your file"),
        misleading=("does not define", "Names must be as in the release"),
    ),
    Slip(
        "a_bracket_too_many",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.softmax(scaled_scores, dim=-1))
            """
        },
        lost=2,
        wanted=("a `)` has no `(` before it",),
        line="dim=-1))",
        misleading=("does not define",),
    ),
    Slip(
        "a_bracket_too_many_at_the_beginning",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.softmax((scaled_scores, dim=-1)
            """
        },
        lost=2,
        wanted=("a `(` has no `)`", "`attention_weights` is not defined", CHECKED),
        line="softmax((",
        misleading=("==", "does not define"),
    ),
    Slip(
        "brackets_of_two_kinds",
        after={HEAD: "weights = torch.tensor([1.0, 2.0)"},
        wanted=("a `[` is closed by `)`", CHECKED),
        line="2.0)",
    ),
    Slip(
        "a_tab_among_spaces",
        instead={
            "attention_scores": (
                "def attention_scores(queries, keys):\n    keys = keys.T\n\treturn queries @ keys"
            )
        },
        lost=2,
        wanted=("Python cannot read line", "`attention_scores` is not defined"),
        misleading=("does not define", "gave nothing back"),
    ),
    Slip(
        "a_tab_above_spaces",
        instead={
            "context_vectors": "def context_vectors(weights, values):\n\tresult = weights @ values\n    return result"
        },
        lost=1,
        wanted=("Python cannot read line", "four spaces"),
    ),
    Slip(
        "a_try_out_with_one_space_before_it",
        instead={
            "scale_scores": (
                "def scale_scores(scores, d_k):\n    return scores / d_k**0.5\n\n print(scale_scores(inputs, 4))"
            )
        },
        wanted=("indented further", CHECKED),
        line="print(scale_scores",
        misleading=("does not define", "None"),
    ),
    Slip(
        "a_cell_that_is_indented_as_a_whole",
        after={"scale_scores": "    half = scale_scores(inputs, 4)\n    print(half.shape)"},
        misleading=("cannot read",),
        forms=("notebook",),
    ),
    Slip(
        "a_line_of_a_function_in_the_first_column",
        instead={
            "project": (
                "def project(x, W_query, W_key, W_value):\n    queries = x @ W_query\nkeys = x @ W_key\n"
                "    values = x @ W_value\n    return queries, keys, values"
            )
        },
        lost=1,
        wanted=("indented further than the line above it", "`project` is not defined"),
        misleading=("returned None", "does not define"),
    ),
    Slip(
        "a_body_that_is_not_indented",
        instead={
            "attention_score": "def attention_score(query, key):\nreturn torch.dot(query, key)"
        },
        lost=1,
        wanted=("has no indented lines below it",),
        misleading=("does not define `attention_score`", "defines no function"),
    ),
    Slip(
        "a_colon_forgotten",
        instead={"scale_scores": "def scale_scores(scores, d_k)\n    return scores / d_k**0.5"},
        lost=1,
        wanted=("a `:` is missing", "`scale_scores` is not defined"),
        line="def scale_scores(scores, d_k)",
        misleading=("does not define",),
    ),
    Slip(
        "a_class_without_a_colon",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Module)
                    def __init__(self, d_in, d_out):
                        super().__init__()
            """
        },
        lost=4,
        wanted=("a `:` is missing", "`SelfAttention_v1` is not defined"),
        line="class SelfAttention_v1(nn.Module)",
    ),
    Slip(
        "def_with_a_capital",
        instead={"attention_score": "Def attention_score(query, key):\n    return query @ key"},
        lost=1,
        wanted=("`Def` is no word of Python", "`attention_score` is not defined"),
        line="Def attention_score",
    ),
    Slip(
        "function_for_def",
        instead={
            "attention_score": "function attention_score(query, key):\n    return query @ key"
        },
        lost=1,
        wanted=("`function` is no word of Python",),
    ),
    Slip(
        "a_quote_forgotten",
        after={"project": "print('queries and keys)"},
        wanted=("a string has no end in its line", CHECKED),
        line="print('queries",
    ),
    Slip(
        "a_docstring_without_an_end",
        instead={
            "scale_scores": '''
                def scale_scores(scores, d_k):
                    """Divide by the root of d_k.
                    return scores / d_k**0.5
            '''
        },
        lost=1,
        wanted=("a string has no end", "three quotes", "`scale_scores` is not defined", CHECKED),
        line="Divide by the root of d_k.",
        misleading=("does not define",),
    ),
    Slip(
        "a_quote_too_few_at_the_beginning",
        after={HEAD: '""The steps of one head."""\nimport numpy as np\n'},
        instead={
            "scale_scores": "def scale_scores(scores, d_k):\n    return scores / np.sqrt(d_k)"
        },
        wanted=("a string has no end", CHECKED),
        line="The steps of one head.",
        misleading=("does not define", "np"),
    ),
    Slip(
        "a_comment_in_quotes_without_an_end",
        after={"transfer_weights": '"""\nprint(inputs)\n'},
        wanted=("a string has no end", CHECKED),
        misleading=("does not define",),
    ),
    Slip(
        "old_code_in_quotes_is_no_code",
        after={
            "scale_scores": '''
                """
                def scale_scores(scores, d_k):
                    return scores
                """
                print((1
            '''
        },
        wanted=("a `(` has no `)`", CHECKED),
        line="print((1",
    ),
    Slip(
        "quotes_of_printed_text",
        after={HEAD: "print(\N{LEFT DOUBLE QUOTATION MARK}inputs\N{RIGHT DOUBLE QUOTATION MARK})"},
        wanted=("quotation mark of printed text", CHECKED),
        misleading=("U+201C",),
    ),
    Slip(
        "a_space_that_is_none",
        instead={
            "context_vectors": "def context_vectors(weights, values):\n    return weights\N{NO-BREAK SPACE}@ values"
        },
        lost=1,
        wanted=("invisible character", "`context_vectors` is not defined"),
    ),
    Slip(
        "a_dash_for_a_minus",
        instead={
            "attention_weights": (
                "def attention_weights(scaled_scores):\n    return torch.softmax(scaled_scores, dim=\N{EN DASH}1)"
            )
        },
        lost=2,
        wanted=("is not one of Python's", "`attention_weights` is not defined"),
    ),
    Slip(
        "print_as_in_python_2",
        after={"attention_scores": 'print "scores", inputs'},
        wanted=("`print` is called without brackets", CHECKED),
        line='print "scores"',
    ),
    Slip(
        "one_equals_sign_in_a_comparison",
        after={"init_weights": "if inputs.shape[0] = 6:\n    print('six')"},
        wanted=("== compares", CHECKED),
    ),
    Slip(
        "a_comma_forgotten",
        instead={
            "project": "def project(x, W_query, W_key, W_value):\n    return x @ W_query, x @ W_key x @ W_value"
        },
        lost=1,
        wanted=("`project` is not defined", CHECKED),
        misleading=("does not define",),
    ),
    Slip(
        "marks_of_a_conflict",
        instead={
            "scale_scores": (
                "def scale_scores(scores, d_k):\n<<<<<<< HEAD\n    return scores / d_k**0.5\n=======\n"
                "    return scores / d_k\n>>>>>>> theirs"
            )
        },
        lost=1,
        wanted=("marks of a conflict", "`scale_scores` is not defined"),
        misleading=("does not define",),
    ),
    Slip(
        "the_edge_of_a_code_block",
        after={"project": "```", "attention_score": "```python"},
        wanted=("code block in Markdown", "Everything else was checked."),
        misleading=("does not define",),
    ),
    Slip(
        "prose_between_the_steps",
        after={"project": "Now we compute the scores.\nEach query meets each key."},
        wanted=("Python cannot read", CHECKED),
        line="Now we compute the scores.",
        misleading=("does not define",),
    ),
    Slip(
        "a_command_for_the_terminal",
        after={HEAD: "pip install torch"},
        wanted=("command for the terminal", CHECKED),
        line="pip install torch",
    ),
    Slip(
        "a_windows_path",
        after={HEAD: r'data = open("C:\Users\me\verdict.txt")'},
        wanted=("backslash", CHECKED),
    ),
    Slip(
        "a_return_outside_of_its_function",
        instead={
            "attention_score": "def attention_score(query, key):\n    dot = query @ key\nreturn dot"
        },
        lost=1,
        wanted=("a `return` stands outside of a function",),
        line="return dot",
        misleading=("does not define",),
    ),
    Slip(
        "a_broken_line_in_two_steps",
        instead={
            "scale_scores": "def scale_scores(scores, d_k):\n    return scores / (d_k**0.5",
            "attention_score": "def attention_score(query, key)\n    return torch.dot(query, key)",
        },
        lost=2,
        wanted=("`scale_scores` is not defined", "`attention_score` is not defined", CHECKED),
    ),
    Slip(
        "lines_for_a_notebook",
        after={
            HEAD: """
                ?torch.softmax
                torch.softmax?
                nn.Linear??
                %matplotlib inline
                !pip install x
            """
        },
        wanted=("only a notebook understands", "`?torch.softmax`", "`torch.softmax?`"),
        misleading=("cannot read",),
    ),
    Slip(
        "a_library_installed_where_it_is_missing",
        after={
            HEAD: "try:\n    import tiktoken\nexcept ImportError:\n    !pip install tiktoken\n    %pip install x"
        },
        wanted=("only a notebook understands", "`!pip install tiktoken`"),
        misleading=("cannot read", "stopped"),
    ),
    Slip(
        "output_of_a_command_in_a_variable",
        after={HEAD: "files = !ls\nprint(files)"},
        wanted=("only a notebook understands", CHECKED),
        line="files = !ls",
        misleading=("NameError",),
    ),
    # Lines that stop.
    Slip(
        "a_type_hint_that_is_not_imported",
        instead={
            "attention_score": "def attention_score(query: Tensor, key: Tensor):\n    return query @ key",
            "scale_scores": "def scale_scores(scores: Tensor, d_k):\n    return scores / d_k**0.5",
        },
        lost=2,
        wanted=(
            "`attention_score` and `scale_scores` are not defined",
            "`from torch import Tensor`",
            CHECKED,
        ),
        line="query: Tensor",
        misleading=("does not define", "Something is also wrong"),
    ),
    Slip(
        "a_library_that_is_not_there",
        after={
            HEAD: """
                import tiktoken
                tokenizer = tiktoken.get_encoding("gpt2")
                ids = tokenizer.encode("Your journey starts with one step")
            """
        },
        wanted=("imports `tiktoken`", "no such library here", CHECKED),
        line="import tiktoken",
        misleading=UNTRUE,
    ),
    Slip(
        "several_libraries_that_are_not_there",
        after={
            HEAD: """
                from my_loader import Dataset
                from my_loader import create_dataloader
                from my_tokens import embedding
            """
        },
        wanted=(
            "import `my_loader` and `my_tokens`, and there is no such library here.",
            "So `Dataset`, `create_dataloader` and `embedding` cannot be used.",
            CHECKED,
        ),
        line="from my_loader import Dataset",
        misleading=UNTRUE,
        forms=("notebook", "plain", "percent", "exported"),
    ),
    Slip(
        "a_library_that_is_not_there_beside_one_that_is",
        after={HEAD: "import math, tiktoken, torch"},
        wanted=("imports `tiktoken`", CHECKED),
        misleading=UNTRUE,
    ),
    Slip(
        "a_submodule_misspelt",
        after={HEAD: "import torch.nn.functionl as F"},
        instead={
            "attention_weights": "def attention_weights(scaled_scores):\n    return F.softmax(scaled_scores, dim=-1)"
        },
        lost=2,
        wanted=("Did you mean `torch.nn.functional`?",),
        line="functionl",
    ),
    Slip(
        "a_step_that_uses_what_an_import_should_define",
        after={HEAD: "import torch.nn.functionl as F"},
        instead={
            "attention_weights": "def attention_weights(scaled_scores):\n    return F.softmax(scaled_scores, dim=-1)"
        },
        lost=2,
        where="attention_weights",
        wanted=("uses `F`", "should define"),
        misleading=("Did you mean `np`",),
    ),
    Slip(
        "a_name_that_a_library_does_not_have",
        after={HEAD: "from torch import nn, softmaks"},
        wanted=("softmaks", CHECKED),
        line="softmaks",
        misleading=UNTRUE,
    ),
    Slip(
        "a_file_that_is_not_there",
        after={
            HEAD: """
                with open("the-verdict.txt", encoding="utf-8") as file:
                    raw_text = file.read()
                print(len(raw_text))
                words = raw_text.split()
            """
        },
        wanted=("the-verdict.txt", CHECKED),
        line='open("the-verdict.txt"',
        misleading=UNTRUE,
    ),
    Slip(
        "a_download",
        after={
            HEAD: """
                import urllib.request
                urllib.request.urlretrieve("https://example.org/the-verdict.txt", "the-verdict.txt")
            """
        },
        wanted=("outside of your program", CHECKED),
        line="urlretrieve",
        misleading=UNTRUE,
    ),
    Slip(
        "a_try_out_with_wrong_shapes",
        after={"attention_scores": "print(attention_scores(inputs, inputs.T))"},
        wanted=("stopped inside your `attention_scores`", CHECKED),
        line="print(attention_scores",
        misleading=UNTRUE,
    ),
    Slip(
        "a_try_out_with_names_of_the_notebook",
        after={
            "project": "queries, keys, values = project(inputs, W_query, W_key, W_value)\nprint(queries.shape)"
        },
        wanted=("W_query", CHECKED),
        line="queries, keys, values = project(inputs",
        misleading=("does not define", "`queries`"),
    ),
    Slip(
        "a_plot_without_its_library",
        after={"attention_weights": "plt.imshow(attention_weights(inputs))"},
        wanted=("plt", CHECKED),
        line="plt.imshow",
    ),
    Slip(
        "division_by_zero_at_the_left_margin",
        after={HEAD: "print(1 / 0)"},
        wanted=("ZeroDivisionError", CHECKED),
        line="print(1 / 0)",
    ),
    Slip(
        "an_assert_that_does_not_hold",
        after={"scale_scores": "assert torch.equal(scale_scores(inputs, 4), inputs), 'not equal'"},
        wanted=("assert that does not hold", "not equal", CHECKED),
        line="assert torch.equal",
    ),
    Slip(
        "exit_between_the_steps",
        after={"project": "exit()"},
        wanted=("ends the program", CHECKED),
        line="exit()",
        misleading=UNTRUE,
    ),
    Slip(
        "sys_exit_between_the_steps",
        after={"project": "import sys\nsys.exit(0)"},
        wanted=("ends the program", CHECKED),
        line="sys.exit(0)",
        misleading=UNTRUE,
    ),
    Slip(
        "a_question_to_the_user",
        after={HEAD: 'd_in = int(input("How many columns? "))'},
        wanted=("asks for input", "nobody answers", CHECKED),
        line="input(",
    ),
    Slip(
        "a_device_that_is_not_there",
        after={HEAD: 'device = torch.device("cuda")\ninputs = inputs.to(device)'},
        wanted=("CUDA", CHECKED),
        line="inputs.to(device)",
    ),
    Slip(
        "endless_recursion_at_the_left_margin",
        after={HEAD: "def again(x):\n    return again(x)\n\nagain(1)"},
        wanted=("RecursionError", CHECKED),
    ),
    # Definitions that stop.
    Slip(
        "an_annotation_that_is_not_imported",
        instead={
            "scale_scores": "def scale_scores(scores: Tensor, d_k: int) -> Tensor:\n    return scores / d_k**0.5"
        },
        lost=1,
        wanted=("Tensor", "`scale_scores` is not defined"),
        line="def scale_scores",
        misleading=("does not define",),
    ),
    Slip(
        "annotations_of_the_future_in_a_later_cell",
        after={HEAD: "from __future__ import annotations"},
        instead={
            "scale_scores": "def scale_scores(scores: Tensor, d_k: int) -> Tensor:\n    return scores / d_k**0.5"
        },
        misleading=("cannot read", "stopped"),
    ),
    Slip(
        "a_decorator_that_is_not_there",
        instead={
            "scale_scores": "@timed\ndef scale_scores(scores, d_k):\n    return scores / d_k**0.5"
        },
        lost=1,
        wanted=("timed", "`scale_scores` is not defined"),
        misleading=("does not define",),
    ),
    Slip(
        "a_default_that_is_not_there",
        instead={
            "scale_scores": "def scale_scores(scores, d_k=D_K):\n    return scores / d_k**0.5"
        },
        lost=1,
        wanted=("D_K", "`scale_scores` is not defined"),
    ),
    Slip(
        "a_base_class_misspelt",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Modul):
                    pass
            """
        },
        lost=4,
        wanted=("nn.Modul", "`SelfAttention_v1` is not defined"),
        line="nn.Modul)",
        misleading=("does not define",),
    ),
    # What only a notebook has.
    Slip(
        "a_timed_cell",
        instead={
            "scale_scores": "%%time\ndef scale_scores(scores, d_k):\n    return scores / d_k**0.5",
        },
        wanted=("%%time",),
        misleading=("does not define",),
    ),
    Slip(
        "a_timed_cell_as_jupyter_exports_it",
        instead={
            "project": (
                "get_ipython().run_cell_magic('time', '', 'def project(x, W_query, W_key, W_value):\\n"
                "    return x @ W_query, x @ W_key, x @ W_value\\n')"
            ),
        },
        after={"project": "print(project(inputs, *init_weights(3, 2, 123))[0].shape)"},
        misleading=("does not define", "stopped"),
        forms=("exported",),
    ),
    Slip(
        "an_error_below_a_timed_cell",
        instead={
            "project": (
                "get_ipython().run_cell_magic('timeit', '-n 10', 'def project(x, W_query, W_key, W_value):\\n"
                "    return x @ W_query, x @ W_key, x @ W_value\\n')"
            ),
            "scale_scores": "def scale_scores(scores, d_k):\n    return scores / dk**0.5",
        },
        lost=1,
        where="scale_scores",
        wanted=("`d_k`",),
        line="return scores / dk",
        forms=("exported",),
    ),
    Slip(
        "an_annotation_in_a_class_that_is_not_imported",
        instead={
            "SelfAttention_v2": """
                class SelfAttention_v2(nn.Module):
                    def __init__(self, d_in, d_out, qkv_bias=False):
                        super().__init__()
                        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
                        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
                        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

                    def forward(self, x: Tensor) -> Tensor:
                        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
                        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
            """
        },
        lost=4,
        wanted=("`Tensor` is not imported", "`from torch import Tensor`"),
        line="def forward(self, x: Tensor)",
        misleading=("stopped inside your",),
    ),
    # The other assignments.
    Slip(
        "numpy_open_bracket",
        "numpy_attention",
        instead={
            "numpy_scores": "def numpy_scores(queries, keys):\n    return np.dot(queries, keys.T"
        },
        lost=1,
        wanted=("a `(` has no `)`", "`numpy_scores` is not defined", CHECKED),
        line="np.dot(queries",
        misleading=("does not define",),
    ),
    Slip(
        "numpy_no_such_function",
        "numpy_attention",
        after={HEAD: "np.random.sed(42)\nrows = np.random.randn(3, 4)"},
        wanted=("sed", CHECKED),
        line="np.random.sed",
    ),
    Slip(
        "numpy_alias_forgotten",
        "numpy_attention",
        instead={
            HEAD: """
                import numpy
                import torch
                from torch import nn
            """,
            "numpy_project": "def numpy_project(x, a, b, c):\n    return x @ a, x @ b, x @ c",
            "numpy_scores": "def numpy_scores(queries, keys):\n    return queries @ keys.T",
            "numpy_softmax": """
                def numpy_softmax(scores):
                    powers = numpy.exp(scores - scores.max(axis=1, keepdims=True))
                    return powers / powers.sum(axis=1, keepdims=True)
            """,
            "numpy_self_attention": """
                def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
                    queries, keys, values = numpy_project(x, w_query, w_key, w_value)
                    scores = numpy_scores(queries, keys)
                    if scaled:
                        scores = scores / numpy.sqrt(keys.shape[1])
                    return numpy_softmax(scores) @ values
            """,
            "scaled_scores": "def scaled_scores(Q, K):\n    return Q @ K.T / K.shape[-1] ** 0.5",
        },
        after={"numpy_project": "print(np.ones(3))"},
        wanted=("`np`", CHECKED),
        line="print(np.ones(3))",
        forms=("plain", "percent", "exported"),
    ),
    Slip(
        "numpy_prose_of_a_tutor",
        "numpy_attention",
        after={"numpy_softmax": "Here is the corrected version:"},
        wanted=("Python cannot read", CHECKED),
        line="Here is the corrected version:",
    ),
    Slip(
        "words_without_their_library",
        "numpy_attention",
        after={
            "index_words": "from nltk.tokenize import word_tokenize\nprint(word_tokenize('Hello there'))"
        },
        wanted=("imports `nltk", CHECKED),
        misleading=UNTRUE,
    ),
    Slip(
        "scaled_dot_product_unclosed_call",
        "scaled_dot_product",
        instead={
            "score_variances": """
                def score_variances(q, k):
                    raw = q @ k.T
                    scaled = raw / math.sqrt(k.shape[-1]
                    return {"q": q.var(), "k": k.var(), "raw_scores": raw.var(), "scaled_scores": scaled.var()}
            """
        },
        lost=2,
        wanted=("a `(` has no `)`", "`score_variances` is not defined"),
        line="scaled = raw / math.sqrt(k.shape[-1]",
        misleading=("does not define",),
    ),
    Slip(
        "scaled_dot_product_a_later_variable",
        "scaled_dot_product",
        after={
            "make_projections": "q, k, v = project(tokens, *make_projections(8))\nprint(q.var(), k.var())"
        },
        wanted=("`project`", CHECKED),
        line="q, k, v = project(tokens",
        misleading=("stopped with NameError: name 'q'",),
    ),
    Slip(
        "scaled_dot_product_one_library_in_many_lines",
        "scaled_dot_product",
        after={HEAD: "import seaborn as sns\nsns.set_theme()\npalette = sns.color_palette()"},
        wanted=("imports `seaborn`", CHECKED),
        misleading=UNTRUE,
    ),
)
