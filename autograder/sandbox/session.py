"""One submission in the sandbox: its workers, replaced when a step ends one."""

from __future__ import annotations

import signal
import time
from itertools import chain
from typing import TYPE_CHECKING, Protocol, Self

from autograder.errors import GraderFault
from autograder.exam.questions import Batch
from autograder.results import LoadReport, Observation, Outcome
from autograder.sandbox.limits import PRINTS_TOO_MUCH, SUBMISSION_FACTOR, Limits, Stopped, Worker
from autograder.sandbox.printed import MAX_PRINTED
from autograder.sandbox.worker_answers import loaded, observation, why_not_loaded
from autograder.text import clean_text
from autograder.values.values import ListValue, freeze
from autograder.values.wire import encode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from types import TracebackType

    from autograder.exam.questions import Request
    from autograder.sandbox.sandbox import Sandbox

# On Windows, exit codes from here on mean a crash, as negative ones do elsewhere.
_WINDOWS_CRASH = 0xC0000000
_KILLED = -9


class Session(Protocol):
    """One submission, in a worker or in this process, on which probes run.

    Attributes:
        pieces: the submission's source: pairs of label and text.
        loaded: the result of loading the file; None if it was not loaded, or loading ended the worker.
        stopped: the observation of every step if loading ended the worker, else None.
    """

    pieces: tuple[tuple[str, str], ...]
    loaded: LoadReport | None
    stopped: Observation | None

    def load(self) -> Observation | None:
        """Load the submission; return `stopped`."""
        ...

    def close(self) -> None:
        """End the worker."""
        ...

    def extend(self, seconds: float) -> None:
        """Move the submission's deadline: the grader itself spent these seconds."""
        ...

    def expect(self, batches: Iterable[Batch], /) -> None:
        """Receive the requests that will follow, in this order."""
        ...

    def observe(self, request: Request, /) -> Observation:
        """Run one probe."""
        ...

    def gradient_reach(self, request: Request, /) -> tuple[object, ...] | None:
        """What the gradients of a probe's result reach; None if unknown."""
        ...


