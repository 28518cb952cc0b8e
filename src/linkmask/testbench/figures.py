"""Defines a figure of a run: where it belongs, its value, and in which direction it is better."""

from __future__ import annotations

from dataclasses import dataclass

LIMITS = {"HIGH": 0.6, "MEDIUM": 0.8}
"""Leak rate above which a person of this risk is flagged (formulas.md §12.4)."""
SHIFTS = (-0.1, 0.0, 0.1)
"""Shifts of `LIMITS`, which show how much the flagged share depends on them."""
RISKS = (*LIMITS, "LOW")
"""Levels of risk that the annotators of a corpus gave its persons."""

BETTER: dict[str, int] = {
    "leak": -1, "attributed": -1, "exposure": -1, "scoped": -1, "coverage": -1, "flagged": -1,
    "rank1": -1, "rank1_decoys": -1, "auc": -1, "tpr_at_1_fpr": -1,
    "corrected": -1, "leak_corrected": -1, "judged": -1,
}  # fmt: skip
"""Direction in which a measure of several attacks is better; `attacks.BETTER` has those of one,
too. `fpr` has none: more of it makes a Yes say less, and answers less true."""

HEADLINE = "targeted+membership"
"""The union of both attacks: the leak rate of formulas.md §12.4."""


def flagged(risk: str, shift: float = 0.0) -> str:
    """Return the measure that tells the share of persons of a risk who are flagged."""
    return f"flagged {risk}" + (f" at {LIMITS[risk] + shift:.1f}" if shift else "")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One figure: where it belongs, its value and 95 % interval, or why there is none."""

    defence: str
    retriever: str
    generator: str
    attack: str
    measure: str
    value: float | None
    low: float | None = None
    high: float | None = None
    status: str = "done"
    reason: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What names the figure."""
        return self.defence, self.retriever, self.generator, self.attack, self.measure


def compared_with(name: str) -> str:
    """Return what a defence is compared with, by its name; empty where with nothing.

    `idf@clam#2` with `clam`, `clam[chain_length=3]` with `clam`.
    """
    _, at, masked = name.partition("@")
    return masked.partition("#")[0] if at else name.partition("[")[0] if "[" in name else ""
