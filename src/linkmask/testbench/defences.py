"""Defences: what stands between a corpus and who asks about it.

A defence declares the stage it acts at and gives, for a corpus, the texts to index and perhaps a
`Guard`. Those that mask choose a set of entities and nothing else: all of them write with the same
redactor, so that they differ in the choice alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np

from linkmask import config, scanning, schema, scoring
from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.masking import Masker
from linkmask.pipeline import Job
from linkmask.records import CONTENT, Document, Masked, Mention, Plan, SetAside, Why
from linkmask.runs import Run
from linkmask.testbench.ldp import EPSILON, perturb
from linkmask.testbench.rag import Guard, words
from linkmask.testbench.tested import Corpus

Stage = Literal["none", "corpus", "query", "retrieval", "prompt", "generation", "output"]


class Hole(Exception):  # noqa: N818 - a hole is a result, no error
    """This cell can't be filled; the message is its reason."""


@dataclass(frozen=True)
class Defended:
    """A corpus behind a defence: its texts, a guard, and what it cost.

    `entities`, `characters`: masked; `entities_of`: how many there are to choose from; `aside`:
    documents that are not released (their text is empty); `searched`: False where nothing is
    retrieved at all; `epsilon`: what the person with most documents has spent, where there is a
    budget.
    """

    texts: Sequence[str]
    guard: Guard = field(default_factory=Guard)
    entities: int = 0
    entities_of: int = 0
    characters: int = 0
    aside: int = 0
    searched: bool = True
    epsilon: float = 0.0


@dataclass(frozen=True)
class Defence:
    """A defence by name: where it acts, what it does in a sentence, and how it is made."""

    stage: Stage
    says: str
    make: Callable[[Workshop], Defended]


class Scan:
    """A corpus with mentions, detected or given, scored: plans are made and carried out on it."""

    def __init__(
        self, documents: Sequence[Document], settings: Settings, given: Sequence[Mention] | None
    ) -> None:
        self.documents, self.settings = documents, settings
        self._folder = TemporaryDirectory(prefix="linkmask-")
        folder = Path(self._folder.name)
        with Run.create(folder / "run", settings, source=folder, digest="") as run:
            self.job = Job(run, settings, self._read)
            if given is None:
                self.job.scan()
            else:
                by_document: dict[str, list[Mention]] = {d.id: [] for d in documents}
                for mention in given:
                    by_document[mention.document].append(mention)
                with run.log("mentions") as log:
                    for name, mentions in by_document.items():
                        log.add(name, mentions)
                    log.finish()
                self.job.tally.documents = len(documents)
                self.job.analyse(keep=True)

    def _read(self) -> Iterator[Document | SetAside]:
        return iter(self.documents)

    def choose(self, settings: Settings) -> Plan:
        """Choose what to mask, as the tool does, scored anew: links and chains have settings."""
        analysis = scoring.analyse(self.job.run, settings, self.job.tally)
        return scoring.choose(analysis, settings)

    def masking(self, entities: Sequence[int]) -> Plan:
        """Return the plan that masks these entities."""
        count = len(entities)
        return scoring.restore(
            self.job.analysis,
            self.settings,
            np.array(entities, dtype=np.int32),
            ["floor"] * count,
            np.zeros(count),
            np.zeros(count, dtype=np.int32),
        )

    def carry_out(self, plan: Plan, settings: Settings | None = None) -> Defended:
        """Mask the corpus by a plan; `settings` where it is to be written in another style."""
        settings = settings or self.settings
        spoken = scanning.languages(self._read, settings)
        masker = Masker(self.job.run, self.job.analysis.incidence, plan, settings, spoken)
        texts: dict[str, str] = {}
        characters = 0
        for item in masker.masked(self._read, self.job.tally):
            if isinstance(item, Masked):
                texts[item.document.id] = item.content
                here = [one for one in item.replacements if one.field == CONTENT]
                characters += sum(one.end - one.start for one in here)
        return Defended(
            [texts.get(document.id, "") for document in self.documents],
            entities=len(plan.masked),
            entities_of=self.job.analysis.incidence.n_entities,
            characters=characters,
            aside=len(self.documents) - len(texts),
        )


