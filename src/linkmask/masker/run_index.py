"""Opens a finished run: its plan, its mentions by document, its aliases, its key."""

from __future__ import annotations

import hmac
import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import log1p
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from linkmask.choices import UNPROMPTED
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.graph import entities
from linkmask.masker.holders import Holders
from linkmask.masker.lookup import (
    ASKED,
    DISTINCT,
    HOLDERS,
    KEPT,
    MASKS,
    KeyOf,
    LookupColumns,
    document_key,
    open_lookup,
)
from linkmask.masker.originals import Originals
from linkmask.pipeline.planning import regulation
from linkmask.records import Document, Mention, entity_id
from linkmask.redact import CODES, REVERSIBLE, Redactor
from linkmask.redact.columnar import IdTable, StoredRedactors, TextHashSet, columns_below
from linkmask.redact.placeholders import StyleContext
from linkmask.redact.run_key import Key, key_of_run
from linkmask.redact.tokens import read_tokens
from linkmask.redact.vault import Vault, check_key
from linkmask.runs import Run, lower_and_collapse
from linkmask.runs.mentions import mentions_in
from linkmask.runs.run_paths import run_at
from linkmask.version import __version__

if TYPE_CHECKING:
    from linkmask.pipeline.detection.detector import Detector

UNKNOWN = -2
"""Number of an entity that the run does not hold."""
MOST = 1000
"""Largest number of documents of an entity whose masks a query contains."""


