"""Defines the rules that show whose a value is: the person's, another's or nobody's.

`whose:` names the last word before the value that means the document's person, a relative,
somebody who treats or handles, a closing, or a company; `kin:` how a word for a relative relates to
the value; `firm:near` a word for a company nearby ("our office at"); `last:` the last such word of
the previous sentence; `then:` the first one after the value; `lead:` one before the line that the
value begins; `place:` a position at the text's head or foot; `name:` whether the text named
somebody before; `by:` the source of the mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.relevance.discourse import Names, Sentences, trigger_words
from linkmask.schema import types_of

WINDOW = 80
"""Characters before a sentence in which it is heard of whom the one before spoke."""
BEHIND = 40
"""Characters after a value in which it is said whose it is, and before a line that it begins."""
NEAR = 3
"""Words from one for family to the value that is theirs: "sister Ada, 41"."""
FIRM = frozenset({"firm", "office"})
"""Words for a firm that speaks of itself ("our"), and for its parts."""
CONTACT = types_of("phone", "email", "address", "url")
"""Types by which one reaches a firm, too."""
PERSONS = types_of("person")
AROUND = ("by:", "last:", "lead:", "name:", "place:", "then:")
"""How the rules begin that no score depends on: they are looked at when whose is asked."""
EDGE = 160
"""Characters that a text's head has, and its foot."""


class AttributionRules:
    """Reads one text's words that show whose its values are, value by value."""

    __slots__ = ("_cue_of", "_last", "_names", "_none", "_said", "_starts")

    def __init__(self, sentences: Sentences, language: str) -> None:
        self._cue_of, self._none = _trigger_tables(language)
        self._said, self._starts = sentences.words, sentences.starts
        self._last: dict[int, str] = {}
        self._names: set[bytes] = set()

    def before(self, words: Sequence[bytes], kind: str) -> list[str]:
        """Return the rules of the words before a value of a type, in its sentence."""
        if self._none(words):
            return []
        cues = list(map(self._cue_of.get, words))
        persons = list(filter(None, cues))
        holding = [WHOSE[persons[-1]]]
        if persons[-1] == "kin":
            far = cues[::-1].index("kin")
            holding.append(KIN["near" if far < NEAR else "far"])
            if len(words) - far <= NEAR:
                holding.append(KIN["first"])
        elif persons[-1] in FIRM:
            if kind in CONTACT and "firm" in cues[-NEAR - 1 :]:
                holding.append("firm:near")
        elif "kin" in persons:
            holding.append(KIN["before"])
        return holding

    def around(self, one: Candidate, at: int) -> list[str]:
        """Return the rules of the context beyond its sentence, its position and its source."""
        start, end, text = one.start, one.end, self._said
        holding = [*BY[one.rule]]
        if not self._none(behind := text[end : end + BEHIND].split()[:4]):
            holding.append(THEN[next(filter(None, map(self._cue_of.get, behind)))])
        first = self._starts[at]
        if start == first:
            lead = text[max(start - BEHIND, 0) : start].split()[-3:]
            if not self._none(lead):
                holding.append(LEAD[next(filter(None, map(self._cue_of.get, reversed(lead))))])
        if at not in self._last:
            words = text[max(first - WINDOW, 0) : first].split()
            cue = next(filter(None, map(self._cue_of.get, reversed(words))), "")
            self._last[at] = LAST[cue] if cue else ""
        if self._last[at]:
            holding.append(self._last[at])
        if start < EDGE:
            holding.append("place:head")
        if start > len(text) - EDGE:
            holding.append("place:foot")
        if one.type in PERSONS:
            holding.append(self._name_rule(text[start:end].split()))
        return holding

    def _name_rule(self, words: Sequence[bytes]) -> str:
        """Tell whether a name is a text's first or shares a word with that."""
        if not self._names:
            self._names.update(words)
            return "name:first"
        return "name:other" if self._names.isdisjoint(words) else "name:again"


@cache
def _trigger_tables(language: str) -> tuple[Mapping[bytes, str], Callable[[Iterable[bytes]], bool]]:
    """Return word → whom it means, and what tells that none of some words means anybody."""
    cue_of = trigger_words(language, "whose")
    return cue_of, frozenset(cue_of).isdisjoint


class _By(dict[str, list[str]]):
    """What found a value → the rules that say so: "phone+label" are two."""

    def __missing__(self, rule: str) -> list[str]:
        parts = rule.replace(", ", "+").split("+")
        self[rule] = names = [f"by:{part}" for part in dict.fromkeys(parts) if part]
        return names


BY = _By()
WHOSE, KIN, LAST, THEN, LEAD = map(Names, ("whose", "kin", "last", "then", "lead"))
