"""Write what docs/ and the README take from the code.

python docs/generate.py             commands.md, settings.md, types.md, openapi.json, linkage.svg
python docs/generate.py --readme    the README's text before and after masking, too
python docs/generate.py --picture   and report*.png and review-*.png (`pictures.py`)
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from linkmask import cli, commands, config, schema
from linkmask.choices import DETECTORS, SOLVERS
from linkmask.cli.options import (
    MENTIONS,
    MODEL_OPTIONS,
    OUT,
    OUTPUT_OPTIONS,
    PLAN_OPTIONS,
    READ_OPTIONS,
    RELEASE_OPTIONS,
    SETTINGS_OPTIONS,
    STYLE_OPTIONS,
)
from linkmask.config.described import INTERNAL, described
from linkmask.serve.openapi import document
from linkmask.serve.routes import ROUTES

DOCS = Path(__file__).parent
README = DOCS.parent / "README.md"
EXAMPLE = DOCS.parent / "examples" / "insurance" / "documents"
SHOWN = "00_cluster_0_doc2.json"
"""The document of the example corpus that the README shows."""
NOTE = "<!-- Written by docs/generate.py: change the code, not this page. -->\n"
PRESETS = ["insurance", *(name for name in config.preset_names() if name != "insurance")]

# ── commands ────────────────────────────────────────────────────────────────────────────────────


def commands_page() -> str:
    """Return every command with its arguments and options, as `--help` says them."""
    about = inspect.getdoc(cli.main)
    parts = [NOTE, "# Commands\n", f"{about}\n", INTRO]
    shared = shared_options()
    rows = {title: [row(option) for option in group] for title, group in shared.items()}
    for name, command in cli.main.commands.items():
        parts += command_parts(name, command, "##", rows)
    parts += [SHARED]
    for title, group in shared.items():
        parts += group_parts(title, group)
    return re.sub(r"\bdocs/(\w+)\.md", r"[\1](\1.md)", "\n".join(parts))


GROUPS = {
    "configuration": SETTINGS_OPTIONS, "reading and detection": [*READ_OPTIONS, MENTIONS],
    "language model": MODEL_OPTIONS, "limits": PLAN_OPTIONS, "masks": STYLE_OPTIONS,
    "output": [OUT, *RELEASE_OPTIONS, *OUTPUT_OPTIONS],
}  # fmt: skip
"""Options that several commands share, by what they are about; each takes all or one of a group."""


def shared_options() -> dict[str, list[click.Option]]:
    """Return the options of each group."""
    found: dict[str, list[click.Option]] = {}
    for title, group in GROUPS.items():
        command: Any = click.Command("")
        for option in group:
            command = option(command)
        found[title] = command.params
    return found


def group_parts(title: str, group: list[click.Option]) -> Iterator[str]:
    """Yield what is said of a group: which settings its options set, and what the others mean."""
    setting = {option: described().get(option.name or "") for option in group}
    links = [
        f"[`{option.opts[0]} {option.metavar or ''}".rstrip() + f"`](settings.md#{one.section})"
        for option, one in setting.items()
        if one
    ]
    yield f"### {title.capitalize()}\n"
    if links:
        yield f"Settings: {', '.join(links)}.\n"
    if others := [option for option, one in setting.items() if not one]:
        yield meanings([row(option) for option in others])


def command_parts(
    name: str, command: click.Command, heading: str, shared: dict[str, list[list[str]]]
) -> Iterator[str]:
    """Yield what is said of a command, and of those below it."""
    yield f"{heading} {name}\n"
    yield f"{inspect.getdoc(command)}\n"
    if example := example_of(command):
        yield f"```sh\n{example}\n```\n"
    rows = list(options(command))
    if own := [row for row in rows if not any(row in group for group in shared.values())]:
        yield meanings(own)
    if links := ", ".join(filter(None, (named(*group, rows) for group in shared.items()))):
        yield f"Shared options: {links}.\n"
    below = getattr(command, "commands", {})
    short = [one for one in below.values() if not list(options(one))]
    if short:
        rows = [[f"`{example_of(one)}`", f"{inspect.getdoc(one)}"] for one in short]
        yield table(["Example", "Meaning"], iter(rows))
    for last, inner in below.items():
        if inner not in short:
            yield from command_parts(f"{name} {last}", inner, "###", shared)


def meanings(rows: list[list[str]]) -> str:
    """Return a table of options; a single one needs none."""
    if len(rows) == 1:
        return f"{rows[0][0]}: {rows[0][1]}\n"
    return table(["Option", "Meaning"], rows)


def example_of(command: click.Command) -> str:
    """Return the example that a command's help shows, or nothing."""
    return (command.epilog or "").replace("\b\nExample: ", "").strip()


