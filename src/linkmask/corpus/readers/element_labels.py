"""Tells what the text of an element of HTML is: `<td class="ssn">`, `<textarea name="dob">`.

Only labels of values with a form of their own count (schema/words/fields.toml, field_forms.toml):
other names say how a page looks. Whether a text has a label must not hang on what is masked in it,
so that a masked page is read as its original was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from linkmask.corpus.readers.markup_tokens import Token
from linkmask.schema import words

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BREAK = re.compile(r"[\W_]+")
LONGEST = 80
"""Characters of a label at most."""


class ElementLabels:
    """Labels the texts of a page's elements, asked about one tag after another."""

    def __init__(self, source: str, captions: frozenset[str]) -> None:
        """Take a page's source, and the names of elements whose text says what another one is."""
        self._source, self._captions = source, captions
        self._choice = ""
        self._thing = ""

    def of_text(self, token: Token, after: Sequence[Token]) -> str:
        """Return the label of the text in an element with nothing else, "" if none is known.

        Args:
            token: a tag. after: the two tokens behind it.
        """
        name = token.name.lower()
        if token.kind == "close":
            self._choice = "" if name == "select" else self._choice
            return ""
        label = self.of(token)
        if name == "select":
            self._choice = label
        if name == "option":
            label = label or self._choice
        if not label or name in self._captions or [one.kind for one in after] != ["text", "close"]:
            return ""
        text = self._source[after[0].start : after[0].end].strip()
        return "" if not text or ("[" not in text and _is_label(_words(text))) else label

    def of(self, token: Token) -> str:
        """Return what the attributes of an element say that its value is, "" if that is unknown."""
        if token.kind == "close" or not token.attributes:
            return ""
        source, table = self._source, _table()
        given = {one.name.lower(): source[one.start : one.end] for one in token.attributes}
        if "itemtype" in given:
            self._thing = given["itemtype"].rstrip("/").rpartition("/")[2].lower()
        if given.get("itemprop") in table["person_names"] and (
            not self._thing or self._thing in table["persons"]
        ):
            return str(table["person_label"])
        for key in table["says"]:
            value = given.get(key, "")
            for label in map(_words, (value, *value.split())):
                if _is_label(label) and (key != "class" or label not in table["layout"]):
                    return label
        return ""


def _table() -> Mapping[str, Sequence[str]]:
    table: Mapping[str, Sequence[str]] = words("field_pairs")["elements"]
    return table


def _words(name: str) -> str:
    """Return a short name as words in small letters: "patientName" → patient name."""
    return _BREAK.sub(" ", _HUMP.sub(" ", name)).strip().lower() if len(name) <= LONGEST else ""


def _is_label(label: str) -> bool:
    return label in _labels()


@cache
def _labels() -> frozenset[str]:
    forms = words("field_forms")["fits"]
    return frozenset(
        label for kind, labels in words("fields").items() if kind in forms for label in labels
    )
