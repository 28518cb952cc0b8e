"""Sets and templates as rows of words with a label each, by family, with folds.

A family is a group of types decided together: only sets that mark all of its types are read for it.
Everything has a fold in 0…4 by its id (a judgment that two sets share has one fold; a sentence made
from a template has the template's), so that figures can be taken on what was not learned from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import Any

from training.perturb import perturbed

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.ner import features as words
from training import fill, glosses, made, negatives, records, texts
from training import reports as written

DATA = made.DATA
FOLDS = 5
SEED = 2026
OWN = 4
"""How often our own texts are read: they are few, and the kind of text that matters most."""
WORSE, WORSE_NAMES = 0.15, 0.5
"""Share of the texts that are read once more as a worse writer or a scanner leaves them, and for
names: these lean on capitals more than all else."""
LONGEST = 150
"""Words of a row: longer texts are cut at line ends, else here."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "names": ("NAME", "LOCATION", "ORGANIZATION", "ADDRESS"),
    "clinical": ("MEDICAL_CONDITION", "TREATMENT"),
    "facts": ("DATE", "DEM", "CODE", "QUANTITY"),
    "case": (
        "PROVIDER",
        "INDIRECT_IDENTIFIER",
        "UNIQUE_FACT",
        "EVENT",
        "DEMOGRAPHIC",
        "AGE",
        "PATIENT_ID",
        "NON_PERSONAL_ID",
    ),
    "report": (
        "DISEASE",
        "SIGN",
        "DRUG",
        "PROCEDURE",
        "STRUCTURE",
        "DETAIL",
        "SEVERITY",
        "EXAM",
        "VALUE",
        "DOSE",
        "WHEN",
        "HAPPENING",
        "WHERE",
        "ANAPHOR",
        "ROUTE",
        "EXTENT",
        "ACTIVITY",
    ),
    "matters": ("DATE", "DEM", "CODE", "AMOUNT", "MATTER"),
    "parties": ("NAME", "LOCATION", "ORGANIZATION", "ADDRESS"),
}
LOCALES = ("es", "it", "nl", "pt")
"""Languages in which only our own texts are annotated: families of their own learn from these."""
OF_LOCALES = {
    f"{family}-{'-'.join(LOCALES)}": family for family in ("names", "clinical", "facts", "case")
}
"""Family of those languages → the family that is asked in others."""
FAMILIES |= {family: FAMILIES[usual] for family, usual in OF_LOCALES.items()}
MANNERS: dict[str, dict[str, str]] = {
    "report": {"clinical": "report"},
    "judgment": {"facts": "matters", "names": "parties"},
    "locale": {usual: family for family, usual in OF_LOCALES.items()},
}
"""Kind of text that is read apart → which family is asked instead of which there."""
TITLED = frozenset({"parties"})
"""Families whose names begin with their title: a judgment's "Mrs" tells who it is about."""
APART = {instead for families in MANNERS.values() for instead in families.values()}

