"""How well detection finds what is marked: every annotated set, one table, Presidio beside it.

    python benchmarks/detect.py [SET…] [--sample N] [--only ID] [--errors TYPE] [--json]
        [--presidio PYTHON]

The sets are those of `../shared/data` that have spans, and our own texts in `training/texts`; any
other of their form is named by its file (.jsonl). A label is read as `labels.json` beside it says
(a type; null: personal, but of no certain type; IGNORE: neither missed nor wrong). Figures, each
over a whole set:

char recall, precision   characters (no blanks) of marked mentions that are found; of found ones
                         that are marked. "of its types": only finds of types the set marks at all.
mentions                 marked mentions at least half covered; below, by type.
whole                    mentions of which every word but the small ones ("of the") is covered.
always                   mentions of types that are masked whatever the plan says (the floor), found
                         whole under such a type, and in our own texts the person's own.
DIRECT, QUASI            entities all of whose mentions are covered whole (SPIA's protection).
F1, F1 touching          typed: the same span and type; a span of the type that shares a character.
MB/s                     a million characters per second of one core, the first pass alone.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import md5
from pathlib import Path
from time import process_time
from typing import Any

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.testbench.defences import presidio_spans

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "shared" / "data"
SETS = {
    "tab": "tab/tab_dev",
    "spia": "spia/spia_dev",
    "eds_pseudo": "eds_pseudo/eds_pseudo",
    "presidio_synth": "presidio_research/presidio_synth_v2",
    "presidio_large": "presidio_research/presidio_generated_large",
    "maccrobat": "maccrobat/maccrobat_dev",
    "bc5cdr_train": "bc5cdr/bc5cdr_train",
    "bc5cdr_devel": "bc5cdr/bc5cdr_devel",
    "ncbi": "ncbi/ncbi_train",
    "wikigold": "wikigold/wikigold",
    "europeana_fr": "europeana_fr/europeana_fr",
    "europeana_de": "europeana_de/europeana_de",
    "germeval": "germeval/germeval_dev",
    "emailcoref": "emailcoref/emailcoref_train",
    "synthea": "synthea/synthea_dev",
    "wiki_bios": "wiki_bios/wiki_bios_dev",
}
"""Name → file under the data folder, without its ending."""

SMALL = frozenset(
    "a an the of and or in at on to for from by with de du des la le les l d et à au aux en der "
    "die das den dem und von im am zu mr mrs ms miss sir m mme mlle dr herr frau".split()
)
"""Words that give nothing away where they alone are left of a mention: articles, titles."""
WORD = re.compile(r"[^\W_]+")
OTHERS = {"O", "N"}
"""Owners of marks in our own texts who are not the person."""
CLINICAL = {"MEDICAL_CONDITION", "TREATMENT"}
"""Types that are also counted together, where a set marks both."""

FLOOR = frozenset(Settings().floor)
"""Types that are always masked."""

Span = tuple[int, int, str]
"""Start, end, type of a find."""


@dataclass(frozen=True)
class Marked:
    """A mention that is marked: its type ("" where it is of no certain type), or to be ignored."""

    start: int
    end: int
    label: str
    type: str
    ignore: bool = False
    identifier: str = ""
    entity: str = ""


@dataclass(frozen=True)
class Truth:
    """A text and what is marked in it."""

    id: str
    text: str
    marked: tuple[Marked, ...]


@dataclass
class Score:
    """Counts over a set; the figures are made of them by `figures`."""

    documents: int = 0
    characters: int = 0
    seconds: float = 0.0
    covered: int = 0
    marked: int = 0
    found: int = 0
    right: int = 0
    found_of_types: int = 0
    right_of_types: int = 0
    half: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    mentions: Counter[str] = field(default_factory=Counter)
    always: Counter[str] = field(default_factory=Counter)
    floor: Counter[str] = field(default_factory=Counter)
    safe: Counter[str] = field(default_factory=Counter)
    entities: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    touched: Counter[str] = field(default_factory=Counter)
    touching: Counter[str] = field(default_factory=Counter)
    finds: Counter[str] = field(default_factory=Counter)
    truths: Counter[str] = field(default_factory=Counter)


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def read(name: str, sample: int = 0) -> list[Truth]:
    """Read a set; with `sample`, the documents whose ids' digests are the smallest."""
    if name == "own":
        truths = own()
    else:
        path, labels = place(name), labels_of(name)
        with path.open(encoding="utf-8") as lines:
            truths = [truth(json.loads(line), labels) for line in lines]
    if sample and len(truths) > sample:
        ranked = sorted(truths, key=lambda one: md5(one.id.encode()).hexdigest())
        keep = {one.id for one in ranked[:sample]}
        truths = [one for one in truths if one.id in keep]
    return truths


