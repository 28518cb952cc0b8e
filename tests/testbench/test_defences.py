"""Defences without a model: filters, synthetic documents by rules, triples, Presidio."""

import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.records import CONTENT, Document, Mention, Why
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences import DEFENCES, defence, presidio
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.defences.guards import expected_most, outstanding
from linkmask.testbench.defences.sage_lite import general, longest_run
from linkmask.testbench.defences.triples import Graph, Triple, split, triples_of
from linkmask.testbench.generators import parrot
from linkmask.testbench.indexes import Bm25
from linkmask.testbench.missing import Hole
from linkmask.testbench.rag import Guard, System, SystemQuery


@pytest.fixture(scope="module")
def builder() -> DefenceBuilder:
    return DefenceBuilder(read_corpus(Path(__file__).parents[2] / "examples" / "insurance"))


def mention(kind: str, original: str, value: str = "", text: str = "") -> Mention:
    start = text.index(original) if text else 0
    why = Why("test")
    return Mention(
        "d", CONTENT, start, start + len(original), kind, original, value or original, 1.0, why
    )


# ── Mirabel ─────────────────────────────────────────────────────────────────────────────────────


def test_the_published_limit_is_that_of_the_largest_of_normal_scores() -> None:
    """√(2 ln 100) = 3.0349, c = −ln(−ln 0.95) = 2.9702: 3.0349 + 2.9702 / 3.0349 = 4.0136."""
    assert expected_most(100) == pytest.approx(4.0136, abs=1e-4)


def test_how_far_the_best_stands_out_is_told_by_the_others() -> None:
    """The others, 1, 2 and 3, have mean 2 and deviation √(2/3)."""
    assert outstanding(np.array([3.0, 10.0, 1.0, 2.0])) == pytest.approx(8 / (2 / 3) ** 0.5)
    assert outstanding(np.array([0.0, 0.0, 0.0, 1.0])) == 0


def test_a_hidden_document_is_replaced_by_the_next() -> None:
    texts = ["heron lake", "heron", "heron reed pond", "claim"]
    guard = Guard(hide=lambda index: lambda scores: scores.max() > 0.5)
    system = System(texts, Bm25(texts), parrot, k=2, guard=guard)
    plain = System(texts, Bm25(texts), parrot, k=3).retrieve("heron lake")
    assert system.retrieve("heron lake") == plain[1:]
    assert system.counted["hidden"] == 1


def test_the_calibrated_limit_hides_few_answers_to_the_questions_it_was_made_of(
    builder: DefenceBuilder,
) -> None:
    guard = DEFENCES["mirabel-calibrated"].make(builder).guard
    assert guard.hide is not None
    index = Bm25(builder.corpus.texts)
    hidden = guard.hide(index)
    asked = [one.question.q for one in builder.corpus.questions if one.person % 2 == 0]
    assert sum(hidden(index.scores(question)) for question in asked) <= 0.05 * len(asked)


# ── synthetic documents by rules ────────────────────────────────────────────────────────────────

GENERAL = [
    ("EVENT_DATE", "12 March 2024", "2024-03-12", ["March 2024", "Q1 2024", "2024", None, None]),
    ("AGE", "47-year-old", "47", ["40–49-year-old", None, None, None, None]),
    ("MEDICAL_CONDITION", "Crohn's", "", [*["a disease of the digestive system"] * 4, None]),
    ("TREATMENT", "hip replacement", "", ["an operation"] * 4 + [None]),
    ("NAME", "Ada Lovelace", "", [None] * 5),
    ("MEDICAL_CONDITION", "unheard-of ailment", "", [None] * 5),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "original", "value", "levels"), GENERAL)
def test_a_value_becomes_coarser_level_by_level(
    kind: str, original: str, value: str, levels: list[str | None]
) -> None:
    one = mention(kind, original, value)
    assert [general(one, "en", level) for level in range(5)] == levels


WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(WORDS, WORDS)
def test_the_longest_run_is_the_longest_list_both_hold(a: list[str], b: list[str]) -> None:
    runs = [a[i:j] for i in range(len(a)) for j in range(i + 1, len(a) + 1)]
    held = [r for r in runs if any(b[i : i + len(r)] == r for i in range(len(b)))]
    assert longest_run(a, b) == max(map(len, held), default=0)


