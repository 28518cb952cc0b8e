"""How often two mentions of one person, or of one body, share no entity, and two persons do.

    python benchmarks/persons.py [--persons 40] [--seed 1] [FOLDER…]

forms        made-up persons, each in two documents: the full name in one, another form of it in the
             other. "right": the form is also an entity of the full name; "wrong": also one of
             another person's full name. For "namesakes", two persons each have one surname and
             given names with one initial, so that most short forms mean nobody. "within": both
             forms are in one document.
bodies       the same for bodies with a longer and a shorter name.
coreference  mail with annotated persons (`emailcoref` of the shared data, where it is there): pairs
             of spellings of one person in a document, and of two persons, that share an entity.
FOLDER       corpora of clusters (docs/formulas.md §13.2); without one, those of the shared data:
             pairs of documents that hold a word of the person's surname, and share such an entity.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import linkmask
from linkmask.records import Document, Mention
from linkmask.testbench.datasets import read_clusters
from linkmask.text.letters import plain_letters

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS = ("dev25", "old10", "tune_chains", "tune_entities")
SURNAMES = """Kowalczyk Brandvold Öztürk Müllersdorf Vasquez-Lindt Trevanion Ferrándiz Šimůnek
Haverkamp Nørgaard Okonkwa Pettigrove Castellano Drozdov Yarwood Lindqvist Marchetti Obrenović
Thackwell Fontenelle Ashdowne Quillfeather Barczewski Dellamore Wetherbourne Szabolcsi Hjelmqvist
Carrowmore Montrouge Eberstadt Pellingham Zwartveld Rautiola Gallowhurst Strandberg Villanova
Ingleton Ostrowicz Mackelworth Heidenfels""".split()
GIVEN = """Marta Elise Anton Ingrid Pavel Lucía Joris Miriam Tobias Hélène Niklas Renata Stefan
Camille Viktor Agnes Marek Sofie Duncan Leonie Felix Ottilie Bruno Karin Hugo Matilda Oscar Ines
Rafael Cecilia Emil Judith Konrad Noemi Dominik Paula Gregor Selma Julius Teresa""".split()
BODIES = (
    "Olave Clinic, Brendan Hospital, Petroc Clinic, Walburga Hospice, Ninian Hospital, "
    "Ludmila Clinic, Quentin Infirmary, Adelard Clinic"
).split(", ")
TOWNS = "Harrow Dunmore Tavistock Eichfeld Galloway Brno Amiens Corbie".split()


class Person(NamedTuple):
    """A made-up person; `user` and `family` are the names in the letters of a mail address."""

    given: str
    surname: str

    @property
    def full(self) -> str:
        """Given name and surname."""
        return f"{self.given} {self.surname}"

    @property
    def user(self) -> str:
        """The given name in small letters from a to z."""
        return _letters(self.given)

    @property
    def family(self) -> str:
        """The surname in small letters from a to z."""
        return _letters(self.surname)


def _letters(word: str) -> str:
    return "".join(filter(str.isascii, filter(str.isalpha, plain_letters(word))))


FORMS: dict[str, Callable[[Person], str]] = {
    "full name": lambda p: p.full,
    "Surname, Given": lambda p: f"{p.surname}, {p.given}",
    "Surname, Given MD": lambda p: f"{p.surname}, {p.given} MD",
    "SURNAME Given": lambda p: f"{p.surname.upper()} {p.given}",
    "G. Surname": lambda p: f"{p.given[0]}. {p.surname}",
    "Given S.": lambda p: f"{p.given} {p.surname[0]}.",
    "Ms Surname": lambda p: f"Ms {p.surname}",
    "Surname": lambda p: p.surname,
    "Given": lambda p: p.given,
    "without accents": lambda p: f"{p.user.title()} {p.family.title()}",
    "user gsurname": lambda p: p.user[0] + p.family,
    "user surnameg": lambda p: p.family + p.user[0],
    "user given.surname": lambda p: f"{p.user}.{p.family}",
    "mail gsurname@": lambda p: f"{p.user[0]}{p.family}@northmail.org",
    "mail given.surname@": lambda p: f"{p.user}.{p.family}@northmail.org",
    "mail surname.given@": lambda p: f"{p.family}.{p.user}@northmail.org",
    "mail given_surname7@": lambda p: f"{p.user}_{p.family}7@northmail.org",
}
FIRST = (
    "Patient: {}. The patient was seen for a persistent cough and sent home after two days.",
    "{} asked the insurer about an unpaid bill. The call lasted ten minutes.",
)
SECOND = {
    "mail": "Please send the answer to {} before the end of the week, as agreed on the phone.",
    "user": "user: {}\nThe request was closed after the password had been set anew.",
    "": "The nurse spoke with {} about the medication. The next visit is planned.",
}


def persons_of(count: int, seed: int, namesakes: bool) -> list[Person]:
    """Return made-up persons; with `namesakes`, two by two with one surname and one initial."""
    drawn = random.Random(seed)
    surnames = drawn.sample(SURNAMES, len(SURNAMES))
    if not namesakes:
        return list(map(Person, drawn.sample(GIVEN, len(GIVEN))[:count], surnames))
    alike = [two for two in combinations(GIVEN, 2) if two[0][0] == two[1][0]]
    chosen = drawn.sample(alike, min(count // 2, len(alike)))
    return [Person(a, name) for two, name in zip(chosen, surnames, strict=False) for a in two]


def mentions_of(documents: Iterable[Document]) -> dict[str, list[Mention]]:
    """Return the mentions of each document of a corpus."""
    held: dict[str, list[Mention]] = defaultdict(list)
    scan = linkmask.scan(documents, {"rare_terms": 0})
    for mention in scan.job.run.mentions():
        held[mention.document].append(mention)
    return held


def entities_in(found: Iterable[Mention], start: int, end: int) -> set[str]:
    """Return the entities that are mentioned in a part of a text."""
    return {e for m in found if m.start < end and start < m.end for e in m.entities()}


Entities = tuple[set[str], set[str]]
"""The entities that are stated at two places."""


def told(pairs: Sequence[tuple[str, str, str, str]], within: bool) -> list[Entities]:
    """Return the entities of two names, each in a text; `within`: both are in one document.

    `pairs`: the first name and its text with a gap for it, and the second.
    """
    documents, places = [], []
    for n, (first, one, second, two) in enumerate(pairs):
        texts = [one.format(first), two.format(second)]
        begins = [one.index("{}"), two.index("{}")]
        if within:
            begins[1] += len(texts[0]) + 2
            texts = ["\n\n".join(texts)]
        documents += [Document(f"{n}-{k}", text) for k, text in enumerate(texts)]
        of = f"{n}-0", f"{n}-{len(texts) - 1}"
        ends = begins[0] + len(first), begins[1] + len(second)
        places.append(list(zip(of, begins, ends, strict=True)))
    held = mentions_of(documents)
    return [
        (entities_in(held[one[0]], *one[1:]), entities_in(held[two[0]], *two[1:]))
        for one, two in places
    ]


def forms(count: int, seed: int) -> None:
    """Print how often each form is an entity of its person, and of another one."""
    print(f"{'':22}" + "".join(f"{name:>24}" for name in COLUMNS) + "\n" + " " * 22
          + f"{'pairs right wrong':>24}" * len(COLUMNS))  # fmt: skip
    for form, write in FORMS.items():
        cells = []
        for namesakes, within in ((False, False), (True, False), (False, True), (True, True)):
            people = persons_of(count, seed, namesakes)
            second = SECOND.get(form.split()[0], SECOND[""])
            found = told(
                [(p.full, FIRST[n % 2], write(p), second) for n, p in enumerate(people)], within
            )
            right = sum(bool(full & other) for full, other in found)
            holders = Counter(entity for full, _ in found for entity in full)
            wrong = sum(any(holders[e] > (e in full) for e in other) for full, other in found)
            cells.append((len(people), right, wrong))
        print(f"{form:22}" + "".join(f"{a:12}{b:6}{c:6}" for a, b, c in cells), flush=True)


COLUMNS = ("across", "across, namesakes", "within", "within, namesakes")


def bodies() -> None:
    """Print how often the shorter name of a body is an entity of the longer one."""
    for short in ("St. {} {}", "St. {}'s", "St {}'s {}", "{} {}"):
        for within in (False, True):
            pairs = []
            for body, town in zip(BODIES, TOWNS, strict=True):
                saint, kind = body.split()
                texts = "She was admitted to {} with a fever.", "He was seen at {} and sent home."
                long = f"St. {saint} {kind} of {town}"
                pairs.append((long, texts[0], short.format(saint, kind), texts[1]))
            right = sum(bool(a & b) for a, b in told(pairs, within))
            where = "within" if within else "across"
            print(f"body, {short.format('Olave', 'Clinic'):22} {where}: {right} of {len(pairs)}")


def coreference(path: Path) -> None:
    """Print how often two spellings of one person in a document share an entity."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    held = mentions_of([Document(row["id"], row["text"]) for row in rows])
    pairs, joined = Counter[str](), Counter[str]()
    for row in rows:
        spelled: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for span in row["spans"]:
            if span["label"] == "PER" and span["status"] in ("NAME", "EMAIL"):
                text = row["text"][span["start"] : span["end"]].lower()
                found = entities_in(held[row["id"]], span["start"], span["end"])
                spelled[span["entity_id"], span["status"], text] |= found
        for (one, own), (two, others) in combinations(spelled.items(), 2):
            kind = " and ".join(sorted((one[1], two[1])))
            if one[0] != two[0]:
                kind = "two persons, one spelling" if one[2] == two[2] else "two persons"
            pairs[kind] += 1
            joined[kind] += bool(own & others)
    for kind, number in sorted(pairs.items()):
        print(f"mail, {kind}: {joined[kind]} of {number} pairs of spellings share an entity")


def clusters(folder: Path) -> None:
    """Print how many documents with a person's surname share an entity that has it."""
    read = read_clusters(folder, strict=False)
    held = mentions_of([document for cluster in read for document in cluster.documents])
    pairs = shared = 0
    for cluster in read:
        names = [value for value, kind in cluster.person.entities if kind == "NAME"]
        words = {_letters(name.split()[-1]) for name in names if " " in name} - {""}
        holding = []
        for document in cluster.documents:
            found = {
                e
                for m in held[document.id]
                if not words.isdisjoint(map(_letters, m.original.split()))
                for e in m.entities()
            }
            holding += [found] if found else []
        for one, two in combinations(holding, 2):
            pairs += 1
            shared += bool(one & two)
    print(f"{folder.name}: {shared} of {pairs} pairs of documents")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--persons", type=int, default=len(GIVEN))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    forms(given.persons, given.seed)
    bodies()
    mail = DATA / "emailcoref" / "emailcoref_train.jsonl"
    if mail.exists():
        coreference(mail)
    folders = given.folders or [DATA / "insurance" / name for name in SETS]
    for folder in folders:
        if folder.exists():
            clusters(folder)


if __name__ == "__main__":
    main()
