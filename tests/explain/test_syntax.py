"""Questions about syntax trees."""

from __future__ import annotations

import ast

import pytest

from autograder.explain import syntax

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("lines", [1, 3, syntax._MOST_KEPT])
def test_all_nodes_are_found_in_order(lines: int) -> None:
    tree = ast.parse("def step(x):\n" + "    x = x + 1\n" * lines)

    assert [id(node) for node in syntax.walk(tree)] == [id(node) for node in ast.walk(tree)]


def test_nodes_of_small_trees_are_kept_only() -> None:
    small, large = ast.parse("x = 1"), ast.parse("x = 1\n" * syntax._MOST_KEPT)

    assert syntax.walk(small) is syntax.walk(small)
    assert syntax.walk(large) is not syntax.walk(large)
