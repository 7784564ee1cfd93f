"""Plots: the same bytes for the same data, safe on a page, and told in words."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from autograder.reports.pages.plots import score_plot, step_plot
from autograder.reports.pages.statistics import Scores, scores_of, step_statistics
from tests.reports.pages.classroom import NOT_STARTED, RAISED, TRANSPOSED, check, result

RESULTS = [
    result("a"),
    result("b", check("weights", 0.5, TRANSPOSED)),
    result("c", check("weights", 0, RAISED)),
    result("d", check("weights", 0, NOT_STARTED)),
]
SCORES = scores_of(RESULTS)
STEPS = step_statistics(RESULTS)


def bars(svg: str, name: str) -> list[list[float]]:
    """The left and right ends, and the tops and bottoms, of the bars of a class."""
    root = ET.fromstring(svg)
    found = []
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        if group.get("class") == name:
            numbers = [float(one) for one in re.findall(r"-?[\d.]+", group[0].get("d", ""))]
            found.append(
                [min(numbers[::2]), max(numbers[::2]), min(numbers[1::2]), max(numbers[1::2])]
            )
    return found


def test_equal_data_give_equal_bytes() -> None:
    assert score_plot(SCORES, "words") == score_plot(SCORES, "words")
    assert step_plot(STEPS, "words") == step_plot(STEPS, "words")


def test_a_plot_has_words_no_style_and_no_date() -> None:
    for svg in (score_plot(SCORES, 'words "of it"'), step_plot(STEPS, 'words "of it"')):
        root = ET.fromstring(svg)
        assert root.get("role") == "img"
        assert root.get("aria-label") == 'words "of it"'
        assert not [
            one
            for one in root.iter()
            if one.tag.endswith(("style", "metadata")) or "style" in one.attrib
        ]
        assert "matplotlib" not in svg.lower()


def test_names_of_two_plots_differ_and_lead_somewhere() -> None:
    names: list[str] = []
    for svg in (score_plot(SCORES, ""), step_plot(STEPS, "")):
        own = [one.get("id", "") for one in ET.fromstring(svg).iter() if one.get("id")]
        names += own
        assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg)) <= set(own)
    assert len(names) == len(set(names))


def test_each_score_has_a_bar_of_its_height() -> None:
    heights = [bottom - top for *_, top, bottom in bars(score_plot(SCORES, ""), "scores")]
    assert [round(3 * height / max(heights)) for height in heights] == [0, 0, 0, 0, 0, 0, 3, 0, 1]


def test_the_parts_of_a_step_are_its_shares() -> None:
    svg = step_plot(STEPS, "")
    widths = {
        name: [right - left for left, right, *_ in bars(svg, name)]
        for name in ("right", "partly", "wrong", "open")
    }
    whole = widths["right"][0]
    assert widths["right"][0] == widths["right"][2] > 0
    for parts in widths.values():
        assert abs(parts[1] / whole - 0.25) < 0.01


def test_a_score_beyond_the_maximum_has_a_place() -> None:
    plotted = bars(score_plot(Scores((8.0, 9.5), 8.0), ""), "scores")
    assert sum(bottom - top > 1 for *_, top, bottom in plotted) == 1
