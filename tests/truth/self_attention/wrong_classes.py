"""Known mistakes in the two classes: in the computation, and in what a class holds and returns.

With wrong values and right parameters a class loses 3 of its 4 points. For many rows of SelfAttention_v2
what is lost is left open.
"""

from tests.truth.self_attention.classes import CONTEXT, RETURN, SCALED, SCORES, V1, V2, WEIGHTS
from tests.truth.variant import Variant, rewritten

Change = tuple[str, str]


def _v1(name: str, row: str, *changes: Change, loses: float | None = 3) -> Variant:
    return Variant(f"v1_{name}", row, "SelfAttention_v1", rewritten(V1, *changes), loses)


def _v2(name: str, row: str, *changes: Change, loses: float | None = None) -> Variant:
    return Variant(f"v2_{name}", row, "SelfAttention_v2", rewritten(V2, *changes), loses)


_HARD_CODED = """return torch.tensor([[0.2996, 0.8053], [0.3061, 0.8210], [0.3058, 0.8203],
                             [0.2948, 0.7939], [0.2927, 0.7891], [0.2990, 0.8040]])"""

_V1_COMPUTATION = (
    _v1(
        "matrices_on_the_left",
        "inner_sizes_differ",
        ("x @ self.W_key", "self.W_key @ x"),
        ("x @ self.W_query", "self.W_query @ x"),
        ("x @ self.W_value", "self.W_value @ x"),
    ),
    _v1("elementwise_projection", "product_by_numbers", ("x @ self.W_query", "x * self.W_query")),
    _v1(
        "keys_of_one_token",
        "inner_sizes_differ",
        ("x @ self.W_key", "x[1] @ self.W_key"),
        ("x @ self.W_value", "x[1] @ self.W_value"),
    ),
    _v1("values_from_the_key_matrix", "values_from_w_key", ("x @ self.W_value", "x @ self.W_key")),
    _v1(
        "one_matrix_for_all",
        "one_matrix_for_all",
        ("x @ self.W_key", "x @ self.W_query"),
        ("x @ self.W_value", "x @ self.W_query"),
    ),
    _v1(
        "queries_and_keys_swapped",
        "queries_and_keys_swapped",
        ("keys = x", "swapped = x"),
        ("queries = x", "keys = x"),
        ("swapped = x", "queries = x"),
    ),
    _v1(
        "keys_and_values_swapped",
        "keys_and_values_swapped",
        ("keys = x", "swapped = x"),
        ("values = x", "keys = x"),
        ("swapped = x", "values = x"),
    ),
    _v1(
        "raw_tokens_as_queries_and_keys",
        "tokens_as_queries_and_keys",
        ("keys = x @ self.W_key", "keys = x"),
        ("queries = x @ self.W_query", "queries = x"),
    ),
    _v1("scores_without_transpose", "inner_sizes_differ", (SCORES, "queries @ keys")),
    _v1("scores_transposed", "scores_transposed", (SCORES, "keys @ queries.T")),
    _v1("queries_with_queries", "keys_from_w_query", (SCORES, "queries @ queries.T")),
    _v1("keys_with_keys", "queries_from_w_key", (SCORES, "keys @ keys.T")),
    _v1("each_token_with_itself", "each_token_with_itself", (SCORES, "(queries * keys).sum(-1)")),
    _v1(
        "reshape_for_transpose",
        "keys_reshaped",
        (SCORES, "queries @ keys.reshape(keys.shape[1], keys.shape[0])"),
    ),
    _v1(
        "cosine",
        "cosines",
        (SCORES, "nn.functional.normalize(queries) @ nn.functional.normalize(keys).T"),
    ),
    _v1("unscaled", "not_scaled", (SCALED, "attn_scores")),
    _v1("scaled_by_d_k", "scores_scaled_already", (SCALED, "attn_scores / keys.shape[-1]")),
    _v1("precedence", "divided_by_twice_d_k", (SCALED, "attn_scores / keys.shape[-1]**1/2")),
    _v1("scaled_by_d_in", "scaled_by_d_in", (SCALED, "attn_scores / x.shape[-1]**0.5")),
    _v1(
        "scaled_by_tokens",
        "divided_by_the_root_of_the_keys_number",
        (SCALED, "attn_scores / keys.shape[0]**0.5"),
    ),
    _v1("scaled_up", "multiplied", (SCALED, "attn_scores * keys.shape[-1]**0.5")),
    _v1(
        "scaled_after_softmax",
        "scaled_after_the_softmax",
        (WEIGHTS, "torch.softmax(attn_scores, dim=-1) / keys.shape[-1]**0.5"),
    ),
    _v1(
        "scaled_twice",
        "scores_scaled_already",
        ("queries = x @ self.W_query", "queries = x @ self.W_query / self.W_query.shape[1]**0.5"),
    ),
    _v1("root_of_2", "divided_by_sqrt_2", (SCALED, "attn_scores / 2**0.5")),
    _v1(
        "torch_sqrt_of_an_int",
        "function_of_tensors_on_a_number",
        (SCALED, "attn_scores / torch.sqrt(keys.shape[-1])"),
    ),
    _v1("caret", "caret_for_power", (SCALED, "attn_scores / keys.shape[-1]^0.5")),
    _v1("softmax_over_columns", "softmax_over_the_queries", ("dim=-1", "dim=0")),
    _v1("softmax_without_dim", "softmax_without_dim", (WEIGHTS, f"torch.softmax({SCALED})")),
    _v1(
        "softmax_flattened",
        "softmax_over_everything",
        (WEIGHTS, f"torch.softmax(({SCALED}).flatten(), 0).view_as(attn_scores)"),
    ),
    _v1("softmax_twice", "softmax_twice", (WEIGHTS, f"torch.softmax({WEIGHTS}, dim=-1)")),
    _v1("no_softmax", "no_softmax", (WEIGHTS, SCALED)),
    _v1(
        "divided_by_the_sum",
        "divided_by_the_sum",
        (WEIGHTS, "attn_scores / attn_scores.sum(dim=-1, keepdim=True)"),
    ),
    _v1(
        "softmax_without_keepdim",
        "sums_not_kept_as_a_column",
        (
            f"attn_weights = {WEIGHTS}",
            (
                f"exp_scores = torch.exp({SCALED})\n"
                "        attn_weights = exp_scores / exp_scores.sum(dim=-1)"
            ),
        ),
    ),
    _v1("sigmoid", "sigmoid", (WEIGHTS, f"torch.sigmoid({SCALED})")),
    _v1(
        "softmax_of_the_values",
        "values_through_a_softmax",
        (CONTEXT, "torch.softmax(values, dim=-1)"),
    ),
    _v1("blend_of_keys", "values_from_w_key", (CONTEXT, "attn_weights @ keys")),
    _v1("blend_of_queries", "values_from_w_query", (CONTEXT, "attn_weights @ queries")),
    _v1("blend_of_tokens", "tokens_as_values", (CONTEXT, "attn_weights @ x")),
    _v1("transposed_weights", "weights_returned_transposed", (CONTEXT, "attn_weights.T @ values")),
    _v1("values_on_the_left", "inner_sizes_differ", (CONTEXT, "values @ attn_weights")),
    _v1("mean_of_the_values", "equal_weights", (CONTEXT, "values.mean(0).repeat(x.shape[0], 1)")),
    _v1("token_2_for_all", "scores_of_the_second_query", (SCORES, "queries[1] @ keys.T")),
    _v1("residual_of_values", "values_added", (CONTEXT, "attn_weights @ values + values")),
    _v1("residual_of_tokens", "shapes_differ", (CONTEXT, "attn_weights @ values + x")),
    _v1(
        "causal_mask",
        "masked",
        (
            SCORES,
            (
                f"{SCORES}\n"
                "        mask = torch.triu(torch.ones(x.shape[0], x.shape[0]), diagonal=1)\n"
                "        attn_scores = attn_scores.masked_fill(mask.bool(), -torch.inf)"
            ),
        ),
    ),
    _v1("dropout", "unnamed", (CONTEXT, "nn.functional.dropout(attn_weights, 0.1) @ values")),
)