class Workshop:
    """Where defences of one corpus are made; scans and plans are made once and shared."""

    def __init__(self, corpus: Corpus, seed: int = 0) -> None:
        self.corpus, self.seed = corpus, seed
        self.scan = cache(self._scan)
        self.plan = cache(self._plan)

    def settings(self, preset: str, **overrides: object) -> Settings:
        """Return a preset's settings, one process, whatever the environment says."""
        return config.load(preset=preset, overrides={"workers": 1, **overrides}, environment={})

    def _scan(self, source: str, preset: str = "insurance") -> Scan:
        given = golden_mentions(self.corpus) if source == "golden" else None
        return Scan(self.corpus.documents, self.settings(preset), given)

    def _plan(self, source: str, preset: str = "insurance", **overrides: str) -> Plan:
        return self.scan(source, preset).choose(self.settings(preset, **overrides))


def golden_mentions(corpus: Corpus) -> list[Mention]:
    """Return where the persons' own values are read, anywhere in the corpus, as mentions.

    Of two that overlap the longer stays, grown over what the other has beyond it.
    """
    mentions = []
    for document in corpus.documents:
        found: list[tuple[int, int, str, str]] = []
        for person in corpus.persons:
            for number, spans in person.read(document.content).items():
                kind, value = person.types[number], person.values[number]
                found += [(start, end, kind, value.casefold()) for start, end in spans]
        for start, end, kind, value in _disjoint(found):
            original = document.content[start:end]
            why = Why("golden")
            mentions.append(
                Mention(document.id, CONTENT, start, end, kind, original, value, 1.0, why)
            )
    return mentions


def _disjoint(found: list[tuple[int, int, str, str]]) -> list[tuple[int, int, str, str]]:
    kept: list[tuple[int, int, str, str]] = []
    for start, end, kind, value in sorted(set(found), key=lambda f: (f[0], -f[1], f[2:])):
        if kept and start < kept[-1][1]:
            first, last, *rest = kept[-1]
            longer = (kind, value) if end - start > last - first else (rest[0], rest[1])
            kept[-1] = (first, max(last, end), *longer)
        else:
            kept.append((start, end, kind, value))
    return kept


# ── who masks what ──────────────────────────────────────────────────────────────────────────────


def _as_it_is(shop: Workshop) -> Defended:
    return Defended(shop.corpus.texts)


def _nothing(shop: Workshop) -> Defended:
    return Defended([""] * len(shop.corpus.documents), searched=False)


def _clam(
    source: str, preset: str = "insurance", **overrides: str
) -> Callable[[Workshop], Defended]:
    def make(shop: Workshop) -> Defended:
        plan = shop.plan(source, preset, **overrides)
        return shop.scan(source, preset).carry_out(plan, shop.settings(preset, **overrides))

    return make


def _every(source: str, direct: bool) -> Callable[..., Defended]:
    def make(shop: Workshop) -> Defended:
        scan = shop.scan(source)
        incidence = scan.job.analysis.incidence
        groups = schema.load("insurance").groups
        chosen = [
            e
            for e in range(incidence.n_entities)
            if not direct or groups[incidence.types[incidence.type[e]]] == "direct"
        ]
        return scan.carry_out(scan.masking(chosen))

    return make


Rank = Callable[[Scan, random.Random], list[float]]
"""Gives each entity a number; those with the largest are masked first."""


def _by_type(scan: Scan, rng: random.Random) -> list[float]:
    return list(scan.job.analysis.incidence.weight)


def _by_idf(scan: Scan, rng: random.Random) -> list[float]:
    incidence = scan.job.analysis.incidence
    return list(incidence.uniqueness * incidence.weight)


def _by_score(scan: Scan, rng: random.Random) -> list[float]:
    incidence = scan.job.analysis.incidence
    largest = np.zeros(incidence.n_entities)
    np.maximum.at(largest, incidence.entity, incidence.relevance)
    return list(largest * incidence.uniqueness * incidence.weight)


def _at_random(scan: Scan, rng: random.Random) -> list[float]:
    return [rng.random() for _ in range(scan.job.analysis.incidence.n_entities)]


def _floor_then_random(scan: Scan, rng: random.Random) -> list[float]:
    incidence = scan.job.analysis.incidence
    floor = {i for i, name in enumerate(incidence.types) if name in scan.settings.floor}
    drawn = _at_random(scan, rng)
    return [one + (kind in floor) for one, kind in zip(drawn, incidence.type.tolist(), strict=True)]


