"""In a browser: formgrader with what a student wrote, and the page that a student gets."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.browsing import PATIENCE, chromium, jupyterlab, lacking, new_page
from tests.nbgrader.course import NAME, ROOT, Course, cell_of
from tests.nbgrader.test_course import book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, expect

else:
    expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
    expect.set_options(timeout=PATIENCE)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"not installed: {lacking()}"),
]

STEP = "attention_weights"
QUESTION = "question-1"

PHONE = 390  # the width of a phone


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = new_page(browser)
    yield page
    page.close()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where pictures go: tell it with SCREENSHOTS to look at them."""
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


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
    course: Course, page: Page, browser: Browser, tmp_path: Path
) -> None:
    (course.root / "exchange").mkdir()
    course.submit("mallory", with_links(course.release()))
    course.autograde()
    course.run("generate_feedback", NAME)
    with book(course) as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, "mallory").id
    shown = new_page(browser)
    asked: list[str] = []
    for one in (page, shown):
        one.on("request", lambda request: asked.append(request.url))
    shown.goto((course.root / "course" / "feedback" / "mallory" / NAME / f"{NAME}.html").as_uri())
    with jupyterlab(course.root, tmp_path / "instructor") as server:
        page.goto(server.url(f"formgrader/submissions/{found}"))
        for one in (page, shown):
            assert_harmless(one)
    assert [address for address in asked if "elsewhere" in address] == []
    shown.close()


def assert_harmless(page: Page) -> None:

    kept = ["https://example.org/page", "mailto:a@example.org", "#attention"]
    kept += ["https://elsewhere.example/8.png"]  # a link now
    expect(page.locator("body")).to_contain_text("[one] (javascript:document.title='run')")
    assert page.locator("body").evaluate(LEADS) == kept * 2
    for word in ("one", "two", "four", "five", "six"):
        page.get_by_text(f"[{word}]").first.click()
    page.get_by_text("raw").last.click()
    page.get_by_role("link", name="here").first.click()
    assert page.locator("body").evaluate("() => document.title") != "run"
    assert page.locator("body").evaluate(GOT_PAST) == "img-src"


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
