"""Makes names of persons, institutions, towns and streets that do not exist."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.redact.placeholders import Target
from linkmask.redact.surrogates.draw import (
    Draw,
    Render,
    draw_compound,
    in_case_of,
    without_case_and_accents,
    words,
)

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@cache
def _kept() -> frozenset[str]:
    """Titles, degrees and particles: what stays beside a made-up name."""
    tables = schema.words("titles")
    rows = [*tables["titles"].values(), *tables["suffixes"].values(), *tables["particles"].values()]
    return frozenset(
        without_case_and_accents(word)
        for row in rows
        for part in row
        for word in _WORD.findall(part)
    )


def person(target: Target, draw: Draw, language: str) -> Render:
    """A person: titles stay, given and family name are exchanged wherever they stand.

    The made-up given name keeps the gender that the real one, or a title, tells; where nothing
    tells it, the made-up one tells none either.
    """
    roles = _roles(target)
    gender = _gender(target, roles)
    names = words(language, f"given_{gender}" if gender else "given")
    given, middle = draw.one("given", names), draw.one("middle", names)
    family = draw_compound(draw, language, "family")

    def render(original: str) -> str:
        def exchange(match: re.Match[str]) -> str:
            word = match[0]
            bare = without_case_and_accents(word)
            if len(word) == 1 and bare not in roles:
                first = next((r for w, r in roles.items() if w.startswith(bare)), "given")
                return {"given": given, "middle": middle, "family": family}[first][0]
            if bare in _kept() and bare not in roles:
                return word
            role = roles.get(bare, "family")
            return in_case_of({"given": given, "middle": middle, "family": family}[role], word)

        return _WORD.sub(exchange, original)

    return render


def _roles(target: Target) -> dict[str, str]:
    """Tell given from family name by the fullest spelling: "Jane M. Doe", "Doe, Jane"."""
    fullest = max(target.surfaces, key=lambda s: (len(_names(s)), "," not in s, s), default="")
    if len(_names(fullest)) < 2:
        fullest = max(target.forms, key=lambda s: (len(_names(s)), "," not in s, s), default="")
    names = _names(fullest)
    if "," in fullest:
        before = len(_names(fullest.partition(",")[0]))
        names = names[before:] + names[:before]
    if len(names) < 2:
        return {}
    return {names[0]: "given", **dict.fromkeys(names[1:-1], "middle"), names[-1]: "family"}


@cache
def _gender_of_word() -> dict[str, str]:
    """Return the gender that a given name or a title tells, by its plain form."""
    names, titles = schema.words("genders"), schema.words("titles")
    told = dict[str, str]()
    for gender, key in (("female", "ms"), ("male", "mr")):
        kinds = (gender, f"{gender}_common", f"{gender}_german")
        words = [word for kind in kinds for word in names[kind].split()]
        words += [one for one in titles["titles"][key] if one not in titles["initials"]]
        told |= dict.fromkeys(map(without_case_and_accents, words), gender)
    return told


def _gender(target: Target, roles: Mapping[str, str]) -> str:
    """Return "female", "male", or "" where neither a given name nor a title tells, or both do."""
    titles = (
        without_case_and_accents(word) for s in target.surfaces for word in _WORD.findall(s)[:1]
    )
    tells = {
        _gender_of_word()[word] for word in titles if word in _kept() and word in _gender_of_word()
    }
    for name in (name for name, role in roles.items() if role == "given"):
        parts = {_gender_of_word().get(part, "") for part in name.split("-")}
        tells |= parts if len(parts) == 1 else set()  # "Jean-Marie" tells nothing
    tells.discard("")
    return tells.pop() if len(tells) == 1 else ""


def _names(spelling: str) -> list[str]:
    words = [without_case_and_accents(word) for word in _WORD.findall(spelling)]
    return [word for word in words if word not in _kept() and len(word) > 1]


def provider(target: Target, draw: Draw, language: str) -> Render:
    """A clinician where a title says so, else an institution."""
    titled = {
        without_case_and_accents(word) for s in target.surfaces for word in _WORD.findall(s)[:1]
    }
    is_person = bool(titled & _kept()) and not titled & set(words(language, "kinds"))
    return (person if is_person else institution)(target, draw, language)


def institution(target: Target, draw: Draw, language: str) -> Render:
    """A made-up proper name; what kind of house it is ("Clinic") stays."""
    proper = draw_compound(draw, language, "place")
    kinds = {kind for one in LANGUAGES for kind in words(one, "kinds")}

    def render(original: str) -> str:
        parts: list[str] = []
        for token in original.split():
            kind = token.strip(".,;()").casefold() in kinds
            new = token if kind else in_case_of(proper, token) if len(token) > 3 else proper
            if kind or new.casefold() not in [part.casefold() for part in parts]:
                parts.append(new)
        return " ".join(parts)

    return render


def place(target: Target, draw: Draw, language: str) -> Render:
    """A made-up town; an institution named as a place keeps its kind."""
    kinds = set(words(language, "kinds"))
    if any(word.casefold() in kinds for s in target.surfaces for word in s.split()):
        return institution(target, draw, language)
    name = draw_compound(draw, language, "place")
    return lambda original: in_case_of(name, original)


def address(target: Target, draw: Draw, language: str) -> Render:
    """A street that is not there, in the order of the language; a town where there was one."""
    form: str = schema.words("surrogates")[language]["street"]
    street = form.format(
        number=draw.number("number", 2, 198),
        street=draw.one("street", words(language, "streets")),
        kind=draw.one("kind", words(language, "street_kinds")),
    )
    town = draw_compound(draw, language, "place")

    def render(original: str) -> str:
        head, comma, tail = original.partition(",")
        code = re.search(r"\b\d{5}\b", tail or head)
        if not comma and not code:
            return street
        digits = f"{draw.number('code', 0, 999):03}" if code else ""
        return f"{street}, {f'00{digits} ' if code else ''}{town}"

    return render
