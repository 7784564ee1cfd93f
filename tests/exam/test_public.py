from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograder.assignment.assignment import is_release
from autograder.assignment.source import load_source, source_names
from autograder.errors import AssignmentError, UsageError
from autograder.exam.draw import draw_exam
from autograder.exam.public import (
    dump_expected,
    load_release,
    release_digest,
    released_names,
    same_expected,
)
from autograder.exam.questions import PUBLIC, Exam
from autograder.release.build import plan_build, write_build
from autograder.values.as_json import dump_value, load_value
from autograder.values.values import STORAGE, Array, DictValue, ListValue, Other, Value
from autograder.values.wire import encode
from tests.toy import write_toy

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy's release; tests that damage it take a copy."""
    folder = tmp_path_factory.mktemp("release")
    solutions = write_toy(folder)
    write_build(plan_build(solutions, folder, "toy"))
    return folder / "toy"


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
    """All questions, each value as its bits."""
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


@pytest.mark.parametrize("name", source_names(ROOT / "solutions"))
def test_a_release_holds_bitwise_the_questions_that_were_drawn(tmp_path: Path, name: str) -> None:
    drawn = draw_exam(load_source(ROOT / "solutions" / name), PUBLIC)
    probes = drawn.assignment.probes
    (tmp_path / f"test_{name}.py").write_bytes(probes)
    (tmp_path / "expected.json").write_bytes(dump_expected(drawn, {"probes": probes}))
    loaded = load_release(tmp_path)
    assert plain(loaded) == plain(drawn)
    assert loaded.mistakes == drawn.mistakes
    assert loaded.public
    assert dump_expected(loaded, {"probes": probes}) == dump_expected(drawn, {"probes": probes})


def test_a_released_assignment_has_the_checks_and_the_stubs(built: Path) -> None:
    assignment = load_release(built).assignment
    assert [(check.name, check.points) for check in assignment.checks] == [
        ("double", 1),
        ("shift", 2),
    ]
    assert [cell.id for cell in assignment.cells] == ["given-1", "double", "shift"]
    assert assignment.probes == (built / "test_toy.py").read_bytes()


def test_releases_are_listed_by_name(built: Path, tmp_path: Path) -> None:
    (built.parent / "empty").mkdir(exist_ok=True)
    assert released_names(built.parent) == ["toy"]
    assert not is_release(built.parent)
    with pytest.raises(UsageError, match="Say with --assignments"):
        released_names(tmp_path / "nowhere")


DTYPES = [name for name in STORAGE if not name.startswith("complex")]


@settings(deadline=None)
@given(
    st.sampled_from(DTYPES).flatmap(
        lambda dtype: st.builds(
            Array,
            st.sampled_from(["tensor", "parameter", "ndarray", "any"]),
            st.just(dtype),
            arrays.arrays(STORAGE[dtype], arrays.array_shapes(min_dims=0, max_dims=3, min_side=0)),
            st.booleans(),
        )
    )
)
def test_an_array_keeps_its_bits(array: Array) -> None:
    loaded = load_value(json.loads(json.dumps(dump_value(array), allow_nan=False)))
    assert isinstance(loaded, Array)
    assert (loaded.kind, loaded.dtype, loaded.requires_grad) == (
        array.kind,
        array.dtype,
        array.requires_grad,
    )
    assert loaded.data.dtype == array.data.dtype
    assert loaded.data.shape == array.data.shape
    isnan = (
        np.isnan(array.data) if array.data.dtype.kind == "f" else np.zeros(array.data.shape, bool)
    )
    assert np.array_equal(isnan, np.isnan(loaded.data) if isnan.any() else isnan)
    assert loaded.data[~isnan].tobytes() == array.data[~isnan].tobytes()


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        2**62,
        -0.0,
        1e-320,
        math.inf,
        -math.inf,
        "Zoë \U0001f600",
        Other("Linear"),
        ListValue("list", (1, ListValue("different", ("a", 2.5)))),
        DictValue(((0, "Your"), ("journey", ListValue("tuple", ())))),
        DictValue((("array", 1), ("sequence", 2), ("float", 3), ("other", 4))),
    ],
)
def test_a_value_keeps_its_bits(value: Value) -> None:
    text = json.dumps(dump_value(value), allow_nan=False)
    assert encode(load_value(json.loads(text))) == encode(value)


def test_nan_stays_nan() -> None:
    loaded = load_value(dump_value(math.nan))
    assert isinstance(loaded, float)
    assert math.isnan(loaded)


@pytest.mark.parametrize(
    "value", [b"bytes", Array("ndarray", "complex64", np.zeros(2, np.complex64))]
)
def test_what_has_no_form_in_json_is_an_error_of_the_assignment(value: Value) -> None:
    with pytest.raises(AssignmentError, match=r"has no form in expected\.json"):
        dump_value(value)


def test_last_digits_are_no_difference_but_all_else_is() -> None:
    one = b'{"format": 1, "numbers": [0.1, 2.0], "none": null}'
    assert same_expected(one, b'{"format": 1, "numbers": [0.1000001, 2.000001], "none": null}')
    for other in (
        b'{"format": 1, "numbers": [0.11, 2.0], "none": null}',
        b'{"format": 2, "numbers": [0.1, 2.0], "none": null}',
        b'{"format": 1, "numbers": [0.1], "none": null}',
        b'{"format": 1, "numbers": [0.1, 2], "none": null}',
        b'{"numbers": [0.1, 2.0], "format": 1, "none": null}',
        b'{"format": 1, "numbers": [0.1, 2.0]}',
        b"{",
    ):
        assert not same_expected(one, other)


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


@pytest.mark.parametrize("length", [0, 1, 40, 400, -40, -3])
def test_a_file_that_broke_off_is_named_with_what_to_do(release: Path, length: int) -> None:
    file = release / "expected.json"
    file.write_bytes(file.read_bytes()[:length])
    assert complaint(release).startswith(f"{release}: the release is damaged (JSONDecodeError(")
    assert complaint(release).endswith("); get it again.")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[]", b"7", b"null", b"{}", b"[" * 100_000])
def test_another_file_of_that_name_is_named_with_what_to_do(release: Path, content: bytes) -> None:
    (release / "expected.json").write_bytes(content)
    assert "is damaged" in complaint(release)


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
    assert [check.name for check in exam.assignment.checks] == ["double", "shift"]
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


@pytest.mark.parametrize("name", ["../toy", "/etc/passwd", "", 3])
def test_a_release_names_no_other_folder(release: Path, name: object) -> None:
    damage(release, "assignment", value=name)
    assert "is damaged" in complaint(release)


def test_another_format_is_another_version(release: Path) -> None:
    damage(release, "format", value=1)
    assert "was made by another version of the kit" in complaint(release)


@pytest.mark.parametrize(
    ("path", "value"),
    [
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
        (("questions", 0, "answers", 0, "right", 0, "value"), ...),
        (("mistakes",), []),
        (("mistakes",), {}),
        (("mistakes", "unchanged"), ["one"]),
        (("cells", 0, "source"), ...),
        (("cells",), 5),
    ],
    ids=str,
)
def test_any_damage_is_named_with_what_to_do(
    release: Path, path: tuple[str | int, ...], value: Any
) -> None:
    if path == ("questions", 0) and value is ...:
        damage(release, *path, value=...)  # each criterion has two drawn questions
    damage(release, *path, value=value)
    assert "is damaged" in complaint(release)
