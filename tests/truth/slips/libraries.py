"""Functions of the libraries that a file replaces: the kit's own calls go on, and the line is named."""

from tests.truth.slips.slip import HEAD, Slip

INSTEAD = "in place of"

SLIPS = (
    Slip(
        "a_vector_transposed",
        instead={"attention_score": "def attention_score(query, key):\n    return query @ key.T"},
        where="attention_score",
        wanted=("Python warns about the code", "call it in Python yourself"),
        misleading=("pytest",),
    ),
    Slip(
        "the_seed_set_by_an_equals_sign",
        after={HEAD: "torch.manual_seed = 123\ntokens = torch.rand(4, 3)"},
        lost=1,
        wanted=("`torch.manual_seed`", INSTEAD, "`torch.manual_seed(123)`"),
        line="torch.manual_seed = 123",
    ),
    Slip(
        "the_step_that_calls_a_replaced_function",
        after={HEAD: "torch.manual_seed = 123"},
        lost=1,
        where="init_weights",
        wanted=("needs `torch.manual_seed`", "replaced"),
        line="torch.manual_seed = 123",
        misleading=("operator missing", ".T is no function"),
    ),
    Slip(
        "the_seed_set_by_an_equals_sign_in_a_step",
        instead={
            "init_weights": """
                def init_weights(d_in, d_out, seed):
                    torch.manual_seed = seed
                    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
                    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
                    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
                    return W_query, W_key, W_value
            """
        },
        lost=1,
        wanted=("`torch.manual_seed`", "`torch.manual_seed(seed)`"),
        line="torch.manual_seed = seed",
    ),
    Slip(
        "a_step_that_breaks_a_function_breaks_no_other",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    torch.softmax = x @ W_query
                    return x @ W_query, x @ W_key, x @ W_value
            """
        },
        wanted=("`torch.softmax`",),
        line="torch.softmax = x @ W_query",
    ),
    Slip(
        "layers_replaced_by_a_layer",
        after={HEAD: "nn.Linear = nn.Linear(3, 2)"},
        lost=4,
        wanted=("`torch.nn.Linear`", INSTEAD),
        line="nn.Linear = nn.Linear(3, 2)",
    ),
    Slip(
        "no_grad_replaced",
        after={HEAD: "torch.no_grad = True"},
        lost=6,  # layers use it when they draw their weights
        wanted=("`torch.no_grad`", INSTEAD),
        line="torch.no_grad = True",
    ),
    Slip(
        "gradients_switched_off_by_an_equals_sign",
        after={HEAD: "torch.set_grad_enabled = False"},
        lost=6,  # layers and no_grad() use it
        wanted=("`torch.set_grad_enabled`", "`torch.set_grad_enabled(False)`"),
        line="torch.set_grad_enabled = False",
    ),
    Slip(
        "a_class_that_needs_a_replaced_function",
        after={HEAD: "torch.no_grad = True"},
        lost=6,
        where="SelfAttention_v2",
        wanted=("needs `torch.no_grad`", "replaced"),
        line="torch.no_grad = True",
    ),
    Slip(
        "random_numbers_replaced",
        after={HEAD: "torch.randn = 5\ntorch.zeros = 0\ntorch.empty = None"},
        lost=4,  # layers use torch.empty for their weights
        wanted=("`torch.randn`", "`torch.zeros`", "`torch.empty`", INSTEAD),
        line="torch.empty = None",
    ),
    Slip(
        "gradients_switched_off",
        after={HEAD: "torch.set_grad_enabled(False)\ntorch.set_default_dtype(torch.float64)"},
        misleading=(INSTEAD,),
    ),
    Slip(
        "the_softmax_replaced_by_weights",
        after={"attention_weights": "torch.softmax = torch.softmax(inputs, dim=-1)"},
        lost=8,
        wanted=("`torch.softmax`", "a name of your own"),
        line="torch.softmax = torch.softmax(inputs",
        misleading=(".T is no function",),
    ),
    Slip(
        "a_device_that_is_everybodys",
        after={HEAD: 'torch.set_default_device("meta")'},
        misleading=("NotImplementedError", "meta tensor"),
    ),
    Slip(
        "warnings_as_errors",
        after={HEAD: 'import warnings\n\nwarnings.simplefilter("error")'},
        misleading=("Warning",),
    ),
    Slip(
        "deterministic_functions_only",
        after={HEAD: "torch.use_deterministic_algorithms(True)"},
        misleading=("deterministic",),
        forms=("plain", "notebook"),
    ),
    Slip(
        "a_builtin_hidden",
        after={HEAD: "sum = 0\nmax = 5\nlist = [1, 2]\nlen = 3\nprint = None\ntype = 'x'"},
        misleading=(INSTEAD,),
    ),
    Slip(
        "a_builtin_hidden_where_it_is_called",
        "numpy_attention",
        after={HEAD: "max = 10"},
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    rows = []
                    for row in scores:
                        powers = np.exp(row - max(row))
                        rows.append(powers / powers.sum())
                    return np.array(rows)
            """
        },
        lost=2,
        where="numpy_softmax",
        wanted=("gives the name `max` to a variable",),
        line="max = 10",
        misleading=("Their sizes need not fit", "an operator missing"),
    ),
    Slip(
        "a_builtin_hidden_in_a_function",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    powers = torch.exp(scaled_scores)
                    sum = sum(powers.T)
                    return powers / sum[:, None]
            """
        },
        lost=2,
        where="attention_weights",
        wanted=("gives the name `sum` to a variable",),
        line="sum = sum(",
    ),
    Slip(
        "torch_hidden_in_a_function",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    torch = scaled_scores
                    return torch.softmax(torch, dim=-1)
            """
        },
        lost=2,
        where="attention_weights",
        wanted=("gives the name `torch` to a variable", "no longer the module"),
        line="torch = scaled_scores",
    ),
    Slip(
        "a_module_under_a_name_of_its_own",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    F = torch.nn.functional
                    return F.softmax(scaled_scores, axis=-1)
            """
        },
        lost=2,
        where="attention_weights",
        wanted=("`dim`",),
        misleading=("to a variable",),
    ),
    Slip(
        "torch_hidden_in_the_file",
        after={"init_weights": "torch = torch.manual_seed(123)"},
        lost=20,
        wanted=("gives the name `torch` to a variable",),
        line="torch = torch.manual_seed(123)",
        misleading=("Something is also wrong",),
        forms=("plain", "exported"),
    ),
    Slip(
        "numpys_seed_set_by_an_equals_sign",
        "numpy_attention",
        after={HEAD: "np.random.seed = 42\nx = np.random.randn(3, 4)"},
        wanted=("`numpy.random.seed`", "`np.random.seed(42)`"),
        line="np.random.seed = 42",
    ),
    Slip(
        "the_root_replaced",
        "numpy_attention",
        after={HEAD: "np.sqrt = 2.0"},
        lost=2,
        wanted=("`numpy.sqrt`", INSTEAD),
        line="np.sqrt = 2.0",
    ),
    Slip(
        "the_module_random_reseeded_by_an_equals_sign",
        "numpy_attention",
        after={HEAD: "import random\n\nrandom.seed = 1"},
        wanted=("`random.seed`",),
    ),
    Slip(
        "scaled_dot_product_seed_by_an_equals_sign",
        "scaled_dot_product",
        after={HEAD: "torch.manual_seed = seed"},
        wanted=("`torch.manual_seed`", "`torch.manual_seed(seed)`"),
        line="torch.manual_seed = seed",
    ),
    Slip(
        "scaled_dot_product_set_by_name",
        "scaled_dot_product",
        after={HEAD: 'setattr(torch, "manual_seed", 42)'},
        wanted=("`torch.manual_seed`",),
        line="setattr(torch",
    ),
)
