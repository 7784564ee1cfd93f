"""An editor's debugger: a client of debugpy, which VS Code uses, for one pytest run in a folder."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_START = (
    "import debugpy; debugpy.configure(subProcess=False); "
    "print(debugpy.listen(('127.0.0.1', 0))[1], flush=True); debugpy.wait_for_client()"
)
_RUN = "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))"
_SECONDS = 60


class Editor:
    """pytest in a debugger that waits for this client."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-Xfrozen_modules=off", "-c", f"{_START}; {_RUN}", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        port = int(self.process.stdout.readline())
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_SECONDS)
        self._messages = self._socket.makefile("rb")
        self._sent = 0

    def send(self, command: str, **arguments: object) -> None:
        self._sent += 1
        message = {"seq": self._sent, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def wait_for(self, name: str) -> dict[str, Any]:
        """Read messages up to this event, or the answer to this command."""
        while True:
            length = int(self._messages.readline().rpartition(b":")[2])
            self._messages.readline()
            message: dict[str, Any] = json.loads(self._messages.read(length))
            if name in (message.get("event"), message.get("command")):
                return message

    def stops_at(self, path: Path, line: int) -> tuple[str, str, int]:
        """Run to a breakpoint; return the function, the file and the line where it stops."""
        self.send("initialize", adapterID="test", pathFormat="path")
        self.send("attach", subProcess=False)
        self.wait_for("initialized")
        self.send("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": line}])
        self.send("configurationDone")
        thread = self.wait_for("stopped")["body"]["threadId"]
        self.send("stackTrace", threadId=thread)
        frame = self.wait_for("stackTrace")["body"]["stackFrames"][0]
        return frame["name"], frame["source"]["path"], frame["line"]

    def close(self) -> str:
        """Go on without a debugger; return what pytest printed."""
        self.send("disconnect", terminateDebuggee=False)
        self._messages.close()
        self._socket.close()
        try:
            printed, _ = self.process.communicate(timeout=_SECONDS)
        finally:
            self.process.kill()
        return printed
