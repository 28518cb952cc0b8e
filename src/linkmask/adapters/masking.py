"""Masks documents, texts and JSON-like values by an opened run, for all adapters.

A framework's document comes in and goes out as a `FrameworkDocument`; no framework is imported
here. Whatever can't be masked (a document that the run does not know, a value of no JSON kind, a
run without a vault where originals are asked for) is an error.
"""

from __future__ import annotations

import os
import re
import uuid
import warnings
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from linkmask import corpus
from linkmask.adapters.framework_documents import FrameworkDocument
from linkmask.corpus.fields import as_json_value, shape_of
from linkmask.corpus.files import Flaw
from linkmask.errors import InputError, RunError, UsageError
from linkmask.masker import Masker, OnUnknown
from linkmask.records import CONTENT, METADATA, Document, SetAside
from linkmask.records.paths import keys, leaves
from linkmask.runs import Run
from linkmask.runs.file_names import RELEASED
from linkmask.runs.run_paths import run_at
from linkmask.text.letters import spaced_words

DIGEST = re.compile(r"[0-9a-fA-F]{32,}")
"""Ids that may be a hash of a document's text."""
BY_NAME, BY_CHANCE = (3, 5), 4
"""Versions of UUID that are a hash, and that are random."""

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|[0-9]{1,4}")
"""Form of keys and ids that programs use."""


