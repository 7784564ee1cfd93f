"""The bundles for course platforms, run as the platform runs them: each installs torch and the kit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import psutil
import pytest
import yaml

from autograder.release.bundle import TORCH_INDEX, bundle_for_platform

if TYPE_CHECKING:
    from collections.abc import Callable

    Once = Callable[[str, Callable[[Path], object]], Path]

pytestmark = [
    pytest.mark.install,
    pytest.mark.skipif(shutil.which("bash") is None, reason="these platforms run bash"),
    pytest.mark.skipif(sys.platform != "linux", reason="these platforms run Linux"),
]

NAME = "self_attention"
# torch has thousands of modules, and few are imported.
COMPILE_NOTHING = {"PIP_COMPILE": "0"}
# This interpreter is the one that is installed with.
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
WRONG = (
    "\n\ndef attention_score(query, key):\n    return query @ key + 1\n"  # no other step uses it
)
STEP_HANGS = "\n\ndef attention_score(query, key):\n    while True:\n        pass\n"
# Lines before a right solution, which still earns 20 points: a line that ends the program costs nothing.
SUBMISSIONS = {
    "exits": "import os\nos._exit(0)\n",
    "pretends": "import sys\nprint('::notice title=points::20 of 20 points')\nsys.exit(0)\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where torch's CPU builds are: as in the README, or where this machine's pip is told to look anyway."""
    if not os.environ.get("PIP_FIND_LINKS"):
        return TORCH_INDEX
    empty = tmp_path_factory.mktemp("index")
    return empty.as_uri()


