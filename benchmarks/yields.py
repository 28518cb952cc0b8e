"""What every detection rule finds: its hits, and how many of them are true, on annotated texts.

    python benchmarks/yields.py [SET…] [--sample N]

benchmarks/yields.tsv holds what it prints (docs/results/yields.md explains the columns).
The sets are those of benchmarks/detect.py, the project's own texts, the values of the insurance
corpora, and texts that speak of nobody (benchmarks/domains.py). Each rule is judged by its
candidates, before they are resolved against those of other rules:

true      the candidate shares a character with a mark of its type, or of a kindred one (`KIN`)
untyped   it does so with a mark whose set gives no certain type
other     it only touches a mark of another kind: personal, but mistyped
false     it touches no mark, in a set that marks its type; anything in a text about nobody
nobody    those of the false ones that lie in texts about nobody
alone     true or untyped ones of which no other candidate, the tagger's included, covers half
sets      sets with a true or untyped one, without those that rules were written on (`WRITTEN_ON`)
earned    "yes": three such ones on texts that the rule was not written on; "source": a row that
          names the public format it follows; "format": its form is a checksum or an unmistakable
          one (a score of .95 and up)

Candidates that no set can judge (no set in which they lie marks the type) are in the hits only.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from benchmarks import annotated, domains, exposure
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import patterns
from linkmask.detect.candidates import Candidate
from linkmask.detect.recognizers import shipped
from linkmask.detect.register.language import passages
from linkmask.detect.resolve import CERTAIN, LEARNED
from linkmask.detect.view.readings import scope_of, stored_fields
from linkmask.records import Document
from linkmask.testbench.datasets import PersonCluster, read_clusters

SOURCES = Path(detect.__file__).parent
NOBODY = "nobody"
WRITTEN_ON = {"own", "insurance"}
"""Sets that rules were written on: the project's own texts, the corpora settings were chosen by."""
KIN: tuple[frozenset[str], ...] = (
    frozenset({"NAME", "PROVIDER", "ORGANIZATION"}),
    frozenset({"LOCATION", "ADDRESS", "ORGANIZATION"}),
    frozenset({"EVENT_DATE", "BIRTHDATE"}),
    frozenset({"MEDICAL_CONDITION", "TREATMENT"}),
    frozenset({"PATIENT_ID", "NATIONAL_ID", "NON_PERSONAL_ID", "CREDIT_CARD", "IBAN"}),
    frozenset({"AGE", "DEMOGRAPHIC", "INDIRECT_IDENTIFIER", "UNIQUE_FACT", "EVENT"}),
)
"""Types whose boundary the sets draw differently: a find of one is true on a mark of another."""
FACTS = KIN[-1]
"""Types that only the project's own texts mark in full: elsewhere an unmarked one is not judged."""


@dataclass(frozen=True)
class Marked:
    """A text with its set and language, and what is marked in it: start, end, type ("": any)."""

    set: str
    language: str
    text: str
    marks: Sequence[tuple[int, int, str]]
    ignored: Sequence[tuple[int, int]] = ()


@dataclass
class Yield:
    """What one rule found."""

    detector: str
    rule: str
    counts: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    true_by_set: Counter[str] = field(default_factory=Counter)

    @property
    def unseen(self) -> int:
        """True finds on sets that the rule was not written on."""
        return sum(n for name, n in self.true_by_set.items() if name not in WRITTEN_ON)

    @property
    def earned(self) -> str:
        """Why the rule stays: "yes", "source", "format", or "" where nothing supports it."""
        if self.unseen >= 3:
            return "yes"
        if self.detector == "patterns" and self.rule in sourced():
            return "source"
        return "format" if self.counts["certain"] else ""


@cache
def sourced() -> frozenset[str]:
    """Return the rows that name the public format which they follow."""
    return frozenset(row.id for row in shipped.rows() if row.source)


# ── texts ───────────────────────────────────────────────────────────────────────────────────────


def marked_texts(names: Sequence[str], sample: int) -> Iterator[Marked]:
    """Yield the texts of the sets, with the type that a label maps to; "" is any."""
    for name in names:
        if name == NOBODY:
            yield from _about_nobody()
        elif name == "insurance":
            yield from _insurance()
        elif name == "own" or annotated.place(name).is_file():
            for one in annotated.read(name, sample):
                keep = [(m.start, m.end, m.type) for m in one.marked if not m.ignore]
                ignored = [(m.start, m.end) for m in one.marked if m.ignore]
                yield Marked(name, "", one.text, keep, ignored)


def _about_nobody() -> Iterator[Marked]:
    for one in domains.documents(planted=True):
        planted = [(s.start, s.end, s.type) for s in one.spans]
        yield Marked(NOBODY, one.language, one.text, planted)


def _insurance() -> Iterator[Marked]:
    """Yield the documents of the corpora with the persons' values, wherever these stand."""
    for folder in exposure.SETS:
        for cluster in _clusters(exposure.DATA / folder):
            values = [(exposure.pattern(v), kind) for v, kind in cluster.person.entities]
            for document in cluster.documents:
                hits = [
                    (m.start(), m.end(), kind)
                    for value, kind in values
                    for m in value.finditer(document.content)
                ]
                yield Marked("insurance", "en", document.content, hits)


def _clusters(folder: Path) -> Sequence[PersonCluster]:
    return read_clusters(folder, strict=False) if folder.is_dir() else ()


# ── judging ─────────────────────────────────────────────────────────────────────────────────────


