"""A hostile answer on nbgrader's pages: what is stored for markers, and the feedback, made by nbgrader itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.course import NAME, cell_of, code_cell
from tests.nbgrader.test_student_text import ELSEWHERE, LOADS, STYLES

bs4 = pytest.importorskip("bs4")

if TYPE_CHECKING:
    from pathlib import Path

    from tests.nbgrader.course import Course

pytestmark = pytest.mark.slow

QUESTION = "question-1"


def hostile(release: dict[str, Any], size: int) -> dict[str, Any]:
    """A notebook with everything that loads, and with texts and cells that take long."""
    forms = "\n\n".join(LOADS + STYLES).replace("{}", ELSEWHERE)
    cell_of(release, QUESTION)["source"] = forms
    cell_of(release, "attention_score")["source"] = f"x = '{forms}'\n" + "x = [" + "1, " * 10 * size
    slow = ["\\begin{a}" * size, "\\\\[" * size, "![x](attachment:a.png) " * (size // 4)]
    texts = {"cell_type": "markdown", "metadata": {}, "attachments": {"a.png": {"image/png": "iV"}}}
    release["cells"] += [{**texts, "id": f"t{one}", "source": slow[one % 3]} for one in range(9)]
    release["cells"] += [{**texts, "id": "forms", "source": forms}]
    release["cells"] += [{**texts, "id": "raw", "cell_type": "raw", "source": forms}]
    release["cells"] += [code_cell(f"c{number}", "1 + 1") for number in range(size // 10)]
    return release


def loading(page: Path) -> list[str]:
    """What a page could load: each element and style that names something which is not in it."""
    text = page.read_text(encoding="utf-8")
    tags = bs4.BeautifulSoup(text, "html.parser").find_all(True)
    kinds = ("script", "iframe", "object", "embed", "link", "video", "audio", "base", "svg", "form")
    found = [
        str(tag)[:200] for tag in tags if tag.name in kinds or {"ping", "srcset"} & {*tag.attrs}
    ]
    found += [
        tag["src"] for tag in tags if not tag.get("src", "data:image/").startswith("data:image/")
    ]
    styles = [str(tag.string) for tag in tags if tag.name == "style"]
    styles += [tag["style"] for tag in tags if tag.get("style")]
    return found + [
        one for style in styles for one in re.findall(r"url\(['\"]?(https?:[^)]*)", style)
    ]


def test_the_feedback_of_a_hostile_notebook_loads_nothing_and_stays_short(course: Course) -> None:
    sizes, cells = [], []
    handed_in = {}
    for student, size in (("anna", 5_000), ("bert", 20_000)):
        folder = course.submit(student, hostile(course.release(), size))
        handed_in[folder / f"{NAME}.ipynb"] = (folder / f"{NAME}.ipynb").read_bytes()
    course.autograde()
    course.run("generate_feedback", NAME)

    for student in ("anna", "bert"):
        page = course.root / "course" / "feedback" / student / NAME / f"{NAME}.html"
        assert loading(page) == []
        policy = bs4.BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").find("meta")
        assert "default-src 'none'" in policy["content"]
        sizes.append(page.stat().st_size)
        cells.append(course.autograded(student)["cells"])
    assert len(cells[0]) == len(cells[1])
    assert abs(sizes[1] - sizes[0]) < 1_000
    assert max(len(json.dumps(some)) for some in cells) < 1_000_000
    assert all(path.read_bytes() == content for path, content in handed_in.items())
