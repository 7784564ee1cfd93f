"""Right classes and transfers that few people would write: they hold and do what they should."""

from textwrap import dedent, indent

from tests.truth.self_attention.classes import V1, V2
from tests.truth.variant import Variant

_V1_MADE = V1[V1.index("        super()") : V1.index("\n    def forward")]
_V2_MADE = V2[V2.index("        super()") : V2.index("\n    def forward")]
_V1_FORWARD = V1[V1.index("    def forward") :]
_V2_FORWARD = V2[V2.index("    def forward") :]

_BEHIND_PROPERTIES = """
    W_query = property(lambda self: self.{held}[{0!r}])
    W_key = property(lambda self: self.{held}[{1!r}])
    W_value = property(lambda self: self.{held}[{2!r}])
"""


def _properties(held: str, query: object, key: object, value: object) -> str:
    return _BEHIND_PROPERTIES.format(query, key, value, held=held)


# For each name the body of __init__, and what the class has besides `forward`.
_V1_MADE_OTHERWISE: dict[str, tuple[str, str]] = {
    "in_a_helper": (
        """
        super().__init__()
        self._make(d_in, d_out)
        """,
        """
    def _make(self, d_in, d_out):
        for name in ("W_query", "W_key", "W_value"):
            self._make_one(name, (d_in, d_out))

    def _make_one(self, name, shape):
        setattr(self, name, nn.Parameter(torch.rand(shape)))
        """,
    ),
    "in_a_static_helper": (
        """
        super().__init__()
        self.W_query, self.W_key, self.W_value = (self.drawn(d_in, d_out) for _ in range(3))
        """,
        """
    @staticmethod
    def drawn(*shape):
        return nn.Parameter(torch.rand(*shape), requires_grad=True)
        """,
    ),
    "reset_later": (
        """
        super().__init__()
        self.W_query = nn.Parameter(torch.empty(d_in, d_out))
        self.W_key = nn.Parameter(torch.empty(d_in, d_out))
        self.W_value = nn.Parameter(torch.empty(d_in, d_out))
        self.reset_parameters()
        """,
        """
    def reset_parameters(self):
        for parameter in self.parameters():
            nn.init.uniform_(parameter)
        """,
    ),
    "on_meta_first": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.empty(d_in, d_out, device="meta")))
        self.to_empty(device="cpu")
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.uniform_()
        """,
        "",
    ),
    "meta_by_context": (
        """
        super().__init__()
        with torch.device("meta"):
            self.W_query = nn.Parameter(torch.rand(d_in, d_out))
            self.W_key = nn.Parameter(torch.rand(d_in, d_out))
            self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.to_empty(device=torch.device("cpu"))
        for W in (self.W_query, self.W_key, self.W_value):
            W.data.copy_(torch.rand(W.shape))
        """,
        "",
    ),
    "list_by_appending": (
        """
        super().__init__()
        self.matrices = nn.ParameterList()
        for _ in range(3):
            self.matrices.append(nn.Parameter(torch.rand(d_in, d_out)))
        """,
        _properties("matrices", 0, 1, 2),
    ),
    "list_in_another_order": (
        """
        super().__init__()
        self.held = nn.ParameterList([torch.rand(d_in, d_out) for _ in range(3)])
        """,
        _properties("held", -3, -2, -1),
    ),
    "dictionary_by_full_names": (
        """
        super().__init__()
        names = ("W_query", "W_key", "W_value")
        self.held = nn.ParameterDict({name: torch.rand(d_in, d_out) for name in names})
        """,
        _properties("held", "W_query", "W_key", "W_value"),
    ),
    "dictionary_behind_getattr": (
        """
        super().__init__()
        names = ("W_query", "W_key", "W_value")
        self.held = nn.ParameterDict({name: torch.rand(d_in, d_out) for name in names})
        """,
        """
    def __getattr__(self, name):
        if name.startswith("W_"):
            return super().__getattr__("held")[name]
        return super().__getattr__(name)
        """,
    ),
    "in_a_part_of_its_own": (
        """
        super().__init__()
        self.part = nn.Module()
        for name in ("W_query", "W_key", "W_value"):
            self.part.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))
        """,
        """
    W_query = property(lambda self: self.part.W_query)
    W_key = property(lambda self: self.part.W_key)
    W_value = property(lambda self: self.part.W_value)
        """,
    ),
    "under_two_names": (
        f"""
{_V1_MADE}
        self.by_position = nn.ParameterList([self.W_query, self.W_key, self.W_value])
        """,
        "",
    ),
    "drawn_in_one_block": (
        """
        super().__init__()
        block = torch.rand(3, d_in, d_out)
        self.W_query, self.W_key, self.W_value = (nn.Parameter(part) for part in block.unbind())
        """,
        "",
    ),
    "cut_from_one_block": (
        """
        super().__init__()
        block = torch.empty(d_in, 3 * d_out)
        parts = block.split(d_out, dim=1)
        for part in parts:
            part.copy_(torch.rand(d_in, d_out))
        self.W_query, self.W_key, self.W_value = map(nn.Parameter, parts)
        """,
        "",
    ),
    "stored_by_columns": (
        """
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out).T.contiguous().T)
        self.W_key = nn.Parameter(torch.rand(d_in, d_out).T.contiguous().T)
        self.W_value = nn.Parameter(torch.rand(d_in, d_out).T.contiguous().T)
        """,
        "",
    ),
    "frozen_and_thawed": (
        f"""
{_V1_MADE}
        self.requires_grad_(False)
        self.requires_grad_()
        """,
        "",
    ),
    "replaced_by_new_ones": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Parameter(torch.ones(1)))
        for name, _ in list(self.named_parameters()):
            delattr(self, name)
            setattr(self, name, nn.Parameter(torch.rand(d_in, d_out)))
        """,
        "",
    ),
    "data_set_afterwards": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            parameter = nn.Parameter(torch.empty(0))
            parameter.data = torch.rand(d_in, d_out)
            setattr(self, name, parameter)
        """,
        "",
    ),
    "from_a_state": (
        """
        super().__init__()
        names = ("W_query", "W_key", "W_value")
        for name in names:
            setattr(self, name, nn.Parameter(torch.zeros(d_in, d_out)))
        self.load_state_dict({name: torch.rand(d_in, d_out) for name in names})
        """,
        "",
    ),
    "from_numpy": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Parameter(torch.from_numpy(torch.rand(d_in, d_out).numpy())))
        """,
        "",
    ),
    "uninitialised_first": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            parameter = nn.parameter.UninitializedParameter()
            parameter.materialize((d_in, d_out))
            self.register_parameter(name, parameter)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, 0, 1)
        """,
        "",
    ),
    "by_the_bare_dictionary": (
        """
        nn.Module.__init__(self)
        for name in ("W_query", "W_key", "W_value"):
            self._parameters[name] = nn.Parameter(torch.rand(d_in, d_out))
        """,
        "",
    ),
    "with_hooks_and_eval": (
        f"""
{_V1_MADE}
        self.register_forward_hook(lambda module, inputs, output: None)
        self.register_load_state_dict_post_hook(lambda module, keys: None)
        self.eval()
        """,
        "",
    ),
    "gradients_watched": (
        f"""
{_V1_MADE}
        self.norms = []
        for parameter in self.parameters():
            parameter.register_hook(lambda gradient: self.norms.append(float(gradient.norm())))
        """,
        "",
    ),
    "any_further_arguments": (
        """
        super().__init__()
        options.setdefault("dtype", torch.float32)
        self.W_query = nn.Parameter(torch.rand((d_in, d_out), **options))
        self.W_key = nn.Parameter(torch.rand(size=(d_in, d_out), **options))
        self.W_value = nn.Parameter(torch.rand([d_in, d_out], **options))
        """,
        "",
    ),
}

_V2_MADE_OTHERWISE: dict[str, tuple[str, str]] = {
    "in_a_helper": (
        """
        super().__init__()
        self._make(d_in, d_out, qkv_bias)
        """,
        """
    def _make(self, *sizes):
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(*sizes))
        """,
    ),
    "on_meta_first": (
        """
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias, device="meta")
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias, device="meta")
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias, device="meta")
        self.to_empty(device="cpu")
        for layer in (self.W_query, self.W_key, self.W_value):
            layer.reset_parameters()
        """,
        "",
    ),
    "initialisation_skipped": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            layer = nn.utils.skip_init(nn.Linear, d_in, d_out, bias=qkv_bias)
            layer.reset_parameters()
            setattr(self, name, layer)
        """,
        "",
    ),
    "lazy_until_it_saw_a_token": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            layer = nn.LazyLinear(d_out, bias=qkv_bias)
            layer(torch.zeros(1, d_in))
            setattr(self, name, layer)
        """,
        "",
    ),
    "list_of_layers": (
        """
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d_in, d_out, qkv_bias) for _ in range(3))
        """,
        _properties("layers", 0, 1, 2),
    ),
    "row_of_layers": (
        """
        super().__init__()
        self.row = nn.Sequential(*(nn.Linear(d_in, d_out, qkv_bias) for _ in range(3)))
        """,
        _properties("row", 0, 1, 2),
    ),
    "in_a_part_of_its_own": (
        """
        super().__init__()
        self.part = nn.Module()
        for name in ("W_query", "W_key", "W_value"):
            self.part.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        """,
        """
    W_query = property(lambda self: self.part.W_query)
    W_key = property(lambda self: self.part.W_key)
    W_value = property(lambda self: self.part.W_value)
        """,
    ),
    "bias_put_in_later": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            layer = nn.Linear(d_in, d_out, bias=False)
            if qkv_bias:
                layer.bias = nn.Parameter(torch.zeros(d_out))
            setattr(self, name, layer)
        """,
        "",
    ),
    "weight_given_anew": (
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            layer = nn.Linear(d_in, d_out, bias=qkv_bias)
            layer.weight = nn.Parameter(layer.weight.detach().clone())
            setattr(self, name, layer)
        """,
        "",
    ),
    "options_in_a_dictionary": (
        """
        super().__init__()
        options = dict(in_features=d_in, out_features=d_out, bias=qkv_bias, dtype=torch.float32)
        self.W_query, self.W_key, self.W_value = [nn.Linear(**options) for _ in "qkv"]
        """,
        "",
    ),
    "by_the_bare_dictionary": (
        """
        nn.Module.__init__(self)
        for name in ("W_query", "W_key", "W_value"):
            self._modules[name] = nn.Linear(d_in, d_out, bool(qkv_bias))
        """,
        "",
    ),
    "applied_to_each_part": (
        f"""
{_V2_MADE}
        self.apply(self._settle)
        """,
        """
    def _settle(self, part):
        if isinstance(part, nn.Linear):
            part.weight.requires_grad_()
        """,
    ),
    "with_buffers": (
        f"""
{_V2_MADE}
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.register_buffer("mask", torch.ones(8, 8).tril(), persistent=False)
        """,
        "",
    ),
}

# For each name a whole class.
_WHOLE: dict[str, str] = {
    "v1_float64_weights": """
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out).double())
        self.W_key = nn.Parameter(torch.rand(d_in, d_out).double())
        self.W_value = nn.Parameter(torch.rand(d_in, d_out).double())

    def forward(self, x):
        queries, keys, values = (
            x @ W.to(x.dtype) for W in (self.W_query, self.W_key, self.W_value)
        )
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
    "v2_float64_layers": """
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.double()

    def forward(self, x):
        queries, keys, values = self.W_query(x.double()), self.W_key(x.double()), self.W_value(x.double())
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        return (weights @ values).to(x.dtype)
""",
    "v1_learnable_temperature": """
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.tau = nn.Parameter(torch.ones(()))

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scores = queries @ keys.T / (self.tau * keys.shape[-1] ** 0.5)
        return torch.softmax(scores, dim=-1) @ values
""",
    "v2_learnable_temperature": """
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.log_tau = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.T / keys.shape[-1] ** 0.5 * torch.exp(self.log_tau)
        return torch.softmax(scores, dim=-1) @ values
""",
    "v1_made_by_a_base_class": """
class Base(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in self.names:
            setattr(self, name, nn.Parameter(torch.rand(d_in, d_out)))


class SelfAttention_v1(Base):
    names = "W_query", "W_key", "W_value"

    def forward(self, x):
        queries, keys, values = (x @ getattr(self, name) for name in self.names)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
    "v1_made_by_a_mixin": """
