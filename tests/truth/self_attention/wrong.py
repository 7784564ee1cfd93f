"""Submissions that must lose points, one step wrong in each.

`WRONG` covers the known mistakes, `NOT_ACCEPTED` what is right mathematics and yet not what
a step asks for.
"""

from tests.truth.self_attention.classes import V1
from tests.truth.self_attention.wrong_beyond import WRONG_BEYOND
from tests.truth.self_attention.wrong_classes import WRONG_CLASSES
from tests.truth.self_attention.wrong_functions import WRONG_FUNCTIONS
from tests.truth.variant import Variant, rewritten

WRONG: tuple[Variant, ...] = (*WRONG_FUNCTIONS, *WRONG_CLASSES, *WRONG_BEYOND)

NOT_ACCEPTED: tuple[Variant, ...] = (
    Variant(
        "v1_fused_matrix",
        "not_stored_on_self",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.W_qkv = nn.Parameter(torch.rand(d_in, 3 * d_out))

            def forward(self, x):
                queries, keys, values = (x @ self.W_qkv).chunk(3, dim=-1)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=4,
    ),
    Variant(
        "v2_fused_layer",
        "not_stored_on_self",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(nn.Module):
            def __init__(self, d_in, d_out, qkv_bias=False):
                super().__init__()
                self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

            def forward(self, x):
                queries, keys, values = self.qkv(x).chunk(3, dim=-1)
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=4,
    ),
    Variant(
        "v1_drawn_with_randn",
        "matrices_drawn_with_randn",
        "SelfAttention_v1",
        rewritten(V1, ("torch.rand(", "torch.randn(")),
        loses=0.5,
    ),
    Variant(
        "v1_drawn_with_xavier",
        "unnamed",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(nn.Module):
            def __init__(self, d_in, d_out):
                super().__init__()
                self.W_query = nn.Parameter(torch.empty(d_in, d_out))
                self.W_key = nn.Parameter(torch.empty(d_in, d_out))
                self.W_value = nn.Parameter(torch.empty(d_in, d_out))
                for parameter in self.parameters():
                    nn.init.xavier_uniform_(parameter)

            def forward(self, x):
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1)
                return attn_weights @ values
        """,
        loses=0.5,
    ),
    Variant(
        "transfer_returns_a_new_object",
        "nothing_transferred",
        "transfer_weights",
        """
        import copy

        def transfer_weights(sa_v2, sa_v1):
            new_v1 = copy.deepcopy(sa_v1)
            with torch.no_grad():
                new_v1.W_query.copy_(sa_v2.W_query.weight.T)
                new_v1.W_key.copy_(sa_v2.W_key.weight.T)
                new_v1.W_value.copy_(sa_v2.W_value.weight.T)
            return new_v1
        """,
        loses=2,
    ),
)
