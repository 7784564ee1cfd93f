"""JupyterLab and a browser to look at it: real ones, at home in a folder of their own."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.nbgrader.course import environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

# How long anything may take to be seen, in milliseconds, on a machine that has other things to do.
PATIENCE = 120_000
_TOKEN = "the-token-of-a-test"
# Nothing is asked when it starts, and nothing is fetched.
_SETTINGS = {
    "page_config.json": {"buildCheck": False},
    "default_setting_overrides.json": {
        "@jupyterlab/apputils-extension:notification": {
            "fetchNews": "false",
            "checkForUpdates": False,
        }
    },
}
_FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def lacking() -> str:
    """What is not installed of all that this takes; empty if nothing is."""
    packages = [
        name
        for name in ("playwright", "jupyterlab", "nbgrader")
        if not importlib.util.find_spec(name)
    ]
    return ", ".join(packages if shutil.which("chromium") else ["chromium", *packages])


@dataclass(frozen=True)
class Server:
    folder: Path
    address: str

    def url(self, path: str) -> str:
        """The address of a page of it, for whoever may see it."""
        return f"{self.address}{path}?token={_TOKEN}"


@contextmanager
def jupyterlab(folder: Path, home: Path) -> Iterator[Server]:
    """Serve a folder. Settings, kernels' files and the log are in `home`, which is made."""
    settings = home / ".jupyter" / "labconfig"
    settings.mkdir(parents=True)
    for name, content in _SETTINGS.items():
        (settings / name).write_text(json.dumps(content), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0"]
    if os.geteuid() == 0:
        command.append("--allow-root")
    log = home / "log.txt"
    with log.open("w") as file:
        running = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(home) | {"JUPYTER_TOKEN": _TOKEN},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Server(folder, _address(running, home / ".runtime", log))
    finally:
        running.terminate()  # it ends its kernels
        try:
            running.wait(10)  # for ever, if it was answering somebody just now
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def _address(running: subprocess.Popen[bytes], runtime: Path, log: Path) -> str:
    """Where the server can be reached, as soon as it answers."""
    notes = runtime / f"jpserver-{running.pid}.json"
    end = time.monotonic() + PATIENCE / 1000
    while running.poll() is None and time.monotonic() < end:
        if notes.exists() and (text := notes.read_text(encoding="utf-8")).endswith("}"):
            server = json.loads(text)
            if _listens(server["port"]):  # it writes its notes before
                return str(server["url"])
        time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8"))


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@contextmanager
def chromium(home: Path) -> Iterator[Browser]:
    """The system's browser, without a window. It reaches nothing but this machine."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everybody has it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=_FLAGS,
            chromium_sandbox=os.geteuid() != 0,
            env=dict(environment(home)),
            timeout=PATIENCE,
        )
        try:
            yield browser
        finally:
            browser.close()


def new_page(browser: Browser) -> Page:
    """A page of a visitor who was never there before."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000}, color_scheme="light")
    page.set_default_timeout(PATIENCE)
    return page
