"""A document that takes more work than the budget is set aside; the others are released."""

import json
from pathlib import Path

import pytest

from linkmask import detect
from linkmask.commands import mask_files
from linkmask.config import Settings
from linkmask.detect.budget import FIELD, FOUND, Budget
from linkmask.errors import TooMuchWork
from linkmask.records import Document
from linkmask.workers import ALONE

SHORT = "Ms. Anna Brandvold was born on 4 May 1971 in Bergen."
HEAVY = {
    "a long text": {"content": "The claim was reviewed. " * 400},
    "many values": {"content": "+47 55 12 34 56, " * 250},
    "many fields": {"content": SHORT, "metadata": {f"key {n}": "x" for n in range(60)}},
}


def released(folder: Path, workers: int, many: int) -> tuple[dict[str, str], list[str]]:
    """Mask the heavy documents among ordinary ones; return reasons, and what was released."""
    (folder / "in").mkdir(parents=True)
    records = [{"id": name, **record} for name, record in HEAVY.items()]
    records[1:1] = [{"id": f"ordinary {n}", "content": f"{SHORT} No {n}."} for n in range(many)]
    lines = "\n".join(map(json.dumps, records))
    (folder / "in" / "all.jsonl").write_text(lines, encoding="utf-8")
    settings = Settings(detector="rules", max_work=8_000, workers=workers)
    audit = mask_files(folder / "in", folder / "out", settings)
    reasons = {item["document"]: item["reason"] for item in audit.set_aside}
    written = (folder / "out" / "documents" / "all.jsonl").read_text(encoding="utf-8")
    return reasons, [json.loads(line)["id"] for line in written.splitlines()]


@pytest.mark.parametrize(("many", "workers"), [(6, 1), (ALONE + 20, 2)])
def test_a_document_over_the_budget_is_set_aside_and_the_rest_is_released(
    tmp_path: Path, many: int, workers: int
) -> None:
    """Whatever the number of workers; the reason names the setting."""
    reasons, rest = released(tmp_path, workers, many)
    assert set(reasons) == set(HEAVY)
    assert all("more work than max_work (8000) allows" in reason for reason in reasons.values())
    assert rest == [f"ordinary {n}" for n in range(many)]


def test_the_work_of_a_document_is_its_characters_its_fields_and_what_is_found() -> None:
    document = Document("1", "a" * 1000, {"note": "b" * 100})
    budget = Budget(document, 10_000)
    assert budget.spent == 1100 + 2 * FIELD
    assert list(budget.found("xyz")) == ["x", "y", "z"]
    assert budget.spent == 1100 + 2 * FIELD + 3 * FOUND
    with pytest.raises(TooMuchWork, match="max_work"):
        Budget(document, 1100)


def test_what_is_remembered_of_a_field_costs_a_document_what_it_cost_the_first() -> None:
    """A budget that hangs on what this process read before would not be the same everywhere."""
    record = {f"contact {n}": f"Ms. Anna Brandvold, +47 55 12 34 {n}" for n in range(10, 40)}
    document = Document("1", SHORT, record)

    def fits(most: int) -> bool:
        try:
            detect.first_passes(
                [document], Settings(detector="rules", max_work=most), lambda *_, **__: ""
            )
        except TooMuchWork:
            return False
        return True

    least = next(most for most in range(8_000, 40_000, FOUND) if fits(most))
    assert [fits(least - FOUND), fits(least)] == [False, True]
    assert Budget(document, least).spent < least


def test_ten_megabytes_of_prose_are_within_the_budget() -> None:
    """A five hundredth of them takes less than a five hundredth of `max_work`."""
    said = f"{SHORT} The claim of 3 March 2024 for metformin was denied by Dr. Paul Lind in Oslo. "
    document = Document("1", (said * 200)[:20_000])
    least = Settings(detector="rules", max_work=Settings().max_work // 500)
    (found,) = detect.first_passes([document], least, lambda *_, **__: "")
    assert len(found) > 500
