"""Agreement figures follow from the marks, and the two annotations must be of the same text."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import agreement  # noqa: E402

HEAD = "=== a-1 lang=en kind=claim layout=letter\n"


def annotations(folder: Path, first: str, second: str) -> list[agreement.Both]:
    for name, body in (("first", first), ("second", second)):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text(HEAD + body, "utf-8")
    return agreement.load(folder / "first", folder / "second")


def test_exact_and_touching_are_counted_over_the_marks_of_both(tmp_path: Path) -> None:
    both = annotations(
        tmp_path,
        "{{Dana Ruiz|NAME|P}}, {{58|AGE|P}}, saw {{Dr. Li|PROVIDER|O}}",
        "{{Dana Ruiz|NAME|P}}, 58, saw Dr. {{Li|NAME|O}}",
    )
    lines = list(agreement.report(both))
    assert lines[0] == "documents 1, marks 3 and 2"
    assert lines[1] == "spans exact F1 0.400, touching F1 0.800"
    assert lines[3] == "type on 2 touching pairs: agreed 0.500, kappa 0.000"
    assert list(agreement.disagreements(both)) == [
        "a-1 - '58' AGE P",
        "a-1 - 'Dr. Li' PROVIDER O + 'Li' NAME O",
    ]


def test_a_mark_is_paired_with_the_one_it_shares_most_with_and_only_once(tmp_path: Path) -> None:
    ((one, two),) = annotations(
        tmp_path, "{{Dana Ruiz Long|NAME|P}} x", "{{Dana|NAME|P}} {{Ruiz Long|NAME|P}} x"
    )
    ((_, b),) = agreement.pairs(one.marks, two.marks)
    assert two.text[b.start : b.end] == "Ruiz Long"


def test_kappa_is_one_for_the_same_zero_for_chance_and_below_for_worse() -> None:
    assert agreement.kappa([("P", "P"), ("N", "N")]) == 1
    assert agreement.kappa([("P", "P"), ("P", "N"), ("N", "P"), ("N", "N")]) == 0
    assert agreement.kappa([("P", "N"), ("N", "P")]) == -1
    assert agreement.kappa([("P", "P")]) == 1
    # the table 20 5 / 10 15: observed .70, expected .50
    table = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert agreement.kappa(table) == pytest.approx(0.4)


def test_another_text_under_the_same_id_is_refused_and_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a-1 is not the same text"):
        annotations(tmp_path, "{{Dana|NAME|P}} x", "{{Dana|NAME|P}} y")


def test_one_language_alone_is_counted_if_asked_and_all_else(tmp_path: Path) -> None:
    german = "=== a-2 lang=de kind=claim layout=letter\n{{Jens|NAME|P}} y\n"
    both = annotations(tmp_path, "{{Dana|NAME|P}} x\n" + german, "{{Dana|NAME|P}} x\n" + german)
    assert [one.id for one, _ in agreement.of_language(both, "de")] == ["a-2"]
    assert [one.id for one, _ in agreement.of_language(both, "fr")] == []
    assert agreement.of_language(both, None) == both


def test_forms_agree_as_written_or_as_values_and_are_counted_where_one_is_given(
    tmp_path: Path,
) -> None:
    both = annotations(
        tmp_path,
        "{{Ana|NAME|P}} {{3 May 2024|EVENT_DATE|P|2024-05-03}} {{six|AGE|P|6}} {{Leeds|NAME|O}}",
        "{{Ana|NAME|P}} {{3 May 2024|EVENT_DATE|P}} {{six|AGE|P|7}} {{Leeds|LOCATION|O}}",
    )
    lines = [line.split() for line in agreement.report_forms(both)]
    assert lines[1] == ["all", "3", "0.333", "0.667", "2", "0.000", "0.500"]
    assert lines[3] == ["EVENT_DATE", "1", "0.000", "1.000", "1", "0.000", "1.000"]
    assert list(agreement.disagreements_on_forms(both)) == [
        "a-1 ~ EVENT_DATE '3 May 2024' - '2024-05-03' + '3 May 2024'",
        "a-1 ! AGE 'six' - '6' + '7'",
    ]


def test_forms_made_apart_from_the_marks_belong_to_them(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(HEAD + "{{Dana|NAME|P}} {{May 1|EVENT_DATE|P}}", "utf-8")
    forms = tmp_path / "forms.tsv"
    forms.write_text("document\tstart\tend\tform\na-1\t5\t10\t--05-01\n", "utf-8")
    (one,) = agreement.annotated(tmp_path)
    assert [m.normalized for m in one.marks] == ["Dana", "--05-01"]
    forms.write_text("document\tstart\tend\tform\na-1\t5\t9\t--05\n", "utf-8")
    with pytest.raises(ValueError, match="a-1 has a form where no mark is"):
        agreement.annotated(tmp_path)


def test_every_document_of_the_second_pass_is_one_of_the_first_unchanged() -> None:
    second = agreement.HERE / "second"
    assert all(
        len(agreement.load(agreement.HERE / "texts", f)) > 0 for f in (second, second / "hard")
    )
