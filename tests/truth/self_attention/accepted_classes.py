"""Right classes in other words than the reference's."""

from tests.truth.self_attention.classes import CONTEXT, RETURN, SCALED, SCORES, V1, V2, WEIGHTS
from tests.truth.variant import Variant, rewritten

Change = tuple[str, str]


def _v1(name: str, row: str, *changes: Change) -> Variant:
    return Variant(f"v1_{name}", row, "SelfAttention_v1", rewritten(V1, *changes))


def _v2(name: str, row: str, *changes: Change) -> Variant:
    return Variant(f"v2_{name}", row, "SelfAttention_v2", rewritten(V2, *changes))


_V1 = (
    _v1("of_the_book", "matmul"),
    _v1("matmul", "matmul", (SCORES, "torch.matmul(queries, keys.mT)")),
    _v1("mm", "mm_or_bmm", (CONTEXT, "torch.mm(attn_weights, values)")),
    _v1(
        "einsum",
        "einsum",
        (SCORES, 'torch.einsum("id,jd->ij", queries, keys)'),
        (CONTEXT, 'torch.einsum("ij,jd->id", attn_weights, values)'),
    ),
    _v1(
        "linear",
        "functional_linear",
        ("x @ self.W_key", "nn.functional.linear(x, self.W_key.T)"),
        ("x @ self.W_query", "nn.functional.linear(x, self.W_query.T)"),
    ),
    Variant(
        "v1_scaled_dot_product_attention",
        "library_attention",
        "SelfAttention_v1",
        """
        import torch.nn.functional as F

        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                self.W_value = nn.Parameter(torch.rand(d_in, d_out))

            def forward(self, x):
                return F.scaled_dot_product_attention(
                    x @ self.W_query, x @ self.W_key, x @ self.W_value
                )
        """,
    ),
    _v1(
        "queries_scaled_first",
        "queries_scaled_first",
        ("queries = x @ self.W_query", "queries = (x @ self.W_query) / self.W_query.shape[1]**0.5"),
        (SCALED, "attn_scores"),
    ),
    _v1(
        "both_scaled_by_the_fourth_root",
        "both_scaled_by_the_fourth_root",
        (SCORES, "(queries * keys.shape[-1]**-0.25) @ (keys * keys.shape[-1]**-0.25).T"),
        (SCALED, "attn_scores"),
    ),
    _v1(
        "scale_folded_into_the_matrix",
        "scale_in_the_matrix",
        ("x @ self.W_query", "x @ (self.W_query / self.W_query.shape[1]**0.5)"),
        (SCALED, "attn_scores"),
    ),
    _v1(
        "one_bilinear_form",
        "one_bilinear_form",
        ("        queries = x @ self.W_query\n", ""),
        (SCORES, "x @ (self.W_query @ self.W_key.T) @ x.T"),
    ),
    _v1(
        "values_last",
        "values_projected_last",
        ("        values = x @ self.W_value\n", ""),
        (CONTEXT, "(attn_weights @ x) @ self.W_value"),
    ),
    _v1(
        "numpy_sqrt",
        "other_square_roots",
        ("class ", "import numpy as np\n\n\nclass "),
        (SCALED, "attn_scores / np.sqrt(keys.shape[-1])"),
    ),
    _v1(
        "torch_sqrt_of_a_tensor",
        "other_square_roots",
        (SCALED, "attn_scores / torch.sqrt(torch.tensor(keys.shape[-1], dtype=torch.float32))"),
    ),
    _v1("width_of_the_queries", "width_taken_elsewhere", ("keys.shape[-1]", "queries.shape[1]")),
    _v1("width_of_the_values", "width_taken_elsewhere", ("keys.shape[-1]", "values.size(-1)")),
    _v1(
        "d_out_kept",
        "width_kept_on_self",
        ("super().__init__()\n", "super().__init__()\n        self.d_out = d_out\n"),
        ("keys.shape[-1]", "self.d_out"),
    ),
    _v1("softmax_method", "other_softmax_calls", (WEIGHTS, f"({SCALED}).softmax(-1)")),
    _v1(
        "log_softmax_exp",
        "softmax_by_logarithms",
        (WEIGHTS, f"torch.log_softmax({SCALED}, -1).exp()"),
    ),
    _v1(
        "softmax_by_hand",
        "stable_softmax_by_hand",
        (
            f"attn_weights = {WEIGHTS}",
            (
                f"scaled = {SCALED}\n"
                "        exps = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))\n"
                "        attn_weights = exps / exps.sum(dim=-1, keepdim=True)"
            ),
        ),
    ),
    _v1(
        "softmax_by_hand_naive",
        "plain_softmax_by_hand",
        (
            f"attn_weights = {WEIGHTS}",
            (
                f"exps = torch.exp({SCALED})\n"
                "        attn_weights = exps / exps.sum(dim=-1, keepdim=True)"
            ),
        ),
    ),
    _v1("dim_1", "axis_counted_otherwise", ("dim=-1", "dim=1")),
    _v1(
        "column_layout",
        "column_layout",
        (SCORES, "keys @ queries.T"),
        (WEIGHTS, f"torch.softmax({SCALED}, dim=-2).T"),
    ),
    _v1("turned_twice", "transposed_twice", (CONTEXT, "(values.T @ attn_weights.T).T")),
    _v1("row_loop", "row_by_row", (CONTEXT, "torch.stack([row @ values for row in attn_weights])")),
    _v1(
        "double_loop",
        "element_by_element",
        (
            f"attn_scores = {SCORES}",
            (
                "attn_scores = torch.empty(x.shape[0], x.shape[0])\n"
                "        for i in range(x.shape[0]):\n"
                "            for j in range(x.shape[0]):\n"
                "                attn_scores[i, j] = queries[i].dot(keys[j])"
            ),
        ),
    ),
    _v1("broadcast", "broadcast_and_sum", (CONTEXT, "(attn_weights[..., None] * values).sum(-2)")),
    _v1(
        "addmm",
        "fused_multiply_and_add",
        (
            SCORES,
            (
                "torch.addmm(torch.zeros(len(x), len(x)), queries, keys.T, beta=0,\n"
                "                                  alpha=1 / keys.shape[-1]**0.5)"
            ),
        ),
        (SCALED, "attn_scores"),
    ),
    _v1(
        "float64_inside",
        "float64",
        (WEIGHTS, f"torch.softmax(({SCALED}).double(), dim=-1).float()"),
    ),
    _v1(
        "float64_out",
        "float64",
        ("    def forward(self, x):\n", "    def forward(self, x):\n        x = x.double()\n"),
        ("@ self.W_key", "@ self.W_key.double()"),
        ("@ self.W_query", "@ self.W_query.double()"),
        ("@ self.W_value", "@ self.W_value.double()"),
    ),
    _v1(
        "created_key_query_value",
        "creation_order",
        ("self.W_query = ", "self.first = "),
        ("self.W_key = ", "self.W_query = "),
        ("self.first = ", "self.W_key = "),
    ),
    _v1(
        "created_value_first",
        "creation_order",
        ("self.W_query = ", "self.first = "),
        ("self.W_value = ", "self.W_query = "),
        ("self.first = ", "self.W_value = "),
    ),
    _v1(
        "uniform",
        "other_distributions",
        ("torch.rand(d_in, d_out)", "torch.empty(d_in, d_out).uniform_()"),
    ),
    Variant(
        "v1_extras",
        "extra_attributes",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.d_in, self.d_out = d_in, d_out
                self.scale = d_out**-0.5
                self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                self.W_value = nn.Parameter(torch.rand(d_in, d_out))
                self.register_buffer("mask", torch.triu(torch.ones(16, 16), diagonal=1))
                self.dropout = nn.Dropout(0.0)  # for later
                self.attn_weights = None

            def _weights(self, queries, keys):
                return torch.softmax(queries @ keys.T * self.scale, dim=-1)

            def forward(self, x):
                queries = x @ self.W_query
                keys = x @ self.W_key
                self.attn_weights = self._weights(queries, keys)
                return self.dropout(self.attn_weights) @ (x @ self.W_value)
        """,
    ),
    Variant(
        "v1_parameter_dict",
        "containers_of_parameters",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.W = nn.ParameterDict(
                    {name: nn.Parameter(torch.rand(d_in, d_out)) for name in ("q", "k", "v")}
                )

            @property
            def W_query(self):
                return self.W["q"]

            @property
            def W_key(self):
                return self.W["k"]

            @property
            def W_value(self):
                return self.W["v"]

            def forward(self, x):
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
    ),
    Variant(
        "v1_parameter_list",
        "containers_of_parameters",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.params = nn.ParameterList(torch.rand(d_in, d_out) for _ in range(3))

            W_query = property(lambda self: self.params[0])
            W_key = property(lambda self: self.params[1])
            W_value = property(lambda self: self.params[2])

            def forward(self, x):
                queries, keys, values = (x @ W for W in self.params)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
    ),
    _v1(
        "unused_bias_keyword",
        "bias_keyword",
        ("def __init__(self, d_in, d_out)", "def __init__(self, d_in, d_out, qkv_bias=False)"),
    ),
    _v1(
        "other_argument_name",
        "other_argument_names",
        ("forward(self, x)", "forward(self, tokens)"),
        ("= x @", "= tokens @"),
    ),
    _v1(
        "also_for_a_batch",
        "batches_too",
        (SCORES, "queries @ keys.transpose(-2, -1)"),
    ),
    Variant(
        "v1_hints_asserts_prints",
        "hints_and_prints",
        "SelfAttention_v1",
        '''
        from torch import Tensor

        class SelfAttention_v1(nn.Module):
            """My self-attention."""

            def __init__(self, d_in: int, d_out: int) -> None:
                super().__init__()
                self.W_query: nn.Parameter = nn.Parameter(torch.rand(d_in, d_out))
                self.W_key: nn.Parameter = nn.Parameter(torch.rand(d_in, d_out))
                self.W_value: nn.Parameter = nn.Parameter(torch.rand(d_in, d_out))
                print("made a self-attention with", d_in, d_out)

            def forward(self, x: Tensor) -> Tensor:
                """x: (T, d_in)"""
                queries = x @ self.W_query
                keys = x @ self.W_key
                values = x @ self.W_value
                assert queries.shape == keys.shape == values.shape
                weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
                print(weights.sum(dim=-1))  # should be all ones
                return weights @ values
        ''',
    ),
    _v1(
        "aliases",
        "aliases",
        ("class ", "import torch.nn as tnn\nfrom torch import softmax\n\n\nclass "),
        ("nn.Module", "tnn.Module"),
        ("= nn.Parameter", "= tnn.Parameter"),
        ("torch.softmax", "softmax"),
    ),
    Variant("v1_crlf", "tabs_and_line_ends", "SelfAttention_v1", V1.replace("\n", "\r\n")),
    Variant("v1_tabs", "tabs_and_line_ends", "SelfAttention_v1", V1.replace("    ", "\t")),
    _v1(
        "scores_divided_in_place",
        "changes_its_input",
        (SCORES, f"{SCORES}\n        attn_scores /= keys.shape[-1] ** 0.5"),
        (SCALED, "attn_scores"),
    ),
)

_V2 = (
    _v2("of_the_book", "matmul"),
    _v2(
        "einsum",
        "einsum",
        (SCORES, 'torch.einsum("...id,...jd->...ij", queries, keys)'),
        (CONTEXT, 'torch.einsum("...ij,...jd->...id", attn_weights, values)'),
    ),
    Variant(
        "v2_linear_function",
        "functional_linear",
        "SelfAttention_v2",
        """
        import torch.nn.functional as F

        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
                self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
                self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

            def forward(self, x):
                q, k, v = (F.linear(x, w.weight, w.bias)
                           for w in (self.W_query, self.W_key, self.W_value))
                return F.softmax(q @ k.T / q.shape[-1]**0.5, dim=-1) @ v
        """,
    ),
    _v2(
        "scaled_dot_product_attention",
        "library_attention",
        (
            RETURN,
            "return nn.functional.scaled_dot_product_attention(queries, keys, values)",
        ),
    ),
    _v2(
        "queries_scaled_first",
        "queries_scaled_first",
        (SCORES, "(queries / queries.shape[-1]**0.5) @ keys.T"),
        (SCALED, "attn_scores"),
    ),
    _v2(
        "both_scaled_by_the_fourth_root",
        "both_scaled_by_the_fourth_root",
        ("self.W_key(x)", "self.W_key(x) / self.W_key.out_features**0.25"),
        ("self.W_query(x)", "self.W_query(x) / self.W_query.out_features**0.25"),
        (SCALED, "attn_scores"),
    ),
    _v2(
        "width_of_the_layer",
        "width_taken_elsewhere",
        ("keys.shape[-1]", "self.W_key.weight.shape[0]"),
    ),
    _v2(
        "d_out_kept",
        "width_kept_on_self",
        ("super().__init__()\n", "super().__init__()\n        self.d_out = d_out\n"),
        ("keys.shape[-1]", "self.d_out"),
    ),
    _v2(
        "softmax_module",
        "other_softmax_calls",
        (
            "super().__init__()\n",
            "super().__init__()\n        self.softmax = nn.Softmax(dim=-1)\n",
        ),
        (WEIGHTS, f"self.softmax({SCALED})"),
    ),
    _v2("column_layout", "column_layout", (WEIGHTS, f"torch.softmax(({SCALED}).T, dim=0).T")),
    _v2("row_loop", "row_by_row", (SCORES, "torch.stack([keys @ query for query in queries])")),
    _v2(
        "baddbmm",
        "fused_multiply_and_add",
        (
            f"attn_scores = {SCORES}",
            (
                "attn_scores = torch.baddbmm(\n"
                "            torch.zeros(1, len(x), len(x)), queries[None], keys.T[None],\n"
                "            alpha=1 / math.sqrt(keys.shape[-1]),\n"
                "        )[0]"
            ),
        ),
        (SCALED, "attn_scores"),
        ("class ", "import math\n\n\nclass "),
    ),
    _v2(
        "float64_inside",
        "float64",
        (CONTEXT, "(attn_weights.double() @ values.double()).to(x.dtype)"),
    ),
    _v2(
        "created_key_query_value",
        "creation_order",
        ("self.W_query = ", "self.first = "),
        ("self.W_key = ", "self.W_query = "),
        ("self.first = ", "self.W_key = "),
    ),
    _v2(
        "extras",
        "extra_attributes",
        (
            "super().__init__()\n",
            (
                "super().__init__()\n"
                "        self.scale = d_out**-0.5\n"
                "        self.last_weights = None\n"
                "        self.register_buffer('mask', torch.ones(8, 8).tril())\n"
            ),
        ),
        (SCALED, "attn_scores * self.scale"),
        (RETURN, "self.last_weights = attn_weights\n        return context_vec"),
    ),
    Variant(
        "v2_module_dict",
        "containers_of_parameters",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                self.layers = nn.ModuleDict({
                    "q": nn.Linear(d_in, d_out, bias=qkv_bias),
                    "k": nn.Linear(d_in, d_out, bias=qkv_bias),
                    "v": nn.Linear(d_in, d_out, bias=qkv_bias),
                })

            W_query = property(lambda self: self.layers["q"])
            W_key = property(lambda self: self.layers["k"])
            W_value = property(lambda self: self.layers["v"])

            def forward(self, x):
                queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
    ),
    _v2("positional_bias", "bias_keyword", ("bias=qkv_bias", "qkv_bias")),
    _v2(
        "bias_when_asked_for",
        "bias_keyword",
        ("qkv_bias=False", "qkv_bias: bool = False, **kwargs"),
        ("bias=qkv_bias", "bias=True if qkv_bias else False"),
    ),
    _v2(
        "other_argument_name",
        "other_argument_names",
        ("forward(self, x)", "forward(self, inputs)"),
        ("(x)", "(inputs)"),
    ),
    _v2("also_for_a_batch", "batches_too", (SCORES, "queries @ keys.mT")),
    _v2(
        "prints",
        "hints_and_prints",
        (RETURN, "print(context_vec.shape)\n        return context_vec"),
    ),
    _v2(
        "aliases",
        "aliases",
        ("class ", "from torch.nn import Linear, Module\n\n\nclass "),
        ("nn.Module", "Module"),
        ("nn.Linear", "Linear"),
    ),
)

ACCEPTED_CLASSES: tuple[Variant, ...] = (*_V1, *_V2)
