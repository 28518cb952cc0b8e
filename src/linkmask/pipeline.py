"""The method, a line per step: detect → graph → plan → redact → verify.

This is the one place where the steps meet. Each function takes what the step before made; what
one step needs of another is handed in as a callable. Between detect and redact the corpus lives
in the run folder (`runs.Run`) and in arrays, never as a million objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from linkmask import detect, graph, runs, schema, verify
from linkmask import plan as planning
from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.graph import entities as sameness
from linkmask.records import (
    Document,
    Finding,
    Floats,
    Incidence,
    Ints,
    Masked,
    Mention,
    Plan,
    Risk,
    SetAside,
    Stage,
    entity_id,
)
from linkmask.redact import Finder, Redactor, Target, sought
from linkmask.redact.styles import style_of
from linkmask.runs import Run
from linkmask.workers import Failure, ordered

Progress = Callable[[str, int, int | None], None]
"""Called with a step's name, how many documents are through, and how many there are."""

Source = Callable[[], Iterator[Document | SetAside]]
"""A corpus that can be read more than once, in the same order each time."""

Pair = tuple[Document, list[Mention]]

BATCH = 256
"""Documents masked at once."""


def silent(step: str, done: int, total: int | None) -> None:
    """Show no progress."""


@dataclass(slots=True)
class Tally:
    """What is counted on the way: sizes, what was dropped, and what was set aside and why.

    `unread`: what the source itself set aside; `aside`: documents that a step failed on, by id.
    """

    documents: int = 0
    characters: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    unread: list[SetAside] = field(default_factory=list)
    aside: dict[str, SetAside] = field(default_factory=dict)

    def set_aside(self, document: Document, step: str, reason: str) -> SetAside:
        """Keep a document from being released, and say at which step and why."""
        self.aside[document.id] = SetAside(document.id, step, reason, document.origin)
        return self.aside[document.id]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A corpus as the engine sees it, and what it gives away."""

    incidence: Incidence
    risk: Risk


def examine(settings: Settings) -> None:
    """Refuse, before any work is done, settings that name what there is not.

    Raises:
        SettingsError: an unknown detector, schema, type or style.
    """
    types = schema.load(settings.schema).with_weights(settings.weights)
    detect.finders(settings.detector)
    for style in (settings.style, *settings.styles.values()):
        style_of(style)
    unknown = sorted({*settings.floor, *settings.styles} - set(types.types))
    if unknown:
        raise SettingsError(
            f"schema {settings.schema} has no type {', '.join(unknown)}; "
            f"it has: {', '.join(types.types)}"
        )


# ── detect ──────────────────────────────────────────────────────────────────────────────────────


def find(source: Source, run: Run, settings: Settings, progress: Progress = silent) -> Tally:
    """Detect in every document, in two passes, into the run's mentions.

    A document that a detector fails on is set aside; what a killed run had finished is kept.
    """
    tally = Tally()
    _log(run, "stage1", _readable(source, tally), Detector(settings).first, tally, progress)
    tally.documents = len(run.documents("stage1"))
    found = with_mentions(source, run, "stage1", tally)
    pairs = (item for item in found if not isinstance(item, SetAside))
    _log(run, "mentions", pairs, corpus_detector(run, settings).second, tally, progress)
    return tally


@dataclass(frozen=True)
class Detector:
    """Both passes of detection over one document. Without `words` there is but the first."""

    settings: Settings
    words: detect.Vocabulary | None = None
    aliases: sameness.Aliases | None = None

    def __call__(self, document: Document) -> list[Mention]:
        """Detect in a document as in the corpus it belongs to."""
        return self.second((document, self.first((document, []))))

    def first(self, pair: Pair) -> list[Mention]:
        """Find mentions in a document by itself."""
        return detect.first_pass(pair[0], self.settings, self._canonical)

    def second(self, pair: Pair) -> list[Mention]:
        """Look again, for what was found anywhere in the corpus."""
        document, found = pair
        if self.words is None:
            return found
        resolve = None
        if self.aliases is not None:
            here = frozenset(mention.value for mention in found)
            resolve = partial(self.aliases.resolve, in_document=here)
        return detect.second_pass(
            document, found, self.words, self.settings, self._canonical, resolve
        )

    @property
    def _canonical(self) -> Callable[..., str]:
        return sameness.canonical if self.settings.same_thing else _plain


def corpus_detector(run: Run, settings: Settings) -> Detector:
    """Return the detector that knows what the run's first pass found."""
    if not settings.context_pass:
        return Detector(settings)
    aliases, forms = _same(run, "stage1", settings)
    documents = len(run.documents("stage1"))
    words = detect.vocabulary(run.mentions("stage1"), documents, settings, forms)
    return Detector(settings, words, aliases)


