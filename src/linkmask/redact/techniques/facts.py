"""Generalizes a condition or a treatment: to its class, or to nothing if few people have it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from linkmask import schema
from linkmask.text.letters import plain_letters

_ARTICLE = re.compile(r"(?:une?|des|les|la|le) |l'")
_WORD = re.compile(r"\w+")


@lru_cache(maxsize=1 << 14)
def class_(original: str, value: str, language: str) -> str | None:
    """`asthma` → `respiratory condition`, `-ectomy` → `surgical procedure`; None without a class.

    The classes of conditions are those of ICD-10's chapters (`schema/words/classes.toml`).
    """
    folded = plain_letters(original).casefold()
    for blocks in schema.words("classes").values():
        if block := class_of(folded, blocks[:-1]):
            first = block[language if language in block else "en"].split("|")[0]
            return _ARTICLE.sub("", first, count=1) if language == "fr" else first
    return None


def common(original: str, value: str, language: str) -> str | None:
    """`asthma` → `asthma`, `glioblastoma` → None: a condition stays only if it is common.

    Common is what at least one adult in twenty has (`schema/words/population.toml`), and everyday
    words of medicine ("pain"), in any language.
    """
    return original if _telling_words(original) in _common_conditions() else None


@cache
def _common_conditions() -> frozenset[tuple[str, ...]]:
    """Return the telling words of each common condition; "symptoms" has none."""
    names = schema.words("common")["medical"].split()
    for key, text in schema.words("population")["conditions"].items():
        names += text.split("|") if key != "adding_nothing" else text.split()
    return frozenset(map(_telling_words, names))


def _telling_words(condition: str) -> tuple[str, ...]:
    """Return the folded words of a condition but those that make it no rarer: "chronic"."""
    folded = _WORD.findall(plain_letters(condition).casefold())
    return tuple(word for word in folded if word not in _words_adding_nothing())


@cache
def _words_adding_nothing() -> frozenset[str]:
    listed = schema.words("population")["conditions"]["adding_nothing"]
    return frozenset(plain_letters(listed).casefold().split())


def class_of(folded: str, blocks: Iterable[Mapping[str, str]]) -> Mapping[str, str] | None:
    """Return the first of some classes of which a stem begins or ends a word of a value.

    Args:
        folded: the value without case and accents.
        blocks: classes, as `schema/words/classes.toml` lists them.
    """
    return next((block for block in blocks if _has_stem(folded, block["stems"])), None)


def _has_stem(folded: str, stems: str) -> bool:
    """Tell whether one of the stems begins a word, or with "-" ends one; "_" is a blank."""
    return any(
        re.search(rf"{stem[1:]}(?!\w)" if stem[0] == "-" else rf"(?<!\w){stem}", folded) is not None
        for stem in (one.replace("_", " ") for one in stems.split())
    )
