"""Gathers the values of a run with all their spellings, or updates those of the last edition.

Each value keeps what was computed from it, and the facts on which that depends. It is computed
again only for values that are new or changed, or whose facts differ in the corpus of today.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from hashlib import sha256

import msgspec

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph.affected import affected_by
from linkmask.pipeline.correcting import name_of
from linkmask.pipeline.detection.detector import aliases_of
from linkmask.pipeline.values.possible_spellings import word_hashes
from linkmask.pipeline.values.run_value import RunValue, RunValues
from linkmask.records import Mention, entity_id
from linkmask.runs import Run, lower_and_collapse
from linkmask.runs.mentions import chunks, mentions_in
from linkmask.schema import RARE_TERM


def values_of(
    run: Run, separator: str, last: Mapping[str, RunValue] | None = None, before: Run | None = None
) -> RunValues:
    """Return the values of all mentions of a run.

    Args:
        last: the values of another run, which stay as they are.
        before: that run; only documents whose mentions differ are counted.
    """
    changed = _changed(run, before) if before else [(run.mentions(), 1)]
    return recounted(last or {}, changed, separator)


def values_grown(last: RunValues, added: Iterable[Iterable[Mention]], separator: str) -> RunValues:
    """Return values with some mentions more; those whose facts may have changed are `doubted`."""
    values = recounted(last, ((mentions, 1) for mentions in added), separator)
    return with_doubts(values, last, last)


def recounted(
    last: Mapping[str, RunValue],
    changed: Iterable[tuple[Iterable[Mention], int]],
    separator: str,
) -> RunValues:
    """Return values with mentions that are added, 1, or gone, −1."""
    values = dict(last)
    counted: dict[tuple[str, str], dict[str, int]] = {}
    for mentions, by in changed:
        for key, spelling in (one for mention in mentions for one in mention.entity_spellings()):
            if key not in counted:
                was = values.get(entity_id(*key, separator))
                counted[key] = dict(was.surfaces) if was else {}
            surfaces = counted[key]
            surfaces[spelling] = surfaces.get(spelling, 0) + by
    for key, surfaces in counted.items():
        entity, held = entity_id(*key, separator), {s: n for s, n in surfaces.items() if n}
        was = values.pop(entity, None)
        if was and was.surfaces.keys() == held.keys():
            values[entity] = msgspec.structs.replace(was, surfaces=held)
        elif held:
            values[entity] = RunValue(*key, held)
    return values


def with_doubts(values: RunValues, last: RunValues, masked: Container[str]) -> RunValues:
    """Return values; those whose facts may have changed since the last edition are `doubted`.

    Args:
        values: those of today, made of the last edition's.
        last: the values of that edition.
        masked: ids of the entities whose facts are of that edition: of others, they may be older.
    """
    changed = [(values.get(e) or last[e]) for e in values.keys() ^ last.keys()]
    affected = affected_by((one.type, name_of(one.value)) for one in changed)

    def doubted(entity: str, one: RunValue) -> bool:
        if one.type == RARE_TERM:  # it has no facts
            return False
        return entity not in masked or affected(one.type, name_of(one.value))

    return {
        entity: msgspec.structs.replace(one, doubted=True) if doubted(entity, one) else one
        for entity, one in values.items()
    }


def _changed(run: Run, before: Run) -> Iterator[tuple[Iterable[Mention], int]]:
    """Yield the mentions of documents where two runs differ: those of the first, 1; others, −1."""
    now, then = run.lines_by_document(), before.lines_by_document()
    for name in now.differing(then):
        yield mentions_in(then.get(name, b"")), -1
        yield mentions_in(now[name]), 1
    for name in then.keys() - now.keys():
        yield mentions_in(then[name]), -1


def spelled(
    values: RunValues, masked: Collection[str], settings: Settings
) -> Iterator[tuple[str, RunValue]]:
    """Yield the masked ones among the values of a corpus, by id, each with all its spellings.

    Facts are computed only for a value whose facts are unknown or doubted.
    """
    every = {(one.type, name_of(one.value)) for one in values.values()}
    aliases, forms = aliases_of(every, settings)
    facts = aliases.facts if aliases else detect.no_facts
    for entity in sorted(values.keys() & masked):
        one = values[entity]
        # A rare term is masked where it was found, and nowhere else.
        if (one.facts is None or one.doubted) and one.type != RARE_TERM:
            name = name_of(one.value)
            if one.facts != (current := facts(one.type, name)):
                more = sorted(set(forms(one.type, name)) - one.surfaces.keys())
                words = word_hashes((*sorted(one.surfaces), *more))
                one = RunValue(one.value, one.type, one.surfaces, current, more, words, one.left)
            values[entity] = one = msgspec.structs.replace(one, doubted=False)
        yield entity, one


def written_as(values: Iterable[RunValue], wanted: Collection[str]) -> set[str]:
    """Return those of some spellings, in small letters, in which one of the values is written."""
    return {
        spelling
        for one in values
        for text in (*one.surfaces, one.value)
        if (spelling := lower_and_collapse(one.type, text)) in wanted
    }


def mentions_digest(run: Run) -> str:
    """Return a digest of the mentions that values were made of; "" where a run has none."""
    path = run.find("mentions.jsonl")
    digest = sha256()
    for data in chunks(path) if path.exists() else ():
        digest.update(data)
    return digest.hexdigest() if path.exists() else ""