def _plain(entity_type: str, surface: str, *, day_first: bool = False) -> str:
    return runs.plain(entity_type, surface)


def _same(
    run: Run, log: str, settings: Settings
) -> tuple[sameness.Aliases | None, Callable[[str, str], tuple[str, ...]]]:
    """Return the corpus's aliases and the ways to write a value; none where `same_thing` is off."""
    if not settings.same_thing:
        return None, lambda entity_type, value: ()
    aliases = sameness.Aliases({(m.type, m.value, 0) for m in run.mentions(log)})
    return aliases, aliases.forms


def locate(
    source: Source,
    run: Run,
    settings: Settings,
    given: Mapping[str, Sequence[Mention]],
    progress: Progress = silent,
) -> Tally:
    """Take mentions that were given, by document id, instead of detecting.

    Where a mention has no offsets, or not those of its value, every whole-word occurrence of the
    value in the document is one (SPEC §9.2); what is found nowhere is dropped and counted.
    """
    tally = Tally()
    everything = {m.original for mentions in given.values() for m in mentions}
    finder = Finder(sorted(everything), settings)
    with run.log("mentions") as log:
        for document, _ in _readable(source, tally):
            found, lost = finder.place(document, given.get(document.id, ()))
            log.add(document.id, found)
            if lost:
                tally.dropped["value not in the text"] = (
                    tally.dropped.get("value not in the text", 0) + lost
                )
            tally.documents += 1
            progress("locate", tally.documents, None)
        log.finish()
    return tally


def _readable(source: Source, tally: Tally) -> Iterator[Pair]:
    for item in source():
        if isinstance(item, SetAside):
            tally.unread.append(item)
        else:
            tally.characters += len(item.content)
            yield item, []


def with_mentions(source: Source, run: Run, log: str, tally: Tally) -> Iterator[Pair | SetAside]:
    """Yield the corpus in input order: documents with their mentions in a log, or set aside.

    The log is in input order too, but for documents that failed once and were logged by a later
    run: what is read before its turn is held until then.
    """
    covered = frozenset(run.documents(log))
    logged = run.by_document(log)
    held: dict[str, list[Mention]] = {}
    for item in source():
        if isinstance(item, SetAside):
            yield item
        elif item.id in tally.aside:
            yield tally.aside[item.id]
        elif item.id not in covered:
            yield tally.set_aside(item, "detect", "the run holds no detection of it: scan again")
        else:
            while item.id not in held:
                name, mentions = next(logged)
                held[name] = mentions
            yield item, held.pop(item.id)


def _log(
    run: Run,
    name: str,
    pairs: Iterator[Pair],
    work: Callable[[Pair], list[Mention]],
    tally: Tally,
    progress: Progress,
) -> None:
    """Do the work on every document that a log of the run does not hold yet, in order."""
    with run.log(name) as log:
        fresh = (pair for pair in pairs if pair[0].id not in log.done)
        for document, mentions in _worked(work, fresh, run.settings.workers):
            if isinstance(mentions, Failure):
                tally.set_aside(document, "detect", f"detection failed ({mentions.reason})")
            else:
                log.add(document.id, mentions)
            progress(STEPS[name], len(log.done), tally.documents or None)
        log.finish()


STEPS = {"stage1": "detect", "mentions": "look again"}
"""What the progress bar of a log is called."""


def _worked(
    work: Callable[[Pair], Any], pairs: Iterator[Pair], workers: int
) -> Iterator[tuple[Document, Any]]:
    """Yield each document with what the work made of it, in order."""
    waiting: list[Document] = []

    def remembered() -> Iterator[Pair]:
        for pair in pairs:
            waiting.append(pair[0])
            yield pair

    for result in ordered(work, remembered(), workers):
        yield waiting.pop(0), result


# ── graph and plan ──────────────────────────────────────────────────────────────────────────────


