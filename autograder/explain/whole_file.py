"""Say once what is wrong with a file as a whole: lines that could not be read or run, functions that it replaced."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.ended import name_not_defined, waits_for, was_forbidden
from autograder.explain.exceptions import read_error
from autograder.explain.feedback_text import Block, as_markdown, feedback_blocks
from autograder.explain.skipped import explain_skipped
from autograder.explain.syntax_errors import SYNTAX_ERRORS, read_syntax_error
from autograder.explain.wording import capital, error_words, line_words, listed, places
from autograder.near_names import nearest
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from autograder.assignment.checks import Check
    from autograder.explain.rules import Finding
    from autograder.explain.student_code import StudentCode
    from autograder.results import Frame, LoadFailure, LoadReport, Rebinding, StudentError

SHOWN_PROBLEMS = 3
_OUTSIDE = {
    "FileNotFoundError",
    "URLError",
    "HTTPError",
    "ConnectionError",
    "gaierror",
    "MaxRetryError",
}
_NO_MODULE = re.compile(r"No module named '([\w.]+)'")
_ASSIGNED = re.compile(r"([\w.]+)\s*=\s*([^#]*[^#\s])")
_SIMPLE = re.compile(r"-?[\w.]+")
_NO_FUNCTION = Feedback(
    Outcome.MISSING,
    seen="Your file defines no function and no class.",
    message="Is it the right file, and did you save it?",
    reasons=(Reason.NOT_DEFINED,),
)
_LIBRARIES = ("torch", "torch.nn", "torch.nn.functional", "numpy", "math", "matplotlib.pyplot")


def place(frame: Frame) -> str:
    """Return where a line stands: `line 44`, or `line 3 of cell project` in a notebook."""
    return line_words(frame.file, frame.line)


def file_problems(
    loaded: LoadReport | None, steps: Collection[str], code: StudentCode
) -> tuple[Feedback, ...]:
    """Explain what is wrong with a file as a whole, each cause once.

    Left out are names that an earlier line should have defined, and lines that only call a step which is not started.
    """
    if loaded is None:
        return ()
    found = [] if loaded.names or loaded.failures or code.headers else [_NO_FUNCTION]
    found += [_explain_replaced(rebinding) for rebinding in loaded.replaced]
    found += explain_skipped(loaded.skipped)
    lost = {name for skipped in loaded.skipped for name in skipped.makes}
    imports = _lone_imports(loaded, steps)
    told: list[Finding | None] = []
    for failure, reading in _by_cause(loaded, code):
        known = lost_name(failure, lost) or waits_for("", failure, set(steps))
        lost |= {*failure.defines} - {*loaded.names}
        if known:
            continue
        if failure in imports and len(imports) > 1:
            found += [_explain_imports(imports)] if failure == imports[0] else []
            continue
        if reading is None or reading.name != "name_hidden" or reading not in told:
            found.append(_explain_failure(failure, reading, loaded, steps))
        told.append(reading)
    return tuple(found)


def _by_cause(loaded: LoadReport, code: StudentCode) -> list[tuple[LoadFailure, Finding | None]]:
    """Return each failure with what it says. Failures for want of one import become one, where the first was."""
    found: list[tuple[LoadFailure, Finding | None]] = []
    places: dict[Finding, int] = {}
    for failure in loaded.failures:
        reading = read_error(failure, loaded.names, code)
        if reading in places:
            first, _ = found[places[reading]]
            joined = replace(first, defines=(*first.defines, *failure.defines))
            found[places[reading]] = joined, reading
            continue
        if reading is not None and reading.name == "not_imported":
            places[reading] = len(found)
        found.append((failure, reading))
    return found


def problems_markdown(problems: Sequence[Feedback]) -> str:
    """Return the text about a file as a whole; empty if nothing is wrong with it."""
    if not problems:
        return ""
    blocks = [block for problem in problems[:SHOWN_PROBLEMS] for block in feedback_blocks(problem)]
    more = [place(problem.lines[0]) for problem in problems[SHOWN_PROBLEMS:]]
    if more:
        blocks.append(Block(f"Something is also wrong in {', '.join(dict.fromkeys(more))}."))
    if len(problems) > 1:
        blocks.append(Block("Everything else was checked."))
    elif Reason.FILE_STOPPED in problems[0].reasons:
        blocks[0] = Block(f"{blocks[0].text} Everything else was checked.")
    return as_markdown(blocks)


def lost_name(error: StudentError, lost: Collection[str]) -> str:
    """Return the name that an exception misses because a failed line should have defined it; else an empty text."""
    missed = name_not_defined(error)
    return missed if missed in lost else ""


def _explain_failure(
    failure: LoadFailure, reading: Finding | None, loaded: LoadReport, steps: Collection[str]
) -> Feedback:
    in_class = _in_class_body(failure, loaded)
    where = failure.frames[-1 if in_class else 0]
    if failure.type in SYNTAX_ERRORS and not failure.frames[1:]:
        says, remedy = read_syntax_error(failure)
        words = f"Python cannot read {place(where)}: {says}."
    else:
        says, remedy = _stopped(failure, reading, () if in_class else steps)
        words = capital(f"{place(where)} {says}")
        words += "." * (words[-1] not in ".!?)")
    missing = [name for name in failure.defines if name in steps and name not in loaded.names]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        words = f"{words.rstrip('.')}. So {_in_quotes(missing)} {verb} not defined."
    reasons = (Reason.FILE_STOPPED, *([Reason.FORBIDDEN] if was_forbidden(failure) else []))
    return Feedback(Outcome.RAISED, seen=words, message=remedy, lines=(where,), reasons=reasons)


def _in_class_body(failure: LoadFailure, loaded: LoadReport) -> bool:
    """Return whether a line of a class failed, outside of its methods: then there is no such class."""
    inner = failure.frames[-1].function
    return inner in failure.defines and inner not in loaded.names


def _stopped(
    failure: LoadFailure, reading: Finding | None, steps: Collection[str]
) -> tuple[str, str]:
    """Return how a line stopped, and what to do."""
    inner = failure.frames[-1].function.split(".")[0]
    if inner in steps:
        return f"stopped inside your `{inner}`: {error_words(failure)}", ""
    if failure.type == "SystemExit":
        return "ends the program.", "Remove it: a file that defines functions just ends."
    if failure.type == "EOFError":
        return "asks for input, and nobody answers while your work is looked at.", "Remove input()."
    if failure.type == "AssertionError":
        return f"is an assert that does not hold. ({error_words(failure)})", ""
    if found := _NO_MODULE.search(failure.message):
        return _no_module(found[1])
    if was_forbidden(failure) or failure.type in _OUTSIDE:
        says = f"uses something outside of your program: {error_words(failure)}"
        return says, "Delete the line. The steps need nothing but their arguments."
    if reading is None:
        return f"stopped with {error_words(failure)}", ""
    return f"stopped with {error_words(failure)}", f"{reading.says} Where to look: {reading.look}"


def _lone_imports(loaded: LoadReport, steps: Collection[str]) -> list[LoadFailure]:
    """Return the imports of libraries that are not there, if no step should come from them."""
    return [
        failure
        for failure in loaded.failures
        if (found := _NO_MODULE.search(failure.message))
        and not _near_library(found[1])
        and len(failure.frames) == 1
        and {*failure.defines}.isdisjoint(steps)
    ]


def _explain_imports(failures: Sequence[LoadFailure]) -> Feedback:
    """Explain several imports at once."""
    found = (_NO_MODULE.search(failure.message) for failure in failures)
    libraries = _in_quotes(match[1] for match in found if match)
    lost = _in_quotes(name for failure in failures for name in failure.defines)
    frames = [failure.frames[0] for failure in failures]
    words = f"{capital(places(frames))} import {libraries}, and there is no such library here."
    words += f" So {lost} cannot be used." if lost else ""
    return Feedback(
        Outcome.RAISED,
        seen=words,
        message="The steps need only torch and NumPy: delete these lines and what uses them.",
        lines=(frames[0],),
        reasons=(Reason.FILE_STOPPED,),
    )


def _in_quotes(names: Iterable[str]) -> str:
    return listed(f"`{name}`" for name in dict.fromkeys(names))


def _near_library(name: str) -> str:
    """Return the library that was meant by a name that is nearly right; else an empty text."""
    return nearest(name, _LIBRARIES) or ""


def _no_module(name: str) -> tuple[str, str]:
    close = _near_library(name)
    says = f"imports `{name}`, and there is no such library here."
    if close:
        return says, f"Did you mean `{close}`?"
    return says, "The steps need only torch and NumPy: delete this line and what uses it."


def _explain_replaced(rebinding: Rebinding) -> Feedback:
    return Feedback(
        Outcome.RAISED,
        seen=capital(
            f"{place(rebinding.frame)} puts something else in place of `{rebinding.name}`: "
            "then your code cannot use it any more."
        ),
        message=_instead_of_replacing(rebinding.frame.text),
        lines=(rebinding.frame,),
        reasons=(Reason.REPLACED_FUNCTION,),
    )


def _instead_of_replacing(line: str) -> str:
    found = _ASSIGNED.match(line)
    if found is None:
        return ""
    left, right = found.groups()
    if _SIMPLE.fullmatch(right):
        return f"A function is called with brackets, without `=`: `{left}({right})`."
    return f"Give the result a name of your own, such as `result = {right}`."


def explain_consequence(
    check: Check, error: StudentError, loaded: LoadReport | None
) -> Feedback | None:
    """Explain an exception that follows from what is wrong with the file as a whole; None if it does not."""
    for failure in loaded.failures if loaded else ():
        name = lost_name(error, failure.defines)
        if name:
            where = place(failure.frames[0])
            words = (
                f"`{check.name}` uses `{name}`, which {where} should define: fix that line first."
            )
            return _consequence(words, error)
    for rebinding in loaded.replaced if loaded else ():
        line = error.frames[-1].text if error.frames else ""
        named = "not callable" in error.message and rebinding.name.rpartition(".")[2] in line
        if named or (rebinding.type and f"'{rebinding.type}' object" in error.message):
            where = place(rebinding.frame)
            words = f"`{check.name}` needs `{rebinding.name}`, which {where} replaced: fix that line first."
            return _consequence(words, error)
    return None


def _consequence(words: str, error: StudentError) -> Feedback:
    return Feedback(
        Outcome.RAISED, seen=words, lines=error.frames[-1:], reasons=(Reason.FROM_THE_FILE,)
    )
