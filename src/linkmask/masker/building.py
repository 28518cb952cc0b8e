"""Builds the file that an opened run looks things up in: spellings, masks, entities, documents.

It is built once from the run's own files, as arrays that are mapped into memory, and written whole
with the sizes, times and digests of what it was made of. Its values are private: it is readable by
its owner only, and `forget` removes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from linkmask import corpus
from linkmask.config import Settings
from linkmask.detect.lexicon.gazetteer import listed
from linkmask.errors import RunError
from linkmask.graph.names import NAMES, person
from linkmask.masker.originals import Originals
from linkmask.pipeline import detection, regulation
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.redaction import Redaction
from linkmask.records import entity_id
from linkmask.redact import VARIES, Redactor, asked
from linkmask.redact.stored import HashSet, Lookup, entity_columns, prefixed
from linkmask.report import tables
from linkmask.runs import Run
from linkmask.runs.arrays import dump_columns, map_columns
from linkmask.runs.atomic import write_whole
from linkmask.runs.folder import LOOKUP
from linkmask.runs.mentions import places_of

FORMAT = 1
"""Version of the file's content; a file of another one is built anew."""
KEPT = -1
"""Number of an entity that the plan keeps."""
DISTINCT, ASKED, MASKS = "corpus", "asked", "masks"
"""Prefixes of the arrays of the searches: for documents, for texts, for masks."""

Opened = tuple[dict[str, Any], dict[str, Any]]
"""The arrays by name, and the facts beside them."""


def plan_file(run: Run) -> str:
    """Return the name of the file that holds the plan which counts: the released one, if any."""
    return tables.RELEASED if (run.path / tables.RELEASED).exists() else "plan.json"


KeyOf = Callable[[Settings], tuple[bytes, bool]]
"""Settings → the key of a run's keyed styles, and whether it is the user's."""


def opened(run: Run, key_of: KeyOf) -> Opened:
    """Map the lookup file of a run; build it first where it is missing or of another plan.

    Raises:
        RunError: the run holds no plan, or is damaged.
    """
    path = run.path / LOOKUP
    made_of = [run.path / name for name in (plan_file(run), "mentions.jsonl")]
    with suppress(RunError):  # missing or damaged
        columns, head = map_columns(path)
        facts = head.facts or {}
        if facts.get("format") == FORMAT and _unchanged(facts["made_of"], made_of):
            return columns, facts
    columns, facts = _built(run, key_of)
    facts |= {"format": FORMAT, "made_of": [_state(one, _sha256(one)) for one in made_of]}
    return _kept(path, columns, facts)


def _kept(path: Path, columns: Mapping[str, Any], facts: Mapping[str, Any]) -> Opened:
    """Write the file and map it; in a folder that can't be written, map a file without a name."""
    aside = path.with_name(f"{LOOKUP}.{token_hex(4)}")  # another process may be building, too
    try:
        write_whole(aside, dump_columns(columns, facts=facts))
        aside.replace(path)
        mapped, head = map_columns(path)
    except OSError:
        with TemporaryDirectory(prefix="linkmask-") as folder:
            other = Path(folder) / LOOKUP
            write_whole(other, dump_columns(columns, facts=facts))
            mapped, head = map_columns(other)
    return mapped, head.facts


def _state(path: Path, digest: str) -> list[Any]:
    known = path.stat()
    return [path.name, known.st_size, known.st_mtime_ns, digest]


def _unchanged(was: list[list[Any]], paths: list[Path]) -> bool:
    """Tell whether files are what they were; those of another time are read whole."""
    if [one[0] for one in was] != [path.name for path in paths]:
        return False
    return all(
        path.exists() and (_state(path, one[3]) == one or _sha256(path) == one[3])
        for one, path in zip(was, paths, strict=True)
    )


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise RunError(f"can't read {path}: {error.strerror}") from None


