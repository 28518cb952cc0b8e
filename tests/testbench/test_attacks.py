"""Attacks without a model, and what is made of their raw findings."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.testbench.attacks import ATTACKS
from linkmask.testbench.attacks.ladder import pointers
from linkmask.testbench.attacks.optimizer import shared_runs
from linkmask.testbench.attacks.s2mia import Bigrams, bleu, logistic
from linkmask.testbench.attacks.thief import ExtractedPieces, cosine
from linkmask.testbench.cells import Cell, read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.findings import beyond, per_person
from linkmask.testbench.grid import bench
from linkmask.testbench.measures import auc
from linkmask.testbench.rag import Response
from linkmask.testbench.readable_values import SoughtPerson, text_without_values
from linkmask.testbench.result_tables import Results
from linkmask.testbench.run_folder import load_cells

DEFENCES = ("std", "no-rag", "query-filter", "eraser-lite", "mask-all")
NEW = ("ladder", "s2mia-lite", "rag-thief-lite", "rag-thief", "deal-lite", "connect")


EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attacked") / "run"
    asked = {"defences": DEFENCES, "attacks": NEW, "retrievers": ("bm25",), "queries": 12}
    bench(EXAMPLE, folder, read_grid(None, asked | {"generators": ("parrot", "extractive")}))
    return folder


def raw(run: Path, *at: str) -> dict[str, Any]:
    wanted = Cell(*at)
    return next(c["raw"] for c in load_cells(run) if Cell(**c["cell"]) == wanted)


# ── S2MIA ───────────────────────────────────────────────────────────────────────────────────────


def test_bleu_by_hand() -> None:
    """Of "a b x" against "a b c": 2/3 words, (1+1)/(2+1) pairs, 1/2 of triples, 1/1 of none."""
    assert bleu(["a", "b", "c", "d"], ["a", "b", "c", "d"]) == pytest.approx(1)
    assert bleu(["a", "b", "x"], ["a", "b", "c"]) == pytest.approx((2 / 3 * 2 / 3 / 2) ** 0.25)
    short = math.exp(1 - 4 / 2) * (1 * 1 * 1 * 1) ** 0.25
    assert bleu(["a", "b"], ["a", "b", "c", "d"]) == pytest.approx(short)
    assert bleu([], ["a"]) == bleu(["b"], ["a"]) == 0


TOKENS = st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=4)


@given(TOKENS, st.sampled_from(["", "a", "b", "z"]))
def test_what_may_follow_a_word_adds_up_to_one(texts: list[list[str]], first: str) -> None:
    """Over all words that were seen, and one that never was."""
    model = Bigrams(texts)
    seen = {word for text in texts for word in text}
    whole = sum(model.probability(first, word) for word in [*sorted(seen), "unknown"])
    assert whole == pytest.approx(1)
    assert model.surprise(["unknown"]) >= 0


def test_a_regression_tells_the_column_that_matters() -> None:
    member = np.array([1.0, 1, 1, 0, 0, 0])
    table = np.array([[5.0, 1], [6, 2], [7, 1], [1, 2], [2, 1], [0, 2]])
    _, first, second = logistic(table, member)
    assert first > abs(second)
    assert first > 0


def test_documents_inside_are_told_from_those_outside(run: Path) -> None:
    """Where nothing is retrieved there is nothing to tell; masking every value stops it not."""
    found = {row.key: row.value for row in Results(run).rows}
    for defence, least, most in (("std", 0.95, 1), ("mask-all", 0.9, 1), ("no-rag", 0.5, 0.5)):
        value = found[defence, "bm25", "parrot", "s2mia-lite", "auc"]
        assert value is not None
        assert least <= value <= most


def test_half_of_each_persons_documents_is_inside(run: Path) -> None:
    rows = raw(run, "std", "bm25", "parrot", "s2mia-lite")["persons"]
    for row, person in zip(rows, read_corpus(EXAMPLE).persons, strict=True):
        assert len(row["members"]) + len(row["others"]) == len(person.documents)
        assert abs(len(row["members"]) - len(row["others"])) <= 1


# ── RAG-Thief ───────────────────────────────────────────────────────────────────────────────────


def test_a_piece_that_was_heard_before_is_not_kept_again() -> None:
    loot = ExtractedPieces()
    text = "One two three four five six seven eight."
    assert loot.add(Response(parts=(text, text)), spoken=False) == [text]
    assert loot.add(Response(parts=(text.replace("eight", "nine"),)), spoken=False) == []
    assert loot.add(Response(parts=("Something else altogether.",)), spoken=False)


def test_what_a_model_says_falls_into_its_pieces() -> None:
    said = "1. The first text of them.\n2. Another one, on birds.\n\nContext 3: A third, of trees."
    assert len(ExtractedPieces().add(Response(parts=(said,)), spoken=True)) == 3


def test_the_thief_gets_on_and_a_query_filter_stops_it(run: Path) -> None:
    plain = raw(run, "std", "bm25", "parrot", "rag-thief-lite")
    stopped = raw(run, "query-filter", "bm25", "parrot", "rag-thief-lite")
    assert plain["queries"] == stopped["queries"] == 12
    assert plain["pooled"]["coverage"] > 0.3
    assert stopped["pooled"] == {"coverage": 0.0, "refused": 1.0, "pieces": 0.0}


# ── the optimizer ───────────────────────────────────────────────────────────────────────────────


def test_runs_that_two_answers_share_are_counted_once() -> None:
    text = " ".join(f"w{n}" for n in range(12))
    assert shared_runs(text, f"{text} {text}") == 3
    assert shared_runs(text, text.replace("w6", "x")) == 0
    assert shared_runs("too short", "too short") == 0


def test_the_optimizer_finds_a_command_that_a_query_filter_lets_pass(run: Path) -> None:
    """The thief's one command is refused each time; half of the queries find one that is not."""
    plain = raw(run, "std", "bm25", "parrot", "deal-lite")
    filtered = raw(run, "query-filter", "bm25", "parrot", "deal-lite")
    assert plain["queries"] == filtered["queries"] == 12
    assert plain["pooled"]["refused"] == 0
    assert filtered["pooled"]["best"] > 0
    assert filtered["pooled"]["refused"] < 0.5
    assert filtered["pooled"]["coverage"] > 0.1
    assert raw(run, "no-rag", "bm25", "parrot", "deal-lite")["pooled"]["best"] == 0