class Drawn:
    def draw(self, d_in, d_out):
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))


class SelfAttention_v1(Drawn, nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.draw(d_in, d_out)

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
    "v1_as_a_dataclass": """
from dataclasses import dataclass


@dataclass(eq=False)
class SelfAttention_v1(nn.Module):
    d_in: int
    d_out: int

    def __post_init__(self):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
        self.W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
        self.W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
    "v1_weights_from_a_function_of_the_file": """
def new_weights(d_in, d_out):
    return nn.Parameter(torch.rand(d_in, d_out))


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = new_weights(d_in, d_out)
        self.W_key = new_weights(d_in, d_out)
        self.W_value = new_weights(d_in, d_out)

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
    "v1_called_by_another_name": """
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def attend(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values

    forward = attend
""",
    "v2_around_another_class": """
class Projections(nn.Module):
    def __init__(self, d_in, d_out, bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=bias)
        self.W_key = nn.Linear(d_in, d_out, bias=bias)
        self.W_value = nn.Linear(d_in, d_out, bias=bias)

    def forward(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)


class SelfAttention_v2(Projections):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)

    def forward(self, x):
        queries, keys, values = super().forward(x)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
    "v2_layer_that_counts": """
class Counting(nn.Linear):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x)


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = Counting(d_in, d_out, bias=qkv_bias)
        self.W_key = Counting(d_in, d_out, bias=qkv_bias)
        self.W_value = Counting(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
""",
}

# What is done for each name, with `W` of sa_v1 and `layer` of sa_v2, without gradients.
_TRANSFERRED: dict[str, str] = {
    "parameter_of_a_copy": "setattr(sa_v1, name, nn.Parameter(layer.weight.T.detach().clone()))",
    "register_parameter": "sa_v1.register_parameter(name, nn.Parameter(layer.weight.t().clone()))",
    "bare_dictionary": "sa_v1._parameters[name] = nn.Parameter(layer.weight.T.contiguous())",
    "set_": "W.set_(layer.weight.T.clone())",
    "zero_and_add": "W.zero_().add_(layer.weight.mT)",
    "lerp": "W.lerp_(layer.weight.T, 1.0)",
    "add_the_difference": "W += layer.weight.T - W",
    "through_lists": "W.data = torch.tensor([list(row) for row in zip(*layer.weight.tolist())])",
    "layer_of_unit_vectors": "W.copy_(layer(torch.eye(layer.in_features)))",
    "swapaxes": "W.copy_(layer.weight.swapaxes(0, 1))",
    "permute": "W.copy_(layer.weight.permute(1, 0))",
    "movedim": "W.copy_(torch.movedim(layer.weight, 0, 1))",
    "adjoint": "W.copy_(layer.weight.adjoint())",
    "written_into_a_slice": "W[...] = layer.weight.T",
    "get_parameter": "sa_v1.get_parameter(name).data = sa_v2.get_parameter(f'{name}.weight').T.clone()",
    "double_on_the_way": "W.copy_(layer.weight.double().T)",
    "through_numpy": "W.data = torch.from_numpy(layer.weight.numpy().T.copy())",
    "element_by_element": """
            for i in range(W.shape[0]):
                for j in range(W.shape[1]):
                    W[i, j] = layer.weight[j, i].item()
    """,
    "row_by_row": """
            for i, row in enumerate(layer.weight.T):
                W[i] = row
    """,
    "column_by_column": """
            for j, row in enumerate(layer.weight):
                W[:, j] = row
    """,
    "turned_and_turned_back": """
            layer.weight.data = layer.weight.data.T
            W.data = layer.weight.data.clone()
            layer.weight.data = layer.weight.data.T
    """,
}
_TRANSFERRED_AT_ONCE: dict[str, str] = {
    "state_of_the_layers": """
    state = sa_v2.state_dict().items()
    sa_v1.load_state_dict({key.removesuffix(".weight"): weight.T for key, weight in state})
    """,
    "state_assigned": """
    names = ("W_query", "W_key", "W_value")
    state = {name: sa_v2.state_dict()[f"{name}.weight"].T.clone() for name in names}
    sa_v1.load_state_dict(state, assign=True)
    """,
    "named_parameters": """
    target = dict(sa_v1.named_parameters())
    for name, weight in sa_v2.named_parameters():
        target[name.split(".")[0]].data.copy_(weight.data.T)
    """,
    "side_by_side": """
    with torch.no_grad():
        for W, weight in zip(sa_v1.parameters(), sa_v2.parameters(), strict=True):
            W.copy_(weight.T)
    """,
    "one_vector": """
    turned = [layer.weight.detach().T.reshape(-1) for layer in sa_v2.children()]
    nn.utils.vector_to_parameters(torch.cat(turned), sa_v1.parameters())
    """,
}


def _made(step: str, forward: str, name: str, head: str, body: str, more: str) -> Variant:
    lines = [f"class {step}(nn.Module):", head, indent(dedent(body).strip("\n"), " " * 8), ""]
    source = "\n".join([*lines, more.strip("\n").rstrip(), "", forward])
    return Variant(f"unusual_{step[-2:]}_{name}", "unlisted", step, source)


def _transfer(name: str, body: str) -> Variant:
    source = f"def transfer_weights(sa_v2, sa_v1):\n{body}"
    return Variant(f"unusual_transfer_{name}", "unlisted", "transfer_weights", source)


def _transfer_each(name: str, lines: str) -> Variant:
    names = '("W_query", "W_key", "W_value")'
    body = indent(dedent(lines).strip("\n"), " " * 12)
    each = f"            W, layer = getattr(sa_v1, name), getattr(sa_v2, name)\n{body}"
    return _transfer(name, f"    with torch.no_grad():\n        for name in {names}:\n{each}")


def _head(arguments: str) -> str:
    return f"    def __init__(self, {arguments}):"


_V1_ARGUMENTS = {"any_further_arguments": "d_in, d_out, *more, **options"}

ACCEPTED_UNUSUAL: tuple[Variant, ...] = (
    *(
        _made(
            "SelfAttention_v1",
            _V1_FORWARD,
            name,
            _head(_V1_ARGUMENTS.get(name, "d_in, d_out")),
            *way,
        )
        for name, way in _V1_MADE_OTHERWISE.items()
    ),
    *(
        _made("SelfAttention_v2", _V2_FORWARD, name, _head("d_in, d_out, qkv_bias=False"), *way)
        for name, way in _V2_MADE_OTHERWISE.items()
    ),
    *(
        Variant(f"unusual_{name}", "unlisted", f"SelfAttention_{name[:2]}", source)
        for name, source in _WHOLE.items()
    ),
    *(_transfer_each(name, lines) for name, lines in _TRANSFERRED.items()),
    *(_transfer(name, body) for name, body in _TRANSFERRED_AT_ONCE.items()),
    Variant(
        "v1_scripted",
        "compiled",
        "SelfAttention_v1",
        V1.replace("class SelfAttention_v1", "class _Attention")
        + "\n\ndef SelfAttention_v1(d_in, d_out):\n"
        + "    return torch.jit.script(_Attention(d_in, d_out))\n",
    ),
)
