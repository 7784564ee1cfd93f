"""Right classes that are made in unusual ways: what they hold afterwards is the same."""

from textwrap import dedent, indent

from tests.truth.self_attention.classes import V1, V2
from tests.truth.variant import Variant

_V1_MADE = V1[V1.index("        super()") : V1.index("\n    def forward")]
_V2_MADE = V2[V2.index("        super()") : V2.index("\n    def forward")]

# For each name what stands before the class, and what stands in __init__.
_V1_WAYS: dict[str, tuple[str, str]] = {
    "registered_by_name": (
        "",
        """
        super(SelfAttention_v1, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))
        """,
    ),
    "executed_as_text": (
        "",
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            exec(f"self.{name} = nn.Parameter(torch.rand(d_in, d_out))")
        """,
    ),
    "mapped": (
        "",
        """
        super().__init__()
        self.W_query, self.W_key, self.W_value = map(nn.Parameter, torch.rand(3, d_in, d_out))
        """,
    ),
    "filled_later": (
        "",
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.__setattr__(name, nn.Parameter(torch.FloatTensor(d_in, d_out)))
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.copy_(torch.rand(d_in, d_out))
        """,
    ),
    "configured": (
        "from dataclasses import dataclass\n\n@dataclass\nclass Config:\n    d_in: int\n    d_out: int\n",
        """
        super().__init__()
        config = Config(d_in, d_out)
        self.W_query = nn.Parameter(torch.rand(config.d_in, config.d_out))
        self.W_key = nn.Parameter(torch.rand(config.d_in, config.d_out))
        self.W_value = nn.Parameter(torch.rand(config.d_in, config.d_out))
        """,
    ),
    "partial": (
        "from functools import partial\n",
        """
        super().__init__()
        make = partial(torch.rand, d_in, d_out)
        self.W_query, self.W_key, self.W_value = (nn.Parameter(make()) for _ in range(3))
        """,
    ),
    "for_a_device": (
        "",
        """
        super().__init__()
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        options = {"device": device, "dtype": torch.get_default_dtype()}
        self.W_query = nn.Parameter(torch.rand(d_in, d_out, **options))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out, **options))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out, **options))
        """,
    ),
    "careful": (
        "import logging, os, sys\n\nlog = logging.getLogger(__name__)\n",
        f"""
{_V1_MADE}
        if type(d_in) is not int:
            raise TypeError(f"d_in must be an int, not {{type(d_in)}}")
        self.name = self.__class__.__name__
        log.debug("made %s on %s", self.name, sys.platform)
        """,
    ),
    "matched": (
        "",
        f"""
        match d_in:
            case 0:
                raise ValueError("no inputs")
            case width:
                assert width > 0
{_V1_MADE}
        """,
    ),
}
_V2_WAYS: dict[str, tuple[str, str]] = {
    "added_by_name": (
        "",
        """
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        """,
    ),
    "class_in_a_variable": (
        "",
        """
        super().__init__()
        layer = nn.Linear
        self.W_query = layer(d_in, d_out, bias=qkv_bias)
        self.W_key = layer(d_in, d_out, bias=qkv_bias)
        self.W_value = layer(d_in, d_out, bias=qkv_bias)
        """,
    ),
    "initialised_by_type": (
        "",
        f"""
{_V2_MADE}
        for module in self.modules():
            if type(module) is nn.Linear and module.bias is not None:
                nn.init.zeros_(module.bias)
        """,
    ),
    "own_kind_of_layer": (
        "class Layer(nn.Linear):\n    def extra_repr(self):\n        return 'mine'\n",
        """
        super().__init__()
        self.W_query, self.W_key, self.W_value = (Layer(d_in, d_out, bias=qkv_bias) for _ in range(3))
        """,
    ),
}


def _made(step: str, book: str, made: str, name: str, before: str, body: str) -> Variant:
    body = indent(dedent(body).strip("\n"), "        ") + "\n"
    source = f"{before}\n\n{book.replace(made, body)}"
    return Variant(f"{name}_{step[-2:]}", "unlisted", step, source)


ACCEPTED_CONSTRUCTORS: tuple[Variant, ...] = (
    *(_made("SelfAttention_v1", V1, _V1_MADE, name, *way) for name, way in _V1_WAYS.items()),
    *(_made("SelfAttention_v2", V2, _V2_MADE, name, *way) for name, way in _V2_WAYS.items()),
)
