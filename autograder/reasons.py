"""Codes for what is wrong with an answer. `explain` turns codes into words, never words into codes."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

# How an answer differs from the right one, as `compare` says it. Each is a Reason, too.
Fault = Literal[
    "type", "count", "keys", "shape", "dtype", "frozen", "not_finite", "values", "equal", "no_exception",
]  # fmt: skip


class Reason(StrEnum):
    """A machine-readable reason."""

    # A probe could not use the object that the student's class made.
    NO_ATTRIBUTE = "no_attribute"
    NO_MATRIX = "no_matrix"
    NO_LAYER = "no_layer"
    NO_BIAS = "no_bias"
    NO_MODULE = "no_module"
    COMPILED_MODULE = "compiled_module"
    OTHER_SIZES = "other_sizes"
    OTHER_OUTPUT_SHAPE = "other_output_shape"

    # A module holds this in place of a trainable parameter.
    NOT_REGISTERED = "not_registered"
    NOT_TRAINABLE = "not_trainable"
    SAME_MATRIX = "same_matrix"

    # How an answer differs from the right one: the names of Fault.
    TYPE = "type"
    COUNT = "count"
    KEYS = "keys"
    SHAPE = "shape"
    DTYPE = "dtype"
    FROZEN = "frozen"
    NOT_FINITE = "not_finite"
    VALUES = "values"
    EQUAL = "equal"
    NO_EXCEPTION = "no_exception"
    KNOWN_MISTAKE = "known_mistake"
    PROPERTY = "property"
    DOCUMENTED_INPUTS = "documented_inputs"
    CARRIED_FORWARD = "carried_forward"
    RIGHT_CALLS = "right_calls"
    JUDGED_ALONE = "judged_alone"

    # The step returned nothing.
    NOT_STARTED = "not_started"
    WAITS_FOR_A_STEP = "waits_for_a_step"
    NOT_DEFINED = "not_defined"
    MISSPELT = "misspelt"
    FILE_STOPPED = "file_stopped"
    LEFT_OUT = "left_out"
    REPLACED_FUNCTION = "replaced_function"
    FROM_THE_FILE = "from_the_file"
    NOT_A_STEP = "not_a_step"
    KNOWN_ERROR = "known_error"
    IN_ANOTHER_STEP = "in_another_step"
    MISUSED_STEP = "misused_step"
    FORBIDDEN = "forbidden"
    OUT_OF_MEMORY = "out_of_memory"
    CALLED_EXIT = "called_exit"
    ANSWER_TOO_LARGE = "answer_too_large"


# The reasons that a worker may give for an unsuitable object.
UNSUITABLE = frozenset(
    {
        Reason.NO_ATTRIBUTE,
        Reason.NO_MATRIX,
        Reason.NO_LAYER,
        Reason.NO_BIAS,
        Reason.NO_MODULE,
        Reason.COMPILED_MODULE,
        Reason.OTHER_SIZES,
        Reason.OTHER_OUTPUT_SHAPE,
    }
)

MAX_LENGTH = 200


class Unsuitable(Exception):
    """The student's object cannot be probed further.

    Args:
        reason: one of UNSUITABLE.
        name: the name of the attribute or class.
        seen: what was found: a type's name or a shape.
        wanted: the expected shape.
    """

    def __init__(
        self,
        reason: Reason,
        name: str = "",
        seen: str | tuple[int, ...] = "",
        wanted: tuple[int, ...] = (),
    ) -> None:
        if reason not in UNSUITABLE:
            raise ValueError(reason)
        super().__init__(reason, name, seen, wanted)
        self.reason = reason
        self.name = name[:MAX_LENGTH]
        self.seen = seen[:MAX_LENGTH]
        self.wanted = wanted[:MAX_LENGTH]