def _like(source: str, rank: Rank, draw: int = 0) -> Callable[..., Defended]:
    """Mask as many entities as `clam` does on the same mentions, chosen by a rank."""

    def make(shop: Workshop) -> Defended:
        scan = shop.scan(source)
        count = len(shop.plan(source).masked)
        ranks = rank(scan, random.Random(f"{shop.seed}/{draw}"))
        order = sorted(range(len(ranks)), key=lambda e: (-ranks[e], e))
        return scan.carry_out(scan.masking(sorted(order[:count])))

    return make


def _ldp(shop: Workshop) -> Defended:
    scan = shop.scan("embedded")
    weights = schema.load("insurance").weights
    mentions = dict(scan.job.run.by_document("mentions"))
    spoken = scanning.languages(lambda: iter(shop.corpus.documents), scan.settings)
    made = [
        perturb(
            document.content,
            mentions[document.id],
            weights,
            random.Random(f"{shop.seed}/ldp/{number}"),
            "fr" if spoken[document.id] == "fr" else "en",
        )
        for number, document in enumerate(shop.corpus.documents)
    ]
    entities = scan.job.analysis.incidence.n_entities
    held = max((len(person.documents) for person in shop.corpus.persons), default=0)
    return Defended(
        [text for text, _ in made],
        entities=entities,
        entities_of=entities,
        characters=sum(count for _, count in made),
        epsilon=held * EPSILON,
    )


# ── guards ──────────────────────────────────────────────────────────────────────────────────────

OVERLAP = 0.5
"""ROUGE-L with one document of the context from which on an answer is held back (IKEA's filter)."""
COSINE = 0.5
"""Cosine below which a document does not enter the context."""
FORBIDDEN = re.compile(
    r"\b(?:repeat|copy|print|output|verbatim|list all|every detail|entire|whole (?:text|context)|"
    r"word for word|répéter|répète|copie[rz]?|intégral\w*)\b",
    re.IGNORECASE,
)
"""Words of queries that want the context itself."""


def _output_filter(shop: Workshop) -> Defended:
    def allowed(answer: str, context: Sequence[str]) -> bool:
        return all(rouge_l(answer, text) < OVERLAP for text in context)

    return Defended(shop.corpus.texts, Guard(output=allowed))


def _query_filter(shop: Workshop) -> Defended:
    return Defended(shop.corpus.texts, Guard(query=lambda text: not FORBIDDEN.search(text)))


def _threshold(shop: Workshop) -> Defended:
    return Defended(shop.corpus.texts, Guard(least=COSINE))


def rouge_l(answer: str, text: str) -> float:
    """Return the F1 of the longest common subsequence of words, in [0, 1]."""
    a, b = words(answer), words(text)
    if not a or not b:
        return 0.0
    places: dict[str, int] = {}
    for i, word in enumerate(b):
        places[word] = places.get(word, 0) | (1 << i)
    # Bit-parallel (Hyyrö 2004): unset bits of the row are the length of the common subsequence.
    whole = (1 << len(b)) - 1
    row = whole
    for word in a:
        match = row & places.get(word, 0)
        row = ((row + match) | (row - match)) & whole
    return 2 * (len(b) - row.bit_count()) / (len(a) + len(b))


def _missing(reason: str) -> Callable[[Workshop], Defended]:
    def make(shop: Workshop) -> Defended:
        raise Hole(reason)

    return make


MODEL = "needs a language model, and is not built yet"

