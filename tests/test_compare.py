"""Right or wrong: what is judged, what is left open, and where the tolerance ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.compare import Difference, Right, agrees, compare, distance
from autograder.values.values import Different, Other, Raised, freeze, printed

NAN, INF = float("nan"), float("inf")


def difference(
    right: object, seen: object, *, decimals: int | None = None, slack: float = 1.0
) -> Difference | None:
    return compare(Right(freeze(right), decimals), freeze(seen), slack).difference


def fault(right: object, seen: object) -> str | None:
    found = difference(right, seen)
    return found.fault if found else None


def remarks(right: object, seen: object) -> tuple[str, ...]:
    found = compare(Right(freeze(right)), freeze(seen))
    assert found.difference is None
    return found.remarks


TENSOR = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
PARAMETER = torch.nn.Parameter(TENSOR.clone())
FROZEN = torch.nn.Parameter(TENSOR.clone(), requires_grad=False)
WHOLE = torch.tensor([0, 1, 2])
SCALAR = torch.tensor(1.5)
COMPLEX = torch.tensor([1 + 1j, 2 - 3j])

SAME: dict[str, tuple[object, object]] = {
    "a tensor": (TENSOR, TENSOR.clone()),
    "a parameter for a tensor": (TENSOR, PARAMETER),
    "a tensor in a graph": (TENSOR, PARAMETER * 1),
    "another floating dtype": (TENSOR, TENSOR.double()),
    "half precision": (TENSOR, TENSOR.half()),
    "bfloat16": (TENSOR, TENSOR.bfloat16()),
    "a NumPy array": (TENSOR.numpy(), TENSOR.double().numpy()),
    "a parameter": (PARAMETER, torch.nn.Parameter(TENSOR.clone())),
    "a Python number for a scalar": (SCALAR, 1.5),
    "a tensor for a Python number": (1.5, SCALAR),
    "an imaginary part nearby": (COMPLEX, COMPLEX + 5e-5j),
    "truth": (True, True),
    "whole numbers": (WHOLE, WHOLE.clone()),
    "a text": ("Life", "Life"),
    "nothing": (None, None),
    "an empty tensor": (torch.empty(0, 3), torch.empty(0, 3)),
    "a list for a tuple": ((TENSOR, SCALAR), [TENSOR, SCALAR]),
    "a stacked tensor for a tuple": ((TENSOR, TENSOR + 1), torch.stack([TENSOR, TENSOR + 1])),
    "a stacked array for numbers": ((1.5, 2.5), np.array([1.5, 2.5])),
    "a dictionary in another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "a NumPy number as a key": ({0: "Life"}, {np.int64(0): "Life"}),
    "printed numbers as an array": (printed([1.5]), np.array([1.5])),
    "printed numbers as a tensor": (printed([1.5]), torch.tensor([1.5])),
    "a printed number as a Python number": (printed(1.5), 1.5),
}


@pytest.mark.parametrize(("right", "seen"), SAME.values(), ids=SAME)
def test_what_the_contract_leaves_open_is_right(right: object, seen: object) -> None:
    assert difference(right, seen) is None


OFF: dict[str, tuple[object, object, str]] = {
    "None for a tensor": (TENSOR, None, "type"),
    "a tensor for None": (None, TENSOR, "type"),
    "a list for a tensor": (TENSOR, TENSOR.tolist(), "type"),
    "an array for a tensor": (TENSOR, TENSOR.numpy(), "type"),
    "a tensor for an array": (TENSOR.numpy(), TENSOR, "type"),
    "a tensor for a parameter": (PARAMETER, TENSOR, "type"),
    "an array for a parameter": (PARAMETER, TENSOR.numpy(), "type"),
    "a scalar for a scalar parameter": (torch.nn.Parameter(SCALAR), 1.5, "type"),
    "a text for a number": (1.5, "1.5", "type"),
    "a dictionary for a tuple": ((1.0, 2.0), {0: 1.0, 1: 2.0}, "type"),
    "a tuple for a dictionary": ({0: 1.0}, (1.0,), "type"),
    "a vector for a tuple of matrices": ((TENSOR, TENSOR), TENSOR[0], "type"),
    "a scalar for a tuple of scalars": ((1.5, 1.5), SCALAR, "type"),
    "too few": ((1.0, 2.0), (1.0,), "count"),
    "too many in a stack": ((TENSOR[0], TENSOR[1]), torch.ones(3, 3), "count"),
    "a key too many": ({"a": 1}, {"a": 1, "b": 2}, "keys"),
    "a key too few": ({"a": 1, "b": 2}, {"a": 1}, "keys"),
    "texts for numbers as keys": ({0: "Life"}, {"0": "Life"}, "keys"),
    "truth for numbers as keys": ({0: "Life"}, {False: "Life"}, "keys"),
    "a transposed tensor": (TENSOR, TENSOR.T, "shape"),
    "a scalar for a vector of one": (torch.ones(1), torch.tensor(1.0), "shape"),
    "a vector of one for a scalar": (SCALAR, torch.tensor([1.5]), "shape"),
    "what would broadcast": (TENSOR, torch.ones(3), "shape"),
    "an empty tensor of another shape": (torch.empty(0, 3), torch.empty(3, 0), "shape"),
    "whole numbers for others": (torch.ones(3), torch.ones(3, dtype=torch.long), "dtype"),
    "others for whole numbers": (WHOLE, WHOLE.float(), "dtype"),
    "truth for numbers": (torch.ones(3), torch.ones(3) > 0, "dtype"),
    "a whole number for another": (1.0, 1, "dtype"),
    "indices that do not index": (WHOLE, WHOLE.int(), "dtype"),
    "a frozen parameter": (PARAMETER, FROZEN, "frozen"),
    "a trainable parameter": (FROZEN, PARAMETER, "frozen"),
    "nan": (TENSOR, torch.full((2, 3), NAN), "not_finite"),
    "one nan": (torch.ones(2), torch.tensor([1.0, NAN]), "not_finite"),
    "nan for a number": (1.5, NAN, "not_finite"),
    "nan for a printed number": (printed([1.0]), torch.tensor([NAN]), "not_finite"),
    "nan for nan": (TENSOR * NAN, TENSOR * NAN, "not_finite"),
    "inf for nan": (TENSOR * NAN, TENSOR * INF, "not_finite"),
    "a number for nan": (TENSOR * NAN, TENSOR, "values"),
    "inf for a number": (torch.tensor([1.0, 2.0]), torch.tensor([1.0, INF]), "not_finite"),
    "a number for inf": (torch.tensor([1.0, INF]), torch.tensor([1.0, 2.0]), "values"),
    "another number": (1.5, 1.6, "values"),
    "another imaginary part": (COMPLEX, COMPLEX + 0.1j, "values"),
    "a complex nan": (COMPLEX, COMPLEX * NAN, "not_finite"),
    "another text": ("Life", "life", "values"),
    "one whole number among many": (WHOLE, torch.tensor([0, 1, 3]), "values"),
}


@pytest.mark.parametrize(("right", "seen", "wanted"), OFF.values(), ids=OFF)
def test_what_the_contract_says_is_judged(right: object, seen: object, wanted: str) -> None:
    assert fault(right, seen) == wanted


@pytest.mark.parametrize(
    ("right", "seen", "path", "kind"),
    [
        ((1.0, 2.0), (1.0, 3.0), (1,), "values"),
        ({"a": (1.0, TENSOR)}, {"a": (1.0, TENSOR.T)}, ("a", 1), "shape"),
        ({0: 1.0, 1: 2.0}, {0: 1.0, 1: 2.5}, ("1",), "values"),
        (({"k": 1.0},), [{"k": None}], (0, "k"), "type"),
        ((TENSOR[0], TENSOR[1]), torch.stack([TENSOR[0], TENSOR[0]]), (1,), "values"),
    ],
)
def test_the_first_difference_is_found_where_it_is(
    right: object, seen: object, path: tuple[int | str, ...], kind: str
) -> None:
    found = difference(right, seen)

    assert found is not None
    assert (found.path, found.fault) == (path, kind)


number = st.floats(-1e4, 1e4).map(lambda x: float(np.float32(x)))


@given(number, st.floats(0, 0.999), st.sampled_from([-1, 1]), st.sampled_from([1.0, 5.0]))
def test_the_tolerance_ends_where_it_should(
    right: float, part: float, sign: int, slack: float
) -> None:
    """|a - b| <= slack * (1e-4 + 1e-5 |b|)"""
    limit = slack * (1e-4 + 1e-5 * abs(right))

    assert difference(right, right + sign * part * limit, slack=slack) is None
    assert difference(right, right + sign * 1.001 * limit, slack=slack) is not None


@given(number, st.integers(1, 6), st.floats(0, 0.999), st.sampled_from([-1, 1]))
def test_a_printed_number_may_be_half_a_unit_of_its_last_digit_off(
    right: float, decimals: int, part: float, sign: int
) -> None:
    limit = 0.5 * 10.0**-decimals + 1e-4 + 1e-5 * abs(right)
    near = printed(right + sign * part * limit)
    far = printed(right + sign * 1.001 * limit)

    assert difference(printed(right), near, decimals=decimals) is None
    assert difference(printed(right), far, decimals=decimals) is not None


def test_what_is_not_printed_is_not_judged() -> None:
    right = printed([[1.0, NAN], [NAN, 4.0]])

    assert difference(right, torch.tensor([[1.0, 7.0], [NAN, 4.0]])) is None
    assert difference(right, torch.tensor([[1.0, INF], [-INF, 4.0]])) is None
    assert fault(right, torch.tensor([[1.0, 7.0], [8.0, 4.1]])) == "values"


@pytest.mark.parametrize(
    ("draws", "path", "kind"),
    [
        ((TENSOR, TENSOR + 1, TENSOR + 2), (), None),
        ([TENSOR * 7, TENSOR, TENSOR * 2], (), None),
        ((TENSOR, TENSOR.clone(), TENSOR + 1), (1,), "equal"),
        ((TENSOR, TENSOR + 1, TENSOR), (2,), "equal"),
        ((TENSOR, TENSOR + 1e-5, TENSOR + 1), (1,), "equal"),
        ((TENSOR, TENSOR.T, TENSOR + 1), (1,), "shape"),
        ((TENSOR, None, TENSOR + 1), (1,), "type"),
        ((TENSOR, TENSOR * NAN, TENSOR + 1), (1,), "not_finite"),
        ((TENSOR, TENSOR + 1), (), "count"),
    ],
)
def test_values_that_must_differ_may_be_any_that_do(
    draws: Any, path: tuple[int, ...], kind: str | None
) -> None:
    right = Different((torch.zeros(2, 3), torch.ones(2, 3), torch.ones(2, 3) * 2))
    found = difference(right, Different(draws))
    assert (found and found.fault) == kind
    assert found is None or found.path == path


def test_an_exception_is_right_where_it_is_asked_for_and_nothing_else_is() -> None:
    right = Raised(("KeyError",))
    assert difference(right, Raised(("KeyError",))) is None
    others = (TENSOR, None, 0, "KeyError", ("KeyError",), ["KeyError"], Raised(("IndexError",)))
    assert {fault(right, other) for other in (*others, Raised(()))} == {"no_exception"}
    assert agrees(freeze(right), freeze(right))


@pytest.mark.parametrize(
    ("right", "kind"),
    [
        (TENSOR, "type"), (1.5, "type"), ("KeyError", "type"), ({"a": 1}, "type"), ((TENSOR, TENSOR), "count"),
        ((TENSOR,), "type"),
    ],
)  # fmt: skip
def test_an_exception_is_no_other_answer(right: Any, kind: str) -> None:
    assert fault(right, Raised(("KeyError",))) == kind


def test_another_precision_is_a_remark() -> None:
    assert remarks(TENSOR, TENSOR.double()) == ("dtype",)
    assert remarks((TENSOR, TENSOR), (TENSOR.double(), TENSOR.double())) == ("dtype",)
    assert remarks(TENSOR, TENSOR.clone()) == ()
    assert remarks(printed([1.0]), np.array([1.0])) == ()
    assert remarks(WHOLE, WHOLE) == ()


def test_a_right_answers_own_remark_goes_with_it() -> None:
    right = Right(freeze(TENSOR), remark="creation_order")

    assert compare(right, freeze(TENSOR)).remarks == ("creation_order",)
    assert compare(right, freeze(TENSOR + 1)).remarks == ()


MASKED = torch.tensor([[1.0, -INF], [2.0, 3.0]])


@pytest.mark.parametrize(
    ("right", "seen", "wanted"),
    [
        ((TENSOR, {"a": 1.0}), (TENSOR + 0.25, {"a": 1.5}), 0.5),
        ((TENSOR, {"a": 1.0}), (TENSOR, {"a": 1.0}), 0),
        (MASKED, MASKED + 0.5, 0.5),
        # More than numbers differs.
        (TENSOR, TENSOR.T, INF),
        (TENSOR, None, INF),
        (TENSOR, TENSOR * NAN, INF),
        (WHOLE, WHOLE + 1, INF),
        ("Life", "life", INF),
        ((1.0,), (1.0, 2.0), INF),
        (Raised(("KeyError",)), TENSOR, INF),
        (MASKED, torch.where(MASKED.isinf(), -1e9, MASKED), INF),
    ],
)
def test_distance_is_the_largest_one(right: object, seen: object, wanted: float) -> None:
    assert distance(freeze(right), freeze(seen)) == wanted


OVERFLOWED = torch.tensor([1.0, NAN, INF])


@pytest.mark.parametrize(
    ("seen", "same"),
    [
        (OVERFLOWED.clone(), True),
        (torch.tensor([1.0, INF, NAN]), True),
        (torch.tensor([1.0, NAN, -INF]), False),
        (torch.tensor([1.1, NAN, INF]), False),
        (torch.tensor([NAN, NAN, INF]), False),
        (torch.tensor([1.0, 2.0, INF]), False),
        (torch.full((3,), NAN), False),
    ],
)
def test_two_answers_that_overflow_in_the_same_places_agree(seen: torch.Tensor, same: bool) -> None:
    assert agrees(freeze(OVERFLOWED), freeze(seen)) is same
    assert agrees(freeze(seen), freeze(OVERFLOWED)) is same


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        (MASKED.clone(), None),
        (MASKED.double(), None),
        (MASKED + 5e-5, None),
        (MASKED.tolist(), "type"),
        (MASKED + 1.0, "values"),
        (MASKED.nan_to_num(neginf=-1e9), "values"),
        (-MASKED, "not_finite"),
        (MASKED.T, "not_finite"),
        (torch.where(MASKED.isinf(), INF, MASKED), "not_finite"),
        (torch.where(MASKED.isinf(), NAN, MASKED), "not_finite"),
    ],
)
def test_infinite_numbers_are_right_where_the_reference_has_the_same(
    seen: object, wanted: str | None
) -> None:
    assert fault(MASKED, seen) == wanted
    assert fault(printed(MASKED), seen) == wanted


@pytest.mark.parametrize(
    ("right", "seen", "places"),
    [
        (TENSOR, TENSOR + torch.tensor([[0, 0.1, 0], [0, 0, -0.2]]), (2, 6)),
        (MASKED, MASKED + torch.tensor([[0.0, 0.0], [0.5, 0.0]]), (1, 4)),
        (MASKED, torch.zeros(2, 2), (4, 4)),
    ],
)
def test_wrong_numbers_are_counted(right: object, seen: object, places: tuple[int, int]) -> None:
    found = difference(right, seen)
    assert found is not None
    assert (found.wrong_places, found.all_places) == places


def test_what_has_only_a_name_is_never_right() -> None:
    for right, _ in SAME.values():
        for seen in (Other("Vector"), Other("list")):
            assert compare(Right(freeze(right)), seen).difference is not None