def place(name: str) -> Path:
    """Return the file of a set: its own name, if that ends in ".jsonl"."""
    return Path(name) if name.endswith(".jsonl") else DATA / f"{SETS[name]}.jsonl"


def labels_of(name: str) -> dict[str, Any]:
    """Return what a set's labels mean, from the `labels.json` beside its file."""
    return json.loads((place(name).parent / "labels.json").read_text("utf-8"))  # type: ignore[no-any-return]


def own() -> list[Truth]:
    """Read our own texts; none where the folder is missing."""
    sys.path.insert(0, str(HERE.parent))
    from training import texts

    folder = HERE.parent / "training" / "texts"
    return [
        Truth(
            one.id,
            one.text,
            tuple(Marked(m.start, m.end, m.type, m.type, identifier=m.whose) for m in one.marks),
        )
        for path in sorted(folder.glob("*.txt"))
        for one in texts.read(path)
    ]


def truth(record: Mapping[str, Any], labels: Mapping[str, Any]) -> Truth:
    """Read one record, its labels as `labels.json` maps them, parts of one value joined."""
    marked: list[Marked] = []
    for span in record["spans"]:
        key = f"{span['label']}|{span.get('status')}"
        to = labels[key] if key in labels else labels[span["label"]]
        identifier = span.get("identifier") or ""
        ignore = to == "IGNORE" or identifier == "NO_MASK"
        entity = str(span.get("entity_id") or f"{span['start']}-{span['end']}")
        kind = "" if ignore or not to else to
        marked.append(
            Marked(span["start"], span["end"], span["label"], kind, ignore, identifier, entity)
        )
    return Truth(record["id"], record["text"], tuple(marked))


def joined(one: Truth, merge: Iterable[str]) -> list[Span]:
    """Return the typed mentions, neighbours of the types in `merge` joined to one."""
    spans: list[Span] = []
    for m in sorted(one.marked, key=lambda m: (m.start, m.end)):
        if not m.type:
            continue
        if spans and m.type in merge and spans[-1][2] == m.type:
            gap = one.text[spans[-1][1] : m.start]
            if m.start >= spans[-1][1] and len(gap) < 4 and not gap.strip(" ,\n"):
                spans[-1] = (spans[-1][0], m.end, m.type)
                continue
        spans.append((m.start, m.end, m.type))
    return spans


# ── scoring ─────────────────────────────────────────────────────────────────────────────────────


