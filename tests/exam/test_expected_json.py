"""The file `expected.json`: it keeps every bit, says nothing of the reference, and damage to it is named."""

from __future__ import annotations

import ast
import base64
import functools
import hashlib
import json
import math
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
from autograder.values.as_json import dump_value, load_value
from autograder.values.values import STORAGE, Array, DictValue, ListValue, Other, Value
from autograder.values.wire import encode
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


VALUES: tuple[Value, ...] = (
    None,
    True,
    7,
    2**62,
    -0.0,
    1e-320,
    math.inf,
    -math.inf,
    math.nan,
    "Zoë \U0001f600",
    Other("Linear"),
    ListValue("list", (1, ListValue("different", ("a", 2.5)))),
    DictValue(((0, "Your"), ("journey", ListValue("tuple", ())))),
    DictValue((("array", 1), ("sequence", 2), ("float", 3), ("other", 4))),
)


@pytest.mark.unit
@pytest.mark.parametrize("dtype", [name for name in STORAGE if not name.startswith("complex")])
def test_an_array_keeps_its_bits(dtype: str) -> None:
    noise = np.random.default_rng(5).integers(256, size=(3, 20, 8), dtype=np.uint8)
    data = noise % 2 > 0 if dtype == "bool" else noise.view(STORAGE[dtype])
    if data.dtype.kind == "f":
        data[0, 0, 0] = -np.inf
    for part in (data, data[0, 0, 0], data[:0]):
        array = Array("parameter", dtype, np.asarray(part), requires_grad=True)
        loaded = load_value(json.loads(json.dumps(dump_value(array), allow_nan=False)))
        assert isinstance(loaded, Array)
        assert (loaded.data.dtype, bits(loaded)) == (array.data.dtype, bits(array))


@pytest.mark.unit
def test_a_value_keeps_its_bits() -> None:
    for value in VALUES:
        text = json.dumps(dump_value(value), allow_nan=False)
        assert encode(load_value(json.loads(text))) == encode(value), value


@pytest.mark.unit
@pytest.mark.parametrize(
    "value", [b"bytes", Array("ndarray", "complex64", np.zeros(2, np.complex64))]
)
def test_what_has_no_form_in_json_is_an_error_of_the_assignment(value: Value) -> None:
    with pytest.raises(AssignmentError, match=r"has no form in expected\.json"):
        dump_value(value)


@pytest.mark.unit
def test_last_digits_are_no_difference_but_all_else_is() -> None:
    nothing = packed(b"[]")
    rest = f'"known": "{nothing}"}}'

    def same(other: str) -> bool:
        one = '{"format": 1, "numbers": [0.1, 2.0], "none": null'
        return same_expected(f"{one}, {rest}".encode(), f"{other}, {rest}".encode())

    assert same('{"format": 1, "numbers": [0.1000001, 2.000001], "none": null')
    for other in (
        '{"format": 1, "numbers": [0.11, 2.0], "none": null',
        '{"format": 2, "numbers": [0.1, 2.0], "none": null',
        '{"format": 1, "numbers": [0.1], "none": null',
        '{"format": 1, "numbers": [0.1, 2], "none": null',
        '{"numbers": [0.1, 2.0], "format": 1, "none": null',
        '{"format": 1, "numbers": [0.1, 2.0]',
        "{",
    ):
        assert not same(other)
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
    (("questions", 0, "step"), "triple"),
    (("questions", 0, "answers"), []),
    (("questions", 0, "inputs"), []),
    (("questions", 0, "inputs", "x", "dtype"), "float1"),
    (("questions", 0, "inputs", "x", "shape"), [1, 1]),
    (("questions", 0, "inputs", "x", "array"), "matrix"),
    (("questions", 0, "inputs", "x", "data", 0), "ten"),
    (("questions", 0, "inputs", "x", "data", 0), [1]),
    (("questions", 0, "inputs", "x"), {"sequence": "queue", "items": []}),
    (("questions", 0, "inputs", "x"), {"float": "ten"}),
    (("questions", 0, "inputs", "x"), {}),
    (("questions", 0, "inputs", "x"), []),
    (("questions", 0, "answers", 0, 0, "value"), ...),
    (("mistakes",), []),
    (("mistakes", "unchanged"), ["one"]),
    (("cells", 0, "source"), ...),
    (("cells",), 5),
)