MAPS = {
    "PERSON": "NAME", "PER": "NAME", "LOC": "LOCATION", "ORG": "ORGANIZATION",
    "DATETIME": "DATE", "Disease": "MEDICAL_CONDITION", "Chemical": "TREATMENT",
    "SpecificDisease": "MEDICAL_CONDITION", "DiseaseClass": "MEDICAL_CONDITION",
    "Modifier": "MEDICAL_CONDITION", "CompositeMention": "MEDICAL_CONDITION",
    "EVENT_DATE": "DATE", "BIRTHDATE": "DATE", "DEMOGRAPHIC": "DEM", "INDIRECT_IDENTIFIER": "DEM",
    "NON_PERSONAL_ID": "CODE", "PATIENT_ID": "CODE", "NATIONAL_ID": "CODE", "IBAN": "CODE",
    "CREDIT_CARD": "CODE", "PHONE_NUMBER": "CODE",
    "CONDITION": "MEDICAL_CONDITION", "MEDICATION": "TREATMENT", "PROCEDURE": "TREATMENT",
    "IMMUNIZATION": "TREATMENT", "COMPLAINT": "MEDICAL_CONDITION",
    "QUANTITY": "AMOUNT", "MISC": "MATTER",
    "Disease_disorder": "DISEASE", "Sign_symptom": "SIGN",
    "Medication": "DRUG", "Therapeutic_procedure": "PROCEDURE",
    "Biological_structure": "STRUCTURE", "Severity": "SEVERITY",
    "Detailed_description": "DETAIL", "Shape": "DETAIL", "Texture": "DETAIL", "Color": "DETAIL",
    "Diagnostic_procedure": "EXAM", "Lab_value": "VALUE", "Dosage": "DOSE", "Frequency": "DOSE",
    "Date": "WHEN", "Duration": "WHEN", "Clinical_event": "HAPPENING",
    "Nonbiological_location": "WHERE", "Coreference": "ANAPHOR", "Administration": "ROUTE",
    "Distance": "EXTENT", "Activity": "ACTIVITY",
}  # fmt: skip
"""Label of a set → label of a family, where they differ."""

BESIDE = frozenset(FAMILIES["report"][4:])
"""Labels that are learned only to tell where others end, and give way to them."""

EXCHANGED = {"names": 0.3, "parties": 0.3, f"names-{'-'.join(LOCALES)}": 0.3}
"""Share of a family's texts that are read once more with other names, places and bodies in them."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, the families it is read for, and how much of it, in (0, 1].

    `without`: families of which next to nothing occurs in such texts, so that they are read, in
    the share given there, as texts without any.
    """

    path: str
    families: tuple[str, ...]
    share: float = 1.0
    without: tuple[tuple[str, float], ...] = ()

    def part(self, family: str) -> float:
        """Return how much of the file is read for a family."""
        return self.share if family in self.families else dict(self.without).get(family, 0.0)


REPORTS = "maccrobat/maccrobat_dev"
"""Case reports: they mark bare heads and what an examiner notes, so that they are read apart."""
SOURCES = (
    Source("tab/tab_dev", ("names", "facts", "matters", "parties"), without=(("case", 0.2),)),
    Source("spia/spia_dev", ("names", "facts", "clinical", "matters", "parties")),
    Source("wikigold/wikigold", ("names",), without=(("clinical", 0.5), ("case", 0.6))),
    Source("germeval/germeval_dev", ("names",), without=(("clinical", 0.3), ("case", 0.1))),
    Source("europeana_fr/europeana_fr", ("names",), 0.4, without=(("clinical", 0.1),)),
    Source("europeana_de/europeana_de", ("names",), 0.25, without=(("clinical", 0.05),)),
    Source("emailcoref/emailcoref_train", ("names",)),
    Source("bc5cdr/bc5cdr_train", ("clinical",)),
    Source(
        "bc5cdr/bc5cdr_devel",
        ("clinical",),
        without=(("names", 0.12), ("facts", 0.12), ("case", 0.12)),
    ),
    Source(
        "ncbi/ncbi_train", ("clinical",), without=(("names", 0.06), ("facts", 0.06), ("case", 0.06))
    ),
    Source(REPORTS, ("report",)),
)
"""Sets whose README line says that a shipped model may be trained on them."""
NOT_TRAINED = "eds_pseudo's lines, presidio_research's texts"


NEGATIVES = 0.5
"""Share of the descriptions of software (`negatives.py`) that names are learned from. They are read
as they are: copies in small letters would teach that names in small letters are none."""

GLOSSES = 0.1
"""Share of the words whose glosses are read as well, as they are."""
PHRASES = 300
"""Texts of phrases of ordinary nouns for each fold."""

TIMES = {"names": 10, "facts": 10, "clinical": 2, "case": 2}
"""How often each English template is filled."""

OURS = {
    "names": {"": 4}, "facts": {"": 12}, "case": {"": 1},
    "clinical": {"": 1, "clinical": 60},
}  # fmt: skip
"""How often each of our own templates is filled, by family and topic; they are in no fold."""


