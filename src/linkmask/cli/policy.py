"""Command `policy`: lists and shows the policies of linkmask, and checks a user's own."""

from __future__ import annotations

from pathlib import Path

import click

from linkmask.choices import policy_names
from linkmask.cli.group import OrderedGroup
from linkmask.cli.options import ANY
from linkmask.cli.output import console, say
from linkmask.report.wording import count


@click.group(cls=OrderedGroup)
def policy() -> None:
    """List and show the policies of linkmask, and check your own."""


@policy.command("list", epilog="\b\nExample: linkmask policy list")
def policy_list() -> None:
    """List the policies that ship with linkmask."""
    from linkmask import policy as policies

    for table in map(policies.load, policy_names()):
        click.echo(f"{table.name:14}{table.title}")


@policy.command("show", epilog="\b\nExample: linkmask policy show hipaa")
@click.argument("name")
def policy_show(name: str) -> None:
    """Show what a policy requires for each type, with its citations."""
    from linkmask import policy as policies
    from linkmask.report.terminal import rules_table

    table = policies.load(name)
    rows = [(t, r.sensitivity, r.technique, r.citation) for t, r in table.rules.items()]
    click.echo(f"{table.title}\n{table.claim}\n")
    console(whole=True).print(rules_table(rows))
    if table.uncovered:
        click.echo(f"\nNothing is said of {', '.join(sorted(table.uncovered))}.")


@policy.command("check", epilog="\b\nExample: linkmask policy check examples/policy/house.toml")
@click.argument("file", type=ANY)
def policy_check(file: Path) -> None:
    """Check your policy file; each error names its line and key."""
    from linkmask import policy as policies
    from linkmask import schema

    table = policies.load(str(file))
    silent, own = table.gaps(schema.load("regulated").types)
    rules = count(len(table.rules), "rule")
    click.echo(f"{file} is a policy: {rules}, priority {table.priority}.")
    if silent:
        say(
            f"It says nothing of {', '.join(silent)}: documents with these are set aside, unless "
            "another policy names the type."
        )
    if own:
        say(
            f"linkmask has no type {', '.join(own)}: define it by a block [[type]] in a "
            "file of recognizers."
        )
