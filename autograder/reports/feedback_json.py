"""Convert feedback to plain JSON and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.reasons import Reason
from autograder.results import Feedback, Frame, Numbers, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def dump_feedback(feedback: Feedback | None) -> dict[str, Any] | None:
    """Return the fields of the feedback by name, without the empty ones."""
    if feedback is None:
        return None
    parts = asdict(feedback) | {"also": [dump_feedback(further) for further in feedback.also]}
    return {name: part for name, part in parts.items() if part}


def load_feedback(content: Any) -> Feedback | None:
    """Load the output of `dump_feedback`. Raises KeyError, ValueError or TypeError for anything else."""
    if content is None:
        return None
    parts = _dict(content)
    return Feedback(
        Outcome(parts["outcome"]),
        **{name: _text(parts.get(name, "")) for name in _TEXTS},
        called_with=_items(parts.get("called_with", []), _pair),
        lines=_items(parts.get("lines", []), _frame),
        numbers=_numbers(parts["numbers"]) if "numbers" in parts else None,
        on_documents=_numbers(parts["on_documents"]) if "on_documents" in parts else None,
        repeats=_repeats(parts["repeats"]) if "repeats" in parts else None,
        also=_items(parts.get("also", []), _one_more),
        remarks=_items(parts.get("remarks", []), _text),
        mistakes=_items(parts.get("mistakes", []), _text),
        sure=bool(parts.get("sure", False)),
        reasons=_items(parts.get("reasons", []), Reason),
    )


_TEXTS = ("message", "hint", "seen", "expected", "other_step")


def _one_more(content: Any) -> Feedback:
    """Load the feedback of a further criterion, which has no further criteria itself."""
    feedback = load_feedback({**_dict(content), "also": []})
    assert feedback is not None
    return feedback


def _pair(content: Any) -> tuple[str, str]:
    name, words = _items(content, _text)
    return name, words


def _frame(content: Any) -> Frame:
    parts = _dict(content)
    file, function, text = (_text(parts[name]) for name in ("file", "function", "text"))
    return Frame(file, int(parts["line"]), function, text)


def _numbers(content: Any) -> Numbers:
    parts = _dict(content)
    return Numbers(
        _text(parts["description"]),
        _items(parts["rows"], lambda row: _items(row, _cell)),
        int(parts["decimals"]),
        more_rows=bool(parts["more_rows"]),
        more_columns=bool(parts["more_columns"]),
        part=_text(parts.get("part", "")),
        axes=_items(parts.get("axes", []), _text),
        row_sums=_items(parts.get("row_sums", []), _cell),
        column_sums=_items(parts.get("column_sums", []), _cell),
        words=_items(parts.get("words", []), _text),
    )


def _repeats(content: Any) -> Repeats:
    parts = _dict(content)
    called = _items(parts.get("called", []), Outcome)
    return Repeats(_items(parts["steps"], _text), float(parts["cost"]), called)


def _cell(content: Any) -> float | str:
    if not isinstance(content, int | float | str):
        raise TypeError(content)
    return content


def _dict(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise TypeError(content)
    return content


def _items(content: Any, read: Callable[[Any], T]) -> tuple[T, ...]:
    if not isinstance(content, list | tuple):
        raise TypeError(content)
    return tuple(map(read, content))


def _text(content: Any) -> str:
    if not isinstance(content, str):
        raise TypeError(content)
    return content
