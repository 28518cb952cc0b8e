"""Carry a plan out: mask every document, look at what came of it, and release only what is safe."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial

from linkmask import graph, llm, verify
from linkmask.config import Settings
from linkmask.graph.persons import days_by_person
from linkmask.pipeline.checking import CheckedDocument, MaskAndCheck, PreviousCheck, ReadBackCheck
from linkmask.pipeline.detection import (
    TOGETHER,
    Pair,
    same_thing,
    second_look,
    size,
    with_mentions,
    worked,
)
from linkmask.pipeline.keys import keys_of
from linkmask.pipeline.progress import Progress, Source, Tally, silent
from linkmask.pipeline.regulation import styled, styles
from linkmask.pipeline.rewriting import RewriteCheck, Rewriting
from linkmask.policy import Demands
from linkmask.records import (
    Document,
    Finding,
    Incidence,
    Masked,
    Mention,
    Plan,
    SetAside,
    entity_id,
)
from linkmask.redact import REVERSIBLE, Redactor, Target, sought, sweepable
from linkmask.redact.redactor import BATCH, CHARACTERS, weight
from linkmask.redact.vault import draw_tokens, load_key
from linkmask.runs import Ledger, Run
from linkmask.workers import Batched, Failure, batches, ordered

ASKED = 256
"""Documents that a language model is asked about at once."""

SHORT = 3
"""Characters up to which a value in a name says nothing: every second name holds a number."""


Rewriter = Callable[[list[Masked | SetAside], list[Pair]], list[Masked | SetAside]]
"""A masked batch and the documents it was made of → the batch as it is released."""


def _as_masked(masked: list[Masked | SetAside], pairs: list[Pair]) -> list[Masked | SetAside]:
    return masked


def spaced_words(text: str) -> str:
    """Return a text in small letters with single blanks: `Jane_Doe.json` → `jane doe json`."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


