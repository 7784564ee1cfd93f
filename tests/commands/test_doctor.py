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
        if not (layer.name in status and status[layer.name].active):
            assert layer.get.split("`")[0].strip()[:20] in result.output
    return result


@pytest.mark.unit
def test_it_names_each_layer_and_the_library_that_applies_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = told(monkeypatch, Tried(WORKS))
    for name in ("landlock", "seccomp"):
        assert f"works (lib{name} 2.5)" in result.output
    assert "This machine can grade strangers' code" in result.output
    assert result.exit_code == 0


@pytest.mark.unit
def test_a_missing_layer_is_said_and_grading_would_not_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status = WORKS | {"seccomp": not_here("this kernel was built without")}
    result = told(monkeypatch, Tried(status))
    _, _, missing = result.output.partition("refuses to begin")
    assert "  seccomp: not here: this kernel was built without\n" in missing
    assert result.exit_code == 1


@pytest.mark.slow  # it tries all layers
def test_it_tells_the_status_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(best_sandbox(Limits())) as sandbox:
        told(monkeypatch, sandbox)


@pytest.mark.unit
def test_where_nothing_but_a_process_is_to_be_had_it_says_how_to_get_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox = FreshSandbox(Limits())
    assert [name for name, one in sandbox.status().items() if one.active] == ["process"]
    result = told(monkeypatch, sandbox)
    assert result.exit_code == 1
    assert "seccomp: not here: only on Linux" in result.output
