"""Makes contact details that reach nobody, from ranges reserved for fiction and documentation."""

from __future__ import annotations

import re

from linkmask.redact.placeholders import Target
from linkmask.redact.surrogates.draw import Draw, Render, draw_compound, words

_FICTION = (  # country code, trunk prefix, numbers kept for fiction by the regulator, last digits
    ("33", "0", ("19900", "26191", "35301", "46571", "53649", "63998"), 4),
    ("49", "0", ("3023125", "6990009", "4066969", "22147107", "8999998"), 3),
    ("44", "0", ("2079460", "1134960", "1144960", "1154960", "1164960", "7700900"), 3),
)


def phone(target: Target, draw: Draw, language: str) -> Render:
    """A number that rings nowhere, laid into the punctuation of the original."""

    def render(original: str) -> str:
        digits = re.sub(r"\D", "", original)
        international = original.lstrip(" (").startswith(("+", "00"))
        bare = digits.removeprefix("00") if international else digits
        for code, trunk, ranges, free in _FICTION:
            national = not international and digits.startswith(trunk) and len(digits) >= 9
            if (
                bare.startswith(code)
                if international
                else national and country_code(original, language) == code
            ):
                last = f"{draw.number('last', 0, 10**free - 1):0{free}}"
                number = draw.one(f"range {code}", ranges) + last
                prefix = digits[: len(digits) - len(bare)] + code if international else trunk
                return _lay(prefix + number, original)
        area = (
            f"{draw.number('area', 2, 9)}{draw.number('area 2', 0, 8)}{draw.number('area 3', 2, 9)}"
        )
        number = f"{area}55501{draw.number('last', 0, 99):02}"
        extra = len(bare) - 10
        if extra > 0:
            number = bare[:1] + number if bare[0] == "1" or international else number
        return _lay(number[-max(7, len(digits)) :], original)

    return render


def country_code(original: str, language: str) -> str:
    """Return the country code that a number without one is most likely meant in."""
    if re.fullmatch(r"\D*0\d(?:\D?\d\d){4}\D*", original) and language != "de":
        return "33"
    return {"fr": "33", "de": "49"}.get(language, "44")


def _lay(digits: str, original: str) -> str:
    """Write digits into the places of the original's digits; surplus ones go to the end."""
    spots = sum(map(str.isdigit, original))
    if spots != len(digits):
        return ("+" if original.lstrip().startswith("+") else "") + digits
    rest = iter(digits)
    return "".join(next(rest) if c.isdigit() else c for c in original)


def email(target: Target, draw: Draw, language: str) -> Render:
    """A mailbox at a domain reserved for examples."""
    given = draw.one("given", words("en", "given")).lower()
    family = draw_compound(draw, "en", "family").lower()
    domain = draw.one("domain", ("example.com", "example.org", "example.net"))
    mailbox = f"{given}.{family}@{domain}"
    return lambda original: mailbox


def url(target: Target, draw: Draw, language: str) -> Render:
    """A page at a domain reserved for examples."""
    place = draw_compound(draw, "en", "place").lower()
    page = f"https://example.org/{place}/{draw.number('n', 10, 999)}"
    return lambda original: page


def network(target: Target, draw: Draw, language: str) -> Render:
    """An address from the ranges kept for documentation; a locally assigned hardware address."""

    def render(original: str) -> str:
        if re.fullmatch(r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", original):
            rest = [f"{draw.number(f'mac {n}', 0, 255):02x}" for n in range(5)]
            return original[2].join(["02", *rest])
        if ":" in original:
            parts = [f"{draw.number(f'v6 {n}', 1, 0xFFFF):x}" for n in range(3)]
            return "2001:db8::" + ":".join(parts)
        block = draw.one("block", ("192.0.2", "198.51.100", "203.0.113"))
        return f"{block}.{draw.number('host', 1, 254)}"

    return render
