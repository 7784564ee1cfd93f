"""What is said of an answer that holds more than was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.explain.evidence import Evidence, keys_of, only, right_key
from autograder.explain.properties import property_of
from autograder.explain.rules import explained
from autograder.values.values import Value, freeze, identical, tensor

pytestmark = pytest.mark.unit

ONE, TWO, OTHER = (tensor(np.arange(6.0).reshape(2, 3) + start) for start in (0.0, 10.0, 20.0))


def test_a_part_is_right_only_if_it_is_right_in_each_part_of_the_answer() -> None:
    wanted = freeze((ONE, TWO))
    assert right_key([(freeze(((OTHER, ONE), (OTHER, TWO))), wanted)]) == 1
    assert right_key([(freeze(((OTHER, ONE), TWO)), wanted)]) == 1
    assert right_key([(freeze(((ONE, OTHER), (ONE, OTHER))), wanted)]) is None
    assert right_key([(freeze(((ONE, OTHER), (OTHER, TWO))), wanted)]) is None


def test_a_part_is_right_only_if_it_is_right_in_every_question() -> None:
    first = (freeze((ONE, OTHER)), ONE)
    assert right_key([first, (freeze((TWO, OTHER)), TWO)]) == 0
    assert right_key([first, (freeze((OTHER, TWO)), TWO)]) is None
    assert right_key([first, (None, TWO)]) is None


def test_a_part_that_is_wrong_elsewhere_is_not_called_right() -> None:
    def words(further: tuple[Value, Value]) -> str:
        evidence = Evidence(freeze((ONE, OTHER)), ONE, further=(further,))
        return explained(property_of(evidence)).message

    assert "right on its own" in words((freeze((TWO, OTHER)), TWO))
    assert "right on its own" not in words((freeze((OTHER, TWO)), TWO))


def test_an_answer_with_as_much_as_was_asked_for_has_no_such_parts() -> None:
    assert keys_of(ONE, ONE) == ()
    assert keys_of(freeze((ONE, TWO)), freeze((TWO, ONE))) == ()
    assert keys_of(freeze((ONE, TWO, OTHER)), freeze((ONE, TWO))) == ()
    assert keys_of(freeze({"out": ONE, 3: TWO}), ONE) == ("out",)


def test_a_part_is_taken_from_each_place_where_more_came_back() -> None:
    wanted = freeze((ONE, TWO))
    taken = only(0, freeze(((ONE, OTHER), TWO)), wanted)
    assert identical(taken, wanted)
    assert only(5, freeze((ONE, OTHER)), ONE) is None


def test_named_parts_that_should_differ_and_are_equal_are_named() -> None:
    def words(seen: Value, returns: tuple[str, ...]) -> str:
        return explained(property_of(Evidence(seen, freeze((ONE, TWO)), returns=returns))).message

    odd = tensor(np.sin(np.arange(6.0).reshape(2, 3)))
    equal = freeze((odd, odd))
    assert words(equal, ("queries", "keys")).endswith("must differ: queries; keys.")
    assert "must differ" not in words(equal, ())
    assert "must differ" not in words(freeze((odd, ONE)), ("queries", "keys"))
