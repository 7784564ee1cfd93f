"""What `autograder doctor` tells about a machine, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands import doctor
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.layers.all import BY_NAME, LAYERS
from autograder.sandbox.limits import Limits
from autograder.sandbox.policy import missing_layers
from autograder.sandbox.warm import best_sandbox
from tests.command_line import invoke

if TYPE_CHECKING:
    import pytest


def test_it_names_each_layer_and_says_whether_grading_would_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    result = invoke(["doctor"])
    sandbox = best_sandbox(Limits())
    try:
        status = sandbox.status()
    finally:
        sandbox.close()

    for name in BY_NAME:
        assert name in result.output
    for name in ("landlock", "seccomp"):
        assert not status[name].active or f"works ({status[name].by})" in result.output
    assert result.output.count("│ works ") == sum(one.active for one in status.values())
    assert result.exit_code == (1 if missing_layers(status) else 0)
    assert ("refuses to begin" in result.output) is bool(missing_layers(status))


def test_where_nothing_but_a_process_is_to_be_had_it_says_how_to_get_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.setattr(doctor, "best_sandbox", FreshSandbox)
    result = invoke(["doctor"])

    assert result.exit_code == 1
    assert result.output.count("│ works ") == 1
    for layer in LAYERS[1:]:
        assert layer.get.split("`")[0].strip()[:20] in result.output
    assert "seccomp: not here: only on Linux" in result.output
