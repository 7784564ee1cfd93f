"""Say which statements of a file were left out because they did not end, and which steps need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.syntax import names_made, names_read
from autograder.explain.wording import capital, line_words, places
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, WhySkipped
from autograder.sandbox.limits import PRINTS_TOO_MUCH, crash_words
from autograder.sandbox.usage import SLEEPING_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.explain.student_code import StudentCode
    from autograder.results import Frame, LoadReport, Skipped

_WORDS = {
    WhySkipped.ENDLESS: "did not end within {seconds} of computing time",
    WhySkipped.FILE_TOO_SLOW: "did not end within the {seconds} of computing time that a file has",
    WhySkipped.SLEEPS: f"waited for {SLEEPING_SECONDS:g} seconds and computed nothing",
    WhySkipped.EXITED: "ended the Python process",
    WhySkipped.CRASHED: "crashed the Python process",
    WhySkipped.PRINTED: f"printed more than {PRINTS_TOO_MUCH // 2**20} MB",
    WhySkipped.AFTER_OTHERS: "did not run because of earlier lines",
}
_REMEDY = (
    'Delete what you do not need. What stands below `if __name__ == "__main__":` does not run here.'
)
_DEFINE = "Define `{}` in lines that do nothing else."
_REMEDIES = {
    WhySkipped.EXITED: "Make `{}` in lines that do not end Python, or inside the step.",
    WhySkipped.CRASHED: "Make `{}` in lines that do not crash Python, or inside the step.",
    WhySkipped.AFTER_OTHERS: "Delete the earlier lines that were left out.",
}
_MAKE = "Make `{}` in lines that end soon, or inside the step."


def explain_skipped(skipped: Sequence[Skipped]) -> list[Feedback]:
    """Return one text about all statements that were left out; none if there are none."""
    by_words: dict[str, list[Frame]] = {}
    for one in skipped:
        by_words.setdefault(_what(one), []).append(one.frame)
    if not by_words:
        return []
    parts = "; ".join(f"{places(frames)} {words}" for words, frames in by_words.items())
    many = len(skipped) > 1
    words = (
        f"{capital(parts)}. Your steps were checked "
        f"without {'them' if many else 'it'}. That costs points only where a step needs what "
        f"{'they make' if many else 'it makes'}."
    )
    return [
        Feedback(
            Outcome.TIMED_OUT,
            seen=words,
            message=_REMEDY,
            lines=(skipped[0].frame,),
            reasons=(Reason.LEFT_OUT,),
        )
    ]


def _what(skipped: Skipped) -> str:
    seconds = f"{skipped.seconds:g} second{'s' * (skipped.seconds != 1)}"
    words = _WORDS[skipped.why].format(seconds=seconds)
    if skipped.why is WhySkipped.CRASHED and skipped.exit_code is not None:
        return f"{words} ({crash_words(skipped.exit_code)})"
    return words


def explain_need(
    step: str, outcome: Outcome, loaded: LoadReport | None, code: StudentCode
) -> Feedback | None:
    """Explain a failed step that needs what a left out statement makes; None if it needs nothing of that."""
    skipped = loaded.skipped if loaded else ()
    definition = code.definition(step) if skipped else None
    if definition is None or outcome is Outcome.MISSING:
        needed = {step}
    else:
        parts = list(code.called_by(definition))
        needed = {
            name for part in parts for name in names_read(part.node).keys() - names_made(part.node)
        }
    for one in skipped:
        makes = [
            name
            for name in one.makes
            if name in needed and (name in one.defines or name in code.variables)
        ]
        if makes:
            place = line_words(one.frame.file, one.frame.line)
            words, remedy = f"`{step}` needs `{makes[0]}`", _REMEDIES.get(one.why, _MAKE)
            if makes[0] == step:
                words = f"`{step}` is not defined"
                remedy = remedy if one.why is WhySkipped.AFTER_OTHERS else _DEFINE
            return Feedback(
                outcome,
                seen=f"{words}, and {place}, which makes it, {_what(one)} and was left out.",
                message=remedy.format(makes[0]),
                lines=(one.frame,),
                reasons=(Reason.FROM_THE_FILE,),
            )
    return None
