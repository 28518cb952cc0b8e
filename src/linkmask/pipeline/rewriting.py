"""Style `rewrite` over a batch: what a model wrote is looked at before it takes a document's place.

Good is a text in which no masked value can be read in any known form, every kept value of the
document still stands, and detection sees nothing that the document did not hold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from linkmask import llm, schema, verify
from linkmask.config import Settings
from linkmask.llm import Model
from linkmask.pipeline.detection import Pair
from linkmask.pipeline.progress import Source
from linkmask.records import CONTENT, Document, Masked, Mention, SetAside, entity_id
from linkmask.redact.match import Matcher
from linkmask.redact.rewrite import Faults, Rewritten, requests, rewrite
from linkmask.runs import ledger

EMPTY = "nothing was written"
LEFT = "a masked value can be read"
PLACEHOLDER = "a placeholder is left"
LOST = "a kept value is missing"
NEW = "a value the document did not hold"


@dataclass(frozen=True)
class Looked:
    """The look at a rewritten text.

    `inspector` finds masked values that can be read, `detect` what the text says otherwise;
    `forms` are the other ways to write a value; `known` the ids of the corpus's entities.
    """

    inspector: verify.Inspector
    detect: Callable[[Document], list[Mention]] | None
    forms: Callable[[str, str], Sequence[str]]
    known: frozenset[str]
    settings: Settings

    def __call__(self, masked: Masked, mentions: Sequence[Mention], text: str) -> Faults:
        """Say what is wrong with a text that is to take the place of a masked one."""
        if not text.strip():
            return Faults({EMPTY: 1}, ["it is empty"])
        reasons: Counter[str] = Counter()
        told: list[str] = []
        alone = Document(masked.id, text)
        if left := [f for f in self.inspector(alone).findings if f.blocking]:
            reasons[LEFT] += len(left)
            told.append("it names something that was removed: say it in general words")
        placeholder = schema.placeholders(schema.load(self.settings.schema).types)
        for found in dict.fromkeys(placeholder.findall(text)):
            reasons[PLACEHOLDER] += 1
            told.append(f"the placeholder {found} is still there")
        for original in self._lost(masked, mentions, text):
            reasons[LOST] += 1
            told.append(f"this has to stand in it as it is written here: {original}")
        for mention in self._new(replace(alone, metadata=masked.metadata), mentions):
            reasons[NEW] += 1
            told.append(f"it says this, which the text did not: {mention.original}")
        return Faults(dict(reasons), told)

    def _lost(self, masked: Masked, mentions: Sequence[Mention], text: str) -> list[str]:
        """Return kept values of the document that stand in the text in no known form."""
        spans = [(one.start, one.end) for one in masked.replacements if one.field == CONTENT]
        kept: dict[tuple[str, str], list[str]] = {}
        for mention in mentions:
            if mention.field == CONTENT and not _touched(mention, spans):
                kept.setdefault((mention.type, mention.value), []).append(mention.original)
        owners: dict[str, int] = {}
        for number, ((kind, value), originals) in enumerate(kept.items()):
            for form in (*originals, *self.forms(kind, value)):
                owners.setdefault(form, number)
        found = {n for _, _, n in Matcher(list(owners), list(owners.values())).find([text])[0]}
        return [own[0] for number, own in enumerate(kept.values()) if number not in found]

    def _new(self, document: Document, mentions: Sequence[Mention]) -> list[Mention]:
        """Return what detection sees and the document did not hold, where that can do harm.

        That is: a masked entity, another entity of the corpus, or anything masked whatever the
        risk.
        """
        if self.detect is None:
            return []
        here = {(m.type, m.value) for m in mentions}
        separator = self.settings.id_separator
        return [
            m
            for m in self.detect(document)
            if m.field == CONTENT
            and (m.type, m.value) not in here
            and (
                m.type in self.settings.floor or entity_id(m.value, m.type, separator) in self.known
            )
        ]


def _touched(mention: Mention, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether one of the spans, sorted and disjoint, shares text with a mention."""
    at = bisect_right(spans, mention.start, key=lambda span: span[1])
    return at < len(spans) and spans[at][0] < mention.end


@dataclass(frozen=True)
class Rewriting:
    """Rewrites masked documents, a batch at a time; what it can't do well it leaves as it is."""

    model: Model
    look: Looked
    costs: ledger.Ledger
    settings: Settings

    def __call__(
        self, masked: Sequence[Masked | SetAside], pairs: Sequence[Pair]
    ) -> list[Masked | SetAside]:
        """Return the batch with the contents rewritten that masking changed."""
        due = [
            (number, item, mentions)
            for number, (item, (_, mentions)) in enumerate(zip(masked, pairs, strict=True))
            if isinstance(item, Masked) and item.content != item.original.content
        ]
        made = rewrite(
            self.model,
            [item.content for _, item, _ in due],
            lambda number, text: self.look(due[number][1], due[number][2], text),
            self.settings,
        )
        done = list(masked)
        for (number, item, _), one in zip(due, made, strict=True):
            self._note(item.id, one)
            if one.text is not None:
                written = item.written.with_fields({CONTENT: one.text})
                done[number] = structs.replace(item, written=written)
        return done

    def _note(self, document: str, one: Rewritten) -> None:
        self.costs.add(
            ledger.Line(
                document,
                "rewrite",
                one.requests,
                one.cached,
                one.tokens_in,
                one.tokens_out,
                round(one.seconds, 3),
                {} if one.text is not None else dict(sorted(one.faults.reasons.items())),
                [ledger.VALUE if one.text is None else ledger.REWRITTEN],
            )
        )


def estimate(source: Source, settings: Settings) -> llm.Estimate:
    """Say what rewriting a corpus would cost at most, were each document written once, whole."""
    texts = (item.content for item in source() if not isinstance(item, SetAside))
    return llm.estimate(requests(texts, settings), settings)
