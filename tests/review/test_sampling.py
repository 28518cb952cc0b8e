"""The sample is random, comes again, keeps its progress, and proves what it says it proves."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.corpus import Corpus
from linkmask.errors import UsageError
from linkmask.records import Document
from linkmask.review.sampling import LONG, bound, draw, passages
from linkmask.review.session import ReviewSession


def documents(n: int) -> list[tuple[int, Document]]:
    return [(k, Document(str(k), f"{k} says this.\n" * 40)) for k in range(n)]


@pytest.mark.parametrize(
    ("read", "missed"), [(1, 0), (10, 0), (300, 0), (300, 3), (57, 21), (9, 8)]
)
def test_the_bound_is_the_share_at_which_so_few_misses_have_a_chance_of_five_percent(read, missed):
    """By its definition, with whole binomial coefficients."""
    p = bound(read, missed).upper
    chance = sum(comb(read, k) * p**k * (1 - p) ** (read - k) for k in range(missed + 1))
    assert chance == pytest.approx(0.05)


def test_300_passages_without_a_miss_prove_one_percent_and_all_missed_prove_nothing():
    assert 0.0099 < bound(300, 0).upper < 0.01
    assert bound(5, 5).upper == bound(0, 0).upper == 1.0


@given(st.text(alphabet="ab. \nü😀", max_size=2500), st.text(max_size=40))
def test_every_character_of_every_field_is_in_exactly_one_passage(text, other):
    document = Document("d", text, {"name": other, "more": "x"})
    found: dict[str, list[tuple[int, int]]] = {}
    for ranges in passages(document):
        for name, start, end in ranges:
            found.setdefault(name, []).append((start, end))
        assert sum(end - start for _, start, end in ranges) < 2 * LONG
    for name, value in document.fields():
        joined = "".join(value[start:end] for start, end in sorted(found.get(name, [])))
        assert joined == value


def test_the_same_seed_draws_the_same_sample_and_another_one_does_not():
    one, same, other = (draw(documents(50), 20, seed) for seed in (7, 7, 8))
    assert one == same
    assert one.passages != other.passages
    assert len(set(one.passages)) == 20 and one.population == 50 * 2


def test_each_passage_is_drawn_with_the_same_chance():
    """Of 10 passages, 3 are drawn 600 times over: each about 180 times (σ = 11)."""
    times = Counter(
        passage for seed in range(600) for passage in draw(documents(5), 3, seed).passages
    )
    assert len(times) == 10
    assert all(abs(n - 180) < 50 for n in times.values())


@pytest.mark.parametrize("size", [0, 5_001])
def test_a_sample_has_a_size(size):
    with pytest.raises(UsageError):
        draw(documents(1), size, 1)


def test_what_was_read_is_kept_counted_and_bounded_and_stays_when_opened_again(run, served):
    with served.client() as client:
        assert client.post("/sample", data={"version": 0, "size": 4, "seed": 1}).status_code == 303
        assert "0 of 4 read" in client.get("/sample").text
        form = {"version": 1, "passage": 0, "found": "nothing"}
        assert client.post("/read", data=form).status_code == 303
        assert client.post("/read", data=form).status_code == 409  # pressed twice
        missed = {"version": 2, "passage": 1, "found": "missed", "type": "NAME"}
        assert client.post("/read", data=missed).status_code == 303
        html = client.get("/sample").text
        assert "2 of 4 read, 1 with a miss" in html and "Passage 3 of 4" in html
        assert f"{bound(2, 1).upper:.1%}".replace("%", " %") in html
        log = client.get("/decisions").text
        assert "passage: 1<" in log and "passage: 2<" in log  # as the page counts them
        odd = {"version": 3, "passage": 9, "found": "nothing"}
        assert client.post("/read", data=odd).status_code == 422
    served.review.close()
    again = ReviewSession(run, "Other")
    assert again.decisions.kept.sample.counted(again.opened.digest)[1].missed == ("NAME",)
    again.close()


def test_a_passage_is_shown_as_it_is_released(served):
    opened, texts = served.review.opened, served.review.texts
    sample = draw(((texts.number[d.id], d) for d in texts.every()), 50, 1)
    shown = {
        p.document: "".join(
            piece.text for _, pieces in served.review.passage(sample, at) for piece in pieces
        )
        for at, p in enumerate(sample.passages)
    }
    assert len(shown) == sample.population == opened.incidence.n_documents
    for number, text in shown.items():
        (view,) = texts.view(number, served.review.planned)
        assert text == "".join(piece.text for piece in view.after)


def test_the_passages_of_a_sample_are_read_ahead_and_not_with_a_pass_for_each(
    served, monkeypatch: pytest.MonkeyPatch
):
    texts = served.review.texts
    sample = draw(((texts.number[d.id], d) for d in texts.every()), 5, 1)
    passes, read = [], Corpus.__call__

    def counted(corpus, only=None):
        passes.append(only)
        return read(corpus, only)

    monkeypatch.setattr(Corpus, "__call__", counted)
    for at in range(len(sample.passages)):
        served.review.passage(sample, at)
    assert len(sample.passages) == 5 and len(passes) == 1


def test_a_miss_that_is_named_is_masked_with_the_next_plan_and_the_reading_still_counts(served):
    review = served.review
    with served.client() as client:
        client.post("/sample", data={"version": 0, "size": 5, "seed": 1})
        form = {
            "version": 1,
            "passage": 0,
            "found": "missed",
            "type": "NAME",
            "value": "Zofia Wren",
        }
        contradiction = client.post("/read", data=form | {"found": "nothing"})
        assert contradiction.status_code == 422 and "clear the field" in contradiction.text
        assert client.post("/read", data=form).status_code == 303
    assert review.estimated().masked == review.planned.masked + 1
    review.apply(review.decisions.kept.version)
    assert len(review.decisions.kept.sample.counted(review.opened.digest)) == 1


def test_what_was_read_counts_no_more_once_the_plan_masks_less(served):
    review = served.review
    with served.client() as client:
        client.post("/sample", data={"version": 0, "size": 5, "seed": 1})
        client.post("/read", data={"version": 1, "passage": 0, "found": "nothing"})
        number = review.opened.values.index("Ottoline Brandvold")
        review.decisions.decide(review.decisions.kept.version, [number], "keep", "public knowledge")
        review.apply(review.decisions.kept.version)
        html = client.get("/sample").text
    assert "0 of 5 read" in html and "1 passage read under another plan" in html


def test_the_riskiest_documents_are_a_queue_whose_progress_is_kept(run, serve):
    served = serve(run)
    review, names = served.review, served.review.opened.incidence.documents
    left = review.planned.plan.after.tolist()
    first = max(range(len(left)), key=lambda d: (left[d], review.planned.plan.before[d]))
    with served.client() as client:
        html = client.get("/riskiest").text
        assert f"<bdi>{names[first]}</bdi>" in html and "0 of 5 documents read" in html
        assert client.post("/looked", data={"version": 0, "document": first}).status_code == 303
        assert client.post("/looked", data={"version": 0, "document": 1}).status_code == 409
        html = client.get("/riskiest").text
        assert f"<bdi>{names[first]}</bdi>" not in html and "1 of 5 documents read" in html
        line = review.decisions.log.entries()[-1]
        assert (line["action"], line["document"]) == ("looked", first + 1)
        number = review.opened.values.index("Ottoline Brandvold")
        review.decisions.decide(review.decisions.kept.version, [number], "keep", "public knowledge")
        review.apply(review.decisions.kept.version)
        assert "0 of 5 documents read" in client.get("/riskiest").text  # the plan masks less now
