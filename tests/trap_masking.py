"""Masking by hand, so that tests of readers and writers need no detector."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from linkmask.config import Settings
from linkmask.corpus import Unwritable, read, write
from linkmask.records import Document, Masked, Origin, Replacement, SetAside

SETTINGS = Settings()


def masked(document: Document, values: list[str]) -> Masked:
    """Mask values by hand wherever they stand."""
    replacements, new = list[Replacement](), dict[str, str]()
    any_value = re.compile("|".join(values) or r"\Z(?=x)")
    for name, text in document.every_field():
        for found in any_value.finditer(text):
            replacements.append(Replacement(name, *found.span(), "", "NAME", "[NAME]"))
            new[name] = any_value.sub("[NAME]", text)
    return Masked(document, document.with_fields(new), replacements)


def released(folder: Path, out: Path, values: list[str]) -> dict[str, bytes]:
    """Write a folder masked; return the files written. What can't be written back is set aside."""

    def items(broken: set[str | Origin]) -> Iterator[Masked | SetAside]:
        for item in read(folder, SETTINGS):
            keys = (
                " ".join(key for _, key, _ in item.every_key())
                if isinstance(item, Document)
                else ""
            )
            named = any(value in keys for value in values)
            if isinstance(item, SetAside) or named or broken & {item.origin, item.origin.file}:
                yield SetAside(item.origin.file, "write", "broken")
            else:
                yield masked(item, values)

    broken = set[str | Origin]()
    while True:
        try:
            write(folder, out, items(broken), SETTINGS, overwrite=True)
            break
        except Unwritable as unwritable:
            broken |= {*unwritable.files, *unwritable.documents}
    root = out / "documents"
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }
