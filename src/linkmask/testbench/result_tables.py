"""Computes figures with intervals from raw cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from linkmask import schema
from linkmask.testbench.cells import Cell
from linkmask.testbench.figures import (
    HEADLINE,
    LIMITS,
    RISKS,
    SHIFTS,
    ResultRow,
    compared_with,
    flagged,
)
from linkmask.testbench.findings import per_person, share
from linkmask.testbench.measures import (
    auc,
    differences,
    interval,
    interval_of_mean,
    mean,
    tpr_at,
)
from linkmask.testbench.run_folder import load, load_cells

Raw = Mapping[str, Any]
Values = list[float | None]


class Results:
    """The results of a run: its cells, read from its folder, and the figures made of them."""

    def __init__(self, run: Path) -> None:
        self.run = load(run)
        self.persons: list[Raw] = self.run["persons"]
        self.cells: dict[Cell, Raw] = {Cell(**kept["cell"]): kept for kept in load_cells(run)}
        weights = schema.load("insurance").weights
        self.weights = [[weights[t] for t in person["types"]] for person in self.persons]

    @property
    def questions(self) -> list[tuple[str, str]]:
        """Type and source of the questions, as pairs."""
        return [(t, s) for t in ("specific", "general") for s in ("single", "multi")]

    def _share(self, person: int, found: set[int]) -> float | None:
        return share(self.weights[person], found)

    @cached_property
    def rows(self) -> list[ResultRow]:
        """Every figure, in the order of the cells; a hole is a row with its reason."""
        return list(self._rows())

    @cached_property
    def _by_key(self) -> dict[tuple[str, ...], ResultRow]:
        return {row.key: row for row in self.rows}

    def figure(self, *key: str) -> ResultRow | None:
        """Return the figure of defence, retriever, generator, attack and measure, if any."""
        return self._by_key.get(key)

    def value(self, *key: str) -> float | None:
        """Return the value of such a figure, None if there is none."""
        row = self.figure(*key)
        return None if row is None else row.value

    def _rows(self) -> Iterator[ResultRow]:
        for cell, kept in self.cells.items():
            at = cell.defence, cell.retriever, cell.generator, cell.attack
            if kept["status"] != "done":
                reason = kept.get("reason", "")
                yield ResultRow(*at, "", None, status=kept["status"], reason=reason)
                continue
            why = kept["raw"].get("bertscore", {}).get("hole", "")
            for name, values in self.per_person(cell).items():
                if name == "bertscore" and why:
                    yield ResultRow(*at, name, None, status="hole", reason=why)
                else:
                    yield self._row(at, name, values)
            yield from self._pooled(at, kept["raw"])
            if cell.attack == "questions":
                yield from self._by_kind(at, kept["raw"])
                yield from self._agreement(cell)
        yield from self._headline()

    def _row(self, at: tuple[str, str, str, str], name: str, values: Values) -> ResultRow:
        found = interval_of_mean(values)
        low, high = found or (None, None)
        return ResultRow(*at, name, mean(values), low, high)

    def per_person(self, cell: Cell) -> dict[str, Values]:
        """Return the measures of a cell that every person has a value of."""
        return per_person(self.cells[cell]["raw"], self.weights, texts=cell.attack == "audit")

    def _pooled(self, at: tuple[str, str, str, str], raw: Raw) -> Iterator[ResultRow]:
        for name, value in raw.get("pooled", {}).items():
            low, high = raw.get("intervals", {}).get(name) or (None, None)
            yield ResultRow(*at, name, value, low, high)
        persons: list[Raw] = raw["persons"]
        if persons and "members" in persons[0]:
            for name, score in (("auc", auc), ("tpr_at_1_fpr", tpr_at)):
                yield self._bootstrapped(at, name, persons, score)

    def _bootstrapped(
        self,
        at: tuple[str, str, str, str],
        name: str,
        persons: Sequence[Raw],
        score: Callable[[Sequence[float], Sequence[float]], float | None],
    ) -> ResultRow:
        def statistic(sample: Sequence[int]) -> float | None:
            members, others = (
                [s for n in sample for s in persons[n][key] if s is not None]
                for key in ("members", "others")
            )
            return score(members, others)

        found = interval(statistic, len(persons), draws=200)
        low, high = found or (None, None)
        return ResultRow(*at, name, statistic(range(len(persons))), low, high)

    def _by_kind(self, at: tuple[str, str, str, str], raw: Raw) -> Iterator[ResultRow]:
        for kind, source in self.questions:
            some = [q for q in raw["questions"] if (q["type"], q["source"]) == (kind, source)]
            for name in ("rouge1", "contains", "judge", "bertscore"):
                yield ResultRow(*at, f"{name} {kind}/{source}", mean([q.get(name) for q in some]))

    def _agreement(self, cell: Cell) -> Iterator[ResultRow]:
        """Compare a store's lists with exact search on the same vectors: share that is in both."""
        exact, _, store = cell.retriever.partition("-")
        other = self.cells.get(replace(cell, retriever=exact))
        if store and other and other["status"] == "done":
            both = zip(self.cells[cell]["raw"]["questions"], other["raw"]["questions"], strict=True)
            asked: dict[int, list[float | None]] = defaultdict(list)
            for mine, its in both:
                if its["retrieved"]:
                    same = set(mine["retrieved"]) & set(its["retrieved"])
                    asked[mine["person"]].append(len(same) / len(its["retrieved"]))
            at = cell.defence, cell.retriever, cell.generator, cell.attack
            values = [mean(asked[n]) for n in range(len(self.persons))]
            yield self._row(at, "agreement", values)

    def _headline(self) -> Iterator[ResultRow]:
        for cell in self.cells:
            if cell.attack == "targeted":
                at = cell.defence, cell.retriever, cell.generator, HEADLINE
                for key in ("leaked", "attributed"):
                    values = self.union(cell, key)
                    if values is None:
                        continue
                    yield self._row(at, "leak" if key == "leaked" else key, values)
                    if key == "leaked":
                        yield from self._flags(at, values)

    def _flags(self, at: tuple[str, str, str, str], leak: Values) -> Iterator[ResultRow]:
        """Yield the leak of persons by their risk, and the share of them that is flagged."""
        for risk in RISKS:
            both = zip(self.persons, leak, strict=True)
            some = [value for person, value in both if person["risk"] == risk]
            if some:
                yield self._row(at, f"leak {risk}", some)
            for shift in SHIFTS if risk in LIMITS else ():
                limit = round(LIMITS[risk] + shift, 9)
                over = [None if value is None else float(value > limit) for value in some]
                yield ResultRow(*at, flagged(risk, shift), mean(over))

    def union(self, cell: Cell, key: str = "leaked") -> Values | None:
        """Return each person's leak by targeted questions, the judge and membership together."""
        both = self._both(cell, key)
        return None if both is None else [self._share(n, found) for n, found in enumerate(both)]

    def _both(self, cell: Cell, key: str = "leaked") -> list[set[int]] | None:
        """Return the numbers of the values that leaked by either attack, a set per person."""
        both = [
            self.cells.get(Cell(cell.defence, cell.retriever, cell.generator, attack))
            for attack in ("targeted", "membership")
        ]
        if any(kept is None or kept["status"] != "done" for kept in both):
            return None
        rows = [kept["raw"]["persons"] for kept in both if kept]
        return [
            {*a[key], *b[key], *((a.get("judged") or ()) if key == "leaked" else ())}
            for a, b in zip(*rows, strict=True)
        ]

    # ── who is compared with whom ───────────────────────────────────────────────────────────────

    def comparisons(self) -> Iterator[ResultRow]:
        """Yield the paired differences of each defence to its controls: its mean minus theirs.

        A defence with other settings is compared, too. Below 0 is better for what leaks, above 0
        for what is answered.
        """
        for cell, kept in self.cells.items():
            base = compared_with(cell.defence)
            if not base or kept["status"] != "done":
                continue
            other = Cell(base, cell.retriever, cell.generator, cell.attack)
            if self.cells.get(other, {}).get("status") != "done":
                continue
            theirs, ours = self.per_person(cell), self.per_person(other)
            for measure in ("exposure", "scoped", "leak", "rouge1", "contains", "rank1"):
                if measure in ours:
                    yield self._difference(cell, base, measure, ours[measure], theirs[measure])
            if cell.attack == "targeted":
                mine, its = self.union(other), self.union(cell)
                if mine and its:
                    at_ = Cell(cell.defence, cell.retriever, cell.generator, HEADLINE)
                    yield self._difference(at_, base, "leak", mine, its)

    def _difference(self, cell: Cell, base: str, measure: str, a: Values, b: Values) -> ResultRow:
        both = differences(a, b)
        low, high = interval_of_mean(both) or (None, None)
        return ResultRow(
            f"{base} − {cell.defence}", cell.retriever, cell.generator, cell.attack, measure,
            mean(both), low, high,
        )  # fmt: skip

    def types(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield (defence, type, readable, all): what the audit still reads, by type."""
        for cell, kept in self.cells.items():
            if cell.attack == "audit" and kept["status"] == "done":
                found = [set(row["leaked"]) for row in kept["raw"]["persons"]]
                yield from self._typed(cell.defence, found)

    def leaked_types(self, retriever: str, generator: str) -> Iterator[tuple[str, str, int, int]]:
        """Yield (defence, type, leaked, all) by targeted questions and membership together."""
        for cell in self.cells:
            if (cell.retriever, cell.generator, cell.attack) == (retriever, generator, "targeted"):
                found = self._both(cell)
                if found is not None:
                    yield from self._typed(cell.defence, found)

    def _typed(self, name: str, found: Sequence[set[int]]) -> Iterator[tuple[str, str, int, int]]:
        total: dict[str, int] = defaultdict(int)
        readable: dict[str, int] = defaultdict(int)
        for person, numbers in zip(self.persons, found, strict=True):
            for n, kind in enumerate(person["types"]):
                total[kind] += 1
                readable[kind] += n in numbers
        for kind in sorted(total):
            yield name, kind, readable[kind], total[kind]

    def queries_and_tokens(self) -> dict[str, dict[str, float]]:
        """Return by attack what its cells asked on average, and the tokens models spent on it."""
        counts: dict[str, list[Mapping[str, int]]] = defaultdict(list)
        for cell, kept in self.cells.items():
            if kept["status"] == "done":
                spent = kept.get("model", {})
                tokens = spent.get("tokens_in", 0) + spent.get("tokens_out", 0)
                counts[cell.attack].append({**kept.get("asked", {}), "tokens": tokens})
        keys = ("asked", "refused", "declined", "hidden", "failed", "tokens")
        return {
            attack: {key: sum(row.get(key, 0) for row in rows) / len(rows) for key in keys}
            for attack, rows in counts.items()
        }

    def costs(self) -> dict[str, Raw]:
        """Return what each defence masked, and the seconds it took."""
        return {cell.defence: kept["cost"] for cell, kept in self.cells.items() if kept.get("cost")}
