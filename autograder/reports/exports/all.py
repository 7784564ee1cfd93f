"""Every format of `autograder export`, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.reports.exports import canvas, moodle, plain_csv, platforms

if TYPE_CHECKING:
    from autograder.reports.exports.format import Format

FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (canvas.FORMAT, moodle.FORMAT, plain_csv.FORMAT, *platforms.FORMATS)
}