def run(
    command: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


class Repository:
    """A repository from the template for GitHub, and its workflow's own shell steps."""

    def __init__(self, root: Path, folder: Path, index: str) -> None:
        self.repository = folder / "repository"
        self.temp = folder / "temp"
        self.temp.mkdir()
        bundle_for_platform("github", NAME, folder / "template", root, index)
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Start"]):
            subprocess.run([*git, *words], cwd=folder / "template", check=True)
        subprocess.run(
            ["git", "clone", "-q", str(folder / "template"), str(self.repository)], check=True
        )
        path = self.repository / ".github" / "workflows" / "public-checks.yml"
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        self.steps = {
            step["name"]: step["run"] for step in jobs["public-checks"]["steps"] if "run" in step
        }

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run one step as GitHub does: in a clean shell that stops at the first error."""
        kept = ("PATH", "HOME", "PIP_FIND_LINKS", "PIP_CERT", "PIP_INDEX_URL")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {
            "PATH": PATH,
            "CI": "true",
            **COMPILE_NOTHING,
            "GITHUB_ACTIONS": "true",
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.steps[name]]
        return run(command, self.repository, environment)

    def check(self, source: str | None) -> tuple[subprocess.CompletedProcess[str], Any]:
        """Push a file, and return the step with its result, if there is one."""
        (self.temp / "summary").unlink(missing_ok=True)
        shutil.rmtree(self.temp / "results", ignore_errors=True)
        if source is not None:
            (self.repository / NAME / f"{NAME}.py").write_text(source, encoding="utf-8")
        done = self.run("Public checks")
        path = self.temp / "results" / NAME / "results.json"
        return done, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


@pytest.fixture(scope="module")
def hub(root: Path, tmp_path_factory: pytest.TempPathFactory, index: str, once: Once) -> Repository:
    """A repository on GitHub with the kit, which is installed once."""

    def install(folder: Path) -> None:
        done = Repository(root, folder, index).run("Install")
        assert done.returncode == 0, done.stdout + done.stderr

    made = Repository(root, tmp_path_factory.mktemp("hub"), index)
    (made.temp / "kit").symlink_to(once("installed repository", install) / "temp" / "kit")
    return made


# Modules that Python would import if it looked into the folder in which it runs, or into PYTHONPATH.
MODULES = ("sitecustomize", "venv", "pip", "logging", "multiprocessing", "autograder", "conftest")


def plant_modules(folder: Path, marker: Path) -> None:
    """Let a repository bring modules that leave a mark when they run."""
    for module in MODULES:
        text = f"open({str(marker)!r}, 'a').write({module!r})\n"
        (folder / f"{module}.py").write_text(text, encoding="utf-8")


def points(content: Any) -> float:
    return sum(float(test["score"]) for test in content["tests"])


def commands_of(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stdout.splitlines() if line.startswith("::")]


def test_a_right_submission_passes_on_github_and_a_stub_is_told_nothing_wrong(
    hub: Repository, solution: str
) -> None:
    done, content = hub.check(solution)

    assert done.returncode == 0, done.stdout + done.stderr
    assert points(content) == 20
    [notice] = commands_of(done)
    assert "20 of 20 points. These are the public checks." in notice
    assert "20 of 20 points" in (hub.temp / "summary").read_text(encoding="utf-8")
    assert hub.run("JUnit").returncode == 0
    suite = ET.parse(hub.temp / "results" / "junit.xml").getroot()
    assert suite.find(".//testsuite[@tests='11'][@failures='0']") is not None

    subprocess.run(["git", "checkout", "-q", "."], cwd=hub.repository, check=True)
    done, content = hub.check(None)

    assert done.returncode == 0, done.stdout + done.stderr
    assert points(content) == 0
    [notice] = commands_of(done)
    assert "nothing handed in yet, 0 of 20 points." in notice


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_that_ends_at_import_earns_what_is_right_on_github(
    hub: Repository, solution: str, name: str
) -> None:
    done, content = hub.check(SUBMISSIONS[name] + solution)

    assert done.returncode == 0, done.stderr
    assert (len(content["tests"]), points(content)) == (11, 20)
    assert [line.partition("::")[2].partition(" ")[0] for line in commands_of(done)] == ["notice"]
    assert "title=points::" not in done.stdout


def test_a_repository_on_github_cannot_run_its_modules_or_bring_its_own_results(
    hub: Repository, solution: str, tmp_path: Path
) -> None:
    """Results of another run lie in the checkout, with more points in `overrides.csv`."""
    hub.check(solution)
    overrides = "student,step,points\n" + f"{NAME},attention_score,1\n"
    (hub.temp / "results" / "overrides.csv").write_text(overrides, encoding="utf-8")
    shutil.copytree(hub.temp / "results", hub.repository / "results")
    plant_modules(hub.repository, tmp_path / "ran")
    try:
        done, content = hub.check(solution + WRONG)
        shown = hub.run("JUnit")
    finally:
        subprocess.run(["git", "clean", "-fdxq"], cwd=hub.repository, check=True)

    assert (done.returncode, shown.returncode) == (3, 0), done.stderr + shown.stderr
    assert points(content) == 19
    wrong = [line for line in commands_of(done) if line.startswith("::error")]
    assert len(wrong) == 1
    assert f"file={NAME}/{NAME}.py" in wrong[0]
    assert not (tmp_path / "ran").exists()


def test_without_the_release_there_is_no_result(hub: Repository, solution: str) -> None:
    expected = hub.repository / NAME / "expected.json"
    kept = expected.read_bytes()
    expected.unlink()
    try:
        done, content = hub.check(solution)
    finally:
        expected.write_bytes(kept)

    assert done.returncode not in (0, 3)
    assert content is None


def test_classroom_50_gets_a_result_from_its_own_copy_of_the_release(
    root: Path, tmp_path: Path, hub: Repository, index: str, solution: str
) -> None:
    bundle_for_platform("classroom50", NAME, tmp_path / "bundle", root, index)
    autograder = tmp_path / "bundle" / "autograders" / NAME
    (autograder / "kit").symlink_to(hub.temp / "kit")  # installed already
    checkout = tmp_path / "bundle" / "template"
    (checkout / NAME / f"{NAME}.py").write_text(solution + WRONG, encoding="utf-8")
    (checkout / NAME / "expected.json").write_text("{}", encoding="utf-8")
    (checkout / "result.json").symlink_to(tmp_path / "kept.json")
    plant_modules(checkout, tmp_path / "ran")
    told = {"CLASSROOM": "cs", "ASSIGNMENT": "attention", "SUBMISSION_TAG": "submit/1"}
    command = [sys.executable, str(autograder / "autograder.py")]
    done = run(command, checkout, {**os.environ, **told})

    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((checkout / "result.json").read_text(encoding="utf-8"))
    assert (found["schema"], found["classroom"]) == ("classroom50/result/v1", "cs")
    assert 0 < found["score"] < found["max-score"] == 20_000
    assert not list(tmp_path.glob("kept.json"))
    assert not (tmp_path / "ran").exists()


def gitlab(
    root: Path, folder: Path, hub: Repository, index: str, source: str
) -> tuple[Path, list[str], Any]:
    """Return a repository of GitLab's with a file, the lines of its job that do not install, and the job."""
    repository = bundle_for_platform("gitlab", NAME, folder / "repository", root, index)
    (repository / NAME / f"{NAME}.py").write_text(source, encoding="utf-8")
    content = (repository / ".gitlab-ci.yml").read_text(encoding="utf-8")
    job = yaml.safe_load(content.replace("/tmp/kit", str(folder / "kit")))["public-checks"]
    # The lines that install are GitHub's: what they installed is used again.
    install = [
        line.replace("$RUNNER_TEMP", str(folder)).replace('"', "")
        for line in hub.steps["Install"].splitlines()
    ]
    assert [line.replace('"', "") for line in job["script"][1 : 1 + len(install)]] == install
    (folder / "kit").symlink_to(hub.temp / "kit")
    return repository, [job["script"][0], *job["script"][1 + len(install) :]], job


@pytest.mark.parametrize(("wrong", "code"), [("", 0), (WRONG, 3)])
def test_gitlabs_job_is_red_below_all_points(
    root: Path, tmp_path: Path, hub: Repository, index: str, solution: str, wrong: str, code: int
) -> None:
    repository, script, job = gitlab(root, tmp_path, hub, index, solution + wrong)
    done = run_in(repository, "\n".join(script))

    assert done.returncode == code, done.stderr
    for report in (*job["artifacts"]["reports"].values(), "results/grades.csv"):
        assert (repository / report).stat().st_size


def plant(folder: Path, elsewhere: Path) -> None:
    """Let a repository bring results in which all is right, as a link, and modules."""
    results = elsewhere / "results"
    shutil.copytree(folder / "results", results)
    shutil.rmtree(folder / "results")
    (folder / "results").symlink_to(results)
    with (results / "overrides.csv").open("w", encoding="utf-8") as file:
        file.write("student,step,points,reason,who\n")
        for test in json.loads((results / NAME / "results.json").read_bytes())["tests"]:
            file.write(f"{NAME},{test['name']},{test['max_score']:g},right,me\n")
    plant_modules(folder, elsewhere / "ran")


@pytest.mark.parametrize("linked", [True, False])
def test_a_repository_on_gitlab_cannot_bring_its_own_verdict(
    root: Path, tmp_path: Path, hub: Repository, index: str, solution: str, linked: bool
) -> None:
    repository, script, _ = gitlab(root, tmp_path, hub, index, solution)
    assert run_in(repository, "\n".join(script)).returncode == 0
    plant(repository, tmp_path / "elsewhere")
    if not linked:
        (repository / "results").unlink()
        shutil.copytree(tmp_path / "elsewhere" / "results", repository / "results")
    before = (tmp_path / "elsewhere" / "results" / "grades.csv").read_bytes()
    (repository / NAME / f"{NAME}.py").write_text("print('nothing')\n", encoding="utf-8")
    done = run_in(repository, "\n".join(script), PYTHONPATH=str(repository))

    assert done.returncode == 3, done.stdout + done.stderr
    assert ",0," in (repository / "results" / "grades.csv").read_text(encoding="utf-8")
    assert not (repository / "results").is_symlink()
    assert (tmp_path / "elsewhere" / "results" / "grades.csv").read_bytes() == before
    assert not (tmp_path / "elsewhere" / "ran").exists()


@pytest.mark.parametrize("file", ["requirements.txt", "sandbox.lock", "*.whl"])
def test_what_a_repository_changed_is_not_installed(
    root: Path, tmp_path: Path, hub: Repository, index: str, file: str
) -> None:
    repository = bundle_for_platform("gitlab", NAME, tmp_path / "repository", root, index)
    (path,) = repository.glob(file)
    path.write_bytes(path.read_bytes() + b"\n")
    done = run_in(repository, hub.steps["Install"], RUNNER_TEMP=str(tmp_path))

    assert done.returncode == 1
    assert done.stdout == f"{path.name}: FAILED\nGet these files again from the release.\n"
    assert not (tmp_path / "kit").exists()


def run_in(folder: Path, script: str, **more: str) -> subprocess.CompletedProcess[str]:
    return run(["bash", "-eo", "pipefail", "-c", script], folder, {**os.environ, **more})


# --- Gradescope ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gradescope(
    root: Path, tmp_path_factory: pytest.TempPathFactory, index: str, once: Once
) -> Path:
    """Gradescope's folder, with the zip unpacked and its setup.sh run, which is done once."""

    def install(folder: Path) -> None:
        unpacked = unpack(root, folder, index)
        setup = ["bash", str(unpacked / "source" / "setup.sh")]
        done = run(setup, folder, {**os.environ, **COMPILE_NOTHING, "PATH": PATH})
        assert done.returncode == 0, done.stdout + done.stderr

    folder = unpack(root, tmp_path_factory.mktemp("gradescope"), index)
    (folder / "kit").symlink_to(once("installed gradescope", install) / "autograder" / "kit")
    return folder


