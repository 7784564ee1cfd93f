"""Names that are nearly right: of attributes, methods, functions, arguments and modules."""

from tests.truth.self_attention.classes import V1, V2
from tests.truth.slips.slip import HEAD, Slip
from tests.truth.variant import rewritten

SLIPS = (
    Slip(
        "and_between_tensors",
        instead={
            "attention_scores": "def attention_scores(queries, keys):\n    return (k := keys.T) and queries @ k"
        },
        lost=2,
        where="attention_scores",
        wanted=("`and`", "one yes or no"),
        misleading=("has to be transposed",),
    ),
    Slip(
        "a_format_for_one_number",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    scores = queries @ keys.T
                    print(f"scores: {scores:.2f}")
                    return scores
            """
        },
        lost=2,
        where="attention_scores",
        wanted=("`:.2f`", "one single number"),
        misleading=("has to be transposed",),
    ),
    Slip(
        "an_object_asked_for_names_of_ones_own",
        instead={
            "transfer_weights": """
                def transfer_weights(sa_v2, sa_v1):
                    sa_v1.W_q = nn.Parameter(sa_v2.W_q.weight.T)
                    sa_v1.W_k = nn.Parameter(sa_v2.W_k.weight.T)
                    sa_v1.W_v = nn.Parameter(sa_v2.W_v.weight.T)
            """
        },
        lost=2,
        where="transfer_weights",
        wanted=(
            "has no `W_q`. It has `W_query`, `W_key`, `W_value`.",
            "the object's name for it is `W_query`",
        ),
        misleading=("(d_out, d_in)",),
    ),
    Slip(
        "an_object_asked_for_what_it_does_not_have",
        instead={
            "transfer_weights": """
                def transfer_weights(sa_v2, sa_v1):
                    sa_v1.load_state_dict(sa_v2.projections.state_dict())
            """
        },
        lost=2,
        where="transfer_weights",
        wanted=("has no `projections`. It has `W_query`", "The name `projections` in this line"),
        misleading=("(d_out, d_in)",),
    ),
    Slip(
        "an_object_of_ones_own_asked_for_another_name",
        instead={
            "transfer_weights": """
                def transfer_weights(sa_v2, sa_v1):
                    check = SelfAttention_v1(3, 2)
                    print(check.W_querry)
                    with torch.no_grad():
                        for name in ("W_query", "W_key", "W_value"):
                            getattr(sa_v1, name).copy_(getattr(sa_v2, name).weight.T)
            """
        },
        lost=2,
        where="transfer_weights",
        wanted=("has no `W_querry`. It has `W_query`", "the object's name for it is `W_query`"),
        misleading=("(d_out, d_in)",),
    ),
    Slip(
        "a_class_where_an_object_belongs",
        instead={"SelfAttention_v2": V2},
        after={"SelfAttention_v2": "queries = SelfAttention_v2.W_query(inputs)"},
        wanted=(
            "`SelfAttention_v2` is the class",
            "`model = SelfAttention_v2(d_in, d_out)`; then write `model.W_query`",
        ),
        line="SelfAttention_v2.W_query(inputs)",
    ),
    Slip(
        "a_class_in_its_own_method",
        instead={
            "SelfAttention_v1": rewritten(V1, ("self.W_query\n", "SelfAttention_v1.W_query\n"))
        },
        lost=3,
        where="SelfAttention_v1",
        wanted=("`SelfAttention_v1` is the class", "a method writes `self.W_query`"),
    ),
    Slip(
        "classes_in_place_of_the_objects_given",
        instead={
            "SelfAttention_v2": V2,
            "transfer_weights": """
                def transfer_weights(sa_v2, sa_v1):
                    sa_v1.W_query = nn.Parameter(SelfAttention_v2.W_query.weight.T)
            """,
        },
        lost=2,
        where="transfer_weights",
        wanted=("`SelfAttention_v2` is the class", "an argument of `transfer_weights`"),
        misleading=("(d_out, d_in)",),
    ),
    Slip(
        "a_name_that_no_line_above_makes",
        after={HEAD: "queries = torch.rand(width_of_a_token, 2)"},
        wanted=("There is no `width_of_a_token`", "what a line above it makes or imports"),
        line="torch.rand(width_of_a_token, 2)",
        misleading=("as an argument, makes it itself",),
    ),
    Slip(
        "a_question_in_a_step",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    d_k = int(input("d_k? "))
                    return scores / d_k ** 0.5
            """
        },
        lost=1,
        where="scale_scores",
        wanted=("`input()`", "as arguments"),
    ),
    Slip(
        "a_processor_of_another_machine",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    x = x.cuda()
                    return x @ W_query.cuda(), x @ W_key.cuda(), x @ W_value.cuda()
            """
        },
        lost=1,
        where="project",
        wanted=("graphics processor", "leave it out"),
        misleading=("x stands on the left",),
    ),
    Slip(
        "a_device_of_another_machine",
        instead={
            "init_weights": """
                def init_weights(d_in, d_out, seed):
                    torch.manual_seed(seed)
                    W_query = nn.Parameter(torch.rand(d_in, d_out, device="mps"), requires_grad=False)
                    W_key = nn.Parameter(torch.rand(d_in, d_out, device="mps"), requires_grad=False)
                    W_value = nn.Parameter(torch.rand(d_in, d_out, device="mps"), requires_grad=False)
                    return W_query, W_key, W_value
            """
        },
        lost=1,
        where="init_weights",
        wanted=("graphics processor", "leave it out"),
        misleading=("Is the seed set once",),
    ),
    Slip(
        "a_method_of_numpy_not_called",
        "numpy_attention",
        instead={
            "numpy_scores": "def numpy_scores(queries, keys):\n    return queries @ keys.transpose"
        },
        lost=1,
        where="numpy_scores",
        wanted=("was not called", "`.transpose()`"),
    ),
    Slip(
        "a_step_without_return_used_by_another",
        "numpy_attention",
        instead={
            "numpy_softmax": "def numpy_softmax(scores):\n    print(np.exp(scores))",
            "numpy_self_attention": """
                def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
                    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
                    scores = queries @ keys.T
                    if scaled:
                        scores = scores / np.sqrt(keys.shape[1])
                    return numpy_softmax(scores) @ values
            """,
        },
        lost=3,
        where="numpy_self_attention",
        wanted=("This step calls your `numpy_softmax`, which is not right yet",),
    ),
    Slip(
        "a_layer_with_square_brackets",
        "numpy_attention",
        instead={"embed": "def embed(indices, embedding):\n    return embedding[indices]"},
        lost=1,
        where="embed",
        wanted=("type Embedding", "called with round ones"),
    ),
    Slip(
        "a_tensor_of_a_generator",
        "numpy_attention",
        instead={
            "token_indices": (
                "def token_indices(sentence, vocabulary):\n"
                "    return torch.tensor(vocabulary[word] for word in sentence.split())"
            )
        },
        lost=1,
        where="token_indices",
        wanted=("type generator", "square brackets"),
    ),
    Slip(
        "self_Wq",
        instead={
            "SelfAttention_v1": rewritten(V1, ("W_query", "Wq"), ("W_key", "Wk"), ("W_value", "Wv"))
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("self.Wq", "W_query"),
        misleading=("nothing is stored",),
        forms=("plain", "percent"),
    ),
    Slip(
        "w_query_small",
        instead={
            "SelfAttention_v1": rewritten(
                V1, ("W_query", "w_query"), ("W_key", "w_key"), ("W_value", "w_value")
            )
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("w_query", "W_query"),
        forms=("percent", "exported"),
    ),
    Slip(
        "W_Q",
        instead={
            "SelfAttention_v1": rewritten(
                V1, ("W_query", "W_Q"), ("W_key", "W_K"), ("W_value", "W_V")
            )
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("W_Q", "W_query"),
        forms=("exported", "notebook"),
    ),
    Slip(
        "query_weights",
        instead={
            "SelfAttention_v1": rewritten(
                V1,
                ("W_query", "query_weights"),
                ("W_key", "key_weights"),
                ("W_value", "value_weights"),
            )
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("query_weights", "W_query"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "v2_q_proj",
        instead={
            "SelfAttention_v2": rewritten(
                V2, ("W_query", "q_proj"), ("W_key", "k_proj"), ("W_value", "v_proj")
            )
        },
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("q_proj", "W_query"),
        forms=("plain", "percent"),
    ),
    Slip(
        "v2_one_typo",
        instead={
            "SelfAttention_v2": rewritten(
                V2, ("self.W_query = ", "self.W_qeury = "), ("self.W_query(x)", "self.W_qeury(x)")
            )
        },
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("W_qeury", "W_query"),
        forms=("percent", "exported"),
    ),
    Slip(
        "typo_in_forward",
        instead={"SelfAttention_v1": rewritten(V1, ("x @ self.W_query", "x @ self.W_qurey"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("W_qurey", "W_query"),
        forms=("exported", "notebook"),
    ),
    Slip(
        "typo_in_init",
        instead={"SelfAttention_v1": rewritten(V1, ("self.W_query =", "self.W_qurey ="))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("W_qurey", "W_query"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "foward",
        instead={"SelfAttention_v1": rewritten(V1, ("def forward", "def foward"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("foward", "forward"),
        forms=("plain", "percent"),
    ),
    Slip(
        "Forward",
        instead={"SelfAttention_v1": rewritten(V1, ("def forward", "def Forward"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("Forward", "forward"),
        forms=("percent", "exported"),
    ),
    Slip(
        "call_fwd",
        instead={"SelfAttention_v1": rewritten(V1, ("def forward", "def fwd"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("fwd", "forward"),
        forms=("exported", "notebook"),
    ),
    Slip(
        "_init_",
        instead={"SelfAttention_v1": rewritten(V1, ("def __init__", "def _init_"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("_init_", "__init__"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "__int__",
        instead={"SelfAttention_v1": rewritten(V1, ("def __init__", "def __int__"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("__int__", "__init__"),
        forms=("plain", "percent"),
    ),
    Slip(
        "init",
        instead={"SelfAttention_v1": rewritten(V1, ("def __init__", "def init"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("init", "__init__"),
        forms=("percent", "exported"),
    ),
    Slip(
        "v2__init",
        instead={"SelfAttention_v2": rewritten(V2, ("def __init__", "def __init"))},
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("__init", "__init__"),
        forms=("exported", "notebook"),
    ),
    Slip(
        "super_init_once",
        instead={"SelfAttention_v1": rewritten(V1, ("super().__init__()", "super()._init_()"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("_init_", "__init__"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "super_no_call",
        instead={"SelfAttention_v1": rewritten(V1, ("super().__init__()", "super().__init__"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("brackets",),
        forms=("plain", "percent"),
    ),
    Slip(
        "super_no_brackets",
        instead={"SelfAttention_v1": rewritten(V1, ("super().__init__()", "super.__init__()"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("super()",),
        forms=("percent", "exported"),
    ),
    Slip(
        "nested_forward",
        instead={
            "SelfAttention_v1": rewritten(
                V1,
                ("    def forward", "        def forward"),
                ("        keys", "            keys"),
                ("        queries", "            queries"),
                ("        values", "            values"),
                ("        attn_scores =", "            attn_scores ="),
                ("        attn_weights", "            attn_weights"),
                ("        context", "            context"),
                ("        return", "            return"),
            )
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("inside `__init__`",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "forward_outside",
        instead={
            "SelfAttention_v1": """
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
            """
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("outside",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "W_key_without_self",
        instead={"SelfAttention_v1": rewritten(V1, ("x @ self.W_key", "x @ W_key"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("self.W_key",),
        forms=("plain", "percent"),
    ),
    Slip(
        "W_key_global",
        instead={
            "SelfAttention_v1": """
                W_key = torch.rand(3, 2)
                class SelfAttention_v1(nn.Module):
                    def __init__(self, d_in, d_out):
                        super().__init__()
                        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

                    def forward(self, x):
                        keys = x @ W_key
                        queries = x @ self.W_query
                        values = x @ self.W_value
                        attn_scores = queries @ keys.T
                        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
                        context_vec = attn_weights @ values
                        return context_vec
            """
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("self.W_key",),
        forms=("percent", "exported"),
    ),
    Slip(
        "nn_parameter",
        instead={"SelfAttention_v1": rewritten(V1, ("nn.Parameter", "nn.parameter"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("nn.Parameter",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "nn_parameters",
        instead={"SelfAttention_v1": rewritten(V1, ("nn.Parameter", "nn.Parameters"))},
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("nn.Parameter",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "nn_linear",
        instead={"SelfAttention_v2": rewritten(V2, ("nn.Linear", "nn.linear"))},
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("nn.Linear",),
        forms=("plain", "percent"),
    ),
    Slip(
        "require_grad",
        instead={
            "init_weights": """
                def init_weights(d_in, d_out, seed):
                    torch.manual_seed(seed)
                    W_query = torch.nn.Parameter(torch.rand(d_in, d_out), require_grad=False)
                    W_key = torch.nn.Parameter(torch.rand(d_in, d_out), require_grad=False)
                    W_value = torch.nn.Parameter(torch.rand(d_in, d_out), require_grad=False)
                    return W_query, W_key, W_value
            """
        },
        lost=1.0,
        where="init_weights",
        wanted=("requires_grad",),
        misleading=("as in the release",),
        forms=("percent", "exported"),
    ),
    Slip(
        "requires_gradient_rand",
        instead={
            "init_weights": """
                def init_weights(d_in, d_out, seed):
                    torch.manual_seed(seed)
                    return tuple(nn.Parameter(torch.rand(d_in, d_out, require_grad=False)) for _ in range(3))
            """
        },
        lost=1.0,
        where="init_weights",
        wanted=("requires_grad",),
        misleading=("as in the release",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "manualseed",
        instead={
            "init_weights": """
                def init_weights(d_in, d_out, seed):
                    torch.manualseed(seed)
                    return tuple(nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) for _ in range(3))
            """
        },
        lost=1.0,
        where="init_weights",
        wanted=("manual_seed",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "transpose_empty",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    return queries @ keys.transpose()
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("two axes",),
        misleading=("as in the release",),
        forms=("plain", "percent"),
    ),
    Slip(
        "T_call",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    return queries @ keys.T()
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("brackets",),
        forms=("percent", "exported"),
    ),
    Slip(
        "small_t",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    return queries @ keys.t
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=(".t()",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "np_transpose_kw",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    return np.dot(queries, keys.T)
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("import numpy as np",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "F_missing",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return F.softmax(scaled_scores, dim=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("import torch.nn.functional as F",),
        forms=("plain", "percent"),
    ),
    Slip(
        "sofmax",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.sofmax(scaled_scores, dim=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("softmax",),
        forms=("percent", "exported"),
    ),
    Slip(
        "Softmax_capital",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.Softmax(scaled_scores, dim=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("softmax",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "dims",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.softmax(scaled_scores, dims=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("`dim`",),
        misleading=("as in the release",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "axis_ok_softmax",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return nn.functional.softmax(scaled_scores, axis=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("`dim`",),
        misleading=("as in the release",),
        forms=("plain", "percent"),
    ),
    Slip(
        "np_keepdim",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    e = np.exp(scores - np.max(scores, axis=1, keepdim=True))
                    return e / e.sum(axis=1, keepdims=True)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("keepdims",),
        misleading=("as in the release",),
        forms=("percent", "exported"),
    ),
    Slip(
        "np_keepdim_method",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    e = np.exp(scores - scores.max(axis=1, keepdims=True))
                    return e / e.sum(axis=1, keepdim=True)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("keepdims",),
        misleading=("as in the release",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "np_dim",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    e = np.exp(scores - scores.max(dim=1, keepdims=True))
                    return e / e.sum(axis=1, keepdims=True)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("axis",),
        misleading=("as in the release",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "np_expp",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    e = np.Exp(scores - scores.max(axis=1, keepdims=True))
                    return e / e.sum(axis=1, keepdims=True)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("np.exp",),
        forms=("plain", "percent"),
    ),
    Slip(
        "own_argument_names",
        instead={
            "SelfAttention_v1": """
                def my_softmax(s):
                    return torch.softmax(s, dim=-1)

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
                        attn_weights = my_softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
                        context_vec = attn_weights @ values
                        return context_vec
            """
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("my_softmax",),
        misleading=("as in the release",),
        forms=("percent", "exported"),
    ),
    Slip(
        "biased_kw",
        instead={"SelfAttention_v2": rewritten(V2, ("bias=qkv_bias", "biased=qkv_bias"))},
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("`bias`",),
        misleading=("as in the release",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "qkv_bias_to_linear",
        instead={"SelfAttention_v2": rewritten(V2, ("bias=qkv_bias", "qkv_bias=qkv_bias"))},
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("`bias`",),
        misleading=("as in the release",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "arg_typo",
        instead={
            "attention_scores": """
                def attention_scores(querys, keys):
                    return queries @ keys.T
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("querys",),
        forms=("plain", "percent"),
    ),
    Slip(
        "arg_missing",
        instead={
            "scale_scores": """
                def scale_scores(scores):
                    return scores / 2 ** 0.5
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("d_k",),
        forms=("percent", "exported"),
    ),
    Slip(
        "embed_typo",
        "numpy_attention",
        instead={
            "embed": """
                def embed(indices, embedding):
                    return embeddings(indices)
            """
        },
        lost=1.0,
        where="embed",
        wanted=("embedding",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "split_without_call",
        "numpy_attention",
        instead={
            "index_words": """
                def index_words(sentence):
                    return dict(enumerate(sentence.split))
            """
        },
        lost=1.0,
        where="index_words",
        wanted=("brackets",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "append_none",
        "numpy_attention",
        instead={
            "token_indices": """
                def token_indices(sentence, vocabulary):
                    ids = []
                    for word in sentence.split():
                        ids = ids.append(vocabulary[word])
                    return torch.tensor(ids)
            """
        },
        lost=1.0,
        where="token_indices",
        wanted=("append",),
        forms=("plain", "percent"),
    ),
    Slip(
        "sort_none",
        "numpy_attention",
        instead={
            "index_words": """
                def index_words(sentence):
                    words = sentence.split().reverse()
                    return dict(enumerate(words))
            """
        },
        lost=1.0,
        where="index_words",
        wanted=("reverse",),
        forms=("percent", "exported"),
    ),
    Slip(
        "dict_item",
        "numpy_attention",
        instead={
            "reverse_dict": """
                def reverse_dict(mapping):
                    return {v: k for k, v in mapping.item()}
            """
        },
        lost=1.0,
        where="reverse_dict",
        wanted=("items",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "dict_no_items",
        "numpy_attention",
        instead={
            "reverse_dict": """
                def reverse_dict(mapping):
                    return {v: k for k, v in mapping}
            """
        },
        lost=1.0,
        where="reverse_dict",
        wanted=("items",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "nn_softmax_x",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return nn.Softmax(scaled_scores)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("nn.Softmax",),
        forms=("plain", "percent"),
    ),
    Slip(
        "nn_softmax_dim",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.nn.Softmax(dim=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("nn.Softmax",),
        forms=("percent", "exported"),
    ),
    Slip(
        "nn_softmax_x_dim",
        "scaled_dot_product",
        instead={
            "attention_weights": """
                def attention_weights(scores):
                    return nn.Softmax(scores, dim=-1)
            """
        },
        lost=1.0,
        where="attention_weights",
        wanted=("nn.Softmax",),
        misleading=("as in the release",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "nn_softmax_class",
        instead={
            "SelfAttention_v1": rewritten(
                V1,
                (
                    "torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)",
                    "nn.Softmax(attn_scores / keys.shape[-1] ** 0.5)",
                ),
            )
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("nn.Softmax",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "case_return",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    Return = queries @ keys.T
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("return",),
        forms=("plain", "percent"),
    ),
    Slip(
        "power_times",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores / sqrt(d_k)
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("sqrt",),
        forms=("percent", "exported"),
    ),
    Slip(
        "shape_call",
        instead={
            "SelfAttention_v1": """
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
                        attn_weights = torch.softmax(attn_scores / keys.shape(-1) ** 0.5, dim=-1)
                        context_vec = attn_weights @ values
                        return context_vec
            """
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("square brackets",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "matmul_name",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    return torch.matmult(weights, values)
            """
        },
        lost=1.0,
        where="context_vectors",
        wanted=("matmul",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "values_missing_s",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    return weights @ value
            """
        },
        lost=1.0,
        where="context_vectors",
        wanted=("values",),
        forms=("plain", "percent"),
    ),
    Slip(
        "x_dot_W",
        "numpy_attention",
        instead={
            "numpy_project": """
                def numpy_project(x, w_query, w_key, w_value):
                    return np.dot(x, W_query), np.dot(x, W_key), np.dot(x, W_value)
            """
        },
        lost=1.0,
        where="numpy_project",
        wanted=("w_query",),
        forms=("percent", "exported"),
    ),
    Slip(
        "self_in_function",
        instead={
            "project": """
                def project(self, x, W_query, W_key, W_value):
                    return x @ W_query, x @ W_key, x @ W_value
            """
        },
        lost=1.0,
        where="project",
        wanted=("self",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "noself_forward",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Module):
                    def __init__(self, d_in, d_out):
                        super().__init__()
                        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

                    def forward(x):
                        keys = x @ self.W_key
                        queries = x @ self.W_query
                        values = x @ self.W_value
                        attn_scores = queries @ keys.T
                        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
                        context_vec = attn_weights @ values
                        return context_vec
            """
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("self",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "noself_init",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Module):
                    def __init__(d_in, d_out):
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
            """
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("self",),
        forms=("plain", "percent"),
    ),
    Slip(
        "the_lectures_name_for_an_argument",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    return attn_weights @ values
            """
        },
        lost=1.0,
        where="context_vectors",
        wanted=("There is no `attn_weights`. Did you mean your argument `weights`?",),
        misleading=("init_weights`?",),
        forms=("plain", "notebook"),
    ),
    Slip(
        "an_argument_renamed_in_the_first_line_only",
        instead={
            "project": """
                def project(tokens, W_query, W_key, W_value):
                    return x @ W_query, x @ W_key, x @ W_value
            """
        },
        lost=1.0,
        where="project",
        wanted=("There is no `x`. Your argument `tokens` is never used: was it meant?",),
        forms=("plain", "notebook"),
    ),
    Slip(
        "one_product_left_out",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    queries = x @ W_query
                    keys = x @ W_key
                    return queries, keys, values
            """
        },
        lost=1.0,
        where="project",
        wanted=("No line of `project` makes `values`.",),
        misleading=("There is no `values`. Did you mean your argument",),
        forms=("plain", "notebook"),
    ),
)
