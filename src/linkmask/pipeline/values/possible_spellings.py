"""Finds the spellings that can stand in some texts: every word of them is a word of these texts.

Most masked values stand only in documents that an update does not read. A search for the spellings
that can stand in the others finds the same as one for all, and is built in a fraction of the time.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from linkmask.records import Document, Mention
from linkmask.redact import Target
from linkmask.text.codes import fold_characters
from linkmask.text.escapes import may_hold
from linkmask.text.hidden_texts import hidden_texts
from linkmask.verify import fold_for_comparison, texts_of

_WORD = re.compile(r"[^\W_]+")
CUTS = 16
"""Largest number of places at which mentions cut a word, for which all pairs are considered."""


class PossibleSpellings:
    """All spellings of masked entities, each by its longest word.

    A short word ("dr", an initial) stands in half of all spellings, and would select them all.
    """

    def __init__(
        self, targets: Mapping[str, Target], words: Mapping[str, Collection[str]] | None = None
    ) -> None:
        """Take the targets, and the longest word of each of their spellings where it is known."""
        self._targets = targets
        self._words = words or {
            entity: longest_words((*one.surfaces, *one.forms)) for entity, one in targets.items()
        }

    def among(self, words: set[str]) -> dict[str, Target]:
        """Return the targets with only those spellings whose words are all among the given ones.

        A target without such a spelling is left out.

        Args:
            words: what `words_in`, `words_checked` or `words_read` return of texts.
        """
        near, beside = {}, {*words, ""}
        for entity in sorted(e for e, own in self._words.items() if not beside.isdisjoint(own)):
            one = self._targets[entity]
            found = {one for one in (*one.surfaces, *one.forms) if _stands(one, words)}
            if found:
                near[entity] = _only(one, found)
        return near


def longest_words(spellings: Iterable[str]) -> list[str]:
    """Return the longest word of each of some spellings, "" for one that has none."""
    return sorted({max(own, key=len, default="") for one in spellings for own in _spelled(one)})


def _only(one: Target, spellings: set[str]) -> Target:
    """Return a target with some of its spellings."""
    surfaces, forms = (
        [spelling for spelling in every if spelling in spellings]
        for every in (one.surfaces, one.forms)
    )
    return one._replace(surfaces=surfaces, forms=forms)


def _stands(spelling: str, words: set[str]) -> bool:
    written = _WORD.findall(spelling.lower())
    return words.issuperset(written) or any(map(words.issuperset, _compared(spelling)))


def _spelled(text: str) -> Sequence[list[str]]:
    """Return the words of a text as written; as the check, and as redaction compares them."""
    return _WORD.findall(text.lower()), *_compared(text)


def _compared(text: str) -> Sequence[list[str]]:
    """Return the words of a text as check and redaction compare them, where these are others."""
    if _is_plain(text):
        return ()
    return [_WORD.findall(fold(text)) for fold in (fold_for_comparison, fold_characters)]


def _is_plain(text: str) -> bool:
    """Return whether the words of a text as written are those that are compared."""
    return text.isascii() and not may_hold(text)


def words_in(texts: Iterable[str]) -> set[str]:
    """Return the words of texts, in small letters, as they are written and as they are compared."""
    plain, others = list[str](), list[str]()
    for text in texts:
        (plain if _is_plain(text) else others).append(text)
    words = set(_WORD.findall("\n".join(plain).lower()))
    return words.union(word for text in others for words in _spelled(text) for word in words)


def words_checked(document: Document) -> set[str]:
    """Return the words of all that the check of a masked document looks at."""
    texts = [text for _, text, _ in texts_of(document)]
    return words_in(chain(texts, *map(hidden_texts, texts)))


def words_cut(document: Document, mentions: Iterable[Mention]) -> set[str]:
    """Return what mentions leave of words in which they begin or end.

    The rest is a word beside a mask: "ford", if "Hart" is masked in "Hartford". Of a word with more
    than `CUTS` such places only some parts are returned; the check finds what is missed there.
    """
    cuts: dict[str, set[int]] = {}
    for one in mentions:
        cuts.setdefault(one.field, set()).update((one.start, one.end))
    left: set[str] = set()
    for name, text in document.fields():
        places = sorted(
            at
            for at in cuts.get(name, ())
            if text[at - 1 : at].isalnum() and text[at : at + 1].isalnum()
        )
        for word in _WORD.finditer(text) if places else ():
            low, high = bisect_right(places, word.start()), bisect_left(places, word.end())
            if low < high:
                ends = [word.start(), *places[low : min(high, low + CUTS)], word.end()]
                left |= {text[a:b] for a in ends for b in ends if a < b}
    return words_in(left)
