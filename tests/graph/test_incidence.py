"""From mention rows to documents × entities."""

import numpy as np
import pytest

from incidences import TYPES, WEIGHTS, random_table, settings
from linkmask.errors import SettingsError
from linkmask.formulas import uniqueness
from linkmask.graph import incidence
from linkmask.records import MentionTable, entity_id


def table(*rows: tuple[int, int, int, float], documents: int = 3) -> MentionTable:
    columns = list(zip(*rows, strict=True)) if rows else [(), (), (), ()]
    return MentionTable(
        documents=[f"d{d}" for d in range(documents)],
        values=["ada", "boston", "41"],
        types=TYPES,
        document=np.array(columns[0], dtype=np.int32),
        value=np.array(columns[1], dtype=np.int32),
        type=np.array(columns[2], dtype=np.int32),
        relevance=np.array(columns[3], dtype=np.float64),
    )


def test_an_entity_is_a_value_with_a_type_and_numbers_follow_ids() -> None:
    made = incidence(table((0, 0, 0, 0.5), (1, 0, 1, 0.5), (1, 2, 3, 0.5)), WEIGHTS, settings())
    ids = [entity_id("ada", "NAME"), entity_id("ada", "PATIENT_ID"), entity_id("41", "AGE")]
    assert list(made.entities) == sorted(ids)
    assert [made.types[t] for t in made.type] == [
        {ids[0]: "NAME", ids[1]: "PATIENT_ID", ids[2]: "AGE"}[i] for i in made.entities
    ]
    assert made.weight.tolist() == [WEIGHTS[made.types[t]] for t in made.type]


def test_the_separator_of_ids_is_a_setting() -> None:
    made = incidence(table((0, 0, 0, 0.5)), WEIGHTS, settings(id_separator=""))
    assert list(made.entities) == [entity_id("ada", "NAME", "")]


def test_a_repeat_in_one_document_counts_once_with_its_largest_relevance() -> None:
    made = incidence(table((1, 0, 0, 0.2), (0, 0, 0, 0.3), (1, 0, 0, 0.9)), WEIGHTS, settings())
    assert made.start.tolist() == [0, 1, 2, 2]
    assert made.relevance.tolist() == [0.3, 0.9]
    assert made.frequency.tolist() == [2]


def test_relevance_is_clamped_and_what_is_no_number_is_fully_relevant() -> None:
    rows = table((0, 0, 0, 1.7), (1, 0, 0, -0.2), (2, 0, 0, float("nan")))
    assert incidence(rows, WEIGHTS, settings()).relevance.tolist() == [1.0, 0.0, 1.0]


def test_documents_without_a_mention_count_in_uniqueness() -> None:
    made = incidence(table((0, 0, 0, 1.0), documents=9), WEIGHTS, settings())
    assert made.n_documents == 9
    assert made.uniqueness == pytest.approx(uniqueness(np.array([1]), 9))


@pytest.mark.parametrize("documents", [0, 2])
def test_no_mentions_at_all(documents: int) -> None:
    made = incidence(table(documents=documents), WEIGHTS, settings())
    assert (made.n_documents, made.n_entities, made.n_mentions) == (documents, 0, 0)


def test_a_type_without_a_weight_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match="AGE, DEMOGRAPHIC"):
        incidence(table(), {"NAME": 1.0, "PATIENT_ID": 1.0, "MEDICAL_CONDITION": 1.0}, settings())


def test_rows_hold_exactly_the_pairs_of_the_table_in_any_row_order() -> None:
    rows = random_table(11, digits=3)
    want: dict[tuple[int, str], float] = {}
    columns = zip(rows.document, rows.value, rows.type, rows.relevance, strict=True)
    for d, v, t, r in columns:
        key = int(d), entity_id(rows.values[v], rows.types[t])
        want[key] = max(want.get(key, 0.0), float(r))
    made = incidence(rows, WEIGHTS, settings())
    got = {
        (d, made.entities[made.entity[k]]): float(made.relevance[k])
        for d in range(made.n_documents)
        for k in range(made.start[d], made.start[d + 1])
    }
    assert got == want
    for d in range(made.n_documents):
        held = made.entity[made.start[d] : made.start[d + 1]]
        assert (np.diff(held) > 0).all()
