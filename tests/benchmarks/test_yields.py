"""A find is true on a mark of its type or a kindred one, false where its set marks the type."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import yields
from linkmask.config import Settings
from linkmask.detect import patterns
from linkmask.detect.candidates import Candidate
from rule_ids import spelled_rules

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


NO_RULES = ("roles.py", "staff.py", "misread_names.py")
"""Modules that correct finds and propose none."""
TABLE = Path(yields.HERE) / "yields.tsv"
PAGE = Path(yields.HERE).parent / "docs" / "results" / "yields.md"


def measured() -> dict[str, str]:
    """Return rule → why it stays, of the table that `make yields` prints."""
    rows = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines()]
    return {row[0]: row[-1] for row in rows[1:] if len(row) == len(rows[0])}


def test_every_rule_of_patterns_is_measured_or_names_its_source() -> None:
    """A new rule earns its place in the table of yields, or is a row with a source."""
    rules = {rule.name for table in patterns.TABLES for rule in table}
    assert sorted(rules - measured().keys() - yields.sourced()) == []


def excused() -> set[str]:
    """The rules that the page gives another reason for."""
    part = PAGE.read_text("utf-8").partition("\n## Rules that stay for another reason\n")[2]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")]
    return {name for row in rows[1:] for name in row[0].strip().split(", ")}


def in_python() -> set[str]:
    """The rules that are no rows, by the modules that propose candidates."""
    room = yields.SOURCES
    files = [*(room / "lexicon").glob("*.py"), *(room / "structured").glob("*.py")]
    spelled = spelled_rules([one for one in files if one.name not in NO_RULES])
    return {one for one in spelled if one.strip()}


def test_a_rule_that_earned_nothing_has_a_reason_to_stay() -> None:
    """Of the rules with a reason, those that are not in the table have no hit, but exist."""
    without = {rule for rule, earned in measured().items() if earned == "no"}
    assert without <= excused() <= without | (in_python() - measured().keys())


def test_every_rule_in_python_is_measured_or_has_a_reason_to_stay() -> None:
    """A rule that is no row has examples and a source nowhere: the table shows what it earned."""
    assert sorted(in_python() - measured().keys() - excused()) == []
