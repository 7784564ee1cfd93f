"""A real kernel, and the cells with which the tests here begin."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SETUP = "from autograder.notebook import check"
GIVEN = "import torch\nfrom torch import nn"
TRANSPOSED = "def attention_scores(queries, keys):\n    return keys @ queries.T"
RIGHT = "def attention_scores(queries, keys):\n    return queries @ keys.T"
CHECK = 'check("attention_scores")'


@dataclass
class Ran:
    status: str = ""
    shown: list[dict[str, Any]] = field(default_factory=list)
    error: list[str] = field(default_factory=list)
    streams: list[tuple[str, str]] = field(default_factory=list)
    values: int = 0
    number: int = 0


class Kernel:
    def __init__(self, folder: Path, command: Sequence[str] = (), **variables: str) -> None:
        """Start a kernel in a folder, of this interpreter or of that of the command."""
        manager = pytest.importorskip("jupyter_client.manager")
        pytest.importorskip("ipykernel")
        self.manager = manager.KernelManager(kernel_name="python3")
        if command:
            self.manager.kernel_spec.argv = [
                *command,
                "-m",
                "ipykernel_launcher",
                "-f",
                "{connection_file}",
            ]
        self.manager.start_kernel(cwd=str(folder), env=os.environ | variables)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def send(self, text: str, cell: str | None = None) -> str:
        metadata = {"cellId": cell} if cell else {}
        content = {"code": text, "silent": False, "store_history": True, "stop_on_error": False}
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def run(self, text: str, cell: str | None = None) -> Ran:
        return self.wait(self.send(text, cell))

    def wait(self, sent: str) -> Ran:
        ran = Ran()
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != sent:
                continue
            content = message["content"]
            match message["msg_type"]:
                case "display_data":
                    ran.shown.append(content["data"])
                case "error":
                    ran.error += content["traceback"]
                case "stream":
                    ran.streams.append((content["name"], content["text"]))
                case "execute_input":
                    ran.number = content["execution_count"]
                case "execute_result":
                    ran.values += 1
                case "status" if content["execution_state"] == "idle":
                    return ran

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
