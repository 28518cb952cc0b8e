"""Checks each masked document for leftovers of masked values and for damaged masks.

This search differs from the redactor's: it compares texts in Unicode's own folding, by an
Aho–Corasick automaton over all values, without offsets. So the two methods err differently.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkmask import schema
from linkmask.config import Settings
from linkmask.records import (
    Document,
    Finding,
    FindingKind,
    Masked,
    Mention,
    Replacement,
)
from linkmask.text.added import label_spans
from linkmask.text.hidden_texts import hidden_texts, hidden_ways
from linkmask.text.view import TextView, each_character
from linkmask.verify.comparison import fold_but_case
from linkmask.verify.message_shape import added_separators, without_control_numbers
from linkmask.verify.patterns import Patterns

BARRIER = "\uffff"
"""Stands for a placeholder while a text is searched: no value holds it."""
_BAND = re.compile(r"(?<!\w)(?:0–9|([1-8])0–(?:\1)9)(?!\w)")
"""A band of ages, as `redact.techniques.numbers.band` writes it: "30–39" does not say "39"."""

CLINICAL = schema.types_of("clinical")
"""Types that often name the rest of a masked value: "infusions" after the mask of a drug.

A mention of such a type right beside a mask with a score below `UNSURE` is no new value, no leak.
"""
UNSURE = 0.5
REMEMBERED = 1 << 12
"""Number of texts whose masked values are cached."""
LONGEST = 120
"""Characters of such a text, at most."""


@dataclass(frozen=True, slots=True)
class Inspected:
    """The result of inspecting a masked document: its findings, and the values in it."""

    document: str
    findings: Sequence[Finding]
    mentions: Sequence[Mention] = ()


class Inspector:
    """Inspects one masked document at a time; cheap to send to another process.

    Args:
        values: for each masked entity, the spellings that must be gone.
        settings: of the run.
        written: texts that stand for masked values and look like values (surrogates).
        where: the entities that must be gone from a document, by its id; in others a leftover is
            listed but does not block (scope `documents`). Without it, everything everywhere.
        exchanged: entities that are leftovers in what counts messages only of their own document.
    """

    def __init__(
        self,
        values: Mapping[str, Sequence[str]],
        settings: Settings,
        *,
        written: Iterable[str] = (),
        where: Callable[[str], Iterable[str]] | None = None,
        exchanged: frozenset[str] = frozenset(),
    ) -> None:
        self._patterns = Patterns(values)
        self._types = settings.entity_types.types
        self._placeholder = schema.placeholders(self._types)
        names = "|".join(map(re.escape, (*self._types, "REDACTED")))
        self._opened = re.compile(rf"\[(?:{names})(?=[_\[]|[0-9a-f]{{6}}|$)")
        self._written = frozenset(written)
        self._where, self._exchanged = where, exchanged
        self._remembered: dict[str, Sequence[str]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_remembered": {}}

    def __call__(
        self,
        masked: Masked | Document,
        mentions: Iterable[tuple[str, Mention]] = (),
        found: Iterable[Mention] = (),
        shown: Masked | None = None,
    ) -> Inspected:
        """Inspect a document.

        Args:
            masked: as masked, or as read back.
            mentions: those of its original that had to be masked, with ids.
            found: what detection sees in it now; what masking did not write is handed on for
                `residual_findings`.
            shown: the document as detection was shown it, where that is not `masked`.
        """
        document = as_released(masked)
        mentions = list(mentions)
        findings = list(self._leftovers(document, {entity for entity, _ in mentions}))
        if isinstance(masked, Masked):
            findings += self._malformed(masked)
            findings += _unfaithful(masked)
            findings += added_separators(masked)
            findings += _uncovered(masked, mentions)
        return Inspected(document.id, findings, list(self._seen(shown or masked, found)))

    def _leftovers(self, document: Document, own: set[str]) -> Iterator[Finding]:
        """Name each masked entity that can still be read in a field or in the name of one."""
        leftovers: dict[str, Counter[str]] = {}
        kept: set[str] = set()
        for name, text, excluded in texts_of(document):
            for entity in self._leftovers_in(text, own):
                leftovers.setdefault(entity, Counter())[name] += 1
                kept |= set() if excluded else {entity}
        must = kept if self._where is None else kept & set(self._where(document.id))
        for entity, fields in sorted(leftovers.items()):
            detail = "still readable in " + ", ".join(f"{n} ({c})" for n, c in fields.items())
            hidden = self._hidden(document, entity)
            detail += f", {hidden}" if hidden else ""
            kind: FindingKind = "leftover" if entity in kept else "excluded"
            yield Finding(document.id, kind, detail, entity in must, entity, tuple(fields), hidden)

    def _hidden(self, document: Document, entity: str) -> str:
        """Return how a document holds an entity that can be read in it; "" for as it is."""
        texts = [text for _, text, _ in texts_of(document)]
        if any(entity in self._owners_in(text) for text in texts):
            return ""
        ways = (one for text in texts for one in hidden_ways(text))
        return next((way for way, text in ways if entity in self._owners_in(text)), "")

    def _leftovers_in(self, text: str, own: set[str]) -> Sequence[str]:
        found = self._known_entities(text)
        others = self._exchanged.intersection(found) - own
        if not others:
            return found
        others -= {*self._known_entities(without_control_numbers(text, BARRIER))}
        return [entity for entity in found if entity not in others]

    def readable(self, texts: Iterable[str]) -> set[str]:
        """Return the masked entities that can be read in texts."""
        return {entity for text in texts for entity in self._known_entities(text)}

    def _known_entities(self, text: str) -> Sequence[str]:
        """Return what `_entities_in` yields: keys and values stand in many records alike."""
        if text in self._remembered:
            return self._remembered[text]
        found = tuple(self._entities_in(text))
        if len(text) <= LONGEST:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[text] = found
        return found

    def _entities_in(self, text: str) -> Iterator[str]:
        """Yield the masked entities that stand in a text, once for each place."""
        for one in (text, *hidden_texts(text)):
            yield from self._owners_in(one)

    def _owners_in(self, text: str) -> Iterator[str]:
        """Yield the same of a text as it is."""
        for pattern in self._values_in(text):
            yield from self._patterns.owners(pattern)

    def _values_in(self, text: str) -> list[int]:
        """Return the numbers of the values that stand in a text as whole words."""
        if not len(self._patterns.index):
            return []
        text = _BAND.sub(BARRIER, text) if "–" in text else text
        cased = fold_but_case(self._placeholder.sub(BARRIER, text) if "[" in text else text)
        text = cased.casefold()
        found = list(self._patterns.index.find(text))
        proper = self._patterns.proper
        if not any(proper[pattern] for pattern, _ in found):
            return [pattern for pattern, _ in found]
        longer = len(cased) < len(text)
        small = each_character(cased, str.casefold) if longer else TextView(text)
        return [
            pattern
            for pattern, start in found
            if not proper[pattern] or cased[small.original(start, start + 1)[0]].isupper()
        ]

    def _malformed(self, masked: Masked) -> Iterator[Finding]:
        """Find placeholders that masking cut, nested, or gave something that is no hash.

        Texts of that form in the original don't count: "[NAME_OF_PATIENT]" in a template. The
        digest shows whether a document that is read back is as it was checked.
        """
        before: dict[str, str] = {}
        for name, text in masked.written.fields():
            if bad := self._count_malformed(text):
                before = before or dict(masked.original.fields())
                if (new := bad - self._count_malformed(before.get(name, ""))) > 0:
                    yield Finding(masked.id, "placeholder", f"{new} malformed in {name}")

    def _count_malformed(self, text: str) -> int:
        """Return how many placeholders open in a text that are none."""
        if "[" not in text:
            return 0
        good = {match.start() for match in self._placeholder.finditer(text)}
        return sum(match.start() not in good for match in self._opened.finditer(text))

    def _seen(self, masked: Masked | Document, found: Iterable[Mention]) -> Iterator[Mention]:
        """Yield the values that detection sees, save what was written there by masking."""
        ours: dict[str, list[tuple[int, int]]] = {}
        for name, start, end in spans_of(masked) if isinstance(masked, Masked) else ():
            ours.setdefault(name, []).append((start, end))
        for name, text in as_released(masked).fields():
            if "[" in text:
                spans = [match.span() for match in self._placeholder.finditer(text)]
                ours[name] = sorted({*ours.get(name, ()), *spans})
        for mention in found:
            spans = ours.get(mention.field, [])
            reach = int(mention.type in CLINICAL and mention.why.score < UNSURE)
            if mention.original not in self._written and not _touches(mention, spans, reach):
                yield mention


def _touches(mention: Mention, spans: Sequence[tuple[int, int]], reach: int = 0) -> bool:
    """Tell whether a mention overlaps one of the spans, which are sorted and hardly overlap.

    Or stands right beside it, where `reach` is 1 more character.
    """
    after = bisect_left(spans, (mention.end + reach, 0))
    near = spans[max(0, after - 2) : after]
    return any(end + reach >= mention.start if reach else end > mention.start for _, end in near)


Spans = list[tuple[str, int, int]]
"""Field, start and end of each mask in a masked document."""


def spans_of(masked: Masked) -> Spans:
    """Return where the replacements stand in the masked document."""
    shift: Counter[str] = Counter()
    spans = []
    for one in masked.replacements:
        start = one.start + shift[one.field]
        spans.append((one.field, start, start + len(one.text)))
        shift[one.field] += len(one.text) - (one.end - one.start)
    return spans


def as_released(masked: Masked | Document) -> Document:
    """Return a masked document as it is released."""
    return masked if isinstance(masked, Document) else masked.written


def texts_of(document: Document) -> Iterator[tuple[str, str, bool]]:
    """Yield the place and text of each field and key, and whether it is excluded.

    Labels that stand nowhere in the file are left out.
    """
    added = document.labels - document.repeated
    for name, text in document.every_field():
        if name not in document.names:  # its lines are keys
            labels, _ = label_spans(text, added)
            yield name, _without(text, labels) if labels else text, name in document.excluded
    for path, key, excluded in document.every_key():
        yield f"a key of {path.partition('/')[0]}", key, excluded


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text with a barrier in the place of each span; the spans are sorted and disjoint."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    kept = zip(edges[::2], edges[1::2], strict=True)
    return BARRIER.join(text[start:end] for start, end in kept)


def _by_field(masked: Masked) -> dict[str, list[Replacement]]:
    fields: dict[str, list[Replacement]] = {}
    for replacement in masked.replacements:
        fields.setdefault(replacement.field, []).append(replacement)
    return fields


def _unfaithful(masked: Masked) -> Iterator[Finding]:
    """Rebuild each field from its original and the replacements; nothing else may differ."""
    before = dict(masked.original.every_field())
    after = dict(masked.written.every_field())
    replacements = _by_field(masked)
    for name, text in before.items():
        at, parts = 0, []
        for replacement in replacements.get(name, ()):
            parts += [text[at : replacement.start], replacement.text]
            at = replacement.end
        if "".join([*parts, text[at:]]) != after.get(name):
            yield Finding(masked.id, "unreadable", f"{name} differs outside its masks")
    if before.keys() != after.keys():
        yield Finding(masked.id, "unreadable", "the shape of its record differs")


def _uncovered(masked: Masked, mentions: Iterable[tuple[str, Mention]]) -> Iterator[Finding]:
    """Find mentions of masked entities of which replacements leave a letter or a digit."""
    replacements = _by_field(masked)
    ends = {name: [one.end for one in own] for name, own in replacements.items()}
    for entity, mention in mentions:
        own = replacements.get(mention.field, [])
        at = mention.start
        first = bisect_right(ends.get(mention.field, ()), at)
        if first < len(own) and own[first].start <= at and own[first].end >= mention.end:
            continue  # one mask covers it, as nearly every mention
        for index in range(first, len(own)):
            one = own[index]
            if at >= mention.end or _holds_more(mention, at, min(one.start, mention.end)):
                break
            at = max(at, one.end)
        if _holds_more(mention, at, mention.end):
            detail = f"a mention of type {mention.type} in {mention.field} is not covered"
            yield Finding(masked.id, "leftover", detail, entity=entity, fields=(mention.field,))


def _holds_more(mention: Mention, start: int, end: int) -> bool:
    """Tell whether a letter or a digit of a mention stands between two places of its field."""
    part = mention.original[start - mention.start : max(end, start) - mention.start]
    return any(map(str.isalnum, part))