class Redaction:
    """A plan ready to be carried out: what to write over in each document, what must be gone.

    The key of keyed styles is looked for, or made in the run, when the first document is masked.

    Args:
        language: tells the language of a document by its id, for styles that need it.
        demands: what policies demand, where any is in use.
    """

    def __init__(
        self,
        run: Run,
        incidence: Incidence,
        plan: Plan,
        settings: Settings,
        language: Mapping[str, str] | None = None,
        demands: Demands | None = None,
    ) -> None:
        self.run, self.incidence, self.plan, self.settings = run, incidence, plan, settings
        own = styled(demands, incidence, plan.masked.tolist())
        self.targets = _targets(run, incidence, plan, settings, language or {}, own)
        self._spoken: set[str] | None = None
        self._longest = 0

    @cached_property
    def redactor(self) -> Redactor:
        """What writes over the masked entities."""
        surrogates = "surrogate" in styles(self.settings)
        originals = {m.original for m in self.run.mentions()} if surrogates else ()
        return Redactor(
            self.targets,
            self.settings,
            key=self.key,
            originals=originals,
            tokens=self._tokens(),
            days=self._days(),
        )

    def _written_as(self, style: str) -> list[str]:
        """Return the ids of the masked entities that are written in a style."""
        styles, usual = self.settings.styles, self.settings.style
        return [
            entity
            for entity, target in self.targets.items()
            if (target.style or styles.get(target.type, usual)) == style
        ]

    def _tokens(self) -> dict[str, str]:
        """Return the random codes of the entities that are written as one."""
        held = self._written_as("token")
        return draw_tokens(self.run.tokens_path, self.key, held) if held else {}

    def _days(self) -> dict[str, int]:
        """Return by how many days each date is moved that is written so."""
        held = self._written_as("shift")
        return days_by_person(self.incidence, held, self.key) if held else {}

    @cached_property
    def key(self) -> bytes:
        """The key of keyed styles and of the vault; empty where no style needs one."""
        if not REVERSIBLE & styles(self.settings):
            return b""
        return load_key(self.settings, self.run.key_path, os.environ)

    def masked(
        self,
        source: Source,
        tally: Tally,
        progress: Progress = silent,
        note: Callable[[Masked, Sequence[Mention]], None] | None = None,
    ) -> Iterator[Masked | SetAside]:
        """Yield the corpus in input order, each document masked or set aside.

        A document without a finished detection, or that can't be masked, is never released.
        `note` is told of each masked document and the mentions that were found in it.
        """
        done = 0
        with self._rewriting() as rewritten:
            for batch, pairs in self._batches(source, tally, rewritten):
                if note:
                    made = (item for item in batch if isinstance(item, Masked))
                    mentions = {document.id: found for document, found in pairs}
                    for item in made:
                        note(item, mentions[item.id])
                yield from batch
                done += len(batch)
                progress("write", done, tally.documents or None)

    def placed(self, source: Source, tally: Tally) -> Iterator[Masked | SetAside]:
        """Yield the corpus as `masked` does, but rewrite nothing: what is masked, and where."""
        for batch, _ in self._batches(source, tally, _as_masked):
            yield from batch

    def _batches(
        self, source: Source, tally: Tally, rewritten: Rewriter
    ) -> Iterator[tuple[list[Masked | SetAside], list[Pair]]]:
        """Yield batches of the corpus, masked or set aside, with what each was made of."""
        items = with_mentions(source, self.run, "mentions", tally)
        most = ASKED if self.settings.style == "rewrite" else BATCH
        for batch in batches(items, CHARACTERS, partial(_weight, most=most)):
            pairs = [item for item in batch if not isinstance(item, SetAside)]
            masked = iter(rewritten(self._masked(pairs, tally), pairs))
            yield [one if isinstance(one, SetAside) else next(masked) for one in batch], pairs

    @contextmanager
    def _rewriting(self) -> Iterator[Rewriter]:
        """Give what rewrites a batch, where that is the style; else what leaves it as it is."""
        if self.settings.style != "rewrite":
            yield _as_masked
            return
        with llm.connect(self.settings) as model, Ledger(self.run.path) as costs:
            look = RewriteCheck(
                self._inspector(),
                second_look(self.run, self.settings) if self.run.has("stage1") else None,
                same_thing(self.run, "mentions", self.settings)[1],
                frozenset(self.incidence.entities),
                self.settings,
            )
            yield Rewriting(model, look, costs, self.settings)

    def with_mentions(self, source: Source, tally: Tally) -> Iterator[tuple[Masked, list[Mention]]]:
        """Yield each masked document with the mentions found in it."""
        for item in with_mentions(source, self.run, "mentions", tally):
            if not isinstance(item, SetAside):
                yield self.redactor(*item), item[1]

    def _masked(self, pairs: list[Pair], tally: Tally) -> list[Masked | SetAside]:
        """Mask a batch at once; where one fails, each by itself, so that the others go on."""
        try:
            return list(self.redactor.many(pairs))
        except Exception:
            return [
                tally.set_aside(document, "redact", result.says("masking failed"))
                if isinstance(result, Failure)
                else result
                for document, result in worked(
                    partial(_redact, redactor=self.redactor), iter(pairs), workers=1
                )
            ]

    def named_in(self, words: str) -> bool:
        """Tell whether a name, in small words with single blanks, holds a masked value.

        In any known form: files are named after a bare surname more often than not.
        """
        if self._spoken is None:
            values = (
                value
                for one in self.targets.values()
                for value in (*one.surfaces, *(f for f in one.forms if sweepable(one.type, f)))
            )
            self._spoken = {
                spoken for value in values if len(spoken := spaced_words(value)) > SHORT
            }
            self._longest = max((one.count(" ") + 1 for one in self._spoken), default=0)
        parts = words.split()
        return any(
            " ".join(parts[start:end]) in self._spoken
            for start in range(len(parts))
            for end in range(start + 1, min(start + self._longest, len(parts)) + 1)
        )

    def inspect(self, documents: Iterable[Document], progress: Progress = silent) -> list[Finding]:
        """Look at masked documents that were written, as they are read back."""
        look = self._reread()
        seen: list[verify.Inspected] = []
        for result in ordered(Batched(look, look.many), documents, self.settings.workers):
            if isinstance(result, Failure):
                name = result.item.id
                finding = Finding(name, "unreadable", result.says("the check failed"))
                seen.append(verify.Inspected(name, [finding]))
            else:
                seen.append(result)
            progress("verify", len(seen), None)
        return self._findings(seen)

    def check(
        self,
        source: Source,
        tally: Tally,
        progress: Progress = silent,
        before: PreviousCheck | None = None,
    ) -> tuple[list[Finding], dict[str, Sequence[Mention]], PreviousCheck]:
        """Mask every document and look at it again, before anything is written.

        Leftovers are looked for in the text; risks are recomputed from what detection, run anew,
        finds in the masked texts. Where mentions were given, there is no detection to run; nor is
        it where a document is masked as it was `before`, in an earlier check of the same run.

        Returns:
            The findings; for the documents that must not be released as they are what was found
            there only now, in the offsets of the originals: a value may come to light when its
            neighbour is masked; and what another check can go on from.
        """
        items = with_mentions(source, self.run, "mentions", tally)
        reread = self._reread(before)
        known = before.seen if before else {}
        pairs = ((*i, known.get(i[0].id)) for i in items if not isinstance(i, SetAside))
        look = MaskAndCheck(self.redactor, reread, frozenset(self.targets), self.settings)
        work = Batched(look, look.many, size, TOGETHER)
        seen: dict[str, CheckedDocument] = {}
        for document, result in worked(work, pairs, self.settings.workers):
            if isinstance(result, Failure):
                tally.set_aside(document, "verify", result.says("the check failed"))
            else:
                seen[document.id] = result
            progress("verify", len(seen), tally.documents or None)
        findings = self._findings([one.inspected for one in seen.values()])
        failed = verify.blocking(findings)
        fresh = {name: one.fresh for name, one in seen.items() if one.fresh and name in failed}
        return findings, fresh, PreviousCheck(reread.detect, reread.keys, seen)

    def weak(self, findings: Sequence[Finding]) -> list[int]:
        """Return the numbers of the entities whose technique leaves what another's mask hides.

        "Denver, Colorado" is what is left of an address, and Denver is masked.
        """
        left = {one.entity for one in findings if one.kind == "leftover" and one.blocking}
        if not left:
            return []
        look = self._inspector()
        return [
            number
            for number in self.plan.masked.tolist()
            if left & look.readable(self.redactor.written(self.incidence.entities[number]))
        ]

    def _findings(self, seen: Sequence[verify.Inspected]) -> list[Finding]:
        """Gather what the look at each document found, and what all of them give away together."""
        findings = [finding for one in seen for finding in one.findings]
        if self.run.has("stage1"):
            findings += verify.lost(self.run, self.settings)
            findings += verify.residual(
                seen, self.incidence, self.plan, self.settings, graph.assess
            )
        return findings

    def _reread(self, before: PreviousCheck | None = None) -> ReadBackCheck:
        """Ready the second look, with detection where it was run."""
        if before is not None:
            return ReadBackCheck(self._inspector(), before.detect, before.keys)
        detect = second_look(self.run, self.settings) if self.run.has("stage1") else None
        return ReadBackCheck(self._inspector(), detect, keys_of(self.settings))

    def _inspector(self) -> verify.Inspector:
        """Ready the search for what was masked, by other means than the redactor's."""
        values = sought(self.targets, self.settings)
        where = None
        if self.settings.scope == "documents":
            where = _masked_in(self.incidence, self.plan)
        return verify.Inspector(values, self.settings, where=where)