Spans = list[tuple[int, int, str]]
"""Start, end and label of what is marked in a text."""


@dataclass(frozen=True, slots=True)
class Row:
    """Words and their labels ("" for none) in one family."""

    words: Sequence[str]
    labels: Sequence[str]
    fold: int


def fold_of(name: str) -> int:
    """Return the fold of an id."""
    return int(md5(name.encode()).hexdigest(), 16) % FOLDS


def rows(family: str) -> Iterator[Row]:
    """Yield all that a family is learned from, in a fixed order."""
    for name, text, spans, fold in _texts(family):
        yield from rows_of(name, text, spans, family, fold)
    for name, text in negatives.read() if family == "names" else ():
        if _drawn("negative", name, NEGATIVES):
            yield from cut(text, [], family, fold_of(name.rpartition("-")[0]))
    for word, text in glosses.definitions() if family == "names" else ():
        if _drawn("gloss", word, GLOSSES):
            yield from cut(text, [], family, fold_of(word))
    if family == "names":
        for fold in range(FOLDS):
            of = [noun for noun in glosses.nouns() if fold_of(noun) == fold]
            for number in range(PHRASES):
                yield from cut(*glosses.phrases(of, f"{fold}-{number}"), family, fold)


def rows_of(name: str, text: str, spans: Spans, family: str, fold: int) -> Iterator[Row]:
    """Yield the rows of a text, and those of it as others would have written it."""
    yield from cut(text, spans, family, fold)
    if _drawn("worse", name, WORSE_NAMES if family.startswith("names") else WORSE):
        yield from cut(perturbed(text, name), spans, family, fold)
    if family in EXCHANGED and "/" in name and _drawn("other", name, EXCHANGED[family]):
        typed = [(start, end, MAPS.get(label, label)) for start, end, label in spans]
        yield from cut(*fill.exchanged(text, typed, name, lang_of(name)), family, fold)


def _drawn(what: str, name: str, share: float) -> bool:
    return int(md5(f"{what}{name}".encode()).hexdigest(), 16) % 1000 < share * 1000


def lang_of(name: str) -> str:
    """Return the language of a text by the name of its set or its id."""
    if name[:3] in {f"{one}-" for one in LOCALES}:
        return name[:2]
    return (
        "fr"
        if "fr" in name[:13]
        else "de"
        if name.startswith(("de-", "germ", "europeana_de"))
        else "en"
    )


def _texts(family: str) -> Iterator[tuple[str, str, Spans, int]]:
    """Yield name, text, spans and fold of all that a family is learned from."""
    for source in SOURCES:
        if part := source.part(family):
            yield from _of_set(source.path, part, family)
    if family == "report":
        yield from own_reports()
    if family in APART and family not in OF_LOCALES:
        return
    usual = OF_LOCALES.get(family, family)
    if family == "names":
        yield from _carriers()
    if family == usual:
        yield from _of_templates(family)
    for topic, times in OURS.get(usual, {}).items():
        for place, (lang, number, (text, spans)) in enumerate(fill.ours(SEED, times, topic)):
            if _is_read(family, lang):
                yield f"{lang}-{topic}{number}-{place}", text, spans, -1
    folder = Path(__file__).parent / "texts"
    for path in sorted(folder.glob("*.txt")):
        for one in texts.read(path):
            if not _is_read(family, one.lang):
                continue
            marked = [
                (m.start, m.end, m.type if usual == "case" else _own_label(m, one.text))
                for m in one.marks
            ]
            text, fold = one.text, fold_of_text(one.id)
            if usual == "names":
                text, marked = _without_user_names(text, marked)
            for copy in range(1 if usual == "case" else OWN):
                yield f"{one.id}/{copy}", text, marked, fold
                for at, (field, inside) in enumerate(records.fields(text, marked)):
                    yield f"{one.id}/{copy}/{at}", field, inside, fold


