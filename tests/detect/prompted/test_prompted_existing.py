"""The list of known values that a model is shown in stage 2."""

import pytest

from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.records import CONTENT, Mention, Why
from model_answers import SETTINGS


def mention(document, value, entity_type="LOCATION", relevance=0.9):
    place = (document, CONTENT, 0, len(value))
    return Mention(*place, entity_type, value, value, relevance, Why("llm", "stage1/1"))


CORPUS = [
    mention("a", "lakeshore clinic", relevance=0.9),
    mention("a", "jane doe", "NAME", 1.0),
    mention("b", "weak spot", relevance=0.2),
    mention("b", "harbour ward", relevance=0.6),
    mention("c", "late entry", relevance=0.5),
]


def shown(text="", **changes):
    settings_ = Settings(llm_existing="corpus", **changes)
    rows, cut = prompted.existing(CORPUS, 100, settings_).near(text, settings_, 10_000)
    assert not cut
    return {value for value, _ in rows}


def test_the_strength_filter_keeps_what_is_relevant_and_rare():
    assert shown(filter_strength=0.4) == {
        "lakeshore clinic",
        "jane doe",
        "harbour ward",
        "late entry",
    }
    assert shown(filter_strength=0.95) == {"jane doe"}


def test_the_type_filter_leaves_out_direct_identifiers():
    assert "jane doe" not in shown(type_filter=True)


@pytest.mark.parametrize(
    ("by", "first"),
    [("most_relevant", "jane doe"), ("least_relevant", "weak spot"), ("most_recent", "late entry")],
)
def test_top_k_takes_the_most_or_least_relevant_or_most_recent(by, first):
    assert shown(filter_strength=0.0, top_k=1, top_k_by=by) == {first}


def test_near_shows_a_document_only_what_shares_words_with_it():
    known = prompted.existing(CORPUS, 100, SETTINGS)
    assert known.near("At the Lakeshore, a clinic.", SETTINGS, 1000)[0] == [
        ("lakeshore clinic", "LOCATION")
    ]
    assert known.near("Nothing of it.", SETTINGS, 1000) == ([], 0)


def test_known_values_without_room_are_counted_the_least_relevant_first():
    settings_ = Settings(llm_existing="corpus")
    rows, cut = prompted.existing(CORPUS, 100, settings_).near("", settings_, 14)
    assert rows == [("jane doe", "NAME")]
    assert cut == 3
