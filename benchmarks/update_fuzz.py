"""Updates of small corpora against whole runs by the same counts and the same earlier masks.

    python benchmarks/update_fuzz.py [seeds] [--first SEED] [--rare] [--usual] [--show]
                                     default: 60 seeds from 0, low limits, no rare words

Each seed draws a corpus about a few persons who share names with places, clinics and each other,
masks it, and releases EDITIONS more, each of which adds, changes and deletes documents. Every
edition is compared with a whole run of the same documents, which also masks what the update masks
because of earlier editions. Printed is for each kind of difference in how many seeds and documents
it was met:

    readable   a word can be read in the update, and a whole run masks it (must be none)
    masked     a word is masked in the update, and a whole run leaves it readable
    otherwise  the same words can be read, and something else is written for the others
    rare       a rare word is masked by one of the two: an update masks them in new and changed
               documents alone
    shown      a word can be read in an unchanged document, and the last edition hid it (must be
               none)
    lacking    a mention is found by a whole run, and not by the update (must be none)
    value      a mention means another value, or type (must be none)
    kept       a mention of the last edition stays that a whole run does not find, or as wide as
               the last edition masked it

With --rare, rare words are masked, too; with --usual, the limits are the default. --show prints the
words. The exit status is 1 if there is a difference of a kind of which there must be none.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random
from typing import ClassVar, NamedTuple
from unittest.mock import patch

from linkmask import config
from linkmask.commands import mask as masking
from linkmask.commands import update as updating
from linkmask.config import Settings
from linkmask.pipeline import mask
from linkmask.pipeline.editions.updating import Update
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.planning.scoring import overrule
from linkmask.records import Mention
from linkmask.runs import Run, editions
from linkmask.schema import RARE_TERM

KINDS = "readable masked otherwise rare shown lacking value kept".split()
NONE = {"readable", "shown", "lacking", "value"}
"""Kinds of difference that must not be met."""
BESIDE = {"Ms", "on"}
"""Words beside a value that a mask may cover, or not: a title, and what stands before a date."""
DOCUMENTS, EDITIONS = 24, 2
ADDED, CHANGED, DELETED = 3, 2, 2
LOW = {"theta_doc": 0.6, "theta_chain": 0.3}
GIVEN = ("Odalys", "Teemu", "Wenda", "Runa", "Petra", "Jorin", "Ingrid")
FAMILY = ("Brandvold", "Kallio", "Ashgrove", "Maddox", "Lindqvist", "Falk", "Hartford", "Hamilton")
RARE = ("Tarnowitz", "Okonkwa", "Ferreira", "Zielony", "Abernathy", "Castellan")
SEEN_BY = ("Dr. {given} {family} saw her.", "Signed: {family}", "{given} {family} called her.")
TRADES = ("a beekeeper", "a glazier", "a tower-crane operator", "a nurse", "a school principal")
ILLS = (
    "asthma, severe asthma, sarcoidosis, a torn meniscus, a meniscus tear, lupus, gout, "
    "chronic pancreatitis, chronic recurrent pancreatitis, pulsed ablation, pulsed field ablation, "
    "heart failure, congestive heart failure, migraine headaches, migraine headache"
).split(", ")
TOWNS = ("Quarry Bend", "Hancock", "Pleasant Valley", "Denver, CO", "Mill Creek", "Hamilton, OH")
BODIES = (
    "Quarry Bend Medical Center",
    "Falk Hospital",
    "Alpine Pain Clinic",
    "QBMC",
    "Quarry Bend Center",
    "Hamilton Health Group",
    "Alpine",
)


def letter(random: Random) -> str:
    """Return a text that shares some of its values with others."""
    person = Random(random.randrange(16))
    given, family = person.choice(GIVEN), person.choice(FAMILY)
    name, number = f"{given} {family}", person.randrange(100)
    facts = [
        f"{name}, member ID 44{number:02}-0093-2, was seen on "
        f"{random.randrange(1, 29)} March 2024.",
        f"Ms. {family} is {person.choice(TRADES)} of {person.randrange(20, 70)} years.",
        f"She was treated for {random.choice(ILLS)} at {random.choice(BODIES)}.",
        f"The diagnosis of {random.choice(ILLS)} was confirmed by {random.choice(BODIES)}.",
        f"Her home is in {random.choice(TOWNS)}.",
        f"Write to {random.choice((given, given[0]))}.{family}@example.org.",
        f"{given} {family[0]}. waits.\nUser: {given[0]}{family}".lower(),
        f"{given} {family[0]}. waits.\nUser: {given[0]}{family}",
        f"Mail: {family}.{given}@example.com",
        f"{given} asked for the file, and {family} has it.",
        f"She lives at {12 + number} {family} Street, {random.choice(TOWNS)}.",
        f"Her address is {12 + number} {family} Street.",
        random.choice(SEEN_BY).format(given=given, family=random.choice(RARE)),
        random.choice(SEEN_BY).format(given=given[0] + ".", family=family),
    ]
    return " ".join(random.sample(facts, random.randrange(1, 5)))


class Noting(Update):
    """An update that notes what it masks because of earlier editions.

    `stays`: what an earlier one masked, whatever its id is by now; `for_readers`: what readers of
    several editions must not learn.
    """

    stays: ClassVar[editions.Editions]
    for_readers: ClassVar[Collection[str]] = ()

    def plan(self) -> None:
        """Plan; the last plan of an update is the one that is carried out."""
        super().plan()
        Noting.stays, Noting.for_readers = self.ledger, self.excess.masked


class Whole(ReleaseJob):
    """A whole run that masks beside its plan what an update masks for such readers."""

    readers: Collection[str] = ()

    def plan(self) -> None:
        """Plan, and add these masks as an update does."""
        super().plan()
        assert self.chosen is not None
        self.chosen = overrule(
            self.run, self.analysis, self.settings, self.chosen, self.readers, ()
        )
        self.keep()


def update_and_whole(source: Path, out: Path, whole: Path, settings: Settings) -> None:
    """Update a release, and mask the same documents whole by the same counts and earlier masks.

    Args:
        source: the corpus of today.
        out: the release, whose run is beside it.
        whole: where the whole run releases to.
    """
    run = out.with_name(f"{out.name}.run")
    with Run.open(run) as before:
        pins = editions.pinned_by(before)
    with patch.object(updating, "Update", Noting):
        updating.update_files(run, source, out, {})
    with (
        patch.object(masking, "ReleaseJob", Whole),
        masking.open_release(source, whole, settings) as job,
    ):
        assert isinstance(job, Whole) and pins is not None
        editions.keep_pins(job.run, pins)
        editions.keep_ledger(job.run, Noting.stays)
        job.held, job.readers = Noting.stays.masked, Noting.for_readers
        mask(job, source, whole)


def texts_in(folder: Path) -> dict[str, str]:
    """Return the texts of documents by id."""
    read = (json.loads(path.read_text()) for path in folder.iterdir())
    return {one["id"]: one["content"] for one in read}


def stated_in(run: Path) -> dict[str, Stated]:
    """Return by document what each mention of a run says."""
    found = defaultdict[str, Stated](dict)
    with Run.open(run) as opened:
        for one in opened.mentions():
            if one.type != RARE_TERM:
                found[one.document][one.field, one.start, one.end] = str(
                    [key for key, _ in one.entity_spellings()]
                )
    return found


def rare_words_in(*runs: Path) -> dict[str, set[str]]:
    """Return by document the words that rare terms of either of two runs mask.

    A rare term within a detected value masks the value.
    """
    found = defaultdict[str, set[str]](set)
    for run in runs:
        with Run.open(run) as opened:
            mentions = list(opened.mentions())
        rare = defaultdict[tuple[str, str], list[Mention]](list)
        for one in mentions:
            if one.type == RARE_TERM:
                rare[one.document, one.field].append(one)
        for one in mentions:
            terms = rare[one.document, one.field]
            if any(term.start < one.end and one.start < term.end for term in terms):
                found[one.document].update(re.findall(r"\w+", one.original))
    return found


def words_of(text: str) -> Counter[str]:
    """Return the words of a text that are not masks."""
    return Counter(re.findall(r"\w+", re.sub(r"\[[A-Z_.]+\]", " ", text)))


Stated = dict[tuple[str, int, int], str]
"""The place of a mention in its document → the values that it states."""


class Difference(NamedTuple):
    """A kind of difference, the document it was met in, and what differs there."""

    kind: str
    document: str
    words: str


def differences(source: Path, out: Path, whole: Path) -> Iterator[Difference]:
    """Compare an edition with a whole run, document by document."""
    runs = [one.with_name(f"{one.name}.run") for one in (out, whole)]
    ours, theirs = (texts_in(one / "documents") for one in (out, whole))
    texts = texts_in(source)
    if ours.keys() != theirs.keys():
        yield Difference("otherwise", "", "not the same documents")
    rare, stated = rare_words_in(*runs), [stated_in(run) for run in runs]
    for name in sorted(ours.keys() & theirs.keys()):
        yield from _differing_values(name, *(one[name] for one in stated))
        if ours[name] == theirs[name]:
            continue
        left, right = (words_of(one[name]) & words_of(texts[name]) for one in (ours, theirs))
        more, less = left - right, right - left
        for kind, words in (
            ("readable", more.keys() - rare[name]),
            ("masked", less.keys() - rare[name]),
            ("rare", (more | less).keys() & rare[name]),
            ("otherwise", set() if more or less else {theirs[name]}),
        ):
            if words:
                yield Difference(kind, name, " ".join(sorted(words)))


def _differing_values(document: str, now: Stated, then: Stated) -> Iterator[Difference]:
    """Compare what an edition and a whole run say that a document holds, place by place."""
    lacking = {
        one
        for one in then.keys() - now.keys()
        if not any(_within(one, place) and now[place] == then[one] for place in now)
    }
    for kind, places in (
        ("lacking", lacking),
        ("kept", now.keys() - then.keys()),
        ("value", {one for one in now.keys() & then.keys() if now[one] != then[one]}),
    ):
        if places:
            told = (f"{now.get(one, '')} for {then.get(one, '')}" for one in sorted(places))
            yield Difference(kind, document, "; ".join(told))


def _within(place: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return place[0] == other[0] and other[1] <= place[1] and place[2] <= other[2]


def shown_now(
    texts: dict[str, str], now: dict[str, str], then: dict[str, str]
) -> Iterator[Difference]:
    """Yield the words that an edition shows in unchanged documents, and the last one hid."""
    for name, text in texts.items():
        shown = (words_of(now[name]) & words_of(text)) - words_of(then[name])
        if shown := shown.keys() - BESIDE:
            yield Difference("shown", name, " ".join(sorted(shown)))


def put(source: Path, name: str, text: str) -> None:
    """Write a document."""
    (source / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))


def differing(seed: int, settings: Settings) -> Iterator[Difference]:
    """Draw a corpus, update it, and yield what differs from whole runs."""
    random = Random(seed)
    with tempfile.TemporaryDirectory(prefix="linkmask-fuzz-") as folder:
        source, out = Path(folder) / "in", Path(folder) / "out"
        source.mkdir()
        for number in range(DOCUMENTS):
            put(source, f"d{number:02}", letter(random))
        masking.mask_files(source, out, settings)
        for edition in range(EDITIONS):
            then, texts = texts_in(out / "documents"), texts_in(source)
            known = sorted(texts)
            drawn = random.sample(known, CHANGED + DELETED)
            for name in drawn[:CHANGED]:
                put(source, name, letter(random))
            for name in drawn[CHANGED:]:
                (source / f"{name}.json").unlink()
            for number in range(ADDED):
                put(source, f"e{edition}-{number}", letter(random))
            whole = Path(folder) / f"whole{edition}"
            update_and_whole(source, out, whole, settings)
            yield from differences(source, out, whole)
            same = dict(texts.items() & texts_in(source).items())
            yield from shown_now(same, texts_in(out / "documents"), then)


def main() -> int:
    """Compare each seed, print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", nargs="?", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rare", action="store_true")
    parser.add_argument("--usual", action="store_true")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    given = {"workers": 1, **({} if asked.rare else {"rare_terms": 0})}
    settings = config.load(overrides={**given, **({} if asked.usual else LOW)}, environment={})
    seeds, documents = Counter[str](), Counter[str]()
    for seed in range(asked.first, asked.first + asked.seeds):
        found = list(differing(seed, settings))
        seeds.update({one.kind for one in found})
        documents.update(one.kind for one in found)
        for one in found if asked.show else ():
            print(seed, *one, flush=True)
    for kind in KINDS:
        print(f"{kind:10} {seeds[kind]:4} of {asked.seeds} seeds, {documents[kind]:5} documents")
    return 1 if NONE & seeds.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
