"""Corpora of any size from grammars and vocabularies of our own, with exact truth.

A cluster hides one person in some of its documents; others (a circular, an audit) are about
nobody and carry the general questions. What is written is read back by `datasets`, and with the
default controls it passes the strict checks. A group of clusters shares its topic (condition,
treatment, town, provider) where decoys are asked for, and lends its persons to each other's
documents where documents are to hold several.

Every group depends on the seed and its number alone: written one after another, nothing is held.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, TextIO

from linkmask.errors import OutputError
from linkmask.testbench.words import date, stranger, vocabulary

ALWAYS = {
    "HIGH": ("NAME", "PATIENT_ID", "MEDICAL_CONDITION", "EVENT_DATE"),
    "MEDIUM": ("TREATMENT", "EVENT_DATE", "MEDICAL_CONDITION"),
    "LOW": ("TREATMENT", "EVENT_DATE"),
}
"""Types that every person of a risk level shows (SPEC §12.3)."""

PERHAPS = {
    "HIGH": (
        *("BIRTHDATE", "AGE", "PHONE_NUMBER", "EMAIL", "ADDRESS", "LOCATION", "PROVIDER"),
        *("TREATMENT", "NON_PERSONAL_ID", "INDIRECT_IDENTIFIER", "UNIQUE_FACT", "EVENT"),
    ),
    "MEDIUM": ("AGE", "LOCATION", "PROVIDER", "NON_PERSONAL_ID", "INDIRECT_IDENTIFIER", "EVENT"),
    "LOW": ("AGE", "LOCATION", "DEMOGRAPHIC", "INDIRECT_IDENTIFIER", "UNIQUE_FACT", "EVENT"),
}
"""Types of which a person shows some."""

SIZES = {"HIGH": (8, 11), "MEDIUM": (5, 6), "LOW": (4, 4)}
"""Fewest and most values of a person."""

OVERLAPS = {"HIGH": 0.8, "MEDIUM": 0.5, "LOW": 0.25}
"""Share of the values that stand in two documents or more, where none is asked for."""

TOPIC = ("MEDICAL_CONDITION", "TREATMENT", "LOCATION", "PROVIDER")
"""What the persons of a group share."""

WORDS = 48
"""Words a document is filled up to."""

MARK = ".linkmask-generated"
"""Stands in a folder that was written here, so that only such a one is written over."""


@dataclass(frozen=True)
class Plan:
    """What to write.

    `documents`: about how many (a cluster has 4 to 6). `overlap`: share of a person's values that
    stand in several documents; None: by risk level, as the strict checks want it. `persons`: people
    mentioned in a document. `decoys`: further persons on a person's topic.
    """

    documents: int = 200
    language: str = "en"
    overlap: float | None = None
    persons: int = 1
    decoys: int = 0
    jsonl: bool = False
    seed: int = 0


@dataclass
class Written:
    """What was written, counted."""

    documents: int = 0
    persons: int = 0
    mentions: int = 0
    links: int = 0


@dataclass
class Who:
    """A person: type → value, and which of their cluster's documents hold which types."""

    facts: dict[str, str]
    risk: str
    places: list[list[str]]
    language: str


@dataclass
class Text:
    """A document in the making: its pieces, its length, and where whose values stand."""

    words: int = 0
    length: int = 0
    pieces: list[str] = field(default_factory=list)
    mentions: list[tuple[int, int, str, int]] = field(default_factory=list)
    """(start, end, type, number of the cluster whose person it is)."""

    def add(self, sentence: str, value: str = "", kind: str = "", cluster: int = -1) -> None:
        """Append a sentence; `{}` in it is the value's place."""
        lead = " " if self.pieces else ""
        before, _, after = sentence.partition("{}")
        if value:
            start = self.length + len(lead) + len(before)
            self.mentions.append((start, start + len(value), kind, cluster))
        whole = f"{lead}{before}{value}{after}"
        self.pieces.append(whole)
        self.length += len(whole)
        self.words += len(whole.split())


def write(out: Path, plan: Plan, *, overwrite: bool = False) -> Written:
    """Write a corpus: files/ and documents/ (or two .jsonl), mentions.jsonl, golden.json.

    Raises:
        OutputError: the folder is not empty and was not written here, or `overwrite` is not given.
    """
    if out.exists() and any(out.iterdir()):
        if not (overwrite and (out / MARK).is_file()):
            raise OutputError(f"{out} is not empty: give another folder, or --overwrite its corpus")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("", encoding="utf-8")
    written = Written()
    with _Files(out, plan.jsonl) as files:
        for clusters in groups(plan):
            for number, (record, links) in clusters.items():
                written.mentions += sum(len(d["mentions"]) for d in record["documents"])
                written.documents += len(record["documents"])
                written.persons += 1
                written.links += len(links)
                files.put(number, record, links)
    return written


