"""Redaction: the documents and a plan → masked documents, kept in the run until they are released.

Each document is masked once. Where a check leads to another plan, only documents that this plan may
mask otherwise are masked again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress
from typing import Any

from linkmask import verify
from linkmask.choices import ANOTHER, HERE
from linkmask.config import Settings
from linkmask.graph.persons import days_by_person
from linkmask.pipeline import generalization
from linkmask.pipeline.correcting import name_of
from linkmask.pipeline.detection import aliases_of
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import ByDocument, Pair, with_mentions, worked
from linkmask.pipeline.regulation import styled, styles
from linkmask.policy import Demands
from linkmask.records import Incidence, Masked, Mention, Plan, SetAside, entity_id
from linkmask.redact import REVERSIBLE, Redactor, Target, sought, sweepable
from linkmask.redact.redactor import CHARACTERS, weight
from linkmask.redact.vault import draw_tokens, load_key
from linkmask.runs import MaskedFile, Run, row_in, row_of
from linkmask.schema import RARE_TERM
from linkmask.text.letters import spaced_words
from linkmask.workers import Failure, batches

SHORT = 3
"""Characters up to which a value in a name says nothing: every second name holds a number."""


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
        by_rule = generalization.styles(run, incidence, settings, plan, demands)
        demanded = styled(demands, incidence, plan.masked.tolist())
        own = {**by_rule, **demanded}
        self.targets = _targets(run, incidence, plan, settings, language or {}, own)
        known = self.targets, settings, demanded, self.inspector
        self.targets = generalization.masked_whole(*known)
        self.coarse = {e: how for e, how in by_rule.items() if self.targets[e].style == how}
        self.given: bool | None = None
        """Whether the key is the user's; if None, whether settings or environment name one."""
        self.attempts: Mapping[str, int] | None = None
        """The try at which each entity's surrogate was drawn, where that is known."""
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
            days=self.days,
            given=self.given,
            attempts=self.attempts,
            spellings=self.spellings,
        )

    @cached_property
    def spellings(self) -> Mapping[str, Sequence[str]]:
        """The spellings that are masked and must be gone, by entity."""
        return self.found_elsewhere(sought(self.targets, self.settings), self._with_namesake)

    def found_elsewhere(
        self, forms: Mapping[str, Sequence[str]], but: Container[str] = ()
    ) -> dict[str, Sequence[str]]:
        """Return which spellings of entities are masked where detection did not find them.

        None of an entity that a person marked in one document alone, and none of those in `but`.
        """
        said = self.settings.corrections
        return {
            entity: () if said.get(entity) == HERE or entity in but else own
            for entity, own in forms.items()
        }

    @cached_property
    def _with_namesake(self) -> frozenset[str]:
        """The masked entities whose name another person bears who is kept readable.

        Where such a name stands, only the mentions tell who is meant.
        """
        if not any(map(ANOTHER.fullmatch, self.settings.corrections.values())):
            return frozenset()
        named = {entity: (one.type, name_of(one.value)) for entity, one in self.targets.items()}
        borne, separator = set(named.values()), self.settings.id_separator
        kept = {
            name
            for mention in self.run.mentions()
            if (name := (mention.type, name_of(mention.value))) in borne
            if entity_id(mention.value, mention.type, separator) not in named
        }
        return frozenset(entity for entity, name in named.items() if name in kept)

    def draw_as(self, drawn: Mapping[str, Mapping[str, Any]]) -> None:
        """Draw masks again by what was kept of each entity: `language` and `attempt`."""
        self.attempts = {e: row["attempt"] for e, row in drawn.items() if row["attempt"] >= 0}
        self.targets = {
            entity: one._replace(language=drawn[entity]["language"]) if entity in drawn else one
            for entity, one in self.targets.items()
        }

    @property
    def drawn(self) -> dict[str, tuple[str, int]]:
        """Language and try of each entity's mask, by which it can be drawn again; −1 for no try."""
        attempts = self.redactor.attempts
        targets = self.targets.items()
        return {entity: (one.language, attempts.get(entity, -1)) for entity, one in targets}

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

    @cached_property
    def days(self) -> dict[str, int]:
        """Return by how many days each date is moved that is written so."""
        held = self._written_as("shift")
        return days_by_person(self.incidence, held, self.key) if held else {}

    @cached_property
    def key(self) -> bytes:
        """The key of keyed styles and of the vault; empty where no style needs one."""
        if not REVERSIBLE & styles(self.settings):
            return b""
        return load_key(self.settings, self.run.key_path, os.environ)

    def redact(
        self,
        source: Source,
        counted: CorpusCounts,
        progress: Progress = silent,
        before: Redacted | None = None,
    ) -> MaskedFile:
        """Mask every document, and keep what came of it in the run.

        A document without a finished detection, or that can't be masked, is never released.
        `before` is what another plan of the same run made: what this one masks alike is copied.
        """
        masked = MaskedFile(self.run.path)
        pairs = with_mentions(source, self.run, "mentions", counted)
        documents = (pair for pair in pairs if not isinstance(pair, SetAside))
        review = _Review(self.redactor, before) if before else None
        for batch in batches(documents, CHARACTERS, lambda pair: weight(pair[0].content)):
            old = review.lines(batch) if review else [b""] * len(batch)
            due = review.due(batch, old) if review else [True] * len(batch)
            made = iter(self._lines(list(compress(batch, due)), counted))
            for (document, _), line, again in zip(batch, old, due, strict=True):
                if new := next(made) if again else line:
                    masked.add(document.id, new, copied=new == line)
            progress("redact", len(masked.documents), counted.documents or None)
        return masked

    def with_mentions(
        self, source: Source, counted: CorpusCounts
    ) -> Iterator[tuple[Masked, list[Mention]]]:
        """Yield each masked document with the mentions found in it."""
        for item in with_mentions(source, self.run, "mentions", counted):
            if not isinstance(item, SetAside):
                yield self.redactor(*item), item[1]

    def _lines(self, pairs: list[Pair], counted: CorpusCounts) -> list[bytes]:
        """Mask documents, a line each; it is empty where a document had to be set aside.

        Where one fails, each is masked by itself, so that the others go on.
        """
        try:
            return list(map(row_of, self.redactor.many(pairs)))
        except Exception:
            alone = worked(partial(_line, redactor=self.redactor), iter(pairs), workers=1)
            lines = []
            for document, result in alone:
                if isinstance(result, Failure):
                    counted.set_aside(document, "redact", result.says("masking failed"))
                lines.append(b"" if isinstance(result, Failure) else result)
            return lines

    def holds_masked_value(self, words: str) -> bool:
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

    def inspector(self) -> verify.Inspector:
        """Ready the search for what was masked, by other means than the redactor's."""
        where = None
        if self.settings.scope == "documents":
            where = _masked_in(self.incidence, self.plan)
        return verify.Inspector(self.spellings, self.settings, where=where)