def _is_read(family: str, lang: str) -> bool:
    """Tell whether texts of ours in a language are read for a family."""
    return (lang in LOCALES) == (family in OF_LOCALES)


def _of_templates(family: str) -> Iterator[tuple[str, str, Spans, int]]:
    templates = [("en", *one) for one in fill.english(SEED, TIMES[family])]
    if family in ("names", "facts"):
        templates += [("fr", *one) for one in fill.french(SEED, 4)]
    for place, (lang, number, (text, spans)) in enumerate(templates):
        yield f"{lang}{number}-{place}", text, spans, fold_of(f"{lang}{number}")


CARRIERS = {
    "aci_bench/aci_bench_dev": 1.0,
    "mts_dialog/mts_dialog": 0.15,
    "synthea/synthea_dev": 0.08,
}
"""Texts without real names, and how much of each is read with names of our making put in.

Read are only lines that name somebody: places and bodies in the others are not marked.
"""
_TITLED = re.compile(
    r"\b(?:[DM]r|Mr?s|Miss|[Dd]octor)\.? ([A-Z][a-z]{2,20}(?: [A-Z][a-z]{2,20})?)\b"
)


def _carriers() -> Iterator[tuple[str, str, Spans, int]]:
    """Yield lines of clinical texts with other names in the place of those they name."""
    for path, share in CARRIERS.items():
        with (DATA / f"{path}.jsonl").open(encoding="utf-8") as records:
            for record in map(json.loads, records):
                name = record["id"]
                if _drawn("carrier", name, share):
                    text, spans = fill.exchanged(
                        record["text"], named(record), f"carrier{name}", "en"
                    )
                    for at, (line, marks) in enumerate(_lines_with(spans, text)):
                        yield f"{name}-{at}", line, marks, fold_of(name)


def _lines_with(spans: Spans, text: str) -> Iterator[tuple[str, Spans]]:
    """Yield each line that holds a span, and its spans in it."""
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        if inside := [
            (a - start, z - start, kind) for a, z, kind in spans if start <= a < z <= end
        ]:
            yield line, inside
        start = end


def named(record: Mapping[str, Any]) -> Spans:
    """Return the names in a text: those marked, those behind a title, those of its patient."""
    text, meta = record["text"], record["meta"]
    spans = [(s["start"], s["end"], "NAME") for s in record["spans"] if s["label"] == "NAME"]
    spans += [(*m.span(1), "NAME") for m in _TITLED.finditer(text)]
    for name in filter(None, map(meta.get, ("patient_firstname", "patient_familyname"))):
        of = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
        spans += [(*m.span(), "NAME") for m in of.finditer(text)]
    return spans


def fold_of_text(name: str) -> int:
    """Return the fold of one of our own texts by its number: some stand in two languages."""
    return fold_of(name.partition("-")[2])


USER_NAME = "USER_NAME"
_USER_NAME = re.compile(r"_|\d|[a-z]\.[a-z]")
"""What no name has but that of a user: rules find these. A chain that learns them as names takes
the words of code for names ("max_size")."""


def _without_user_names(text: str, spans: Spans) -> tuple[str, Spans]:
    """Return a text without the lines that hold a user name which rules find, and its spans.

    Such a line would teach that "mtalwar7" is no name.
    """
    kept: list[str] = []
    moved: Spans = []
    start = gone = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        inside = [one for one in spans if start < one[1] and one[0] < end]
        if any(kind == USER_NAME for _, _, kind in inside):
            gone += len(line)
        else:
            kept.append(line)
            moved += [(a - gone, z - gone, kind) for a, z, kind in inside if a >= start]
        start = end
    return "".join(kept), moved


def _own_label(mark: texts.Mark, text: str) -> str:
    """Return a mark's label: a provider who is somebody ("O") has a name, others are bodies."""
    if mark.type == "NAME" and _USER_NAME.search(text, mark.start, mark.end):
        return USER_NAME
    if mark.type == "PROVIDER":
        return "NAME" if mark.whose == "O" else "ORGANIZATION"
    return mark.type


