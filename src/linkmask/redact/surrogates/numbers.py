"""Makes surrogates of issued numbers and ages, and chooses phrases from a list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from linkmask import schema
from linkmask.redact.placeholders import Target
from linkmask.redact.surrogates.draw import (
    Draw,
    Render,
    in_case_of,
    without_case_and_accents,
    words,
)
from linkmask.redact.techniques.facts import class_of


def number(target: Target, draw: Draw, language: str) -> Render:
    """Other digits and letters in the same places, the same ones however it is punctuated."""

    def render(original: str) -> str:
        some_digits = any(map(str.isdigit, original))
        tokens = re.split(r"(\s+)", original)
        nth = sum(len(re.sub(r"\W", "", t)) for t in tokens if _coded(t, some_digits))
        new: list[str] = []
        for token in tokens:
            for character in token:
                if _coded(token, some_digits) and character.isalnum():
                    nth -= 1
                    new.append(_other(character, nth, draw))
                else:
                    new.append(character)
        return _never_issued("".join(new), original, target.type)

    return render


def _coded(token: str, some_digits: bool) -> bool:
    """Tell the parts of a number from the words beside it ("Patient ID RV-8427")."""
    return not some_digits or any(map(str.isdigit, token))


def _other(character: str, nth: int, draw: Draw) -> str:
    if character.isdigit():
        return str(draw.number(f"digit {nth}", 0 if nth else 1, 9))
    letter = "ABCDEFGHJKLMNPQRSTUVWXYZ"[draw.number(f"letter {nth}", 0, 23)]
    return letter if character.isupper() else letter.lower()


def _never_issued(text: str, old: str, kind: str) -> str:
    """Give a number the mark of one that nobody holds; an IBAN keeps its country.

    Of a card or an account only the last digits may have been written, or a sort code.
    """
    if kind in schema.types_of("national"):
        return re.sub(r"^\d{3}(?=[- ]?\d{2}[- ]?\d{4}$)", "666", text)
    if kind in schema.types_of("account") and old[:2].isalpha():
        return old[:2] + "00" + text[4:]
    if kind in schema.types_of("card"):
        digits = [int(c) for c in reversed(re.sub(r"\D", "", text))]
        luhn = sum(digits[::2]) + sum(sum(divmod(2 * d, 10)) for d in digits[1::2])
        if digits and luhn % 10 == 0:
            return text[:-1] + str((digits[0] + 1) % 10) if text[-1].isdigit() else text
    return text


def age(target: Target, draw: Draw, language: str) -> Render:
    """A few years more or less, in digits or words; a range moves as a whole."""
    by = draw.number("years", 2, 6) * (1 if draw.number("sign", 0, 1) else -1)
    names = schema.words("numbers")[language]
    words = {name.casefold().replace("-", " "): n for n, name in enumerate(names, 1)}

    def shifted(old: int, step: int) -> int:
        return old + step if 1 <= old + step <= 99 or old > 99 else old + abs(step)

    def render(original: str) -> str:
        if re.search(r"\d", original):
            step = by // abs(by) * 10 if re.search(r"0['’]?s\b", original) else by
            return re.sub(r"\d+", lambda m: str(shifted(int(m[0]), step)), original)
        bare = original.casefold().replace("-", " ")
        found = max(
            (word for word in words if re.search(rf"\b{word}\b", bare)), key=len, default=""
        )
        if not found:
            return phrase(target, draw, language)(original)
        at = bare.index(found)
        new = names[min(98, max(0, shifted(words[found], by) - 1))]
        return original[:at] + in_case_of(new, original[at : at + 2]) + original[at + len(found) :]

    return render


def phrase(target: Target, draw: Draw, language: str) -> Render:
    """A phrase of the type's list; where the original is mostly figures, other figures."""
    shown = "".join(target.surfaces)
    if sum(map(str.isdigit, shown)) > sum(map(str.isalpha, shown)):
        return number(target, draw, language)
    lists: Mapping[str, Any] = schema.words("surrogates")[language]
    kind = target.type if target.type in lists else next(iter(schema.types_of("any_phrase")))
    return _fitting(target, draw, language, words(language, kind))


def fact(target: Target, draw: Draw, language: str) -> Render:
    """The class of a fact ("respiratory condition"), which says less; figures give other figures.

    Where the class itself stands in the corpus as a value, the widest class of the type has to do.
    """
    shown = "".join(target.surfaces)
    if sum(map(str.isdigit, shown)) > sum(map(str.isalpha, shown)):
        return number(target, draw, language)
    blocks = schema.words("classes")[target.type]
    folded = without_case_and_accents(min(target.surfaces, default=""))
    block = (None if draw.attempt else class_of(folded, blocks)) or blocks[-1]
    phrases = tuple(one.strip() for one in block[language].split("|"))
    return _fitting(target, draw, language, phrases)


def _fitting(target: Target, draw: Draw, language: str, phrases: Sequence[str]) -> Render:
    """One of the phrases that goes with the words before the original, in its case."""
    listed = [_split(one) for one in phrases]
    wanted = _behaviour(*_split(min(target.surfaces, default="")), language)
    alike = [one for article, one in listed if _behaviour(article, one, language) == wanted]
    chosen = draw.one("phrase", alike or [one for _, one in listed])

    def render(original: str) -> str:
        article, bare = _split(original)
        if article.casefold() in ("a ", "an "):
            article = article[0] + ("n " if chosen[0] in VOWELS else " ")
        return article + (chosen[0].upper() + chosen[1:] if bare[:1].isupper() else chosen)

    return render


VOWELS = "aeiou"
_ARTICLE = re.compile(
    r"(?i)(?:l['’]|(?:an?|the|une?|des?|du|les?|la|eine?|eine[mnrs]|der|die|das|dem)\s+)(?=\S)"
)
_FEMININE = re.compile(r"(?:maladie|tumeur|douleur|\w+(?:ite|ose|ie|ion|[ae]nce|ure|ee))\b")


def _split(phrase: str) -> tuple[str, str]:
    """Part a phrase from the article before it, if there is one."""
    match = _ARTICLE.match(phrase)
    return (match[0], phrase[match.end() :]) if match else ("", phrase)


def _behaviour(article: str, bare: str, language: str) -> str:
    """Tell what the words before a phrase must be like: those phrases can stand for one another.

    In English whether it is "an", in French also whether it is "le", "la" or "les".
    """
    word = without_case_and_accents(bare)
    vowel = word[:1] in VOWELS if word else False
    if language == "de":
        return ""
    if language == "en":
        return "an" if vowel else "a"
    article = article.strip().casefold()
    if article in ("des", "les") or (not article and re.match(r"\w+[sx]\b", word)):
        return "les"
    if vowel:
        return "l'"
    if article in ("une", "la") or (article not in ("un", "le") and _FEMININE.match(word)):
        return "la"
    return "le"
