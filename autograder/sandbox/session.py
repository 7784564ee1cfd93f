"""One submission's stay in the sandbox: its workers, replaced when a step kills one."""

from __future__ import annotations

import signal
import time
from itertools import chain
from typing import TYPE_CHECKING, Self

from autograder.errors import GraderFault
from autograder.results import Loaded, Observation, Outcome
from autograder.sandbox.limits import PRINTS_TOO_MUCH, SUBMISSION_FACTOR, Limits, Stopped, Worker
from autograder.sandbox.messages import loaded, observation
from autograder.sandbox.printed import MAX_PRINTED
from autograder.text import clean_text
from autograder.values.values import Sequence, freeze
from autograder.values.wire import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from autograder.sandbox.fresh import Sandbox
    from autograder.values.values import Value

# From here on exit codes tell of a crash there, as negative ones do elsewhere.
_WINDOWS_CRASH = 0xC0000000


class Session:
    """Observes one submission's steps, each within its limits, all of them within the submission's.

    Attributes:
        loaded: what loading the file gave, or None if that ended the worker.
        stopped: the observation that stands for every step then.
    """

    def __init__(
        self,
        name: str,
        probes: bytes,
        pieces: tuple[tuple[str, str], ...],
        sandbox: Sandbox,
    ) -> None:
        # Sources are not frozen: a long file is no fault of the grader's.
        sources = Sequence("list", tuple(Sequence("list", piece) for piece in pieces))
        request = {"op": "load", "name": name, "probes": probes, "pieces": sources}
        self._request = encode(freeze(request))
        self._sandbox = sandbox
        self._limits = sandbox.limits
        self._worker: Worker | None = sandbox.start()
        self._deadline = time.monotonic() + SUBMISSION_FACTOR * self._limits.wall
        self.loaded: Loaded | None = None
        self.stopped: Observation | None = None

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
        """Do not count seconds that the grader itself let pass."""
        self._deadline += seconds

    def load(self, *, again: bool = False) -> Observation | None:
        """Load the submission; the observation that stands for all its steps if that ended the worker.

        What is lost with the process that forked the worker is done `again`, once: another may have ended that.
        """
        self.stopped = None
        if self._worker is None:
            self._worker = self._sandbox.start()
        try:
            answer, printed = self._worker.ask(self._request)
        except Stopped as stop:
            self.close()
            if stop.lost and not again:
                return self.load(again=True)
            self.stopped = _ended(stop, self._limits, "Loading your file")
            return self.stopped
        try:
            self.loaded = loaded(answer, clean_text(printed, MAX_PRINTED))
        except GraderFault as fault:  # only a tampered worker answers like this
            self.close()
            detail = f"Loading your file broke its process: {fault}."
            self.stopped = Observation(Outcome.CRASHED, detail=detail)
        return self.stopped

    def observe(
        self, step: str, aspect: str, probe: int, inputs: Mapping[str, Value]
    ) -> Observation:
        """Run one probe. A step that ends its process costs that step only: the next gets a new worker."""
        return self._ask("observe", step, aspect, probe, inputs)

    def expect(self, asked: Iterable[tuple[str, str, str, int, Mapping[str, Value]]]) -> None:
        """Be told what will be observed next: operation, step, aspect, probe and inputs, in this order.

        The submission will be loaded before that, if it is not yet.
        """
        if self._worker is not None and self.stopped is None:
            requests = (self._sandbox.request(*one) for one in asked)
            self._worker.expect(chain((self._request,) if self.loaded is None else (), requests))

    def gradient_reach(
        self, step: str, aspect: str, probe: int, inputs: Mapping[str, Value]
    ) -> tuple[object, ...] | None:
        """What gradients reach through what the step returns; None if that cannot be told."""
        value = self._ask("graph", step, aspect, probe, inputs).value
        return value.items if isinstance(value, Sequence) else None

    def _ask(
        self,
        operation: str,
        step: str,
        aspect: str,
        probe: int,
        inputs: Mapping[str, Value],
        *,
        again: bool = False,
    ) -> Observation:
        if self.stopped is not None:
            return self.stopped
        if time.monotonic() > self._deadline:
            return Observation(
                Outcome.TIMED_OUT, detail="Your submission as a whole took too long."
            )
        if self._worker is None and (ended := self.load()) is not None:
            return ended
        assert self._worker is not None
        request = self._sandbox.request(operation, step, aspect, probe, inputs)
        try:
            answer, printed = self._worker.ask(request)
        except Stopped as stop:
            self.close()
            if stop.lost and not again:
                return self._ask(operation, step, aspect, probe, inputs, again=True)
            return _ended(stop, self._limits, f"`{step}`")
        try:
            return observation(answer, clean_text(printed, MAX_PRINTED))
        except GraderFault as fault:  # only a tampered worker answers like this
            self.close()
            return Observation(Outcome.CRASHED, detail=f"`{step}` broke its process: {fault}.")


def _ended(stop: Stopped, limits: Limits, what: str) -> Observation:
    printed = clean_text(stop.printed, MAX_PRINTED)
    if stop.limit in ("cpu", "wall"):
        # On a busy machine chance decides which of the two stops a loop: the words must not tell.
        detail = (
            f"{what} did not end within {limits.cpu:g} seconds of computing time "
            f"({limits.wall:g} seconds in all) and was stopped."
        )
        slow = stop.limit == "wall"
        return Observation(Outcome.TIMED_OUT, printed=printed, detail=detail, slow=slow)
    if stop.limit == "output":
        detail = f"{what} printed more than {PRINTS_TOO_MUCH // 2**20} MB and was stopped."
        return Observation(Outcome.TOO_LARGE, printed=printed, detail=detail)
    if stop.exit_code is None:
        return Observation(Outcome.CRASHED, printed=printed, detail=f"{what} broke its process.")
    if 0 <= stop.exit_code < _WINDOWS_CRASH:
        detail = f"{what} ended the Python process itself (exit code {stop.exit_code})."
        return Observation(Outcome.EXITED, printed=printed, detail=detail)
    detail = f"{what} crashed the Python process ({_crash(stop.exit_code)})."
    return Observation(Outcome.CRASHED, printed=printed, detail=detail)


def _crash(exit_code: int) -> str:
    if exit_code > 0:
        return f"exit code {exit_code:#x}"
    try:
        return signal.Signals(-exit_code).name
    except ValueError:  # this system has no name for it
        return f"signal {-exit_code}"
