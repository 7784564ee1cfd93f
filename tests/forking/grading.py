"""Imported by the process from which the tests' grading processes are forked: all that these need."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading

from autograder.explain import exceptions  # noqa: F401 - imported when it is first needed
from autograder.grading import engines, task  # noqa: F401 - the functions that are called
from tests.forking import client, kept


def end_with(parent: int) -> None:
    """End this process when the command ends. Its parent is not that, but the process from which it was forked."""
    command = multiprocessing.parent_process()
    assert command is not None

    def wait() -> None:
        command.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


client.address = lambda: os.environ[client.ADDRESS]  # type: ignore[assignment]
engines._end_with = end_with
kept.share()
kept.draw("self_attention")
gc.collect()
gc.freeze()