def test_synthetic_documents_hold_no_value_that_was_found_in_theirs(
    builder: DefenceBuilder,
) -> None:
    from linkmask.testbench.readable_values import pattern

    made = DEFENCES["sage-lite"].make(builder)
    found = dict(builder.scan("embedded").job.run.by_document("mentions"))
    for document, text in zip(builder.corpus.documents, made.texts, strict=True):
        assert text
        for m in found[document.id]:
            assert m.field != CONTENT or not pattern(m.type, m.original).search(text)
    assert made.notes["unsafe"] == 0


def test_replaced_after_retrieval_the_originals_are_searched(builder: DefenceBuilder) -> None:
    replaced = DEFENCES["sage-lite-replaced"].make(builder)
    assert replaced.indexed == builder.corpus.texts
    assert replaced.texts == DEFENCES["sage-lite"].make(builder).texts


# ── triples ─────────────────────────────────────────────────────────────────────────────────────


def test_triples_are_read_sentence_by_sentence() -> None:
    """Ada and Paris share no sentence; gout and Rome have no head; Ada's first illness counts."""
    text = "Ada has gout. Gout is seen in Rome. Ada has flu. Paris."
    found = [
        mention("NAME", "Ada", text=text), mention("MEDICAL_CONDITION", "gout", text=text),
        mention("MEDICAL_CONDITION", "Gout", "gout", text), mention("LOCATION", "Rome", text=text),
        mention("MEDICAL_CONDITION", "flu", text=text), mention("LOCATION", "Paris", text=text),
    ]  # fmt: skip
    again = text.rindex("Ada")
    found.append(Mention("d", CONTENT, again, again + 3, "NAME", "Ada", "Ada", 1.0, Why("test")))
    ada, gout, rome = ("NAME", "Ada"), ("MEDICAL_CONDITION", "gout"), ("LOCATION", "Rome")
    made = triples_of([Document("d", text, {})], {"d": found})
    assert set(made) == {
        Triple(ada, "MEDICAL_CONDITION", gout), Triple(gout, "TOGETHER", rome)
    }  # fmt: skip
    assert set(map(tuple, made.values())) == {(0,)}


THINGS = st.sampled_from([("T", name) for name in "abcdef"])
TRIPLES = st.lists(
    st.builds(Triple, THINGS, st.sampled_from("RS"), THINGS).filter(lambda t: t.head != t.tail),
    max_size=14, unique=True,
)  # fmt: skip


@given(TRIPLES, st.integers(0, 5))
def test_no_public_triple_leads_from_end_to_end_of_a_private_one(
    triples: list[Triple], seed: int
) -> None:
    private, public = split(triples, random.Random(seed))
    assert sorted([*private, *public]) == sorted(triples)
    graph = Graph(public)
    assert not any(graph.connected(t.head, t.tail) for t in private)


def test_what_says_the_same_as_a_private_triple_is_private_too() -> None:
    """Whichever is drawn first, the other says the same: "Ada Lovelace" holds "Ada"."""
    names = [("NAME", "Ada"), ("NAME", "Ada Lovelace")]
    same = [Triple(name, "LOCATION", ("LOCATION", "Rome")) for name in names]
    others = [Triple(("NAME", c), "LOCATION", ("LOCATION", c * 2)) for c in "xy"]
    for seed in range(8):
        private = split([*same, *others], random.Random(seed))[0]
        assert len(set(private) & set(same)) in (0, 2)


def test_what_an_answer_needs_is_not_drawn() -> None:
    asked = ("NAME", "Ada"), ("LOCATION", "Rome")
    triples = [Triple(asked[0], "LOCATION", asked[1])] * 1
    triples += [Triple(("NAME", c), "LOCATION", ("LOCATION", c * 2)) for c in "xyz"]
    needed = [([asked[0]], [asked[1]])]
    for seed in range(20):
        assert triples[0] not in split(triples, random.Random(seed), needed)[0]


