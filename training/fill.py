"""Sentence templates filled with made-up identities from the lists: carriers of names.

Every choice comes from a seeded generator; the same seed writes the same sentences.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

DATA = Path(__file__).parents[2] / "shared" / "data"
LISTS = DATA / "gazetteers"

Filled = tuple[str, list[tuple[int, int, str]]]
"""A text and its marked spans (start, end, type)."""


@cache
def lines(name: str) -> list[str]:
    """Return the first column of a list."""
    path = LISTS / name
    text = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    return [line.split("\t")[0].strip() for line in text.decode().splitlines() if line.strip()]


def _first_by_country() -> list[str]:
    rows = (LISTS / "names/first_by_country.tsv").read_text("utf-8").splitlines()
    return [row.split("\t")[3] for row in rows if row.count("\t") > 2]


def _surnames_by_country() -> list[str]:
    rows = (LISTS / "names/surnames_by_country.tsv").read_text("utf-8").splitlines()
    return [row.split("\t")[2] for row in rows if row.count("\t") > 1]


def first_name(r: Random, lang: str) -> str:
    """Return a given name, common ones more often."""
    if lang == "fr":
        name = lines("names/first_fr_insee.tsv")[min(int(r.expovariate(1 / 600)), 9000)].title()
        return f"{name}-{first_name(r, lang)}" if r.random() < 0.06 and "-" not in name else name
    source = r.random()
    if source < 0.5:
        return lines("names/first_us_ssa.tsv")[min(int(r.expovariate(1 / 1500)), 20000)]
    if source < 0.7:
        return r.choice(lines("names/first_us.txt"))
    if source < 0.85:
        return r.choice(lines("names/first_ch.txt"))
    return r.choice(_first_by_country())


def last_name(r: Random, lang: str) -> str:
    """Return a surname of many origins."""
    source = r.random()
    if lang == "fr" and source < 0.6:
        return r.choice(lines("names/surnames_fr.txt"))
    if source < 0.5:
        return lines("names/surnames_us.txt")[min(int(r.expovariate(1 / 15000)), 80000)].title()
    if source < 0.65:
        return r.choice(lines("names/surnames_de.txt"))
    if source < 0.75:
        return r.choice(lines("names/surnames_ch.txt"))
    if source < 0.85:
        return r.choice(lines("names/surnames_fr.txt"))
    return r.choice(_surnames_by_country())


def city(r: Random, lang: str) -> str:
    """Return a town."""
    if lang == "fr" and r.random() < 0.7:
        name = r.choice(lines("places/communes_fr.txt"))
        return name
    source = r.random()
    if source < 0.7:
        return r.choice(lines("places/cities_world.tsv"))
    if source < 0.8:
        return r.choice(lines("places/admin1_world.tsv")) if r.random() < 0 else _region(r)
    return r.choice(lines("places/cities_de.txt"))


@cache
def _regions() -> list[str]:
    rows = (LISTS / "places/admin1_world.tsv").read_text("utf-8").splitlines()
    return [row.split("\t")[1] for row in rows]


def _region(r: Random) -> str:
    return r.choice(_regions())


@cache
def _countries() -> list[str]:
    rows = (LISTS / "places/cities_world.tsv").read_text("utf-8").splitlines()
    return sorted({row.split("\t")[1].split(",")[0] for row in rows})


def country(r: Random) -> str:
    """Return a country."""
    return r.choice(_countries())


_SYLLABLES = "ba co de ex fi gra hol in ko lu mar ne or pa qui ro sta tri ul ver wex zan".split()
_BODIES = (
    "Ltd|Inc|Inc.|LLC|Group|Holdings|Systems|Partners|& Sons|& Co|GmbH|Bank|Foods|Motors|Labs|"
    "Industries|Consulting|Insurance|Solutions|Media|Records|Stores|Airlines|Energy|University"
).split("|")


def organization(r: Random, lang: str) -> str:
    """Return a company's name: coined, after a founder, an acronym, of two words."""
    source = r.random()
    coined = "".join(r.choices(_SYLLABLES, k=r.choice((2, 2, 3)))).capitalize()
    if source < 0.25:
        return coined
    if source < 0.45:
        return f"{coined} {r.choice(_BODIES)}"
    if source < 0.65:
        return f"{last_name(r, lang)} {r.choice(_BODIES)}"
    if source < 0.75:
        return f"{last_name(r, lang)}, {last_name(r, lang)} and {last_name(r, lang)}"
    if source < 0.85:
        return "".join(r.choices("ABCDEFGHILMNOPRSTUVW", k=r.choice((3, 3, 4))))
    return f"{coined} {''.join(r.choices(_SYLLABLES, k=2)).capitalize()}"