def candidates(text: str, settings: Settings) -> tuple[str, list[Candidate]]:
    """Return a text's language and what all sources propose in it, offsets in the read text."""
    document = Document("", text, {})
    scope = scope_of(document, settings)
    found: list[Candidate] = []
    for reading in stored_fields(document, settings):
        parts = passages(reading.text, scope, settings.languages)
        ends = [*(part.start for part in parts[1:]), len(reading.text)]
        for (start, spoken), end in zip(parts, ends, strict=True):
            piece = reading.text[start:end]
            for find in detect.finders(settings.detector):
                for one in find(piece, spoken):
                    moved = one._replace(start=one.start + start, end=one.end + start)
                    if inside := reading.into(moved):
                        found.append(inside)
    return scope.language, found


def judge(one: Marked, found: Candidate, types: set[str]) -> str:
    """Return "true", "untyped", "other", "false", or "" where the set cannot tell."""
    start, end, kind = found.start, found.end, found.type
    touched = {t for s, e, t in one.marks if s < end and e > start}
    kindred = set[str]().union({kind}, *(kin for kin in KIN if kind in kin))
    if touched & kindred:
        return "true"
    if "" in touched:
        return "untyped"
    if touched:
        return "other"
    if any(s < end and e > start for s, e in one.ignored) or one.set == "insurance":
        return ""
    judged = one.set in {NOBODY, "own"} or kind in types or (kind not in FACTS and types & kindred)
    return "false" if judged else ""


def measure(texts: Iterable[Marked], settings: Settings) -> dict[tuple[str, str], Yield]:
    """Return the yield of each rule, by detector and rule."""
    rules = {(row.detector, row.rule): row for row in _silent()}
    by_set: dict[str, list[Marked]] = {}
    for one in texts:
        by_set.setdefault(one.set, []).append(one)
    for members in by_set.values():
        types = {kind for one in members for _, _, kind in one.marks if kind}
        for one in members:
            language, found = candidates(one.text, settings)
            for each in found:
                if each.detector != LEARNED:
                    row = rules.setdefault(_key(each), Yield(*_key(each)))
                    _count(row, one, each, judge(one, each, types), found)
                    row.languages[one.language or language] += 1
    return rules


def _silent() -> Iterator[Yield]:
    """Yield a row without a hit for each rule of the tables, so that none is left out."""
    for rule in (rule for table in patterns.TABLES for rule in table):
        row = Yield("patterns", rule.name)
        row.types[rule.type] = 0
        row.counts["certain"] += rule.score >= CERTAIN
        yield row


def _key(one: Candidate) -> tuple[str, str]:
    return one.detector, one.rule


def _count(
    row: Yield, one: Marked, each: Candidate, verdict: str, found: Sequence[Candidate]
) -> None:
    row.counts["hits"] += 1
    row.types[each.type] += 1
    row.counts["certain"] += each.detector == "patterns" and each.score >= CERTAIN
    if not verdict:
        return
    row.counts[verdict] += 1
    if verdict == "false" and one.set == NOBODY:
        row.counts[NOBODY] += 1
    if verdict in {"true", "untyped"}:
        row.true_by_set[one.set] += 1
        others = (o for o in found if _key(o) != _key(each))
        row.counts["alone"] += not any(_covers_half(o, each) for o in others)


def _covers_half(other: Candidate, each: Candidate) -> bool:
    shared = min(other.end, each.end) - max(other.start, each.start)
    return 2 * shared >= each.end - each.start


# ── printing ────────────────────────────────────────────────────────────────────────────────────


@cache
def file_of(detector: str, rule: str) -> str:
    """Return the file in detect/ that spells a rule's name, "" where none does."""
    for table in patterns.TABLES:
        for row in table:
            if detector == "patterns" and row.name == rule:
                return _spelled(rule, SOURCES / "patterns") or "patterns"
    folder = SOURCES / detector
    return _spelled(rule, folder if folder.is_dir() else SOURCES)


def _spelled(rule: str, folder: Path) -> str:
    for spelling in (rule, rule.removesuffix(", said"), rule.partition(" ")[0]):
        form = re.compile(rf"[\"']{re.escape(spelling)}[\"']")
        for path in sorted(folder.rglob("*.py")):
            if form.search(path.read_text("utf-8")):
                return str(path.relative_to(SOURCES))
    return ""


COLUMNS = ("hits", "true", "untyped", "other", "false", NOBODY, "alone")


def rows_of(rules: Iterable[Yield]) -> Iterator[list[str]]:
    """Yield the cells of each rule, those that found least that is true first."""
    for row in sorted(rules, key=lambda r: (r.unseen, -r.counts["false"], r.detector, r.rule)):
        unseen = sum(1 for name in row.true_by_set if name not in WRITTEN_ON)
        yield [
            row.rule or "–",
            file_of(row.detector, row.rule) or row.detector,
            " ".join(kind for kind, _ in row.types.most_common(2)),
            " ".join(sorted(row.languages)),
            *(str(row.counts[name]) for name in COLUMNS),
            str(unseen),
            row.earned or "no",
        ]


def main() -> None:
    """Measure the rules and print the table, the least supported first."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    more = f"of {', '.join(annotated.SETS)}, own, insurance, nobody"
    parser.add_argument("sets", nargs="*", help=more)
    parser.add_argument("--sample", type=int, default=0, help="documents per set; 0: all")
    given = parser.parse_args()
    names = given.sets or [*annotated.SETS, "own", "insurance", NOBODY]
    rules = measure(marked_texts(names, given.sample), Settings())
    print("\t".join(["rule", "file", "types", "languages", *COLUMNS, "sets", "earned"]))
    for cells in rows_of(rules.values()):
        print("\t".join(cells))
    earned = Counter(row.earned or "no" for row in rules.values())
    print(f"\n{len(rules)} rules: " + ", ".join(f"{n} {how}" for how, n in sorted(earned.items())))


if __name__ == "__main__":
    main()
