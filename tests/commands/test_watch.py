"""What `autograder watch` shows after each save and key. `test_watch_terminal` types into a real terminal."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.commands import watch
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.student.practice import Practice
from autograder.testing import InProcessSession
from tests.commands.released_steps import KEYS, PROJECT, STUB, WRONG, copied_release, with_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class InProcess(Practice):
    """Checks in this process, which needs no worker."""

    def prepare(self) -> None:
        pass

    def _session(self) -> InProcessSession:
        assert self.pieces is not None
        return InProcessSession(self.exam, self.pieces)


class Played:
    """The command, with saves and keys in place of a folder that is watched and of a keyboard."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.file = folder / "self_attention.py"
        self._capsys = capsys

    def save(self, step: str, body: str) -> Callable[[], object]:
        return self.write(with_body(step, body))

    def write(self, text: str) -> Callable[[], object]:
        return lambda: self.file.write_text(text, encoding="utf-8")

    def play(self, *moves: Callable[[], object] | str) -> list[str]:
        """Return what is shown at first and after each save and key; at last, quit."""
        key = ""
        left = [*moves, "q"]

        def saves() -> Iterator[bool]:
            nonlocal key
            yield False  # as long as nothing was saved
            while left:
                move = left.pop(0)
                key = move if isinstance(move, str) else ""
                if not isinstance(move, str):
                    move()
                yield not key
                yield (key := "") != ""
            pytest.fail("it went on after `q`")

        @contextmanager
        def keyboard() -> Iterator[Callable[[], str]]:
            yield lambda: key

        self._capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(watch, "keyboard", keyboard)
            patch.setattr(watch.Watch, "_saves", lambda _: saves())
            patch.chdir(self.folder)
            watch.Watch(InProcess(Path(), FreshSandbox(Limits()))).run()
        *shown, rest = self._capsys.readouterr().out.split(KEYS)
        assert rest.strip() == ""
        assert len(shown) == len(moves) + 1, shown
        return shown


@pytest.fixture
def played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Played:
    monkeypatch.setenv("COLUMNS", "60")
    return Played(copied_release(tmp_path), capsys)


def test_a_students_quarter_of_an_hour(played: Played) -> None:
    wrong, right = played.save("project", WRONG), played.save("project", PROJECT)
    shown = played.play(wrong, "h", "h", right, "a")
    first, mistake, one, two, done, table = shown

    assert "0 of 11 steps are right, 0 of 20 points." in first
    assert "self_attention [.x.........]" in mistake
    assert "project: 0 of 1 points" in mistake
    assert "values" in mistake
    before, _, said = map(str.strip, mistake.partition("checking ...\n"))
    assert before == ""
    assert said in one
    assert said in two
    assert "Hint 1 of 3 for `project`:" in one
    assert "Does each of the three use its own matrix?" in one
    assert "Hint 2 of 3 for `project`:" in two
    assert "self_attention [.#.........]" in done
    assert "`project` is right." in done
    assert "A matrix product treats each row" in done
    assert "Next: `init_weights`." in done
    assert "save the file" in " ".join(done.split())
    assert "attention_scores         0 / 2  not started" in table


def test_a_file_that_goes_comes_back_or_has_an_error_is_said(played: Played) -> None:
    right = played.save("project", PROJECT)
    shown = played.play(right, played.file.unlink, played.write(f"{STUB}\ndef (\n"), right)
    _, there, gone, broken, back = shown

    assert "1 of 11 steps are right" in there
    assert "There is no `self_attention.py` in this folder: it was" in gone
    assert "of 11 steps" not in gone
    assert "Python cannot read line" in broken
    assert "1 of 11 steps are right" in back
    assert "`project` is right." in there
    assert "`project` is right." not in back, "that was said before"


def test_the_last_hint_says_so_and_another_fault_begins_with_the_first(played: Played) -> None:
    wrong, other = played.save("project", WRONG), played.save("project", "    return x, x, x\n")
    _, _, _, two, three, again, _, first = played.play(wrong, "h", "h", "h", "h", other, "h")
    assert "The next hint: press h again." in two
    for shown in (three, again):
        assert "Hint 3 of 3" in shown
        assert "This is the last hint." in shown
    assert "Hint 1 of 3" in first
    assert "Tokens are rows, so x stands on the left" in first
