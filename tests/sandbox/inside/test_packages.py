"""What the code of a student may import: the packages of a list, also where others are installed."""

from __future__ import annotations

import builtins
import importlib
import linecache
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.libraries import PACKAGES, may_import
from autograder.sandbox.inside.packages import import_only
from autograder.sandbox.inside.student import StudentModule, load

NAME = "work_that_imports"
Load = Callable[..., StudentModule]

EINOPS = "def einsum(*_): return 1\n"
JAXTYPING = "class _Hint:\n    def __getitem__(self, _): return self\nFloat = _Hint()\n"


@pytest.fixture(params=["installed", "absent"])
def load_work(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Load]:
    """Load a source that may import what is listed only, where other packages are installed and where not."""
    for name, text in (("einops", EINOPS), ("jaxtyping", JAXTYPING)):
        Path(tmp_path, f"{name}.py").write_text(text, encoding="utf-8")
    if request.param == "installed":
        monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.setattr(importlib, "import_module", importlib.import_module)

    def load_one(source: str, packages: tuple[str, ...] = PACKAGES) -> StudentModule:
        import_only(NAME, [NAME, *packages])
        return load(NAME, [("one", source)])

    yield load_one
    for name in (NAME, "einops", "jaxtyping"):
        sys.modules.pop(name, None)
    linecache.cache.pop("one", None)


def messages(student: StudentModule) -> list[object]:
    return [failure["message"] for failure in student.failures]


@pytest.mark.parametrize(
    "line",
    [
        "from einops import einsum",
        "import einops",
        "import einops.layers.torch as layers",
        "from einops import *",
        'einops = __import__("einops")',
        'import importlib; einops = importlib.import_module("einops")',
        'from importlib import import_module; einops = import_module("einops.layers")',
    ],
)
def test_what_is_not_listed_is_not_there_wherever_it_is_installed(
    load_work: Load, line: str
) -> None:
    student = load_work(f"{line}\ndef step(): return 1")
    assert messages(student) == ["No module named 'einops'"]
    assert student.module.step() == 1


def test_an_import_inside_a_function_is_refused_when_it_runs(load_work: Load) -> None:
    student = load_work("def step():\n    from einops import einsum\n    return einsum()")
    assert not student.failures
    with pytest.raises(ModuleNotFoundError, match="No module named 'einops'"):
        student.module.step()