def test_any_damage_is_named_with_what_to_do(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()
    for path, value in DAMAGED_PLACES:
        file.write_bytes(whole)
        if path == ("questions", 0) and value is ...:
            damage(release, *path, value=...)  # each criterion has two drawn questions
        damage(release, *path, value=value)
        assert "is damaged" in complaint(release), (path, value)


# What is packed: known wrong answers, and the values on the way to the right ones.


def packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 9)).decode()


@functools.cache
def bomb() -> str:
    """A text of 130 kB that unpacks to 100 MB."""
    pack = zlib.compressobj(9)
    data = [pack.compress(b"[")]
    data += [pack.compress(b" " * 1_000_000) for _ in range(100)]
    return base64.b64encode(b"".join([*data, pack.compress(b"]"), pack.flush()])).decode()


DAMAGES: dict[str, Callable[[str], Any]] = {
    "cut off": lambda text: text[: len(text) // 2],
    "one letter less": lambda text: text[:-5],
    "another letter": lambda text: text[:40] + ("A" if text[40] != "A" else "B") + text[41:],
    "no checksum": lambda text: base64.b64encode(base64.b64decode(text)[:-2]).decode(),
    "no base64": lambda text: f"?{text}",
    "no zlib": lambda _: base64.b64encode(b"plain").decode(),
    "no JSON": lambda _: packed(b"[1,"),
    "other data": lambda _: packed(b"[[[7]]]"),
    "too few questions": lambda _: packed(b"[]"),
    "a number": lambda _: 7,
    "a bomb": lambda _: bomb(),
    "deep": lambda _: packed(b"[" * 10_000_000),
    "empty": lambda _: "",
}


def test_a_damaged_or_huge_packed_text_is_named(release: Path) -> None:
    file = release / "expected.json"
    whole = file.read_bytes()
    text = json.loads(whole)["known"]
    for name, damaged in DAMAGES.items():
        file.write_bytes(whole)
        damage(release, "known", value=damaged(text))
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
    damage(release, "known", value=bomb())
    tracemalloc.start()
    try:
        with pytest.raises(AssignmentError):
            load_release(release)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 80_000_000


def test_another_wrong_answer_is_a_difference_and_another_tolerance_is_none(release: Path) -> None:
    def changed(change: Callable[[list[Any]], object]) -> bytes:
        content = json.loads((release / "expected.json").read_text())
        known = unpacked(content["known"])
        [[wrong, *_], _] = known[0]
        change(wrong)
        return json.dumps({**content, "known": packed(json.dumps(known).encode())}).encode()

    before = changed(lambda _: None)
    assert same_expected(before, changed(lambda wrong: wrong[0].__setitem__(2, 0.01)))
    assert not same_expected(before, changed(lambda wrong: wrong.pop()))
    assert not same_expected(before, changed(lambda wrong: wrong[0].__setitem__(0, "other")))
    assert not same_expected(before, changed(lambda wrong: wrong[0].__setitem__(1, 7.5)))


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


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


def texts_in(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, list | dict):
        for part in [*thing, *(thing.values() if isinstance(thing, dict) else ())]:
            yield from texts_in(part)


# Words with which every value is written.
WRITTEN = {"inf", "items"}


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_is_packed_has_no_line_of_the_reference_and_wrong_answers_none_of_its_names(
    name: str,
) -> None:
    source = source_of(name)
    content = json.loads((ROOT / "assignments" / name / "expected.json").read_text())
    known = unpacked(content["known"])
    answers = [value for probes, _ in known for wrong in probes for _, value, _ in wrong]
    assert len(answers) > 200
    lines, names = secrets(source)
    assert len(lines) > 15
    assert len(names) > 3
    joined = "\n".join(texts_in(known))
    assert [line for line in lines if line in joined] == []
    words = {word for text in texts_in(answers) for word in re.findall(r"\w+", text)}
    assert len(words) > 5
    assert (words - WRITTEN) & names == set()