class RunMasker:
    """An opened run, as adapters use it. It can be pickled: another process opens the run again.

    Args:
        run: the run's folder, the folder that it wrote to, or the opened run.
        on_unknown: what is done with a document that the run does not hold as it is given: see
            `linkmask.open`.
        id_key: key of the metadata that holds the id; "" for the document's own.
        metadata_keys: keys of the metadata that are the document's, others are left out; None for
            all.
        key_file: file of the run's key, where it is not the one that the run knows.

    Raises:
        RunError: there is no run, it holds no plan, or the key is another one.
        UsageError: the run's documents have several texts, or `on_unknown` is none of the three.
    """

    def __init__(
        self,
        run: Masker | str | os.PathLike[str],
        *,
        on_unknown: OnUnknown = "refuse",
        id_key: str = "",
        metadata_keys: Sequence[str] | None = None,
        key_file: str | None = None,
    ) -> None:
        given = run if isinstance(run, Masker) else Masker(run, key=key_file, on_unknown=on_unknown)
        self.masker, self.on_unknown = given, on_unknown
        self.id_key, self.metadata_keys = id_key, metadata_keys
        texts = shape_of(given.settings).texts
        if len(texts) != 1 or re.search(r"\.|\[\]", texts[0]):
            raise UsageError(f"{given.path} has several texts in a document: adapters take one")

    # ── documents ───────────────────────────────────────────────────────────────────────────────

    def documents(self, items: Sequence[FrameworkDocument]) -> list[FrameworkDocument | None]:
        """Return documents masked as the run released them, with ids that reveal nothing.

        None stands for one that is set aside; a warning says how many are.

        Raises:
            UnknownDocument: the run does not hold one of them as it is given, and `on_unknown` is
                `refuse`.
            UsageError: one has no id.
            InputError: its metadata hold a value of no JSON kind.
        """
        given = [item.selected(self.id_key, self.metadata_keys) for item in items]
        if nameless := [n for n, item in enumerate(given) if not item.id]:
            raise UsageError(f"document {nameless[0]} has no id: give it one, or set id_key")
        records = map(self._record, given)
        made = list(self.masker.mask_documents(records, on_unknown=self.on_unknown))
        out = [None if isinstance(one, SetAside) else one for one in made]
        if aside := out.count(None):
            warnings.warn(f"{aside} of {len(out)} documents were set aside", stacklevel=3)
        metadata: list[Any] = [one.metadata if one else {} for one in out]
        if self.on_unknown == "mask_all":  # the run has not looked at their keys
            metadata = self._with_keys(metadata)
        ids = self.ids([item.id for item in given])
        return [
            FrameworkDocument(name, one.content, self._named(held, name)) if one else None
            for one, name, held in zip(out, ids, metadata, strict=True)
        ]

    def texts(self, items: Sequence[FrameworkDocument]) -> list[FrameworkDocument]:
        """Return parts of masked documents, with values masked that are still readable in them.

        This is the second check, of retrieved texts; parts of documents can be given, too.
        """
        found = self.parts([(item.text, self._without_hashes(item.metadata)) for item in items])
        ids = self.ids([item.id for item in items])
        return [
            FrameworkDocument(name, text, held)
            for name, (text, held) in zip(ids, found, strict=True)
        ]

    def ids(self, names: Sequence[str]) -> list[str]:
        """Return ids, with a new one for each that is a hash or contains a masked value.

        With the hash of a text, anybody can test a guess of the text.
        """
        words = {name: spaced_words(name) for name in names if _uuid_version(name) is None}
        told = self._masked_words([*words, *words.values()])
        renewed = {name for name, spaced in words.items() if told.keys() & {name, spaced}}
        renewed |= set(filter(_is_hash, names))
        return [self.masker.renewed_id(name) if name in renewed else name for name in names]

    def _record(self, item: FrameworkDocument) -> Mapping[str, Any]:
        shape = shape_of(self.masker.settings)
        return {shape.id: item.id, shape.texts[0]: item.text, shape.metadata: dict(item.metadata)}

    def _named(self, metadata: Mapping[str, Any], name: str) -> dict[str, Any]:
        found = self._without_hashes(metadata)
        return {**found, self.id_key: name} if self.id_key else found

    def _without_hashes(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Return metadata with hashes renewed as ids are: a checksum, the id of a parent."""
        new = {text: self.masker.renewed_id(text) for text in _texts(metadata) if _is_hash(text)}
        return _over(metadata, new, {}) if new else dict(metadata)

    # ── texts ───────────────────────────────────────────────────────────────────────────────────

    def question(self, text: str) -> str:
        """Return a question masked as the corpus is."""
        return self.masker.mask_text(text).text

    def parts(
        self, given: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[tuple[str, dict[str, Any]]]:
        """Return texts and the JSON-like fields beside them masked: values, numbers and keys.

        A random UUID stays unless the run knows it.

        Raises:
            InputError: a field is of no JSON kind, such as bytes.
        """
        try:
            plain = [(text, as_json_value(fields)) for text, fields in given]
        except Flaw as flaw:
            raise InputError(str(flaw)) from None
        held = {text for _, fields in plain for text in _texts(fields)}
        random = [text for text in held if _uuid_version(text) == BY_CHANCE]
        found = zip(random, self.masker.mask_texts(random), strict=True)
        kept = {text for text, one in found if not any(span.known for span in one.spans)}
        parts = [
            Document("", text, fields, excluded=_paths(fields, kept)) for text, fields in plain
        ]
        made = self.masker.mask_parts(parts)
        fields = self._with_keys([one.metadata for one in made])
        return [(one.content, held) for one, held in zip(made, fields, strict=True)]

    def _with_keys(self, values: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return JSON-like values with their keys masked."""
        keys = self._masked_words({key for value in values for key in _keys(value)})
        return [_over(value, {}, keys) for value in values]

    def _masked_words(self, words: Collection[str]) -> dict[str, str]:
        """Return the masked form of those keys and ids that have one.

        One in the form that programs use is masked only if it contains a value of the run.
        """
        each = list(dict.fromkeys(words))
        found = zip(each, self.masker.mask_texts(each), strict=True)
        return {
            word: one.text
            for word, one in found
            if any(span.known or not PLAIN.fullmatch(word) for span in one.spans)
        }

    # ── originals ───────────────────────────────────────────────────────────────────────────────

    def check_originals(self) -> None:
        """Check that originals can be restored.

        Raises:
            RunError: the run has no vault.
        """
        self.masker.unmask_text("")

    def answer(self, value: Any) -> Any:
        """Return a JSON-like value with the originals in its texts."""
        pairs = ((text, self.masker.unmask_text(text)) for text in {*_texts(value), *_keys(value)})
        originals = {text: original for text, original in pairs if original != text}
        return _over(value, originals, originals)

    # ── what the run released ───────────────────────────────────────────────────────────────────

    def released(self) -> Iterator[FrameworkDocument]:
        """Yield the masked documents that the run wrote, where the folder it wrote to was opened.

        Raises:
            RunError: a document in the folder is not one that the run released, as after a change
                by hand or another release.
        """
        settings, out = self.masker.settings, self.masker.path
        for one in corpus.read(out / "documents", settings):
            if isinstance(one, SetAside) or corpus.record_digest(one) not in self._digests:
                where = one.origin.file
                raise RunError(f"{where} in {out} is not what the run released: mask again")
            texts = {name.split("/")[1] for name in one.texts if name != CONTENT}
            others = {key: value for key, value in one.others.items() if key not in texts}
            fields = self._without_hashes({**others, **one.metadata})
            yield FrameworkDocument(self.ids([one.id])[0], one.text, fields)

    @cached_property
    def _digests(self) -> frozenset[str]:
        with Run.open(run_at(self.masker.path)) as run:
            return frozenset(chain.from_iterable(run.read_json(RELEASED)["records"].values()))


def _uuid_version(name: str) -> int | None:
    """Return how a UUID was made: 4 by chance, 3 and 5 from a name; None for what is none."""
    try:
        return uuid.UUID(name).version
    except ValueError:
        return None


def _is_hash(text: str) -> bool:
    """Tell whether an id, or a value of metadata, may have been made of a text."""
    return bool(DIGEST.fullmatch(text)) or _uuid_version(text) in BY_NAME


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a JSON-like value."""
    return (leaf for _, leaf in leaves("", value) if isinstance(leaf, str))


def _paths(fields: Mapping[str, Any], texts: Container[str]) -> frozenset[str]:
    """Return the names of the fields that hold one of some texts."""
    return frozenset(name for name, leaf in leaves(METADATA, fields) if leaf in texts)


def _keys(value: Any) -> Iterator[str]:
    """Yield the keys of the objects in a JSON-like value."""
    return (key for _, key in keys("", value))


def _over(value: Any, new: Mapping[str, str], keys: Mapping[str, str]) -> Any:
    """Return a JSON-like value in which texts and keys are replaced that have a new form."""
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, Mapping):
        return {keys.get(str(key), key): _over(held, new, keys) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_over(held, new, keys) for held in value]
    return value