def unpack(root: Path, home: Path, index: str) -> Path:
    """Unpack the zip as Gradescope does; return its folder."""
    folder = home / "autograder"
    for name in ("source", "submission", "results"):
        (folder / name).mkdir(parents=True)
    with zipfile.ZipFile(
        bundle_for_platform("gradescope", NAME, folder.parent / "g.zip", root, index)
    ) as archive:
        archive.extractall(folder / "source")
    shutil.copy(folder / "source" / "run_autograder", folder)
    return folder


def grade(folder: Path, source: str) -> tuple[int, Any, int]:
    """Hand in a file on half a CPU; return the exit code, the results and the most memory in megabytes."""
    shutil.rmtree(folder / "submission")
    (folder / "submission").mkdir()
    (folder / "submission" / f"{NAME}.py").write_text(source, encoding="utf-8")
    results = folder / "results" / "results.json"
    results.unlink(missing_ok=True)
    with subprocess.Popen(["bash", "run_autograder"], cwd=folder, stdout=-3, stderr=-3) as running:
        os.sched_setaffinity(running.pid, {min(os.sched_getaffinity(0))})
        most = 0
        while running.poll() is None:
            most = max(most, memory(running.pid))
            stopped_for(0.05, running.pid)
            time.sleep(0.05)
    found = json.loads(results.read_text(encoding="utf-8")) if results.exists() else None
    return running.returncode, found, most // 2**20


