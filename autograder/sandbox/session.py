"""One submission in the sandbox: its workers, replaced when a step ends one."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Self

from autograder.errors import GraderFault, ProtocolError
from autograder.exam.questions import Ahead
from autograder.exam.stand_ins import TooManyCallsError
from autograder.results import LoadReport, Observation, Outcome
from autograder.sandbox.limits import (
    PRINTS_TOO_MUCH,
    Limits,
    Stopped,
    crash_words,
    is_crash,
)
from autograder.sandbox.own_lines import OwnLines
from autograder.sandbox.printed import MAX_PRINTED
from autograder.sandbox.skips import KnownSkips
from autograder.sandbox.usage import Clock, Loading
from autograder.sandbox.worker_answers import loaded, observation, why_not_loaded
from autograder.text import clean_text
from autograder.values.values import ListValue, freeze
from autograder.values.wire import encode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from autograder.exam.questions import Request
    from autograder.exam.stand_ins import StandIns
    from autograder.sandbox.client import Worker
    from autograder.sandbox.sandbox import Sandbox

    Imports = Sequence[str] | None

_KILLED = -9


class Session:
    """Observes one submission's steps in a sandbox, each within its limits, all within the submission's.

    Attributes:
        pieces: the submission's source: pairs of label and text.
        loaded: the result of loading the file; empty if it was not loaded, or loading ended the worker.
        stopped: the observation of every step if loading ended the worker, else None.

    Args:
        plan: the requests that will probably follow, in order. With a request all that follow it are sent ahead, so
            that the worker goes on while an answer is judged.
        clock: the submission's time, if it has begun already.
        stand_ins: answers the calls of some steps.
        traced: whether it can be asked what the submission's expressions compute.
        imports: the packages that its code may import besides Python's own modules; None for all.
    """

    pieces: tuple[tuple[str, str], ...]
    loaded = LoadReport()
    stopped: Observation | None = None

    def __init__(
        self,
        name: str,
        probes: bytes,
        pieces: tuple[tuple[str, str], ...],
        sandbox: Sandbox,
        *,
        classes: Collection[str] = (),
        skips: KnownSkips | None = None,
        plan: Sequence[Ahead] = (),
        clock: Clock | None = None,
        stand_ins: StandIns | None = None,
        traced: bool = False,
        imports: Imports = None,
    ) -> None:
        # Not frozen: a source may be longer than the texts that `freeze` accepts.
        sources = ListValue("list", tuple(ListValue("list", piece) for piece in pieces))
        self._load_fields: dict[str, object] = {
            "op": "load",
            "name": name,
            "probes": probes,
            "pieces": sources,
            "classes": sorted(classes),
            "stand_ins": stand_ins.parameters if stand_ins else {},
            "traced": traced,
            "imports": imports,
        }
        self._opened_like_this = partial(Session, name, probes, pieces, sandbox, classes=classes)
        self._stand_ins, self._imports = stand_ins, imports
        self._skips = skips or KnownSkips()
        self._load_request = self._encoded_load()
        self._plan = plan
        self.pieces, self._lines = pieces, OwnLines(pieces)
        self._sandbox = sandbox
        self._limits = sandbox.limits
        self._clock = clock or Clock(self._limits.submission)
        self._worker: Worker | None = self._started()
        self._killed = False
        self._others: list[Session] = []

    def _encoded_load(self) -> bytes:
        return encode(freeze({**self._load_fields, "skips": self._skips.fields()}))

    def _started(self) -> Worker:
        worker = self._sandbox.start()
        worker.reply = self._reply if self._stand_ins else None
        worker.clock = self._clock
        return worker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, and those with stand-ins. From now on, nothing is sent ahead."""
        self._plan = ()
        self._end_worker()
        for other in self._others:
            other.close()

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._sandbox.stop(self._worker)
        self._worker = None

    def leave_out(self, step: str) -> None:
        """Send no request about this step ahead."""
        self._plan = [ahead for ahead in self._plan if ahead.step != step]

    def begin(self) -> None:
        """Send everything ahead: the request to load, and the plan."""
        if self._worker is not None:
            load = Ahead("", self._load_request, self._load_request)
            self._worker.send(chain((load,), self._plan))

    def load(self, *, alone: bool = True) -> Observation | None:
        """Load the submission; return `stopped`. A statement that ends the worker is left out in a new one.

        If others may have ended the worker, the same is loaded again. Unless `alone`, that is left to the caller where
        only the clock stopped it.
        """
        self.stopped = None
        lost = False
        while True:
            if self._worker is None:
                self._worker = self._started()
            if self._stand_ins is not None:
                self._stand_ins.begin(None)
            loading = Loading(self._limits, again=self._skips.only_definitions)
            try:
                answer, printed = self._worker.ask(self._load_request, loading)
            except Stopped as stop:
                self._end_worker()
                if self._others_may_have_ended(stop, again=lost):
                    lost = lost or stop.lost
                elif (
                    (stop.limit != "wall" or alone)
                    and not self._clock.is_over
                    and self._skips.add(stop, loading)
                ):
                    self._load_request = self._encoded_load()
                else:
                    self.stopped = _ended(stop, self._limits, "Loading your file")
                    return self.stopped
                continue
            try:
                report = self._lines.quoted(loaded(answer, clean_text(printed, MAX_PRINTED)))
                self.loaded = self._skips.explained(report)
            except GraderFault:
                self._end_worker()
                self.stopped = Observation(Outcome.CRASHED, detail=why_not_loaded(answer))
            return self.stopped

    def _reply(self, fields: bytes) -> bytes:
        """Return the message that answers the call of a stand-in."""
        assert self._stand_ins is not None
        try:
            return self._stand_ins.reply(fields)
        except TooManyCallsError:
            raise Stopped("", limit="cpu") from None
        except ProtocolError as error:
            raise Stopped("", exit_code=None) from error

    def standing_in(
        self, stand_ins: StandIns | None, *, traced: bool = False, imports: Imports = None
    ) -> Session:
        """Return a session of the same submission, in a worker of its own, with right answers for some steps.

        If it is `traced`, it can be asked what the submission's expressions compute. With `imports` its code may import
        nothing else. A file that could not be loaded is not loaded again. Where a worker takes a second to start, this
        one is traced from now on.
        """
        if traced and stand_ins is None and self._sandbox.starts_slowly:
            return self._traced_here()
        other = self._opened_like_this(
            skips=deepcopy(self._skips),
            clock=self._clock,
            stand_ins=stand_ins,
            traced=traced,
            imports=imports or self._imports,
        )
        self._others.append(other)
        other.stopped = self.stopped
        if self.stopped is None and not self._clock.is_over:
            other.load(alone=False)
        return other

    def _traced_here(self) -> Session:
        self._load_fields["traced"] = True
        self._load_request = self._encoded_load()
        if self.stopped is None and not self._clock.is_over:
            self.load(alone=False)
        return self

    def observe(self, request: Request) -> Observation:
        """Run one probe. A step that ends its process costs that step only: the next gets a new worker."""
        lost = False
        while self.stopped is None:
            if self._clock.is_over:
                return Observation(
                    Outcome.TIMED_OUT, detail="Your submission as a whole took too long."
                )
            if self._worker is None:
                self.load(alone=False)
                continue
            try:
                return self._observed(self._worker, request)
            except Stopped as stop:
                self._end_worker()
                if not self._others_may_have_ended(stop, again=lost):
                    return _ended(stop, self._limits, f"`{request.step}`")
                lost = lost or stop.lost
        return self.stopped

    def observe_all(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Run probes whose requests are all sent ahead, if no stand-in is asked in between."""
        if self._worker is not None and self._stand_ins is None:
            self._worker.send(Ahead(one.step, one.encoded, one.encoded) for one in requests)
        left = len(requests)
        try:
            for request in requests:
                yield self.observe(request)
                left -= 1
        finally:
            if left:
                self._end_worker()

    def _observed(self, worker: Worker, request: Request) -> Observation:
        if worker.idle:
            worker.send(self._following(request))
        if self._stand_ins is not None:
            self._stand_ins.begin(request.inputs)
        answer, printed = worker.ask(request.encoded)
        try:
            return self._lines.error(observation(answer, clean_text(printed, MAX_PRINTED)))
        except GraderFault as fault:  # only a worker that was tampered with answers like this
            self._end_worker()
            detail = f"`{request.step}` broke its process: {fault}."
            return Observation(Outcome.CRASHED, detail=detail)

    def _following(self, request: Request) -> Sequence[Ahead]:
        """Return the plan from this request on."""
        for number, ahead in enumerate(self._plan):
            if ahead.request == request.encoded:
                return self._plan[number:]
        return ()

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
    if stop.limit in ("cpu", "awake", "wall", "sleep"):
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
    if not is_crash(stop.exit_code):
        detail = f"{subject} ended the Python process itself (exit code {stop.exit_code})."
        return Observation(Outcome.EXITED, printed=printed, detail=detail)
    detail = f"{subject} crashed the Python process ({crash_words(stop.exit_code)})."
    return Observation(Outcome.CRASHED, printed=printed, detail=detail)
