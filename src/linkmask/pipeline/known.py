"""What an edition of a run leaves for the next: its vocabulary, and how each mask was made.

It is kept in the run so that an update need not work it out of all mentions again, and is of no
other use: where it is missing, as after `forget`, all of it is made anew. It holds values.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import msgspec

from linkmask import runs
from linkmask.detect import Vocabulary
from linkmask.detect.vocabulary import VocabularyEntry
from linkmask.pipeline.redaction import Redaction
from linkmask.pipeline.word_index import WordIndex
from linkmask.runs import Run
from linkmask.runs.names import KNOWN
from linkmask.schema import RARE_TERM


class Known(msgspec.Struct):
    """What an edition knew.

    `words`: its vocabulary by spelling; `masks`: a digest of all that decides where each masked
    entity is masked and what is written there, by id; `spelled`: how masked values were written,
    in small letters, but for rare terms, which are masked document by document; `languages`: the
    language of each document by its id, where a style needs it; `index`: the words of each
    document, once an update made it.
    """

    words: dict[str, VocabularyEntry]
    masks: dict[str, str]
    spelled: list[str]
    languages: Mapping[str, str] = {}
    index: WordIndex = msgspec.field(default_factory=WordIndex)


def known_of(
    redaction: Redaction,
    words: Vocabulary | None,
    languages: Mapping[str, str],
    index: WordIndex,
) -> Known:
    """Return what the release of a plan leaves for the next edition."""
    elsewhere = (one for one in redaction.targets.values() if one.type != RARE_TERM)
    values = {value for one in elsewhere for value in (*one.surfaces, one.value)}
    spelled = sorted({runs.lower_and_collapse("", value) for value in values})
    entries = dict(words.entries) if words else {}
    return Known(entries, masks_of(redaction), spelled, languages, index)


def masks_of(redaction: Redaction) -> dict[str, str]:
    """Return a digest of how each masked entity is found and written, by its id."""
    attempts, days = redaction.redactor.attempts, redaction.days
    return {
        entity: _digest((*target, attempts.get(entity), days.get(entity)))
        for entity, target in redaction.targets.items()
    }


def keep_known(run: Run, known: Known) -> None:
    """Write it into the run."""
    run.write(KNOWN, [msgspec.msgpack.encode(known)])


def known_by(run: Run) -> Known | None:
    """Return what the last edition of a run left, if it is there and whole."""
    try:
        return msgspec.msgpack.decode(run.find(KNOWN).read_bytes(), type=Known)
    except (OSError, msgspec.MsgspecError):
        return None


def _digest(rule: tuple[object, ...]) -> str:
    return blake2b(repr(rule).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
