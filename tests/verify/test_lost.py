"""What the first pass found of direct identifiers is in the result of detection, or is missed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import linkmask
from counted_work import lines_run
from linkmask import Document, verify
from linkmask.api import Scan
from linkmask.config import Settings
from linkmask.records import CONTENT, Mention, Why
from linkmask.runs import Run

EXAMPLES = Path(__file__).parents[2] / "examples" / "insurance" / "documents"
DIRECT = ("NAME", "PATIENT_ID", "ADDRESS", "PHONE_NUMBER", "EMAIL")
THESIS = linkmask.load(preset="thesis", environment={})


def mention(kind: str, start: int, end: int, document: str = "a", field: str = CONTENT) -> Mention:
    value = "x" * (end - start)
    return Mention(document, field, start, end, kind, value, value, 0.9, Why("t", "t", 0.9))


def findings(
    folder: Path, first: Iterable[Mention], result: Iterable[Mention], settings: Settings
) -> list[tuple[str, str, bool]]:
    """What `lost` says of a run of documents a and b, of which b was logged last in the result."""
    with Run.create(folder / "run", settings, source=folder, digest="") as run:
        for name, found, order in (("stage1", first, "abc"), ("mentions", result, "ba")):
            with run.log(name) as log:
                for document in order:
                    log.add(document, [m for m in found if m.document == document])
                log.finish()
        found = list(verify.lost_identifiers(run, settings))
    return [(one.document, one.detail.rpartition(": ")[2], one.blocking) for one in found]


def test_a_direct_identifier_that_no_mention_covers_is_a_blocking_finding(tmp_path: Path) -> None:
    """In part is not covered; document c, whose detection is not finished, is none of it."""
    first = [
        mention("NAME", 0, 9),
        mention("EMAIL", 20, 30),
        mention("EVENT", 40, 50),
        mention("NAME", 5, 9, "b"),
        mention("NAME", 0, 4, "c"),
    ]
    result = [mention("PROVIDER", 0, 9), mention("EMAIL", 20, 26), mention("NAME", 5, 9, "b")]
    assert findings(tmp_path, first, result, THESIS) == [("a", "EMAIL (1)", True)]


def test_several_mentions_may_cover_one_and_only_in_its_field(tmp_path: Path) -> None:
    first = [mention("ADDRESS", 0, 30), mention("NAME", 0, 5, "b", "metadata/by")]
    result = [mention("ADDRESS", 0, 12), mention("LOCATION", 12, 31), mention("NAME", 0, 5, "b")]
    assert findings(tmp_path, first, result, THESIS) == [("b", "NAME (1)", True)]


def test_what_stands_between_two_values_may_be_in_neither(tmp_path: Path) -> None:
    """A first pass that cut "A-B-C" otherwise than the result did has lost no letter of it."""
    said = "Ann-Mary-Jo"
    first = [Mention("a", CONTENT, 4, 15, "NAME", said, said, 0.9, Why("t", "t", 0.9))]
    result = [mention("NAME", 0, 7), mention("NAME", 8, 12), mention("NAME", 13, 15)]
    assert findings(tmp_path / "1", first, result, THESIS) == []
    assert findings(tmp_path / "2", first, result[::2], THESIS) == [("a", "NAME (1)", True)]


def test_each_mention_is_compared_with_its_neighbours_alone(tmp_path: Path) -> None:
    """Four times the mentions take about four times the work, counted in lines of code run."""

    def work(n: int) -> int:
        every = [mention("NAME", 9 * at, 9 * at + 5) for at in range(n)]
        return lines_run(lambda: findings(tmp_path / str(n), every, every[:-1], THESIS))

    assert work(1000) < 5 * work(250)


def test_types_of_the_floor_count_as_direct(tmp_path: Path) -> None:
    settings = Settings(floor=("EVENT",))
    assert findings(tmp_path, [mention("EVENT", 0, 5)], [], settings) == [("a", "EVENT (1)", True)]


def test_a_document_that_lost_a_name_is_not_released() -> None:
    """Nothing is under its limits that was not scored."""
    told = "Ms Martha Quill of Dover called on 4 May 2024."
    scan = Scan([Document("a", told, {}), Document("b", "Nothing to report.", {})])
    run = scan.job.run
    assert any(m.type == "NAME" for m in run.mentions())
    run.replace_log(
        "mentions", [(n, [m for m in f if m.type != "NAME"]) for n, f in run.by_document()]
    )
    scan.job.score()
    found = scan.verify(scan.plan())
    assert ("a", "lost", True) in {(one.document, one.kind, one.blocking) for one in found}
    assert [(one.document, one.step) for one in scan.set_aside] == [("a", "verify")]
    assert "lost" in scan.set_aside[0].reason


@pytest.mark.parametrize("preset", ["thesis", "insurance"])
@pytest.mark.parametrize("detector", ["embedded", "rules", "patterns"])
def test_every_direct_identifier_of_the_first_pass_is_scored(preset: str, detector: str) -> None:
    """Of the examples' names, patients' numbers, addresses, phones and mails none is lost.

    A number that the corpus knows better as a thing's is scored as that.
    """
    read = [json.loads(path.read_bytes()) for path in sorted(EXAMPLES.glob("*.json"))]
    settings = linkmask.load(
        preset=preset, overrides={"detector": detector, "workers": 1}, environment={}
    )
    scan = Scan(read, settings)
    first = Counter(m.type for m in scan.job.run.mentions("stage1"))
    scored = Counter(m.type for m in scan.job.run.mentions())
    if detector == "embedded":
        assert [first[kind] for kind in ("NAME", "ADDRESS", "PHONE_NUMBER", "EMAIL")] == [
            16, 4, 8, 13,
        ]  # fmt: skip
    for kind in DIRECT:
        moved = 2 if kind == "PATIENT_ID" else 0
        assert scored[kind] >= first[kind] - moved, kind
        assert not first[kind] or kind in scan.incidence.types
    assert list(verify.lost_identifiers(scan.job.run, settings)) == []


def test_documents_that_were_checked_before_are_left_out_and_not_searched_one_by_one(
    tmp_path: Path,
) -> None:
    """An update names nearly all documents of a corpus: looking each up in a list is quadratic."""

    class Named(list[str]):
        def __contains__(self, name: object) -> bool:
            raise AssertionError("each document is searched for in the whole list")

    with Run.create(tmp_path / "run", THESIS, source=tmp_path, digest="") as run:
        for name in ("stage1", "mentions"):
            with run.log(name) as log:
                for document in "ab":
                    log.add(document, [mention("NAME", 0, 9, document)] * (name == "stage1"))
                log.finish()
        found = list(verify.lost_identifiers(run, THESIS, Named(["a"])))
    assert [one.document for one in found] == ["b"]
