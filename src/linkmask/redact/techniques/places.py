"""Generalizes places and mailboxes: the town, the region, three digits of a ZIP code, a domain."""

from __future__ import annotations

import re
from functools import cache

from linkmask import schema

_ZIP = re.compile(r"(\d{3})\d{2}(?:-\d{4})?")
_US_END = re.compile(r"([A-Za-z][A-Za-z. ]{1,24}?)\.?(?:,? \d{5}(?:-\d{4})?)?")
_CODE_TOWN = re.compile(r"(?:[A-Z]{1,2}-)?(?P<code>\d{4,5})\s+(?P<town>[^\W\d][^\d,;]{1,60})")
_TOWN_CODE = re.compile(r"(?P<town>[^\W\d][^\d,;]{1,60}?),? [A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}")
_MAILBOX = re.compile(r"(?P<box>[^\s@]+)@(?P<domain>[^\s@]+\.[^\s@]+)")


@cache
def _regions() -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Return US states by folded name and code, departments by number, small ZIP prefixes."""
    table = schema.words("regions")
    states = {code.casefold(): name for code, name in table["us"].items()}
    states |= {name.casefold(): name for name in table["us"].values()}
    return states, dict(table["fr"]), frozenset(table["small_zip3"])


@cache
def _street() -> re.Pattern[str]:
    """Return what tells a street from a town: how it ends in English, how it begins in French."""
    table = schema.words("streets")
    ends, heads = ("|".join(map(re.escape, table[language])) for language in ("en", "fr"))
    return re.compile(rf"(?i)(?:.*\s)?(?:{ends})\.?(?: [NSEW]{{1,2}})?|(?:{heads})\.?\s.*")


def zip3(original: str, value: str, language: str) -> str | None:
    """`02139-4307` → `021**`; `000**` where the three digits hold 20,000 people or fewer.

    45 CFR 164.514(b)(2)(i)(B); the prefixes are those of the 2000 census, as HHS lists them.
    """
    code = _ZIP.fullmatch(original.strip())
    if code is None:
        return None
    return "000**" if code[1] in _regions()[2] else f"{code[1]}**"


def town(original: str, value: str, language: str) -> str | None:
    """`14 Elm Street, Denver, CO 80203` → `Denver, Colorado`; `12 rue X, 69003 Lyon` → `Lyon`."""
    parts = _address_lines(original)
    if len(parts) > 1 and (state := _state(parts[-1])):
        return f"{parts[-2]}, {state}" if len(parts) > 2 and _is_town(parts[-2]) else None
    # In English four digits at the begin are a house number, not the code of a town.
    coded = parts[1:] if language == "en" else parts
    found = [_CODE_TOWN.fullmatch(part) for part in coded]
    found += [_TOWN_CODE.fullmatch(part) for part in parts]
    names = [one["town"].strip() for one in found if one]
    return names[-1] if names and _is_town(names[-1]) else None


def region(original: str, value: str, language: str) -> str | None:
    """`Denver, CO 80203` → `Colorado`; `69003 Lyon` → `Rhône`; None where no region is told."""
    parts = _address_lines(original)
    if state := _state(parts[-1]):
        return state
    departments = _regions()[1]
    for part in reversed(parts):
        code = _CODE_TOWN.fullmatch(part)
        if code and language == "fr" and len(code["code"]) == 5:
            return departments.get(code["code"][:3]) or departments.get(code["code"][:2])
    return None


def area(original: str, value: str, language: str) -> str | None:
    """Leave three digits of a ZIP code, or the state: what Safe Harbor lets stand of a place."""
    return zip3(original, value, language) or region(original, value, language)


def masking(original: str, value: str, language: str) -> str | None:
    """`jane.doe@clinic.example` → `j***@clinic.example`; None where the domain names her too."""
    found = _MAILBOX.fullmatch(original)
    if found is None:
        return None
    named = re.findall(r"[^\W\d_]{3,}", found["box"].casefold())
    names_owner = any(name in found["domain"].casefold() for name in named)
    return None if names_owner else f"{found['box'][0]}***@{found['domain']}"


def _address_lines(original: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;\n]", original) if part.strip()] or [""]


def _is_town(name: str) -> bool:
    """Tell whether a part of an address can be a town: no street, no house number."""
    return not any(c.isdigit() for c in name) and not _street().fullmatch(name)


def _state(part: str) -> str | None:
    """Return the US state that the last part of an address names, by code or by name."""
    found = _US_END.fullmatch(part)
    return _regions()[0].get(found[1].casefold()) if found else None