class _Files:
    """The files of a corpus, written cluster by cluster."""

    def __init__(self, out: Path, long: bool) -> None:
        self.out, self.long = out, long
        names = ["mentions.jsonl", *(["clusters.jsonl", "documents.jsonl"] if long else [])]
        self.open: dict[str, TextIO] = {
            name: (out / name).open("w", encoding="utf-8", newline="\n") for name in names
        }
        self.golden = (out / "golden.json").open("w", encoding="utf-8", newline="\n")
        self.golden.write('{"golden_links": {')
        self.first = True
        if not long:
            (out / "files").mkdir()
            (out / "documents").mkdir()

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *failed: object) -> None:
        self.golden.write("\n}}\n")
        for handle in (self.golden, *self.open.values()):
            handle.close()

    def put(self, number: int, record: dict[str, Any], links: Sequence[tuple[str, str]]) -> None:
        """Write one cluster."""
        for document in record["documents"]:
            for start, end, kind, person in document.pop("mentions"):
                value = document["content"][start:end]
                line = {
                    "document": document["id"], "start": start, "end": end, "entity_type": kind,
                    "original_value": value, "normalized_value": value.casefold(),
                    "relevance": 1.0, "person": f"cluster_{person}",
                }  # fmt: skip
                self._line("mentions.jsonl", line)
            if self.long:
                self._line("documents.jsonl", document)
            else:
                name = f"{number:02}_{document['id']}.json"
                self._file(self.out / "documents" / name, document)
        if self.long:
            self._line("clusters.jsonl", record)
        else:
            self._file(self.out / "files" / f"cluster_{number:02}.json", record)
        comma = "" if self.first else ","
        self.first = False
        self.golden.write(f'{comma}\n"cluster_{number}": {json.dumps(links)}')

    def _line(self, name: str, value: Any) -> None:
        self.open[name].write(json.dumps(value, ensure_ascii=False) + "\n")

    @staticmethod
    def _file(path: Path, value: Any) -> None:
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


Made = dict[int, tuple[dict[str, Any], list[tuple[str, str]]]]


def groups(plan: Plan) -> Iterator[Made]:
    """Yield the clusters of a plan, group by group: number → record, links with its documents."""
    size = max(1 + plan.decoys, plan.persons)
    made = number = 0
    while made < plan.documents:
        clusters = _group(plan, number, size)
        made += sum(len(record["documents"]) for record, _ in clusters.values())
        number += size
        yield clusters


def _group(plan: Plan, first: int, size: int) -> Made:
    rng = random.Random(f"{plan.seed}/{first}/{plan.language}")
    language = rng.choice(("en", "fr")) if plan.language == "both" else plan.language
    topic = {kind: stranger(kind, rng, language) for kind in TOPIC}
    people = {
        first + i: _person(plan, random.Random(f"{plan.seed}/{first + i}"), language, topic)
        for i in range(size)
    }
    records = {}
    for number, who in people.items():
        others = [(n, people[n]) for n in people if n != number][: plan.persons - 1]
        draw = random.Random(f"{plan.seed}/{number}/text")
        records[number] = _cluster(draw, number, who, others)
    holders = _holders(records)
    return {number: (record, _links(number, holders)) for number, record in records.items()}


def _person(plan: Plan, rng: random.Random, language: str, topic: dict[str, str]) -> Who:
    risk = rng.choices(("HIGH", "MEDIUM", "LOW"), (0.4, 0.4, 0.2))[0]
    count = rng.randint(*SIZES[risk])
    always = ALWAYS[risk]
    kinds = [*always, *rng.sample(PERHAPS[risk], count - len(always))]
    alike = plan.decoys > 0 or plan.persons > 1
    facts: dict[str, str] = {}
    for kind in kinds:
        value = topic[kind] if alike and kind in topic else stranger(kind, rng, language)
        while _within(value, facts.values()):
            value = stranger(kind, rng, language)
        facts[kind] = value
    overlap = OVERLAPS[risk] if plan.overlap is None else plan.overlap
    about = rng.randint(2, 4)
    return Who(facts, risk, _places(rng, kinds, about, overlap), language)


def _within(value: str, others: Iterator[str] | Any) -> bool:
    """Return whether a value and another hold one another: they could not be told apart."""
    here = value.casefold()
    return any(here in other.casefold() or other.casefold() in here for other in others)


def _places(
    rng: random.Random, kinds: Sequence[str], about: int, overlap: float
) -> list[list[str]]:
    """Say which types stand in which document: a share in two or more, the others in one."""
    shared = set(rng.sample(kinds, round(overlap * len(kinds))))
    places: list[list[str]] = [[] for _ in range(about)]
    for kind in kinds:
        count = rng.randint(2, min(3, about)) if kind in shared else 1
        # The emptiest first, so that no document stays without a value.
        for place in sorted(rng.sample(places, about), key=len)[:count]:
            place.append(kind)
    return places


