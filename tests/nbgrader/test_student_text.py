"""A student's Markdown on a page: rendered by nbconvert, as formgrader and the feedback do."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autograder.nbgrader.rebuild import rebuild
from autograder.nbgrader.student_text import MOST_ADDED, safe_markdown, safe_text
from autograder.submission.notebook_work import NotebookCell
from tests.nbgrader.loading import ELSEWHERE, LOADS, STYLES

bs4 = pytest.importorskip("bs4")
mistune = pytest.importorskip("nbconvert.filters.markdown_mistune")
pytest.importorskip("nbgrader")

PAGE = "http://127.0.0.1:8888/formgrader/submissions/1/"
PICTURE = {"image/png": "iVBORw0KGgo="}
ADDRESSES = (
    "https://example.org/a?b=1&c=2",
    "HTTP://example.org",
    "mailto:a@example.org",
    "#a-heading",
)
DANGEROUS = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "\x01javascript:alert(1)", "java\tscript:alert(1)",
    "java\nscript:alert(1)", "javascript&colon;alert(1)", "&#106;avascript:alert(1)", "javascript\\:alert(1)",
    "java&Tab;script:alert(1)", "vbscript:x", "data:text/html,<script>alert(1)</script>", "file:///etc/passwd",
    "evil.html", "/tree", "//example.org/x", "http:evil.html", "https:evil.html", "\\\\example.org", "?q=1",
    "view-source:x", "blob:x", "attachment:../x", "&#35;x", "<javascript:alert(1)>", "< javascript:alert(1)>",
)  # fmt: skip
FORMS = (
    "[x]({})", "[x]( {} )", "[x](\n{})", '[x]({} "title")', "[x](<{}>)", "![x]({})", "<{}>", "[x]: {}\n\n[x]",
    "[x]:\n  {}\n\n[x][]", "[x]: <{}>\n\n[y][x]", "> [x]: {}\n>\n> ![x]", "- [x]: {}\n\n  [X]", "[![y]({})]({})",
    "[x\\]]({})", "[`]`]({})", "[x][y]\n\n[y]: {} 'title'", "| a |\n|---|\n| [x]({}) |", "# [x]({})", "a\n: [x]({})",
    "- [ ] [x]({})", "~~[x]({})~~", "*[x]*({})", "[x]\\({})", "\\[x]({})", "{}",
)  # fmt: skip


ELEMENTS = frozenset([
    "a", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "img", "input", "li", "ol", "p", "pre", "section", "span", "strong", "table", "tbody", "td", "th", "thead", "tr",
    "ul",
])  # fmt: skip


def page_of(source: str) -> Any:
    attachments = dict.fromkeys(("a.png", "b-2.png"), PICTURE)
    renderer = mistune.IPythonRenderer(escape=False, attachments=attachments)
    text = mistune.MarkdownWithMath(renderer=renderer).render(source)
    return bs4.BeautifulSoup(text, "html.parser")


def loads_nothing(page: Any) -> bool:
    """Whether a page has no element and no attribute with which it could load anything."""
    return all(
        tag.name in ELEMENTS
        and not {"style", "ping", "srcset", "background"} & set(tag.attrs)
        and tag.get("src", "data:image/png;base64,").startswith("data:image/png;base64,")
        and (tag.name != "input" or tag.get("type") == "checkbox")
        for tag in page.find_all(True)
    )


def pages(source: str) -> list[str]:
    """All addresses on the page of a Markdown text, as a browser would resolve them."""
    page = page_of(source)
    tags = page.find_all(lambda tag: tag.has_attr("href") or tag.has_attr("src"))
    # nbconvert's own anchor beside a heading is none of the student's.
    return [
        tag.get("href") or tag.get("src") for tag in tags if tag.get("class") != ["anchor-link"]
    ]


def is_allowed(address: str) -> bool:
    if address.startswith(("#", "data:image/png;base64,")):
        return True
    whole = urljoin(PAGE, address)
    there = urlsplit(whole)
    return there.scheme in ("http", "https", "mailto") and not whole.startswith(PAGE.rstrip("1/"))


def test_dangerous_addresses_are_no_links_and_would_be_links_otherwise() -> None:
    sources = [form.replace("{}", address) for form in FORMS for address in DANGEROUS]
    found = {source: pages(safe_markdown(source)) for source in sources}
    assert [one for one, links in found.items() if not all(map(is_allowed, links))] == []
    raw = [source for source in sources if "attach" not in source]
    assert sum(not all(map(is_allowed, pages(source))) for source in raw) > 100


@pytest.mark.parametrize("address", ADDRESSES)
def test_links_to_other_pages_stay(address: str) -> None:
    for form in ("[x]({})", "[x]( {} )", '[x]({} "title")'):
        source = form.replace("{}", address)
        assert safe_markdown(source) == source
        [found] = pages(source)
        assert is_allowed(found)


def test_nothing_is_loaded_and_would_be_otherwise() -> None:
    sources = [form.replace("{}", ELSEWHERE) for form in LOADS]
    assert [source for source in sources if not loads_nothing(page_of(safe_markdown(source)))] == []
    assert sum(not loads_nothing(page_of(source)) for source in sources) > len(LOADS) - 8


@pytest.mark.parametrize("form", STYLES)
def test_a_formula_loads_nothing(form: str) -> None:
    for text in (safe_markdown(form), safe_text(form)):
        assert not re.search(r"\\(?:style|mmlToken|bbox|class|cssId|require|html)", text)


@pytest.mark.parametrize(
    "name", ["c.png", "a.png%00", "a%2Epng", "../a.png", "a.png.png", "A.png", ""]
)
def test_a_picture_that_is_missing_breaks_no_page(name: str) -> None:
    for form in ("![x](attachment:{})", "[x]: attachment:{}\n\n![x]", "![x](Attachment:{})"):
        assert pages(safe_markdown(form.format(name))) == []


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"$\href{javascript:alert(1)}{x}$", r"$\ href{javascript:alert(1)}{x}$"),
        (r"$\href {/tree}{x}$", r"$\ href {/tree}{x}$"),
        (r"$\href{https://example.org}{x}$", r"$\href{https://example.org}{x}$"),
        ("a < b, $a<b$, <script>", "a < b, $a< b$, < script>"),
        ("`f[0](x)` and `d[1]: int`", "`f[0] (x)` and `d[1] : int`"),
    ],
)
def test_what_is_changed(source: str, shown: str) -> None:
    assert safe_markdown(source) == shown


TEXTS = st.lists(
    st.sampled_from(
        [*"[]()<>!:\\`\"' \n\t#>-*&;", "](", "]:", "[x]", "![", "javascript:", "attachment:", "a.png", "http:",
         "https://e.org", "&#58;", "&lt;", "$", "\\(", "```", "evil.html", "\x00", "\u00a0"]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=100)
@given(TEXTS)
@example("[x]:\n[x]:\njavascript:alert(1)\n\n[x]")
def test_no_text_leads_anywhere_else(source: str) -> None:
    shown = safe_markdown(source)
    assert all(map(is_allowed, pages(shown)))
    assert loads_nothing(page_of(shown))


def test_what_was_released_is_shown_as_it_was_released() -> None:
    """Else an answer that nobody gave would wait for a marker."""
    released = cell("markdown", "answer", "See [the notes](notes.html).")
    [shown] = rebuild([released], [NotebookCell(1, "markdown", "answer", released.source, ())])
    assert shown.source == released.source
    theirs = NotebookCell(1, "markdown", "answer", f"{released.source} <b>Mine.</b>", ())
    [shown] = rebuild([released], [theirs])
    assert shown.source == "See [the notes] (notes.html). < b>Mine.< /b>"


def test_a_raw_cell_holds_no_tags() -> None:
    shown = rebuild([], [NotebookCell(1, "raw", "", "<img src=x onerror=alert(1)>", ())])
    assert shown[0].source == "< img src=x onerror=alert(1)>"


SLOW = ("\\begin{a}", "\\\\[", "$$ ", "[", "*_", "- a\n\n", "> ", "a", "![x](attachment:a.png) ")


@pytest.mark.parametrize("piece", SLOW)
@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
def test_what_is_shown_does_not_grow_with_what_was_handed_in(piece: str, kind: str) -> None:
    """So rendering takes bounded time, whatever a parser makes of one cell."""
    sizes = []
    for number in (150_000, 1_500_000):
        text = piece * (number // len(piece))
        cells = [NotebookCell(1, kind, "", text, ())] * 8
        shown = rebuild([], cells)
        sizes.append([len(cell.source) for cell in shown])
        assert "characters are shown. The submitted file has the rest." in shown[0].source
        assert max(sizes[-1]) < (101_000 if kind == "code" else 12_000)
        assert sum(sizes[-1]) < (201_000 if kind == "code" else 60_000)
    assert max(abs(one - other) for one, other in zip(*sizes, strict=True)) < 10


def test_an_answer_has_room_whatever_else_is_in_the_notebook() -> None:
    released = cell("markdown", "answer", "Write here.")
    notes = [NotebookCell(1, "markdown", "", "a" * 9_000, ())] * 20
    theirs = NotebookCell(1, "markdown", "answer", "b" * 9_000, ())
    shown = rebuild([released], [*notes, theirs])
    assert shown[-1].source == theirs.source


def test_short_cells_are_shown_whole_and_only_so_many_of_them() -> None:
    cells = [NotebookCell(1, "markdown", "", f"number {number}", ()) for number in range(5_000)]
    shown = rebuild([], cells)
    assert [cell.source for cell in shown[:-1]] == [cell.source for cell in cells[:MOST_ADDED]]
    assert shown[-1].source == (
        "4,800 more cells that you added here are not shown. The submitted file has them."
    )
    assert len({cell.id for cell in shown}) == len(shown)


def cell(kind: str, name: str, source: str) -> Any:
    from nbformat import v4  # noqa: PLC0415

    metadata = {"nbgrader": {"grade_id": name, "solution": True, "grade": True, "locked": False}}
    return v4.new_markdown_cell(source, id=name, metadata=metadata)
