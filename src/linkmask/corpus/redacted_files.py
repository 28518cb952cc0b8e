"""Writes a redacted file for each released one whose kind has a writer of such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryFile

from linkmask.config import Settings
from linkmask.corpus import readers
from linkmask.corpus.as_markdown import read_file
from linkmask.corpus.file_kinds import KINDS, function_of, read_name
from linkmask.corpus.files import File, Flaw
from linkmask.records import Masked, SetAside

NAME = "redacted-pdf"
"""The folder in OUT that holds them."""


class RedactedFiles:
    """The redacted files of a release, kept without a name in a private folder until then.

    `missing` says of which of them only the Markdown is released, and why.
    """

    def __init__(self, files: Mapping[str, File], settings: Settings, folder: Path) -> None:
        self._files, self._settings = files, settings
        self._kept = TemporaryFile(dir=folder)  # noqa: SIM115 - it goes with this object
        self._lengths: dict[str, int] = {}
        self.missing: list[SetAside] = []

    def passing(self, items: Iterable[Masked | SetAside]) -> Iterator[Masked | SetAside]:
        """Pass documents on, and keep a redacted file of each that can be, from the start."""
        self._kept.seek(0)
        self._kept.truncate()
        self._lengths.clear()
        self.missing.clear()
        for item in items:
            file = self._files.get(item.origin.file)
            if isinstance(item, Masked) and file is not None and KINDS[file.kind].redacted:
                self._keep(file, item)
            yield item

    def _keep(self, file: File, item: Masked) -> None:
        try:
            data, read = read_file(file, self._settings)
            if read.text != item.original.content:
                raise Flaw("changed since it was read: mask it again")
            redact = function_of(KINDS[file.kind].redacted, readers.__name__)
            written = redact(data, read.pages, item)
        except Flaw as flaw:
            self.missing.append(SetAside(item.id, "write", str(flaw), item.origin))
        except Exception as error:  # a file that no library can write is released as Markdown
            reason = f"its {file.kind.upper()} can't be redacted ({type(error).__name__})"
            self.missing.append(SetAside(item.id, "write", reason, item.origin))
        else:
            self._lengths[read_name(file.name).removesuffix(".gz")] = len(written)
            self._kept.write(written)

    def put(self, folder: Path) -> None:
        """Write the files to a folder named `NAME` in a folder."""
        self._kept.seek(0)
        for name, length in self._lengths.items():
            path = folder / NAME / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self._kept.read(length))
