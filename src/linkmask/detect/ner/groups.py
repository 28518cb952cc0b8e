"""Decides whether a tagged trait is a group that a person belongs to, or what the person does.

The training corpora label both as DEM: "Swedish" and "a widow", but also "lorry driver" and
"mayor". A group identifies little; an occupation identifies more and weighs more.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from linkmask.detect.lexicon import word_features as w
from linkmask.schema import expression, types
from linkmask.text.letters import word_key

FILE = Path(__file__).parent / "groups.toml"
GROUP, TRAIT, ILL = types.DEMOGRAPHIC, types.INDIRECT_IDENTIFIER, types.MEDICAL_CONDITION

_WORD = re.compile(r"[^\W\d_]+(?:[-/][^\W\d_]+)*|\d+")
_OF = w.DEMOGRAPHIC | w.NATIONALITY | w.COUNTRY
_NO_GROUP = w.OCCUPATION | w.OCCUPATION_MODIFIER
_ENDS = re.compile(expression("groups_ends"))
_SIDES = ("-born", "-speaking", "-american", "-sprachig", "-stammig")
_KIN = w.KIN | w.PARENT
_HEALTH = w.CONDITION | w.CONDITION_HEAD | w.MODIFIER


@cache
def _lists() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words for groups, and the roots of peoples' names."""
    tables = tomllib.loads(FILE.read_text("utf-8"))
    words = word_key(f"{tables['groups']} {tables['peoples']}").split()
    return frozenset(words), frozenset(word_key(tables["roots"]).split())


def kinds(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield [start, end) with its type, or in two parts: "Kenyan" before "marathon coach"."""
    for first, after, kind in _kinds(text[start:end]):
        yield start + first, start + after, kind


@lru_cache(maxsize=1 << 12)
def _kinds(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return what `kinds` does, for a whole text."""
    said = [part for part in _WORD.finditer(text) if not _is_function_word_or_figure(part[0])]
    groups = 0
    while groups < len(said) and is_group(said[groups][0]):
        groups += 1
    if groups == len(said) or all(w.MARKS[part[0]] & _KIN for part in said):
        return ((0, len(text), GROUP),)  # "60 years" and "daughter" tell no more
    if said and all(w.MARKS[part[0]] & _HEALTH for part in said) and _ill(said[-1][0]):
        return ((0, len(text), ILL),)
    if (cut := _cut(text, said, groups)) and not text[: said[0].start()].strip():
        return (0, said[cut - 1].end(), GROUP), (said[cut].start(), len(text), TRAIT)
    return ((0, len(text), TRAIT),)


def _cut(text: str, said: list[re.Match[str]], groups: int) -> int:
    """Return how many words in front are a group of their own: not "retired" nor "single"."""
    while groups and w.MARKS[said[groups - 1][0]] & _NO_GROUP:
        groups -= 1
    apart = groups and not text[said[groups - 1].end() : said[groups].start()].strip()
    return groups if apart else 0


def _is_function_word_or_figure(word: str) -> bool:
    """Is it a small word or a figure, which says nothing itself?"""
    m = w.MARKS[word]
    return bool(m & (w.FUNCTION | w.NUMBER)) and word_key(word) not in _lists()[0]


def _ill(word: str) -> bool:
    return bool(w.MARKS[word] & (w.CONDITION | w.CONDITION_HEAD))


@cache
def is_group(word: str) -> bool:
    """Tell whether it names a group: sex, people, language, faith, orientation, marital status."""
    if len(word) >= w.NO_WORD:
        return False
    key = word_key(word)
    words, roots = _lists()
    m = w.MARKS[word]
    if key in words or key.removesuffix("s") in words or (m & _OF and not m & w.OCCUPATION):
        return True
    side = next((side for side in _SIDES if key.endswith(side)), "")
    if side or "-" in key or "/" in key:
        return all(map(is_group, filter(None, re.split("[-/]", word[: len(word) - len(side)]))))
    return any(key[:n] in roots and _ENDS.fullmatch(key[n:]) for n in range(2, len(key) + 1))