_V2_COMPUTATION = (
    _v2("values_from_the_key_layer", "values_from_w_key", ("self.W_value(x)", "self.W_key(x)")),
    _v2(
        "queries_and_values_swapped",
        "queries_and_values_swapped",
        ("self.W_query(x)", "swapped(x)"),
        ("self.W_value(x)", "self.W_query(x)"),
        ("swapped(x)", "self.W_value(x)"),
    ),
    _v2("queries_with_queries", "keys_from_w_query", (SCORES, "queries @ queries.T")),
    _v2("view_for_transpose", "keys_reshaped", (SCORES, "queries @ keys.view(keys.shape[1], -1)")),
    _v2("unscaled", "not_scaled", (SCALED, "attn_scores")),
    _v2("scaled_by_d_k", "scores_scaled_already", (SCALED, "attn_scores / keys.shape[-1]")),
    _v2("precedence", "divided_by_twice_d_k", (SCALED, "attn_scores / keys.shape[-1]**1/2")),
    _v2("scaled_by_d_in", "scaled_by_d_in", (SCALED, "attn_scores / x.shape[-1]**0.5")),
    _v2(
        "scaled_by_tokens",
        "divided_by_the_root_of_the_keys_number",
        (SCALED, "attn_scores / len(keys)**0.5"),
    ),
    _v2(
        "scaled_after_softmax",
        "scaled_after_the_softmax",
        (WEIGHTS, "torch.softmax(attn_scores, dim=-1) / keys.shape[-1]**0.5"),
    ),
    _v2("literal_1_4142", "divided_by_sqrt_2", (SCALED, "attn_scores / 1.4142")),
    _v2("softmax_over_columns", "softmax_over_the_queries", ("dim=-1", "dim=0")),
    _v2("no_softmax", "no_softmax", (WEIGHTS, SCALED)),
    _v2("blend_of_keys", "values_from_w_key", (CONTEXT, "attn_weights @ keys")),
    _v2("transposed_weights", "weights_returned_transposed", (CONTEXT, "attn_weights.T @ values")),
    _v2("residual_of_queries", "queries_added", (CONTEXT, "attn_weights @ values + queries")),
    _v2("tril_after_softmax", "masked_afterwards", (CONTEXT, "attn_weights.tril() @ values")),
)