def test_the_more_queries_the_more_persons_are_given_away_and_masks_hold_it(run: Path) -> None:
    """The curve of a budget: queries, and the share of persons with most values leaked by then."""
    plain, masked = (
        raw(run, name, "bm25", "parrot", "rag-thief-lite")["budget"] for name in ("std", "mask-all")
    )
    shares = [share for _, share in plain]
    assert [count for count, _ in plain] == [1, 2, 5, 10, 12]
    assert shares == sorted(shares)
    assert shares[-1] > masked[-1][1] == 0


def test_the_agent_needs_a_model(run: Path) -> None:
    reasons = {c["reason"] for c in load_cells(run) if c["cell"]["attack"] == "rag-thief"}
    assert len(reasons) == 1
    assert "no language model was given" in reasons.pop()


def test_cosine_of_bags() -> None:
    from collections import Counter

    assert cosine(Counter("aab"), Counter("aab")) == pytest.approx(1)
    assert cosine(Counter("ab"), Counter("bc")) == pytest.approx(0.5)
    assert cosine(Counter(), Counter("a")) == 0


# ── the ladder ──────────────────────────────────────────────────────────────────────────────────


def test_who_knows_more_gets_more_and_nothing_where_identifiers_are_masked(run: Path) -> None:
    found = {row.key: row.value or 0.0 for row in Results(run).rows}

    def rate(defence: str, name: str) -> float:
        return found[defence, "bm25", "parrot", "ladder", name]

    assert 0 < rate("std", "rung_1") < rate("std", "rung_3")
    assert 0 < rate("std", "sure_3") <= 1
    assert rate("mask-all", "rung_3") == rate("mask-all", "sure_3") == 0


