"""A find is true on a mark of its type or a kindred one, false where its set marks the type."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import yields
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate

TEXT = "Call Ann Lee in Dover about the claim."
NAME, TOWN, CLAIM = (5, 12), (16, 21), (32, 37)


def find(span: tuple[int, int], kind: str) -> Candidate:
    return Candidate(*span, kind, "lexicon", "a rule", 0.8)


@pytest.mark.parametrize(
    ("name", "marks", "span", "kind", "verdict"),
    [
        ("tab", [(*NAME, "NAME")], NAME, "NAME", "true"),
        ("tab", [(*NAME, "NAME")], NAME, "PROVIDER", "true"),
        ("tab", [(*NAME, "")], NAME, "NAME", "untyped"),
        ("tab", [(*NAME, "NAME")], NAME, "LOCATION", "other"),
        ("tab", [(*NAME, "NAME")], TOWN, "NAME", "false"),
        ("tab", [(*NAME, "NAME")], TOWN, "LOCATION", ""),
        ("tab", [(*NAME, "AGE")], TOWN, "UNIQUE_FACT", ""),
        ("own", [], TOWN, "UNIQUE_FACT", "false"),
        ("insurance", [], TOWN, "NAME", ""),
        (yields.NOBODY, [], CLAIM, "UNIQUE_FACT", "false"),
    ],
)
def test_a_find_is_judged_by_what_its_set_marks(
    name: str, marks: list[tuple[int, int, str]], span: tuple[int, int], kind: str, verdict: str
) -> None:
    one = yields.Marked(name, "en", TEXT, marks)
    assert yields.judge(one, find(span, kind), {t for _, _, t in marks}) == verdict


def test_what_a_set_ignores_is_not_judged() -> None:
    one = yields.Marked("tab", "en", TEXT, [(*NAME, "NAME")], ignored=[TOWN])
    assert yields.judge(one, find(TOWN, "NAME"), {"NAME"}) == ""


def test_a_row_needs_three_true_finds_on_texts_it_was_not_written_on() -> None:
    row = yields.Yield("lexicon", "a rule")
    row.true_by_set.update({"own": 50, "insurance": 20, "tab": 2})
    assert not row.earned
    row.true_by_set["tab"] = 3
    assert row.earned == "yes"


def test_rules_that_never_fire_are_in_the_table() -> None:
    rows = yields.measure([yields.Marked("own", "en", TEXT, [(*NAME, "NAME")])], Settings())
    assert rows["patterns", "iban"].counts["hits"] == 0
    assert sum(row.counts["hits"] for row in rows.values()) > 0