def named(title: str, group: list[list[str]], rows: list[list[str]]) -> str:
    """Return links to the options that a command takes of a group: to all at once, or to each."""
    anchor = f"(#{title.replace(' ', '-')})"
    names = {row[0].split("`")[1].split(", ")[-1]: row in rows for row in group}
    lacking = [f"`{name}`" for name, taken in names.items() if not taken]
    if len(lacking) < 2:
        return f"[{title}]{anchor}" + "".join(f" except {name}" for name in lacking)
    return ", ".join(f"[`{name}`]{anchor}" for name, taken in names.items() if taken)


INTRO = """\
| You want to | Command |
|---|---|
| see a few documents before and after masking | [`preview`](#preview) |
| mask a corpus | [`mask`](#mask) |
| know why a value is masked, or what a person's documents still show | [`explain`](#explain) |
| try other limits, and release the result | [`plan`](#plan), then [`apply`](#apply) |
| decide about values yourself | [`review`](#review), then [`apply`](#apply) |
| mask a corpus that has changed | [`update`](#update) |
| stop a build if documents are not within the limits | [`check`](#check) |
| restore the originals | [`unmask`](#unmask) |
| delete a person's values from a run | [`forget`](#forget) |
| mask what other programs send | [`serve`](#serve) |

INPUT is your file or folder, OUT the folder of the masked documents, and RUN the run folder. Square
brackets at the end of a meaning hold the default. The [exit status](files.md#exit-status) tells how
a command ended. `linkmask COMMAND --help` prints the meanings of all options.
"""

SHARED = """\
## Shared options

Several commands take these options. If an option sets a setting, its link leads to the meaning and
the default. To give several values, repeat the option; `--policy` takes names separated by commas.
"""


def options(command: click.Command) -> Iterator[list[str]]:
    """Yield each option of a command with its meaning."""
    yield from (row(option) for option in command.params if isinstance(option, click.Option))


def row(option: click.Option) -> list[str]:
    """Return the names of an option with its value, and its meaning."""
    kind = option.type
    value = "" if option.is_flag else option.metavar or kind.name.split()[0].upper()
    if isinstance(kind, click.Choice):
        value = "\\|".join(kind.choices)
    if isinstance(kind, click.Path) and not option.metavar:
        value = "FOLDER" if not kind.file_okay else "PATH"
    return [f"`{', '.join(option.opts)}` {value}".rstrip(), option.help or ""]


# ── settings ────────────────────────────────────────────────────────────────────────────────────


def settings_page() -> str:
    """Return every setting with range, value by preset and meaning."""
    by_preset = {name: config.load(preset=name, environment={}) for name in PRESETS}
    parts = [NOTE, HEAD]
    for section, fields in sections().items():
        rows = []
        for name, (kind, meaning) in fields.items():
            if name in INTERNAL:
                continue
            default = getattr(by_preset["insurance"], name)
            other = [
                f"{preset}: {shown(different(getattr(settings, name), default))}"
                for preset, settings in by_preset.items()
                if preset != "thesis" and name != "preset" and getattr(settings, name) != default
            ]
            rows.append([f"`{name}`", kind, "<br>".join([shown(default), *other]), meaning])
        head = ["Setting", "Values", "Default, and other presets", "Meaning"]
        parts += [f"## {section}\n", table(head, rows)]
    return "\n".join(parts)


