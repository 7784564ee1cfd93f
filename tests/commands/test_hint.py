"""`python -m autograder hint` in a released folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.exam.expected_json import load_release
from tests.command_line import invoke

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]


def hint(*arguments: str) -> str:
    done = invoke(["hint", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_each_call_gives_the_next_hint_and_the_last_one_stays(release: Path) -> None:
    check = next(one for one in load_release(release).assignment.checks if one.name == "project")
    words = {part: text.split()[:6] for part, text in check.hints.items()}
    for level, part in ((1, "nudge"), (2, "where"), (3, "example"), (3, "example")):
        text = hint("project")
        assert text.startswith(f"Hint {level} of 3 for `project`:\n")
        assert " ".join(words[part]) in text
        assert ("The next hint: `python -m autograder hint project`." in text) == (level < 3)
        assert ("This is the last hint." in text) == (level == 3)
        others = [one for one in ("nudge", "where", "example", "why", "further") if one != part]
        assert not any(" ".join(words[other]) in text for other in others)
    assert hint("scale_scores").startswith("Hint 1 of 3 for `scale_scores`:\n")


def test_a_level_can_be_asked_for_and_the_next_one_follows_it(release: Path) -> None:
    """Also where what was shown cannot be read or written."""
    assert hint("project", "--level", "2").startswith("Hint 2 of 3")
    assert hint("project").startswith("Hint 3 of 3")
    assert hint("project", "--level", "1").startswith("Hint 1 of 3")
    [state] = [path for path in release.iterdir() if path.name.startswith(".")]
    for damaged in ("", "[]", "7", '{"project": "x"}', '{"project": null}', "\x00"):
        state.write_text(damaged)
        assert hint("project").startswith("Hint 1 of 3")
    state.unlink()
    state.mkdir()
    assert hint("project").startswith("Hint 1 of 3")
    assert hint("project", "--level", "2").startswith("Hint 2 of 3")


def test_it_finds_the_one_release_below_and_names_several(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(release.parent)
    assert hint("project").startswith("Hint 1 of 3")
    shutil.copytree(ROOT / "assignments" / "numpy_attention", release.parent / "numpy_attention")
    done = invoke(["hint", "project"])
    assert done.exit_code == 2
    assert (
        "several assignments here: numpy_attention, self_attention. Give the folder" in done.stderr
    )
    assert hint("project", "--folder", "self_attention").startswith("Hint 2 of 3")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("scale_score",), "There is no step 'scale_score'. Did you mean 'scale_scores'?"),
        (("project", "--level", "4"), "4 is not in the range 1<=x<=3"),
        (("project", "--folder", "nowhere"),
            "has no expected.json. Run this in the folder of an assignment."),
    ],
)  # fmt: skip
def test_wrong_use_is_said(release: Path, arguments: tuple[str, ...], words: str) -> None:
    done = invoke(["hint", *arguments])
    assert done.exit_code == 2
    assert words in done.stderr
