"""Attacks gain nothing with all layers active, and succeed without the layers against them.

Gains are measured from outside: files, processes, sockets and texts, not the attack's own claims.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.warm import can_fork
from tests.attacks.arena import Arena, texts, unfit
from tests.attacks.attack import ATTACKS, CATALOGUE, CATALOGUE_NOT_APPLICABLE, GOALS, KNOWN_GAINS
from tests.attacks.world import FOLDER_IN_PATH, ROOT, SECRET, TOKEN_VARIABLE, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.exam.questions import Exam
    from tests.attacks.attack import Attack

FIELDS = {
    "honest", "catalogue", "slow", "costly", "stopped_by", "stand_in", "only_with", "beside", "twice", "machine",
    "handed_in", "uses",
}  # fmt: skip
NOBODY = 65534
# Honest work is graded after so many attacks.
ATTACKS_TOGETHER = 10
# Goals for which an attack's success depends on the user and on the layers for files. The other attacks
# are on what the trusted process judges.
FOR_FILES = {"landlock", "bubblewrap"}
SYSTEMS_GOALS = ("read", "write", "network", "process", "exhaust")

ON_LINUX = pytest.mark.skipif(
    not can_fork(), reason="no process can be forked here, so nothing can be kept in"
)


def test_an_attack_says_what_it_is(exam: Exam) -> None:
    steps = {check.name for check in exam.assignment.checks}
    for attack in ATTACKS:
        assert attack.tries.endswith("."), attack.name
        assert attack.goal in GOALS, attack.name
        assert attack.stopped_by, attack.name
        assert attack.fields.keys() <= FIELDS, attack.name
        assert attack.honest.keys() <= steps, attack.name
        layers = set(attack.stand_in + attack.only_with)
        assert layers <= BY_NAME.keys(), attack.name
        # What the layers for files stop is an attack on the system.
        assert attack.goal in SYSTEMS_GOALS or not layers & FOR_FILES, attack.name
        assert not re.search(SECRET + r"\w", attack.text), attack.name


def test_each_row_of_the_catalogue_is_played_or_does_not_apply() -> None:
    played = {row for attack in ATTACKS for row in attack.catalogue}
    assert not played & CATALOGUE_NOT_APPLICABLE.keys()
    assert played | CATALOGUE_NOT_APPLICABLE.keys() == set(CATALOGUE)


@pytest.fixture(scope="module", autouse=True)
def token() -> Iterator[None]:
    """Put a secret into the grader's environment, as in a CI job."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(TOKEN_VARIABLE, f"{SECRET}of-the-environment")
        patch.setenv("PATH", FOLDER_IN_PATH, prepend=os.pathsep)
        yield


@pytest.fixture(scope="module")
def arena(exam: Exam) -> Iterator[Arena]:
    """Yield an arena with all layers of this machine."""
    with Arena(exam) as arena:
        missing = {"seccomp", "no_new_privileges", "limits"} - set(arena.layers)
        if missing or not FOR_FILES & set(arena.layers):
            status = ", ".join(f"{name}: {one}" for name, one in arena.sandbox.status().items())
            pytest.skip(f"layers are missing here: {status}")
        yield arena


@pytest.fixture(scope="module")
def world(arena: Arena) -> Iterator[World]:
    with World(arena.student) as world:
        world.secrets["environment"] = os.environ[TOKEN_VARIABLE]
        yield world
        world.sweep()


@pytest.fixture(scope="module")
def honest(arena: Arena, world: World, solution: str) -> Iterator[Honest]:
    honest = Honest(arena, world, solution)
    yield honest
    honest.look()


class Honest:
    """Honest work beside attacks: it gets all points and the same texts after each tenth attack, and after the last."""

    def __init__(self, arena: Arena, world: World, solution: str) -> None:
        self._arena, self._world, self._solution = arena, world, solution
        self._before = arena.grade("honest", solution)
        self._since: list[Attack] = []
        self.look()

    def after(self, attack: Attack) -> None:
        self._since.append(attack)
        if len(self._since) == ATTACKS_TOGETHER:
            self.look()

    def look(self) -> None:
        """Fail if honest work is graded in another way than before; say after which of the last attacks."""
        names, self._since = [attack.name for attack in self._since], []
        after, before = self._arena.grade("honest", self._solution), self._before
        assert (after.score, *texts(after)) == (before.score, *texts(before)), names
        assert after.score == after.max_score, names
        assert list(unfit(after)) == [], names


