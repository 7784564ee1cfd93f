"""JUnit XML (the xunit2 form that pytest writes): one suite for each submission, one case for each check.

Points, mistakes and remarks are properties. A check without full points is a failure; a check that the
grader could not judge is an error.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import TYPE_CHECKING

from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import about_whole, headline, name_of, words
from autograder.reports.step_state import OUTCOMES
from autograder.results import Status, points_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.reports.formats.format import Export
    from autograder.results import CheckResult, Result

# XML 1.0 has no way to write the other characters.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(export: Export) -> Rendered:
    """Write all results as one JUnit document."""
    root = ET.Element("testsuites", name="self-attention-kit")
    root.extend(map(_suite, export.results))
    ET.indent(root)
    document = ET.tostring(root, encoding="unicode")
    return Rendered(f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'.encode())


def _suite(result: Result) -> ET.Element:
    kinds = Counter(map(_kind, result.checks))
    suite = ET.Element(
        "testsuite",
        name=_text(name_of(result)),
        tests=str(len(result.checks)),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"]),
        skipped=str(kinds["skipped"]),
        time=f"{result.execution_time:.3f}",
    )
    _add_properties(
        suite,
        [
            ("assignment", result.assignment),
            ("status", result.status.value),
            ("score", "" if result.status is Status.UNGRADED else str(points_number(result.score))),
            ("max_score", str(points_number(result.max_score))),
            ("public", str(result.public).lower()),
        ],
    )
    suite.extend(_case(result, check) for check in result.checks)
    if text := about_whole(result):
        ET.SubElement(suite, "system-out").text = _text(text)
    return suite


def _case(result: Result, check: CheckResult) -> ET.Element:
    case = ET.Element(
        "testcase", classname=_text(result.assignment), name=_text(check.step), time="0.000"
    )
    _add_properties(
        case,
        [
            ("score", str(points_number(check.score))),
            ("max_score", str(points_number(check.max_score))),
            ("outcome", check.outcome.value),
            *(("mistake", name) for name in check.mistakes),
            *(("remark", name) for name in check.remarks),
            *([("carried_forward", check.carried_forward)] if check.carried_forward else []),
        ],
    )
    if kind := _kind(check):
        fault = ET.SubElement(case, kind, message=_text(headline(check)), type=check.outcome.words)
        fault.text = _text(words(check))
    return case


def _kind(check: CheckResult) -> str:
    """Return what JUnit calls a step without all its points; empty if it has them. A step to come is no failure."""
    return "" if check.is_full else OUTCOMES[check.outcome].junit


def _add_properties(parent: ET.Element, pairs: Iterable[tuple[str, str]]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in pairs:
        ET.SubElement(properties, "property", name=name, value=_text(value))


def _text(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
