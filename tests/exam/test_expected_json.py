"""The file `expected.json`: it keeps every bit, says nothing of the reference, and damage to it is named."""

from __future__ import annotations

import ast
import base64
import functools
import hashlib
import json
import os
import re
import shutil
import tracemalloc
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.assignment.assignment import is_release
from autograder.assignment.script import solution_lines
from autograder.assignment.source import load_source
from autograder.errors import AssignmentError, UsageError
from autograder.exam.draw import draw_exam
from autograder.exam.expected_json import (
    dump_expected,
    load_release,
    release_digest,
    released_names,
    same_expected,
)
from autograder.exam.questions import PUBLIC, Exam
from autograder.release.build import release_files
from autograder.values.values import Array, DictValue, ListValue, Value, freeze, parts_in
from autograder.values.wire import decode, encode
from tests.exam.expected import change_packed, change_questions, packed, unpacked
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.toy import write_toy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.assignment.source import Source

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return load_source(write_toy(tmp_path_factory.mktemp("source")) / "toy")


@pytest.fixture(scope="module")
def drawn(source: Source) -> Exam:
    return draw_exam(source, PUBLIC)


@pytest.fixture(scope="module")
def built(source: Source, drawn: Exam, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy's release; tests that damage it take a copy."""
    folder = tmp_path_factory.mktemp("release") / "toy"
    folder.mkdir()
    for name, data in release_files(source, drawn).items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def release(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "toy"))


def bits(value: Value) -> Any:
    """A value as the bytes that the protocol would send; a NaN is a NaN, whatever its own bits."""
    match value:
        case ListValue():
            return value.kind, [bits(item) for item in value.items]
        case DictValue():
            return [(bits(key), bits(item)) for key, item in value.items]
        case Array() if value.data.dtype.kind == "f":
            data = value.data.copy()
            data[np.isnan(data)] = np.nan
            return encode(replace(value, data=data))
    return encode(value)


def plain(exam: Exam) -> list[Any]:
    return [
        [
            (question.step, question.criterion, question.kind, question.graph),
            [(name, bits(value)) for name, value in question.inputs.items()],
            [
                [(bits(right.value), right.decimals, right.remark) for right in answers.right]
                for answers in question.answers
            ],
            [
                [(wrong.mistake, bits(wrong.value)) for wrong in answers.wrong]
                for answers in question.answers
            ],
        ]
        for question in exam.questions
    ]


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_release_holds_bitwise_the_questions_that_were_drawn(tmp_path: Path, name: str) -> None:
    drawn = exam_of(name)
    probes = drawn.assignment.probes
    (tmp_path / f"test_{name}.py").write_bytes(probes)
    (tmp_path / "expected.json").write_bytes(dump_expected(drawn, {"probes": probes}))
    loaded = load_release(tmp_path)
    assert plain(loaded) == plain(drawn)
    assert loaded.mistakes == drawn.mistakes
    assert loaded.public
    for check in drawn.assignment.checks:
        first, second = (
            exam.right_values(exam.questions_for(check, check.criteria[0])[0], 0)
            for exam in (drawn, loaded)
        )
        assert first is not None
        assert second is not None
        assert first.kinds == second.kinds
        for one, other in zip(first.arrays, second.arrays, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-6)


def test_what_a_step_may_import_is_released_and_follows_from_what_the_assignment_imports(
    tmp_path: Path,
) -> None:
    folder = write_toy(tmp_path) / "toy"
    script = folder / "toy.py"
    more = "# %%\nimport math, click\nfrom os import path\n\n"
    script.write_text(more + script.read_text(encoding="utf-8"), encoding="utf-8")
    exam = draw_exam(load_source(folder), PUBLIC)
    assert json.loads(dump_expected(exam, {}))["packages"] == ["click", "numpy", "torch"]
    for name in ASSIGNMENTS:
        released = load_release(ROOT / "assignments" / name).assignment.packages
        assert released == source_of(name).assignment.packages == ("numpy", "torch")


