"""What `autograder doctor` tells about a machine, and how it ends."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.commands import doctor
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.layers.all import BY_NAME, LAYERS
from autograder.sandbox.layers.status import ACTIVE, LayerStatus, not_here
from autograder.sandbox.limits import Limits
from autograder.sandbox.policy import missing_layers
from autograder.sandbox.warm import best_sandbox
from tests.command_line import invoke

if TYPE_CHECKING:
    from autograder.sandbox.sandbox import Sandbox
    from tests.command_line import Invoked

WORKS = dict.fromkeys(BY_NAME, ACTIVE) | {
    name: replace(ACTIVE, reason=f"lib{name} 2.5") for name in ("landlock", "seccomp")
}


class Tried(FreshSandbox):
    def __init__(self, status: dict[str, LayerStatus]) -> None:
        super().__init__(Limits())
        self._status = status

    def status(self) -> dict[str, LayerStatus]:
        return self._status


def told(patch: pytest.MonkeyPatch, sandbox: Sandbox) -> Invoked:
    """What it tells of a machine with this sandbox: each layer that works, and whether grading would begin."""
    status = sandbox.status()
    patch.setenv("COLUMNS", "250")
    patch.setattr(doctor, "best_sandbox", lambda _: sandbox)
    result = invoke(["doctor"])
    assert [name for name in BY_NAME if name not in result.output] == []
    assert result.output.count("│ works ") == sum(one.active for one in status.values())
    assert result.exit_code == (1 if missing_layers(status) else 0)
    assert ("refuses to begin" in result.output) is bool(missing_layers(status))
    for layer in LAYERS:
        if layer.name not in status or status[layer.name].missing:
            assert layer.get.split("`")[0].strip()[:20] in result.output
    return result


MISSING = WORKS | {"seccomp": not_here("this kernel was built without")}


@pytest.mark.unit
@pytest.mark.parametrize(
    ("sandbox", "words"),
    [
        (Tried(WORKS), "works (liblandlock 2.5)"),
        (Tried(WORKS), "works (libseccomp 2.5)"),
        (Tried(WORKS), "This machine can grade strangers' code"),
        (Tried(MISSING), "is given:\n  seccomp: not here: this kernel was built without\n"),
        (FreshSandbox(Limits()), "seccomp: not here: only on Linux"),
    ],
)
def test_each_layer_is_named_and_one_that_is_missing_said(
    monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox, words: str
) -> None:
    assert words in told(monkeypatch, sandbox).output


@pytest.mark.slow  # it tries all layers
def test_it_tells_the_status_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(best_sandbox(Limits())) as sandbox:
        told(monkeypatch, sandbox)
