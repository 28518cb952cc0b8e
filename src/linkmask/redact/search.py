"""Finds masked values in texts, and the entity that each span belongs to."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkmask.records import CapitalizedSpelling, Flags, Longs, Replacement
from linkmask.redact.match import Columns, Hit, Matcher, join, text_of
from linkmask.redact.splice import Span, cuts_a_word, disjoint_spans, spans_outside, splice
from linkmask.text.codes import SEPARATOR, fold_characters, is_word, points_of, punctuation_alike
from linkmask.text.escapes import escapes
from linkmask.text.spelled_words import gaps_in_words, spelled_words
from linkmask.text.view import TextView, view_after_edits

_DROPPED = -(1 << 40)


class SearchResult(NamedTuple):
    """Many texts searched as one, `text`; all places are places in it.

    `begins[i]` is where text i begins; one more ends them. `found`: the hits, sorted.
    `spans`: the spans to write over, disjoint; `of` says in which text each is. Where `clear[i]` is
    False, spans overlap in text i in a way that `Search.spans` has to decide, and `spans` does not
    count for it.
    """

    text: str
    begins: Longs
    found: Columns
    spans: Columns
    of: Longs
    clear: Flags


class Search:
    """All spellings that are looked for, each with those whose spelling it is.

    Args:
        spellings: those of each masked entity, by its number; they are read once.
        placeholder: what is never part of a value.
        anywhere: a hit counts in any document, else only where its entity was found.
    """

    def __init__(
        self, spellings: Iterable[Sequence[str]], placeholder: re.Pattern[str], anywhere: bool
    ) -> None:
        owner: dict[str, int] = {}  # no list for each of millions of forms: few have two owners
        several: dict[str, list[int]] = {}
        small = set[str]()  # forms that one entity has with a capital only, and another anyhow
        for number, forms in enumerate(spellings):
            for form in forms:
                if form in owner:
                    several.setdefault(form, [owner[form]]).append(number)
                    if not isinstance(form, CapitalizedSpelling):
                        small.add(form)
                else:
                    owner[form] = number
        self._placeholder = placeholder
        self._anywhere = anywhere
        self._shared = sorted({tuple(own) for own in several.values()})
        self._opening, self._closing = map(_touching, _edges(owner))
        self._matcher = Matcher(list(owner), self._reported(owner, several, small))

    @classmethod
    def stored(
        cls, columns: Mapping[str, Any], placeholder: re.Pattern[str], anywhere: bool
    ) -> Search:
        """Return a search over the arrays that `columns` gave of another, perhaps from a file."""
        search = cls.__new__(cls)
        search._placeholder, search._anywhere = placeholder, anywhere
        begins, shared = columns["shared_begins"].tolist(), columns["shared"].tolist()
        search._shared = [tuple(shared[low:high]) for low, high in pairwise(begins)]
        search._opening, search._closing = columns["opening"], columns["closing"]
        search._matcher = Matcher.stored(columns)
        return search

    def columns(self) -> dict[str, Any]:
        """Return the prepared spellings of a search as arrays by name."""
        sizes = [len(own) for own in self._shared]
        return {
            **self._matcher.columns(),
            "shared": np.array([number for own in self._shared for number in own], np.int64),
            "shared_begins": np.append(0, np.cumsum(sizes, dtype=np.int64)),
            "opening": self._opening,
            "closing": self._closing,
        }

    def _reported(
        self, owner: dict[str, int], several: Mapping[str, Sequence[int]], small: Container[str]
    ) -> Longs:
        """Return the number by which the search reports each form.

        It is twice the number of the form's entity, plus 1 if the form counts only with a capital;
        below 0 if several entities have the form. `small`: forms of several that count anyhow.
        """
        shared = {own: -1 - index for index, own in enumerate(self._shared)}
        owner |= {form: shared[tuple(own)] for form, own in several.items()}
        reported = 2 * np.fromiter(owner.values(), np.int64, len(owner))
        proper = {fold_characters(form) for form in owner if isinstance(form, CapitalizedSpelling)}
        if proper:
            words = (
                form
                for form in owner
                if not isinstance(form, CapitalizedSpelling) and " " not in form
            )
            proper.difference_update(map(fold_characters, words))
            reported += np.fromiter(
                (
                    isinstance(form, CapitalizedSpelling)
                    and form not in small
                    and fold_characters(form) in proper
                    for form in owner
                ),
                np.int64,
                len(owner),
            )
        return reported

    @property
    def compiled(self) -> bool:
        """Whether so much was searched that compiled loops pay for themselves."""
        return self._matcher.compiled

    def hold_any(self, texts: Sequence[str]) -> list[bool]:
        """Tell for each text whether it has any spelling that is searched for."""
        return [bool(hits) for hits in self._matcher.find(texts)]

    def many(self, texts: Sequence[str]) -> SearchResult:
        """Search many texts at once."""
        text, begins = join(texts)
        raw = starts, ends, numbers = self._columns(text)
        clear = np.ones(len(texts), np.bool_)
        clear[text_of(starts[numbers < 0], begins)] = False
        if (starts[1:] < ends[:-1]).any():
            starts, ends, numbers = _united(*raw)
        torn = self._torn(text, starts, ends)
        of = text_of(starts, begins)
        clear[of[torn]] = False
        return SearchResult(text, begins, raw, (starts, ends, numbers), of, clear)

    def spans(
        self, text: str, own: Sequence[Span], hits: Sequence[Hit], here: set[int]
    ) -> list[Span]:
        """Return the disjoint spans to write over in a text.

        Args:
            own: the mentions in it whose entity is masked.
            hits: what was found in it.
            here: numbers of the entities that the document mentions.
        """
        swept = self._owned(hits, here)
        if own and "[" in text:
            own = spans_outside(own, [match.span() for match in self._placeholder.finditer(text)])
        more = set(own).difference(swept)
        spans = disjoint_spans([*more, *swept])
        edges = np.array(spans, np.int64).reshape(-1, 3)
        again = any(cuts_a_word(text, *span[:2]) for span in more)
        again = again or bool(self._torn(text + SEPARATOR, edges[:, 0], edges[:, 1]).any())
        while again:
            blank = [Replacement("", s, e, "", "", SEPARATOR * (e - s)) for s, e, _ in spans]
            columns = (column.tolist() for column in self._columns(splice(text, blank)))
            found = self._owned(zip(*columns, strict=True), here)
            spans = disjoint_spans([*spans, *found])
            again = bool(found)
        return spans

    def _columns(self, text: str) -> Columns:
        """Return what is found in a text, placeholders aside, with the numbers of the owners."""
        if not len(self._matcher):
            nothing = np.zeros(0, np.int64)
            return nothing, nothing, nothing
        if "[" in text:
            blank = self._placeholder.sub(lambda match: SEPARATOR * len(match[0]), text)
        else:
            blank = text
        starts, ends, reported = self._in_all_views(blank)
        for hit in np.flatnonzero(reported & 1).tolist():
            if text[starts[hit]].islower():
                reported[hit] = _DROPPED
        kept = reported != _DROPPED
        found = starts[kept], ends[kept], reported[kept] >> 1
        if not self._anywhere:
            return found  # which of them count is not known here
        kept = ~_read_across(text, *found[:2])
        return found if kept.all() else (found[0][kept], found[1][kept], found[2][kept])

    def _in_all_views(self, text: str) -> Columns:
        """Return what is found in a text as it is, by its escapes (`%20`) and in spelled words.

        Letter case says nothing of a spelled word, so one in small letters counts, too.
        """
        found = [self._matcher.search(text), self._in_view(view_after_edits(text, escapes(text)))]
        if words := list(spelled_words(text)):
            for before_capitals in (False, True):
                view = view_after_edits(text, gaps_in_words(text, words, before_capitals))
                starts, ends, numbers = self._in_view(view)
                found.append((starts, ends, numbers & ~1))
        if not any(len(starts) for starts, _, _ in found[1:]):
            return found[0]
        rows = np.concatenate([np.stack(columns, axis=1) for columns in found])
        first, last, number = np.unique(rows, axis=0).T
        return first, last, number

    def _in_view(self, view: TextView) -> Columns:
        """Return what is found in a view where something was edited, by the original text."""
        if not view.starts:
            nothing = np.zeros(0, np.int64)
            return nothing, nothing, nothing
        starts, ends, numbers = self._matcher.search(view.text)
        edits = np.array(view.starts)  # the escapes' characters lie just before
        near = np.searchsorted(edits, starts) < np.searchsorted(edits, ends + 1, "right")
        return (*view.originals(starts[near], ends[near]), numbers[near])

    def _torn(self, text: str, starts: Longs, ends: Longs) -> Flags:
        """Tell which spans may be touched by a form that begins or ends with punctuation.

        A mask can make a part of a word whole: "ford" if "Hart" is masked in "Hartford", or the
        second "#77382" of "#77382#77382". Such texts are searched again, so that masking a masked
        text changes nothing.
        """
        points = points_of(text)
        before, after = points[starts - 1], points[ends]
        return np.isin(before, self._closing) | np.isin(after, self._opening)

    def _owned(self, hits: Iterable[Hit], here: set[int]) -> list[Span]:
        """Return the entity of each hit: one found in this document, else the weightiest.

        In scope `documents` a hit counts only where its entity was found.
        """
        spans: list[Span] = []
        for start, end, number in hits:
            owners = self._shared[-1 - number] if number < 0 else (number,)
            own = next((owner for owner in owners if owner in here), -1)
            if own >= 0 or self._anywhere:
                spans.append((start, end, own if own >= 0 else owners[0]))
        return spans


def _edges(forms: Collection[str]) -> tuple[set[str], set[str]]:
    """Return the first and the last characters of forms, without blanks and underscores."""
    first, last = {form[:1] for form in forms}, {form[-1:] for form in forms}
    if any(not edge.strip("_ ").strip() for edge in first | last):
        clean = [one for form in forms if (one := form.replace("_", " ").strip())]
        first, last = {form[0] for form in clean}, {form[-1] for form in clean}
    return first, last


def _touching(edges: Iterable[str]) -> NDArray[Any]:
    """Return the punctuation among the edges of forms, in all its kinds, as code points."""
    other = {c for edge in edges if not is_word(edge) for c in punctuation_alike(edge)}
    return points_of("".join(sorted(other - {SEPARATOR})))


def _read_across(text: str, starts: Longs, ends: Longs) -> Flags:
    """Tell which hits read the end of one value and the beginning of the next as one value.

    Where a name stands twice, "Jane Doe, Jane Doe", its other order is found between: "Doe, Jane".
    The hits on both sides cover it; one mask over all would write over what separates them.
    """
    across = np.zeros(len(starts), np.bool_)
    reach = np.maximum.accumulate(ends)
    crossing = (starts[1:] < reach[:-1]) & (ends[1:] > reach[:-1])
    seen = right = 0
    for at in (np.flatnonzero(crossing) + 1).tolist():
        first = int(np.searchsorted(starts, starts[at]))
        right = int(np.where(across[seen:first], 0, ends[seen:first]).max(initial=right))
        seen, after = first, int(np.searchsorted(starts, right))
        while starts[at] < right and after < len(starts) and starts[after] < ends[at]:
            if any(map(is_word, text[right : starts[after]])):
                break
            if ends[after] >= ends[at]:
                across[at] = True
                break
            after += 1
    return across


def _united(starts: Longs, ends: Longs, numbers: Longs) -> Columns:
    """Unite overlapping hits as `disjoint_spans` does; they are sorted."""
    reach = np.maximum.accumulate(ends)
    first = np.append(True, starts[1:] >= reach[:-1])
    order = np.lexsort((numbers, starts - ends, np.cumsum(first)))
    opens = np.flatnonzero(first)
    return starts[opens], reach[np.append(opens[1:], len(starts)) - 1], numbers[order[opens]]