def test_what_is_imported_already_is_refused_too(
    load_work: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torch imports SymPy or does not, as its version likes."""
    monkeypatch.setitem(sys.modules, "sympy", sys)
    assert messages(load_work("import sympy")) == ["No module named 'sympy'"]


def test_python_numpy_torch_and_the_work_itself_can_be_imported(load_work: Load) -> None:
    names = "math collections.abc dataclasses typing functools itertools numpy torch.nn.functional"
    lines = [f"import {name}" for name in (*names.split(), NAME)]
    student = load_work("\n".join([*lines, "from importlib import import_module as found"]))
    assert not student.failures
    assert student.module.found("torch.nn").__name__ == "torch.nn"
    assert all(may_import(name, ()) for name in ("math", "collections.abc", "__future__"))
    assert not any(may_import(name, ()) for name in ("torch", "einops", "typing_extensions"))


def test_what_the_release_imports_can_be_imported(
    load_work: Load, request: pytest.FixtureRequest
) -> None:
    student = load_work("import einops", ("einops",))
    assert bool(student.failures) == ("absent" in request.node.name)


LAZY = """
import copy
import torch
import torch.nn.functional as F
from torch import nn

def step():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.rand(2, 3, 4)
    y = F.scaled_dot_product_attention(x, x, x)
    each = torch.func.vmap(lambda one: one @ one.T)(x)
    model(y).sum().backward()
    optimizer.step()
    half = torch.func.jacrev(lambda t: (t ** 2).sum())(x)
    graph = torch.fx.symbolic_trace(copy.deepcopy(model))
    return torch.einsum("bqd,bkd->bqk", y, x).shape, each.shape, half.shape, graph(x).shape
"""


def test_a_library_imports_for_itself_what_it_needs(load_work: Load) -> None:
    student = load_work(LAZY)
    assert not student.failures
    assert len(student.module.step()) == 4


ANNOTATED = """
from dataclasses import dataclass, fields
from typing import NamedTuple
import torch
from torch import Tensor
from jaxtyping import Float
Scores = Float[Tensor, "q k"]
def step(q: Float[Tensor, "q d"], *rest: Scores, k: "Float" = 2) -> Float[Tensor, "q k"]:
    inner: Float[Tensor, "d"] = 3
    def helper(x: Float[Tensor, "d"]) -> Scores:
        return x
    return q + k + helper(inner)
async def waits(q: Float[Tensor, "q"]): ...
class Layer(torch.nn.Module):
    width: Float[Tensor, ""] = 4
    def forward(self, x: Float[Tensor, "t d"]) -> Scores:
        return x
@dataclass
class Sizes:
    heads: int
    scale: Float[Tensor, ""] = 1.0
class Pair(NamedTuple):
    left: Float[Tensor, ""]
    right: int = 2
made: Float[Tensor, "3"] = 3
later: Scores
"""


def test_what_only_annotates_costs_nothing(load_work: Load) -> None:
    module = load_work(ANNOTATED).module
    assert module.step(1) == 6
    assert module.Layer().forward(1) == 1
    assert [one.name for one in module.fields(module.Sizes)] == ["heads", "scale"]
    assert module.Pair(1) == (1, 2)
    assert module.made == 3
    assert module.step.__annotations__["q"] == "Float[Tensor, 'q d']"


def test_only_the_import_and_what_really_needs_it_fail(load_work: Load) -> None:
    lines = 'from jaxtyping import Float\nALIAS = Float["x"]\n@Float\ndef step(x: ALIAS): ...\ndef other(x: ALIAS): ...'
    student = load_work(lines)
    assert [failure["defines"] for failure in student.failures] == [["Float"], ["ALIAS"], ["step"]]
    assert student.module.other.__name__ == "other"


READ = """
from dataclasses import dataclass, InitVar, KW_ONLY, fields
from functools import singledispatch
from typing import ClassVar, NamedTuple, get_type_hints
import typing as t
import torch
from missing_package import Nothing

@dataclass
class Sizes:
    heads: int
    count: t.ClassVar[int] = 3
    start: InitVar[int] = 0
    _: KW_ONLY
    scale: float = 1.0
    def __post_init__(self, start): self.heads += start

@singledispatch
def kind(x): return "other"
@kind.register
def _(x: torch.Tensor): return "tensor"
@kind.register
def _(x: int): return "int"

@torch.jit.script
def scripted(x: torch.Tensor, n: int) -> torch.Tensor:
    return x * n

def hinted(x: torch.Tensor, y: "Nothing" = None) -> int: ...
def nested():
    class Own: ...
    def inner(x: Own): ...
    return inner.__annotations__["x"] is Own
"""


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_annotations_that_can_be_evaluated_are(load_work: Load) -> None:
    """Beside an import that failed, too: a dataclass, singledispatch and torch.jit.script read them."""
    student = load_work(READ)
    assert messages(student) == ["No module named 'missing_package'"]
    module: Any = student.module
    assert [one.name for one in module.fields(module.Sizes)] == ["heads", "scale"]
    assert module.Sizes(1, 2, scale=3.0).heads == 3
    assert [module.kind(x) for x in (module.torch.ones(1), 1, "")] == ["tensor", "int", "other"]
    assert module.scripted(module.torch.ones(2), 3).tolist() == [3.0, 3.0]
    assert module.hinted.__annotations__["x"] is module.torch.Tensor
    assert module.nested()