_V1_CLASS = (
    _v1(
        "plain_tensors",
        "not_registered",
        ("nn.Parameter(torch.rand(d_in, d_out))", "torch.rand(d_in, d_out)"),
        loses=1.5,
    ),
    _v1("frozen", "parameters_frozen", ("d_out))", "d_out), requires_grad=False)"), loses=1.5),
    Variant(
        "v1_buffers",
        "not_registered",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.register_buffer("W_query", torch.rand(d_in, d_out))
                self.register_buffer("W_key", torch.rand(d_in, d_out))
                self.register_buffer("W_value", torch.rand(d_in, d_out))

            def forward(self, x):
                queries = x @ self.W_query
                keys = x @ self.W_key
                values = x @ self.W_value
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=1.5,
    ),
    _v1(
        "query_in_a_plain_tensor",
        "query_not_registered",
        (
            "self.W_query = nn.Parameter(torch.rand(d_in, d_out))",
            "self.W_query = torch.rand(d_in, d_out)",
        ),
        loses=1.5,
    ),
    _v1(
        "key_in_a_trainable_tensor",
        "key_not_registered",
        (
            "self.W_key = nn.Parameter(torch.rand(d_in, d_out))",
            "self.W_key = torch.rand(d_in, d_out, requires_grad=True)",
        ),
        loses=1,
    ),
    _v1(
        "value_in_a_buffer",
        "value_not_registered",
        (
            "self.W_value = nn.Parameter(torch.rand(d_in, d_out))",
            'self.register_buffer("W_value", torch.rand(d_in, d_out))',
        ),
        loses=1.5,
    ),
    _v1("no_super_init", "no_super_init", ("        super().__init__()\n", ""), loses=4),
    _v1(
        "no_self",
        "not_stored_on_self",
        ("self.W_query = ", "W_query = "),
        ("self.W_key = ", "W_key = "),
        ("self.W_value = ", "W_value = "),
        loses=4,
    ),
    Variant(
        "v1_weights_made_in_forward",
        "not_stored_on_self",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.d_in = d_in
                self.d_out = d_out

            def forward(self, x):
                W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
                W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
                W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))
                queries, keys, values = x @ W_query, x @ W_key, x @ W_value
                attn_weights = torch.softmax(queries @ keys.T / self.d_out**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=4,
    ),
    Variant(
        "v1_weights_renewed_in_forward",
        "unnamed",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.d_in, self.d_out = d_in, d_out
                self.init_weights()

            def init_weights(self):
                self.W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
                self.W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
                self.W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))

            def forward(self, x):
                self.init_weights()
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                attn_weights = torch.softmax(queries @ keys.T / self.d_out**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=3,
    ),
    Variant(
        "v1_plain_list",
        "not_stored_on_self",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]

            def forward(self, x):
                queries, keys, values = [x @ w for w in self.W]
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=4,
    ),
    Variant(
        "v1_plain_list_behind_properties",
        "not_registered",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.matrices = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]

            @property
            def W_query(self):
                return self.matrices[0]

            @property
            def W_key(self):
                return self.matrices[1]

            @property
            def W_value(self):
                return self.matrices[2]

            def forward(self, x):
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=1,
    ),
    _v1(
        "one_parameter_three_times",
        "one_matrix_three_times",
        ("self.W_query = nn.Parameter", "W = nn.Parameter"),
        ("self.W_key = nn.Parameter(torch.rand(d_in, d_out))", "self.W_query = self.W_key = W"),
        ("self.W_value = nn.Parameter(torch.rand(d_in, d_out))", "self.W_value = W"),
        loses=4,
    ),
    _v1(
        "seed_in_init",
        "seeded_inside",
        ("        self.W_query =", "        torch.manual_seed(123)\n        self.W_query ="),
        loses=1,
    ),
    _v1(
        "seed_before_each_draw",
        "all_start_equal",
        ("        self.W_query =", "        torch.manual_seed(123)\n        self.W_query ="),
        ("        self.W_key =", "        torch.manual_seed(123)\n        self.W_key ="),
        ("        self.W_value =", "        torch.manual_seed(123)\n        self.W_value ="),
        loses=1.5,
    ),
    _v1("shape_turned", "matrix_on_its_side", ("rand(d_in, d_out)", "rand(d_out, d_in)"), loses=4),
    _v1(
        "shape_turned_and_turned_back",
        "matrix_on_its_side",
        ("rand(d_in, d_out)", "rand(d_out, d_in)"),
        ("x @ self.W_query", "x @ self.W_query.T"),
        ("x @ self.W_key", "x @ self.W_key.T"),
        ("x @ self.W_value", "x @ self.W_value.T"),
        loses=4,
    ),
    _v1("literal_sizes", "other_sizes", ("rand(d_in, d_out)", "rand(3, 2)"), loses=4),
    _v1("literal_d_out", "other_sizes", ("rand(d_in, d_out)", "rand(d_in, 2)"), loses=4),
    _v1("zeros", "all_start_equal", ("torch.rand(", "torch.zeros("), loses=1.5),
    _v1(
        "query_data",
        "queries_cut_from_the_graph",
        ("x @ self.W_query", "x @ self.W_query.data"),
        loses=0.5,
    ),
    _v1(
        "detached_weights",
        "weights_cut_from_the_graph",
        (CONTEXT, "attn_weights.detach() @ values"),
        loses=0.5,
    ),
    _v1(
        "no_grad",
        "no_gradient_at_all",
        ("    def forward", "    @torch.no_grad()\n    def forward"),
        loses=0.5,
    ),
    _v1(
        "numpy",
        "numpy_of_a_trained_tensor",
        ("return context_vec", "return torch.from_numpy(context_vec.numpy())"),
    ),
    _v1(
        "detached_numpy",
        "no_gradient_at_all",
        ("return context_vec", "return torch.from_numpy(context_vec.detach().numpy())"),
        loses=0.5,
    ),
    _v1(
        "tensor_of_a_tensor",
        "no_gradient_at_all",
        (RETURN, "return torch.tensor(context_vec)"),
        loses=0.5,
    ),
    _v1("returns_weights", "weights_returned", (RETURN, "return attn_weights")),
    _v1("returns_tuple", "weights_returned_too", (RETURN, "return context_vec, attn_weights")),
    _v1(
        "returns_the_factors",
        "weights_and_values_returned",
        (RETURN, "return attn_weights, values"),
    ),
    _v1("prints_without_return", "nothing_returned", (RETURN, "print(context_vec)")),
    Variant(
        "v1_input_scaled_in_place",
        "unnamed",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.d_out = d_out
                self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                self.W_value = nn.Parameter(torch.rand(d_in, d_out))

            def forward(self, x):
                values = x @ self.W_value
                x *= self.d_out**-0.25  # half of the scaling for queries, half for keys
                queries = x @ self.W_query
                keys = x @ self.W_key
                return torch.softmax(queries @ keys.T, dim=-1) @ values
        """,
        loses=3,
    ),
    _v1(
        "input_centred_in_place",
        "unnamed",
        ("        keys = x", "        x -= x.mean(dim=0)\n        keys = x"),
    ),
    _v1("numbers_of_the_book", "unnamed", (RETURN, _HARD_CODED)),
    _v1(
        "rounded",
        "result_rounded",
        (RETURN, "return torch.round(context_vec, decimals=4)"),
        loses=0.5,
    ),
)

_V2_CLASS = (
    _v2(
        "frozen",
        "parameters_frozen",
        (
            "\n    def forward",
            (
                "        for parameter in self.parameters():\n"
                "            parameter.requires_grad = False\n"
                "\n    def forward"
            ),
        ),
        loses=1.5,
    ),
    _v2("no_super_init", "no_super_init", ("        super().__init__()\n", ""), loses=4),
    _v2(
        "no_self",
        "not_stored_on_self",
        ("self.W_query = ", "W_query = "),
        ("self.W_key = ", "W_key = "),
        ("self.W_value = ", "W_value = "),
        loses=4,
    ),
    Variant(
        "v2_layers_made_in_forward",
        "not_stored_on_self",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                self.d_in = d_in
                self.d_out = d_out
                self.qkv_bias = qkv_bias

            def forward(self, x):
                W_query = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
                W_key = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
                W_value = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
                attn_scores = W_query(x) @ W_key(x).T
                attn_weights = torch.softmax(attn_scores / self.d_out**0.5, dim=-1)
                return attn_weights @ W_value(x)
        """,
        loses=4,
    ),
    Variant(
        "v2_plain_list",
        "not_stored_on_self",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]

            def forward(self, x):
                queries, keys, values = (layer(x) for layer in self.layers)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=4,
    ),
    Variant(
        "v2_plain_list_behind_properties",
        "not_registered",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]

            W_query = property(lambda self: self.layers[0])
            W_key = property(lambda self: self.layers[1])
            W_value = property(lambda self: self.layers[2])

            def forward(self, x):
                queries, keys, values = (layer(x) for layer in self.layers)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=1,
    ),
    _v2(
        "seed_in_init",
        "seeded_inside",
        ("        self.W_query =", "        torch.manual_seed(789)\n        self.W_query ="),
        loses=1.5,
    ),
    _v2(
        "literal_sizes",
        "other_sizes",
        ("nn.Linear(d_in, d_out, bias=qkv_bias)", "nn.Linear(3, 2, bias=qkv_bias)"),
        loses=4,
    ),
    _v2(
        "zeros",
        "all_start_equal",
        (
            "\n    def forward",
            (
                "        for layer in (self.W_query, self.W_key, self.W_value):\n"
                "            nn.init.zeros_(layer.weight)\n"
                "\n    def forward"
            ),
        ),
        loses=1.5,
    ),
    _v2(
        "detached_keys",
        "keys_cut_from_the_graph",
        ("self.W_key(x)", "self.W_key(x).detach()"),
        loses=0.5,
    ),
    _v2(
        "no_grad",
        "no_gradient_at_all",
        (
            f"        context_vec = {CONTEXT}",
            f"        with torch.no_grad():\n            context_vec = {CONTEXT}",
        ),
        loses=0.5,
    ),
    _v2(
        "weights_data",
        "weights_cut_from_the_graph",
        (CONTEXT, "attn_weights.data @ values"),
        loses=0.5,
    ),
    _v2(
        "numpy",
        "numpy_of_a_trained_tensor",
        (SCORES, "torch.from_numpy(queries.numpy() @ keys.numpy().T)"),
    ),
    _v2(
        "tensor_of_a_tensor",
        "weights_cut_from_the_graph",
        (SCORES, "torch.tensor(queries @ keys.T)"),
        loses=0.5,
    ),
    _v2("returns_weights", "weights_returned", (RETURN, "return attn_weights")),
    _v2("returns_tuple", "weights_returned_first", (RETURN, "return attn_weights, context_vec")),
    _v2(
        "returns_the_factors",
        "values_and_weights_returned",
        (RETURN, "return values, attn_weights"),
    ),
    _v2(
        "prints_without_return",
        "nothing_returned",
        (RETURN, "print('context vectors:', context_vec)"),
    ),
    _v2(
        "input_normalised_in_place",
        "unnamed",
        ("        keys = self", "        x /= x.norm(dim=-1, keepdim=True)\n        keys = self"),
    ),
    _v2("rounded", "result_rounded", (RETURN, "return context_vec.round(decimals=4)"), loses=0.5),
    _v2(
        "sizes_turned",
        "matrix_on_its_side",
        ("nn.Linear(d_in, d_out,", "nn.Linear(d_out, d_in,"),
        loses=4,
    ),
    _v2("bias_left_on", "bias_left_on", ("d_out, bias=qkv_bias)", "d_out)"), loses=4),
    _v2("bias_on_by_default", "bias_left_on", ("qkv_bias=False", "qkv_bias=True"), loses=4),
    _v2(
        "bias_always_off",
        "bias_not_passed_on",
        ("d_out, bias=qkv_bias)", "d_out, bias=False)"),
        loses=1,
    ),
    _v2("bias_has_no_default", "arguments_do_not_fit", ("qkv_bias=False", "qkv_bias"), loses=4),
    _v2(
        "no_keyword_for_the_bias",
        "arguments_do_not_fit",
        ("d_out, qkv_bias=False)", "d_out)"),
        ("d_out, bias=qkv_bias)", "d_out, bias=False)"),
        loses=1,
    ),
    Variant(
        "v2_one_layer_reused",
        "one_matrix_three_times",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                linear = nn.Linear(d_in, d_out, bias=qkv_bias)
                self.W_query = linear
                self.W_key = linear
                self.W_value = linear

            def forward(self, x):
                queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=4,
    ),
    _v2(
        "layer_not_called",
        "layer_used_as_a_matrix",
        ("self.W_query(x)", "x @ self.W_query"),
        ("self.W_key(x)", "x @ self.W_key"),
        ("self.W_value(x)", "x @ self.W_value"),
    ),
    _v2(
        "weight_not_transposed",
        "inner_sizes_differ",
        ("self.W_query(x)", "x @ self.W_query.weight"),
        ("self.W_key(x)", "x @ self.W_key.weight"),
        ("self.W_value(x)", "x @ self.W_value.weight"),
    ),
    _v2(
        "weight_without_its_bias",
        "biases_not_used",
        ("self.W_query(x)", "x @ self.W_query.weight.T"),
        ("self.W_key(x)", "x @ self.W_key.weight.T"),
        ("self.W_value(x)", "x @ self.W_value.weight.T"),
        loses=1,
    ),
)

WRONG_CLASSES: tuple[Variant, ...] = (
    *_V1_COMPUTATION,
    *_V2_COMPUTATION,
    *_V1_CLASS,
    *_V2_CLASS,
)
