"""What a student wrote, in a browser: in formgrader, and on the page that a student gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.browsing import PATIENCE, chromium, jupyterlab, lacking, new_page
from tests.nbgrader.course import NAME, Course, cell_of
from tests.nbgrader.test_course import book

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, expect

else:
    expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
    expect.set_options(timeout=PATIENCE)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"not installed: {lacking()}"),
]

QUESTION = "question-1"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = new_page(browser)
    yield page
    page.close()


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
