"""Why it is not right, in words that help: what was seen, what it means, where to look.

An answer that equals that of a known mistake bears its name. Otherwise its properties speak: its type, its
shape, the sums of its rows, whether it is the transpose of what is right or one of the inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.explain.exceptions import read_error, read_unsuitable
from autograder.explain.properties import Evidence, property_of
from autograder.explain.recognise import Named, effect
from autograder.explain.wording import (
    called_with,
    error_place,
    error_words,
    fault,
    join,
    numbers,
    part_of_answer,
    sentence,
)
from autograder.results import Outcome, StudentError

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.exam.questions import Exam, Question
    from autograder.explain.exceptions import Reading
    from autograder.results import Loaded, Observation

SHOWN_ALTERNATIVES = 2

_REMARKS = {
    "dtype": "The numbers are right; their dtype is not the one of the inputs.",
    "cut_graph": "The result is right, but no gradient flows back through it (.item(), .detach(), .data and "
    "NumPy cut the graph); in a model this step could not learn.",
    "changed_input": "The result is right, but your code changed its input in place: what the caller passed "
    "is different now.",
}


@dataclass(frozen=True)
class Explanation:
    """The words for one aspect, and which known mistakes they name; `brief` is for where there is little room."""

    text: str
    mistakes: tuple[str, ...] = ()
    sure: bool = False
    brief: str = ""


def remark_text(exam: Exam, name: str) -> str:
    """The words of a remark: the assignment's own, or those for any step."""
    return exam.remarks.get(name) or _REMARKS[name]


def explain_wrong(
    exam: Exam,
    check: Check,
    question: Question,
    difference: Difference,
    found: Named,
    evidence: Evidence,
    repeats: tuple[str, ...] = (),
) -> Explanation:
    """The words for an answer that came back and is not right.

    Args:
        exam: whose words for known mistakes these are.
        check: the step's.
        question: what was asked.
        difference: what is wrong first.
        found: the known mistakes that the answer looks like.
        evidence: what was seen of the step, for an answer that looks like none.
        repeats: the earlier steps whose mistakes it repeats.
    """
    meaning, look = _meaning(exam, found, question, difference, evidence)
    aspect = check.aspect(question.aspect)
    path = difference.path[:-1] if difference.fault == "equal" else difference.path
    seen = sentence(part_of_answer(check, question.aspect, path) + fault(check, difference))
    printed = _PRINTED if question.kind == "documented" else ""
    where = f"Where to look: {look or aspect.look or check.look}"
    parts = [
        _repeated(check, repeats),
        _with_fault(meaning or printed, seen),
        where,
        "" if repeats else f"Expected: {aspect.expects}",
        called_with(aspect, question.inputs),
        numbers(difference.seen) if _numbers_help(difference, found) else "",
    ]
    # Whatever else is wrong mostly has the same cause, unless it bears a name of its own.
    brief = join([meaning, where]) if found.alternatives else _with_fault(printed, seen)
    return Explanation(join(parts), found.names, sure=found.sure, brief=brief)


_PRINTED = "With the documents' inputs the printed numbers were expected."


def _numbers_help(difference: Difference, found: Named) -> bool:
    """Whether numbers say more than the words, of which two mistakes at once have enough."""
    shows = difference.fault in ("values", "shape", "dtype", "not_finite")
    return shows and all(len(one) == 1 for one in found.alternatives)


def _with_fault(meaning: str, fault: str) -> str:
    return f"{meaning} ({fault})" if meaning else fault


def _repeated(check: Check, steps: tuple[str, ...]) -> str:
    """What a mistake costs that earlier steps paid for already."""
    if not steps:
        return ""
    named = " and ".join(f"`{step}`" for step in steps)
    words = f"This step repeats what is wrong in {named}: mend that first."
    if check.carried == 0:
        return f"{words} It costs nothing here."
    share = {0.5: "half", 1.0: "all"}.get(check.carried, f"{check.carried:.0%}")
    return f"{words} You lose {share} of what it costs here." if check.carried < 1 else words


