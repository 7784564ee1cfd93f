"""docs/authoring.md, word by word: its files are written, its commands run, outputs compared, additions built."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.assignment.cases import Draw
from autograder.assignment.hints import PARTS
from autograder.release import build, bundle
from tests.command_line import Invoked, invoke
from tests.commands.test_grade import hand_in
from tests.forking import client

BLOCK = re.compile(
    r"^(?:`(?P<file>[\w/.]+)`(?P<added>, added)?:\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A block of the page: a file, what is added to a file, commands (`sh`), or what they print (`text`)."""

    kind: str
    text: str
    file: str
    added: bool


class Walk(NamedTuple):
    """The first half of the page, carried out: the project, and what each command printed, in order."""

    project: Path
    printed: dict[str, list[Invoked]]


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "authoring.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def blocks(page: str) -> list[Block]:
    found = BLOCK.finditer(page)
    return [Block(one["kind"], one["text"], one["file"] or "", bool(one["added"])) for one in found]


@pytest.fixture(scope="module")
def walk(root: Path, blocks: list[Block], tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Write each file and run each command, in the order of the page."""
    project = tmp_path_factory.mktemp("project")
    printed: dict[str, list[Invoked]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "build_wheel", lambda _: ("kit.whl", b"needs pip and a minute"))
        shutil.copy(root / "constraints.txt", project)
        patch.chdir(project)
        for block in blocks:
            if block.kind == "sh":
                for line in block.text.splitlines():
                    printed.setdefault(line, []).append(ran(line, patch))
            elif block.file and not block.added:
                hand_in(project, {block.file: block.text})
    return Walk(project, printed)


def ran(line: str, patch: pytest.MonkeyPatch) -> Invoked:
    """Run a line of the page, which is one of few programs."""
    match shlex.split(line):
        case ["autograder", "grade", *words]:
            return invoke(["grade", *words, "--no-pages", "--allow-degraded"])
        case ["autograder", "bundle", *words]:
            return invoke(["bundle", *words], alone=True)
        case ["autograder", "show", *words]:
            return invoke(["show", *words, "--allow-degraded"])
        case ["autograder", *words]:
            return invoke(words)
        case ["python", *words]:
            done = client.run([sys.executable, *words], capture_output=True, text=True)
            return Invoked(done.returncode, done.stdout, done.stderr, None)
        case ["cd", folder]:
            patch.chdir(folder)
        case ["mkdir", "-p", *folders]:
            hand_in(Path.cwd(), {f"{folder}/.keep": "" for folder in folders})
        case ["cp", "-r", source, folder]:
            shutil.copytree(source, folder)
        case ["cp", source, folder]:
            shutil.copy(source, folder)
        case words:
            pytest.fail(f"no program of the page: {words}")
    return Invoked(0, "", "", None)


def test_every_block_of_the_page_is_tried(page: str, blocks: list[Block]) -> None:
    """A block is a file, an addition, commands, or an output; only the tree of files has another form."""
    for block in blocks:
        assert block.kind in ("sh", "text") or block.file, block.text
    assert len(blocks) == page.count("\n```") / 2
    indented = re.findall(r"^\n {4}(\S.*)$", BLOCK.sub("", page), re.MULTILINE)
    assert indented == ["solutions/<name>/"]


@pytest.mark.slow  # carries the page out
def test_each_command_of_the_page_ends_as_it_should(walk: Walk) -> None:
    """The stub's own pytest run fails: nothing is started."""
    ends = {line: [done.exit_code for done in runs] for line, runs in walk.printed.items()}
    failing = {line for line, codes in ends.items() if any(codes)}
    assert failing == {"python -m pytest"}, walk.printed
    assert ends["python -m pytest"] == [1]
    [pytest_run] = walk.printed["python -m pytest"]
    assert pytest_run.stdout.count("not started") >= 2
    first, again = walk.printed["autograder build causal"]
    assert "causal: written\n" in first.stdout
    assert "causal: written\n" in again.stdout  # with the mistakes


@pytest.mark.slow  # carries the page out
def test_the_outputs_of_the_page_are_those_of_the_kit(
    blocks: list[Block], walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message, figures = (one.text for one in blocks if one.kind == "text")
    [listed] = walk.printed["autograder mutants causal"]
    number = re.compile(r"[1-9]\d*")  # other versions of torch give other numbers of edits
    assert number.sub("N", figures) in number.sub("N", listed.stdout)
    shutil.copytree(walk.project / "solutions", tmp_path / "solutions")
    cases = tmp_path / "solutions" / "causal" / "cases.py"
    text = cases.read_text(encoding="utf-8")
    cases.write_text(
        text.replace("draw.tensor(draw.tokens, draw.tokens)", "draw.tensor(draw.width)", 1)
    )
    monkeypatch.chdir(tmp_path)
    assert invoke(["build", "causal"]).stderr == message


def test_the_page_lists_every_member_of_draw(page: str) -> None:
    draw = Draw("page")
    kept = {"sizes", "integers"}  # for the second case, which must differ
    members = {name for name in dir(draw) if not name.startswith("_")} - kept
    table = [line for line in page.splitlines() if line.startswith("| `draw.")]
    assert members == set(re.findall(r"`draw\.(\w+)", "\n".join(table)))


@pytest.mark.slow  # carries the page out
def test_what_the_second_half_adds_is_built(
    blocks: list[Block], walk: Walk, tmp_path: Path
) -> None:
    """With hints for its steps. The build tries out that each mistake costs points and is told by its name."""
    shutil.copytree(walk.project / "solutions", tmp_path / "solutions")
    for block in blocks:
        if block.added:
            with (tmp_path / block.file).open("a", encoding="utf-8") as file:
                file.write(f"\n\n{block.text}")
    for step in ("CausalHead", "token_indices", "layer_norm", "with_noise"):
        hints = "".join(f'{part} = "..."\n' for part in PARTS)
        with (tmp_path / "solutions" / "causal" / "hints.toml").open("a") as file:
            file.write(f"\n[{step}]\n{hints}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "search_mutants", lambda _: {})
        patch.chdir(tmp_path)
        done = invoke(["build", "causal"], alone=True)
    assert (done.exit_code, done.stderr) == (0, "")
