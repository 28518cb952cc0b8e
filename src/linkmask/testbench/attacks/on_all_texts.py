"""Attacks with all masked texts: reads them, or finds which belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from linkmask.testbench import linking
from linkmask.testbench.attacks.base import AttackTarget, Raw, row_of


def audit(target: AttackTarget) -> Raw:
    """Read the whole corpus: no attacker with any number of queries can read more in it (B2).

    `exposed`: read anywhere; `scoped`: read in a document of the person's own; a witness is
    [value number, document, start, end]. Where a guard acts at queries or answers, nothing bounds
    what many queries bring together: the corpus itself is what is audited.
    """
    rows = []
    for person in target.corpus.persons:
        own = set(person.documents)
        exposed: dict[int, list[int]] = {}
        scoped: set[int] = set()
        for d, text in _in_turn(target.defended.texts, person.documents):
            for number, spans in person.read(text).items():
                exposed.setdefault(number, [number, d, *spans[0]])
                if d in own:
                    scoped.add(number)
        witness = [exposed[n] for n in sorted(exposed)]
        rows.append(
            row_of(person, leaked=sorted(exposed), attributed=sorted(scoped), witness=witness)
        )
    return {"persons": rows}


def _in_turn(texts: Sequence[str], first: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield texts with their numbers: a person's own first, so that witnesses are theirs."""
    order = dict.fromkeys([*first, *range(len(texts))])
    return ((d, texts[d]) for d in order)


def linkage(target: AttackTarget) -> Raw:
    """Find the most similar document for each: is it about the same person?"""
    return linking.among(target.defended.texts, target.corpus)


def background(target: AttackTarget) -> Raw:
    """Take one unmasked document of a person and find the person's masked ones by similarity."""
    return linking.against(target.corpus.texts, target.defended.texts, target.corpus)
