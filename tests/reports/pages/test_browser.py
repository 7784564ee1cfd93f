"""The pages in a real browser, opened from the disk: nothing is fetched, nothing breaks, and everybody can use them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import pytest

from autograder.results import Override, paragraphs
from tests.command_line import invoke
from tests.nbgrader.browsing import PATIENCE, chromium
from tests.reports.pages.classroom import (
    BATCH,
    NOT_STARTED,
    RAISED,
    SCRIPT,
    STEPS,
    TRACED,
    TRANSPOSED,
    check,
    of_each_kind,
    rejected,
    result,
    student,
    write_class,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog, Page

    Opening = Callable[..., "Opened"]
else:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-core is not installed"
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed"),
]

CODE = "def weights(s):\n    return torch.softmax(s, dim=0)"
HOSTILE = "<img src=x onerror=alert(1)>"
BROKEN = replace(
    TRANSPOSED, message=SCRIPT, hint=HOSTILE, seen=f"`{SCRIPT}`", mistakes=("</script>",)
)
OVERRIDE = Override("harry", "weights", 1, HOSTILE, SCRIPT)
RESULTS, STUDENTS = of_each_kind(CODE)
RESULTS = [
    *RESULTS,
    result(
        "harry",
        check("weights", 1, TRANSPOSED, override=OVERRIDE, earned=0.0),
        about=paragraphs(f"Left out: `{SCRIPT}`."),
    ),
    result("dave & co; #1?", *(check(step, 0, NOT_STARTED) for step, _ in STEPS)),
    result(HOSTILE.replace("/", ""), check("weights", 0, BROKEN)),
    rejected("fred", HOSTILE),
    result("heidi", check("weights", 0, BATCH)),
    result("ivan", check("weights", 0, TRACED)),
    *(result(f"student {number}", check("weights", 0, RAISED)) for number in range(11)),
]
STUDENTS |= {one.student: student() for one in RESULTS if one.student not in STUDENTS} | {
    "bob": student(f"Bob {SCRIPT}", CODE, email="bob@example.org"),
    "ivan": student("Ivan Roy", CODE),
    "carol": student("Carol Ito", f"def weights(s):\n    # {SCRIPT}\n    return {HOSTILE!r}"),
}
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("class") / "results & co"
    write_class(place, RESULTS, STUDENTS)
    assert invoke(["report", str(place)]).exit_code == 0
    return place


@pytest.fixture(scope="module")
def merged_folder(folder: Path) -> Path:
    second = folder.parent / "second"
    write_class(second, [result("alice"), result("bob", check("scores", 0, RAISED))])
    out = folder.parent / "both"
    words = ["report", str(folder), str(second), "--out", str(out), "--keep", "last"]
    assert invoke(words).exit_code == 0
    return out


class Opened:
    """A page of the browser, and what it did that it should not."""

    def __init__(self, browser: Browser, path: Path, **options: Any) -> None:
        self.context = browser.new_context(
            permissions=["clipboard-read", "clipboard-write"], **options
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        self.page.on("console", lambda said: self.faults.append(f"console: {said.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", self._interrupted)
        self.page.on("request", self._asked)
        self.page.goto(path.as_uri())

    def unfold(self) -> None:
        self.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

    def _interrupted(self, dialog: Dialog) -> None:
        self.faults.append("dialog")
        dialog.dismiss()

    def _asked(self, request: Any) -> None:
        if not request.is_navigation_request():
            self.faults.append(f"request: {request.url}")


@pytest.fixture
def opening(browser: Browser) -> Iterator[Opening]:
    made: list[Opened] = []

    def opened(path: Path, **options: Any) -> Opened:
        made.append(Opened(browser, path, **options))
        return made[-1]

    yield opened
    for one in made:
        one.context.close()


@pytest.fixture
def page_of(folder: Path, merged_folder: Path) -> Callable[[str], Path]:
    """The page of a student, of the class (empty), or of both folders."""
    reports = {"": folder / "report.html", "both": merged_folder / "report.html"}
    return lambda who: reports.get(who, folder / who / "feedback.html")


def test_pages_open_without_an_error_and_without_a_request(opening: Opening, folder: Path) -> None:
    """Everything unfolded, so that whatever is hidden could do its worst."""
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) == len(RESULTS) + 1
    for path in pages:
        opened = opening(path)
        opened.unfold()
        opened.page.wait_for_timeout(20)
        assert opened.faults == [], path
        assert opened.page.locator("img, b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(
    "who", ["harry", "carol", "fred", "heidi", "ivan", "grace", "dave & co; #1?", "", "both"]
)
def test_axe_finds_no_violation(
    opening: Opening,
    page_of: Callable[[str], Path],
    scheme: Literal["light", "dark"],
    size: dict[str, int],
    who: str,
) -> None:
    opened = opening(page_of(who), color_scheme=scheme, viewport=size, bypass_csp=True)
    opened.unfold()
    found = axe.Axe().run(opened.page).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize("who", ["harry", "carol", "fred", "heidi", "ivan", "", "both"])
def test_a_phone_scrolls_in_one_direction(
    opening: Opening, page_of: Callable[[str], Path], who: str
) -> None:
    opened = opening(page_of(who), viewport=PHONE)
    opened.unfold()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_marked_line_has_no_empty_line_below_it_on_a_phone(
    opening: Opening, folder: Path
) -> None:
    opened = opening(folder / "ivan" / "feedback.html", viewport=PHONE)
    heights = opened.page.eval_on_selector_all(
        "details[open] .source .line",
        "all => all.map(one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))",
    )
    computed = opened.page.eval_on_selector_all(
        "details[open] .source .line", "all => all.map(one => !!one.querySelector('.computed'))"
    )
    assert True in computed
    assert [round(height) for height in heights] == [1 + two for two in computed]


def names(page: Page) -> list[str]:
    return page.locator("#class tbody tr:visible th a").all_inner_texts()


def test_a_click_on_a_heading_sorts(opening: Opening, folder: Path) -> None:
    opened = opening(folder / "report.html")
    page = opened.page
    before = names(page)
    score = page.locator("#class thead th").nth(1)
    score.get_by_role("button").click()
    assert score.get_attribute("aria-sort") == "descending"
    points = page.locator("#class tbody tr td:nth-of-type(1)").all_inner_texts()
    numbers = [float(one) for one in points if one.replace(".", "").isdigit()]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) > 2
    assert set(points[len(numbers) :]) == {"rejected", "ungraded"}
    score.get_by_role("button").press("Enter")
    assert score.get_attribute("aria-sort") == "ascending"
    page.locator("#class thead th").nth(0).get_by_role("button").click()
    assert score.get_attribute("aria-sort") == "none"
    assert sorted(names(page)) == sorted(before)
    numbered = [int(name.split()[1]) for name in names(page) if name.startswith("student ")]
    assert numbered == list(range(11))
    assert opened.faults == []


@pytest.mark.parametrize(
    ("words", "found"), [("alice", ["Alice Berg"]), ("SOFTMAX berg", ["Alice Berg"]), (".*", [])]
)
def test_searching_shows_only_what_fits(
    words: str, found: list[str], opening: Opening, folder: Path
) -> None:
    opened = opening(folder / "report.html")
    page = opened.page
    page.get_by_role("searchbox").fill(words)
    assert names(page) == found
    assert page.locator("#found").inner_text() == f"{len(found)} of {len(RESULTS)}"
    page.get_by_role("searchbox").fill("")
    assert len(names(page)) == len(RESULTS)


def test_addresses_are_copied(opening: Opening, folder: Path) -> None:
    opened = opening(folder / "report.html")
    page = opened.page
    page.locator("section.mistake", has_text="softmax over the queries").locator("summary").click()
    page.get_by_role("button", name="Copy: E-mail addresses").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "alice@example.org, bob@example.org"
    assert page.locator("#copied").inner_text() == "Copied."


def test_the_keyboard_reaches_and_unfolds_every_step(opening: Opening, folder: Path) -> None:
    opened = opening(folder / "dave & co; #1?" / "feedback.html")
    page = opened.page
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        tag = page.evaluate("document.activeElement.tagName")
        if tag == "SUMMARY":
            before = page.evaluate("document.activeElement.parentElement.open")
            page.keyboard.press("Enter")
            reached.append(page.evaluate("document.activeElement.parentElement.open") != before)
    assert reached[:3] == [True, True, True]


def test_a_print_shows_what_is_folded(opening: Opening, folder: Path) -> None:
    opened = opening(folder / "dave & co; #1?" / "feedback.html")
    opened.page.emulate_media(media="print")
    heights = opened.page.eval_on_selector_all(".body", "all => all.map(one => one.offsetHeight)")
    assert len(heights) == 3
    assert min(heights) > 0


def test_the_page_forbids_other_scripts(opening: Opening, folder: Path) -> None:
    """Even if something got past the escaping, the browser would not run or fetch it."""
    opened = opening(folder / "report.html")
    opened.page.evaluate(
        f"document.body.insertAdjacentHTML('beforeend', {json.dumps(HOSTILE + '<a onclick=alert(1)>x</a>')})"
    )
    opened.page.wait_for_timeout(100)
    assert "dialog" not in opened.faults
    assert opened.faults
    assert not [
        fault for fault in opened.faults if not fault.startswith(("console: ", "request: "))
    ]
