"""Runs style `rewrite`: a text that a model wrote is checked before it replaces a document.

A text is accepted if no masked value can be read in it in any known form, every kept value of the
document still stands in it, and detection finds nothing that the document did not hold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from msgspec import structs

from linkmask import llm, schema, verify
from linkmask.config import Settings
from linkmask.corpus import record_digest
from linkmask.llm import LanguageModel
from linkmask.pipeline.detection.detector import detector_of_masked, same_thing
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import ByDocument, Pair, with_mentions
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.records import CONTENT, Document, Masked, Mention, SetAside, entity_id
from linkmask.redact.batch_size import CHARACTERS, batch_weight
from linkmask.redact.match import Matcher
from linkmask.redact.rewrite import Faults, Rewritten, requests, rewrite
from linkmask.runs import MaskedFile, ledger, row_of
from linkmask.workers import batches

ASKED = 256
"""Documents that a language model is asked about at once."""

EMPTY = "nothing was written"
LEFT = "a masked value can be read"
PLACEHOLDER = "a placeholder is left"
LOST = "a kept value is missing"
NEW = "a value the document did not hold"


@dataclass(frozen=True)
class RewriteCheck:
    """Checks a rewritten text.

    `inspector` finds masked values that can be read, `detect` finds other values, `forms` returns
    the other forms of a value, and `known` holds the ids of the corpus's entities.
    """

    inspector: verify.Inspector
    detect: Callable[[Document], list[Mention]] | None
    forms: Callable[[str, str], Sequence[str]]
    known: frozenset[str]
    settings: Settings

    def __call__(
        self, masked: Masked, field: str, mentions: Sequence[Mention], text: str
    ) -> Faults:
        """Return the faults of a text that is to replace a masked field."""
        if not text.strip():
            return Faults({EMPTY: 1}, ["it is empty"])
        reasons: Counter[str] = Counter()
        told: list[str] = []
        alone = Document(masked.id, text)
        if findings := [f for f in self.inspector(alone).findings if f.blocking]:
            reasons[LEFT] += len(findings)
            told.append("it names something that was removed: say it in general words")
        placeholder = schema.placeholders(self.settings.entity_types.types)
        for found in dict.fromkeys(placeholder.findall(text)):
            reasons[PLACEHOLDER] += 1
            told.append(f"the placeholder {found} is still there")
        for original in self._lost(masked, field, mentions, text):
            reasons[LOST] += 1
            told.append(f"this has to stand in it as it is written here: {original}")
        for mention in self._new(replace(alone, metadata=masked.metadata), mentions):
            reasons[NEW] += 1
            told.append(f"it says this, which the text did not: {mention.original}")
        return Faults(dict(reasons), told)

    def _lost(
        self, masked: Masked, field: str, mentions: Sequence[Mention], text: str
    ) -> list[str]:
        """Return kept values of the field that stand in the text in no known form."""
        spans = [(one.start, one.end) for one in masked.replacements if one.field == field]
        kept: dict[tuple[str, str], list[str]] = {}
        for mention in mentions:
            if mention.field == field and not _touched(mention, spans):
                kept.setdefault((mention.type, mention.value), []).append(mention.original)
        owners: dict[str, int] = {}
        for number, ((kind, value), originals) in enumerate(kept.items()):
            for form in (*originals, *self.forms(kind, value)):
                owners.setdefault(form, number)
        found = {n for _, _, n in Matcher(list(owners), list(owners.values())).find([text])[0]}
        return [own[0] for number, own in enumerate(kept.values()) if number not in found]

    def _new(self, document: Document, mentions: Sequence[Mention]) -> list[Mention]:
        """Return values that detection finds and the document did not hold, if they can do harm.

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
    """Rewrites masked documents, a batch at a time; a text that fails the check stays as it is."""

    model: LanguageModel
    check: RewriteCheck
    costs: ledger.Ledger
    settings: Settings

    def __call__(self, masked: Sequence[Masked], pairs: Sequence[Pair]) -> list[Masked]:
        """Return the batch with the texts rewritten that masking changed."""
        due = [
            (number, item, field, mentions, text)
            for number, (item, (_, mentions)) in enumerate(zip(masked, pairs, strict=True))
            for field, text in _changed_texts(item)
        ]
        made = rewrite(
            self.model,
            [text for *_, text in due],
            lambda number, text: self.check(*due[number][1:4], text),
            self.settings,
        )
        done = list(masked)
        whole = zip(due, made, strict=True)
        for number, group in groupby(whole, key=lambda each: each[0][0]):
            rewritten = {field: one for (_, _, field, _, _), one in group}
            new = {field: one.text for field, one in rewritten.items() if one.text is not None}
            item = masked[number]
            self._note(item.id, [*rewritten.values()])
            done[number] = structs.replace(item, written=item.written.with_fields(new))
        return done

    def _note(self, document: str, texts: Sequence[Rewritten]) -> None:
        """Note the cost of a document, and the faults of texts that were not rewritten."""
        faults: Counter[str] = Counter()
        for one in texts:
            faults.update({} if one.text is not None else one.faults.reasons)
        self.costs.add(
            ledger.LedgerLine(
                document,
                "rewrite",
                sum(one.requests for one in texts),
                sum(one.cached for one in texts),
                sum(one.tokens_in for one in texts),
                sum(one.tokens_out for one in texts),
                round(sum(one.seconds for one in texts), 3),
                dict(sorted(faults.items())),
                [ledger.VALUE if None in (one.text for one in texts) else ledger.REWRITTEN],
            )
        )


def rewrite_masked(
    redaction: Redaction, masked: MaskedFile, source: Source, counted: CorpusCounts
) -> tuple[MaskedFile, dict[str, str]]:
    """Rewrite the masked documents, without those set aside; also return the digest of each by id.

    Each text is checked by itself; one that fails stays as it was masked.
    """
    run, settings = redaction.run, redaction.settings
    rows = ByDocument(masked.rows(), masked.documents)
    done, digests = MaskedFile(run.path), dict[str, str]()
    pairs = (
        item
        for item in with_mentions(source, run, "mentions", counted)
        if not isinstance(item, SetAside) and item[0].id in rows
    )
    with llm.connect(settings) as model, ledger.Ledger(run.path) as costs:
        check = RewriteCheck(
            redaction.inspector(),
            detector_of_masked(run, settings) if run.has("stage1") else None,
            same_thing(run, "mentions", settings)[1],
            frozenset(redaction.incidence.entities),
            settings,
        )
        rewriting = Rewriting(model, check, costs, settings)
        for batch in batches(pairs, CHARACTERS, lambda pair: batch_weight(pair[0].content, ASKED)):
            items = [rows.take(document.id).over(document) for document, _ in batch]
            for item in rewriting(items, batch):
                done.add(item.id, row_of(item))
                digests[item.id] = record_digest(item.written)
    return done, digests


def _changed_texts(masked: Masked) -> Iterator[tuple[str, str]]:
    """Yield name and masked text of each field of running text that masking changed."""
    texts = masked.original.texts
    before = {name: text for name, text in masked.original.fields() if name in texts}
    for name, text in masked.written.fields():
        if name in before and text != before[name]:
            yield name, text


def estimate(source: Source, settings: Settings) -> llm.CostEstimate:
    """Estimate the cost of rewriting each document of a corpus once, as a whole."""
    texts = (
        text
        for item in source()
        if not isinstance(item, SetAside)
        for field, text in item.fields()
        if field in item.texts
    )
    return llm.estimate(requests(texts, settings), settings)