def explain_unsuitable(check: Check, seen: Observation) -> Explanation:
    """The words for something that could not be probed further."""
    reading = read_unsuitable(seen.detail)
    brief = f"{seen.detail} {reading.says}" if reading else seen.detail
    look = reading.look if reading else check.look
    text = join([brief, f"Where to look: {look}", f"Expected: {check.expects}"])
    names = (reading.name,) if reading else ()
    return Explanation(text, names, sure=bool(reading and reading.sure), brief=brief)


_FORBIDDEN = (
    "Code that is graded can only compute: it reads nothing but Python and its libraries, writes no file, "
    "starts no program and opens no connection."
)


def _was_forbidden(error: StudentError) -> bool:
    """Torch's own files fail with a RuntimeError that says so."""
    return error.type == "PermissionError" or "Permission denied" in error.message


def explain_error(
    check: Check,
    question: Question,
    seen: Observation,
    steps: set[str],
    loaded: Loaded | None = None,
) -> Explanation:
    """The words for an exception in the student's code."""
    error = seen.error
    assert error is not None
    waits = waits_for(check.name, error, steps)
    if waits:
        return Explanation(
            f"`{check.name}` calls your `{waits}`, which is not started yet. "
            f"Finish `{waits}` first, then this step can be judged."
        )
    aspect = check.aspect(question.aspect)
    reading = read_error(error, loaded.names if loaded else ())
    head = f"`{check.name}` raised {error_words(error)}"
    if not error.frames:
        head = f"{_not_used(check, reading)}: {error_words(error)}"
    parts = [
        head,
        error_place(error),
        _inside_another_step(check, error, steps),
        reading.says if reading else "",
        _FORBIDDEN if _was_forbidden(error) else "",
        f"Where to look: {(reading and reading.look) or aspect.look or check.look}",
        called_with(aspect, question.inputs),
        f"Expected: {aspect.expects}",
    ]
    names = (reading.name,) if reading else ()
    return Explanation(join(parts), names, sure=bool(reading and reading.sure), brief=head)


def _not_used(check: Check, reading: Reading | None) -> str:
    """What happened where no line of the student's raised."""
    if reading and reading.name == "arguments_do_not_fit":
        return f"`{check.name}` could not be called"
    return f"What `{check.name}` gave back could not be used"


def _inside_another_step(check: Check, error: StudentError, steps: set[str]) -> str:
    inner = error.frames[-1].function.split(".")[0] if error.frames else check.name
    if inner == check.name or inner not in steps:
        return ""
    return f"It stopped inside your `{inner}`, which is a step of its own: mend that first."


def explain_ended(check: Check, question: Question | None, seen: Observation) -> Explanation:
    """The words for a step that did not come back: stopped, exited, crashed, or with too large an answer."""
    words = seen.detail
    if seen.outcome is Outcome.TOO_LARGE and not words.endswith("was stopped."):
        words = f"What `{check.name}` returned is too large to be looked at: {seen.detail}."
    if seen.outcome is Outcome.EXITED and seen.error is not None:
        words = f"`{check.name}` called exit() instead of returning.\n\n{error_place(seen.error)}"
    hint = {
        Outcome.TIMED_OUT: "Is there a loop whose condition never becomes false?",
        Outcome.EXITED: "Remove exit() and os._exit(): a step returns, and a file just ends.",
    }.get(seen.outcome, "")
    called = called_with(check.aspect(question.aspect), question.inputs) if question else ""
    return Explanation(join([words, hint, called]))


def explain_missing(check: Check, loaded: Loaded | None, steps: set[str]) -> Explanation:
    """The words for a name that the file does not define, with what it may have been called."""
    import difflib  # noqa: PLC0415 - only for those who misspelt

    names = loaded.names if loaded else ()
    failures = loaded.failures if loaded else ()
    others = [name for name in names if name not in steps]
    close = difflib.get_close_matches(check.name, others, n=1, cutoff=0.6)
    words = f"Your file does not define `{check.name}`."
    if close:
        words += f" It defines `{close[0]}`: did you mean `{check.name}`? Rename it."
    elif failures:
        words += f" {explain_failure(failures[0])}"
    elif not names:
        words += " It defines no function at all: is it the right file, and did you save it?"
    else:
        words += " Names must be as in the release; copy the step's first line from there."
    return Explanation(words)


