"""Replaces every document by a synthetic one that a model writes: SAGE (formulas.md §12.6).

Stage 1: five attributes per document format, what a document says to each, and a new document
from that alone. Stage 2: a privacy agent compares the two and suggests, a rewriting agent changes,
until the first says safe. After `ROUNDS` the last version is used all the same, as in the authors'
code, and counted. A document that stage 1 has no answer on is not released.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkmask.errors import BadAnswer, ModelError
from linkmask.llm import LanguageModel, ModelAnswer, Request
from linkmask.records import Document
from linkmask.testbench.defences.base import Defended
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.prompting import answers_in_order, record, request, texts

ATTRIBUTES = 5
"""Attributes of a format, and pieces of key information of a document."""
SHOTS = 5
"""Documents of a format that are shown to find its attributes."""
ROUNDS = 5
"""Times the privacy agent is asked about a document, at most."""
MOST = 2048
"""Tokens of an answer."""

NAMED = record(attributes=texts(ATTRIBUTES))
FACTS = record(values=texts(ATTRIBUTES))
WRITTEN = record(synthetic_content={"type": "string", "minLength": 1})
VERDICT = record(safe={"type": "boolean"}, suggestions=texts(20))
OTHER_VERDICT = record(is_safe={"type": "boolean"}, suggestions=texts(20))
"""The same under the name that some models insist on."""
REWRITTEN = record(rewritten_content={"type": "string", "minLength": 1})


@dataclass
class SageDraft:
    """A document on its way: its format, its synthetic version, and whether that was called safe.

    `suggestions`: what the privacy agent wants changed; `rounds`: how often it was asked.
    """

    original: str
    format: str
    facts: str = ""
    text: str = ""
    safe: bool = False
    over: bool = False
    rounds: int = 0
    suggestions: Sequence[str] = field(default_factory=tuple)


def sage(replaced: bool) -> Callable[[DefenceBuilder], Defended]:
    """Return SAGE as a defence.

    Args:
        replaced: search the originals and show their synthetic versions, as the authors evaluate;
            else the synthetic ones are indexed, as the thesis does.
    """

    def make(builder: DefenceBuilder) -> Defended:
        drafts, notes = synthetic(builder)
        return Defended(
            [draft.text for draft in drafts],
            characters=sum(map(len, builder.corpus.texts)),
            aside=sum(not draft.text for draft in drafts),
            indexed=builder.corpus.texts if replaced else None,
            notes=notes,
        )

    return make


def synthetic(builder: DefenceBuilder) -> tuple[list[SageDraft], dict[str, float]]:
    """Write a synthetic version of every document; return them with counts of what happened.

    Raises:
        Hole: there is no model.
        ModelError: nothing more will be answered (`stops`); what was answered is in the cache.
    """
    model, counted = builder.models.helper, Counter[str]()
    drafts = [
        SageDraft(document.content, format_of(document)) for document in builder.corpus.documents
    ]
    stage = ModelSteps(model, counted)
    stage.write(drafts)
    for _ in range(ROUNDS):
        stage.assess([draft for draft in drafts if draft.text and not draft.over])
        stage.rewrite([draft for draft in drafts if draft.text and not draft.over])
    written = [draft for draft in drafts if draft.text]
    notes = {
        "unsafe": float(sum(not draft.safe for draft in written)),
        "rounds": sum(draft.rounds for draft in written) / max(1, len(written)),
        **{f"failed_{name}": float(count) for name, count in sorted(counted.items())},
    }
    return drafts, notes


def format_of(document: Document) -> str:
    """Return a document's format in words."""
    return str(document.metadata.get("format", "document")).replace("_", " ")


