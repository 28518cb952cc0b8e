"""Decides whether a corpus may be released as it is; nothing is masked, and nothing is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from linkmask import corpus
from linkmask.commands.folders import open_run
from linkmask.commands.scan import detect_and_score
from linkmask.config import Settings
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Document, Origin, Plan, SetAside
from linkmask.report.wording import count
from linkmask.runs import Run


@dataclass(frozen=True, slots=True)
class DocumentOverLimit:
    """An unmasked document that is over a limit. `name`: its file, and the row in it from 1.

    `risk` in [0, 1]; `identifiers` counts the values that are masked whatever the risk, `chains`
    the chains over their limit that the document is in.
    """

    name: str
    risk: float
    identifiers: int
    chains: int

    def reasons(self, theta_doc: float) -> Iterator[str]:
        """Say which limits the document is over; `theta_doc` is the limit of its risk."""
        if self.risk >= theta_doc:
            yield f"risk {self.risk:.2f}, limit {theta_doc:g}"
        if self.identifiers:
            yield count(self.identifiers, "direct identifier")
        if self.chains:
            yield f"in {count(self.chains, 'chain')} over the limit"


@dataclass(frozen=True, slots=True)
class CorpusChecked:
    """What a check of a corpus found. `blocked`: pairs of documents that were not compared.

    `telling` counts documents whose id or file is named after a person. In `set_aside`, `document`
    names the place of the document, as in `over`.
    """

    documents: int
    theta_doc: float
    over: Sequence[DocumentOverLimit]
    set_aside: Sequence[SetAside]
    blocked: int
    telling: int

    @property
    def within(self) -> bool:
        """Whether every document was read, is within its limits, and is named after nobody."""
        return not (self.over or self.set_aside or self.blocked or self.telling)

    def verdict(self) -> str:
        """Say in a sentence what is not within the limits."""
        over, aside, blocked = len(self.over), len(self.set_aside), self.blocked
        parts = [f"{count(over, 'document')} of {self.documents:,} over a limit"] if over else []
        parts += [f"{count(aside, 'document')} set aside"] if aside else []
        parts += [f"{count(blocked, 'pair')} not compared"] if blocked else []
        named = f"{count(self.telling, 'document')} with a person in the file name or the id"
        parts += [named] if self.telling else []
        return f"Not within the limits: {', '.join(parts)}."


def check_files(source: Path, settings: Settings, progress: Progress = silent) -> CorpusChecked:
    """Tell which documents of INPUT are over a limit as they are.

    A document is over a limit if its risk reaches `theta_doc`, if a chain through it is over its
    limit, or if it holds a value that is masked whatever the risk (the floor, and what the policies
    in use demand). Values that are only generalized by rule count for the limits alone; rare words
    count for none. Detected
    values are kept in a private temporary folder, which is deleted.

    Raises:
        UsageError: INPUT or a setting can't be used.
    """
    settings = msgspec.structs.replace(settings, generalize={}, rare_terms=0)
    read = corpus.Corpus(source, settings)
    corpus.check_fields(read)
    with TemporaryDirectory(prefix="linkmask-") as folder:
        with open_run(source, Path(folder) / "run", settings, None, False, read=read) as run:
            job = detect_and_score(run, settings, read, None, progress)
            rows = _rows(job)
            places = [(item.id, item.origin) for item in read() if isinstance(item, Document)]
            known = {name for id_, origin in places for name in (id_, origin.file)}
            telling = keys_of(settings).names(known)
            names = _names(places, telling, read, run, set(rows)) if rows else {}
        aside = list(_aside(read, [*job.counted.unread, *job.counted.aside.values()]))
        over = sorted(_over(rows, names), key=lambda one: one.name)
        return CorpusChecked(
            job.analysis.incidence.n_documents,
            settings.theta_doc,
            over,
            aside,
            job.analysis.risk.links.blocked,
            sum(not telling.isdisjoint((id_, origin.file)) for id_, origin in places),
        )


def _rows(job: Planner) -> dict[str, tuple[float, int, int]]:
    """Return (risk, identifiers, chains) of each document over a limit, by id."""
    held = job.analysis.incidence
    demanded = _demanded(job)
    job.restore({"masked": []})
    assert job.chosen is not None
    chains = _chains_by_document(job.chosen)
    floored = np.zeros(held.n_entities, dtype=np.int64)
    floored[demanded.masked[[stage == "floor" for stage in demanded.stage]]] = 1
    each = np.add.reduceat(np.append(floored[held.entity], 0), held.start[:-1])
    each[held.start[:-1] == held.start[1:]] = 0
    risks = job.chosen.before
    over = (risks >= job.settings.theta_doc) | (each > 0)
    over[list(chains)] = True
    return {
        held.documents[n]: (float(risks[n]), int(each[n]), chains[n])
        for n in np.flatnonzero(over).tolist()
    }


def _demanded(job: Planner) -> Plan:
    """Return the plan of the corpus, whose first stage masks what is masked whatever the risk."""
    job.plan()
    assert job.chosen is not None
    return job.chosen


def _chains_by_document(plan: Plan) -> Counter[int]:
    """Count the chains over their limit by the number of each of their documents."""
    unmet = plan.chains.documents[~plan.chains.met]
    return Counter(unmet[unmet >= 0].tolist())


def _names(
    places: Sequence[tuple[str, Origin]],
    telling: Container[str],
    read: corpus.Corpus,
    run: Run,
    wanted: Container[str],
) -> dict[str, str]:
    """Return how each of these documents is named before people, by id: by its file and its row.

    If its file is named after a person, or after a value that was found in it, its number is its
    name.
    """
    rows = Counter(origin.file for _, origin in places)
    files, values = read.files(), dict[str, set[str]]()
    for mention in run.mentions():
        if mention.document in wanted:
            values.setdefault(mention.document, set()).add(_plain(mention.original))
    return {
        id_: f"document {number} (its name holds a value)"
        if origin.file in telling or _holds(origin.file, values.get(id_, ()))
        else _place(corpus.place_in_input(origin, files), rows[origin.file])
        for number, (id_, origin) in enumerate(places, 1)
        if id_ in wanted
    }


def _aside(read: corpus.Corpus, aside: Sequence[SetAside]) -> Iterator[SetAside]:
    """Yield what was set aside, each named by its place, unless its file may name a person."""
    files = read.files()
    telling = keys_of(read.settings).names({one.origin.file for one in aside})
    for one in aside:
        place = corpus.place_in_input(one.origin, files)
        name = "a file whose name holds a value" if one.origin.file in telling else _place(place)
        yield replace(one, document=name)


def _place(place: corpus.Place, rows: int = 2) -> str:
    several = rows > 1 and "row" in place
    return f"{place['file']}, row {place['row']}" if several else str(place["file"])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold().replace("_", " ")))


def _holds(name: str, values: Iterable[str]) -> bool:
    spaced = f" {_plain(name)} "
    return any(f" {value} " in spaced for value in values if len(value) > 1)


def _over(
    rows: Mapping[str, tuple[float, int, int]], names: Mapping[str, str]
) -> Iterable[DocumentOverLimit]:
    for document, figures in rows.items():
        yield DocumentOverLimit(names[document], *figures)