class RunIndex:
    """A finished run with its lookup file mapped into memory; only what is needed is read.

    Raises:
        RunError: there is no run, it holds no plan, or the key is another one.
        SettingsError: the run's style needs a key, and there is none or it is too short.
    """

    def __init__(self, path: Path, key: Key = None) -> None:
        self.path = path
        """The path by which the run was opened."""
        with Run.open(run_at(path)) as run:
            self._run = run
            key_of = partial(_key_of, run, key)
            self._columns, self._facts = open_lookup(run, partial(_built, run, key_of))
        self.settings = run.settings_from(self._facts["settings"])
        self._salt = run.salt
        self._key, self._given = key_of(self.settings)
        self._entities = IdTable(columns_below("entities", self._columns))
        self._numbers = IdTable(columns_below("masked", self._columns))
        arguments = self._columns, self._facts["names"], self.settings, self._numbers
        self._stored = StoredRedactors(*arguments)
        self._mentions = os.open(run.path / "mentions.jsonl", os.O_RDONLY | os.O_CLOEXEC)

    def close(self) -> None:
        """Close the run's files."""
        if self._mentions >= 0:
            os.close(self._mentions)
            self._mentions = -1

    def __del__(self) -> None:
        if getattr(self, "_mentions", -1) >= 0:
            self.close()

    # ── what is masked ──────────────────────────────────────────────────────────────────────────

    @cached_property
    def style_context(self) -> StyleContext:
        """What styles may use beside the entities."""
        settings, tokens = self.settings, {}
        if CODES.keys() & regulation.styles(settings):
            tokens = read_tokens(self._run.tokens_path, self._key)
        draws = self._stored.days, self._stored.attempts
        return StyleContext.of(settings, self._key, self._given, self._forbidden, tokens, *draws)

    @property
    def unknown_style_context(self) -> StyleContext:
        """The same for entities that the run does not know."""
        return replace(self.style_context, attempts=None)

    @cached_property
    def redactor(self) -> Redactor:
        """What writes over the documents of the run."""
        search = self._stored.search(DISTINCT, self.settings.scope == "corpus")
        return self._stored.redactor(search, self.settings, self.style_context)

    @cached_property
    def text_redactor(self) -> Redactor:
        """What writes over the same entities in texts that people type."""
        everywhere = msgspec.structs.replace(self.settings, scope="corpus")
        search = self._stored.search(ASKED, anywhere=True)
        return self._stored.redactor(search, everywhere, self.style_context)

    @cached_property
    def masks(self) -> Originals:
        """What the masks of the run stand for."""
        return Originals.stored(columns_below(MASKS, self._columns))

    @cached_property
    def _holders(self) -> Holders:
        return Holders.stored(columns_below(HOLDERS, self._columns))

    def masks_of(self, entity: str, original: str) -> tuple[list[str], float]:
        """Return the masks of a spelling in all documents, and the weight of one of them.

        The weight is the inverse document frequency of a word in these documents, divided by that
        of a word in one document; it is 1 if all have the same mask. For an entity in more than
        `MOST` documents, no mask is returned.
        """
        redactor, number = self.text_redactor, self._numbers[entity]
        if not redactor.by_document(entity):
            return [redactor.mask_for(entity, original)], 1.0
        total, held = self._holders.total, self._holders.count(number)
        if not 0 < held <= MOST:
            return [], 0.0
        masks = [redactor.mask_for(entity, original, one) for one in self._holders[number]]
        return list(dict.fromkeys(masks)), log1p(total / held) / log1p(total)

    def _forbidden(self, texts: Sequence[str]) -> list[bool]:
        """Tell of each text whether it is a value of the corpus, or holds a masked one."""
        values = TextHashSet(self._columns["originals"])
        held = self.redactor.search.hold_any(texts)
        return [text in values or one for text, one in zip(texts, held, strict=True)]

    @property
    def digest(self) -> str:
        """Digest of the plan: see `Masker.digest`."""
        made_of = "".join(digest for _, _, _, digest in self._facts["made_of"])
        whole = f"{__version__} {made_of} {self._keyed(b'key', self._key)}"
        return self._keyed(b"plan", whole.encode())

    def renewed_id(self, name: str) -> str:
        """Return an id in place of a document's own: see `Masker.renewed_id`."""
        secret = self._keyed(b"document", name.encode("utf-8", "surrogatepass"))
        return str(uuid.UUID(hex=secret, version=4))

    def _keyed(self, use: bytes, value: bytes) -> str:
        """Return 32 hex digits of a value that nobody can guess without the run's secret."""
        if not self._salt:
            raise RunError("an earlier version made this run, and it lacks a secret: mask again")
        return hmac.digest(self._salt, use + b"\0" + value, "sha256").hex()[:32]

    @cached_property
    def detector(self) -> Detector:
        """Detection without a language model, of documents by themselves."""
        from linkmask.pipeline.detection.detector import Detector

        settings = self.settings
        if settings.detection.prompted:
            settings = msgspec.structs.replace(settings, detector=UNPROMPTED)
        return Detector(settings)

    def status_of(self, mention: Mention) -> tuple[Mention, bool | None]:
        """Tell whether the run masks a mention, keeps it, or does not know it.

        If detection gives a value another type in a short text than in the corpus, the type in the
        corpus counts.
        """
        canonical = self._canonical
        for name in dict.fromkeys((mention.type, *self._facts["corpus_types"])):
            value = mention.value
            if name != mention.type:
                value = canonical(name, mention.original)
            number = self._entities.get(entity_id(value, name, self.settings.id_separator), UNKNOWN)
            if number == KEPT:
                return msgspec.structs.replace(mention, type=name, value=value), False
            if number >= 0:
                target = self._stored.targets[self._stored.ids[number]]
                found = msgspec.structs.replace(mention, type=target.type, value=target.value)
                return found, True
        return mention, None

    def masked_as(self, original: str) -> list[str]:
        """Return the ids of the masked entities with this value, of any type in the corpus."""
        ids = {
            entity_id(self._canonical(name, original), name, self.settings.id_separator)
            for name in self._facts["corpus_types"]
        }
        numbers = {self._entities.get(one, UNKNOWN) for one in ids}
        return [self._stored.ids[number] for number in sorted(numbers) if number >= 0]

    def masked_in(self, text: str) -> list[tuple[str, str]]:
        """Return the ids of the masked entities that stand in a text, each with its spelling."""
        (found,) = self.text_redactor.many([(Document("", text), [])])
        return [(one.entity, text[one.start : one.end]) for one in found.replacements]

    @property
    def _canonical(self) -> Callable[[str, str], str]:
        return entities.canonical if self.settings.same_thing else lower_and_collapse

    # ── documents ───────────────────────────────────────────────────────────────────────────────

    def released(self, name: str, digest: str) -> bool:
        """Tell whether the run released a document with this id and digest of its fields."""
        at = self._place(name)
        return at >= 0 and int(self._columns["document_digests"][at]) == int(digest, 16)

    def mentions_of(self, name: str) -> list[Mention]:
        """Return the mentions that the run holds of a document.

        Raises:
            RunError: the run was closed.
        """
        start, size = self._columns["document_places"].reshape(-1, 2)[self._place(name)].tolist()
        if self._mentions < 0:
            raise RunError("this run was closed: open it again")
        return mentions_in(os.pread(self._mentions, size, start))

    def _place(self, name: str) -> int:
        keys, key = self._columns["document_keys"], np.uint64(document_key(name))
        at = int(np.searchsorted(keys, key))
        return at if at < len(keys) and keys[at] == key else -1

    # ── originals ───────────────────────────────────────────────────────────────────────────────

    def check_vault(self) -> None:
        """Check that there is a vault, and that the key opens it.

        Raises:
            RunError: there is none, or the key is another one.
        """
        check_key(self._run.vault_path, self._key)

    def vault(self) -> Vault:
        """Open the vault.

        Raises:
            RunError: the run has no vault, or a damaged one.
        """
        path = self._run.vault_path
        return Vault(path, self._key, self._run.sealed(path))


def _built(run: Run, key_of: KeyOf) -> LookupColumns:
    """Build what the lookup file holds, with detection and planning loaded for it."""
    from linkmask.masker.building import build_lookup

    return build_lookup(run, key_of)


def _key_of(run: Run, given: Key, settings: Settings) -> tuple[bytes, bool]:
    """Return the key of keyed styles (given, set or the run's), and whether a user gave it.

    The key is empty where no such style is used.

    Raises:
        SettingsError: there is none, or it is too short.
        RunError: the vault does not open with it.
    """
    if not REVERSIBLE & regulation.styles(settings):
        return b"", False
    key = key_of_run(run, settings, given)
    if run.vault_path.exists():
        check_key(run.vault_path, key)
    named = bool(settings.key_file) or not isinstance(given, bytes | None)
    return key, named or not run.key_path.exists()
