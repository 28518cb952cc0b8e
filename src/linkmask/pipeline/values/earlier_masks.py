"""Finds what an earlier run masked in the run of today.

An entity's id depends on its value and type. In a corpus that grew, detection may give the same
text another value or type. So entities of two runs are compared by their spellings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from linkmask import runs
from linkmask.config import Settings
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import readable
from linkmask.records import Document, Mention, entity_id
from linkmask.redact import ValueLocator
from linkmask.redact.match import Matcher
from linkmask.runs import Run
from linkmask.runs.mentions import mentions_in
from linkmask.schema import RARE_TERM
from linkmask.text.letters import hash_of_word

SHORT = 3
"""A value of up to so many characters may be part of another by chance, as an age of a number."""


@dataclass(frozen=True, slots=True)
class EarlierMasks:
    """The values that an earlier run masked.

    `spelled`: spelling → a mention of it, None if none is known. `keep`: mask the values again,
    whatever the risk. `words`: rare words that were masked in a document,
    by hash. They are no values, and are compared document by document.
    """

    spelled: Mapping[str, Mention | None]
    keep: bool = False
    words: Mapping[str, Set[int]] = field(default_factory=dict)

    def matching(
        self,
        mentions: Iterable[Mention],
        settings: Settings,
        gone: Collection[str] | None = None,
    ) -> set[str]:
        """Return the ids of entities with a spelling of a value that was masked earlier.

        If such a value is no longer an entity, the entities that contain it count. `gone`: these
        values, if not all of the run's mentions are given.
        """
        written: dict[str, set[str]] = {}
        for mention in mentions:
            entity = entity_id(mention.value, mention.type, settings.id_separator)
            for spelling in spellings_of(mention):
                written.setdefault(spelling, set()).add(entity)
        same = self.spelled.keys() & written.keys()
        texts = sorted(written.keys() - same)
        gone = self.spelled.keys() - same if gone is None else gone
        found = Matcher([one for one in sorted(gone) if len(one) > SHORT]).find(texts)
        holding = {text for text, places in zip(texts, found, strict=True) if places}
        return set().union(*(written[spelling] for spelling in same | holding))

    def undetected(self, run: Run) -> list[Mention]:
        """Return the mentions of values that are a spelling of no entity of the run."""
        now = {spelling for mention in run.mentions() for spelling in spellings_of(mention)}
        lost = (mention for spelling, mention in self.spelled.items() if spelling not in now)
        return [mention for mention in lost if mention is not None]


def masked_by(
    run: Run, plan: Mapping[str, Any], settings: Settings, keep: bool = False
) -> EarlierMasks:
    """Gather what a plan or a release of a run masked."""
    masked = {row["entity"] for row in plan["masked"]}
    spelled: dict[str, Mention] = {}
    words: defaultdict[str, set[int]] = defaultdict(set)
    for mention in run.mentions():
        if entity_id(mention.value, mention.type, settings.id_separator) not in masked:
            continue
        if mention.type == RARE_TERM:
            words[mention.document].add(hash_of_word(mention.value))
        else:
            for spelling in spellings_of(mention):
                spelled.setdefault(spelling, mention)
    return EarlierMasks(spelled, keep, words)


def found_again(
    source: Source,
    run: Run,
    values: Sequence[Mention],
    stated: Callable[[Document, Mention], Mention] = lambda document, mention: mention,
) -> Iterator[tuple[str, list[Mention]]]:
    """Yield the places of values that were masked earlier and are no longer detected.

    They are given by document. Places within a mention of today are left out. `stated` returns a
    mention with the value that it has in a document.
    """
    finder = ValueLocator(sorted({mention.original for mention in values}))
    stray = [replace(mention, field="", start=-1, end=-1) for mention in values]
    lines = run.lines_by_document()
    for document, _ in readable(source, CorpusCounts()):
        if document.id in lines:
            found = finder.place(document, stray)[0]
            named = (stated(document, replace(one, document=document.id)) for one in found)
            if fresh := non_overlapping(named, mentions_in(lines[document.id])):
                yield document.id, fresh


def spellings_of(mention: Mention) -> Set[str]:
    """Return how a value is written, in small letters: as it stands, and normalized."""
    return {
        runs.lower_and_collapse(mention.type, mention.original),
        runs.lower_and_collapse(mention.type, mention.value),
    }


def non_overlapping(found: Iterable[Mention], known: Iterable[Mention]) -> list[Mention]:
    """Return the mentions that overlap none that is known, and not each other."""
    taken = [(m.field, m.start, m.end) for m in known]
    fresh: list[Mention] = []
    for one in sorted(found, key=lambda m: m.start - m.end):
        if not any(f == one.field and s < one.end and one.start < e for f, s, e in taken):
            taken.append((one.field, one.start, one.end))
            fresh.append(one)
    return fresh


def kept_beside(found: bytes, old: bytes) -> list[Mention]:
    """Return the older mentions of a document that overlap none that was found, as lines of a log.

    A rare term stays masked whatever else was found there.
    """
    then = mentions_in(old)
    rare = [one for one in then if one.type == RARE_TERM]
    others = (one for one in then if one.type != RARE_TERM)
    return rare + non_overlapping(others, mentions_in(found))