def test_erasing_leaves_the_heads_and_what_is_public(builder: DefenceBuilder) -> None:
    made = DEFENCES["eraser-lite"].make(builder)
    changed = [
        (before, after)
        for before, after in zip(builder.corpus.texts, made.texts, strict=True)
        if before != after
    ]
    assert changed
    assert made.notes["private"] > 0
    assert made.characters > 0
    assert all("the " in after for _, after in changed)


# ── local differential privacy ──────────────────────────────────────────────────────────────────


def test_a_persons_account_is_what_the_documents_with_a_value_of_theirs_spend(
    builder: DefenceBuilder,
) -> None:
    made = DEFENCES["entity-ldp"].make(builder)
    held = [
        sum(any(look.search(text) for look in person.patterns) for text in builder.corpus.texts)
        for person in builder.corpus.persons
    ]
    assert made.cost["epsilon_of"] == [3.0 * count for count in held]
    assert made.cost["epsilon"] == max(made.cost["epsilon_of"]) > 3


# ── Presidio ────────────────────────────────────────────────────────────────────────────────────

TEXT = "Call Ada on 212-555-0134 about it."
FAKE = """import json, sys
texts = [json.loads(line) for line in sys.stdin]
spans = [[[5, 8, "PERSON"], [12, 24, "PHONE_NUMBER"], [16, 24, "US_BANK"], [0, 4, "ODD"]]]
json.dump({"spans": spans * len(texts), "seconds": 0}, sys.stdout)
"""


@pytest.fixture
def interpreter(tmp_path: Path) -> Callable[[str], str]:
    """Return interpreters that answer as one with Presidio would: it is not installed here."""

    def make(code: str) -> str:
        script, path = tmp_path / "said.py", tmp_path / "python"
        script.write_text(code, encoding="utf-8")
        path.write_text(f"#!/bin/sh\nexec {sys.executable} {script}\n", encoding="utf-8")
        path.chmod(0o700)
        return str(path)

    return make


def test_what_presidio_finds_becomes_mentions_of_our_types(
    interpreter: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longer of two that overlap; a type that nobody knows is a number of something."""
    monkeypatch.setattr(presidio, "find_spec", lambda name: None)
    found = presidio.mentions([Document("d", TEXT, {})], interpreter(FAKE))
    assert [(m.type, m.original) for m in found] == [
        ("NON_PERSONAL_ID", "Call"), ("NAME", "Ada"), ("PHONE_NUMBER", "212-555-0134")
    ]  # fmt: skip
    assert found[2].value == "+12125550134"


def test_without_presidio_there_is_a_hole_that_says_what_to_do(
    interpreter: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presidio, "find_spec", lambda name: None)
    with pytest.raises(Hole, match=r"linkmask\[presidio\]"):
        presidio.mentions([Document("d", TEXT, {})])
    for broken in ("raise SystemExit(1)", "print('no')", "print('{}')"):
        with pytest.raises(Hole, match="could not be run"):
            presidio.mentions([Document("d", TEXT, {})], interpreter(broken))


@pytest.mark.parametrize("name", ["mask-direct", "eraser-lite", "clam-golden[preset=strict]"])
def test_any_defence_that_masks_has_controls_of_its_size(
    builder: DefenceBuilder, name: str
) -> None:
    count = defence(name).make(builder).entities
    assert count > 0
    for control in ("idf", "random", "floor+random"):
        assert defence(f"{control}@{name}").make(builder).entities == count
    one, other = (defence(f"random@{name}#{draw}").make(builder).texts for draw in (1, 2))
    assert one != other


def test_what_masks_no_entities_has_no_controls(builder: DefenceBuilder) -> None:
    with pytest.raises(Hole, match="sage-lite masks no entities"):
        defence("type@sage-lite").make(builder)


def test_every_defence_says_where_it_acts_and_what_it_does() -> None:
    stages = {"none", "corpus", "query", "retrieval", "prompt", "generation", "output"}
    for name, one in DEFENCES.items():
        assert one.stage in stages, name
        assert one.says, name


def test_a_guard_that_forbids_is_asked_before_anything_else() -> None:
    system = System(["a"], Bm25(["a"]), parrot, guard=Guard(query=lambda text: False))
    assert system.ask([SystemQuery("a")])[0].refused
    assert dict(system.counted) == {"asked": 1, "refused": 1, "failed": 0, "hidden": 0}
