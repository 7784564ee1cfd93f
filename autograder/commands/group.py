"""A group of commands that suggests a command for a misspelt one."""

from __future__ import annotations

import click


class Group(click.Group):
    """Suggest a command for a misspelt one. Older versions of click do not."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or raise UsageError with the nearest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # noqa: PLC0415

            close = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            if close:
                raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from None
            raise
