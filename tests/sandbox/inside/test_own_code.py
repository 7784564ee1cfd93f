"""What student code replaces in the kit is put back before the next request."""

from __future__ import annotations

from types import ModuleType

from autograder.sandbox.inside.own_code import OwnCode


def probe(student: ModuleType) -> str:
    return helper()


def helper(word: str = "right") -> str:
    return word


def forged(word: str = "forged") -> str:
    return word


def other(word: str) -> str:
    return f"not {word}"


def test_names_code_and_defaults_are_put_back() -> None:
    own = OwnCode(probe)
    student = ModuleType("student")
    space, before = globals(), set(globals())
    original, code = helper, helper.__code__
    try:
        space["helper"], space["str"] = forged, repr
        assert probe(student) == "forged"
        own.put_back()
        assert probe(student) == "right"
        assert "str" not in space

        original.__defaults__ = ("forged",)
        own.put_back()
        assert probe(student) == "right"

        original.__code__ = other.__code__
        assert probe(student) == "not right"
        own.put_back()
        assert probe(student) == "right"
    finally:
        space["helper"] = original
        original.__code__ = code
    assert set(globals()) == before


def test_methods_of_the_kits_classes_are_put_back() -> None:
    from autograder.sandbox.inside.worker import Observer  # noqa: PLC0415

    own, method = OwnCode(), Observer.observe
    try:
        Observer.observe = forged  # type: ignore[method-assign, assignment]
        own.put_back()
        assert Observer.observe is method
    finally:
        Observer.observe = method  # type: ignore[method-assign]