HEAD = """\
# Settings

A setting changes how linkmask reads, detects, plans or masks:

| You want to | Setting |
|---|---|
| choose a ready set of settings | [`preset`](#presets) |
| always mask a type | [`floor`](#plan) |
| lower the limits of risk | [`theta_doc`, `theta_chain`](#plan) |
| write masks in another way | [`style`, `styles`](#redact) |
| follow a regulation | [`policy`](#policy) |
| name the fields that hold text | [`text_field`, `exclude_fields`](#corpus) |
| use a language model | [`detector`](#detect), [`llm_url`, `llm_model`](#llm) |

## Presets

| Preset | Purpose |
|---|---|
| `insurance` | The default: masks the types in `floor` and `generalize`. Limits add masks. |
| `strict` | Lower limits, so that less of a person stays readable. |
| `release` | For readers who may link documents: masks more [rare words](linkage.md#rare-words). |
| `uniform` | No limits, so masks depend less on [what other documents contain]\
(linkage.md#what-masks-tell-about-the-corpus). |
| `general` | Other weights, for documents not about health insurance; always masks staff. |
| `thesis` | Reproduces the [thesis](glossary.md#measures): no type is always masked. |

[Linkage](linkage.md#what-it-finds) compares `release` and `uniform` with the default.

## Where to set

If several of these places name a setting, the last of them counts:

1. the preset (`--preset`, default `insurance`),
2. a TOML file (`--config FILE`),
3. an environment variable, as in `LINKMASK_THETA_DOC=0.9`,
4. the command line: the setting's own option, or `--set theta_doc=0.9`.

In a file, the settings of section `general` stand at the top. Each later section is a table:

```toml
preset = "strict"

[plan]
floor = ["NAME", "PATIENT_ID", "ADDRESS", "PHONE_NUMBER", "EMAIL", "NATIONAL_ID", "CREDIT_CARD",
         "IBAN", "BIRTHDATE", "NON_PERSONAL_ID", "IP_ADDRESS"]   # the default list and one type
theta_chain = 0.45

[redact]
style = "pseudonym"
styles = { EVENT_DATE = "surrogate" }
```

With `--set` and in the environment, commas separate the words of a list
(`--set floor=NAME,EMAIL`), and a table is JSON (`--set 'weights={"NAME": 0.9}'`). A new list or
table replaces the old one as a whole. linkmask refuses an unknown name and a value out of range.

The tables below give the default first, and then presets with another value. Of `generalize`, a
preset shows only the types that differ. The values of preset `thesis` are in
`src/linkmask/config/presets/thesis.toml`.
"""


def sections() -> dict[str, dict[str, tuple[str, str]]]:
    """Return (values, meaning) of each setting by section."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for name, one in described().items():
        found.setdefault(one.section, {})[name] = (values(name, one.annotation), one.meaning)
    return found


KINDS = {
    "str": "text", "bool": "true, false", "int": "whole number", "Unit": "0 to 1",
    "Positive": "1 or more", "Count": "0 or more", "tuple[str, ...]": "list",
    "str | tuple[str, ...]": "text or list",
    "dict[str, Unit]": "type → 0 to 1", "dict[str, str]": "type → style",
    "dict[EntityId, str]": "id → what it is",
    "dict[str, OwnType]": "type → its table",
}  # fmt: skip

NAMES = {"detector": DETECTORS, "solver": SOLVERS}
"""Settings whose names are those of a registry."""


def values(name: str, kind: Any) -> str:
    """Say what values a setting takes."""
    written = ast.unparse(kind)
    if written.startswith("Literal"):
        return ", ".join(f"`{choice.value}`" for choice in kind.slice.elts)
    if written.startswith("Annotated"):
        bounds = {word.arg: ast.unparse(word.value) for word in kind.slice.elts[1].keywords}
        return f"{bounds['ge']} to {bounds['le']}"
    if name == "detector_digests":
        return "address → digest"
    if name == "style":
        return "a [style](redact.md#styles) or a [technique](policy.md#techniques)"
    if written == "str" and name in NAMES:
        return ", ".join(f"`{one}`" for one in NAMES[name])
    return KINDS[written]


def shown(value: Any) -> str:
    """Write a value as it stands in a configuration file."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, list | tuple):
        return "`[" + ", ".join(f'"{one}"' for one in plain) + "]`"
    if isinstance(plain, dict):
        return "`{" + ", ".join(f'{name} = "{one}"' for name, one in plain.items()) + "}`"
    if isinstance(plain, bool):
        return f"`{str(plain).lower()}`"
    return f'`"{plain}"`' if isinstance(plain, str) else f"`{plain}`"