def _built(run: Run, key_of: KeyOf) -> Opened:
    """Return the arrays and facts of a run."""
    name = plan_file(run)
    kept = run.read_json(name) if name == tables.RELEASED else tables.plan_of(run)
    planner = Planner(run, tables.settings_of(run, kept))
    planner.reopen()
    planner.restore(kept)
    assert planner.chosen is not None
    settings = planner.settings
    known = run, planner.analysis.incidence, planner.chosen, settings
    drawn = {row["entity"]: row for row in kept["masked"] if "attempt" in row}
    redaction = Redaction(*known, {} if drawn else _languages(run, settings), planner.demands)
    redaction.key, redaction.given = key_of(settings)
    if drawn:
        redaction.draw_as(drawn)
    redactor = redaction.redactor
    columns, names = entity_columns(redactor, redaction.days)
    entities = planner.analysis.incidence.entities
    numbers = _numbers(run, settings, redactor, entities)
    columns |= prefixed("entities", Lookup.columns(numbers))
    columns |= prefixed("masked", Lookup.columns(_of(redactor.owners.ids)))
    columns |= prefixed(DISTINCT, redactor.search.columns())
    everywhere = msgspec.structs.replace(settings, scope="corpus")
    forms = asked(redaction.targets, listed)
    typed = Redactor(redaction.targets, everywhere, means=redactor.means, spellings=forms)
    columns |= prefixed(ASKED, typed.search.columns())
    columns |= prefixed(MASKS, Originals.of(redactor).columns())
    surrogates = "surrogate" in regulation.styles(settings)
    originals = {mention.original for mention in run.mentions()} if surrogates else ()
    columns["originals"] = HashSet.column(originals)
    columns |= _documents(run, kept.get("originals", {}))
    facts = {
        "settings": msgspec.to_builtins(settings),
        "names": names,
        "corpus_types": list(planner.analysis.incidence.types),
    }
    return columns, facts


def _languages(run: Run, settings: Settings) -> Mapping[str, str]:
    """Return the language of each document, where a style needs it and no release has told it.

    Raises:
        RunError: the corpus can't be read any more.
    """
    if not VARIES & regulation.styles(settings):
        return {}
    read = corpus.Corpus(run.source, settings)
    if read.digest() != run.digest:
        raise RunError(
            f"{run.source} is not what the run read, and what it wrote depends on the language of "
            "the documents: open the run once where its input is as it was"
        )
    return detection.languages(read, settings)


def _of(ids: Any) -> dict[str, int]:
    return {entity: number for number, entity in enumerate(ids)}


def _numbers(run: Run, settings: Settings, redactor: Redactor, entities: Any) -> dict[str, int]:
    """Return the number of every entity of the run, and of every short value that means one.

    A short value ("t. roe") has an id like an entity's, unless it is one of the run itself, or
    means several.
    """
    masked = _of(redactor.owners.ids)
    numbers = {entity: masked.get(entity, KEPT) for entity in entities}
    canonical = detection.canonical(settings)
    aliases, forms = detection.same_thing(run, "mentions", settings)
    short: dict[str, int | None] = {}
    for kind, value in sorted({(m.type, m.value) for m in run.mentions() if m.type in NAMES}):
        entity = entity_id(value, kind, settings.id_separator)
        number = numbers.get(entity, KEPT)
        values = {canonical(kind, form) for form in forms(kind, value)}
        if aliases is not None:
            values |= {one for one in _abridged(value) if aliases.resolve(kind, one)[1] == value}
        for one in values:
            alias = entity_id(one, kind, settings.id_separator)
            if alias not in numbers:
                short[alias] = number if short.get(alias, number) == number else None
    return numbers | {alias: number for alias, number in short.items() if number is not None}


def _abridged(value: str) -> Iterator[str]:
    """Yield a name with given names as initials or left out: t akinwande frith, tobias frith."""
    who = person(value)
    if who is None or not who.given:
        return
    first, *rest = who.given
    for given in ([first], [first[0]], [first[0], *rest], [first, *(one[0] for one in rest)]):
        yield " ".join([*given, who.family])


def _documents(run: Run, digests: Mapping[str, str]) -> dict[str, Any]:
    """Return the released documents: id, digest, and where their mentions stand in the log."""
    places = places_of(run.path / "mentions.jsonl") if digests else {}
    names = sorted((document_key(name), name) for name in digests)
    return {
        "document_keys": np.array([key for key, _ in names], np.uint64),
        "document_digests": np.array([int(digests[name], 16) for _, name in names], np.uint64),
        "document_places": np.array(
            [place for _, name in names for place in places.get(name, (0, 0))], np.int64
        ),
    }


def document_key(name: str) -> int:
    """Return the number by which a document's id is looked up."""
    data = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
