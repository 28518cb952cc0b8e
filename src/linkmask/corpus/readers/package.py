"""Opens ZIP files within bounds on their size and ratio."""

from __future__ import annotations

import io
import zlib
from collections.abc import Collection, Container, Iterator
from itertools import count
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from linkmask.corpus.file_kinds import ending_of
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source import Limits

RATIO = 400
"""Bytes that one byte of a package may be unpacked to; Word's own parts reach 60."""
_FIRST = (1980, 1, 1, 0, 0, 0)
_NUMBERED = "~"
"""What stands between a name and its number."""


def zip_entries(data: bytes, limits: Limits) -> Iterator[tuple[ZipInfo, bytes]]:
    """Yield the entries of a ZIP file with what they hold.

    Raises:
        Flaw: it is damaged or encrypted, grows too large, or names an entry twice.
    """
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise Flaw("encrypted, or of an old format: save it without a password, in today's format")
    seen = set[str]()
    try:
        with ZipFile(io.BytesIO(data)) as package:
            for info in package.infolist():
                if info.flag_bits & 1:
                    raise Flaw("encrypted: remove its password")
                if info.filename in seen:
                    raise Flaw("damaged: it names a part twice")
                seen.add(info.filename)
                most = min(limits.budget[0], RATIO * info.compress_size + 4096)
                with package.open(info) as handle:
                    part = handle.read(most + 1)
                if len(part) > most:
                    raise Flaw("too large when it is unpacked: raise max_characters, or split it")
                limits.spend(len(part))
                yield info, part
    except (BadZipFile, NotImplementedError, EOFError, OSError, ValueError, zlib.error):
        raise Flaw("not a ZIP file, or a damaged one") from None


def zip_of(parts: Iterator[tuple[ZipInfo, bytes]]) -> bytes:
    """Return a ZIP file of these parts: their names, order and times, and nothing else.

    Names that masking made the same are numbered.
    """
    out = io.BytesIO()
    names = set[str]()
    with ZipFile(out, "w") as package:
        for old, data in parts:
            name = _unlike(names, old.filename)
            names.add(name)
            info = ZipInfo(name, max(old.date_time, _FIRST))
            info.compress_type = ZIP_STORED if old.compress_type == ZIP_STORED else ZIP_DEFLATED
            info.external_attr = old.external_attr
            package.writestr(info, data)
    return out.getvalue()


def stem_of(name: str, before: Collection[str]) -> str:
    """Return a name without its ending, and without the number that `zip_of` gave it.

    `before` are the names that stand before it: a number is `zip_of`'s own only where one of them
    is the name without it.
    """
    ending = ending_of(name)
    stem = name.removesuffix(ending)
    plain, _, number = stem.rpartition(_NUMBERED)
    ours = number.isdecimal() and int(number) <= len(before) + 1 and plain + ending in before
    return plain if ours else stem


def _unlike(names: Container[str], name: str) -> str:
    """Return a name, with a number before its ending where it is among those that are taken."""
    if name not in names:
        return name
    ending = ending_of(name)
    stem = name.removesuffix(ending)
    numbered = (f"{stem}{_NUMBERED}{number}{ending}" for number in count(2))
    return next(one for one in numbered if one not in names)