DEFENCES: dict[str, Defence] = {
    "std": Defence("none", "the corpus as it is", _as_it_is),
    "no-rag": Defence("none", "no context at all", _nothing),
    "clam": Defence("corpus", "linkmask as installed: preset insurance", _clam("embedded")),
    "clam-greedy": Defence(
        "corpus", "the same, chains one by one, greedy", _clam("embedded", solver="greedy")
    ),
    "clam-knapsack": Defence(
        "corpus", "the same, chains one by one, knapsack", _clam("embedded", solver="knapsack")
    ),
    "clam-exact": Defence(
        "corpus", "the same, smallest set, exact", _clam("embedded", solver="exact")
    ),
    "clam-strict": Defence("corpus", "preset strict", _clam("embedded", "strict")),
    "clam-thesis": Defence(
        "corpus", "preset thesis: no floor, knapsack", _clam("embedded", "thesis")
    ),
    "type@clam": Defence(
        "corpus", "as many entities as clam, by weight of their type", _like("embedded", _by_type)
    ),
    "idf@clam": Defence("corpus", "as many, by rarity times weight", _like("embedded", _by_idf)),
    "score@clam": Defence(
        "corpus",
        "as many, by relevance times rarity times weight: clam's scores without limits and links",
        _like("embedded", _by_score),
    ),
    "random@clam": Defence("corpus", "as many, drawn at random", _like("embedded", _at_random)),
    "random@clam#2": Defence("corpus", "another draw", _like("embedded", _at_random, 2)),
    "random@clam#3": Defence("corpus", "another draw", _like("embedded", _at_random, 3)),
    "floor+random@clam": Defence(
        "corpus", "as many: clam's floor, then at random", _like("embedded", _floor_then_random)
    ),
    "mask-direct": Defence(
        "corpus", "all direct identifiers that were detected", _every("embedded", True)
    ),
    "mask-all": Defence("corpus", "everything that was detected", _every("embedded", False)),
    "clam-golden": Defence(
        "corpus", "preset insurance on the persons' own values", _clam("golden")
    ),
    "type@clam-golden": Defence(
        "corpus", "as many of the persons' values, by weight", _like("golden", _by_type)
    ),
    "idf@clam-golden": Defence(
        "corpus", "as many of them, by rarity times weight", _like("golden", _by_idf)
    ),
    "random@clam-golden": Defence(
        "corpus", "as many of them, at random", _like("golden", _at_random)
    ),
    "mask-direct-golden": Defence(
        "corpus", "the persons' direct identifiers", _every("golden", True)
    ),
    "mask-all-golden": Defence("corpus", "all of the persons' values", _every("golden", False)),
    "threshold": Defence("retrieval", f"only documents with cosine {COSINE} or more", _threshold),
    "query-filter": Defence("query", "no query that asks for the text itself", _query_filter),
    "output-filter": Defence(
        "output", f"no answer with ROUGE-L {OVERLAP} or more with a document", _output_filter
    ),
    "prompt": Defence("prompt", "a system prompt that forbids", _missing(MODEL)),
    "sage": Defence("corpus", "synthetic documents (SAGE)", _missing(MODEL)),
    "sage-lite": Defence("corpus", "synthetic documents by rules", _missing("not built yet")),
    "eraser-lite": Defence("corpus", "triples erased", _missing("not built yet")),
    "entity-ldp": Defence(
        "corpus", f"detected values drawn from public lists, ε = {EPSILON:g} a document", _ldp
    ),
    "presidio": Defence("corpus", "Presidio's analyzer", _missing("not built yet: extra presidio")),
}
"""Every defence by name, controls among them."""

VARIANT = re.compile(r"(clam|clam-golden)\[([\w=.,]+)\]")
PLANNING = frozenset(
    "edge_threshold chain_length high medium floor theta_doc theta_chain rho_high rho_medium "
    "solver cost doc_order chain_candidates style unkeyed scope".split()
)
"""Settings a variant may change: those that ask for no other detection."""


def defence(name: str) -> Defence:
    """Return a defence by name; `clam[theta_doc=0.9,solver=greedy]` is `clam` with other settings.

    Raises:
        SettingsError: there is none of this name, or a setting is not one of `PLANNING`.
    """
    if name in DEFENCES:
        return DEFENCES[name]
    match = VARIANT.fullmatch(name)
    if match is None:
        raise SettingsError(f"no defence {name!r}; there are: {', '.join(DEFENCES)}")
    overrides = dict(pair.split("=", 1) for pair in match[2].split(",") if "=" in pair)
    if unknown := sorted(set(overrides) - PLANNING):
        raise SettingsError(f"{name}: {unknown[0]} can't be set here")
    config.load(overrides=overrides, environment={})
    source = "golden" if match[1] == "clam-golden" else "embedded"
    return Defence("corpus", f"{match[1]} with {match[2]}", _clam(source, **overrides))