def different(value: Any, default: Any) -> Any:
    """Return a preset's value; of a table by type, only what the default has otherwise."""
    if not isinstance(value, dict) or not value:
        return value
    return {key: one for key, one in value.items() if default.get(key) != one}


TYPES_HEAD = """\
# Entity types

An entity type says what a value is: a name, a birth date, a clinic. In the examples below, values
of the type are bold. In column "Masked", these words mean:

| Masked | By default |
|---|---|
| always | The type is on the `floor`: its values are masked whatever the risk. |
| coarser | [Plan](plan.md) says how: a date, for example, becomes its month. |
| as type | The value is written as its type, such as `[EVENT]`; \
a condition only if it is [rare](plan.md). |
| by limit | The value stays readable, unless a [limit](plan.md) requires its mask. |

In [texts about nobody](relevance.md#texts-about-nobody), less is masked. To change what is masked,
set `floor` and `generalize` ([example](plan.md#to-overrule-the-plan)).

The larger the *weight*, between 0 and 1, the more a value adds to the [risk](graph.md#documents).
To change weights, set `weights`. A weight in brackets is that of preset `general`, where it
differs.

| Group | Meaning |
|---|---|
| `direct` | A value identifies a person alone (as do `NATIONAL_ID`, `CREDIT_CARD` \
and `IBAN` of group `added`). |
| `sensitive` | Values are about health, which the GDPR protects specially (article 9). |
| `quasi` | A value identifies a person only together with others. |
| `added` | The [thesis](glossary.md#measures) does not have the type; linkmask or you add it. |

Words masked as [rare](linkage.md#rare-words) have the type `RARE_TERM`. They are not counted in
risks.
"""

UNDER_POLICY = """\
## Types that only policies name

linkmask finds values of these types only if you set a [policy](policy.md), which says how they are
masked. Without a policy, most numbers of accounts, licences, vehicles and devices are found as
`PATIENT_ID`, `NATIONAL_ID` or `NON_PERSONAL_ID`, and masked.
"""


def types_page() -> str:
    """Return every entity type with its group, its definition and an example."""
    usual, regulated = schema.load("insurance"), schema.load("regulated")
    more = [kind for kind in regulated.types if kind not in usual.types]
    head = ["Type", "Masked", "Group", "Weight", "Meaning", "Example"]
    rows = [type_row(usual, kind, masked_by_default(kind)) for kind in usual.types]
    policed = table([head[0], *head[2:]], (type_row(regulated, kind) for kind in more))
    return "\n".join([NOTE, TYPES_HEAD, table(head, rows), UNDER_POLICY, policed])


def type_row(types: schema.Schema, kind: str, *masked: str) -> list[str]:
    """Return a row of the table of types; what stands between braces is set in bold."""
    first = schema.words("examples")[kind][0]
    example = re.sub(r"\{(.*)\}", r"**\1**", first).replace("|", "\\|")
    said = types.groups[kind], weights(types, kind), types.definitions[kind]
    return [f"`{kind}`", *masked, *said, example]