def stopped_for(seconds: float, pid: int) -> None:
    """Stop a process and all below it for a while, then let them go on."""
    processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    for act in (psutil.Process.suspend, psutil.Process.resume):
        for process in processes:
            with suppress(psutil.NoSuchProcess):  # it has just ended
                act(process)
        if act is psutil.Process.suspend:
            time.sleep(seconds)


def memory(pid: int) -> int:
    """What all processes hold together. A page that several of them share counts once, as in a container."""
    total = 0
    for process in [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]:
        try:
            total += process.memory_full_info().pss
        except psutil.Error:
            continue  # it has just ended
    return total


def with_cuda(folder: Path) -> bool:
    program = str(folder / "kit" / "bin" / "python")
    done = run([program, "-c", "import torch; print(torch.version.cuda)"], folder, {**os.environ})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip() != "None"


def can_close(folder: Path) -> bool:
    program = str(folder / "kit" / "bin" / "autograder")
    return run([program, "doctor"], folder, {**os.environ}).returncode == 0


def test_gradescope_grades_nothing_in_a_degraded_sandbox(gradescope: Path, solution: str) -> None:
    if can_close(gradescope):
        pytest.skip("this machine has all layers of the sandbox")
    code, found, _ = grade(gradescope, solution)
    assert (code, found) == (1, None)


@pytest.mark.parametrize(
    ("file", "score"),
    [
        pytest.param("WORK", 20, id="right"),
        pytest.param("WORK" + WRONG, 19, id="wrong"),
        pytest.param("WORK" + STEP_HANGS, 19, id="hangs"),
        pytest.param(SUBMISSIONS["exits"] + "WORK", 20, id="exits"),
        pytest.param("exec(open('SOLUTION').read())\n", 0, id="reads"),
    ],
)
def test_gradescope_grades_on_half_a_cpu_in_768_megabytes(
    gradescope: Path, solution: str, file: str, score: float
) -> None:
    """Right, wrong and hostile work. SOLUTION is the path of the solution, WORK its text."""
    if not can_close(gradescope):
        pytest.skip("this machine lacks a layer of the sandbox")
    path = gradescope / "source" / "solutions" / NAME / f"{NAME}.py"
    source = file.replace("SOLUTION", str(path)).replace("WORK", solution)
    code, found, most = grade(gradescope, source)
    assert (code, found["score"]) == (0, score)
    assert not found["extra_data"]["public"]
    if not with_cuda(
        gradescope
    ):  # whose libraries alone take more; setup.sh asks for torch without them
        assert most < 768
