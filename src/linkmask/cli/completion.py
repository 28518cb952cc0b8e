"""Command `completion`: prints a script by which a shell completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog='\b\nExample: eval "$(linkmask completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script by which a shell completes commands, options and file names.

    In bash and zsh, put eval "$(linkmask completion SHELL)" into the file that the shell reads at
    its start. In fish: linkmask completion fish > ~/.config/fish/completions/linkmask.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "linkmask", "_LINKMASK_COMPLETE").source())
