"""The figures of a class by hand, and their plots: safe on a page, and told in words."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from autograder.reports.pages.figures import (
    Scores,
    StepStatistics,
    scores_of,
    step_statistics,
    ticks,
)
from autograder.reports.pages.html import environment
from autograder.reports.step_state import state_of
from autograder.results import Outcome, Override
from tests.reports.pages.classroom import NOT_STARTED, RAISED, TRANSPOSED, check, result

pytestmark = pytest.mark.unit


def test_a_step_counts_all_some_none_and_not_started() -> None:
    results = [
        result("a"),
        result("b", check("weights", 0.5, TRANSPOSED)),
        result("c", check("weights", 0, RAISED)),
        result("d", check("weights", 0, NOT_STARTED)),
        result("e", check("weights", 0, NOT_STARTED, outcome=Outcome.MISSING)),
    ]
    found = step_statistics(results)[1]
    assert (found.step, found.max_score) == ("weights", 2)
    assert (found.full, found.partial, found.none, found.not_started) == (1, 1, 1, 2)
    assert found.count == 5
    assert found.pass_rate == 0.2
    assert found.mean == pytest.approx(0.5)
    assert found.difficulty == pytest.approx(0.25)
    assert found.outcomes[Outcome.RAISED] == 1


def test_a_bonus_is_right_and_a_person_decides_what_could_not_be_graded() -> None:
    """More than all points are all of them, and not an easier step."""
    by_hand = Override("a", "weights", 5, "", "")
    bonus = check("weights", 5, RAISED, override=by_hand, earned=0.0)
    ungraded = check("weights", 0, outcome=Outcome.UNGRADED, override=by_hand, earned=0.0)
    checks = [bonus, *(replace(ungraded, score=points) for points in (2, 1, 0))]
    assert [state_of(one).name for one in checks] == ["right", "right", "partly", "wrong"]
    found = step_statistics([result(one.outcome, one) for one in checks])[1]
    assert (found.full, found.partial, found.none, found.not_started) == (2, 1, 1, 0)
    assert found.difficulty == pytest.approx(2.5 / 4)
    assert scores_of([result("a", bonus), result("b")]).full == 2


def test_scores_are_summed_up() -> None:
    found = scores_of([result("a"), result("b", check("context", 0, RAISED))])
    assert (found.mean, found.median, found.spread, found.full) == (6, 6, 2, 1)


RESULTS = [
    result("a"),
    result("b", check("weights", 0.5, TRANSPOSED)),
    result("c", check("weights", 0, RAISED)),
    result("d", check("weights", 0, NOT_STARTED)),
]
SCORES = scores_of(RESULTS)
STEPS = step_statistics(RESULTS)


def bars(svg: str, name: str) -> list[tuple[float, float]]:
    return [
        (float(one.get("width", "").removesuffix("%")), float(one.get("height", "")))
        for one in ET.fromstring(svg).iter("rect")
        if one.get("class") == name
    ]


def plot(name: str, figures: Scores | list[StepStatistics]) -> str:
    plots = environment().get_template("plots.jinja").make_module({"ticks": ticks})
    return str(getattr(plots, name)(figures))


@pytest.mark.parametrize(
    ("name", "figures", "words"),
    [
        ("scores", SCORES, "Distribution of the scores of 4 students: from 6 to 8 of 8 points"),
        ("steps", STEPS, "Share of the students with all points of a step: scores 100%, weights"),
    ],
)
def test_a_plot_has_words_and_no_style(
    name: str, figures: Scores | list[StepStatistics], words: str
) -> None:
    svg = plot(name, figures)
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label", "").startswith(words)
    assert "style" not in svg


@pytest.mark.parametrize(
    ("top", "numbers", "width"),
    [(1, [0, 1], 1), (1.12, [0, 1], 1), (25, [*range(0, 26, 5)], 1), (26, [*range(0, 26, 5)], 2)],
)
def test_an_axis_has_few_whole_numbers_and_few_bars(
    top: float, numbers: list[int], width: int
) -> None:
    assert list(ticks(top)) == numbers
    assert Scores((1.0, top), top).bin_width == width


def test_each_score_has_a_bar_of_its_height() -> None:
    heights = [height for _, height in bars(plot("scores", SCORES), "scores")]
    assert [round(3 * height / max(heights)) for height in heights] == [0, 0, 0, 0, 0, 0, 3, 0, 1]


def test_the_parts_of_a_step_are_its_shares() -> None:
    svg = plot("steps", STEPS)
    (whole, _), (quarter, _), (same, _) = bars(svg, "right")
    assert whole == same > 0
    for width in (quarter, *(bars(svg, name)[0][0] for name in ("partly", "wrong", "open"))):
        assert abs(width / whole - 0.25) < 0.01