@dataclass(frozen=True)
class Redacted:
    """What a plan made of a run's documents; `fresh` names those with mentions found since."""

    redaction: Redaction
    masked: MaskedFile
    fresh: Container[str]


class _Review:
    """Tells which documents are masked otherwise now than they were; the others stay as they are.

    That is known from their mentions and by a search for all spellings of the entities that are
    masked otherwise.
    """

    def __init__(self, redactor: Redactor, before: Redacted) -> None:
        self._changes = redactor.changes(before.redaction.redactor)
        self._rows = ByDocument(before.masked.lines(), before.masked.documents)
        self._fresh = before.fresh
        self._separator = before.redaction.settings.id_separator

    def lines(self, batch: Sequence[Pair]) -> list[bytes]:
        """Return what was made of documents before; nothing where they were set aside."""
        names = [document.id for document, _ in batch]
        return [self._rows.take(name) if name in self._rows else b"" for name in names]

    def due(self, batch: Sequence[Pair], lines: Sequence[bytes]) -> list[bool]:
        """Tell of each document whether it has to be masked again."""
        known = list(map(self._known, batch, lines))
        concerned = self._changes.concerned(known)
        both = zip(batch, lines, concerned, strict=True)
        return [now or not line or pair[0].id in self._fresh for pair, line, now in both]

    def _known(self, pair: Pair, line: bytes) -> tuple[set[str], list[str]]:
        """Return the entities that a document mentions; its texts, as read and as masked."""
        document, mentions = pair
        entities = {entity_id(m.value, m.type, self._separator) for m in mentions}
        texts = [text for _, text in document.fields()]
        return entities, texts + (list(row_in(line).fields.values()) if line else [])


def add_mentions(run: Run, fresh: Mapping[str, Sequence[Mention]]) -> None:
    """Add mentions that came to light late to the run, also to those that were not corrected."""
    for log in dict.fromkeys((run.uncorrected, "mentions")):
        run.rewrite(
            log,
            (
                (name, sorted([*found, *fresh.get(name, ())], key=lambda m: (m.field, m.start)))
                for name, found in run.by_document(log)
            ),
        )


def _line(pair: Pair, redactor: Redactor) -> bytes:
    return row_of(redactor(*pair))


def _targets(
    run: Run,
    incidence: Incidence,
    plan: Plan,
    settings: Settings,
    language: Mapping[str, str],
    style: Mapping[str, str],
) -> dict[str, Target]:
    """Gather the masked entities with every spelling seen in the corpus and every known form.

    An entity's language is that of the first document it stands in. A rare term is masked where it
    was found and nowhere else, and always as its type: a pseudonym would link what it is to part.
    """
    masked = {incidence.entities[number] for number in plan.masked.tolist()}
    seen: dict[str, tuple[Mention, set[str]]] = {}
    known: set[tuple[str, str]] = set()
    for mention in run.mentions():
        known.add((mention.type, mention.value))
        entity = entity_id(mention.value, mention.type, settings.id_separator)
        if entity in masked:
            seen.setdefault(entity, (mention, set()))[1].add(mention.original)
    _, forms = aliases_of({(kind, name_of(value)) for kind, value in known}, settings)
    return {
        entity: Target(RARE_TERM, (), value=first.value, style="value")
        if first.type == RARE_TERM
        else Target(
            first.type,
            sorted(surfaces),
            sorted(set(forms(first.type, name_of(first.value))) - surfaces),
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