class SandboxSession:
    """Observes one submission's steps in a sandbox, each within its limits, all within the submission's.

    Attributes:
        pieces: the submission's source: pairs of label and text.
        loaded: the result of loading the file; None if it was not loaded, or loading ended the worker.
        stopped: the observation of every step if loading ended the worker, else None.
    """

    def __init__(
        self,
        name: str,
        probes: bytes,
        pieces: tuple[tuple[str, str], ...],
        sandbox: Sandbox,
        *,
        classes: Collection[str] = (),
    ) -> None:
        # Not frozen: a source may be longer than the texts that `freeze` accepts.
        sources = ListValue("list", tuple(ListValue("list", piece) for piece in pieces))
        request = {
            "op": "load",
            "name": name,
            "probes": probes,
            "pieces": sources,
            "classes": sorted(classes),
        }
        self._load_request = encode(freeze([request]))
        self.pieces = pieces
        self._sandbox = sandbox
        self._limits = sandbox.limits
        self._worker: Worker | None = sandbox.start()
        self._deadline = time.monotonic() + SUBMISSION_FACTOR * self._limits.wall
        self.loaded: LoadReport | None = None
        self.stopped: Observation | None = None
        self._killed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the worker."""
        if self._worker is not None:
            self._sandbox.stop(self._worker)
        self._worker = None

    def extend(self, seconds: float) -> None:
        """Move the submission's deadline: the grader itself spent these seconds."""
        self._deadline += seconds

    def load(self, *, again: bool = False) -> Observation | None:
        """Load the submission; return `stopped`. If others may have ended the worker, load it in a new one.

        `again` says that the fork server ended once before.
        """
        self.stopped = None
        if self._worker is None:
            self._worker = self._sandbox.start()
        try:
            answer, printed = self._worker.ask(self._load_request)
        except Stopped as stop:
            self.close()
            if self._others_may_have_ended(stop, again=again):
                return self.load(again=stop.lost or again)
            self.stopped = _ended(stop, self._limits, "Loading your file")
            return self.stopped
        try:
            self.loaded = loaded(answer, clean_text(printed, MAX_PRINTED))
        except GraderFault:
            self.close()
            self.stopped = Observation(Outcome.CRASHED, detail=why_not_loaded(answer))
        return self.stopped

    def observe(self, request: Request) -> Observation:
        """Run one probe. A step that ends its process costs that step only: the next gets a new worker."""
        return self._ask(request)

    def expect(self, batches: Iterable[Batch]) -> None:
        """Send the requests that will follow to the worker, in this order; before them `load`, if not done yet."""
        if self._worker is not None and self.stopped is None:
            load = Batch((self._load_request,), self._load_request)
            self._worker.expect(batches if self.loaded else chain((load,), batches))

    def gradient_reach(self, request: Request) -> tuple[object, ...] | None:
        """What the gradients of a probe's result reach; None if unknown."""
        value = self._ask(request).value
        return value.items if isinstance(value, ListValue) else None

    def _ask(self, request: Request, *, again: bool = False) -> Observation:
        if self.stopped is not None:
            return self.stopped
        if time.monotonic() > self._deadline:
            return Observation(
                Outcome.TIMED_OUT, detail="Your submission as a whole took too long."
            )
        if self._worker is None and (ended := self.load()) is not None:
            return ended
        assert self._worker is not None
        try:
            answer, printed = self._worker.ask(request.encoded)
        except Stopped as stop:
            self.close()
            if self._others_may_have_ended(stop, again=again):
                return self._ask(request, again=stop.lost or again)
            return _ended(stop, self._limits, f"`{request.step}`")
        try:
            return observation(answer, clean_text(printed, MAX_PRINTED))
        except GraderFault as fault:  # only a worker that was tampered with answers like this
            self.close()
            detail = f"`{request.step}` broke its process: {fault}."
            return Observation(Outcome.CRASHED, detail=detail)

    def _others_may_have_ended(self, stop: Stopped, *, again: bool) -> bool:
        """Return whether the fork server has ended, or the worker was killed, for the first time.

        Another submission may have ended the server. Where memory is short, a system kills any process.
        A submission that kills its own worker does so again.
        """
        if stop.exit_code == _KILLED and not self._killed:
            self._killed = True
            return True
        return stop.lost and not again


def _ended(stop: Stopped, limits: Limits, subject: str) -> Observation:
    printed = clean_text(stop.printed, MAX_PRINTED)
    if stop.limit in ("cpu", "wall"):
        # On a busy machine chance decides which limit stops a loop, so the text names both.
        detail = (
            f"{subject} did not end within {limits.cpu:g} seconds of computing time "
            f"({limits.wall:g} seconds in all) and was stopped."
        )
        slow = stop.limit == "wall"
        return Observation(Outcome.TIMED_OUT, printed=printed, detail=detail, slow=slow)
    if stop.limit == "output":
        detail = f"{subject} printed more than {PRINTS_TOO_MUCH // 2**20} MB and was stopped."
        return Observation(Outcome.TOO_LARGE, printed=printed, detail=detail)
    if stop.exit_code is None:
        return Observation(Outcome.CRASHED, printed=printed, detail=f"{subject} broke its process.")
    if 0 <= stop.exit_code < _WINDOWS_CRASH:
        detail = f"{subject} ended the Python process itself (exit code {stop.exit_code})."
        return Observation(Outcome.EXITED, printed=printed, detail=detail)
    detail = f"{subject} crashed the Python process ({_crash(stop.exit_code)})."
    return Observation(Outcome.CRASHED, printed=printed, detail=detail)


def _crash(exit_code: int) -> str:
    if exit_code > 0:
        return f"exit code {exit_code:#x}"
    try:
        return signal.Signals(-exit_code).name
    except ValueError:  # this system has no name for it
        return f"signal {-exit_code}"