def masked_by_default(kind: str) -> str:
    """Return what is done with values of a type without further settings (`TYPES_HEAD`)."""
    settings = config.load(environment={})
    if kind in settings.floor:
        return "always"
    technique = settings.generalize.get(kind)
    said = {None: "by limit", "value": "as type", "generalization:common": "as type"}
    return said.get(technique, "coarser")


def weights(types: schema.Schema, kind: str) -> str:
    """Return the weight of a type, and that of preset `general` in brackets if it differs."""
    weight, other = types.weights[kind], schema.load("general").weights.get(kind)
    return f"{weight:.2f}" if other in (None, weight) else f"{weight:.2f} ({other:.2f})"


def table(head: list[str], rows: Any) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


# ── the README ──────────────────────────────────────────────────────────────────────────────────

BEGIN, END = "<!-- example -->\n", "<!-- end of example -->"


def example(masked: Path) -> str:
    """Return the example document before and after, given the folder of the masked ones."""
    texts = [wrapped(folder / SHOWN) for folder in (EXAMPLE, masked)]
    return "Before:\n\n{}\nAfter:\n\n{}".format(*(f"```text\n{text}\n```\n" for text in texts))


def wrapped(path: Path) -> str:
    """Return the text of a document, wrapped to fit a page."""
    lines = msgspec.json.decode(path.read_bytes())["content"].splitlines()
    return "\n".join(textwrap.fill(line, 96, break_on_hyphens=False) for line in lines)


def readme(masked: Path) -> str:
    """Return the README with the example as it is masked now."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{example(masked)}{END}{after}"


def adapters_page() -> str:
    """Return docs/adapters.md with the picture of the workflow's graph."""
    from types import SimpleNamespace

    from linkmask.adapters.workflow import workflow

    page = (DOCS / "adapters.md").read_text(encoding="utf-8")
    settings = config.load(overrides={"policy": "gdpr,hipaa,pci"}, environment={})
    job: Any = SimpleNamespace(settings=settings, overwrite=False)
    graph: Any = workflow(job, DOCS, DOCS)
    drawn = re.sub(r"[ \t]+$", "", graph.get_graph().draw_mermaid(), flags=re.MULTILINE).strip()
    block = f"<!-- graph -->\n```mermaid\n{drawn}\n```\n<!-- /graph -->"
    return re.sub(r"<!-- graph -->.*<!-- /graph -->", lambda _: block, page, flags=re.DOTALL)


def openapi_file() -> str:
    """Return the OpenAPI document of `linkmask serve`."""
    return json.dumps(document(ROUTES), indent=1, ensure_ascii=False) + "\n"


def linkage_picture() -> str:
    """Return docs/linkage.svg, drawn from the tables of docs/results/linkage.md."""
    from tradeoff import svg

    return svg((DOCS / "results" / "linkage.md").read_text(encoding="utf-8"))


def main(arguments: list[str]) -> None:
    """Write the pages, and what else is asked for."""
    (DOCS / "adapters.md").write_text(adapters_page(), encoding="utf-8")
    (DOCS / "commands.md").write_text(commands_page(), encoding="utf-8")
    (DOCS / "settings.md").write_text(settings_page(), encoding="utf-8")
    (DOCS / "types.md").write_text(types_page(), encoding="utf-8")
    (DOCS / "openapi.json").write_text(openapi_file(), encoding="utf-8")
    (DOCS / "linkage.svg").write_text(linkage_picture(), encoding="utf-8")
    if not arguments:
        return
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        commands.mask_files(EXAMPLE, out, config.load(environment={}))
        if "--readme" in arguments:
            README.write_text(readme(out / "documents"), encoding="utf-8")
        if "--picture" in arguments:
            from pictures import chromium, picture, report_pictures, review_pictures

            with chromium() as driver:
                picture(driver, out / "report.html", DOCS / "report.png")
                report_pictures(driver, out / "report.html")
                review_pictures(driver, commands.run_beside(out))


if __name__ == "__main__":
    main(sys.argv[1:])