def add(score: Score, one: Truth, finds: Sequence[Span], types: set[str], merge: set[str]) -> None:
    """Count one document's finds against what is marked in it."""
    marks, known, always = (bytearray(len(one.text)) for _ in range(3))
    for m in one.marked:
        for at in range(m.start, m.end):
            marks[at] |= 2 if m.ignore else 1
    for start, end, entity_type in finds:
        known[start:end] = (b"\x03" if entity_type in types else b"\x01") * (end - start)
        if entity_type in FLOOR:
            always[start:end] = b"\x01" * (end - start)
    for at, character in enumerate(one.text):
        if character.isspace():
            continue
        wanted = marks[at] & 1
        score.marked += wanted
        score.covered += wanted and bool(known[at])
        if known[at] and (wanted or not marks[at]):
            score.found += 1
            score.right += wanted
            if known[at] & 2:
                score.found_of_types += 1
                score.right_of_types += wanted
    open_entities: dict[tuple[str, str], bool] = {}
    for m in one.marked:
        if m.ignore:
            continue
        row = m.type or m.label
        score.mentions[row] += 1
        score.half[row] += 2 * sum(map(bool, known[m.start : m.end])) >= m.end - m.start
        whole = covered_whole(one.text, m, known)
        score.whole[row] += whole
        if m.type in FLOOR and m.identifier not in OTHERS:
            score.floor[row] += 1
            score.always[row] += covered_whole(one.text, m, always)
        if m.identifier in {"DIRECT", "QUASI"}:
            key = m.identifier, m.entity
            open_entities[key] = open_entities.get(key, True) and whole
    for (identifier, _), safe in open_entities.items():
        score.entities[identifier] += 1
        score.safe[identifier] += safe
    typed(score, one, finds, types, merge, marks)
    score.documents += 1
    score.characters += len(one.text)


def covered_whole(text: str, m: Marked, known: bytearray) -> bool:
    """Is every word of a mention covered, but for small ones?"""
    return all(
        all(known[m.start + word.start() : m.start + word.end()])
        or (word[0].lower() in SMALL and word.end() - word.start() < m.end - m.start)
        for word in WORD.finditer(text[m.start : m.end])
    )


def typed(
    score: Score,
    one: Truth,
    finds: Sequence[Span],
    types: set[str],
    merge: set[str],
    marks: bytearray,
) -> None:
    """Count typed agreement; a find on what is ignored or of no certain type is not wrong."""
    truths = joined(one, merge)
    exact = set(truths)
    for start, end, entity_type in truths:
        score.truths[entity_type] += 1
        score.touched[entity_type] += any(
            e > start and s < end and t == entity_type for s, e, t in finds
        )
    untyped = [(m.start, m.end) for m in one.marked if not m.type]
    for start, end, entity_type in finds:
        if entity_type not in types:
            continue
        hit = any(e > start and s < end and t == entity_type for s, e, t in truths)
        if not hit and any(e > start and s < end for s, e in untyped):
            continue
        score.finds[entity_type] += 1
        score.touching[entity_type] += hit
        score.exact[entity_type] += (start, end, entity_type) in exact


def ratio(part: float, whole: float) -> float | None:
    """Return part / whole, None where there is nothing."""
    return round(part / whole, 4) if whole else None


def f1(hits: int, recalled: int, finds: int, truths: int) -> float | None:
    """Return the harmonic mean of precision (hits of finds) and recall (recalled of truths)."""
    if not truths:
        return None
    precision, recall = hits / finds if finds else 0.0, recalled / truths
    return round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0


def figures(score: Score) -> dict[str, Any]:
    """Return all figures of a set as plain data."""
    groups: dict[str, Sequence[str]] = {name: (name,) for name in sorted(score.mentions)}
    if groups.keys() >= CLINICAL:
        groups["CLINICAL"] = sorted(CLINICAL)
    return {
        "documents": score.documents,
        "characters": score.characters,
        "char_recall": ratio(score.covered, score.marked),
        "char_precision": ratio(score.right, score.found),
        "char_precision_of_its_types": ratio(score.right_of_types, score.found_of_types),
        "mentions": ratio(score.half.total(), score.mentions.total()),
        "whole": ratio(score.whole.total(), score.mentions.total()),
        "always": ratio(score.always.total(), score.floor.total()),
        "direct": ratio(score.safe["DIRECT"], score.entities["DIRECT"]),
        "quasi": ratio(score.safe["QUASI"], score.entities["QUASI"]),
        **both_f1(score, list(score.finds | score.truths)),
        "mb_per_second": ratio(score.characters / 1e6, score.seconds),
        "types": {
            name: {
                "mentions": over(score.mentions, of),
                "half": ratio(over(score.half, of), over(score.mentions, of)),
                "whole": ratio(over(score.whole, of), over(score.mentions, of)),
                "always": ratio(over(score.always, of), over(score.floor, of)),
                **both_f1(score, of),
            }
            for name, of in groups.items()
        },
    }


