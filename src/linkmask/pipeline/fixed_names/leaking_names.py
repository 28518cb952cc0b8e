"""Tells which names of documents and files hold a masked value, or name a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from linkmask.pipeline.values.possible_spellings import PossibleSpellings, words_in
from linkmask.redact import Target, sweepable
from linkmask.text.letters import HASHED, spaced_words

SHORT = 3
"""Values of up to so many characters are ignored in names, because many names hold a number."""


class LeakingNames:
    """Tells which names hold a masked value, in any known form, or name a person.

    Files are often named after a bare surname. `detect` returns those of some names in which it
    finds a person; it gets the names that are expected.
    """

    def __init__(
        self,
        targets: Mapping[str, Target],
        spellings: PossibleSpellings,
        detect: Callable[[Collection[str]], Collection[str]] = lambda _: (),
    ) -> None:
        self._targets, self._spellings, self._detect = targets, spellings, detect
        self._detected: set[str] = set()
        self._words: set[str] = set()
        self._any = False
        self._spoken: set[str] = set()
        self._first: set[str] = set()
        self._longest = 0

    def expect(self, names: Collection[str]) -> None:
        """Prepare for these names, so that only values are searched for that can stand in them."""
        self._detected.update(map(spaced_words, self._detect(names)))
        words = words_in(names)
        for name in names:
            if len(name) >= HASHED or not name.isascii():  # else it has no other words
                words.update(spaced_words(name).split())
        if not (self._any or words <= self._words):
            self._words |= words
            self._learn(self._spellings.among(self._words))

    def _learn(self, targets: Mapping[str, Target]) -> None:
        values = (
            value
            for one in targets.values()
            for value in (*one.surfaces, *(f for f in one.forms if sweepable(one.type, f)))
        )
        self._spoken = {spoken for value in values if len(spoken := spaced_words(value)) > SHORT}
        self._first = {spoken.partition(" ")[0] for spoken in self._spoken}
        self._longest = max((one.count(" ") + 1 for one in self._spoken), default=0)

    def __call__(self, words: str) -> bool:
        """Tell whether a name, in small words with single blanks, holds a masked value."""
        if words in self._detected:
            return True
        parts = words.split()
        if not (self._any or self._words.issuperset(parts)):
            self._any = True
            self._learn(self._targets)
        return any(
            " ".join(parts[start:end]) in self._spoken
            for start in range(len(parts))
            if parts[start] in self._first
            for end in range(start + 1, min(start + self._longest, len(parts)) + 1)
        )
