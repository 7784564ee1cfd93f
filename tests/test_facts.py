"""Facts are data, words are a view: no code of the kit finds out what happened from a sentence of the kit's own."""

from __future__ import annotations

import ast
import itertools
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.explain import messages, operation, rules, signatures
from autograder.explain.feedback_text import RULE
from tests.kit_trees import nodes, trees

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = pytest.mark.unit

METHODS = {
    "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit", "find",
    "rfind", "index", "rindex", "count", "replace", "compile", "search", "match", "fullmatch", "findall", "finditer",
    "sub",
}  # fmt: skip
# The messages of Python and torch, as patterns.
TABLES = tuple(
    f"explain/{name}.py" for name in ("messages", "missing_names", "operation", "raised")
)
COMPARISONS = (ast.In, ast.NotIn, ast.Eq, ast.NotEq)
# Two words, or one that begins a sentence.
WORDS = re.compile(r"[A-Za-z]{2,}\W*\s\W*[A-Za-z]{2,}|^\W*[A-Z][a-z]+\W*$")

# What others say, what a student wrote, and marks in files.
ALLOWED = {
    "explain/missing_names.py": {
        "Tensor.", "Module", "cannot import", "type object",
        r"'(?P<kind>[\w.]+)'(?: object)? has no attribute '(?P<name>\w+)'",
        r"cannot import name '(?P<name>\w+)' from '(?P<kind>[\w.]+)'", r"local variable '(\w+)'",
        r"name '(\w+)' is not defined",
    },
    "explain/operation.py": {"but expected", operation._INNER.pattern, operation._CALL.pattern},
    "explain/signatures.py": {signatures._CALL.pattern, signatures._FORWARD.pattern},
    "explain/raised.py": {
        messages.SIZES_DIFFER, messages.PRODUCT, messages.RESHAPED, "Permission denied", "can't allocate memory",
        r"name '(\w+)' is not defined",
    },
    "results.py": {"raise NotImplementedError"},
    "explain/syntax_errors.py": {"[Mm]aybe you meant '=='"},
    "explain/whole_file.py": {r"No module named '([\w.]+)'", "not callable"},
    "assignment/script.py": {
        "### BEGIN SOLUTION", "### END SOLUTION", "=== BEGIN MARK SCHEME ===", "=== END MARK SCHEME ===",
    },
    "sandbox/inside/existing.py": {r"cannot import name '(\w+)' from '([\w.]+)'"},
    "reports/formats/canvas.py": {"(read only)", "points possible"},
    # Exports of Canvas and Moodle, and titles that people write.
    "submission/roster.py": {
        "canvas group id", r"\b(?:id|ids|sid|login|user ?name|user|identifier|github|lms)\b",
        (
            "default group|standardgruppe|groupe par défaut|grupo (?:por defecto|predeterminado)|gruppo predefinito"
            "|standaardgroep|not a member of any group.*|member of more than one group.*"
        ),
    },
    "submission/answers.py": {"YOUR ANSWER HERE"},  # nbgrader's words in an answer cell
    "submission/times.py": {"Pp"},
    "submission/cells.py": {
        (
            r"^((?:[^\n#'\"();]{0,200};[ \t]*+){0,20})check\(([^()]{0,200})\)(?=[ \t]*(?:[;#]|$))"
            r"|^([ \t]*)from autograder\.notebook import check\b[ \t;]*(?=#|$)"
        ),
    },
}  # fmt: skip


def constants(tree: ast.Module) -> dict[str, str]:
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def read_back(nodes: Iterable[ast.AST], named: dict[str, str]) -> list[str]:
    """The words that a module with these nodes looks for in a text."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            looked_for = node.args if node.func.attr in METHODS else []
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], COMPARISONS):
            looked_for = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            looked_for = [node.value]
        else:
            continue
        texts = (text for one in looked_for for text in texts_in(one, named))
        found += [text for text in texts if WORDS.search(text)]
    return found


def texts_in(node: ast.expr, named: dict[str, str]) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Name) and part.id in named:
            yield named[part.id]


def own_words() -> Iterator[str]:
    """Every text that the kit says, with a number where it puts something in."""
    for text in itertools.chain.from_iterable(rules.WORDS.values()):
        yield re.sub(r"\{\w*\}", "3", text)
    for place, all_ in nodes().items():
        if place in TABLES:
            continue
        for node in all_:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.sub(r"\{\w*\}", "3", node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = (
                    str(part.value) if isinstance(part, ast.Constant) else "3"
                    for part in node.values
                )
                yield "".join(parts)


def test_no_sentence_is_read_back() -> None:
    named = {name: text for tree in trees().values() for name, text in constants(tree).items()}
    found = {place: set(read_back(all_, named)) for place, all_ in nodes().items()}
    assert {place: words for place, words in found.items() if words} == ALLOWED


def test_no_pattern_for_errors_reads_words_of_the_kit() -> None:
    words = set(own_words())
    assert "Your file does not define `3`." in words
    for name, known in messages.MESSAGES.items():
        pattern = re.compile(known.message, re.DOTALL)
        assert [text for text in words if pattern.search(text)] == [], name


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('words.endswith("was stopped.")', True),
        ('BEGIN = "What came back, "\npart.startswith(BEGIN)', True),
        ('ended = "is too large" in words', True),
        ("found = re.search(r'`(\\w+)` has no attribute', words)", True),
        ('match words:\n    case "Not started yet.":\n        pass', True),
        ('name.endswith(".py")', False),
        ('words = "Not started yet."', False),
    ],
)
def test_a_sentence_that_is_read_back_is_found(source: str, found: bool) -> None:
    tree = ast.parse(source)
    assert bool(read_back(ast.walk(tree), constants(tree))) is found


@pytest.mark.parametrize("page", ["README.md", "docs/instructors.md"])
def test_the_rule_of_points_is_said_in_the_same_sentences(page: str) -> None:
    root = Path(__file__).parents[1]
    words = " ".join((root / page).read_text(encoding="utf-8").split())
    assert RULE in words
