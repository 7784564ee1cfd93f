"""`autograder bundle`: pack what students or a course platform need."""

from __future__ import annotations

import click

from autograder.commands import Exit
from autograder.commands.options import PlatformBundleOptions, StudentBundleOptions
from autograder.release.bundle import bundle_for_platform, bundle_for_student


def run(platform: str, options: StudentBundleOptions | PlatformBundleOptions) -> int:
    """Write the bundle, and print what to do with it. Raises UsageError if it cannot be made."""
    if isinstance(options, StudentBundleOptions):
        bundle_for_student(options.project, options.name, options.out, options.solutions)
        click.echo(f"{options.out}: give this file to your students; its README says how to begin.")
        return Exit.DONE
    written = bundle_for_platform(
        platform,
        options.name,
        options.out,
        options.project,
        options.torch_index,
        options.solutions,
    )
    click.echo(f"{written}: docs/platforms.md says what to do with it.")
    return Exit.DONE