@dataclass
class ModelSteps:
    """What a model is asked of all documents at a time; `counted` counts what it did not answer."""

    model: LanguageModel
    counted: Counter[str]

    def write(self, drafts: Sequence[SageDraft]) -> None:
        """Stage 1: attributes of the formats, key information, first version."""
        attributes = self._attributes(drafts)
        usable = [draft for draft in drafts if attributes.get(draft.format)]
        asked = [_facts(draft, attributes[draft.format]) for draft in usable]
        for draft, value in self._each("facts", usable, asked):
            names = attributes[draft.format]
            pairs = zip(names, value["values"], strict=False)
            draft.facts = "\n".join(f"{name}: {fact}" for name, fact in pairs if fact.strip())
        told = [draft for draft in usable if draft.facts]
        for draft, value in self._each("write", told, map(_write, told)):
            draft.text = value["synthetic_content"]

    def _attributes(self, drafts: Sequence[SageDraft]) -> dict[str, list[str]]:
        formats = list(dict.fromkeys(draft.format for draft in drafts))
        shown = {name: [d.original for d in drafts if d.format == name][:SHOTS] for name in formats}
        asked = [
            request("sage-attributes", _numbered(name, shown[name]), NAMED) for name in formats
        ]
        found = self._each("attributes", formats, asked)
        return {name: [a for a in value["attributes"] if a.strip()] for name, value in found}

    def assess(self, drafts: Sequence[SageDraft]) -> None:
        """Ask whether versions are safe; where no verdict comes, the version stays as it is."""
        verdicts = list(answers_in_order(self.model, [_assess(d, VERDICT) for d in drafts]))
        again = [d for d, v in zip(drafts, verdicts, strict=True) if isinstance(v, BadAnswer)]
        others = iter(
            list(answers_in_order(self.model, [_assess(d, OTHER_VERDICT) for d in again]))
        )
        for draft, first in zip(drafts, verdicts, strict=True):
            verdict = next(others) if isinstance(first, BadAnswer) else first
            draft.rounds += 1
            if isinstance(verdict, ModelError):
                self.counted["assess"] += 1
                draft.over = True
                continue
            value = verdict.value
            draft.safe = draft.over = bool(value.get("safe", value.get("is_safe")))
            draft.suggestions = [one for one in value["suggestions"] if one.strip()]
            draft.over |= draft.rounds == ROUNDS

    def rewrite(self, drafts: Sequence[SageDraft]) -> None:
        """Have versions changed by what was suggested; one that is not keeps its last form."""
        changed = self._each("rewrite", drafts, map(_rewrite, drafts))
        for draft, value in changed:
            draft.text = value["rewritten_content"]

    def _each(
        self, step: str, items: Sequence[Any], requests: Any
    ) -> Iterator[tuple[Any, Mapping[str, Any]]]:
        """Yield each item with what was said to it; count those without an answer."""
        for item, answer in zip(items, answers_in_order(self.model, list(requests)), strict=True):
            if isinstance(answer, ModelAnswer):
                yield item, answer.value
            else:
                self.counted[step] += 1


def _numbered(name: str, shown: Sequence[str]) -> dict[str, str]:
    return {"Format": name} | {f"Document {n}": text for n, text in enumerate(shown, 1)}


def _facts(draft: SageDraft, attributes: Sequence[str]) -> Request:
    parts = {"Document": draft.original, "Attributes": "\n".join(attributes)}
    return request("sage-facts", parts, FACTS)


def _write(draft: SageDraft) -> Request:
    about = f"Write about {len(draft.original.split())} words, as one JSON object."
    parts = {"Format": draft.format, "Key information": draft.facts}
    return request("sage-write", parts, WRITTEN, MOST, about)


def _assess(draft: SageDraft, schema: dict[str, Any]) -> Request:
    parts = {"Original document": draft.original, "Synthetic version": draft.text}
    return request("sage-assess", parts, schema)


def _rewrite(draft: SageDraft) -> Request:
    wanted = "\n".join(draft.suggestions) or "Make it harder to tell whom it is about."
    parts = {"Synthetic version": draft.text, "Suggestions": wanted}
    return request("sage-rewrite", parts, REWRITTEN, MOST)
