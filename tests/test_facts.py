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
from tests.messages import message_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = pytest.mark.unit

METHODS = {
    "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit", "find",
    "rfind", "index", "rindex", "count", "replace", "compile", "search", "match", "fullmatch", "findall", "finditer",
    "sub",
}  # fmt: skip
# The messages of Python and torch, as patterns.
TABLES = (
    *(
        "explain/messages.py",
        "explain/missing_names.py",
        "explain/operation.py",
        "explain/raised.py",
    ),
)
COMPARISONS = (ast.In, ast.NotIn, ast.Eq, ast.NotEq)
# Two words, or one that begins a sentence.
WORDS = re.compile(r"[A-Za-z]{2,}\W*\s\W*[A-Za-z]{2,}|^\W*[A-Z][a-z]+\W*$")

# What others say, what a student wrote, and marks in files.
ALLOWED = {
    ("explain/operation.py", "but expected"): "torch",
    ("explain/missing_names.py", "Tensor."): "a name of torch",
    (
        "explain/missing_names.py",
        r"'(?P<kind>[\w.]+)'(?: object)? has no attribute '(?P<name>\w+)'",
    ): "Python",
    ("explain/missing_names.py", "cannot import"): "Python",
    (
        "explain/missing_names.py",
        r"cannot import name '(?P<name>\w+)' from '(?P<kind>[\w.]+)'",
    ): "Python",
    ("explain/missing_names.py", r"local variable '(\w+)'"): "Python",
    ("explain/missing_names.py", r"name '(\w+)' is not defined"): "Python",
    ("explain/missing_names.py", "type object"): "Python",
    ("explain/operation.py", operation._INNER.pattern): "torch and NumPy",
    ("explain/operation.py", operation._CALL.pattern): "Python and torch",
    ("explain/signatures.py", signatures._CALL.pattern): "Python",
    ("explain/signatures.py", signatures._FORWARD.pattern): "torch",
    ("explain/raised.py", messages.SIZES_DIFFER): "torch and NumPy",
    ("explain/raised.py", messages.PRODUCT): "torch and NumPy",
    ("explain/raised.py", messages.RESHAPED): "torch and NumPy",
    ("explain/missing_names.py", "Module"): "a class of torch",
    ("assignment/script.py", "### BEGIN SOLUTION"): "nbgrader's mark",
    ("assignment/script.py", "### END SOLUTION"): "nbgrader's mark",
    ("assignment/script.py", "=== BEGIN MARK SCHEME ==="): "nbgrader's mark",
    ("assignment/script.py", "=== END MARK SCHEME ==="): "nbgrader's mark",
    ("sandbox/inside/existing.py", r"cannot import name '(\w+)' from '([\w.]+)'"): "Python",
    ("explain/raised.py", "Permission denied"): "the operating system",
    ("explain/raised.py", "can't allocate memory"): "torch",
    ("explain/raised.py", "raise NotImplementedError"): "the student's own line",
    ("explain/syntax_errors.py", "[Mm]aybe you meant '=='"): "Python",
    ("explain/raised.py", r"name '(\w+)' is not defined"): "Python",
    ("explain/whole_file.py", r"No module named '([\w.]+)'"): "Python",
    ("explain/whole_file.py", "not callable"): "Python",
    ("reports/formats/canvas.py", "(read only)"): "Canvas's gradebook",
    ("reports/formats/canvas.py", "points possible"): "Canvas's gradebook",
    ("submission/roster.py", "canvas group id"): "Canvas's export of groups",
    (
        "submission/roster.py",
        (
            "default group|standardgruppe|groupe par défaut|grupo (?:por defecto|predeterminado)|gruppo predefinito"
            "|standaardgroep|not a member of any group.*|member of more than one group.*"
        ),
    ): "Moodle's worksheet",
    ("submission/times.py", "Pp"): "the time in Moodle's worksheet",
    (
        "submission/roster.py",
        r"\b(?:id|ids|sid|login|user ?name|user|identifier|github|lms)\b",
    ): "titles that people write",
    (
        "submission/cells.py",
        (
            r"^((?:[^\n#'\"();]{0,200};[ \t]*){0,20})check\(([^()]{0,200})\)(?=[ \t]*(?:[;#]|$))"
            r"|^([ \t]*)from autograder\.notebook import check\b[ \t;]*(?=#|$)"
        ),
    ): "a cell of the notebook",
}


def constants(tree: ast.Module) -> dict[str, str]:
    """The texts that have a name in this module."""
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
    found = {(place, words) for place, all_ in nodes().items() for words in read_back(all_, named)}
    assert found == ALLOWED.keys()


def test_no_pattern_for_errors_reads_words_of_the_kit() -> None:
    words = set(own_words())
    assert "Your file does not define `3`." in words
    patterns = {name: re.compile(text, re.DOTALL) for name, text in message_patterns().items()}
    read = {
        (name, text) for name, pattern in patterns.items() for text in words if pattern.search(text)
    }
    assert read == set()


@pytest.mark.parametrize(
    "source",
    [
        'words.endswith("was stopped.")',
        'says.startswith(("Perhaps", "Maybe"))',
        'BEGIN = "What came back, "\npart.startswith(BEGIN)',
        'ended = "is too large" in words',
        "found = re.search(r'`(\\w+)` has no attribute', words)",
        'match words:\n    case "Not started yet.":\n        pass',
    ],
)
def test_a_sentence_that_is_read_back_is_found(source: str) -> None:
    tree = ast.parse(source)
    assert read_back(ast.walk(tree), constants(tree))


@pytest.mark.parametrize(
    "source",
    [
        'name.endswith(".py")',
        'dtype.removeprefix("torch.")',
        'words = "Not started yet."',
    ],
)
def test_other_texts_are_left_alone(source: str) -> None:
    tree = ast.parse(source)
    assert not read_back(ast.walk(tree), constants(tree))


@pytest.mark.parametrize("page", ["README.md", "docs/instructors.md"])
def test_the_rule_of_points_is_said_in_the_same_sentences(page: str) -> None:
    root = Path(__file__).parents[1]
    words = " ".join((root / page).read_text(encoding="utf-8").split())
    assert RULE in words