_STREETS = "Street Avenue Road Lane Drive Way Court Boulevard St Ave Rd Terrace Place".split()


def street(r: Random, lang: str) -> str:
    """Return a street's name."""
    if lang == "fr":
        kind = r.choice("rue avenue boulevard place chemin impasse allée Rue Avenue".split())
        return f"{kind} {r.choice(('de', 'du', 'des', 'de la'))} {last_name(r, lang)}"
    if r.random() < 0.25:
        return r.choice(lines("places/streets_ch.txt.gz"))
    return f"{last_name(r, lang)} {r.choice(_STREETS)}"


def address(r: Random) -> str:
    """Return a postal address, over one line or several."""
    number, gap = r.randint(1, 9999), r.choice((", ", "\n", " ", "\n "))
    flat = r.choice(("", "", f" Apt. {r.randint(1, 999)}", f" Suite {r.randint(1, 999)}"))
    state = r.choice(("", f", {''.join(r.choices('ABCDKLMNOTVWXY', k=2))}"))
    code = r.choice((f"{r.randint(1000, 99999)}", f"{r.randint(10000, 99999)}"))
    where = [f"{number} {street(r, 'en')}{flat}", f"{city(r, 'en')}{state}"]
    if r.random() < 0.4:
        where[0] = f"{street(r, 'en')} {number % 200 + 1}{flat}"
    tail = r.choice((f" {code}", f"\n {country(r)} {code}", "", f" {country(r)}"))
    return gap.join(where) + tail


_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def date(r: Random) -> str:
    """Return a date in one of many forms."""
    d, m, y = r.randint(1, 28), r.randint(1, 12), r.randint(1930, 2024)
    name = _MONTHS[m - 1]
    forms = (f"{m}/{d}/{y}", f"{y}-{m:02}-{d:02}", f"{name} {d}, {y}", f"{d} {name} {y}")
    return r.choice((*forms, f"{name} {y}", f"{name} {d}"))


NATIONS = "French German Polish Kenyan Chilean Danish Greek Indian Irish Korean Thai Welsh".split()
JOBS = "Engineer Nurse Buyer Surveyor Librarian Actuary Chemist Plumber Broker Geologist".split()

SLOTS: dict[str, tuple[str, Callable[[Random], str]]] = {
    "person": ("NAME", lambda r: f"{first_name(r, 'en')} {last_name(r, 'en')}"),
    "first_name": ("NAME", lambda r: first_name(r, "en")),
    "last_name": ("NAME", lambda r: last_name(r, "en")),
    "address": ("ADDRESS", address),
    "street_name": ("ADDRESS", lambda r: street(r, "en")),
    "building_number": ("ADDRESS", lambda r: str(r.randint(1, 9999))),
    "secondary_address": ("ADDRESS", lambda r: f"Apt. {r.randint(1, 999)}"),
    "postcode": ("ADDRESS", lambda r: str(r.randint(1000, 99999))),
    "zipcode": ("ADDRESS", lambda r: str(r.randint(10000, 99999))),
    "state_abbr": ("ADDRESS", lambda r: r.choice("AL AZ CA CO FL GA IL MA NY OH TX WA".split())),
    "city": ("LOCATION", lambda r: city(r, "en")),
    "country": ("LOCATION", country),
    "organization": ("ORGANIZATION", lambda r: organization(r, "en")),
    "nationality": ("DEM", lambda r: r.choice(NATIONS)),
    "nation_plural": ("DEM", lambda r: r.choice(NATIONS) + "s"),
    "nation_woman": ("DEM", lambda r: r.choice(NATIONS) + "woman"),
    "job": ("DEM", lambda r: r.choice(JOBS)),
    "age": ("", lambda r: str(r.randint(18, 95))),
    "date_of_birth": ("DATE", date),
    "date_time": ("DATE", date),
    "day_of_week": ("DATE", lambda r: r.choice(("Monday", "Friday", "Sunday"))),
    "year": ("DATE", lambda r: str(r.randint(1950, 2024))),
    "prefix": ("", lambda r: r.choice(("Mr.", "Mrs.", "Ms.", "Dr."))),
}
"""Slot of a template → the type of what fills it ("" for none) and how to make it."""
_SAME = re.compile(r"_(?:female|male|nonbinary)$")
_ALIAS = {"name": "person"}
_OTHER = {
    "email": "{}@example.org",
    "url": "https://www.{}.example",
    "credit_card_number": "4000{}",
    "phone_number": "555-{}",
    "iban": "GB00{}",
    "ip_address": "10.0.{}.1",
    "ssn": "000-{}",
    "us_driver_license": "D{}",
}
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_MARK = re.compile(r"\[([^\]]*)\]\(([A-Z_]+)\)")


