"""Opens a run for the page: its entities as columns, its plan, its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.graph.names import NAMES
from linkmask.pipeline.correcting import document_hash, person_number
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.planning.scoring import Analysis, choose
from linkmask.pipeline.values.run_value import Spelled, values_spelled
from linkmask.records import STAGES, Flags, Floats, Ints, Mention, Plan, entity_id
from linkmask.report import stored_plan
from linkmask.report.exposure import exposure_shares
from linkmask.report.plan_digest import plan_digest
from linkmask.runs import Run
from linkmask.runs.file_names import DETECTED, PLAN, RELEASED
from linkmask.runs.mentions import mentions_in, places_of
from linkmask.runs.run_paths import run_at
from linkmask.text.letters import without_accents

STATES = (*STAGES, "kept")
"""Where the plan masks an entity; `kept`: nowhere."""


class OpenedRun:
    """A run with a plan, read once; `stale` tells when another command has planned it since.

    Entities go by their numbers, in the order of their ids.

    Raises:
        RunError: there is no run, it is damaged, or it holds no plan.
    """

    def __init__(self, folder: Path) -> None:
        with Run.open(run_at(folder)) as run:
            self.run = run
            self._stamp = self._plan_stamp()
            self.last = stored_plan.plan_of(run)
            self.settings = stored_plan.settings_of(run, self.last)
            self.planner = Planner(run, self.settings)
            self.planner.reopen()
            self.planner.restore(self.last)
            self.planner.count_as_released()
            self.incidence = self.planner.analysis.incidence
            self.generalized: Counter[Spelled] = Counter()
            """How often a value of a type that is written coarser by rule is spelled so."""
            self._persons: dict[int, str] = {}
            self.values, self.mentions = self._spelled()
            self._places: dict[str, dict[str, tuple[int, int]]] = {}

    def _plan_stamp(self) -> tuple[int, int]:
        try:
            stat = (self.run.path / PLAN).stat()
        except OSError:  # there is none
            return 0, 0
        return stat.st_mtime_ns, stat.st_size

    @property
    def stale(self) -> bool:
        """Whether the run was planned again since it was read."""
        return self._plan_stamp() != self._stamp

    def _spelled(self) -> tuple[list[str], Ints]:
        """Return the first spelling of each entity, and in how many places it stands.

        The second person of a name, and each further one, is noted by number.
        """
        n_entities = self.incidence.n_entities
        values, counts = [""] * n_entities, [0] * (n_entities + 1)  # the last: of no entity
        number_of: dict[tuple[str, str], int] = {}
        coarser = self.settings.generalize
        for key, original in self.run.spellings():
            if key[1] in coarser:
                self.generalized[key, original] += 1
            if (n := number_of.get(key, -2)) == -2:
                n = number_of[key] = self.ids.get(entity_id(*key, self.settings.id_separator), -1)
                if n >= 0 and not values[n]:
                    values[n] = original
                    self._persons |= {n: own} if (own := person_number(key[0])) else {}
            counts[n] += 1
        return values, np.array(counts[:n_entities], dtype=np.int32)

    def spellings(self, entity: int) -> list[tuple[str, int]]:
        """Return how an entity is written, and how often so, most often first."""
        return Counter(mention.original for mention in self.mentions_as(entity)).most_common()

    def mentions_as(self, entity: int) -> Iterator[Mention]:
        """Yield the mentions of an entity; only documents that hold it are read, where possible."""
        name, separator = self.incidence.entities[entity], self.settings.id_separator
        every: Iterable[Mention] = self.run.mentions()
        if self.run.has("mentions"):
            documents = (self.incidence.documents[d] for d in self.holders(entity))
            every = (one for each in documents for one in self.mentions_of(each))
        return (m for m in every if entity_id(m.value, m.type, separator) == name)

    def mentions_of(self, document: str, log: str = "mentions") -> list[Mention]:
        """Return the mentions of a document by its id, as a log of the run has them."""
        if log not in self._places:
            self._places[log] = places_of(self.run.path / f"{log}.jsonl")
        start, size = self._places[log].get(document, (0, 0))
        with (self.run.path / f"{log}.jsonl").open("rb") as held:
            held.seek(start)
            return mentions_in(held.read(size))

    def identity(self, entity: int) -> tuple[str, str]:
        """Return the normalized value and the type of an entity."""
        first = next(self.mentions_as(entity))
        return first.value, first.type

    def detected_in(self, entities: Collection[str]) -> set[int]:
        """Return the documents in which entities were detected that may be others by now, by id.

        Only where entities were corrected; the entities as they are have `holders`.
        """
        if self.run.uncorrected != DETECTED:
            return set()
        number = {name: n for n, name in enumerate(self.incidence.documents)}
        separator = self.settings.id_separator
        return {
            number[m.document]
            for m in self.run.mentions(DETECTED)
            if entity_id(m.value, m.type, separator) in entities
        }

    def holders(self, entity: int) -> list[int]:
        """Return the documents that hold an entity, in input order."""
        where = np.flatnonzero(self.incidence.entity == entity)
        found: list[int] = (np.searchsorted(self.incidence.start, where, side="right") - 1).tolist()
        return found

    def value_in(self, text: str) -> str:
        """Return the type of a value of the corpus that stands in a text, or "".

        What the plan keeps, and words of up to three letters, are no matter.
        """
        words = _words(text)
        runs = {
            " ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, len(words) + 1)
        }
        for entity in self.plan.masked.tolist() if words else ():
            spoken = " ".join(_words(self.values[entity]))
            if len(spoken) > 3 and spoken in runs:
                return self.type(entity)
        return ""

    # ── columns, a row an entity ────────────────────────────────────────────────────────────────

    @cached_property
    def ids(self) -> dict[str, int]:
        """Entity by id."""
        return {entity: n for n, entity in enumerate(self.incidence.entities)}

    @cached_property
    def labels(self) -> list[str]:
        """What the entities are called where values may not stand."""
        return [self.incidence.label(n) for n in range(self.incidence.n_entities)]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Entity by label."""
        return {label: n for n, label in enumerate(self.labels)}

    @cached_property
    def folded(self) -> list[str]:
        """The values as they are searched: without case and accents."""
        return [fold(value) for value in self.values]

    @cached_property
    def share(self) -> Floats:
        """Each entity's share of what the unmasked documents give away; see `exposure_shares`."""
        return exposure_shares(self.incidence)

    def state(self, plan: Plan) -> Ints:
        """Return where a plan masks each entity, as a place in `STATES`."""
        state = np.full(self.incidence.n_entities, STATES.index("kept"), dtype=np.int32)
        state[plan.masked] = [STATES.index(stage) for stage in plan.stage]
        return state

    @property
    def plan(self) -> Plan:
        """The plan as the run keeps it."""
        assert self.planner.chosen is not None
        return self.planner.chosen

    @cached_property
    def masked_ids(self) -> frozenset[str]:
        """The ids of the entities that the plan masks."""
        return frozenset(stored_plan.masked_ids(self.last))

    @cached_property
    def held_back(self) -> set[str]:
        """The documents that the last release set aside; none before the first one."""
        if not (self.run.path / RELEASED).exists():
            return set()
        released = self.run.read_json(RELEASED)["documents"].values()
        return set(self.incidence.documents).difference(*released)

    @cached_property
    def digest(self) -> str:
        """The digest of the plan, as reports have it."""
        return plan_digest(self.incidence, self.plan, self.settings)

    def display_value(self, entity: int) -> str:
        """Return an entity's value as people read it: of two persons of one name, which it is."""
        number = self._persons.get(entity)
        return f"{self.values[entity]} ({number})" if number else self.values[entity]

    def is_name(self, entity: int) -> bool:
        """Tell whether an entity's value is the name of a person, or may be."""
        return self.type(entity) in NAMES

    @cached_property
    def hashed_documents(self) -> dict[str, int]:
        """Document by the hash of its id, by which corrections name it."""
        return {document_hash(name): d for d, name in enumerate(self.incidence.documents)}

    def type(self, entity: int) -> str:
        """Return an entity's type."""
        return str(self.incidence.types[self.incidence.type[entity]])

    @property
    def types(self) -> list[str]:
        """The types of the corpus, by name."""
        found = np.unique(self.incidence.type).tolist()
        return sorted(str(self.incidence.types[one]) for one in found)

    def decided(self, entity: int) -> str:
        """Return what the plan's settings hold as a person's decision: mask, keep or nothing."""
        return self._decided.get(self.incidence.entities[entity], "")

    @cached_property
    def _decided(self) -> dict[str, str]:
        masks = dict.fromkeys(self.settings.always_mask, "mask")
        return masks | dict.fromkeys(self.settings.never_mask, "keep")