def _of_set(path: str, share: float, family: str) -> Iterator[tuple[str, str, Spans, int]]:
    with (DATA / f"{path}.jsonl").open(encoding="utf-8") as records:
        for line in records:
            record = json.loads(line)
            if not _drawn("share", record["id"], share):
                continue
            spans = [
                (span["start"], span["end"], _label(span))
                for span in record["spans"]
                if span.get("status") not in ("PRONOUN", "NOMINAL", "EMAIL")
            ]
            yield f"{path}/{record['id']}", record["text"], spans, fold_of(record["id"])


def own_reports() -> Iterator[tuple[str, str, Spans, int]]:
    """Yield name, text, spans and fold, none, of each case report of our own."""
    for path in sorted(written.FOLDER.glob("*.txt")):
        for name, text, spans in written.read(path, FAMILIES["report"]):
            yield f"own/{name}", text, spans, -1


def _label(span: dict[str, str]) -> str:
    if span["label"] in ("DEM", "MISC") and span.get("status") == "HEALTH":
        return "MEDICAL_CONDITION"
    return span["label"]


def cut(text: str, spans: Sequence[tuple[int, int, str]], family: str, fold: int) -> Iterator[Row]:
    """Yield a text as rows: the longest span of the family gives a word its label."""
    known = FAMILIES[family]
    split, starts, ends = words.split(text)
    labels = [""] * len(split)
    labelled = [
        (a, z, given if given in known else MAPS.get(given, given)) for a, z, given in spans
    ]
    for start, end, label in sorted(labelled, key=lambda s: (s[2] in BESIDE, s[0] - s[1], s)):
        if label not in known:
            continue
        inside = [i for i in _within(starts, ends, start, end) if not labels[i]]
        if label == "NAME" and family not in TITLED:
            while inside and w.FEATURES[split[inside[0]]] & (w.TITLE | w.CLINICIAN):
                inside = inside[1 + (split[inside[0] + 1 : inside[0] + 2] == ["."]) :]
        for i in inside:
            labels[i] = label
    begin = 0
    while begin < len(split):
        end = begin + LONGEST
        if end < len(split):
            stops = [i + 1 for i in range(begin + 20, end) if split[i] in "\n." and not labels[i]]
            end = stops[-1] if stops else end
        yield Row(split[begin:end], labels[begin:end], fold)
        begin = end


def _within(starts: list[int], ends: list[int], start: int, end: int) -> Iterator[int]:
    from bisect import bisect_left, bisect_right

    first = bisect_right(ends, start)
    yield from range(first, bisect_left(starts, end))


_NO_WORD = re.compile(r"[\W\d_]+")


def template_folds(name: str) -> dict[str, int]:
    """Return, by id, the fold of the template that a sentence of a measured set was made from."""
    path = {
        "eds_pseudo": "eds_pseudo/eds_pseudo",
        "presidio_synth": "presidio_research/presidio_synth_v2",
        "presidio_large": "presidio_research/presidio_generated_large",
    }[name]
    records = [json.loads(line) for line in (DATA / f"{path}.jsonl").open(encoding="utf-8")]
    if name != "eds_pseudo":
        return {one["id"]: fold_of(f"en{one['meta']['template_id']}") for one in records}
    known = [
        set(_NO_WORD.sub(" ", fill._MARK.sub(" ", t)).lower().split())
        for t in fill.french_templates()
    ]
    folds = {}
    for one in records:
        text = one["text"]
        for span in sorted(one["spans"], key=lambda s: -s["start"]):
            text = f"{text[: span['start']]} {text[span['end'] :]}"
        bare = set(_NO_WORD.sub(" ", text).lower().split())
        best = max(
            range(len(known)), key=lambda k: (len(bare & known[k]) / (len(bare | known[k]) + 1), -k)
        )
        folds[one["id"]] = fold_of(f"fr{best}")
    return folds
