"""Names of Python, torch and NumPy that students use in these exercises, for suggestions."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The usual names of modules and of what is imported, and the line that imports each.
IMPORTS = {
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "np": "import numpy as np",
    "numpy": "import numpy",
    "math": "import math",
    "random": "import random",
    "json": "import json",
    "itertools": "import itertools",
    "functools": "import functools",
    "collections": "import collections",
    "Counter": "from collections import Counter",
    "OrderedDict": "from collections import OrderedDict",
    "plt": "import matplotlib.pyplot as plt",
    "Optional": "from typing import Optional",
    "Tuple": "from typing import Tuple",
    "List": "from typing import List",
    "Dict": "from typing import Dict",
    "Tensor": "from torch import Tensor",
}

_ARITHMETIC = _names("sqrt exp log pow sum min max abs mean dot matmul sin cos tanh")
_OF_TENSORS = _ARITHMETIC | _names(
    """
    softmax mm bmm mv einsum tensor from_numpy rand randn rand_like randn_like zeros ones zeros_like ones_like empty
    full arange linspace eye outer stack cat concat unsqueeze squeeze reshape transpose swapaxes permute flatten var
    std argmax argsort sort round clamp tril triu diag isnan allclose manual_seed no_grad save load float32 float64
    int64 long double log_softmax sigmoid relu
    """
)

# What each module has. The first module with a name is the one that is suggested.
MODULES = {
    "torch": _OF_TENSORS | _names("nn Tensor FloatTensor LongTensor"),
    "torch.nn": _names(
        """
        Parameter Linear Module Softmax Embedding functional ModuleList ParameterList ParameterDict Sequential Dropout
        LayerNorm ReLU GELU init Identity MultiheadAttention
        """
    ),
    "torch.nn.functional": _names(
        "softmax log_softmax linear dropout relu normalize embedding one_hot"
    ),
    "math": _names("sqrt exp log pow pi inf isclose fsum floor ceil"),
    "numpy": _ARITHMETIC
    | _names(
        """
        array asarray zeros ones empty full arange linspace eye outer stack concatenate einsum transpose swapaxes
        reshape var std argmax argsort sort round clip maximum minimum power random newaxis expand_dims squeeze linalg
        float32 float64 int64 inf nan tril triu allclose
        """
    ),
}

# The usual short name of each module.
SHORT = {"torch.nn": "nn", "torch.nn.functional": "F", "numpy": "np"}

_TENSOR = _OF_TENSORS | _names(
    """
    T mT t shape size dim ndim numel item tolist numpy detach clone data grad requires_grad requires_grad_ backward
    copy_ view expand float double long to type dtype device contiguous values indices fill_ zero_
    """
)
_ARRAY = _names(
    """
    T shape size ndim dtype item tolist astype reshape transpose copy dot sum mean max min var std argmax argsort round
    clip flatten ravel squeeze
    """
)
_MODULE = _names(
    "weight bias parameters named_parameters state_dict load_state_dict forward train eval to"
)
# The attributes of common types.
ATTRIBUTES = {
    "Tensor": _TENSOR,
    "Parameter": _TENSOR,
    "ndarray": _ARRAY,
    "numpy.ndarray": _ARRAY,
    "Linear": _MODULE | _names("in_features out_features"),
    "Embedding": _MODULE | _names("num_embeddings embedding_dim"),
    "dict": _names("items keys values get update pop copy setdefault clear"),
    "list": _names("append extend insert pop remove index count sort reverse copy"),
    "str": _names(
        "split join lower upper strip replace find count startswith endswith format title"
    ),
}
# Attributes of a tensor that are not called.
NOT_CALLED = _names("T mT shape ndim data grad dtype device requires_grad")

# The keywords of functions and classes, in torch and in NumPy.
KEYWORDS = {
    "Parameter": ("data", "requires_grad"),
    "Linear": ("in_features", "out_features", "bias", "device", "dtype"),
    "Embedding": ("num_embeddings", "embedding_dim", "padding_idx"),
    "softmax": ("input", "dim", "dtype"),
    "log_softmax": ("input", "dim", "dtype"),
    "rand": ("size", "generator", "dtype", "requires_grad"),
    "randn": ("size", "generator", "dtype", "requires_grad"),
    "tensor": ("data", "dtype", "device", "requires_grad"),
    "zeros": ("size", "dtype", "requires_grad"),
    "ones": ("size", "dtype", "requires_grad"),
    "manual_seed": ("seed",),
}
NUMPY_KEYWORDS = {
    **dict.fromkeys(
        ("sum", "max", "min", "mean", "amax", "amin", "prod"), ("axis", "dtype", "keepdims")
    ),
    **dict.fromkeys(("var", "std"), ("axis", "dtype", "ddof", "keepdims")),
    **dict.fromkeys(("array", "asarray", "exp"), ("dtype",)),
    "transpose": ("axes",),
    "default_rng": ("seed",),
}
# torch takes NumPy's `axis` and `keepdims` too.
TORCH_KEYWORDS = {
    **dict.fromkeys(
        ("sum", "max", "min", "mean", "amax", "amin", "argmax", "argmin", "logsumexp"),
        ("input", "dim", "keepdim", "axis", "keepdims"),
    ),
    **dict.fromkeys(
        ("var", "std"), ("input", "dim", "correction", "unbiased", "keepdim", "axis", "keepdims")
    ),
    **dict.fromkeys(("stack", "cat"), ("tensors", "dim", "axis")),
    "transpose": ("input", "dim0", "dim1"),
}
# What a keyword of one library is called in the other.
TRANSLATED = {
    "dim": "axis",
    "keepdim": "keepdims",
    "axis": "dim",
    "keepdims": "keepdim",
    "ddof": "correction",
    "correction": "ddof",
    "unbiased": "ddof",
}

BUILTINS = _names(
    """
    print len range float int str list dict tuple set sum min max abs round enumerate zip sorted reversed map
    isinstance getattr setattr super type True False None
    """
)
# Constants of other languages.
CONSTANTS = {
    "true": "True",
    "TRUE": "True",
    "false": "False",
    "FALSE": "False",
    "none": "None",
    "null": "None",
}