def test_identifiers_are_what_points_at_somebody_alone() -> None:
    types = ("NAME", "AGE", "NON_PERSONAL_ID", "MEDICAL_CONDITION", "EMAIL")
    person = SoughtPerson("p", "HIGH", tuple("abcde"), types, (1.0,) * 5, ())
    assert pointers(person) == {0, 2, 4}


# ── triples ─────────────────────────────────────────────────────────────────────────────────────


def test_what_was_erased_is_gone_and_the_rest_is_not(run: Path) -> None:
    """Read by how values are written, not by the detector, so a little may be left."""
    found = {row.key: row.value or 0.0 for row in Results(run).rows}

    def rate(defence: str, name: str) -> float:
        return found[defence, "-", "-", "connect", name]

    assert rate("eraser-lite", "r_pri") < 0.2
    assert rate("eraser-lite", "r_pub") > 0.7
    assert rate("std", "r_pri") > 0.9
    assert rate("mask-all", "r_pub") < 0.1
    for defence in DEFENCES:
        assert rate(defence, "r_connect") >= rate(defence, "r_pri")


# ── from findings to measures ───────────────────────────────────────────────────────────────────


def test_yes_to_what_is_not_there_is_taken_off_by_weight() -> None:
    """Of weights 1, 0.5 and 0.5: 1.5 of 2 confirmed, 0.5 of 2 wrongly: (0.75 − 0.25) / 0.75."""
    row = {"id": "p", "risk": "HIGH", "leaked": [0, 1], "attributed": [0], "wrong": [2],
           "members": [1.0, 1.0, 0.0], "others": [0.0, 0.0, 1.0]}  # fmt: skip
    found = per_person({"persons": [row]}, [(1.0, 0.5, 0.5)])
    assert found["leak"] == [0.75]
    assert found["attributed"] == [0.5]
    assert found["fpr"] == [pytest.approx(1 / 3)]
    assert found["corrected"] == [pytest.approx(0.5)]
    assert found["leak_corrected"] == [pytest.approx(2 / 3)]


def test_what_nobody_answered_counts_neither_way() -> None:
    row = {"id": "p", "risk": "HIGH", "leaked": [0], "attributed": [], "wrong": [],
           "members": [1.0, None], "others": [None, 0.0]}  # fmt: skip
    found = per_person({"persons": [row]}, [(1.0, 0.5)])
    assert found["leak_corrected"] == [1.0]
    silent = row | {"leaked": [], "members": [None, None]}
    assert per_person({"persons": [silent]}, [(1.0, 0.5)])["corrected"] == [None]


def test_yes_to_everything_says_nothing() -> None:
    assert beyond(1.0, 1.0) is None
    assert beyond(0.2, 0.5) == 0
    assert auc([1.0], [1.0]) == 0.5


def test_a_value_is_taken_out_in_every_form_it_is_read() -> None:
    person = SoughtPerson(
        "p", "LOW", ("12 May 2020", "Paris"), ("EVENT_DATE", "LOCATION"), (1, 1), ()
    )
    text = "On 2020-05-12, that is May 12, 2020, she came to Paris."
    assert text_without_values(person, text, {0}) == "On …, that is …, she came to Paris."
    assert text_without_values(person, text, ()) == text


def test_every_attack_declares_what_it_knows_and_may_ask() -> None:
    for name, attack in ATTACKS.items():
        assert attack.knows, name
        assert attack.budget, name
        assert attack.says, name


def test_absent_values_are_drawn_once_and_are_absent(few: Path) -> None:
    from linkmask.testbench.attacks.known_values import absent_of

    builder = DefenceBuilder(read_corpus(few))
    absent = absent_of(builder)
    assert absent is absent_of(builder)
    for person, values in zip(builder.corpus.persons, absent, strict=True):
        assert len(values) == len(person.values)
        assert not any(value in text for value in values for text in builder.corpus.texts)
