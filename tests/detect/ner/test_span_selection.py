"""Spans of case reports: their chances are those of all paths, what is taken is disjoint."""

from __future__ import annotations

from itertools import groupby, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.ner import features, medicine, model, span_selection
from linkmask.formulas.compiling import compiled

REPORT = """A 54-year-old man was admitted with fever, chest pain and dyspnea. Physical examination
showed a blood pressure of 90/60 mmHg. Computed tomography revealed a pulmonary embolism. The
patient was treated with heparin and underwent pulmonary thrombectomy under general anesthesia. He
received vancomycin and methylprednisolone for 5 days, and was discharged on warfarin. Laboratory
tests were normal at follow-up, and the patient remained asymptomatic without recurrence.
"""
COUNT = 3


def runs(path: tuple[int, ...]) -> set[tuple[int, int, int]]:
    """Return (start, end, label) of the runs of a path."""
    result, at = set(), 0
    for label, run in groupby(path):
        size = len([*run])
        result.add((at, at + size, label))
        at += size
    return result


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(2, COUNT), st.integers(0, 2**32 - 1))
def test_a_spans_chance_is_that_of_all_paths_that_have_it(n: int, size: int, seed: int) -> None:
    """Of exactly these words and no more, with this label."""
    random = np.random.default_rng(seed)
    here, moves = np.exp(random.normal(size=(n, size))), np.exp(random.normal(size=(size, size)))
    expected: dict[tuple[int, int, int], float] = {}
    total = 0.0
    for path in product(range(size), repeat=n):
        by = float(np.prod([here[i, y] for i, y in enumerate(path)]))
        by *= float(np.prod([moves[a, b] for a, b in pairwise(path)]))
        total += by
        for run in runs(path):
            expected[run] = expected.get(run, 0.0) + by
    least = 0.05
    found = np.empty((n * round(1 / least), 4))
    count = span_selection.spans(here, moves, np.arange(1, size, dtype=np.int32), least, found)
    seen = {(int(i), int(j), int(y)): by for i, j, y, by in found[:count].tolist()}
    wanted = {run: by / total for run, by in expected.items() if run[2]}
    assert seen == pytest.approx({run: by for run, by in wanted.items() if by >= least})


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(1, 5), st.integers(0, 1), st.floats(0.03, 1)),
        max_size=12,
    )
)
def test_what_is_chosen_is_disjoint_and_some_of_what_was_seen(
    seen: list[tuple[int, int, int, float]],
) -> None:
    text = ["word"] * 18
    spans = sorted(
        {
            span_selection.WordSpan(i, i + n, of, "SIGN" if of == 0 else "DRUG", by)
            for i, n, of, by in seen
        }
    )
    size = len(
        next(span_selection.features(text, [span_selection.WordSpan(0, 1, 0, "SIGN", 0.5)], {}, 0))
    )
    judge = span_selection.Judge(0, 1, [[0.0, 1.0] + [0.0] * (size - 2)] * 2, {}, 0, 0.25)
    taken = list(span_selection.choose(text, spans, judge))
    assert all(a[1] <= b[0] for a, b in pairwise(taken))
    assert {one[:3] for one in taken} <= {(one.start, one.end, one.label) for one in spans}
    assert all(0 < sure <= 1 for *_, sure in taken)


def test_marks_at_the_ends_of_a_span_are_left_out_and_one_type_counts_together() -> None:
    """Whether "removed" is called a drug or a procedure, it is a treatment."""
    text = ["(", "heparin", ")"]
    found = [[0, 2, 0, 0.2], [1, 2, 1, 0.3], [1, 3, 0, 0.1], [2, 3, 0, 0.4]]
    (one,) = span_selection.candidates(text, found, ["DRUG", "PROCEDURE"])
    assert one[:4] == (1, 2, span_selection.TYPES["DRUG"], "PROCEDURE")
    assert one.chance == pytest.approx(0.6)


def test_drugs_and_procedures_of_a_case_report_are_found() -> None:
    read = features.split(REPORT)[0]
    found = {" ".join(read[i:j]): label for i, j, label, _ in model.shipped().tag(read)}
    assert found["heparin"] == found["vancomycin"] == "DRUG"
    assert "PROCEDURE" in found.values()
    assert {"DISEASE", "SIGN"} & {*found.values()}


def test_compiled_loops_choose_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    read = features.split(REPORT)[0]
    plain = model.shipped().tag(read)
    monkeypatch.setattr(model, "fast", lambda function, *_: compiled(function))
    found = model.shipped().tag(read)
    assert [span[:3] for span in found] == [span[:3] for span in plain]
    assert [span[3] for span in found] == pytest.approx([span[3] for span in plain])


def test_reports_read_together_are_read_as_each_alone() -> None:
    read = [features.split(text)[0] for text in (REPORT, "Seen in Vienna.", REPORT.lower(), "")]
    assert model.shipped().tags(read) == [model.shipped().tag(each) for each in read]


def test_a_listed_word_is_written_as_it_is_looked_up() -> None:
    for word, names in medicine.lists().items():
        assert features.key(word) == word and features.split(word)[0] == [word]
        assert len(set(names)) == len(names)


def test_a_word_is_seen_to_be_a_substance_by_either_list() -> None:
    for word in ("Bosentan", "aspirin"):
        assert "m=substance" in features.attributes(word)[2]
    assert "m=substance" not in features.attributes("table")[2]
