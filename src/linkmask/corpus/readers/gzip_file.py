"""Reads files compressed with gzip as the files they hold."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Sequence

from linkmask.corpus.files import NO_GZIP, RATIO, Flaw
from linkmask.corpus.readers.source import Inner, Kind, Limits, written_as
from linkmask.corpus.readers.source_view import Field


class Compressed:
    """A compressed file; its name and time are not written.

    Raises:
        Flaw: it is damaged, or grows too large.
    """

    def __init__(self, data: bytes, kind: Kind, inner: Inner, limits: Limits) -> None:
        if not data:
            raise Flaw(NO_GZIP)
        most = min(limits.budget[0], RATIO * len(data) + 4096)
        try:
            with gzip.open(io.BytesIO(data)) as handle:
                held = handle.read(most + 1)
        except (OSError, EOFError, zlib.error):
            raise Flaw(NO_GZIP) from None
        if len(held) > most:
            raise Flaw("too large when it is unpacked: raise max_characters, or split it")
        limits.spend(len(held))
        self._source = inner(held, Kind(kind.name.lower().removesuffix(".gz")), limits.inner())
        self.removed = self._source.removed
        self.written_as = written_as(self._source)

    @property
    def fields(self) -> Sequence[Field]:
        """The fields of what is compressed."""
        return self._source.fields

    def write(self) -> bytes:
        """Return the file, compressed anew."""
        return gzip.compress(self._source.write(), mtime=0)
