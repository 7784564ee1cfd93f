from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.reports.json_parts import JsonParts

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6
)


class Drops(io.StringIO):
    """A file of which each call reads one character, however many are asked for."""

    def read(self, size: int | None = -1) -> str:  # noqa: ARG002
        return super().read(1)


def entries(file: io.StringIO) -> dict[str, Any]:
    parts = JsonParts(file)
    found = {name: parts.value() for name in parts.entries()}
    parts.end()
    return found


@settings(max_examples=50)
@given(
    st.dictionaries(st.text(), VALUES, max_size=4),
    st.sampled_from([None, 1]),
    st.sampled_from([io.StringIO, Drops]),
)
def test_what_json_wrote_is_read(
    content: dict[str, Any], indent: int | None, kind: type[io.StringIO]
) -> None:
    assert entries(kind(json.dumps(content, indent=indent) + "\n")) == content


@settings(max_examples=50)
@given(st.dictionaries(st.text(), VALUES, min_size=1, max_size=4), st.data())
def test_a_text_that_is_cut_is_refused(content: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(content)
    length = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(ValueError, match=r"."):
        entries(Drops(text[:length]))


@pytest.mark.parametrize(
    "text", ["[]", "{} 1", "{1: 2}", '{"a" 1}', '{"a": 1,}', '{"a": 1 "b": 2}', "{null: 1}"]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        entries(io.StringIO(text))


def test_an_object_in_an_object_is_read_entry_by_entry() -> None:
    parts = JsonParts(Drops('{"before": [1, 2], "inner": {"a": 10, "b": {}}, "after": 12}'))
    found: dict[str, Any] = {}
    for name in parts.entries():
        if name == "inner":
            found |= {f"inner {key}": parts.value() for key in parts.entries()}
        else:
            found[name] = parts.value()
    assert found == {"before": [1, 2], "inner a": 10, "inner b": {}, "after": 12}
