"""The untrusted process: it loads a student's source and runs probes on it.

It holds no right answers. It reads requests from its standard input and answers on what was its standard output; what
the student prints goes to its standard error, where a mark ends the output of each request. Run as
`python -m autograder.sandbox.worker`.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from autograder.checks import Check, checks_of, run_source
from autograder.probing import Unsuitable, run
from autograder.sandbox.protocol import encode, read_frame, write_frame
from autograder.sandbox.student import StudentModule, describe, load
from autograder.values import TooLarge, freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Mapping


class Observer:
    """One submission in this process: its module, and the checks whose probes are run on it."""

    def __init__(self) -> None:
        self.checks: dict[str, Check] = {}
        self.student: StudentModule | None = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, object]:
        """Do what one request asks for."""
        return self._load(request) if request["op"] == "load" else self._observe(request)

    def _load(self, request: Mapping[str, Any]) -> dict[str, object]:
        probes = run_source(request["probes"], "probes")
        self.checks = {check.name: check for check in checks_of(probes)}
        self.student = load(
            request["name"], [(label, source) for label, source in request["pieces"]]
        )
        names = [name for name, thing in vars(self.student.module).items() if callable(thing)]
        return {
            "names": [name[:100] for name in names if not name.startswith("__")][:1000],
            "failures": self.student.failures[:20],
        }

    def _observe(self, request: Mapping[str, Any]) -> dict[str, object]:
        assert self.student is not None
        check = self.checks[request["check"]]
        if not hasattr(self.student.module, check.name):
            return {"kind": "missing"}
        probe = check.aspect(request["aspect"]).probes[request["probe"]]
        inputs = request["inputs"]
        before = {name: encode(freeze(value)) for name, value in inputs.items()}
        try:
            returned = freeze(run(probe, self.student.module, inputs))
            changed = [
                name for name, value in inputs.items() if encode(freeze(value)) != before[name]
            ]
        except TooLarge as error:
            return {"kind": "too_large", "why": str(error)[:300]}
        except Unsuitable as error:
            return {"kind": "unsuitable", "why": str(error)[:300]}
        except SystemExit as error:
            return {"kind": "exited", "error": describe(error, self.student.labels)}
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises is an observation
            return {"kind": "raised", "error": describe(error, self.student.labels)}
        return {"kind": "returned", "value": returned, "changed": changed}


def limit_memory(megabytes: int) -> bool:
    """Cap this process's address space; False where the system has no such limit."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return False
    size = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    return True


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Take the protocol's streams away from student code: `print` goes to standard error, `input` finds nothing."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    return requests, answers


def end_of_output(mark: bytes) -> None:
    """Tell the grader that all output of this request has been written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (
            AttributeError,
            OSError,
            ValueError,
        ):  # the student closed or replaced it: nothing to flush
            continue
    os.write(2, mark)


def main() -> None:
    """Answer requests until the grader closes the stream."""
    requests, answers = private_streams()
    import torch  # noqa: PLC0415 - after the streams are safe: importing takes a second and may print

    torch.set_num_threads(1)
    write_frame(answers, freeze({"torch": torch.__version__}))
    observer = Observer()
    while True:
        try:
            request = thaw(read_frame(requests))
        except EOFError:
            os._exit(0)
        if request["memory"]:
            limit_memory(request["memory"])
        answer = observer.answer(request)
        end_of_output(request["mark"].encode())
        try:
            write_frame(answers, freeze(answer))
        except TooLarge as error:
            write_frame(answers, freeze({"kind": "too_large", "why": str(error)}))


if __name__ == "__main__":
    main()