def test_releases_are_listed_by_name(built: Path, tmp_path: Path) -> None:
    (built.parent / "empty").mkdir(exist_ok=True)
    assert released_names(built.parent) == ["toy"]
    assert not is_release(built.parent)
    with pytest.raises(UsageError, match="Say with --assignments"):
        released_names(tmp_path / "nowhere")


def test_last_digits_are_no_difference_but_all_else_is(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()

    def same(change: Callable[[dict[str, Any]], object]) -> bool:
        file.write_bytes(whole)
        change_questions(release, change)
        return same_expected(whole, file.read_bytes())

    def with_x(**changes: Any) -> Callable[[dict[str, Any]], object]:
        return lambda asked: asked["inputs"].update(
            x=replace(asked["inputs"]["x"], **{k: v(asked) for k, v in changes.items()})
        )

    def data_of(asked: dict[str, Any]) -> Any:
        return asked["inputs"]["x"].data

    assert same(with_x(data=lambda asked: data_of(asked) * 1.000001))
    for change in (
        with_x(data=lambda asked: data_of(asked) + 0.01),
        with_x(data=lambda asked: data_of(asked)[:1]),
        with_x(data=lambda asked: data_of(asked).astype(int)),
        with_x(kind=lambda _: "tensor"),
        lambda asked: asked.update(special="with one token"),
        lambda asked: asked["inputs"].update(y=1.0),
        lambda asked: asked.update(graph=["x"]),
    ):
        assert not same(change)
    for damaged in (b"{", b"", whole.replace(b"Is it multiplied", b"Was it multiplied")):
        assert not same_expected(whole, damaged)
    assert not same_expected(b"{", b"{")


def damage(release: Path, *path: str | int, value: Any) -> None:
    """Put another value at this place of `expected.json`, or nothing (...)."""
    file = release / "expected.json"
    content = json.loads(file.read_text())
    *way, last = path
    place = content
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    file.write_text(json.dumps(content))


def complaint(release: Path) -> str:
    with pytest.raises(AssignmentError) as error:
        load_release(release)
    assert "again" in str(error.value)
    return str(error.value)


def test_a_damaged_or_another_file_is_named_with_what_to_do(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()
    cut = [whole[:length] for length in (0, 1, 40, 400, -40, -3)]
    for content in (*cut, b"\xff\xfe", b"[]", b"7", b"null", b"{}", b"[" * 100_000):
        file.write_bytes(content)
        words = complaint(release)
        assert words.startswith(f"{release}: the release is damaged ("), content[:9]
        assert words.endswith("); get it again."), content[:9]


@pytest.mark.parametrize("name", ["expected.json", "test_toy.py"])
def test_a_missing_file_is_named_with_what_to_do(release: Path, name: str) -> None:
    (release / name).unlink()
    assert complaint(release) == (
        f"{release / name} cannot be read (No such file or directory); get the release again."
    )


def test_nothing_of_a_release_is_run(release: Path) -> None:
    """Its folder may be a student's repository."""
    marker = release / "was_run"
    for name in ("test_toy.py", "toy.py", "conftest.py", "__init__.py"):
        (release / name).write_text(f"open({str(marker)!r}, 'w')")
    exam = load_release(release)
    assert [(one.name, one.points) for one in exam.assignment.checks] == [
        ("double", 1),
        ("shift", 2),
    ]
    assert [cell.id for cell in exam.assignment.cells] == ["given-1", "double", "shift"]
    assert exam.changed == ("test_toy.py",)
    with pytest.raises(AssignmentError, match="runs in a worker only"):
        exam.assignment.checks[0].criteria[0].probes[0](None, None)
    assert not marker.exists()


def test_changed_files_are_named(release: Path) -> None:
    assert load_release(release).changed == ()
    digest = release_digest(release)
    assert digest == hashlib.sha256((release / "expected.json").read_bytes()).hexdigest()
    assert load_release(release, digest).changed == ()
    assert load_release(release, "0" * 64).changed == ("expected.json",)

    (release / "toy.py").write_text("the student's own")
    assert load_release(release, digest).changed == ()
    (release / "pytest.ini").unlink()
    with (release / "test_toy.py").open("ab") as file:
        file.write(b"\n")
    assert load_release(release, digest).changed == ("test_toy.py", "pytest.ini")


def test_other_line_ends_are_no_change(release: Path) -> None:
    digest = release_digest(release)
    for name in ("expected.json", "test_toy.py", "pytest.ini"):
        path = release / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_release(release, digest).changed == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("name", ["expected.json", "test_toy.py"])
def test_a_release_of_links_and_fifos_is_refused(release: Path, tmp_path: Path, name: str) -> None:
    """A link would send a file of this machine to the student's code."""
    secret = tmp_path / "secret"
    (release / name).rename(secret)
    (release / name).symlink_to(secret)
    assert "cannot be read (it is a link)" in complaint(release)
    (release / name).unlink()
    os.mkfifo(release / name)
    assert "cannot be read (it is not a regular file)" in complaint(release)


def test_another_format_is_another_version(release: Path) -> None:
    damage(release, "format", value=1)
    assert "was made by another version of the kit" in complaint(release)


DAMAGED_PLACES: tuple[tuple[tuple[str | int, ...], Any], ...] = (
    *((("assignment",), name) for name in ("../toy", "/etc/passwd", "", 3)),
    (("questions",), []),
    (("questions",), ...),
    (("questions", 0), ...),
    (("questions", 0), 5),
    (("checks", 0, "criteria", 0, "probes", 0), 5),
    (("checks", 0, "criteria", 0, "probes", 0, "name"), 5),
    (("checks", 0, "criteria", 0, "points"), "many"),
    (("mistakes",), []),
    (("mistakes", "unchanged"), ["one"]),
    (("cells", 0, "source"), ...),
    (("cells",), 5),
)


DAMAGED_QUESTIONS: dict[str, Callable[[list[Any]], object]] = {
    "none": lambda every: every.clear(),
    "a number": lambda every: every.__setitem__(0, 5),
    "a further field": lambda every: every[0].update(more=1),
    "another step": lambda every: every[0].update(step="triple"),
    "another kind": lambda every: every[0].update(kind="invented"),
    "no answers": lambda every: every[0].update(right=[]),
    "no inputs": lambda every: every[0].update(inputs=[]),
    "an answer without value": lambda every: every[0]["right"][0][0].pop("value"),
}


def test_any_damage_is_named_with_what_to_do(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()
    for path, value in DAMAGED_PLACES:
        file.write_bytes(whole)
        damage(release, *path, value=value)
        assert "is damaged" in complaint(release), (path, value)
    for name, change in DAMAGED_QUESTIONS.items():
        file.write_bytes(whole)
        change_packed(release, "questions", change)
        assert "is damaged" in complaint(release), name


# What is packed and read when it is needed: known wrong answers, and the values on the way to the right ones.


@functools.cache
def bomb() -> str:
    """A text of 130 kB that unpacks to 100 MB."""
    pack = zlib.compressobj(9)
    data = [pack.compress(b"N" * 1_000_000) for _ in range(100)]
    return base64.b64encode(b"".join([*data, pack.flush()])).decode()


DAMAGES: dict[str, Callable[[str], Any]] = {
    "cut off": lambda text: text[: len(text) // 2],
    "one letter less": lambda text: text[:-5],
    "another letter": lambda text: text[:40] + ("A" if text[40] != "A" else "B") + text[41:],
    "no checksum": lambda text: base64.b64encode(base64.b64decode(text)[:-2]).decode(),
    "no base64": lambda text: f"?{text}",
    "no zlib": lambda _: base64.b64encode(b"plain").decode(),
    "no value": lambda _: packed(b"[1,"),
    "other data": lambda _: packed(encode(freeze([[[7]]]))),
    "too few questions": lambda _: packed(encode(freeze([]))),
    "a number": lambda _: 7,
    "a bomb": lambda _: bomb(),
    "deep": lambda _: packed(b"L\x00\x01\x00\x00\x00" * 1_000_000),
    "empty": lambda _: "",
}


def test_a_damaged_or_huge_packed_text_is_named(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()
    for field in ("known", "questions"):
        text = json.loads(whole)[field][0]
        for name, damaged in DAMAGES.items():
            file.write_bytes(whole)
            damage(release, field, 0, value=damaged(text))
            with pytest.raises(AssignmentError) as error:
                first_wrong(load_release(release))
            assert re.search(r"is damaged .*; get it again\.", str(error.value)), name


def first_wrong(exam: Exam) -> Any:
    return exam.questions[0].answers[0].wrong


def test_a_known_wrong_answer_without_words_is_named(release: Path) -> None:
    damage(release, "mistakes", value={})
    with pytest.raises(AssignmentError, match="no words for unchanged"):
        first_wrong(load_release(release))


def test_a_bomb_takes_no_memory(release: Path) -> None:
    """Nothing is unpacked beyond the limit."""
    damage(release, "known", 0, value=bomb())
    tracemalloc.start()
    try:
        with pytest.raises(AssignmentError):
            first_wrong(load_release(release))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 80_000_000


def test_another_wrong_answer_is_a_difference_and_another_tolerance_is_none(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()

    def changed(change: Callable[[list[Any]], object]) -> bytes:
        file.write_bytes(whole)
        change_packed(release, "known", lambda every: change(every[0]["wrong"][0]))
        return file.read_bytes()

    assert same_expected(whole, changed(lambda wrong: wrong[0].update(relative=0.01)))
    assert not same_expected(whole, changed(lambda wrong: wrong.pop()))
    assert not same_expected(whole, changed(lambda wrong: wrong[0].update(mistake="other")))
    assert not same_expected(whole, changed(lambda wrong: wrong[0].update(value=7.5)))


def secrets(source: Source) -> tuple[set[str], set[str]]:
    """The lines of the solutions, and the names that they use, without what a student gets to see anyway."""
    cells = [cell for cell in (*source.script, *source.restated) if cell.kind == "step"]
    seen = "".join(cell.source for cell in source.assignment.cells)
    seen += source.assignment.probes.decode()
    names: set[str] = set()
    for cell in cells:
        for node in ast.walk(ast.parse(cell.source)):
            names |= {getattr(node, field, "") for field in ("id", "attr", "arg", "name")} - {None}
    lines = {line for line in solution_lines(source.script) if len(line) > 8}
    return lines, {name for name in names if name} - set(re.findall(r"\w+", seen))


def texts_in(text: str) -> Iterator[str]:
    """The texts in what is packed."""
    every = decode(zlib.decompress(base64.b64decode(text)))
    return (part for part in parts_in(every) if isinstance(part, str))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_is_packed_has_no_line_of_the_reference_and_wrong_answers_none_of_its_names(
    name: str,
) -> None:
    source = source_of(name)
    content = json.loads((ROOT / "assignments" / name / "expected.json").read_text())
    lines, names = secrets(source)
    assert len(lines) > 15
    assert len(names) > 3
    joined = "\n".join(
        one for text in (*content["questions"], *content["known"]) for one in texts_in(text)
    )
    assert [line for line in lines if line in joined] == []
    wrong = [
        answer["value"]
        for text in content["known"]
        for known in unpacked(text)
        for answers in known["wrong"]
        for answer in answers
    ]
    assert len(wrong) > 200
    said = [part for value in wrong for part in parts_in(freeze(value)) if isinstance(part, str)]
    words = {word for text in said for word in re.findall(r"\w+", text)}
    assert words & names == set()