def english(seed: int, times: int) -> Iterator[tuple[int, Filled]]:
    """Yield (number of the template, filled sentence), each template `times` times."""
    r = Random(seed)
    path = DATA / "presidio_research" / "templates.txt"
    for number, template in enumerate(path.read_text("utf-8", "replace").splitlines()):
        for _ in range(times if "{{" in template else min(times, 1)):
            text, spans = _fill_english(template.replace("\\n", "\n"), r)
            if r.random() < 0.12:
                low = text.lower()
                text = low if len(low) == len(text) else text
            yield number, (text, spans)


def _fill_english(template: str, r: Random) -> Filled:
    text, spans, position = "", [], 0
    for slot in _SLOT.finditer(template):
        text += template[position : slot.start()]
        position = slot.end()
        name = _SAME.sub("", slot[1])
        name = _ALIAS.get(name, name)
        kind, make = SLOTS.get(name, ("", None))
        value = make(r) if make else _OTHER.get(name, "{}").format(r.randint(10, 99999))
        if kind:
            spans.append((len(text), len(text) + len(value), kind))
        text += value
    return text + template[position:], spans


FRENCH = {
    "NOM": "NAME", "PRENOM": "NAME", "ADRESSE": "ADDRESS", "ADDRESSE": "ADDRESS", "ZIP": "ADDRESS",
    "VILLE": "LOCATION", "HOPITAL": "ORGANIZATION", "DATE": "DATE", "DATE_NAISSANCE": "DATE",
}  # fmt: skip
"""Label of a French template → the family's label; the rest are left to rules."""


def french_templates() -> list[str]:
    """Return the French templates."""
    path = DATA / "eds_pseudo" / "templates.txt"
    return [part for part in path.read_text("utf-8").split("\n\n") if part.strip()]


def french(seed: int, times: int) -> Iterator[tuple[int, Filled]]:
    """Yield (number of the template, filled text): names, towns, streets are made anew."""
    r = Random(seed)
    for number, template in enumerate(french_templates()):
        for _ in range(times):
            text, spans, position = "", [], 0
            for mark in _MARK.finditer(template):
                text += template[position : mark.start()]
                position = mark.end()
                value = _like(mark[1], mark[2], r)
                if kind := FRENCH.get(mark[2]):
                    spans.append((len(text), len(text) + len(value), kind))
                text += value
            yield number, (text + template[position:], spans)


def _like(value: str, label: str, r: Random) -> str:
    """Return another value of a label, written like the one given."""
    made = {
        "NOM": lambda: last_name(r, "fr"),
        "PRENOM": lambda: first_name(r, "fr"),
        "VILLE": lambda: city(r, "fr"),
        "ADRESSE": lambda: f"{r.randint(1, 200)} {street(r, 'fr')}",
        "ZIP": lambda: r.choice(lines("places/postcodes_fr.txt")),
    }.get(label)
    if not made or len(value.rstrip(".")) < 2:
        return value
    new = made()
    return new.upper() if value.isupper() else new.lower() if value.islower() else new
