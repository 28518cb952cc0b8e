"""Keeps what an edition of a run leaves for the next: its vocabulary, how each mask was made.

The state saves an update from computing it from all mentions again, and has no other use: if it is
missing, as after `forget`, it is made anew. It holds values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeVar

import msgspec

from linkmask.detect import Vocabulary
from linkmask.detect.corpus_pass.entry_rows import EntryBatch, EntryRows
from linkmask.detect.corpus_pass.statistics import ValueStatistics
from linkmask.detect.corpus_pass.vocabulary import SpelledValue
from linkmask.pipeline.detection.stored_vocabulary import ENCODER, MAP, StoredVocabulary, encoded
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.pipeline.values.run_value import RunValue, RunValues
from linkmask.pipeline.values.run_values import mentions_digest
from linkmask.pipeline.word_index import WordIndex
from linkmask.runs import Run
from linkmask.runs.file_names import KNOWN
from linkmask.schema import RARE_TERM
from linkmask.version import __version__

State = TypeVar("State", "EditionState", "_KeptValues")


class EditionState(msgspec.Struct):
    """What an edition keeps for the next update.

    `version`: that of linkmask which wrote it; another one does not read it. `words`, `spelled`,
    `weak`: its vocabulary by spelling, and the values that this was made of. `masks`: a digest of
    all that decides where each masked entity is masked and what is written there, by id. `values`:
    those of its mentions, by id; `mentions`: a digest of these. `languages`: the language of each
    document by its id, where a style needs it. `index`: the words of each document.
    """

    version: str
    words: list[EntryBatch]
    spelled: list[SpelledValue]
    weak: list[ValueStatistics]
    masks: dict[str, str]
    values: RunValues
    mentions: str
    languages: Mapping[str, str] = {}
    index: WordIndex = msgspec.field(default_factory=WordIndex)

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary, which can grow; it is made each time."""
        spelled = {(row.known.value, row.known.type): row for row in self.spelled}
        return Vocabulary(EntryRows(self.words), spelled, self.weak)

    def hidden(self) -> Iterator[RunValue]:
        """Yield the masked values, except rare terms, which are masked document by document."""
        for one in (self.values[entity] for entity in self.masks if entity in self.values):
            if one.type != RARE_TERM:
                yield one


class _KeptValues(msgspec.Struct):
    """What of an edition's state says how its values are written; the rest is not decoded."""

    version: str
    values: RunValues
    mentions: str


def kept_values(run: Run) -> RunValues | None:
    """Return the values of a run's mentions as its release kept them, None if they are others."""
    state = _decoded(run, _KeptValues)
    return state.values if state and state.mentions == mentions_digest(run) else None


def keep_state(
    redaction: Redaction, words: StoredVocabulary, languages: Mapping[str, str], index: WordIndex
) -> None:
    """Write what the release of a plan leaves for the next edition into the run."""
    run, encode = redaction.run, ENCODER.encode
    fields: dict[str, Iterable[bytes]] = {
        "version": [encode(__version__)],
        "words": words.words.rows(),
        "spelled": words.spelled.rows(),
        "weak": words.weak.rows(),
        "masks": encoded(redaction.masks),
        "values": encoded(redaction.values),
        "mentions": [encode(mentions_digest(run))],
        "languages": encoded(languages),
        "index": [encode(index)],
    }
    head = MAP + len(fields).to_bytes(4, "big")
    pieces = (piece for name, each in fields.items() for piece in chain([encode(name)], each))
    run.write(KNOWN, chain([head], pieces))


def state_by(run: Run) -> EditionState | None:
    """Return what the last edition of a run left, if it is there and whole."""
    return _decoded(run, EditionState)


def _decoded(run: Run, kind: type[State]) -> State | None:
    """Return what of the state is asked for, if it is there, whole and of this version."""
    try:
        state = msgspec.msgpack.decode(run.find(KNOWN).read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
    return state if state.version == __version__ else None
