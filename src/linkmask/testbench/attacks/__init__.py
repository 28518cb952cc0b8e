"""Registers the attacks by name: what is asked, by whom, and what it reveals.

An attack declares what its attacker knows and how many queries they have. It writes raw findings,
never a value: per person the numbers of their values that leaked, scores, and pooled figures.
Tables are made of these later, by `measures`.
"""

from __future__ import annotations

from functools import partial

from linkmask.testbench import figures
from linkmask.testbench.attacks.base import Attack, AttackTable, AttackTarget
from linkmask.testbench.attacks.connect import CONNECTED, connect
from linkmask.testbench.attacks.honest import ASKED, questions
from linkmask.testbench.attacks.known_values import membership, targeted
from linkmask.testbench.attacks.ladder import RECOGNIZED, RUNGS, ladder
from linkmask.testbench.attacks.linker import linker
from linkmask.testbench.attacks.no_knowledge import benign, crawl, untargeted
from linkmask.testbench.attacks.on_all_texts import audit, background, linkage
from linkmask.testbench.attacks.optimizer import optimizer_lite
from linkmask.testbench.attacks.oracle import ROUNDS, oracle
from linkmask.testbench.attacks.s2mia import s2mia_lite
from linkmask.testbench.attacks.thief import rag_thief, rag_thief_lite
from linkmask.testbench.findings import MEASURED

__all__ = ["ATTACKS", "BETTER", "Attack", "AttackTarget", "columns", "tables"]

ATTACKS: dict[str, Attack] = {
    "questions": Attack(
        "the honest questions",
        "4 a person",
        "honest use",
        questions,
        table=ASKED,
        better=dict.fromkeys(MEASURED, 1),
        shown=(
            ("own questions' leak", "leak"),
            ("ROUGE-1", "rouge1"),
            ("judge", "judge"),
            ("F1", "f1"),
            ("contains", "contains"),
            ("BERTScore", "bertscore"),
            ("recall@k", "recall"),
            ("nDCG", "ndcg"),
            ("as exact", "agreement"),
        ),
    ),
    "targeted": Attack(
        "each value of the person, one at a time",
        "2 or 3 a value",
        "asks around it",
        targeted,
        shown=(("targeted", "leak"),),
    ),
    "membership": Attack(
        "each value of the person",
        "2 a value",
        "asks if it is there",
        membership,
        shown=(("member", "leak"), ("AUC", "auc"), ("corrected", "leak_corrected")),
    ),
    "ladder": Attack(
        "one, two, three values that identify nobody alone",
        "3 a person",
        "asks who it is",
        ladder,
        table=RECOGNIZED,
        shown=tuple(
            (f"{head}, {rung} known", f"{measure}_{rung}")
            for measure, head in (("rung", "identifiers"), ("sure", "sure"))
            for rung in RUNGS
        ),
        better={f"{name}_{rung}": -1 for name in ("rung", "sure") for rung in RUNGS},
    ),
    "s2mia-lite": Attack(
        "documents, half of which are inside",
        "1 a document",
        "asks for its rest",
        s2mia_lite,
        shown=(("S2MIA-lite", "auc"),),
    ),
    "untargeted": Attack(
        "nothing", "4", "asks for everything", untargeted, shown=(("untargeted", "leak"),)
    ),
    "crawl": Attack("nothing", "QUERIES", "random words", crawl, shown=(("words", "leak"),)),
    "rag-thief-lite": Attack(
        "nothing",
        "QUERIES",
        "goes on from the ends of what it heard",
        rag_thief_lite,
        shown=(("thief-lite", "leak"),),
    ),
    "rag-thief": Attack(
        "nothing",
        "QUERIES",
        "a model goes on from what it heard",
        rag_thief,
        shown=(("thief", "leak"),),
    ),
    "deal-lite": Attack(
        "nothing", "QUERIES", "searches for the command that extracts most", optimizer_lite
    ),
    "benign": Attack(
        "the line of business",
        "QUERIES",
        "harmless questions",
        benign,
        shown=(("harmless", "leak"),),
    ),
    "audit": Attack(
        "the texts themselves",
        "any",
        "reads all of them",
        audit,
        system=False,
        shown=(("exposure", "exposure"), ("scoped", "scoped")),
    ),
    "linkage": Attack(
        "the masked texts",
        "-",
        "most alike of them",
        linkage,
        system=False,
        shown=(("rank-1", "rank1"), ("AUC", "auc"), ("rank-1, 4 decoys", "rank1_decoys")),
    ),
    "linker": Attack(
        "the masked texts, and other corpora to learn from",
        "-",
        "most likely of one person",
        linker,
        system=False,
        shown=(("rank-1, linker", "rank1"), ("AUC, linker", "auc")),
        better=dict.fromkeys(("rank5", "average_precision", "b3_precision", "b3_recall"), -1),
    ),
    "oracle": Attack(
        "each value of the person, and may add documents",
        "2 documents a value",
        "is it masked in a line of its own?",
        oracle,
        system=False,
    ),
    "oracle-few": Attack(
        "each value of the person, and may add documents",
        f"2 documents a value, in {ROUNDS} rounds",
        "is it masked in a line of its own, among few others?",
        partial(oracle, rounds=ROUNDS),
        system=False,
    ),
    "oracle-person": Attack(
        "each value of the person, and may add documents",
        f"2 documents a value, in {ROUNDS} rounds",
        "is it masked in a line that also says an age?",
        partial(oracle, rounds=ROUNDS, person=True),
        system=False,
    ),
    "connect": Attack(
        "the masked texts",
        "-",
        "what goes with what, directly or by others",
        connect,
        False,
        table=CONNECTED,
        shown=(
            ("private triples", "r_pri"),
            ("still connected", "r_connect"),
            ("public triples", "r_pub"),
        ),
        better={"r_pri": -1, "r_connect": -1, "r_pub": 1},
    ),
    "background": Attack(
        "one document of the person, unmasked",
        "-",
        "most alike of the masked",
        background,
        False,
        shown=(("rank-1, one known", "rank1"),),
    ),
}
"""Every attack by name; `questions` is the honest reader, for what masking costs."""

BETTER = {
    **figures.BETTER,
    **{measure: way for attack in ATTACKS.values() for measure, way in attack.better.items()},
}
"""Direction in which each measure is better; the others are for information."""


def tables(system: bool) -> list[AttackTable]:
    """Return what attacks on a system, or on the texts, fill of a run's page; `ASKED` is last."""
    found = dict.fromkeys(one.shown_in for one in ATTACKS.values() if one.system == system)
    return sorted(found, key=lambda table: table is ASKED)


def columns(table: AttackTable) -> list[tuple[str, str, str]]:
    """Return the columns of a table of a run's page: head, attack, measure."""
    return [
        (head, name, measure)
        for name, attack in ATTACKS.items()
        if attack.shown_in is table
        for head, measure in attack.shown
    ]