def both_f1(score: Score, names: Sequence[str]) -> dict[str, float | None]:
    """Return F1 of the same span and type, and of a touching one, over some types together."""
    exact, touching, touched, finds, truths = (
        over(counts, names)
        for counts in (score.exact, score.touching, score.touched, score.finds, score.truths)
    )
    return {
        "f1": f1(exact, exact, finds, truths),
        "f1_touching": f1(touching, touched, finds, truths),
    }


def over(counts: Counter[str], names: Iterable[str]) -> int:
    """Return the sum of some counts."""
    return sum(counts[name] for name in names)


# ── detectors ───────────────────────────────────────────────────────────────────────────────────

Find = Callable[[Sequence[Truth]], tuple[list[list[Span]], float]]
"""From texts to their finds and the processor seconds that took."""


def embedded(detector: str = "embedded") -> Find:
    """Return linkmask's first pass, each document alone."""
    settings = Settings(detector=detector)

    def find(truths: Sequence[Truth]) -> tuple[list[list[Span]], float]:
        documents = [Document(one.id, one.text, {}) for one in truths]
        for document in documents[:20]:  # lists and models are read at first use
            detect.first_pass(document, settings, entities.canonical)
        start = process_time()
        found = [detect.first_pass(each, settings, entities.canonical) for each in documents]
        taken = process_time() - start
        return [[(m.start, m.end, m.type) for m in mentions] for mentions in found], taken

    return find


def presidio(python: str) -> Find:
    """Return Presidio's own rules, run by the interpreter it is installed for."""

    def find(truths: Sequence[Truth]) -> tuple[list[list[Span]], float]:
        done = subprocess.run(
            [python, "-I", str(presidio_spans.__file__)],
            input="\n".join(json.dumps(one.text) for one in truths),
            capture_output=True,
            text=True,
            check=True,
        )
        answer = json.loads(done.stdout)
        return [[tuple(span) for span in spans] for spans in answer["spans"]], answer["seconds"]

    return find


