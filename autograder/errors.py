"""Everything that can go wrong, as one tree.

    KitError
    |-- UsageError             the request cannot be carried out: exit code 2
    |   `-- AssignmentError    an assignment's own files are missing or contradict each other
    |-- Rejected               nothing in this submission can be run; the text tells the student why
    `-- GraderFault            the grader failed, never the student: `ungraded`, exit code 1
        `-- ProtocolError      a worker sent bytes that are no frame of the protocol

An exception in a student's own code is data (`results.StudentError`), not one of these.
"""


class KitError(Exception):
    """The root of all errors that this kit raises."""


class UsageError(KitError):
    """The request cannot be carried out; the message says what to do instead."""


class AssignmentError(UsageError):
    """An assignment's folder is incomplete or inconsistent."""


class Rejected(KitError):
    """A submission in which nothing can be run."""


class GraderFault(KitError):
    """The grader failed; the student's work is not judged by this."""


class ProtocolError(GraderFault):
    """Bytes that are no frame of the protocol."""