def parametrised(attacks: list[Attack]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "attack", [pytest.param(one, id=one.name, marks=marks(one)) for one in attacks]
    )


def marks(attack: Attack) -> list[pytest.MarkDecorator]:
    found = [pytest.mark.slow] * (attack.slow or attack.costly)
    return found + [pytest.mark.decided_by_the_user] * (attack.goal in SYSTEMS_GOALS)


@ON_LINUX
@parametrised([attack for attack in ATTACKS if attack.fits])
def test_an_attack_gains_nothing(
    attack: Attack, arena: Arena, world: World, honest: Honest
) -> None:
    missing = set(attack.only_with) - set(arena.layers)
    if missing:
        pytest.skip(f"nothing but {missing} stops it")
    attempt = arena.attempt(attack, world)
    honest.after(attack)

    assert list(attempt.gains) == KNOWN_GAINS.get(attack.name, []), attempt.result


@pytest.fixture(scope="module")
def open_arena(exam: Exam) -> Iterator[Callable[[tuple[str, ...]], Arena]]:
    """Yield a function that opens an arena without some layers; only one arena is open at a time."""
    opened: dict[tuple[str, ...], Arena] = {}

    with ExitStack() as stack:

        def open_one(without: tuple[str, ...]) -> Arena:
            if without not in opened:
                stack.close()
                opened.clear()
                layers = [name for name in BY_NAME if name not in without]
                opened[without] = stack.enter_context(Arena(exam, layers))
            return opened[without]

        yield open_one


STAND_INS = sorted(
    (one for one in ATTACKS if one.stand_in and one.fits), key=lambda one: one.stand_in
)


@ON_LINUX
@pytest.mark.slow
@parametrised(STAND_INS)
def test_without_its_layers_an_attack_succeeds(
    attack: Attack, open_arena: Callable[[tuple[str, ...]], Arena]
) -> None:
    """Slow: a warm process for each set of layers. Shows that layers are needed and tests can fail."""
    arena = open_arena(attack.stand_in)
    with World(arena.student) as world:
        try:
            attempt = arena.attempt(attack, world)
        finally:
            world.sweep()

    assert attempt.gains, attempt.result


@ON_LINUX
@pytest.mark.slow
@pytest.mark.parametrize("without", ["bubblewrap", "landlock"])
def test_either_of_the_layers_for_files_will_do(without: str, exam: Exam, arena: Arena) -> None:
    """Slow: all quick attacks on the system again. Many machines have only one of the two layers, and still grade."""
    if not set(arena.layers) >= FOR_FILES:
        pytest.skip("this machine has only one of the two, and the test above was with it")
    gains: dict[str, tuple[str, ...]] = {}
    with Arena(exam, [name for name in BY_NAME if name != without]) as fewer:
        for attack in ATTACKS:
            quick = attack.fits and not attack.slow and attack.goal in SYSTEMS_GOALS
            if quick and set(attack.only_with) <= set(fewer.layers):
                with World(fewer.student) as world:
                    gains[attack.name] = fewer.attempt(attack, world).gains

    gained = {name: list(found) for name, found in gains.items() if found}
    assert gained == {}, gained


@ON_LINUX
@pytest.mark.install
def test_the_same_as_an_ordinary_user() -> None:
    """Slow: all quick attacks on the system again as user nobody."""
    if os.geteuid() != 0:
        pytest.skip("this is an ordinary user already")
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv here")
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", sys.executable]

    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to other users
        Path(folder).chmod(0o777)
        own = {"HOME": "/nonexistent", "HYPOTHESIS_STORAGE_DIRECTORY": folder}
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **own}

        def run(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*become, *words],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )

        # In a grandchild: this user may be unable to start an interpreter in root's home.
        again = "subprocess.run([sys.executable, '-c', 'import torch'], check=True)"
        reached = run("-c", f"import subprocess, sys, torch, autograder; {again}")
        if reached.returncode:
            pytest.skip(f"nobody cannot run {sys.executable}: {reached.stderr[-200:]}")
        quick = "decided_by_the_user and not slow and not install"
        attacks = (str(Path(__file__).parent), "-m", quick, "-k", "gains_nothing")
        ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", *attacks)

    assert ran.returncode == 0, ran.stdout[-20_000:]