def memory() -> float:
    """Return the megabytes a fresh process has held with the detector loaded and used."""
    code = (
        "from linkmask import detect; from linkmask.config import Settings;"
        "from linkmask.graph import entities; from linkmask.records import Document\n"
        "for text in ('Dr. Ann Lee saw him on 2 May. ', 'Le Dr Paul Morel, 3 mai 2020, Lyon. '):\n"
        "  for _ in range(40):\n"
        "    detect.first_pass(Document('d', text * 100, {}), Settings(), entities.canonical)\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def measure(truths: Sequence[Truth], finds: Sequence[Sequence[Span]], merge: set[str]) -> Score:
    """Score the finds of a set."""
    types = {m.type for one in truths for m in one.marked if m.type}
    score = Score()
    for one, found in zip(truths, finds, strict=True):
        add(score, one, found, types, merge)
    return score


def errors(
    truths: Sequence[Truth], finds: Sequence[Sequence[Span]], wanted: str
) -> Iterator[tuple[str, str]]:
    """Yield misses (-) and false finds (+) of a type or label, each in its surroundings."""
    for one, found in zip(truths, finds, strict=True):
        known = bytearray(len(one.text))
        marks = bytearray(len(one.text))
        for start, end, _ in found:
            known[start:end] = b"\x01" * (end - start)
        for m in one.marked:
            marks[m.start : m.end] = b"\x01" * (m.end - m.start)
        misses = [
            (m.start, m.end, "-")
            for m in one.marked
            if wanted in {m.type, m.label, m.identifier}
            and not m.ignore
            and not covered_whole(one.text, m, known)
        ]
        false = [(s, e, "+") for s, e, t in found if t == wanted and not any(marks[s:e])]
        for start, end, sign in sorted(misses + false):
            before, after = one.text[max(start - 50, 0) : start], one.text[end : end + 40]
            line = f"{sign} …{before}⟦{one.text[start:end]}⟧{after}…"
            yield one.text[start:end].lower(), re.sub(r"\s+", " ", line)


COLUMNS = (
    ("char_recall", "char.rec"),
    ("char_precision", "prec"),
    ("char_precision_of_its_types", "(types)"),
    ("mentions", "mentions"),
    ("whole", "whole"),
    ("always", "always"),
    ("direct", "DIRECT"),
    ("quasi", "QUASI"),
    ("f1", "F1"),
    ("f1_touching", "touching"),
    ("mb_per_second", "MB/s"),
)


def line(name: str, row: Mapping[str, Any]) -> str:
    """Return one line of the table."""
    cells = ("      · " if row[key] is None else f"{row[key]:8.3f}" for key, _ in COLUMNS)
    return f"{name:26} " + " ".join(cells)


def main() -> None:
    """Score the sets and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)}, own, or files (.jsonl)")
    parser.add_argument("--sample", type=int, default=0, help="documents per set; 0: all")
    parser.add_argument("--only", metavar="ID", default="", help="expression their ids match")
    parser.add_argument("--errors", metavar="TYPE", help="list what of a type is missed or false")
    parser.add_argument("--detector", default="embedded")
    parser.add_argument("--presidio", metavar="PYTHON", help="interpreter that has Presidio")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    detectors: dict[str, Find] = {"": embedded(given.detector)}
    if given.presidio:
        detectors["presidio"] = presidio(given.presidio)
    rows: dict[str, Any] = {}
    if not given.json and not given.errors:
        print(f"{'set':26} " + " ".join(f"{head:>8}" for _, head in COLUMNS))
    for name in given.sets or [*SETS, "own"]:
        if name in SETS and not place(name).is_file():
            continue
        try:
            truths = [t for t in read(name, given.sample) if re.search(given.only, t.id)]
            merge = set() if name == "own" else set(labels_of(name).get("_merge", ()))
        except (KeyError, OSError) as error:
            parser.error(f"no set {name}: {error}")
        for detector, find in detectors.items():
            if not truths:
                continue
            finds, seconds = find(truths)
            if given.errors:
                if not detector:
                    show(name, errors(truths, finds, given.errors))
                continue
            score = measure(truths, finds, merge)
            score.seconds = seconds
            title = f"{name} {detector}".strip()
            rows[title] = figures(score)
            if not given.json:
                print(line(title, rows[title]), flush=True)
                if not detector:
                    print(by_type(rows[title]["types"]), flush=True)
    if given.json:
        print(json.dumps({"sets": rows, "memory_mb": round(memory())}, indent=1))
    elif not given.errors:
        print(f"memory, detector loaded and used: {memory():.0f} MB")


def by_type(types: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the recall of each type on one line, with the typed F1 where there is one."""
    cells = []
    for name, row in sorted(types.items(), key=lambda item: -item[1]["mentions"]):
        more = f" F1 {row['f1']:.2f}/{row['f1_touching']:.2f}" if row["f1"] is not None else ""
        if row["always"] is not None:
            more += f" always {row['always']:.2f}"
        cells.append(f"{name} {row['half']:.2f}/{row['whole']:.2f} of {row['mentions']}{more}")
    return "    " + "; ".join(cells)


def show(name: str, found: Iterable[tuple[str, str]]) -> None:
    """Print errors, the most frequent values first."""
    by_value: dict[tuple[str, str], list[str]] = defaultdict(list)
    for value, text in found:
        by_value[value, text[0]].append(text)
    for (_, _), lines in sorted(by_value.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{name} {len(lines):4} {lines[0]}")


if __name__ == "__main__":
    main()
