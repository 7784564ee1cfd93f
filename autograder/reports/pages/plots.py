"""The plots of a report, as SVG that takes its colours from the page. Equal data give equal bytes."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from autograder.reports.pages.html import lacking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from autograder.reports.pages.statistics import Scores, StepStatistics

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text: small, and readable by search and screen reader
    "svg.hashsalt": "report",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "path.simplify": False,
}
# Groups that have these names become elements of this class, which the page's style colours.
_CLASSES = ("scores", "mean", "right", "partly", "wrong", "open", "grid", "axis")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FONT_SIZE = re.compile(r"([\d.]+)px")
_MOST_BINS = 25
_INCHES_A_STEP = 0.34


def score_plot(scores: Scores, words: str) -> Markup:
    """Return the distribution of the scores.

    Args:
        scores: the scores of the class.
        words: the same in words, for those who cannot see the plot.
    """
    figure, axes = _figure(10, 3.2)
    top = max(scores.max_score, 1.0)
    bins = min(_MOST_BINS, max(1, round(top)))
    width = top / bins
    counts = [0] * (bins + 1)
    for score in scores.every:
        counts[min(int(score / width), bins)] += 1
    # A bar stands for the scores from its number up to, but not including, the next one.
    bars = axes.bar([number * width for number in range(bins + 1)], counts, 0.86 * width)
    for bar in bars:
        bar.set_gid("scores")
    if scores.every:
        axes.axvline(scores.mean, linewidth=1.5, linestyle=(0, (4, 3))).set_gid("mean")
        place = "right" if scores.mean > top / 2 else "left"
        away = -width / 3 if place == "right" else width / 3
        axes.text(scores.mean + away, max(counts), f"mean {scores.mean:.3g}", ha=place, va="bottom")
    axes.set_xlim(-width, top + width)
    axes.set_ylim(0, max(1, *counts) * 1.12)
    axes.set_xlabel("points")
    axes.set_ylabel("students")
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True)
    return _svg(figure, "scores", words)


def step_plot(steps: Sequence[StepStatistics], words: str) -> Markup:
    """Return for each step the shares of those with all, some and none of its points."""
    figure, axes = _figure(10, 0.9 + _INCHES_A_STEP * len(steps))
    names = [step.step for step in steps]
    left = [0.0] * len(steps)
    for name, counted in (
        ("right", [step.full for step in steps]),
        ("partly", [step.partial for step in steps]),
        ("wrong", [step.none for step in steps]),
        ("open", [step.not_started for step in steps]),
    ):
        shares = [
            100 * number / step.count if step.count else 0.0
            for number, step in zip(counted, steps, strict=True)
        ]
        places = range(len(names))
        for bar in axes.barh(places, shares, 0.72, left=left):
            bar.set_gid(name)
        left = [before + share for before, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the students")
    return _svg(figure, "steps", words)


def _figure(width: float, height: float) -> tuple[Any, Any]:
    try:
        import matplotlib as mpl  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise lacking(error, "report.html") from None
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.add_subplot()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_gid("axis")
    axes.spines["left"].set_visible(False)
    return figure, axes


def _svg(figure: Any, name: str, words: str) -> Markup:
    import matplotlib as mpl  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    text = io.StringIO()
    with mpl.rc_context(_SETTINGS):
        figure.savefig(
            text,
            format="svg",
            transparent=True,
            metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
        )
    ET.register_namespace("", _SVG)
    root = ET.fromstring(text.getvalue())
    # The page's rules allow no other style, and SVG's metadata name the version of the library.
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    _for_a_page(root, name)
    root.attrib |= {"role": "img", "aria-label": words}
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    return Markup(ET.tostring(root, encoding="unicode"))


def _for_a_page(root: ET.Element, name: str) -> None:
    """Make names unique on the page, and turn styles into attributes, which the page's rules allow."""
    used = {reference for element in root.iter() for reference in _references(element)}
    for element in root.iter():
        identity = element.attrib.pop("id", "")
        if identity in used:
            element.set("id", f"{name}-{identity}")
        elif identity in _CLASSES:
            element.set("class", identity)
        for key, value in _attributes(element.attrib.pop("style", "")):
            element.set(key, value)
        for key, value in element.attrib.items():
            if key == _LINK:
                element.set(key, f"#{name}-{value.removeprefix('#')}")
            elif "url(#" in value:
                element.set(key, _REFERENCE.sub(rf"url(#{name}-\1)", value))
    for element in root.iter():
        if _LINK in element.attrib:
            element.set("href", element.attrib.pop(_LINK))


def _references(element: ET.Element) -> list[str]:
    names = [element.attrib[_LINK].removeprefix("#")] if _LINK in element.attrib else []
    return names + [name for value in element.attrib.values() for name in _REFERENCE.findall(value)]


def _attributes(style: str) -> list[tuple[str, str]]:
    """Return the declarations of a style as SVG attributes. Of a font only its size is kept."""
    attributes = []
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font":
            size = _FONT_SIZE.search(value)
            attributes += [("font-size", size[1])] if size else []
        elif name and not name.startswith("-"):
            attributes.append((name, value))
    return attributes
