"""What an opened run knows: its plan, its mentions by document, its aliases, its key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from linkmask import schema
from linkmask.config import Settings
from linkmask.detect.lexicon.gazetteer import listed
from linkmask.masker.originals import Originals
from linkmask.pipeline import detection, regulation
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.redaction import Redaction
from linkmask.records import Mention, entity_id
from linkmask.redact import VARIES, Redactor, asked
from linkmask.redact.vault import Vault, check_key
from linkmask.report import tables
from linkmask.runs import Run
from linkmask.runs.places import run_at


class Opened:
    """A finished run, read: all that masking by it needs.

    Raises:
        RunError: there is no run, or it holds no plan.
    """

    def __init__(self, path: Path, key: bytes | str | os.PathLike[str] | None = None) -> None:
        with Run.open(run_at(path)) as run:
            released = (run.path / tables.RELEASED).exists()
            kept = run.read_json(tables.RELEASED) if released else tables.plan_of(run)
            settings = tables.settings_of(run, kept)
            if key is not None and not isinstance(key, bytes):
                settings = msgspec.structs.replace(settings, key_file=os.fspath(key))
            planner = Planner(run, settings)
            planner.reopen()
            planner.restore(kept)
            assert planner.chosen is not None
            spoken: Mapping[str, str] = {}
            if VARIES & regulation.styles(settings):
                from linkmask import corpus

                spoken = detection.languages(corpus.Corpus(run.source, settings), settings)
            known = run, planner.analysis.incidence, planner.chosen, planner.settings
            self.redaction = Redaction(*known, spoken, planner.demands)
            if isinstance(key, bytes):
                self.redaction.key = key
            self.settings: Settings = planner.settings
            self.originals: Mapping[str, str] = kept.get("originals", {})
            self.mentions = dict(run.by_document())
            self._aliases, _ = detection.same_thing(run, "mentions", settings)
            self._types = planner.analysis.incidence.types
            self._entities = frozenset(planner.analysis.incidence.entities)

    @property
    def redactor(self) -> Redactor:
        """What writes over the documents of the run."""
        return self.redaction.redactor

    @property
    def floor(self) -> frozenset[str]:
        """Types that are masked where the run does not know the entity.

        Those of the run's floor; where it has none, all direct identifiers.
        """
        groups = schema.load(self.settings.schema).groups
        direct = (name for name, group in groups.items() if group == "direct")
        return frozenset(self.settings.floor or direct)

    def mentions_of(self, name: str) -> list[Mention]:
        """Return the mentions that the run holds of a document."""
        return self.mentions[name]

    @cached_property
    def originals_of_masks(self) -> Originals:
        """What masks stand for.

        Raises:
            RunError: the run has no vault, or the key is another one.
            SettingsError: there is no key.
        """
        check_key(self.redaction.run.vault_path, self.redaction.key)
        return Originals(self.redaction.targets, self.redactor)

    def vault(self) -> Vault:
        """Open the vault.

        Raises:
            RunError: the run has no vault.
            SettingsError: there is no key.
        """
        return Vault(self.redaction.run.vault_path, self.redaction.key)

    @cached_property
    def text_redactor(self) -> Redactor:
        """What writes over the same entities in texts that people type."""
        forms = asked(self.redaction.targets, listed)
        settings = msgspec.structs.replace(self.settings, scope="corpus")
        return Redactor(
            self.redaction.targets, settings, means=self.redactor.means, spellings=forms
        )

    @cached_property
    def detector(self) -> detection.Detector:
        """Detection without a language model, of documents by themselves."""
        local = {"llm": "embedded", "embedded+llm": "embedded"}
        name = local.get(self.settings.detector, self.settings.detector)
        return detection.Detector(msgspec.structs.replace(self.settings, detector=name))

    def standing(self, mention: Mention) -> tuple[Mention, bool | None]:
        """Tell whether the run masks a mention, keeps it, or does not know it.

        Detection may give a value another type in a short text than in the corpus: then it is the
        corpus's that counts.
        """
        for name in dict.fromkeys((mention.type, *self._types)):
            entity_type, value = name, mention.value
            if name != mention.type:
                value = detection.canonical(self.settings)(name, mention.original)
            if self._aliases is not None:
                entity_type, value = self._aliases.resolve(name, value)
            entity = entity_id(value, entity_type, self.settings.id_separator)
            if entity in self._entities:
                found = msgspec.structs.replace(mention, type=entity_type, value=value)
                return found, entity in self.redaction.targets
        return mention, None