def explain_failure(error: StudentError) -> str:
    """The words for a piece of the file that did not run to its end."""
    parts = [f"Running your file stopped with {error_words(error)}", error_place(error)]
    if error.type == "EOFError":
        parts.append("Nobody answers input() while your work is looked at: remove it.")
    if _was_forbidden(error):
        parts.append(_FORBIDDEN)
    if error.type not in ("EOFError", "SyntaxError", "IndentationError", "TabError"):
        parts.append("What was defined before that line was looked at all the same.")
    return join(parts)


def waits_for(step: str, error: StudentError, steps: set[str]) -> str | None:
    """The other step, still a stub, in which a call of `step` ended; None if that is not what happened."""
    inner = _stub_of(error)
    return inner if inner != step and inner in steps else None


def _stub_of(error: StudentError) -> str | None:
    """The function whose stub line raised; torch itself raises NotImplementedError too, for an odd dtype, say."""
    if error.type != "NotImplementedError" or not error.frames:
        return None
    inner = error.frames[-1]
    return (
        inner.function.split(".")[0] if inner.text.startswith("raise NotImplementedError") else None
    )


def is_not_started(step: str, error: StudentError) -> bool:
    """Whether an exception is the stub's own."""
    return _stub_of(error) == step


def _mistakes_words(exam: Exam, found: Named) -> tuple[str, str]:
    """What known mistakes mean, and where to look."""
    words = exam.mistakes
    if not found.sure:
        return _guess_words(exam, found)
    if len(found.alternatives[0]) == 1:
        shown = found.alternatives[:SHOWN_ALTERNATIVES]
        says, looks = zip(*(words[one] for (one,) in shown), strict=True)
        return " Or, which comes to the same: ".join(says), " Or: ".join(dict.fromkeys(looks))
    says, looks = zip(*(words[name] for name in found.alternatives[0]), strict=True)
    return f"Two mistakes at once. First: {says[0]} Second: {says[1]}", " And: ".join(looks)


def _guess_words(exam: Exam, found: Named) -> tuple[str, str]:
    """The same of alternatives, any of which may be it: what all of them have in common is certain."""
    words = exam.mistakes
    reverse = found.alternatives[::-1]
    by_effect = {frozenset(effect(exam, name) for name in one): one for one in reverse}
    alternatives = list(by_effect.values())[::-1]
    common = [name for name in alternatives[0] if all(name in one for one in alternatives)]
    if len(common) == len(alternatives[0]) == 1:
        only = words[common[0]]
        return f"{only[0]} Something else is wrong, too.", only[1]
    if len(alternatives[0]) > 1 and not common:
        says, looks = zip(*(words[name] for name in alternatives[0]), strict=True)
        guess = f"{says[0]} And: {says[1]} Or something else that looks the same."
        return f"Perhaps two mistakes at once: {guess}", " And: ".join(looks)
    others = [next(name for name in one if name not in common) for one in alternatives]
    says, looks = zip(*(words[name] for name in others[:SHOWN_ALTERNATIVES]), strict=True)
    more = " Or something else like it." if len(others) > len(says) else ""
    guess, look = " Or: ".join(says) + more, " Or: ".join(dict.fromkeys(looks))
    if not common:
        return f"One of these: {guess}", look
    first = words[common[0]]
    return (
        f"Two mistakes at once. First: {first[0]} Second, one of these: {guess}",
        f"{first[1]} And: {look}",
    )


def _meaning(
    exam: Exam, found: Named, question: Question, difference: Difference, evidence: Evidence
) -> tuple[str, str]:
    """What the answer means and where to look: a known mistake's words, or what its properties say."""
    if found.alternatives:
        return _mistakes_words(exam, found)
    if difference.fault in ("dtype", "frozen", "equal", "keys"):
        return "", ""
    return property_of(evidence, question.inputs), ""
