"""Masks the documents by a plan, and keeps them in the run until they are released.

Each document is masked once. Where a check leads to another plan, only documents that this plan may
mask otherwise are masked again.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import Any

from linkmask import verify
from linkmask.choices import ANOTHER, HERE
from linkmask.config import Settings
from linkmask.graph.persons import days_by_person
from linkmask.pipeline.correcting import name_of
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.fixed_names.leaking_names import LeakingNames
from linkmask.pipeline.planning import generalization
from linkmask.pipeline.planning.regulation import styled, styles
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import with_mentions
from linkmask.pipeline.redaction.mask_digest import digest_of
from linkmask.pipeline.redaction.masked_lines import masked_lines
from linkmask.pipeline.redaction.remasking import MaskedBefore, Remasking
from linkmask.pipeline.redaction.targets import DetectedEntities, exchanged, masked_in, targets_of
from linkmask.pipeline.values.possible_spellings import PossibleSpellings, words_in
from linkmask.pipeline.values.run_value import RunValues
from linkmask.pipeline.values.run_values import values_of
from linkmask.policy import Demands
from linkmask.records import Incidence, Masked, Mention, Plan, SetAside, entity_id
from linkmask.redact import (
    BY_PERSON,
    CODES,
    REVERSIBLE,
    TRIES,
    Redactor,
    Target,
    searched_spellings,
)
from linkmask.redact.batch_size import CHARACTERS, batch_weight
from linkmask.redact.changes import Changes
from linkmask.redact.run_key import load_key
from linkmask.redact.tokens import draw_tokens
from linkmask.runs import MaskedFile, Run
from linkmask.workers import batches


class Redaction:
    """A plan ready to be applied: what is masked in each document, and what must not be readable.

    The key of keyed styles is read, or made in the run, when the first document is masked.

    Args:
        language: tells the language of a document by its id, for styles that need it.
        demands: what policies demand, where any is in use.
        values: those of the run's mentions, where they are known.
        before: the redaction by the last plan of the same run; what it listed of an entity is
            listed again only where the entity changed.
    """

    def __init__(
        self,
        run: Run,
        incidence: Incidence,
        plan: Plan,
        settings: Settings,
        language: Mapping[str, str] | None = None,
        demands: Demands | None = None,
        values: RunValues | None = None,
        before: Redaction | None = None,
    ) -> None:
        self.run, self.incidence, self.plan, self.settings = run, incidence, plan, settings
        self.values = values_of(run, settings.id_separator) if values is None else values
        by_rule = generalization.styles(run, incidence, settings, plan, demands, self.values)
        demanded = styled(demands, incidence, plan.masked.tolist())
        own = {**by_rule, **demanded}
        self.targets = targets_of(self.values, incidence, plan, settings, language or {}, own)
        self.words: set[str] | None = None
        """The words of all texts that are searched; None where these may be any."""
        self.found: Collection[str] = ()
        """Ids of the entities that are mentioned in these texts."""
        arguments = self.targets, settings, demanded, self._readable, self.values
        self.targets = generalization.masked_whole(*arguments)
        self.coarse = {e: how for e, how in by_rule.items() if self.targets[e].style == how}
        self._listed = before.listed(self.targets) if before else {}
        self.changes: Changes | None = None
        """What is masked otherwise than the masks were that `redact` went on from, if any."""
        self.given: bool | None = None
        """Whether the key is the user's; if None, whether settings or environment name one."""
        self.attempts: Mapping[str, int] | None = None
        """The try at which each entity's text was found, where that is known."""

    @cached_property
    def possible_spellings(self) -> PossibleSpellings:
        """The spellings of all targets, by their words."""
        words = {entity: self.values[entity].words for entity in self.targets}
        return PossibleSpellings(self.targets, words)

    @cached_property
    def redactor(self) -> Redactor:
        """What writes over the masked entities."""
        tries = TRIES & styles(self.settings)
        originals = {m.original for m in self.run.mentions()} if tries else ()
        spellings, targets = self._spellings(self.words), self.targets
        if self.words is not None:  # no other entity can be written over
            due = spellings.keys() | self.found
            targets = {entity: one for entity, one in targets.items() if entity in due}
        return Redactor(
            targets,
            self.settings,
            key=self.key,
            originals=originals,
            tokens=self._tokens(),
            days=self.days,
            given=self.given,
            attempts=self.attempts,
            spellings=spellings,
        )

    @cached_property
    def spellings(self) -> Mapping[str, Sequence[str]]:
        """The spellings that are masked and must be gone, by entity."""
        return self.undetected_spellings(self._searched, self._with_namesake)

    @cached_property
    def _searched(self) -> Mapping[str, Sequence[str]]:
        """The spellings of each entity that are distinctive enough to be searched for."""
        listed = self._listed
        new = {entity: one for entity, one in self.targets.items() if entity not in listed}
        return {**listed, **searched_spellings(new, self.settings)}

    def listed(self, targets: Mapping[str, Target]) -> dict[str, Sequence[str]]:
        """Return the searched spellings of those of some targets that are targets here, too."""
        if self.words is not None:
            return {}
        own, held = self.targets, self._searched
        return {entity: held[entity] for entity, one in targets.items() if own.get(entity) == one}

    def _spellings(self, words: set[str] | None) -> Mapping[str, Sequence[str]]:
        """Return the spellings, or those that can stand in texts with these words."""
        if words is None:
            return self.spellings
        near = searched_spellings(self.possible_spellings.among(words), self.settings)
        return self.undetected_spellings(near, self._with_namesake)

    def undetected_spellings(
        self, forms: Mapping[str, Sequence[str]], but: Container[str] = ()
    ) -> dict[str, Sequence[str]]:
        """Return which spellings of entities are masked where detection did not find them.

        Entities that a user marked in one document alone, and those in `but`, are left out.
        """
        corrections = self.settings.corrections
        return {
            entity: () if corrections.get(entity) == HERE or entity in but else own
            for entity, own in forms.items()
        }

    @cached_property
    def _with_namesake(self) -> frozenset[str]:
        """The masked entities whose name is also that of a person who stays readable.

        Only the mentions show which of the two a name means.
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

    def draw_as(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Draw masks as before, by the `language` and `attempt` that were kept of each entity."""
        self.attempts = {e: row["attempt"] for e, row in rows.items() if row["attempt"] >= 0}
        self.targets = {
            entity: one._replace(language=rows[entity]["language"]) if entity in rows else one
            for entity, one in self.targets.items()
        }

    @property
    def draws(self) -> dict[str, tuple[str, int]]:
        """Language and try of each entity's mask, by which it can be drawn again; −1 for no try."""
        attempts = self.redactor.attempts
        targets = self.targets.items()
        return {entity: (one.language, attempts.get(entity, -1)) for entity, one in targets}

    @cached_property
    def masks(self) -> Mapping[str, str]:
        """A digest of how each masked entity is found and written, by its id."""
        return {entity: self.mask_digest(entity, one) for entity, one in self.targets.items()}

    def mask_digest(self, entity: str, target: Target) -> str:
        """Return a digest of how a masked entity would be found and written as such a target."""
        rule = *target, self._attempts.get(entity), self.days.get(entity)
        return digest_of(rule)

    @cached_property
    def _attempts(self) -> Mapping[str, int]:
        """The try at which each entity's text was found, in styles that try."""
        return self.redactor.attempts if TRIES & styles(self.settings) else {}

    def _written_as(self, names: Container[str]) -> list[str]:
        """Return the ids of the masked entities that are written in a style of these names."""
        styles, usual = self.settings.styles, self.settings.style
        return [
            entity
            for entity, target in self.targets.items()
            if (target.style or styles.get(target.type, usual)) in names
        ]

    def _tokens(self) -> dict[str, str]:
        """Return the codes of the entities in styles that have some."""
        found: dict[str, str] = {}
        for style, new in CODES.items():
            if held := self._written_as({style}):
                found = draw_tokens(self.run.tokens_path, self.key, held, new)
        return found

    def undetected(self, masked: Masked) -> list[str]:
        """Return the entities masked in a document where detection did not find them."""
        written = {each.entity for each in masked.replacements}
        undetected = self._detected.undetected(masked.id, written)
        return sorted(one for one in undetected if self.redactor.by_document(one))

    @cached_property
    def _detected(self) -> DetectedEntities:
        return DetectedEntities(self.incidence)

    @cached_property
    def days(self) -> dict[str, int]:
        """Return the days of each entity's person, in styles that use them."""
        held = self._written_as(BY_PERSON)
        return days_by_person(self.incidence, held, self.key) if held else {}

    @cached_property
    def key(self) -> bytes:
        """The key of keyed styles and of the vault; empty where no style needs one."""
        needed = REVERSIBLE & styles(self.settings)
        return load_key(self.settings, self.run.key_path, os.environ) if needed else b""

    def redact(
        self,
        source: Source,
        counted: CorpusCounts,
        progress: Progress = silent,
        before: MaskedBefore | None = None,
    ) -> MaskedFile:
        """Mask every document, and keep the masked documents in the run.

        A document without a finished detection, or that can't be masked, is never released.
        `before` holds the documents as another plan of the run masked them; those with the same
        masks are copied.
        """
        masked = MaskedFile(self.run.path)
        pairs = with_mentions(source, self.run, "mentions", counted)
        documents = (pair for pair in pairs if not isinstance(pair, SetAside))
        review = Remasking(self.redactor, before, self.settings) if before else None
        self.changes = review.changes if review else None
        for batch in batches(documents, CHARACTERS, lambda pair: batch_weight(pair[0].content)):
            old = review.lines(batch) if review else [b""] * len(batch)
            changed = review.changed(batch, old) if review else [True] * len(batch)
            made = iter(masked_lines(self.redactor, list(compress(batch, changed)), counted))
            for (document, _), line, again in zip(batch, old, changed, strict=True):
                if new := next(made) if again else line:
                    masked.add(document.id, new, copied=new == line)
                if not again:
                    masked.untouched.add(document.id)
            progress("redact", len(masked.documents), counted.documents or None)
        return masked

    def with_mentions(
        self, source: Source, counted: CorpusCounts
    ) -> Iterator[tuple[Masked, list[Mention]]]:
        """Yield each masked document with the mentions found in it."""
        for item in with_mentions(source, self.run, "mentions", counted):
            if not isinstance(item, SetAside):
                yield self.redactor(*item), item[1]

    @cached_property
    def holds_masked_value(self) -> LeakingNames:
        """Tells whether a name, in lower-case words with single blanks, holds a masked value."""
        detect = keys_of(self.settings).names
        return LeakingNames(self.targets, self.possible_spellings, detect)

    def inspector(self) -> verify.Inspector:
        """Make the search for masked values, which differs from the redactor's."""
        alone = self.settings.scope == "documents"
        where = masked_in(self.incidence, self.plan) if alone else None
        forms = self._spellings(self.words)
        same = exchanged(self.targets, forms)
        return verify.Inspector(forms, self.settings, where=where, exchanged=same)

    def inspector_of(self, entities: Collection[str]) -> verify.Inspector:
        """Make the same search for some of the masked values, in any document."""
        own = {entity: self.spellings.get(entity, ()) for entity in sorted(entities)}
        return verify.Inspector(own, self.settings, exchanged=exchanged(self.targets, own))

    def _readable(self, texts: Collection[str]) -> set[str]:
        """Return those of some texts in which a masked value can be read."""
        look = verify.Inspector(self._spellings(words_in(texts)), self.settings)
        return {text for text in texts if look.readable([text])}
