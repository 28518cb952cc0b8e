"""Risk counts what all editions that are out show together."""

from __future__ import annotations

import numpy as np
import pytest

from linkmask import graph
from linkmask.config import Settings
from linkmask.pipeline.editions.union_exposure import (
    UnionExcess,
    edition_union,
    shown_only_before,
    union_excess,
)
from linkmask.plan import choose
from linkmask.records import Incidence
from linkmask.runs.editions import ShownBefore

SETTINGS = Settings(theta_doc=0.75, theta_chain=0.7, floor=())
A, B, C = (f"{letter}" * 32 for letter in "abc")


def corpus(documents: dict[str, dict[str, float]]) -> Incidence:
    """A corpus whose entities contribute what is given: uniqueness and weight are 1."""
    entities = sorted({entity for held in documents.values() for entity in held})
    rows = [
        sorted((entities.index(e), share) for e, share in d.items()) for d in documents.values()
    ]
    sizes = [len(row) for row in rows]
    entity = np.array([e for row in rows for e, _ in row], np.int32)
    return Incidence(
        documents=list(documents),
        entities=entities,
        types=("LOCATION",),
        start=np.append(0, np.cumsum(sizes)).astype(np.int64),
        entity=entity,
        relevance=np.array([share for row in rows for _, share in row]),
        type=np.zeros(len(entities), np.int32),
        frequency=np.bincount(entity, minlength=len(entities)).astype(np.int32),
        uniqueness=np.ones(len(entities)),
        weight=np.ones(len(entities)),
    )


def shown(document: str, **shares: float) -> ShownBefore:
    ids = [letter * 32 for letter in shares]
    ones, n = [1.0] * len(ids), len(ids)
    weights = list(shares.values())
    return ShownBefore([document], ids, ["LOCATION"] * n, ones, [0] * n, list(range(n)), weights)


def found(
    today: Incidence,
    extra: ShownBefore,
    stayed: set[str] = frozenset(),
    hidden: set[str] = frozenset(),
) -> UnionExcess:
    """What the union of all editions needs beside the plan that the corpus of today has alone."""
    readers = edition_union(today, stayed, hidden, extra, {"LOCATION": 1.0})
    chosen = choose(today, graph.assess(today, SETTINGS), SETTINGS, SETTINGS.entity_types)
    return union_excess(readers, SETTINGS, chosen)


def test_only_the_union_of_two_editions_is_over_the_limit_of_a_document() -> None:
    """Edition 1 shows A, edition 2 shows B: 0.6 and 0.5 are below 0.75, 1 − 0.4 · 0.5 = 0.8 is not.

    A can't be taken back, so B is masked, and the union is 0.6 again.
    """
    today = corpus({"d": {B: 0.5}})
    assert graph.assess(today, SETTINGS).documents.tolist() == [0.5]
    assert found(today, ShownBefore()) == UnionExcess()
    assert found(today, shown("d", a=0.6)) == UnionExcess((B,))


def test_at_the_limit_a_document_is_over_it_and_below_it_is_not() -> None:
    today = corpus({"d": {B: 0.5}})
    assert found(today, shown("d", a=0.5)) == UnionExcess((B,))  # 1 − 0.5 · 0.5 = 0.75
    assert found(today, shown("d", a=0.49)) == UnionExcess()


def test_a_document_that_was_deleted_still_links_to_new_ones() -> None:
    """A link over A and B is 1 − 0.3 · 0.4 = 0.88 strong, as risky as each of the two documents.

    So the chain is 0.88 · 1.88 / 2 = 0.83 risky, and over 0.7. A tells most; without it in the new
    document, the link is 0.6 strong, and the chain 0.6 · (1 + (0.88 + 0.6) / 2) / 2 = 0.52 risky.
    """
    settings = SETTINGS.__class__(theta_doc=0.9, theta_chain=0.7, floor=())
    today = corpus({"new": {A: 0.7, B: 0.6}})
    readers = edition_union(today, (), (), shown("gone", a=0.7, b=0.6), {"LOCATION": 1.0})
    chosen = choose(today, graph.assess(today, settings), settings, settings.entity_types)
    assert not len(chosen.masked)
    assert union_excess(readers, settings, chosen) == UnionExcess((A,))


def test_what_is_over_by_what_was_shown_alone_is_counted_and_nothing_is_masked_in_vain() -> None:
    assert found(corpus({"d": {B: 0.5}}), shown("d", a=0.8)) == UnionExcess(documents=1)


def test_what_a_person_keeps_stays_readable() -> None:
    settings = Settings(theta_doc=0.75, theta_chain=0.7, floor=(), never_mask=(B,))
    today = corpus({"d": {B: 0.5}})
    readers = edition_union(today, (), (), shown("d", a=0.6), {"LOCATION": 1.0})
    chosen = choose(today, graph.assess(today, settings), settings, settings.entity_types)
    assert union_excess(readers, settings, chosen) == UnionExcess(documents=1)


def test_a_value_that_is_gone_may_have_been_shown_by_two_editions() -> None:
    """Then it counts as it was most unique: 1 − (1 − 0.6) · (1 − 0.5) = 0.8."""
    twice = shown("d", a=0.6).union(shown("other", a=0.6))
    for rows in ([0.1, 1.0], [1.0, 0.1]):
        twice.uniqueness[:] = rows
        assert found(corpus({"d": {B: 0.5}}), twice) == UnionExcess((B,))


@pytest.mark.parametrize("masked", [[], [0]])
def test_the_ledger_keeps_what_was_shown_and_is_shown_no_more(masked: list[int]) -> None:
    """In a document that stayed, A was shown and C was not; in another one, C was."""
    today = corpus({"stayed": {A: 0.2, C: 0.2}, "changed": {B: 0.2}})
    readers = edition_union(today, {"stayed"}, {C}, shown("changed", c=0.3), {"LOCATION": 1.0})
    flags = np.zeros(3, np.bool_)
    flags[masked] = True
    left = shown_only_before(readers, flags, {"stayed", "changed"})
    rows = {
        (left.documents[d], left.entities[e], share)
        for d, e, share in zip(left.document, left.entity, left.relevance, strict=True)
    }
    assert rows == {("changed", C, 0.3)} | ({("stayed", A, 0.2)} if masked else set())


def test_of_a_document_that_is_not_released_any_more_all_that_was_shown_is_kept() -> None:
    today = corpus({"stayed": {A: 0.2}})
    readers = edition_union(today, {"stayed"}, (), ShownBefore(), {"LOCATION": 1.0})
    left = shown_only_before(readers, np.zeros(1, np.bool_), ())
    assert left.entities == [A] and left.documents == ["stayed"]


def test_rows_of_forgotten_documents_and_entities_are_left_out() -> None:
    both = shown("d", a=0.6, b=0.5).union(shown("e", a=0.4))
    left = both.without({"e"}, {A})
    assert left == shown("d", a=0.6)
