"""What a course platform gets: complete, the same bytes each time, and working."""

from __future__ import annotations

import hashlib
import re
import zipfile
from typing import TYPE_CHECKING, cast

import pytest
import yaml

from autograder.release import bundle as platforms
from autograder.release.build import Build
from autograder.release.bundle import TARGETS, bundle_for_platform
from tests.command_line import files
from tests.exams import source_of

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.exam.questions import Exam

NAME = "self_attention"
WORKFLOW = ".github/workflows/public-checks.yml"
WHEEL = "self_attention_kit-0.1.0-py3-none-any.whl"


def bundle(root: Path, platform: str, out: Path) -> Path:
    return bundle_for_platform(platform, NAME, out, root, "https://example.org/whl")


def _as_released(_solutions: Path, assignments: Path, name: str) -> Build:
    """What building makes, read from the release instead of drawn again; `test_build` compares the two."""
    folder = assignments / name
    return Build(
        source=source_of(name),
        exam=cast("Exam", None),  # no bundle looks at it
        name=name,
        folder=folder,
        files={path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()},
        edited=(),
        changed=(),
        course={},
    )


@pytest.fixture(scope="module")
def bundles(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every bundle, but for the wheel: making it takes seconds, and these tests are about all else."""
    folder = tmp_path_factory.mktemp("bundles")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(platforms, "build_wheel", lambda _project: (WHEEL, b"wheel"))
        patch.setattr(platforms, "plan_build", _as_released)
        return {platform: bundle(root, platform, folder / platform) for platform in TARGETS}


@pytest.mark.parametrize("platform", TARGETS)
def test_files_are_the_same_when_written_again_and_no_word_of_a_template_is_left_open(
    root: Path, bundles: dict[str, Path], monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(platforms, "build_wheel", lambda _project: (WHEEL, b"wheel"))
    monkeypatch.setattr(platforms, "plan_build", _as_released)
    before = files(bundles[platform])
    assert files(bundle(root, platform, bundles[platform])) == before
    for path, data in before.items():
        if not path.endswith((".whl", ".ipynb", ".py", ".json")):
            assert not re.search(r"@[A-Z_]+@", data.decode()), path


@pytest.mark.parametrize("platform", ["github", "gitlab", "classroom50"])
def test_what_students_can_read_holds_the_release_and_no_solution(
    root: Path, bundles: dict[str, Path], platform: str
) -> None:
    found = files(bundles[platform])
    release = files(root / "assignments" / NAME)
    for path, data in release.items():
        if "__pycache__" not in path:
            assert data in found.values(), path
    solution = (root / "solutions" / NAME / f"{NAME}.py").read_bytes()
    assert solution not in found.values()
    assert not [path for path in found if "solution" in path or "mistakes" in path]


def test_githubs_workflow_may_read_only_and_pins_its_actions(bundles: dict[str, Path]) -> None:
    text = files(bundles["github"])[WORKFLOW].decode()
    workflow = yaml.safe_load(text)
    steps = workflow["jobs"]["public-checks"]["steps"]
    uses = [step["uses"] for step in steps if "uses" in step]

    assert workflow["permissions"] == {"contents": "read"}
    assert len(uses) == 4
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", one) for one in uses)
    assert len(re.findall(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+\n", text)) == 4
    assert "${{" not in "".join(step.get("run", "") for step in steps)  # no text becomes a command
    (graded,) = [step["run"] for step in steps if step["name"] == "Public checks"]
    for option in ("--public", "--fresh", '--out "$RUNNER_TEMP/results"'):
        assert option in graded


@pytest.mark.parametrize(("platform", "file"), [("github", WORKFLOW), ("gitlab", ".gitlab-ci.yml")])
def test_a_workflow_names_the_digest_of_the_release_and_is_red_below_all_points(
    bundles: dict[str, Path], platform: str, file: str
) -> None:
    found = files(bundles[platform])
    digest = hashlib.sha256(found[f"{NAME}/expected.json"]).hexdigest()
    assert f"--release-digest {digest} " in found[file].decode()
    assert "--fail-under 20" in found[file].decode()
    if platform == "gitlab":
        job = yaml.safe_load(found[file])["public-checks"]
        assert job["artifacts"]["when"] == "always"


def test_gradescopes_zip_holds_the_whole_assignment_and_two_programs(
    root: Path, bundles: dict[str, Path]
) -> None:
    out = bundles["gradescope"]
    found = files(out)
    with zipfile.ZipFile(out) as archive:
        modes = {one.filename: one.external_attr >> 16 for one in archive.infolist()}

    assert {path for path, mode in modes.items() if mode & 0o111} == {"setup.sh", "run_autograder"}
    for path in (root / "solutions" / NAME).glob("*.*"):
        assert found[f"solutions/{NAME}/{path.name}"] == path.read_bytes()
    assert "--allow-degraded" not in found["run_autograder"].decode()
