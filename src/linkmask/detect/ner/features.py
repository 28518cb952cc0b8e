"""Computes the tagger's features of a token: letters, shape, lists, clusters.

Training uses the same functions. A text is split into words, single marks and line ends.
`attributes` gives the features of one token as seen from another position; they depend on the word
alone, so a word met before costs one look-up.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Container
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from linkmask.detect.lexicon import clusters, listed_names
from linkmask.detect.lexicon import word_features as w
from linkmask.schema import expression
from linkmask.text.letters import word_key

TOKEN = re.compile(r"(\w+|[^\w\s]|\n)")
"""A word, a mark, a line end; what lies between is blank."""
BORDER = "\n"
"""What stands before the first and after the last word."""
OFFSETS = (-2, -1, 0, 1, 2)
"""From where a word is seen: −1 is a feature of the word after it."""

FILE = Path(__file__).with_name("features.toml")
MEDICINE = FILE.with_name("medicine.toml")
TABLES = tomllib.loads(FILE.read_text("utf-8"))
LISTS: list[str] = TABLES["lists"]
"""The lists of the lexicon whose members the model is told of."""
BITS = tuple((name.lower(), w.features_named(name)) for name in LISTS)
CLASSES = tuple((name, w.features_named(lists)) for name, lists in TABLES["classes"].items())
"""Kinds of words that are combined with their neighbours', the first that fits."""

_GREEK = re.compile(expression("features_greek"))
"""Endings of medical words in the languages read, without accents: one name for all of them."""
_LATIN = re.compile(expression("features_latin"))

_RUN = re.compile(r"(.)\1{2,}")
_DIGIT = re.compile(r"\d")
GAZETTEER = "y="
"""Beginning of the features that come from the gazetteer of names."""
WORD = "v="
"""Beginning of the feature that says how common a word is that is no name."""
LONGEST = 40
"""Letters of a word that are looked at."""


