"""Say once what is wrong with a file as a whole: lines that could not be read or run, functions that it replaced."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.ended import called_step, other_stub
from autograder.explain.exceptions import read_error
from autograder.explain.feedback_text import feedback_blocks
from autograder.explain.raised import Raised, name_missed, was_forbidden
from autograder.explain.rules import finding, said, say
from autograder.explain.student_code import Submitted
from autograder.explain.syntax import names_made, names_read
from autograder.explain.syntax_errors import SYNTAX_ERRORS, read_syntax_error
from autograder.explain.wording import capital, error_words, listed, place, places
from autograder.explain.words_of_files import DEFINE, MAKE, MAKE_AFTER, SKIPPED
from autograder.near_names import nearest
from autograder.reasons import Reason
from autograder.results import Block, Feedback, Outcome, WhySkipped
from autograder.sandbox.limits import crash_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from autograder.explain.rules import Finding
    from autograder.explain.student_code import StudentCode
    from autograder.results import Frame, LoadFailure, LoadReport, Rebinding, Skipped, StudentError

SHOWN_PROBLEMS = 3
_OUTSIDE = {
    "FileNotFoundError",
    "URLError",
    "HTTPError",
    "ConnectionError",
    "gaierror",
    "MaxRetryError",
}
# Exceptions of a line with words of their own.
_OF_THE_LINE = ("SystemExit", "EOFError", "AssertionError")
_NO_MODULE = re.compile(r"No module named '([\w.]+)'")
_LIBRARIES = ("torch", "torch.nn", "torch.nn.functional", "numpy", "math", "matplotlib.pyplot")


def file_problems(
    loaded: LoadReport, steps: Collection[str], code: StudentCode
) -> tuple[Feedback, ...]:
    """Explain what is wrong with a file as a whole, each cause once.

    Left out are names that an earlier line should have defined, and lines that only call a step which is not started.
    """
    found = []
    if not (loaded.names or loaded.failures or code.headers):
        found.append(said(Outcome.MISSING, finding("no_function"), Reason.NOT_DEFINED))
    why = Reason.REPLACED_FUNCTION
    found += [_rebound("replaced", one, Outcome.RAISED, why) for one in loaded.replaced]
    found += [_rebound("default_device", one, Outcome.PASSED) for one in loaded.devices]
    found += explain_skipped(loaded.skipped)
    lost = {name for skipped in loaded.skipped for name in skipped.makes}
    for failure in loaded.failures:
        if name_missed(failure) not in lost and not other_stub("", failure, steps):
            found.append(_explain_failure(failure, loaded, steps, code))
        lost |= {*failure.defines} - {*loaded.names}
    return tuple(_told_once(found))


def _told_once(problems: Iterable[Feedback]) -> Iterator[Feedback]:
    """Join the problems for which the same must be done, such as all imports of what is not there."""
    joined: dict[object, list[Feedback]] = {}
    for number, problem in enumerate(problems):
        joined.setdefault(problem.message or number, []).append(problem)
    for same in joined.values():
        seen = " ".join(problem.seen for problem in same[:SHOWN_PROBLEMS])
        yield replace(same[0], seen=seen)


def problems_blocks(problems: Sequence[Feedback]) -> tuple[Block, ...]:
    """Return what is said about a file as a whole; nothing if nothing is wrong with it."""
    if not problems:
        return ()
    blocks = [block for problem in problems[:SHOWN_PROBLEMS] for block in feedback_blocks(problem)]
    more = [place(problem.lines[0]) for problem in problems[SHOWN_PROBLEMS:]]
    if more:
        blocks.append(Block(f"Something is also wrong in {', '.join(dict.fromkeys(more))}."))
    if len(problems) > 1:
        blocks.append(Block("Everything else was checked."))
    elif Reason.FILE_STOPPED in problems[0].reasons:
        blocks[0] = Block(f"{blocks[0].text} Everything else was checked.")
    return tuple(blocks)


def _explain_failure(
    failure: LoadFailure, loaded: LoadReport, steps: Collection[str], code: StudentCode
) -> Feedback:
    inner = failure.frames[-1].function
    # If a line of a class fails outside of its methods, there is no such class.
    in_class = inner in failure.defines and inner not in loaded.names
    where = failure.frames[-1 if in_class else 0]
    if failure.type in SYNTAX_ERRORS and not failure.frames[1:]:
        says, remedy = read_syntax_error(failure)
        words = say("unreadable", place=place(where), says=says)
    else:
        reading = read_error(Raised(failure, Submitted(code, {}, loaded.names)))
        stopped = _stopped(failure, reading, () if in_class else steps)
        remedy = stopped.look
        words = capital(f"{place(where)} {stopped.says}")
        words += "." * (words[-1] not in ".!?)")
    missing = [name for name in failure.defines if name in steps and name not in loaded.names]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        words = f"{words.rstrip('.')}. So {_in_quotes(missing)} {verb} not defined."
    reasons = (Reason.FILE_STOPPED, *(Reason.FORBIDDEN,) * was_forbidden(failure))
    return Feedback(Outcome.RAISED, seen=words, message=remedy, lines=(where,), reasons=reasons)


def _stopped(failure: LoadFailure, reading: Finding | None, steps: Collection[str]) -> Finding:
    """Return how a line stopped, and what to do."""
    error, inner = error_words(failure), failure.inner_function
    if inner in steps:
        return finding("in_a_step", step=inner, error=error)
    if failure.type in _OF_THE_LINE:
        return finding(failure.type, error=error)
    if module := module_missed(failure):
        near = nearest(module, _LIBRARIES)
        return finding("no_library", name=module, near=f" Did you mean `{near}`?" if near else "")
    if was_forbidden(failure) or failure.type in _OUTSIDE:
        return finding("outside", error=error)
    if reading is None:
        return finding("stopped", error=error)
    return finding("stopped.read", error=error, says=reading.says, look=reading.look)


def _in_quotes(names: Iterable[str]) -> str:
    return listed(f"`{name}`" for name in dict.fromkeys(names))


def _rebound(key: str, rebinding: Rebinding, outcome: Outcome, *reasons: Reason) -> Feedback:
    frame = rebinding.frame
    found = finding(key, Place=capital(place(frame)), name=rebinding.name)
    return said(outcome, found, *reasons, lines=(frame,))


# Statements that were left out because they did not end.


def explain_skipped(skipped: Sequence[Skipped]) -> list[Feedback]:
    """Return one text about all statements that were left out; none if there are none."""
    by_words: dict[str, list[Frame]] = {}
    for one in skipped:
        by_words.setdefault(_what(one), []).append(one.frame)
    if not by_words:
        return []
    parts = "; ".join(f"{places(frames)} {words}" for words, frames in by_words.items())
    it, it_makes = ("them", "they make") if len(skipped) > 1 else ("it", "it makes")
    found = finding("left_out", Parts=capital(parts), it=it, it_makes=it_makes)
    return [said(Outcome.TIMED_OUT, found, Reason.LEFT_OUT, lines=(skipped[0].frame,))]


def _what(skipped: Skipped) -> str:
    seconds = f"{skipped.seconds:g} second{'s' * (skipped.seconds != 1)}"
    words = SKIPPED[skipped.why].format(seconds=seconds)
    if skipped.why is WhySkipped.CRASHED and skipped.exit_code is not None:
        return f"{words} ({crash_words(skipped.exit_code)})"
    return words


# What that means for a step.


def module_missed(error: StudentError) -> str:
    """Return the module that an exception misses; else an empty text."""
    found = _NO_MODULE.search(error.message)
    return found[1] if found else ""


def module_lacked(
    step: str, error: StudentError | None, loaded: LoadReport, steps: Collection[str]
) -> str:
    """Return which missing module keeps a step from its answer; empty if another step of the student's needs it.

    Each failed statement may fail for the name that an earlier one should have defined.
    """
    if error and (called_step(step, error, steps) or name_missed(error) in steps):
        return ""
    module, missed = (module_missed(error), name_missed(error)) if error else ("", step)
    for failure in reversed(loaded.failures):
        if missed in failure.defines:
            module, missed = module_missed(failure), name_missed(failure)
    return f"`{module}`" if module else "A module that your file imports"


def explain_need(
    step: str, outcome: Outcome, loaded: LoadReport, code: StudentCode
) -> Feedback | None:
    """Explain a failed step that needs what a left out statement makes; None if it needs nothing of that."""
    needed = _needed(step, outcome, code) if loaded.skipped else {step}
    for one in loaded.skipped:
        made = next(
            (
                name
                for name in one.makes
                if name in needed and (name in one.defines or name in code.variables)
            ),
            None,
        )
        if made is None:
            continue
        key, remedy = "needs_what_was_left_out", MAKE_AFTER.get(one.why, MAKE)
        if made == step:
            key = "is_left_out"
            remedy = remedy if one.why is WhySkipped.AFTER_OTHERS else DEFINE
        found = finding(key, step=step, name=made, place=place(one.frame), did=_what(one))
        feedback = said(outcome, found, Reason.FROM_THE_FILE, lines=(one.frame,))
        return replace(feedback, message=remedy.format(made))
    return None


def _needed(step: str, outcome: Outcome, code: StudentCode) -> set[str]:
    """Return the names that a step needs: its own if it is missing, else those that its functions read."""
    definition = code.definition(step)
    if definition is None or outcome is Outcome.MISSING:
        return {step}
    parts = [part.node for part in code.called_by(definition)]
    return {name for part in parts for name in names_read(part).keys() - names_made(part)}


def explain_consequence(step: str, error: StudentError, loaded: LoadReport) -> Feedback | None:
    """Explain an exception that follows from what is wrong with the file as a whole; None if it does not."""
    missed = name_missed(error)
    for failure in loaded.failures:
        if missed in failure.defines:
            facts = {"name": missed, "place": place(failure.frames[0])}
            return _consequence(finding("uses_a_failed_line", step=step, **facts), error)
    for rebinding in loaded.replaced:
        line = error.frames[-1].text if error.frames else ""
        named = "not callable" in error.message and rebinding.name.rpartition(".")[2] in line
        if named or (rebinding.type and f"'{rebinding.type}' object" in error.message):
            facts = {"name": rebinding.name, "place": place(rebinding.frame)}
            return _consequence(finding("needs_what_was_replaced", step=step, **facts), error)
    return None


def _consequence(found: Finding, error: StudentError) -> Feedback:
    return said(Outcome.RAISED, found, Reason.FROM_THE_FILE, lines=error.frames[-1:])