class Trial(Planner):
    """A planner whose plan stays in memory.

    Args:
        analysis: the corpus that it plans for, where that is another than the run's.
        spoken: how much more often than in the run a value is spelled so, or less.
    """

    def __init__(
        self,
        opened: OpenedRun,
        settings: Settings,
        analysis: Analysis | None = None,
        spoken: Mapping[Spelled, int] = {},
    ) -> None:
        super().__init__(opened.run, settings)
        self.analysis, self.demands = opened.planner.analysis, opened.planner.demands
        if analysis is not None:
            self.analysis = analysis
            if self.settings.policy:
                from linkmask.pipeline.planning import regulation

                self.demands = regulation.regulate(self.run, analysis.incidence, self.settings)
        self._stands = opened.plan
        times = Counter(opened.generalized)
        times.update(spoken)
        self._spoken = [one for one, n in times.items() if n > 0]

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take the plan that was kept: it stands only under its own settings, and is known."""
        self.chosen = self._stands

    def plan(self) -> None:
        """Choose what to mask; of the mentions only those are read that this takes."""
        arguments = self.run, self.analysis, self.settings, self.demands, self.held
        self.chosen = choose(*arguments, values_spelled(self._spoken, self.settings.id_separator))

    def keep(self) -> None:
        """Keep nothing."""


def masked_flags(plan: Plan, entities: int) -> Flags:
    """Return which of so many entities a plan masks."""
    flags = np.zeros(entities, dtype=np.bool_)
    flags[plan.masked] = True
    return flags


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in fold(text)).split()


def fold(text: str) -> str:
    """Return text as it is searched: without case and accents."""
    return without_accents(text.casefold(), "NFKD")
