"""Our own case reports are read exactly as written, or not at all."""

from pathlib import Path

import pytest

pytest.importorskip("numba")

from training.texts import FormatError

from training import data, reports

LABELS = data.FAMILIES["report"]


def test_marks_are_taken_out_and_point_at_their_surface(tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_text(
        "=== a-0001\nHe took {{aspirin|DRUG}}.\n\n=== a-0002\nShe had a {{graft|PROCEDURE}}.\n",
        "utf-8",
    )
    read = list(reports.read(path, LABELS))
    assert [(name, text) for name, text, _ in read] == [
        ("a-0001", "He took aspirin.\n"),
        ("a-0002", "She had a graft.\n"),
    ]
    assert [[(text[a:z], label) for a, z, label in spans] for _, text, spans in read] == [
        [("aspirin", "DRUG")],
        [("graft", "PROCEDURE")],
    ]


@pytest.mark.parametrize(
    "body",
    ["{{ aspirin|DRUG}}", "{{|DRUG}}", "{{aspirin|PILL}}", "{{aspirin}}", "a|b", "{{a {{b|DRUG}}"],
)
def test_what_is_no_mark_is_refused(body: str) -> None:
    with pytest.raises(FormatError):
        reports.parse(body, LABELS)


def test_a_text_before_the_first_report_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_text("A foreword.\n=== a-0001\nHe took aspirin.\n", "utf-8")
    with pytest.raises(FormatError, match="before the first"):
        list(reports.read(path, LABELS))


def test_the_chain_of_case_reports_reads_ours_whatever_fold_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(data, "SOURCES", ())
    rows = list(data.rows("report"))
    assert {row.fold for row in rows} == {-1}
    assert {"DRUG", "PROCEDURE"} < {label for row in rows for label in row.labels}


def test_our_reports_repeat_no_sentence() -> None:
    """A mark put twice, or a report pasted twice, would be learned twice."""
    said = [
        line
        for path in sorted(reports.FOLDER.glob("*.txt"))
        for _, text, _ in reports.read(path, LABELS)
        for line in text.split("\n")
        if len(line) > 60
    ]
    assert len(said) > 1000
    assert len(said) == len(set(said))
