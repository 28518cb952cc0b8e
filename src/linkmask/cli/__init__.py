"""The command line: parse, call, print. No logic.

The exit statuses are:

- 0: the work is done, and all risks are under the limits;
- 1: the command or its input is wrong;
- 2: the work is done, but documents were set aside, a limit was not met, or a value is readable
  that the replaced release masked;
- 3: the budget of a language model is spent (the next run continues from there);
- 130: the command was interrupted (the next run continues from there).
"""

from __future__ import annotations

import click

from linkmask.cli import (
    bench,
    check,
    completion,
    doctor,
    generate,
    inspection,
    masking,
    policy,
    recognizers,
    restoration,
    serve,
)
from linkmask.cli import settings as settings_command
from linkmask.cli.group import Group
from linkmask.version import __version__

EXAMPLES = """
\b
Examples:
  linkmask preview claims/ -n 3            show some masked documents
  linkmask mask claims/ -o masked/         mask a corpus
  linkmask explain masked.run --person SFH-2207-419
  linkmask plan masked.run --theta-chain 0.4
"""


@click.group(cls=Group, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="linkmask")
def main() -> None:
    """Find what identifies persons in a corpus, and mask what rules and limits require.

    linkmask works offline, unless you name a server, and never changes input files. The run folder
    (OUT.run) holds identifying values and is private. The report shows no value, unless
    you give --show-values.
    """


for command in (
    masking.mask,
    masking.scan,
    masking.plan,
    masking.apply,
    masking.update,
    inspection.verify,
    inspection.explain,
    inspection.review,
    inspection.preview,
    restoration.unmask,
    restoration.forget,
    serve.serve,
    check.check,
    policy.policy,
    recognizers.recognizers,
    settings_command.settings,
    doctor.doctor,
    completion.completion,
    bench.bench,
    generate.generate,
):
    main.add_command(command)