def analyse(run: Run, settings: Settings, tally: Tally) -> Analysis:
    """Score every document, link and chain from the run's mentions."""
    types = schema.load(settings.schema).with_weights(settings.weights)
    table, dropped = run.mention_table(types.type_of, _as_logged if run.has("mentions") else None)
    tally.dropped |= dropped
    incidence = graph.incidence(table, types.weights, settings)
    return Analysis(incidence, graph.assess(incidence, settings))


def _as_logged(entity_type: str, value: str) -> str:
    return value


def choose(analysis: Analysis, settings: Settings) -> Plan:
    """Choose the smallest set to mask that brings every risk under its limit."""
    types = schema.load(settings.schema).with_weights(settings.weights)
    return planning.choose(analysis.incidence, analysis.risk, settings, types)


def restore(
    analysis: Analysis,
    settings: Settings,
    masked: Ints,
    stages: Sequence[Stage],
    gain: Floats,
    served: Ints,
) -> Plan:
    """Make a plan again of a masked set that was kept, perhaps overruled by a person since."""
    return planning.restore(
        analysis.incidence, analysis.risk, settings, masked, stages, gain, served
    )


def remaining(analysis: Analysis, plan: Plan, settings: Settings) -> Risk:
    """Score the corpus again as it is with the plan carried out."""
    masked = np.zeros(analysis.incidence.n_entities, dtype=np.bool_)
    masked[plan.masked] = True
    return graph.assess(analysis.incidence, settings, masked)


# ── redact and verify ───────────────────────────────────────────────────────────────────────────


class Masker:
    """A plan ready to be carried out: what to write over in each document, what must be gone.

    Args:
        key: for keyed pseudonyms; unused by styles that need none.
    """

    def __init__(
        self, run: Run, analysis: Analysis, plan: Plan, settings: Settings, key: bytes = b""
    ) -> None:
        self.run, self.analysis, self.plan, self.settings = run, analysis, plan, settings
        self.targets = _targets(run, analysis, plan, settings)
        surrogates = "surrogate" in (settings.style, *settings.styles.values())
        originals = {m.original for m in run.mentions()} if surrogates else ()
        self.redactor = Redactor(self.targets, settings, key=key, originals=originals)

    def masked(
        self, source: Source, tally: Tally, progress: Progress = silent
    ) -> Iterator[Masked | SetAside]:
        """Yield the corpus in input order, each document masked or set aside.

        A document without a finished detection, or that can't be masked, is never released.
        """
        items = with_mentions(source, self.run, "mentions", tally)
        done = 0
        while batch := list(islice(items, BATCH)):
            pairs = [item for item in batch if not isinstance(item, SetAside)]
            masked = iter(self._masked(pairs, tally))
            yield from (item if isinstance(item, SetAside) else next(masked) for item in batch)
            done += len(batch)
            progress("write", done, tally.documents or None)

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
                tally.set_aside(document, "redact", f"masking failed ({result.reason})")
                if isinstance(result, Failure)
                else result
                for document, result in _worked(
                    partial(_redact, redactor=self.redactor), iter(pairs), workers=1
                )
            ]

    def inspect(self, documents: Iterable[Document], progress: Progress = silent) -> list[Finding]:
        """Look at masked documents that were written, as they are read back."""
        inspector = self._inspector()
        seen: list[verify.Inspected] = []
        for result in ordered(inspector, documents, self.settings.workers):
            if isinstance(result, Failure):
                name = result.item.id
                finding = Finding(name, "unreadable", f"the check failed ({result.reason})")
                seen.append(verify.Inspected(name, [finding]))
            else:
                seen.append(result)
            progress("verify", len(seen), None)
        return self._findings(seen)

    def check(
        self, source: Source, tally: Tally, progress: Progress = silent
    ) -> tuple[list[Finding], dict[str, list[Mention]]]:
        """Mask every document and look at it again, before anything is written.

        Leftovers are looked for in the text; risks are recomputed from what detection, run anew,
        finds in the masked texts. Where mentions were given, there is no detection to run.

        Returns:
            The findings, and for the documents that must not be released as they are what was
            found there only now, in the offsets of the originals: a value may come to light when
            its neighbour is masked.
        """
        items = with_mentions(source, self.run, "mentions", tally)
        pairs = (item for item in items if not isinstance(item, SetAside))
        look = Look(self.redactor, self._inspector(), frozenset(self.targets), self.settings)
        seen: list[verify.Inspected] = []
        fresh: dict[str, list[Mention]] = {}
        for document, result in _worked(look, pairs, self.settings.workers):
            if isinstance(result, Failure):
                tally.set_aside(document, "verify", f"the check failed ({result.reason})")
            else:
                inspected, new = result
                seen.append(inspected)
                if new:
                    fresh[document.id] = new
            progress("verify", len(seen), tally.documents or None)
        findings = self._findings(seen)
        failed = verify.blocking(findings)
        return findings, {name: new for name, new in fresh.items() if name in failed}

    def _findings(self, seen: Sequence[verify.Inspected]) -> list[Finding]:
        """Gather what the look at each document found, and what all of them give away together."""
        findings = [finding for one in seen for finding in one.findings]
        if self.run.has("stage1"):
            incidence = self.analysis.incidence
            findings += verify.residual(seen, incidence, self.plan, self.settings, graph.assess)
        return findings

    def _inspector(self) -> verify.Inspector:
        """Ready the second look, which searches by other means than the redactor's."""
        values = sought(self.targets, self.settings)
        again = corpus_detector(self.run, self.settings) if self.run.has("stage1") else None
        where = None
        if self.settings.scope == "documents":
            where = _masked_in(self.analysis.incidence, self.plan)
        return verify.Inspector(values, self.settings, detect=again, where=where)


