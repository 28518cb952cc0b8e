"""What stays as it was written, taken over from the last edition into the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.redaction import Redaction
from linkmask.pipeline.release import Outgoing
from linkmask.redact.vault import Sealed
from linkmask.text.letters import spaced_words

ANY = ("workers", "always_mask", "never_mask", "key_file", "recognizers")
"""Settings that may differ where files stay as they are: masks are compared one by one, and
recognizers by their digest."""


class Carrying:
    """The last release, whose files may be part of the next one.

    Args:
        released: its `released.json`.
        settings: of the next release.
    """

    def __init__(self, released: Mapping[str, Any], settings: Settings) -> None:
        self._released, self._settings = released, settings

    @property
    def possible(self) -> bool:
        """Whether files may stay as they are.

        They may not where settings differ, nor where more is written of each document than itself:
        decisions of a policy, chunks, fields that are left out.
        """
        settings = self._settings
        if settings.policy or settings.chunk_size or settings.exclude_fields:
            return False
        was, now = self._released["settings"], msgspec.json.decode(msgspec.json.encode(settings))
        return all(was.get(name) == value for name, value in now.items() if name not in ANY)

    @cached_property
    def at_words(self) -> set[str]:
        """Ids of the documents in which a mask stands at a letter or digit."""
        amounts = self._released.get("amounts", {})
        return {name for name, (_, _, at_word) in amounts.items() if at_word}

    def into(
        self, outgoing: Outgoing, files: Collection[str], plan: Redaction, vault: Path
    ) -> None:
        """Take over what is kept of some files: ids, digests, counts, lines of the vault."""
        released, counts, was = outgoing.released, outgoing.counts, self._released
        released.inputs = {**released.inputs, **{f: was["inputs"][f] for f in files}}
        released.outputs = {**released.outputs, **{f: was["outputs"][f] for f in files}}
        names: set[str] = set()
        for file in files:
            released.documents[file] = was["documents"][file]
            released.records[file] = was["records"][file]
            names.update(was["documents"][file])
        for name in sorted(names):
            spans, characters, at_word = was["amounts"][name]
            released.amounts[name] = spans, characters, at_word
            released.originals[name] = was["originals"][name]
            if name in was["masks"]:
                released.masks[name] = was["masks"][name]
            counts["released"] += 1
            counts["mentions"] += spans
            counts["characters"] += characters
            counts["ids"] += plan.holds_masked_value(spaced_words(name))
        outgoing.vault += _lines(vault, names)


def digests_of(released: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of the masked documents that were released, by id."""
    return {
        name: digest
        for file, names in released["documents"].items()
        for name, digest in zip(names, released["records"].get(file, ()), strict=False)
    }


def _lines(vault: Path, documents: Collection[str]) -> Iterator[bytes]:
    """Yield a vault's lines of some documents, sealed as they are."""
    if vault.exists() and documents:
        decoder = msgspec.json.Decoder(Sealed)
        with vault.open("rb") as handle:
            yield from (line for line in handle if decoder.decode(line).document in documents)
