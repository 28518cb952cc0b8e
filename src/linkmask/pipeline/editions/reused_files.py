"""Carries files that stay as they were written from the last edition into the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.release import ReleaseLog
from linkmask.redact.vault import Sealed, sealed_lines
from linkmask.runs import Run

ANY = ("workers", "always_mask", "never_mask", "key_file", "recognizers")
"""Settings that may differ where files stay as they are: masks are compared one by one, and
recognizers by their digest."""


class Carrying:
    """The last release, whose files may be part of the next one.

    Args:
        released: its `released.json`.
        settings: of the next release.
        files: the files that stay.
    """

    def __init__(
        self, released: Mapping[str, Any], settings: Settings, files: Collection[str] = ()
    ) -> None:
        self._released, self._settings, self.files = released, settings, files

    @property
    def possible(self) -> bool:
        """Whether files may stay as they are.

        They may not where settings differ (one that the last release did not know had its default,
        by which it wrote as before), nor where more is written of each document than itself:
        decisions of a policy, chunks, PDF files, fields that are left out. Nor may they where a
        limit for linking is set, which is measured on all that is released; or where the last
        release did not keep which documents exceed `readable_share`.
        """
        settings = self._settings
        if settings.readable_share < 1 and "above_share" not in self._released:
            return False
        if (
            settings.policy
            or settings.chunk_size
            or settings.redacted_pdf
            or settings.exclude_fields
            or settings.linking_limit < 1
        ):
            return False
        was, now = {**_named(Settings()), **self._released["settings"]}, _named(settings)
        return all(was[name] == value for name, value in now.items() if name not in ANY)

    @cached_property
    def at_words(self) -> set[str]:
        """Ids of the documents in which a mask stands at a letter or digit."""
        amounts = self._released.get("amounts", {})
        return {name for name, (_, _, at_word) in amounts.items() if at_word}

    def into(
        self,
        outgoing: ReleaseLog,
        order: Mapping[str, Sequence[str]],
        leaking: Collection[str],
        before: Run,
    ) -> None:
        """Take over what is kept of the files that stay: ids, digests, counts, vault.

        Args:
            order: the ids of the documents in each file, in input order, as all is kept then.
            leaking: the ids that hold a masked value.
            before: the run of the last edition, whose vault is taken over.
        """
        released, was = outgoing.released, self._released
        files = [file for file in order if file not in released.documents and file in self.files]
        names = [name for file in files for name in was["documents"][file]]
        amounts = [was["amounts"][name] for name in names]
        outgoing.counts.update(
            released=len(names),
            mentions=sum(spans for spans, _, _ in amounts),
            characters=sum(characters for _, characters, _ in amounts),
            ids=sum(map(set(leaking).__contains__, names)),
        )
        stay = frozenset(files)
        for column in ("documents", "records", "inputs", "outputs"):
            both = _united(order, getattr(released, column), was.get(column, {}), stay)
            setattr(released, column, both)
        every = [name for own in released.documents.values() for name in own]
        stay = frozenset(names)
        for column in ("originals", "amounts", "above_share", "masks", "swept"):
            both = _united(every, getattr(released, column), was.get(column, {}), stay)
            setattr(released, column, both)
        lines = {msgspec.json.decode(one, type=Sealed).document: one for one in outgoing.vault}
        outgoing.vault[:] = _of(_lines(before, frozenset(names)) | lines, every).values()


def _named(settings: Settings) -> dict[str, Any]:
    """Return settings by name, as `released.json` holds them."""
    return msgspec.json.decode(msgspec.json.encode(settings))  # type: ignore[no-any-return]


def _united(
    names: Iterable[str], now: Mapping[str, Any], was: Mapping[str, Any], stay: Collection[str]
) -> dict[str, Any]:
    """Return what is held under names now and, of those that stay, what was, in this order."""
    return {
        name: now[name] if name in now else was[name]
        for name in names
        if name in now or (name in stay and name in was)
    }


def _of(held: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return what is held under some names, in their order."""
    return {name: held[name] for name in names if name in held}


def digests_of(released: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of the masked documents that were released, by id."""
    return {
        name: digest
        for file, names in released["documents"].items()
        for name, digest in zip(names, released["records"].get(file, ()), strict=False)
    }


def _lines(before: Run, documents: Collection[str]) -> dict[str, bytes]:
    """Return the lines of a run's vault of some documents, sealed as they are."""
    vault = before.vault_path
    expected = before.sealed(vault)
    if not documents or not (expected or vault.exists()):
        return {}
    lines = sealed_lines(vault, expected)
    return {one.document: line for one, line in lines if one.document in documents}