@dataclass(frozen=True)
class Look:
    """Mask a document and look at what came of it; sent to the workers as it is."""

    redactor: Redactor
    inspector: verify.Inspector
    masked: frozenset[str]
    settings: Settings

    def __call__(self, pair: Pair) -> tuple[verify.Inspected, list[Mention]]:
        """Mask one document and inspect it; return also what detection had not found before."""
        document, mentions = pair
        named = [(entity_id(m.value, m.type, self.settings.id_separator), m) for m in mentions]
        due = [(entity, mention) for entity, mention in named if entity in self.masked]
        masked = self.redactor(document, mentions)
        inspected = self.inspector(masked, due)
        known = {(mention.type, mention.value) for mention in mentions}
        new = [m for m in inspected.mentions if (m.type, m.value) not in known]
        return inspected, [moved for m in new if (moved := _in_original(m, masked))]


def _in_original(mention: Mention, masked: Masked) -> Mention | None:
    """Move a mention of a masked text to where it stands in the original."""
    shift = 0
    for one in masked.replacements:
        if one.field == mention.field and one.start + len(one.text) <= mention.start - shift:
            shift += len(one.text) - (one.end - one.start)
    start, end = mention.start - shift, mention.end - shift
    text = dict(masked.document.fields()).get(mention.field, "")
    if text[start:end] != mention.original:
        return None
    return replace(mention, start=start, end=end)


def amend(run: Run, fresh: Mapping[str, Sequence[Mention]]) -> None:
    """Add mentions that came to light late to the run."""
    run.rewrite(
        "mentions",
        (
            (name, sorted([*found, *fresh.get(name, ())], key=lambda m: (m.field, m.start)))
            for name, found in run.by_document("mentions")
        ),
    )


def block(findings: Sequence[Finding], tally: Tally) -> None:
    """Set aside the documents that the findings forbid to release."""
    for name, failed in verify.blocking(findings).items():
        kinds = ", ".join(sorted({finding.kind for finding in failed}))
        tally.aside.setdefault(name, SetAside(name, "verify", f"not safe to release: {kinds}"))


def _redact(pair: Pair, redactor: Redactor) -> Masked:
    return redactor(*pair)


def _targets(run: Run, analysis: Analysis, plan: Plan, settings: Settings) -> dict[str, Target]:
    """Gather the masked entities with every spelling seen in the corpus and every known form."""
    incidence = analysis.incidence
    masked = {incidence.entities[number] for number in plan.masked.tolist()}
    seen: dict[str, tuple[str, str, set[str]]] = {}
    for mention in run.mentions():
        entity = entity_id(mention.value, mention.type, settings.id_separator)
        if entity in masked:
            held = seen.setdefault(entity, (mention.type, mention.value, set()))
            held[2].add(mention.original)
    _, forms = _same(run, "mentions", settings)
    return {
        entity: Target(kind, sorted(surfaces), sorted(set(forms(kind, value)) - surfaces))
        for entity, (kind, value, surfaces) in sorted(seen.items())
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
