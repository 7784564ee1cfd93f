"""What `autograder watch` shows after each save. `test_watch_terminal` uses a real terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.commands import watch
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.student.practice import Practice
from autograder.testing import InProcessSession
from tests.commands.released_steps import END, PROJECT, STUB, WRONG, copied_release, with_body

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
    """The command, with saves in place of a folder that is watched."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.file = folder / "self_attention.py"
        self._capsys = capsys

    def save(self, step: str, body: str) -> Callable[[], object]:
        return self.write(with_body(step, body))

    def write(self, text: str) -> Callable[[], object]:
        return lambda: self.file.write_text(text, encoding="utf-8")

    def play(self, *moves: Callable[[], object]) -> list[str]:
        """Return what is shown at first and after each save."""

        def saves() -> Iterator[bool]:
            yield False  # as long as nothing was saved
            for move in moves:
                move()
                yield True
                yield False

        self._capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(watch.Watch, "_saves", lambda _: saves())
            patch.chdir(self.folder)
            watch.Watch(InProcess(Path(), FreshSandbox(Limits()))).run()
        *shown, rest = self._capsys.readouterr().out.split(END)
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
    first, mistake, done = played.play(wrong, right)

    assert "0 of 11 steps are right, 0 of 20 points." in first
    assert "self_attention [.x.........]" in mistake
    assert "project: 0 of 1 points" in mistake
    assert "values" in mistake
    before, _, said = map(str.strip, mistake.partition("checking ...\n"))
    assert before == ""
    assert "project: 0 of 1 points" in said
    assert "self_attention [.#.........]" in done
    assert "`project` is right." in done
    assert "A matrix product treats each row" in done
    assert "Next: `init_weights`." in done
    assert "save the file" in " ".join(done.split())


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
