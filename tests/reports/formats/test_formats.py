"""Every format: what is written parses back to the same points, whatever a student wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from junitparser import JUnitXml, Properties
from markdown_it import MarkdownIt

from autograder.errors import UsageError
from autograder.reports import formats as every
from autograder.reports.class_record import ClassRecord, Member
from autograder.reports.formats.format import Export, Rendered
from autograder.reports.formats.markdown import COMMENT_LIMIT, SUMMARY_LIMIT
from autograder.reports.formats.words import public_words
from autograder.reports.graded_class import GradedClass
from autograder.results import CheckResult, Feedback, Outcome, Result, Status, TracedLine
from autograder.submission.directory import NOBODY
from tests.golden_files import assert_golden
from tests.reports.formats.examples import CHECKS, HOSTILE, NOT_STARTED, UNGRADED, hostile, result
from tests.reports.pages.classroom import Page

pytestmark = pytest.mark.unit

FORMATS = {name: one for name, one in every.FORMATS.items() if one.file}
MEMBERS = {"amara-o": Member("amara-o", NOBODY, "self_attention/self_attention.py", "")}
ENVIRONMENT = {
    "CLASSROOM": "cs",
    "ASSIGNMENT": "attention",
    "SUBMISSION_TAG": "submit/1",
    "COMMIT_URL": "https://example.org/commit/1",
    "RELEASE_URL": "https://example.org/release/1",
    "OWNER": "amara",
}
NOW = "2026-06-01T14:32:01Z"


def render(name: str, *found: Result) -> Rendered:
    class_ = GradedClass(Path(), found, ClassRecord("toy", "r", MEMBERS))
    return FORMATS[name].render(Export(class_, environment=ENVIRONMENT, now=NOW))


def dump(name: str, *found: Result) -> str:
    return render(name, *found).data.decode("utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_a_result_in_each_format_always_with_the_same_bytes(name: str) -> None:
    assert_golden(f"format-{name}", dump(name, result()))
    assert dump(name, result()) == dump(name, result())


@pytest.mark.parametrize("count", [0, 2])
def test_a_format_for_one_submission_takes_exactly_one(count: int) -> None:
    with pytest.raises(UsageError, match=f"holds one submission, and there are {count}"):
        dump("classroom50", *[result()] * count)


def junit(text: str) -> JUnitXml:
    return JUnitXml.fromstring(text.encode())


def _junit(text: str) -> tuple[float, float]:
    (suite,) = junit(text)
    found = [{p.name: p.value for p in case.child(Properties)} for case in suite]
    return sum(float(one["score"]) for one in found), sum(float(one["max_score"]) for one in found)


def _tests(text: str, score: str, most: str, scale: float = 1.0) -> tuple[float, float]:
    tests = json.loads(text)["tests"]
    return sum(one[score] for one in tests) / scale, sum(one[most] for one in tests) / scale


def _table(text: str) -> tuple[float, float]:
    found = re.findall(r"<td>step_\d+</td><td>([\d.]+) of ([\d.]+)</td>", text)
    return sum(float(one) for one, _ in found), sum(float(most) for _, most in found)


READERS = {
    "junit": _junit,
    "classroom50": lambda text: _tests(text, "score", "max-score", 1000),
    "markdown": _table,
}


@pytest.mark.parametrize("name", READERS)
def test_what_is_written_has_the_points(name: str) -> None:
    parts = (0, 1 / 8, 1 / 3, 0.5, 1.25, 2)
    one = result(
        *(CheckResult(f"step_{n}", part, 2.0, Outcome.WRONG) for n, part in enumerate(parts))
    )
    text = dump(name, one)
    score, most = READERS[name](text)
    assert score == pytest.approx(one.score, abs=1e-2)
    assert most == one.max_score
    if name == "classroom50":
        content = json.loads(text)
        for total in ("score", "max-score"):
            assert content[total] == sum(test[total] for test in content["tests"])


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_texts_are_written_as_utf8_in_the_right_form(name: str) -> None:
    for text in HOSTILE:
        written = dump(name, hostile(text))
        if name in {"classroom50", "gitlab"}:
            json.loads(written)
        assert not set(written) & {"\x00", "\x07", "\x1b", "\u202e", "\u2028"}, text


# --- what each platform would do with it ---------------------------------------------------------------------------


def test_junit_has_one_case_for_each_check() -> None:
    for text in HOSTILE:
        (suite,) = junit(dump("junit", hostile(text)))
        assert [case.name for case in suite] == ["init_weights", "scale_scores"], text
        counted = suite.tests, suite.failures, suite.errors, suite.skipped
        assert counted == (2, 1, 0, 0), text


def test_junit_tells_not_started_from_a_failure_of_the_grader() -> None:
    (suite,) = junit(dump("junit", result(NOT_STARTED)))
    assert (suite.failures, suite.errors, suite.skipped) == (0, 0, 1)
    ungraded = result(CHECKS[0], UNGRADED, status=Status.UNGRADED)
    (suite,) = junit(dump("junit", ungraded))
    assert (suite.failures, suite.errors) == (0, 1)
    assert {p.name: p.value for p in suite.properties()}["score"] == ""
    with pytest.raises(UsageError, match="amara-o is ungraded: the grader failed"):
        dump("classroom50", ungraded)


@pytest.mark.parametrize("text", HOSTILE)
def test_annotations_are_the_kits_own_commands_only(text: str) -> None:
    lines = dump("github", hostile(text)).splitlines()
    assert [line.split(" ", 1)[0] for line in lines] == ["::notice", "::error"]
    for line in lines:
        command, message = line.removeprefix("::").split("::", 1)
        assert not re.search("[\r\n]", message)
        assert set(re.findall(r"(?:^| |,)(\w+)=", command)) <= {"title", "file", "line"}
        assert not re.search(r"##(\[|vso\[|teamcity\[)", line)
        assert not re.search(r"::[a-z]", message, re.IGNORECASE)


def test_an_annotation_stands_at_the_first_value_that_is_not_right() -> None:
    file = "self_attention.py"
    traced = (
        TracedLine(file, 70, "project", "queries = x @ W_query", mark="right"),
        TracedLine(file, 71, "project", "keys = x @ W_value", mark="first"),
        TracedLine(file, 72, "project", "return queries, keys"),
    )
    wrong = CheckResult("project", 0, 1, Outcome.WRONG, Feedback(Outcome.WRONG, traced=traced))
    [_, error] = dump("github", result(wrong)).splitlines()
    assert "file=self_attention/self_attention.py,line=71::" in error
    [entry] = json.loads(dump("gitlab", result(wrong)))
    assert entry["location"]["lines"] == {"begin": 71}


def test_a_template_without_work_says_so() -> None:
    [notice] = dump("github", result(NOT_STARTED)).splitlines()
    assert "nothing handed in yet, 0 of" in notice


def test_a_files_name_brings_no_control_characters() -> None:
    member = Member("amara-o", NOBODY, "self\x1b[31m\udcff/self_attention.py", "")
    class_ = GradedClass(Path(), (result(),), ClassRecord("toy", "r", {"amara-o": member}))
    for name in ("github", "gitlab"):
        written = FORMATS[name].render(Export(class_, environment=ENVIRONMENT, now=NOW)).data
        assert "self_attention.py" in written.decode()
        assert b"\x1b" not in written


def rendered(text: str) -> Page:
    """Render the Markdown as GitHub does: raw HTML stays, links are found in text."""
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return Page(page.encode())


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_of_a_student_stays_text(text: str) -> None:
    page = rendered(dump("markdown", hostile(text)))
    plain = {"h3", "p", "table", "tr", "th", "td", "br"}
    folded = {"details", "summary", "code", "pre"}
    assert {tag for tag, _ in page.tags} <= plain | folded
    assert {name for _, found in page.tags for name in found} <= {"style"}
    assert (len(page.all("tr")), len(page.all("details"))) == (3, 2)
    assert not re.search(
        r"(?<![&/])[@#]\w", re.sub("<!-- -->", "\0", dump("markdown", hostile(text)))
    )


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "limit", "students"),
    [("markdown", COMMENT_LIMIT, 400), ("github", SUMMARY_LIMIT, 4000)],
)
def test_a_whole_class_stays_below_the_limit_and_says_what_is_left_out(
    name: str, limit: int, students: int
) -> None:
    rendered = render(name, *(result(student=f"student {n}") for n in range(students)))
    text = rendered.added or rendered.data
    assert limit / 2 < len(text) <= limit
    assert re.search(r"\n\d+ more submissions are not shown", text.decode())


@pytest.mark.parametrize("name", ["markdown", "github", "junit"])
def test_public_checks_are_called_public(name: str) -> None:
    assert "These are the public checks." in dump(name, result(public=True))
    assert public_words(result(public=True)) not in dump(name, result(public=False))
