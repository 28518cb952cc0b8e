"""A vocabulary that grows with the corpus."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect import value_statistics, vocabulary
from linkmask.detect.corpus_pass.vocabulary import Vocabulary
from linkmask.graph.affected import affected_by
from linkmask.graph.entities import Aliases, canonical
from linkmask.records import CONTENT, Mention, Why

SETTINGS = Settings()
GIVEN = ("Odalys", "Odalys M.", "O.", "Teemu", "Wenda", "Runa")
FAMILY = ("Brandvold", "Kallio", "Ashgrove", "Falk", "Hamilton", "Quarry")
OTHERS = (
    ("LOCATION", "Hamilton"),
    ("LOCATION", "Quarry Bend"),
    ("ORGANIZATION", "Quarry Bend Regional Medical Center"),
    ("ORGANIZATION", "Quarry Bend Hospital"),
    ("PROVIDER", "Ashgrove Clinic"),
    ("PROVIDER", "Dr. Falk"),
    ("AGE", "52"),
    ("AGE", "52 years"),
    ("PATIENT_ID", "4471-0093-2"),
    ("NON_PERSONAL_ID", "4471 0093 2"),
    ("MEDICAL_CONDITION", "renal cyst"),
    ("MEDICAL_CONDITION", "renal cysts"),
    ("EVENT_DATE", "3 March 2024"),
    ("EVENT_DATE", "2024-03-03"),
    ("NAME", "Zumbra"),
    ("LOCATION", "Zumbra"),
    ("ORGANIZATION", "Zumbra"),
)


def corpus(random: Random, documents: int) -> list[list[Mention]]:
    """Return the mentions of some documents, among which spellings collide in all ways."""
    return [
        [one(random, f"{number}") for _ in range(random.randrange(5))]
        for number in range(documents)
    ]


def one(random: Random, document: str) -> Mention:
    kind, text = random.choice(OTHERS)
    if random.random() < 0.5:
        kind = random.choice(("NAME", "NAME", "PROVIDER"))
        text = f"{random.choice(GIVEN)} {random.choice(FAMILY)}"
    text = text.lower() if random.random() < 0.1 else text
    relevance, score = random.choice((0.1, 0.5, 1.0)), random.choice((0.4, 0.8, 0.9))
    value = canonical(kind, text)
    why = Why(random.choice(("ner", "ner", "ner", "test")), score=score)
    return Mention(document, CONTENT, 0, len(text), kind, text, value, relevance, why)


def whole(documents: list[list[Mention]], last: Vocabulary | None = None, known: int = 0) -> object:
    """Return the vocabulary of documents, of which `last` knows the first."""
    before = [] if last is None else list(last.statistics)
    values = value_statistics((m for each in documents[known:] for m in each), before)
    aliases = Aliases((value.type, value.value, 0) for value in values)
    size, now = len(documents), {(one.type, one.value) for one in values}
    affected = affected_by(now.difference((one.type, one.value) for one in before))
    return vocabulary(values, size, SETTINGS, aliases.spellings, aliases.facts, last, affected)


@pytest.mark.parametrize("seed", range(40))
def test_a_vocabulary_that_grew_is_the_same_as_one_made_at_once(seed: int) -> None:
    """And it names every spelling that stands for something else than before."""
    random = Random(seed)
    documents = corpus(random, random.randrange(2, 30))
    first = random.randrange(len(documents))
    last = whole(documents[:first])
    kept = dict(last.entries)
    grown, once = whole(documents, last, first), whole(documents)
    assert grown.entries == once.entries
    assert grown.spelled == once.spelled
    assert grown.weak == once.weak
    assert once.changed is None and last.entries == kept
    differ = {s for s in kept.keys() | once.entries if kept.get(s) != once.entries.get(s)}
    assert differ <= set(grown.changed)


def test_a_vocabulary_shrinks_with_its_corpus() -> None:
    """Values are summed up anew where documents left."""
    random = Random(7)
    documents = corpus(random, 30)
    last = whole(documents)
    values = value_statistics(m for each in documents[:9] for m in each)
    aliases = Aliases((value.type, value.value, 0) for value in values)
    known = values, 9, SETTINGS, aliases.spellings, aliases.facts
    assert vocabulary(*known, last).entries == vocabulary(*known).entries


def test_only_what_depends_on_a_new_value_is_decided_anew() -> None:
    documents = corpus(Random(3), 20)
    last = whole(documents)
    text = "Ingrid Solheim"
    mention = Mention("n", CONTENT, 0, 14, "NAME", text, text.lower(), 1.0, Why("test"))
    grown = whole([*documents, [mention]], last, len(documents))
    assert "ingrid solheim" in grown.changed
    assert len(grown.changed) < len(grown.entries) / 4


def found(kind: str, text: str, score: float, detector: str = "ner") -> list[Mention]:
    """Return the mentions of a document in which a word is found once."""
    why = Why(detector, score=score)
    return [Mention(text, CONTENT, 0, len(text), kind, text, canonical(kind, text), 1.0, why)]


def type_of(text: str, *mentions: list[Mention]) -> str:
    """Return the type that a spelling has in the corpus of some documents."""
    numbered = [[replace(m, document=f"{at}") for m in each] for at, each in enumerate(mentions)]
    return whole(numbered).entries[text].type


def test_what_one_detector_surely_calls_a_name_stays_one() -> None:
    places = [found("LOCATION", "Zumbra", 0.6)] * 3
    assert type_of("zumbra", found("NAME", "Zumbra", 0.9, "lexicon"), *places) == "NAME"
    known = [found("LOCATION", "Samuel", 0.6)] * 3
    assert type_of("samuel", found("NAME", "Samuel", 0.9), *known) == "NAME"


def test_no_corpus_makes_a_name_into_a_type_that_may_stay_readable() -> None:
    """Whoever adds documents about a body of that name must not unmask a person."""
    alone = found("NAME", "Zumbra", 0.9)
    bodies = [found("ORGANIZATION", "Zumbra", 0.9)] * 9
    assert type_of("zumbra", alone, *bodies) == "NAME"
