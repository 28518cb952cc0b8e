"""Tries a user's file of recognizers on its own examples, and converts those of Presidio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from linkmask import schema
from linkmask.config import Settings, load
from linkmask.detect.patterns.own import OwnRecognizers, Tried, own_recognizers, tried
from linkmask.detect.view.readings import scope_of
from linkmask.errors import OutputError, SettingsError
from linkmask.records import Document
from linkmask.schema.converted import toml_of
from linkmask.schema.presidio import shipped_names
from linkmask.schema.recognizer_rows import Recognizers
from linkmask.schema.recognizers import load as load_recognizers


class RecognizerHit(NamedTuple):
    """What a recognizer found in a text: its value, its type ("" if it is kept), and the rule."""

    value: str
    type: str
    rule: str


class RecognizersTried(NamedTuple):
    """A file's rows and types, what each row finds in its examples, and all rows in more texts."""

    recognizers: Recognizers
    examples: Mapping[str, Sequence[Tried]]
    texts: Sequence[tuple[str, Sequence[RecognizerHit]]]

    @property
    def wrong(self) -> int:
        """The number of examples that are not found, and of near-misses that are."""
        return sum(not one.right for row in self.examples.values() for one in row)

    @property
    def without_examples(self) -> list[str]:
        """The ids of the rows that have no example."""
        return [row.id for row in self.recognizers.rows if not row.examples]


def try_recognizers(file: Path, preset: str | None, texts: Iterable[str] = ()) -> RecognizersTried:
    """Try the recognizers of a file on their examples and near-misses, and on some more texts.

    Raises:
        SettingsError: the file can't be read, a row is wrong (the message names the line), or there
            is none.
    """
    settings = load(preset=preset, overrides={"recognizers": (str(file),)})
    own = own_recognizers(settings)
    found = load_recognizers(settings.recognizers, schema.load(settings.schema))
    if not found.rows and not found.types:
        raise SettingsError(f"{file} holds no recognizer: write each as a block [[recognizer]]")
    hits = [(text, _hits(own, text, settings) if own else []) for text in texts]
    return RecognizersTried(found, {row.id: list(tried(row)) for row in found.rows}, hits)


def _hits(own: OwnRecognizers, text: str, settings: Settings) -> list[RecognizerHit]:
    """Return what the recognizers find in a text, read as a document."""
    document = Document(id="", content=text)
    found = own.find(text, own.scope(document, scope_of(document, settings)))
    return [RecognizerHit(text[one.start : one.end], one.type, one.rule) for one in found]


def convert_recognizers(
    file: Path, out: Path | None, preset: str | None, overwrite: bool = False
) -> tuple[Recognizers, str]:
    """Return the recognizers of a Presidio YAML file and their TOML, and write it to `out`, if any.

    Raises:
        SettingsError: the file can't be read, a type can't be one, or a row names a language that
            is not covered.
        OutputError: `out` is there and must not be replaced.
    """
    overrides = {"recognizers": (str(file),)}
    schema_name = load(preset=preset, overrides=overrides, environment={}).schema
    converted = load_recognizers([str(file)], schema.load(schema_name))
    comments = [f"Converted from {file.name} by linkmask recognizers convert."]
    if shipped := shipped_names(file):
        comments.append(f"Left out, because Presidio ships them: {', '.join(shipped)}.")
    text = toml_of(converted, comments)
    if out is not None:
        if out.exists() and not overwrite:
            raise OutputError(f"{out} is there: give another file, or --overwrite")
        out.write_text(text, encoding="utf-8")
    return converted, text
