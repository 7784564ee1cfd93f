"""What is said of an answer that holds more than was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.explain.evidence import right_key
from autograder.values.values import freeze, tensor

pytestmark = pytest.mark.unit

ONE, TWO, OTHER = (tensor(np.arange(6.0).reshape(2, 3) + start) for start in (0.0, 10.0, 20.0))


def test_a_part_is_right_only_if_it_is_right_in_each_part_of_the_answer() -> None:
    wanted = freeze((ONE, TWO))
    assert right_key(freeze(((OTHER, ONE), (OTHER, TWO))), wanted) == 1
    assert right_key(freeze(((OTHER, ONE), TWO)), wanted) == 1
    assert right_key(freeze(((ONE, OTHER), (ONE, OTHER))), wanted) is None
    assert right_key(freeze(((ONE, OTHER), (OTHER, TWO))), wanted) is None


def test_an_answer_with_as_much_as_was_asked_for_has_no_such_parts() -> None:
    assert right_key(ONE, ONE) is None
    assert right_key(freeze((ONE, TWO)), freeze((ONE, TWO))) is None
    assert right_key(freeze((ONE, TWO, OTHER)), freeze((ONE, TWO))) is None
    assert right_key(freeze({"out": ONE, 3: TWO}), ONE) == "out"