def split(text: str) -> tuple[list[str], list[int], list[int]]:
    """Return the words and marks of a text, where each starts and where it ends.

    They are the matches of `TOKEN`, found for all characters at once.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if fresh := set(codes[_SORTS[codes] == _UNMET].tolist()):
        for code in fresh:
            _SORTS[code] = _sort(chr(code))
    sorts = _SORTS[codes]
    letter = np.zeros(len(codes) + 2, bool)
    letter[1:-1] = sorts == _LETTER
    mark = sorts == _MARK
    starts = np.flatnonzero(letter[1:-1] & ~letter[:-2] | mark).tolist()
    ends = (np.flatnonzero(letter[1:-1] & ~letter[2:] | mark) + 1).tolist()
    return [text[start:end] for start, end in zip(starts, ends, strict=True)], starts, ends


_UNMET, _BLANK, _LETTER, _MARK = range(4)
_SORTS = np.zeros(sys.maxunicode + 1, np.uint8)
"""Of each character met, what it is for `TOKEN`."""


def _sort(character: str) -> int:
    found = TOKEN.fullmatch(character)
    return _BLANK if not found else _LETTER if re.fullmatch(r"\w", character) else _MARK


def shape(word: str) -> str:
    """Return a word with each character written as its kind; a run of one kind has at most two."""
    return _shortened(word.translate(_KINDS))


@lru_cache(maxsize=1 << 12)
def _shortened(kinds: str) -> str:
    return _RUN.sub(r"\1\1", kinds)


class _Kinds(dict[int, str]):
    """Character → its kind, made once each."""

    def __missing__(self, code: int) -> str:
        c = chr(code)
        kind = "X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c
        return self.setdefault(code, kind)


_KINDS = _Kinds()


_PLAIN = frozenset(".,;:()/-'’\"“”%$€£#@&*+=[]<>|_")


@lru_cache(maxsize=1 << 8)
def word_class(word: str) -> str:
    """Return the class of a word: what it is in one word, for combinations with its neighbours."""
    first = word[0]
    if not (first.isalnum() or first == "_"):
        return "line" if first == BORDER else first if first in _PLAIN else "mark"
    if first.isdigit():
        size = str(min(len(word), 5)) if word.isdigit() else "mixed"
        return f"number{size}"
    bits = w.FEATURES[word]
    name = _class(bits)
    if first.isupper():
        if len(word) == 1:
            return "Initial"
        if word.isupper():
            return f"UPPER-{name}" if name else ("UPPER" if len(word) > 5 else "UPP")
        return f"Cap-{name}"
    return name or ("lower" if word.isalpha() else "mixed")


@lru_cache(maxsize=1 << 12)
def _class(bits: int) -> str:
    """Return the first class whose lists hold a word with these features, "" if none does."""
    return next((name for name, listed in CLASSES if bits & listed), "")


@lru_cache(maxsize=1 << 12)
def _lists(bits: int) -> tuple[str, ...]:
    """Return what is seen of a word that is in these lists."""
    return tuple(f"l={name}" for name, bit in BITS if bits & bit)


def terms(word: str, vocabulary: Container[str]) -> tuple[str, str]:
    """Return a frequent word (with "^" where it has a capital), else its class; and its class."""
    key, kind = word.lower(), f"<{word_class(word)}>"
    if key in vocabulary and word != BORDER:
        return f"^{key}" if word[0].isupper() else key, kind
    return kind, kind


def key(word: str) -> str:
    """Return a word without case, accents and digits."""
    return _DIGIT.sub("0", word_key(word[:LONGEST]))


def attributes(word: str) -> tuple[list[str], ...]:
    """Return the names of what is seen of a word, by the offsets it is seen from, in order."""
    is_border = word == BORDER
    word = "line" if is_border else word[:LONGEST]
    low = key(word)
    form = shape(word)
    letters = word[0].isalpha()
    bits = w.FEATURES[word] if letters else 0
    near = [f"w={low}", f"s={form}"]
    if bits:
        near += _lists(bits)
    if letters:
        used_alike = clusters.names(low)
        near += used_alike
        if not is_border:
            one, capital = listed_names.listed(low), word[0].isupper()
            near += _as_name(one, capital, bool(used_alike))
            near += [f"{WORD}{'V' if capital else 'v'}{one.word}"] if one.word else []
        near += [f"m={name}" for name in _listed(low, bits)]
    here = [*near, f"W={form[:3]}{low}", f"k={word_class(word)}", f"n={min(len(word), 8)}"]
    if not letters:
        return near, near, here, near, near
    size = len(low)
    here += [f"p{n}={low[:n]}" for n in (2, 3, 4) if size > n]
    here += [f"e{n}={low[-n:]}" for n in (2, 3, 4, 5) if size > n]
    here += [f"x{n}={form[:1]}{low[-n:]}" for n in (2, 3) if size > n]
    next_to = [*near, f"e3={low[-3:]}", f"p3={low[:3]}"]
    medical = _medical(low)
    here += medical
    next_to += medical[:1]
    return near, next_to, here, next_to, near


@cache
def _as_name(one: listed_names.ListedName, capital: bool, met: bool) -> tuple[str, ...]:
    """Return how common a word is as a given name and as a surname, its case, and whether it is an
    everyday word, or one that the texts of the word clusters have (`met`).
    """
    case, use = "Y" if capital else "y", "e" if one.everyday else "m" if met else ""
    steps = (("g", one.given), ("s", one.surname))
    return tuple(f"{GAZETTEER}{case}{kind}{step}{use}" for kind, step in steps if step)


def _listed(low: str, bits: int) -> tuple[str, ...]:
    """Return the model's own lists a word is in; the lexicon's drugs are substances too."""
    names = _medicine().get(low, ())
    return names if "substance" in names or not bits & w.DRUG else ("substance", *names)


@cache
def _medicine() -> dict[str, tuple[str, ...]]:
    """Return the names of the lists of medicine each word is in: substances, operations, …"""
    result: dict[str, tuple[str, ...]] = {}
    for name, words in tomllib.loads(MEDICINE.read_text("utf-8")).items():
        for word in word_key(words).split():
            result[word] = (*result.get(word, ()), name)
    return result


def _medical(low: str) -> list[str]:
    """Return the medical ending and beginning of a word, if it has any."""
    names = [f"g={end.lastgroup}"] if (end := _GREEK.fullmatch(low)) else []
    if len(low) > 5 and (start := _LATIN.match(low)):
        names.append(f"b={start[0]}")
    return names


COMBINED = (
    ("a", "t", (-1, 0)),
    ("b", "t", (0, 1)),
    ("c", "t", (-2, -1)),
    ("d", "t", (1, 2)),
    ("e", "k", (-1, 0, 1)),
    ("f", "k", (-2, -1, 0)),
    ("g", "k", (0, 1, 2)),
)
"""Combinations of neighbours: name; "t" for `terms`, "k" for `word_class`; which neighbours."""
