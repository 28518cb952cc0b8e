"""Defines each option of the command line once, with the setting that it sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkmask.choices import (
    DETECTORS,
    LOCAL_MODELS,
    SOLVERS,
    WHOLE_STYLES,
    policy_names,
    preset_names,
)
from linkmask.errors import SettingsError

if TYPE_CHECKING:
    from linkmask.config import Settings

Command = Callable[..., Any]
Options = list[Callable[[Any], Any]]
FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)
ANY = click.Path(path_type=Path)


OUT = click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
WORKERS = click.option("--workers", type=click.IntRange(1), help="Number of processes [all cores].")
KEY = click.option(
    "--key-file",
    help="File with the key for pseudonyms and vault "
    "[setting key_file, variable LINKMASK_KEY, or the run's own key].",
)
OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace what an earlier run wrote.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
QUIET = click.option("--quiet", is_flag=True, help="Print errors only.")


def _one_of(names: Iterable[str], default: str) -> str:
    """Return names as a help text lists them, the default first."""
    *first, last = (f"{default} (default)", *(name for name in names if name != default))
    return f"{', '.join(first)} or {last}"


SETTINGS_OPTIONS: Options = [
    click.option("--config", type=ANY, help="TOML file whose settings override the preset's."),
    click.option("--preset", help=f"Preset: {_one_of(preset_names(), 'insurance')}."),
    click.option(
        "--set",
        "pairs",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set any setting of docs/settings.md by its name (repeatable).",
    ),
]
READ_OPTIONS: Options = [
    click.option(
        "--text-field",
        multiple=True,
        help="Field, column or path (messages[].content) that holds text (repeatable) [content].",
    ),
    click.option("--id-field", help="Field or column that holds the id [id]."),
    click.option("--metadata-field", help="Field or column that holds the metadata [metadata]."),
    click.option(
        "--exclude-field",
        "exclude_fields",
        multiple=True,
        help="Field, column or key in which nothing is detected or masked (repeatable).",
    ),
    click.option(
        "--encoding",
        help="Encoding of files without a byte order mark, such as cp1252 [UTF-8 or UTF-16].",
    ),
    click.option(
        "--ocr",
        metavar="COMMAND",
        help="Command that recognizes scanned pages: PNG in, text out (tesseract stdin stdout).",
    ),
    click.option("--detector", help=f"Detector: {_one_of(DETECTORS, 'embedded')}."),
    click.option(
        "--other-detector",
        "other_detectors",
        multiple=True,
        metavar="DETECTOR",
        help=f"Further detector: {', '.join(f'{kind}:/path' for kind in LOCAL_MODELS)} or a "
        "server's address (repeatable).",
    ),
    click.option(
        "--recognizers",
        multiple=True,
        metavar="FILE",
        help="File with recognizers of your own: TOML, or Presidio's YAML (repeatable).",
    ),
    WORKERS,
]
MENTIONS = click.option(
    "--mentions",
    type=ANY,
    help="Use the mentions in this file (docs/files.md), and detect nothing.",
)
MODEL_OPTIONS: Options = [
    click.option(
        "--llm-url",
        help="Address of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1.",
    ),
    click.option("--llm-model", help="Name of the model on that server."),
    click.option(
        "--llm-budget",
        help="Largest number of requests (such as 5000) or of tokens (such as 200ktok) [no limit].",
    ),
]
DRY_RUN = click.option(
    "--dry-run",
    is_flag=True,
    help="Only count the requests for a language model: send none, and write nothing.",
)
PLAN_OPTIONS: Options = [
    click.option(
        "--chain-length",
        type=click.IntRange(2, 4),
        help="Maximum number of documents in a chain [2].",
    ),
    click.option("--edge-threshold", type=float, help="Smallest strength of a link [0.5]."),
    click.option(
        "--theta-doc", type=float, help="Limit: each document's risk must be below it [0.95]."
    ),
    click.option("--theta-chain", type=float, help="Limit: no chain's risk may exceed it [0.5]."),
    click.option(
        "--solver",
        type=click.Choice(SOLVERS),
        help="Solver of the chain stage [cover].",
    ),
    click.option(
        "--questions",
        type=click.Path(dir_okay=False, resolve_path=True),
        help="JSONL file of your questions, with keys question and answer, and maybe documents "
        "(ids): values in the answers are masked last.",
    ),
    click.option(
        "--policy", help=f"Regulations to follow: {', '.join(policy_names())}, or your TOML files."
    ),
]
STYLE_OPTIONS: Options = [
    click.option(
        "--style",
        help=f"Style of masks: {_one_of(WHOLE_STYLES, 'value')}; docs/redact.md lists more.",
    ),
    click.option(
        "--style-for", "styles", multiple=True, metavar="TYPE=STYLE", help="Style of one type."
    ),
    click.option(
        "--scope",
        type=click.Choice(["documents", "corpus"]),
        help="Mask a value only in documents where it was found, or in all [corpus].",
    ),
    click.option(
        "--linkable",
        is_flag=True,
        default=None,
        help="Write a value the same way in all documents, so that every reader can link them.",
    ),
    KEY,
    click.option(
        "--unkeyed",
        is_flag=True,
        default=None,
        help="Make pseudonyms without a key, to reproduce results; anybody can then test guesses "
        "of the values.",
    ),
    click.option(
        "--seed", type=int, help="Seed of surrogates; another one gives other made-up values [0]."
    ),
]
OUTPUT_OPTIONS: Options = [JSON, QUIET]
ALLOW_UNMET = click.option(
    "--allow-unmet",
    is_flag=True,
    help="End with 0, not 2, if a limit is not met (docs/files.md lists all reasons).",
)
RELEASE_OPTIONS: Options = [
    OVERWRITE,
    ALLOW_UNMET,
    click.option(
        "--show-values", is_flag=True, help="Show values in the report, which is then private."
    ),
]
CHUNKS: Options = [
    click.option(
        "--chunks",
        metavar="SIZE[,OVERLAP]",
        help="Also write OUT/chunks.jsonl: pieces of SIZE characters that overlap by OVERLAP.",
    ),
    click.option(
        "--redacted-pdf",
        is_flag=True,
        default=None,
        help="Also write redacted PDF files, to OUT/redacted-pdf.",
    ),
]


def options(*groups: Options) -> Callable[[Command], Command]:
    """Decorate a command with groups of options, in reading order."""

    def decorate(command: Command) -> Command:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return decorate


def overrides_of(given: dict[str, Any]) -> dict[str, Any]:
    """Turn the options that were given into settings by name."""
    named = {key: value for key, value in given.items() if value is not None and value != ()}
    pairs = _pairs(named.pop("pairs", ()), "--set")
    if "styles" in named:
        named["styles"] = _pairs(named["styles"], "--style-for")
    if "chunks" in named:
        from linkmask.corpus.chunks import parse as parse_chunks

        named |= parse_chunks(named.pop("chunks"))
    if "llm_budget" in named:
        from linkmask.llm.budget import parse

        named |= parse(named.pop("llm_budget"))
    if both := pairs.keys() & named.keys():
        raise SettingsError(f"{min(both)} is given twice: by --set and by an option of its own")
    return {**pairs, **named}


def _pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """Read pairs of a name and a value; a name given twice would do nothing the first time."""
    pairs: dict[str, str] = {}
    for name, value in (_pair(text, option) for text in texts):
        if name in pairs:
            raise SettingsError(f"{option} takes one value for {name}: it is given twice")
        pairs[name] = value
    return pairs


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"{option} takes NAME=VALUE, not {text!r}")
    return name.strip().replace("-", "_") if option == "--set" else name.strip(), value.strip()


def settings_of(given: dict[str, Any]) -> Settings:
    """Read the settings that files, environment and options give together."""
    from linkmask.config import load

    overrides = overrides_of(given)
    config, preset = overrides.pop("config", None), overrides.pop("preset", None)
    return load(config, preset, overrides)


def model_of(given: dict[str, Any]) -> Settings:
    """Take the options that name a model out of those given, and return settings with them."""
    from linkmask.config import load
    from linkmask.llm.budget import parse

    named = {name: given.pop(name) for name in ("llm_url", "llm_model")}
    budget = given.pop("llm_budget")
    named |= parse(budget) if budget else {}
    return load(overrides={k: v for k, v in named.items() if v})