def add_mentions(run: Run, fresh: Mapping[str, Sequence[Mention]]) -> None:
    """Add mentions that came to light late to the run."""
    run.rewrite(
        "mentions",
        (
            (name, sorted([*found, *fresh.get(name, ())], key=lambda m: (m.field, m.start)))
            for name, found in run.by_document("mentions")
        ),
    )


def set_aside_unsafe(findings: Sequence[Finding], tally: Tally) -> None:
    """Set aside the documents that the findings forbid to release."""
    for name, failed in verify.blocking(findings).items():
        kinds = ", ".join(sorted({finding.kind for finding in failed}))
        tally.aside.setdefault(name, SetAside(name, "verify", f"not safe to release: {kinds}"))


def _weight(item: Pair | SetAside, most: int) -> int:
    return weight("" if isinstance(item, SetAside) else item[0].content, most)


def _redact(pair: Pair, redactor: Redactor) -> Masked:
    return redactor(*pair)


def _targets(
    run: Run,
    incidence: Incidence,
    plan: Plan,
    settings: Settings,
    language: Mapping[str, str],
    style: Mapping[str, str],
) -> dict[str, Target]:
    """Gather the masked entities with every spelling seen in the corpus and every known form.

    An entity's language is that of the first document it stands in.
    """
    masked = {incidence.entities[number] for number in plan.masked.tolist()}
    seen: dict[str, tuple[Mention, set[str]]] = {}
    for mention in run.mentions():
        entity = entity_id(mention.value, mention.type, settings.id_separator)
        if entity in masked:
            seen.setdefault(entity, (mention, set()))[1].add(mention.original)
    _, forms = same_thing(run, "mentions", settings)
    return {
        entity: Target(
            first.type,
            sorted(surfaces),
            sorted(set(forms(first.type, first.value)) - surfaces),
            language.get(first.document, ""),
            first.value,
            style.get(entity, ""),
        )
        for entity, (first, surfaces) in sorted(seen.items())
    }


def _masked_in(incidence: Incidence, plan: Plan) -> Callable[[str], Sequence[str]]:
    """Return which masked entities each document mentions, by its id."""
    masked = set(plan.masked.tolist())
    return {
        name: [
            incidence.entities[e]
            for e in incidence.entity[incidence.start[d] : incidence.start[d + 1]].tolist()
            if e in masked
        ]
        for d, name in enumerate(incidence.documents)
    }.__getitem__
