"""What is said of a file as a whole, and of a step that gave no answer: what was seen and, in some, what to do."""

from __future__ import annotations

from autograder.results import WhySkipped
from autograder.sandbox.limits import PRINTS_TOO_MUCH
from autograder.sandbox.usage import SLEEPING_SECONDS

STEPS = {
    "calls_a_stub": (
        "`{step}` calls your `{other}`, which is not started yet. Finish `{other}` first, then this step can be judged."
    ),
    "calls_a_missing_step": "`{step}` calls `{other}`, and your step `{other}` is missing. Write it first.",
    "as_before": "The same as in `{step}`.",
    "raised": "`{step}` raised {error}",
    "raised.not_called": "`{step}` could not be called: {error}",
    "raised.afterwards": "What `{step}` gave back could not be used: {error}",
    "other_exception": "{wanted} must be raised, not {raised}.",
    "other_exception.same_name": "Python's own {wanted} must be raised; this is another class of that name.",
    "misused": (
        "`{step}` stopped at a call of `{other}`.",
        "{place} calls your `{other}` with {given}.{takes}",
    ),
    "misused.right": (
        "`{step}` raised {error}",
        "{place} calls your `{other}`, which is right, with {given}.{takes}",
    ),
    "too_large": "What `{step}` returned is too large to be looked at: {size}.",
    "called_exit": "`{step}` called exit() instead of returning.",
    "not_the_step": (
        "`{step}` is something of type {kind} here, not the step.",
        "Write the step with the first line of the release, and return the result.",
    ),
    "lines_failed": (
        "`{step}` is not defined, because its lines could not be read or run.",
        "Fix these lines first; the note about your file says what is wrong there.",
    ),
    "missing": "Your file does not define `{step}`.",
    "missing.near": (
        "Your file does not define `{step}`.",
        "It defines `{near}`: did you mean `{step}`? Rename it.",
    ),
    "missing.aside": (
        "`{step}` is defined in a cell that is not graded: it only shows or checks something.",
        "Write `{step}` into its own cell.",
    ),
    "missing.others": (
        "Your file does not define `{step}`.",
        "Names must be as in the release; copy the step's first line from there.",
    ),
    "defined_inside": (
        "`{step}` is defined in {place}, but indented: so {inside}. Move it and its lines to the left margin."
    ),
    "defined_again": "`{step}` is defined in {places} and again in {last}: the last one counts.",
    "uses_a_failed_line": "`{step}` uses `{name}`, which {place} should define: fix that line first.",
    "needs_what_was_replaced": "`{step}` needs `{name}`, which {place} replaced: fix that line first.",
    "needs_what_was_left_out": "`{step}` needs `{name}`, and {place}, which makes it, {did} and was left out.",
    "is_left_out": "`{step}` is not defined, and {place}, which makes it, {did} and was left out.",
}  # fmt: skip

FILES = {
    "no_function": (
        "Your file defines no function and no class.",
        "Is it the right file, and did you save it?",
    ),
    "unreadable": "Python cannot read {place}: {says}.",
    "replaced": (
        "{Place} puts something else in place of `{name}`: then your code cannot use it any more.",
        "A function is called with brackets, without `=`. A value gets a name of your own.",
    ),
    "default_device": (
        "{Place} makes `{name}` the default device. Your work is checked on the CPU without it; this costs no points.",
        "With `device=x.device`, a new tensor is on the device of `x` on every machine.",
    ),
    "left_out": (
        "{Parts}. Your steps were checked without {it}. That costs points only where a step needs what {it_makes}.",
        'Delete what you do not need. What stands below `if __name__ == "__main__":` does not run here.',
    ),
    # A line that stopped.
    "in_a_step": "stopped inside your `{step}`: {error}",
    "SystemExit": ("ends the program.", "Remove it: a file that defines functions just ends."),
    "EOFError": (
        "asks for input, and nobody answers while your work is looked at.",
        "Remove input().",
    ),
    "AssertionError": "is an assert that does not hold. ({error})",
    "no_library": (
        "imports `{name}`, and there is no such module here.{near}",
        ("Only Python's own modules, torch, NumPy and what the release itself imports are there when your work is "
        "graded, and only one file is handed in: write your steps without it."),
    ),
    "outside": (
        "uses something outside of your program: {error}",
        "Delete the line. The steps need nothing but their arguments.",
    ),
    "stopped": "stopped with {error}",
    "stopped.read": ("stopped with {error}", "{says} Where to look: {look}"),
}  # fmt: skip

# How a step without an answer ended: what to do.
ADVICE = {
    "timed_out": "Is there a loop whose condition never becomes false?",
    "exited": "Remove exit() and os._exit(): a step ends with `return`, and a file ends by itself.",
}

# What a statement did that was left out, and how a step gets what it needs of it.
SKIPPED = {
    WhySkipped.ENDLESS: "did not end within {seconds} of computing time",
    WhySkipped.FILE_TOO_SLOW: "did not end within the {seconds} of computing time that a file has",
    WhySkipped.SLEEPS: f"waited for {SLEEPING_SECONDS:g} seconds and computed nothing",
    WhySkipped.EXITED: "ended the Python process",
    WhySkipped.CRASHED: "crashed the Python process",
    WhySkipped.PRINTED: f"printed more than {PRINTS_TOO_MUCH // 2**20} MB",
    WhySkipped.AFTER_OTHERS: "did not run because of earlier lines",
}
DEFINE = "Define `{}` in lines that do nothing else."
MAKE = "Make `{}` in lines that end soon, or inside the step."
MAKE_AFTER = {
    WhySkipped.EXITED: "Make `{}` in lines that do not end Python, or inside the step.",
    WhySkipped.CRASHED: "Make `{}` in lines that do not crash Python, or inside the step.",
    WhySkipped.AFTER_OTHERS: "Delete the earlier lines that were left out.",
}