def _cluster(
    rng: random.Random, number: int, who: Who, others: Sequence[tuple[int, Who]]
) -> dict[str, Any]:
    words = vocabulary(who.language)
    about = len(who.places)
    texts = [_about(rng, number, who, place, others) for place in who.places]
    formats = [name for name, _ in texts]
    told = _told(words, rng, number)
    bodies = [text for _, text in texts]
    for name, kind in (("policy_document", "policy"), ("audit_report", "audit")):
        text = Text()
        text.add(words[kind]["text"].format(**told))
        formats.append(name)
        bodies.append(text)
    order = rng.sample(range(about + 2), about + 2)
    ids = {old: f"cluster_{number}_doc{new}" for new, old in enumerate(order, 1)}
    documents = [
        {
            "id": ids[old],
            "content": "".join(bodies[old].pieces),
            "metadata": {"format": formats[old]},
            "mentions": bodies[old].mentions,
        }
        for old in order
    ]
    summary = words["questions"]["summary"].format(
        risk=who.risk, about=who.facts.get("TREATMENT", "-"), plan=told["plan"]
    )
    metadata = {
        "category": "cluster",
        "cluster_id": f"cluster_{number}",
        "cluster_risk": who.risk,
        "content_summary": summary,
        "person": {"entities": [[value, kind] for kind, value in who.facts.items()]},
        "questions": _questions(rng, who, ids, told),
    }
    return {"documents": documents, "metadata": metadata}


def _about(
    rng: random.Random, number: int, who: Who, place: Sequence[str], others: Sequence[Any]
) -> tuple[str, Text]:
    """Write a document about a person that holds certain of their values."""
    words = vocabulary(who.language)
    name = rng.choice(sorted(words["openings"]))
    text = Text()
    text.add(rng.choice(words["openings"][name]))
    for kind in rng.sample(list(place), len(place)):
        text.add(rng.choice(words["sentences"][kind]), who.facts[kind], kind, number)
    for cluster, other in others:
        kind = next((k for k in words["also"] if k in other.facts), "")
        if kind:
            text.add(words["also"][kind], other.facts[kind], kind, cluster)
    fill = rng.sample(words["fill"]["sentences"], len(words["fill"]["sentences"]))
    while text.words < WORDS and fill:
        text.add(fill.pop())
    return name, text


def _told(words: Any, rng: random.Random, number: int) -> dict[str, str]:
    """Draw what the circular and the audit say; the plan's name is the cluster's own."""
    return {
        "plan": f"{rng.choice(words['plans'])} {number + 100}",
        "start": date(words, rng, 2019, 2025),
        "region": rng.choice(words["regions"]),
        "deductible": str(rng.randint(11, 99) * 50),
        "days": str(rng.randint(3, 45)),
        "share": str(rng.randint(31, 96)),
        "late": str(rng.randint(2, 400)),
    }


def _questions(
    rng: random.Random, who: Who, ids: dict[int, str], told: dict[str, str]
) -> list[dict[str, Any]]:
    words = vocabulary(who.language)
    asked, labels = words["questions"], words["labels"]
    about = len(who.places)

    def pick(place: int, *without: str) -> str:
        return rng.choice([k for k in who.places[place] if k not in without] or who.places[place])

    first = max(range(about), key=lambda p: (len(who.places[p]), -p))
    anchor = pick(first)
    fact = pick(first, anchor)
    second = max(
        (p for p in range(about) if p != first), key=lambda p: (anchor in who.places[p], -p)
    )
    other = pick(second, anchor, fact)
    policy, audit = ids[about], ids[about + 1]
    value = who.facts

    def question(q: str, a: str, sources: Sequence[str], kind: str) -> dict[str, Any]:
        return {"q": q, "a": a, "sources": list(sources), "type": kind}

    return [
        question(
            asked["single"].format(label=labels[fact], anchor=value[anchor]),
            value[fact],
            [ids[first]],
            "specific",
        ),
        question(
            asked["multi"].format(anchor=value[anchor], label=labels[fact], label2=labels[other]),
            asked["joined"].format(a=value[fact], b=value[other]),
            [ids[first], ids[second]],
            "specific",
        ),
        question(
            asked["policy"].format(**told),
            asked["policy_answer"].format(**told),
            [policy],
            "general",
        ),
        question(
            asked["both"].format(**told),
            asked["both_answer"].format(**told),
            [policy, audit],
            "general",
        ),
    ]


def _holders(records: dict[int, dict[str, Any]]) -> dict[tuple[int, str], list[str]]:
    """Return the documents that hold each value of each person, by cluster number and type."""
    holders: dict[tuple[int, str], list[str]] = {}
    for record in records.values():
        for document in record["documents"]:
            for _, _, kind, person in document["mentions"]:
                held = holders.setdefault((person, kind), [])
                if document["id"] not in held:
                    held.append(document["id"])
    return holders


def _links(number: int, holders: dict[tuple[int, str], list[str]]) -> list[tuple[str, str]]:
    """Return the pairs of documents that share a value of a cluster's person."""
    pairs = {
        (a, b) if a < b else (b, a)
        for (person, _), held in holders.items()
        if person == number
        for a, b in combinations(held, 2)
    }
    return sorted(pairs)
