"""What people see: JupyterLab with the released notebook, and formgrader with what was graded, in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.nbgrader.browsing import PATIENCE, chromium, jupyterlab, lacking, new_page
from tests.nbgrader.course import NAME, ROOT, Course, cell_of, filled
from tests.nbgrader.test_course import book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

    from tests.nbgrader.browsing import Server
else:
    expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
    expect.set_options(timeout=PATIENCE)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"not installed: {lacking()}"),
]

STEP = "attention_weights"
CHECK = f"check_{STEP}"
WRONG = f"def {STEP}(scaled_scores):\n    return torch.softmax(scaled_scores, dim=0)\n"
RIGHT = f"def {STEP}(scaled_scores):\n    return torch.softmax(scaled_scores, dim=-1)\n"
ANSWER = "Because the variance of a dot product grows with d_k."
QUESTION = "question-1"

# The lowest contrast of the texts in an element with what is behind them, as WCAG counts it.
CONTRAST = """
root => {
  const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(tone => tone / 255)
    .map(tone => tone <= 0.04045 ? tone / 12.92 : ((tone + 0.055) / 1.055) ** 2.4)
    .reduce((sum, tone, place) => sum + tone * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = element => {
    for (let one = element; one; one = one.parentElement) {
      const [r, g, b, alpha = 1] = numbers(getComputedStyle(one).backgroundColor);
      if (alpha === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const ratios = [...root.querySelectorAll("*")]
    .filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
    .map(one => [light(numbers(getComputedStyle(one).color)), light(behind(one))])
    .map(pair => (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05));
  return Math.min(...ratios);
}
"""
READABLE = 4.5
PHONE = 390  # the width of a phone
# How the browser asks for a theme, and what JupyterLab notes of it.
THEMES: dict[Literal["light", "dark"], str] = {"light": "true", "dark": "false"}


@dataclass(frozen=True)
class Notebook:
    """A notebook that is open in JupyterLab."""

    page: Page
    path: Path

    def cell(self, name: str) -> Locator:
        """The cell with this id, where it stood when the notebook was opened."""
        ids = [cell["id"] for cell in self.saved()["cells"]]
        return self.page.locator(f'.jp-Cell[data-windowed-list-index="{ids.index(name)}"]')

    def write(self, name: str, source: str) -> None:
        """Put a text in the place of a cell's."""
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def run(self, *names: str) -> None:
        """Run cells, each to its end."""
        for name in names:
            prompt = self.cell(name).locator(".jp-InputPrompt")
            before = re.escape(prompt.text_content() or "")  # innerText is empty out of sight
            self.cell(name).locator(".cm-content").click()
            self.page.keyboard.press("Control+Enter")
            expect(prompt).to_have_text(re.compile(rf"^(?!{before})\[\d+\]:$"))

    def complaints(self) -> Locator:
        """All that stands on stderr, and all errors: JupyterLab shows both in the same way."""
        return self.page.locator('[data-mime-type="application/vnd.jupyter.stderr"]')

    def save(self) -> None:
        dirty = self.page.locator(".lm-TabBar-tab.jp-mod-dirty")
        expect(dirty).to_have_count(1)
        self.page.keyboard.press("ControlOrMeta+s")
        expect(dirty).to_have_count(0)

    def saved(self) -> dict[str, Any]:
        """The notebook as it is in the file."""
        found: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return found

    def validate(self) -> Locator:
        """What nbgrader's button says in the end."""
        self.page.get_by_role("button", name="Validate").click()
        words = self.page.locator(".jp-Dialog #validation-message")
        words.wait_for()
        return words


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = new_page(browser)
    yield page
    page.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("students")
    with jupyterlab(folder, tmp_path_factory.mktemp("home") / "student") as server:
        yield server


@pytest.fixture
def students(lab: Server) -> Iterator[Server]:
    """JupyterLab as a student has it, in which no notebook is open."""
    yield lab
    lab.end_kernels()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where pictures go: tell it with SCREENSHOTS to look at them."""
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def release(server: Server, name: str) -> Path:
    """The released notebook in a folder of its own, which JupyterLab shows."""
    folder = server.folder / name
    shutil.copytree(ROOT / "assignments" / NAME, folder)
    return folder / f"{NAME}.ipynb"


def opened(page: Page, server: Server, path: Path) -> Notebook:
    """A notebook when its kernel is there, in a workspace of its own: no other is opened again beside it."""
    place = path.relative_to(server.folder).as_posix()
    page.goto(server.url(f"lab/workspaces/{path.parent.name}/tree/{place}"))
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    return Notebook(page, path)


def test_a_wrong_step_is_explained_and_a_mended_one_passes(
    page: Page, students: Server, shots: Path
) -> None:
    notebook = opened(page, students, release(students, "mended"))
    shown = notebook.cell(CHECK)
    notebook.run("setup", "given-1")
    notebook.write(STEP, WRONG)
    notebook.run(STEP, CHECK)

    expect(shown).to_contain_text(f"wrong {STEP}: 0 of 2 points")
    expect(shown).to_contain_text("The softmax ran over the queries: each column sums to 1")
    expect(shown.locator("table")).to_have_count(2)
    wrong = shown.locator("table").first.locator("td", has_text=re.compile(r"^! \d"))
    assert wrong.count() == shown.locator("table").last.locator("td", has_text=".").count() > 1
    line = f"{STEP}: 0 of 2 points - the message in its check cell says why"
    expect(notebook.complaints()).to_have_text([line])
    page.screenshot(path=shots / "wrong.png")

    notebook.write(STEP, RIGHT)
    notebook.run(STEP, CHECK)

    expect(shown).to_contain_text(f"passed {STEP}: 2 of 2 points")
    expect(shown.locator("table")).to_have_count(0)
    expect(notebook.complaints()).to_have_count(0)
    page.screenshot(path=shots / "passed.png")

    notebook.save()

    saved = notebook.saved()
    assert "".join(cell_of(saved, STEP)["source"]) == RIGHT
    [output] = cell_of(saved, CHECK)["outputs"]
    assert "2 of 2 points" in "".join(output["data"]["text/plain"])


def test_feedback_is_readable_in_light_and_in_dark(
    page: Page, students: Server, shots: Path
) -> None:
    notebook = opened(page, students, release(students, "themes"))
    notebook.run("setup", "given-1")
    notebook.write(STEP, WRONG)
    raises = "def project(x, *weights):\n    print(x)\n    return x @ weights[0].T"
    notebook.write("project", raises)
    notebook.run("project", "check_project", STEP, CHECK, "check_init_weights")
    notebook.save()

    for theme, light in THEMES.items():
        page.emulate_media(color_scheme=theme)
        page.reload()  # older versions of JupyterLab ask the browser for its theme only once
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)
        for name in (CHECK, "check_project", "check_init_weights"):
            output = notebook.cell(name).locator(".jp-RenderedHTML")
            output.screenshot(path=shots / f"{name}-{theme}.png")
            assert output.evaluate(CONTRAST) >= READABLE, (name, theme)


def test_validate_names_each_step_that_is_not_done_in_one_line(
    page: Page, students: Server, shots: Path
) -> None:
    """And saves the notebook before; the question is a person's to mark, which nbgrader does not know."""
    notebook = opened(page, students, release(students, "validated"))
    points = {
        cell["id"].removeprefix("check_"): cell["metadata"]["nbgrader"]["points"]
        for cell in notebook.saved()["cells"]
        if cell["id"].startswith("check_")
    }
    assert points.pop(STEP) == 2
    notebook.write(STEP, RIGHT)

    words = notebook.validate()

    page.screenshot(path=shots / "validate.png")
    said = words.locator("pre").all_inner_texts()
    failed = dict(zip(said[::2], said[1::2], strict=True))
    assert failed.pop("YOUR ANSWER HERE") == "You did not provide a response."
    assert failed == {
        f'check("{step}")': f"{step}: not started yet, 0 of {number:g} points"
        for step, number in points.items()
    }


def test_validate_passes_a_notebook_that_is_right(page: Page, students: Server, right: str) -> None:
    path = release(students, "right")
    notebook = filled(json.loads(path.read_text(encoding="utf-8")), right)
    cell_of(notebook, QUESTION)["source"] = ANSWER
    path.write_text(json.dumps(notebook), encoding="utf-8")

    words = opened(page, students, path).validate()

    expect(words).to_have_text("Success! Your notebook passes all the tests.")


@dataclass(frozen=True)
class Formgrader:
    """nbgrader's pages for instructors, in a tab of JupyterLab."""

    page: Page
    frame: FrameLocator

    def follow(self, *places: str) -> None:
        """Click on the links to these pages."""
        for place in places:
            self.frame.locator(f'a[href$="/formgrader/{place}"]').first.click()

    def row(self, text: str) -> Locator:
        """The line of a table in which a text stands."""
        return self.frame.locator("#main-table tr", has_text=text)


@contextmanager
def open_formgrader(course: Course, page: Page, home: Path) -> Iterator[Formgrader]:
    """Open formgrader as an instructor does, from JupyterLab's menu."""
    with jupyterlab(course.root, home / "instructor") as server:
        page.goto(server.url("lab"))
        for item in ("Nbgrader", "Formgrader"):
            page.get_by_role("menuitem", name=item, exact=True).click()
        yield Formgrader(page, page.frame_locator("iframe"))


@pytest.fixture
def formgrader(course: Course, right: str, page: Page, tmp_path: Path) -> Iterator[Formgrader]:
    """Formgrader of a course in which two have handed in."""
    (course.root / "exchange").mkdir()
    example = ROOT / "examples" / "submissions" / "farid-h" / f"{NAME}.py"
    mistaken = filled(course.release(), example.read_text(encoding="utf-8"))
    cell_of(mistaken, QUESTION)["source"] = ANSWER
    course.submit("alice", filled(course.release(), right))
    course.submit("bob", mistaken)
    with open_formgrader(course, page, tmp_path) as shown:
        yield shown


def test_the_autograde_button_grades(course: Course, formgrader: Formgrader) -> None:
    formgrader.row(NAME).locator(".num-submissions a").click()
    formgrader.row("bob").locator(".autograde a").click()
    expect(formgrader.frame.locator(".modal-body")).to_contain_text("Successfully autograded")
    assert course.total("bob") == 16.5


def test_a_marker_reads_our_feedback_and_marks_the_question(
    course: Course, formgrader: Formgrader, shots: Path
) -> None:
    course.autograde()
    submissions = f"gradebook/{NAME}/{NAME}"
    formgrader.follow("gradebook", f"gradebook/{NAME}", submissions)
    row = formgrader.row("16.5 / 24")
    expect(row.locator(".needs-manual-grade .glyphicon-ok")).to_have_count(1)
    row.get_by_role("link").click()

    page = formgrader.frame.locator("body")
    expect(page).to_contain_text("The steps earned 16.5 of 20 points.")
    expect(page).to_contain_text("wrong SelfAttention_v2: 2.5 of 4 points")
    expect(page).to_contain_text("The softmax ran over the queries: each column sums to 1")
    points_of = {"SelfAttention_v1": "4", "SelfAttention_v2": "2.5", STEP: "0", "project": "1"}
    for name, points in points_of.items():
        expect(page.locator(f"#check_{name}")).to_have_attribute("placeholder", points)
    page.locator("#check_SelfAttention_v2").scroll_into_view_if_needed()
    formgrader.page.screenshot(path=shots / "formgrader.png")

    score = page.locator(f"#{QUESTION}")
    expect(score).to_have_class(re.compile("needs_manual_grade"))
    score.fill("2.5")
    with formgrader.page.expect_response(re.compile("/api/grade/")) as answer:
        score.press("Tab")
    assert answer.value.ok
    formgrader.page.screenshot(path=shots / "formgrader-question.png")

    grade = course.grades()["bob"][QUESTION]
    assert (grade.auto, grade.manual, grade.needs_manual) == (None, 2.5, False)
    assert course.total("bob") == 16.5
    formgrader.follow(submissions)
    expect(formgrader.row("19 / 24")).to_have_count(1)


LINKS = """\
[one](javascript:document.title='run') [two][def] ![three](data:image/svg+xml,x) <javascript:document.title='run'>

[four](java&Tab;script:document.title='run') [five](http:evil.html) [six](evil.html) ![seven](attachment:none.png)

[def]: javascript:document.title='run'

[page](https://example.org/page) [mail](mailto:a@example.org) [here](#attention)

$\\href{javascript:document.title='run'}{x}$ <img src=x onerror="document.title='run'">

![eight](https://elsewhere.example/8.png) $\\style{background:url(https://elsewhere.example/9.png)}{x}$
$\\mmlToken{mglyph}[src=https://elsewhere.example/10.png]{}$ <iframe src="//elsewhere.example/11"></iframe>
"""
# A picture that got past the kit, as another one could.
GOT_PAST = """
body => new Promise(done => {
  const picture = new Image();
  picture.onload = picture.onerror = () => done("");
  document.addEventListener("securitypolicyviolation", event => done(event.effectiveDirective));
  picture.src = "https://past.example/12.png";
  body.append(picture);
})
"""
# What leads away from the page in what students wrote: the cells and what each address comes to.
LEADS = """
root => [...root.querySelectorAll(".rendered_html a:not(.anchor-link), .rendered_html img")]
  .map(one => one.getAttribute("href") || one.getAttribute("src"))
"""


def with_links(release: dict[str, Any]) -> dict[str, Any]:
    """A notebook that asks for clicks: in the answer and in cells that were added."""
    cell_of(release, QUESTION)["source"] = LINKS
    added = {"metadata": {}, "source": LINKS}
    raw = "<a href=\"javascript:document.title='run'\">raw</a><img src=x onerror=\"document.title='run'\">"
    release["cells"] += [
        {**added, "cell_type": "markdown", "id": "links"},
        {"cell_type": "raw", "id": "raw", "metadata": {}, "source": raw},
    ]
    return release


def test_a_students_links_run_nothing_and_lead_to_other_pages_only(
    course: Course, formgrader: Formgrader, browser: Browser
) -> None:
    course.submit("mallory", with_links(course.release()))
    course.autograde()
    course.run("generate_feedback", NAME)
    with book(course) as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, "mallory").id
    shown = new_page(browser)
    asked: list[str] = []
    for page in (formgrader.page, shown):
        page.on("request", lambda request: asked.append(request.url))
    formgrader.page.goto(formgrader.page.url.replace("/lab", f"/formgrader/submissions/{found}"))
    shown.goto((course.root / "course" / "feedback" / "mallory" / NAME / f"{NAME}.html").as_uri())

    kept = ["https://example.org/page", "mailto:a@example.org", "#attention"]
    kept += ["https://elsewhere.example/8.png"]  # a link now
    for page in (formgrader.page, shown):
        expect(page.locator("body")).to_contain_text("[one] (javascript:document.title='run')")
        assert page.locator("body").evaluate(LEADS) == kept * 2
        for word in ("one", "two", "four", "five", "six"):
            page.get_by_text(f"[{word}]").first.click()
        page.get_by_text("raw").last.click()
        page.get_by_role("link", name="here").first.click()
        assert page.locator("body").evaluate("() => document.title") != "run"
        assert page.locator("body").evaluate(GOT_PAST) == "img-src"
    assert [address for address in asked if "elsewhere" in address] == []
    shown.close()


def test_the_feedback_page_loads_nothing_and_names_the_steps(
    course: Course, browser: Browser, shots: Path
) -> None:
    example = ROOT / "examples" / "submissions" / "farid-h" / f"{NAME}.py"
    course.submit("bob", module=example.read_text(encoding="utf-8"))
    course.autograde()
    course.run("generate_feedback", NAME)
    page = new_page(browser)
    page.context.set_offline(True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    page.on("pageerror", lambda error: asked.append(str(error)))
    address = (course.root / "course" / "feedback" / "bob" / NAME / f"{NAME}.html").as_uri()

    page.goto(address, wait_until="networkidle")

    page.screenshot(path=shots / "feedback-nbgrader.png", full_page=True)
    assert asked == [address]
    head = page.locator(".panel-heading").first
    expect(head).to_contain_text("The steps earned 16.5 of 20 points.")
    expect(head).to_contain_text(f"Begin with {STEP}")
    names = head.locator("#toc a").all_inner_texts()
    graded = [
        cell["id"] for cell in course.release()["cells"] if cell["id"] in course.grades()["bob"]
    ]
    assert names == [name.removeprefix("check_") for name in graded]
    words = re.findall(r"[\w-]+", head.inner_text())
    assert [name for name in names if words.count(name) != 1] == [STEP]  # it is named to begin with
    head.get_by_role("link", name=STEP).click()
    assert page.url == f"{address}#check_{STEP}"
    assert page.locator("math").count() > 50
    assert page.locator("body").evaluate("body => !body.innerText.includes('$')")
    gaps = page.locator(".rendered_html td").evaluate_all(
        "cells => cells.map(cell => parseFloat(getComputedStyle(cell).paddingRight))"
    )
    assert gaps
    assert min(gaps) >= 5
    page.set_viewport_size({"width": PHONE, "height": 800})
    page.screenshot(path=shots / "feedback-nbgrader-phone.png")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE
    page.close()
