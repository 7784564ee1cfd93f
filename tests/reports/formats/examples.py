"""Results for the tests of formats: believable ones, and texts that try to become commands, links or markup."""

from __future__ import annotations

from autograder.results import (
    CheckResult,
    Feedback,
    Frame,
    Numbers,
    Outcome,
    Result,
    Status,
    paragraphs,
)

HOSTILE = (
    "::error title=you::passed",
    "x\n::set-output name=result::cGFzcw==",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "]]></failure><testcase name='more'/>",
    "@everyone see #12 and https://example.org www.example.org",
    "| a | b |\n|---|---|\n[x](javascript:alert(1)) `code` **bold** _it_",
    "=HYPERLINK(1)",
    "\x1b[31mred\x07\x00 \ud800 \uffff \u2028 \u202e end",
    "</pre></details>\n\n# heading\n\n    block\n\n* item",
    "##[error]also a command",
    '{"scores": {"all": 100}}',
    "%0A::warning::x",
    "##vso[task.setvariable variable=x]y ##teamcity[x]",
    "Ann ::error::x, ::Set-Output name=x::y",
    "",
)

CHECKS = (
    CheckResult("init_weights", 1.0, 1.0, Outcome.PASSED, remarks=("creation_order",)),
    CheckResult(
        "scale_scores",
        0.25,
        1.0,
        Outcome.WRONG,
        Feedback(
            Outcome.WRONG,
            message="The scores were multiplied by `d_k`, not divided.",
            hint="Read the formula again.",
            numbers=Numbers("a tensor of shape (1, 2)", ((1.0, 2.5),), 2),
            mistakes=("multiplied",),
            sure=True,
        ),
        mistakes=("multiplied",),
        sure=True,
    ),
    CheckResult(
        "SelfAttention_v1",
        2.5,
        4.0,
        Outcome.RAISED,
        Feedback(
            Outcome.RAISED,
            seen="It raised `NameError`: name 'keys' is not defined",
            lines=(Frame("self_attention.py", 12, "forward", "return keys"),),
        ),
        carried_forward="scale_scores",
    ),
    CheckResult("transfer_weights", 0.0, 2.0, Outcome.NOT_STARTED),
)


def result(
    *checks: CheckResult,
    student: str = "amara-o",
    about: str = "",
    status: Status = Status.GRADED,
    public: bool = False,
) -> Result:
    return Result(
        assignment="self_attention",
        student=student,
        status=status,
        checks=checks or CHECKS,
        about=paragraphs(about),
        public=public,
        submission_sha256="ab" * 32,
        kit_version="0.1.0",
        run="cd" * 16,
        execution_time=0.25,
    )


def hostile(text: str) -> Result:
    """Return a result in which every text of a student's is `text`."""
    feedback = Feedback(
        Outcome.RAISED,
        message=text,
        seen=text,
        lines=(Frame(text, 3, text, text),),
        called_with=(("x", text),),
        remarks=(text,),
    )
    wrong = CheckResult("scale_scores", 0.0, 1.0, Outcome.RAISED, feedback)
    return result(CHECKS[0], wrong, student=text or "nobody", about=text)


NOT_STARTED = CheckResult("project", 0.0, 1.0, Outcome.NOT_STARTED)
UNGRADED = CheckResult("scale_scores", 0.0, 1.0, Outcome.UNGRADED)
