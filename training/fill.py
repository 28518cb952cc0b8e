"""Sentence templates filled with made-up identities, and texts whose identities are exchanged.

Every choice comes from a seeded generator; the same seed writes the same sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from training.made import (
    DATA,
    address,
    city,
    country,
    date,
    first_name,
    full_name,
    last_name,
    lines,
    organization,
    person,
    region,
    street,
    town,
    work,
)
from training.traits import NATIONS, car, diseases, drug, job

Spans = Sequence[tuple[int, int, str]]
"""Marked spans of a text: start, end, type."""
Filled = tuple[str, list[tuple[int, int, str]]]
"""A text and its marked spans."""


SLOTS: dict[str, tuple[str, Callable[[Random, str], str]]] = {
    "person": ("NAME", person),
    "full_name": ("NAME", full_name),
    "first_name": ("NAME", first_name),
    "last_name": ("NAME", last_name),
    "address": ("ADDRESS", address),
    "street_name": ("ADDRESS", street),
    "street_number": ("ADDRESS", lambda r, lang: f"{r.randint(1, 999)} {street(r, lang)}"),
    "building_number": ("ADDRESS", lambda r, _: str(r.randint(1, 9999))),
    "secondary_address": ("ADDRESS", lambda r, _: f"Apt. {r.randint(1, 999)}"),
    "postcode": ("ADDRESS", lambda r, _: str(r.randint(1000, 99999))),
    "zipcode": ("ADDRESS", lambda r, _: str(r.randint(10000, 99999))),
    "state_abbr": ("ADDRESS", lambda r, _: r.choice("AL AZ CA CO FL GA IL MA NY OH TX WA".split())),
    "city": ("LOCATION", town),
    "town": ("LOCATION", city),
    "region": ("LOCATION", lambda r, _: region(r)),
    "country": ("LOCATION", lambda r, _: country(r)),
    "organization": ("ORGANIZATION", organization),
    "nationality": ("DEM", lambda r, _: r.choice(NATIONS)),
    "nation_plural": ("DEM", lambda r, _: r.choice(NATIONS) + "s"),
    "nation_woman": ("DEM", lambda r, _: r.choice(NATIONS) + "woman"),
    "job": ("DEM", job),
    "job_fr": ("DEM", job),
    "age": ("", lambda r, _: str(r.randint(18, 95))),
    "date": ("DATE", date),
    "date_of_birth": ("DATE", date),
    "date_time": ("DATE", date),
    "day_of_week": ("DATE", lambda r, _: r.choice(("Monday", "Friday", "Sunday"))),
    "day_fr": ("DATE", lambda r, _: r.choice(("lundi", "mardi", "vendredi", "dimanche"))),
    "year": ("DATE", lambda r, _: str(r.randint(1950, 2024))),
    "work": ("", work),
    "car": ("", car),
    "prefix": ("", lambda r, _: r.choice(("Mr.", "Mrs.", "Ms.", "Dr.", "Mr", "Ms"))),
    "prefix_fr": ("", lambda r, _: r.choice(("M.", "Mme", "Mlle", "Monsieur", "Madame"))),
    "disease": ("MEDICAL_CONDITION", lambda r, _: r.choice(diseases())),
    "symptom": ("MEDICAL_CONDITION", lambda r, _: r.choice(lines("medical/symptoms_en.txt"))),
    "drug": ("TREATMENT", drug),
    "drug_fr": ("TREATMENT", drug),
    "drug_ch": ("TREATMENT", drug),
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
            yield number, _fill(template, r, "en")


OURS = Path(__file__).parent / "templates.txt"


def ours(seed: int, times: int, topic: str = "") -> Iterator[tuple[str, int, Filled]]:
    """Yield (language, number, filled sentence) of our own templates of a topic, `times` each."""
    r = Random(seed)
    lang, about = "", ""
    for number, line in enumerate(OURS.read_text("utf-8").splitlines()):
        if line.startswith("==="):
            *more, lang = line.split()[1:]
            about = " ".join(more)
        elif about == topic:
            for _ in range(times if "{{" in line else 1):
                yield lang, number, _fill(line, r, lang)


def _fill(template: str, r: Random, lang: str) -> Filled:
    text, spans = _filled(template.replace("\\n", "\n"), r, lang)
    if r.random() < (0.6 if template[:1].islower() else 0.12):  # who begins small goes on small
        low = text.lower()
        text = low if len(low) == len(text) else text
    return text, spans


def _filled(template: str, r: Random, lang: str) -> Filled:
    text, spans, position = "", [], 0
    for slot in _SLOT.finditer(template):
        text += template[position : slot.start()]
        position = slot.end()
        name = _SAME.sub("", slot[1])
        name = _ALIAS.get(name, name)
        kind, make = SLOTS.get(name, ("", None))
        value = make(r, lang) if make else _OTHER.get(name, "{}").format(r.randint(10, 99999))
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


def exchanged(text: str, spans: Spans, seed: str, lang: str) -> Filled:
    """Return a text with other names, places and bodies in it: the same one for the same one."""
    r = Random(seed)
    others: dict[str, str] = {}
    pieces: list[str] = []
    new: list[tuple[int, int, str]] = []
    position = length = 0
    for start, end, kind in sorted(spans, key=lambda s: (s[0], -s[1])):
        if start < position:
            continue
        value = text[start:end]
        if kind in OTHERS:
            value = others.setdefault(value, _other(value, kind, r, lang))
        pieces += text[position:start], value
        length += start - position
        new.append((length, length + len(value), kind))
        length, position = length + len(value), end
    return "".join([*pieces, text[position:]]), new


OTHERS: dict[str, Callable[[Random, str], str]] = {
    "NAME": lambda r, lang: f"{first_name(r, lang)} {last_name(r, lang)}",
    "LOCATION": lambda r, lang: city(r, lang) if r.random() < 0.8 else country(r),
    "ORGANIZATION": organization,
    "ADDRESS": lambda r, lang: (
        address(r) if lang == "en" else f"{r.randint(1, 99)} {street(r, lang)}"
    ),
}
"""Type → how another of its kind is made."""


def _other(value: str, kind: str, r: Random, lang: str) -> str:
    if kind == "NAME" and len(value.split()) == 1:
        new = last_name(r, lang) if r.random() < 0.6 else first_name(r, lang)
    else:
        new = OTHERS[kind](r, lang)
    if value.islower():
        return new.lower()
    return new.upper() if value.isupper() and len(value) > 4 else new
