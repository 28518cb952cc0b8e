"""How fast the patterns read: megabytes per second on one core, by kind of text, and rule by rule.

    python benchmarks/patterns.py [--rules | hostile]

The texts are written here, from a fixed seed: notes with a value every 60 characters (twice what
claims and memos hold), long prose with few, and the worst case of nothing but digits. Each figure
is the median of five runs in processor time; a megabyte is a million characters. `hostile`: every
finder but the model reads 200,000 characters of one piece said over and over, and an eighth of
them; the worst are shown, with how much longer the whole took (8 is linear). What single
expressions cost, in steps, is tested (tests/detect/patterns/test_patterns_linear.py).
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

from linkmask import detect
from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import applied, find, search_of
from linkmask.detect.recognizers.prefilter import shape
from linkmask.detect.recognizers.rule import Searched
from linkmask.text.layout import unify_blanks

COUNTRIES = ("us", "gb", "fr", "de", "ch")
NAMES = (
    "Arden Bellweather Castellan Dunmore Eastlake Farrow Gillespie Harrow Iverson Jessup".split()
)
PROSE = (
    "the review of the request was completed after the board had considered all statements and "
    "the treatment was continued under the conditions that the centre had proposed for it while "
    "the person concerned was informed in writing about every step of the decision and its reasons"
).split()


NOTE = """\
Patient {name} {name} (ID H{d5}) was seen on {m:02}/{d:02}/2024 for {words}. The {age}-year-old
lives at {d4} {name} Lane, Ashford, OH. Claim #{d5}-LK under policy PX-{d4} was denied in Q{q} 2023;
{words}. Contact: 617-555-{d4}."""
FRENCH = """\
Mme {name}, née le {d} avril 19{age}, âgée de {age} ans, demeurant {d} rue des Tilleuls, 38400
Valmont, a été reçue le {d:02}/{m:02}/2023 pour {words}. Dossier n° {d4}-{age}, tél. 06 {age} 34 56
78. {words}"""
GERMAN = """\
Herr {name}, geb. {d:02}.{m:02}.19{age}, wohnt Lindenstraße {d}, 10115 Berlin. Die {age}-jährige
Frau wurde am {d}. März 2024 wegen {words} aufgenommen. Schadennummer {age}-{d4}, Telefon 030
{d5}67. {words}"""


def filled(template: str) -> Callable[[random.Random], str]:
    """Return a writer of notes of about 500 characters."""

    def write(r: random.Random) -> str:
        return template.format(
            name=r.choice(NAMES),
            words=" ".join(r.choices(PROSE, k=24)),
            age=r.randint(20, 90),
            m=r.randint(1, 12),
            d=r.randint(1, 28),
            q=r.randint(1, 4),
            d4=r.randint(1000, 9999),
            d5=r.randint(10000, 99999),
        )

    return write


def prose(r: random.Random) -> str:
    """Write 20,000 characters of prose with a date or a number every few lines."""
    words = r.choices(PROSE, k=3200)
    for at in range(40, len(words), 80):
        words[at] = f"{r.randint(1, 28)} March 20{r.randint(10, 24)}."
    return " ".join(words)


ALL_RULES = Scope("fr", COUNTRIES, True)
"""Most rules apply in French, with what only regulations name."""
LONG = 200_000
HOSTILE = [
    *(
        "0",
        "a",
        "A",
        " ",
        ".",
        "-",
        ":",
        "@",
        "#",
        "/",
        "|",
        "\t",
        "\n",
        "[",
        "$1,",
        "\u00a0",
        "e\u0301",
    ),
    *(
        "0 ",
        "0.",
        "0-",
        "0/",
        "a.",
        "A.",
        "A ",
        "a a-",
        "a@",
        "@a.",
        "1:",
        "1.1.",
        "http://.",
        "www..",
    ),
    *("0 0 ", "+0", "(A) ", "a, ", "A, A ", "A|", "'s ", "A's ", "de la ", "and A ", "[NAME] "),
    *("Rue de ", "12 rue de la ", "1 A ", "1 Main St, ", "12 Main St Apt 1 ", "12 A\nApt 1\n"),
    *("Unit 1 Box 1 ", "1 County Road 1 ", "Straße 1 ", "at 1 A ", "8400 Zug\n", "4111 1111 "),
    *(
        "May ",
        "1 May ",
        "1.V.",
        "2020 - ",
        "1/1/20-",
        "| 1/1/20 ",
        "née le ",
        "born ",
        "Jg. ",
        "Q1-",
    ),
    *(
        "age 1",
        "fifty-two-year ",
        "in his ",
        "patients over 1 ",
        "DE89 3704 ",
        "1 23 45 67 890 123 ",
    ),
    *("Patient 1 ", "claim #", "A1-", "ICD A10.", "CPT 1 ", "tel. 1 ", "pin 1", "visa 1", "iris "),
    *("Dr. ", "M. ", "Mr. A ", "Name: ", "To: A, ", "University of ", "type 2 ", "pain of the "),
]
"""Pieces that rules begin with, go on with, or look behind for."""


TEXTS: dict[str, tuple[str, Callable[[random.Random], str], int]] = {
    "notes, en": ("en", filled(NOTE), 2500),
    "notes, fr": ("fr", filled(FRENCH), 2500),
    "notes, de": ("de", filled(GERMAN), 2500),
    "prose, en": ("en", prose, 50),
    "digits only": ("en", lambda r: "".join(r.choices("0123456789 -./", k=20000)), 10),
}


def seconds(work: Callable[[], object]) -> float:
    """Return the median processor time of five runs, after one that warms up."""
    times = []
    for _ in range(6):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times[1:])


def read(texts: list[str], scope: Scope) -> int:
    """Return how many spans are found."""
    return sum(len(find(text, scope)) for text in texts)


def by_rule(texts: list[str], scope: Scope) -> None:
    """Print what each rule costs, in nanoseconds per character, dearest first."""
    rows, near = applied(scope.countries, scope.language)
    length = sum(map(len, texts))
    read = [Searched(text, shape(text), bytearray(len(text)), []) for text in texts]
    where = [near.stretches(one.outline) for one in read]
    costs = [("(where to try)", seconds(lambda: [near.stretches(one.outline) for one in read]))]
    for rule, number in rows:
        matches, _ = search_of(rule)

        def scan(rule=rule, matches=matches, number=number) -> None:  # type: ignore[no-untyped-def]
            for one, stretches in zip(read, where, strict=True):
                for begin, end in stretches.get(number, ()):
                    deque(matches(one if rule.scan else one.text, begin, end), maxlen=0)

        costs.append((rule.name, seconds(scan)))
    for name, cost in sorted(costs, key=lambda row: -row[1])[:15]:
        print(f"    {name:<20}{cost / length * 1e9:7.1f} ns/character")


def hostile() -> None:
    """Print the pieces that cost most, by finder."""
    finders = dict(zip(detect.modules("rules"), detect.finders("rules"), strict=True))
    finders["blanks"] = lambda text, _: [unify_blanks(text)]
    rows = []
    for piece in HOSTILE:
        long = (piece * LONG)[:LONG]
        for name, find_in in finders.items():
            times = []
            for text in (long[: LONG // 8], long):
                start = process_time()
                deque(find_in(text, ALL_RULES), maxlen=0)
                times.append(process_time() - start)
            rows.append((times[1], times[1] / max(times[0], 1e-4), name, piece))
    for taken, growth, name, piece in sorted(rows, reverse=True)[:20]:
        rate = LONG / taken / 1e6
        print(f"{name:<10}{piece!r:<22}{rate:8.2f} MB/s{growth:8.1f} times an eighth")


def main() -> None:
    """Print one line per kind of text."""
    if "hostile" in sys.argv:
        hostile()
        return
    for name, (language, write, count) in TEXTS.items():
        r = random.Random(7)
        texts = [write(r) for _ in range(count)]
        scope = Scope(language, COUNTRIES)
        length = sum(map(len, texts))
        hits = read(texts, scope)
        cost = seconds(partial(read, texts, scope))
        print(f"{name:<18}{length / 1e6:6.2f} MB{hits:8} spans{length / 1e6 / cost:8.2f} MB/s")
        if "--rules" in sys.argv:
            by_rule(texts, scope)


if __name__ == "__main__":
    main()
