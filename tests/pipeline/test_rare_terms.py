"""Rare words that link a person's documents are masked in one of them, and there alone."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkmask
from linkmask.cli import main
from linkmask.config import Settings
from linkmask.graph.linkage import score_texts
from linkmask.pipeline.rare_terms import shared_by_few
from linkmask.records import Document
from linkmask.testbench.corpus import corpus_of
from linkmask.testbench.datasets import HiddenPerson, PersonCluster
from linkmask.testbench.defences import DefenceBuilder, defence
from linkmask.testbench.ranking import Ranking

TOPICS = ("heron reed", "quartz basalt", "saffron clove", "rudder keel")
LINES = ("The {} matter was read by the committee.", "On the {} matter a letter went out.")
TEXTS = [line.format(topic) for topic in TOPICS for line in LINES]


def masked(**settings: object) -> list[str]:
    documents = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    options = Settings(workers=1, **settings)  # type: ignore[arg-type]
    return [one.content for one in linkmask.mask(documents, options).documents]


def test_of_two_linked_documents_one_keeps_the_rare_word() -> None:
    texts = masked(rare_terms=3)
    for topic in TOPICS:
        for word in topic.split():
            assert sum(word in text for text in texts) == 1
    assert sum(text.count("[RARE_TERM]") for text in texts) == 2 * len(TOPICS)


def test_what_more_documents_share_than_is_rare_stays() -> None:
    assert all("matter" in text for text in masked(rare_terms=3))
    assert masked(rare_terms=0) == TEXTS


@pytest.mark.parametrize("style", ["value", "pseudonym", "surrogate", "redact"])
def test_a_rare_term_is_written_alike_in_every_style_so_that_its_mask_links_nothing(
    style: str,
) -> None:
    assert masked(rare_terms=3, style=style, unkeyed=True) == masked(rare_terms=3)


def test_the_linker_finds_fewer_persons_where_rare_terms_are_masked() -> None:
    person = [n // len(LINES) for n in range(len(TEXTS))]

    def rank1(texts: list[str]) -> float:
        pairs = score_texts(texts)
        return Ranking(pairs.left, pairs.right, pairs.scores, person).rank1

    assert rank1(masked(rare_terms=3)) < rank1(TEXTS)


def test_a_word_goes_first_from_the_text_that_shares_it_with_the_most_linked_ones() -> None:
    place = [("content", 0, 5, "heron")]
    words = [{"heron": place}] * 3
    assert shared_by_few(words, {0: {1}, 1: {2}}, 3) == [set(), {"heron"}, set()]
    assert shared_by_few(words, {0: {1}, 1: {2}}, 2) == [set()] * 3
    assert shared_by_few(words, {}, 3) == [set()] * 3


def test_a_scan_finds_rare_terms_that_plan_apply_and_explain_know(tmp_path: Path) -> None:
    source, run, out = tmp_path / "in.jsonl", tmp_path / "run", tmp_path / "out"
    rows = [json.dumps({"id": f"d{n}", "content": text}) for n, text in enumerate(TEXTS)]
    source.write_text("\n".join(rows))
    asked = [
        ["scan", str(source), "-o", str(run), "--set", "rare_terms=3", "--set", "workers=1"],
        ["plan", str(run), "--theta-doc", "0.9"],
        ["apply", str(run), "-o", str(out)],
        ["verify", str(out), "--run", str(run)],
        ["explain", str(run), "--entity", "quartz"],
    ]
    done = [CliRunner().invoke(main, one) for one in asked]
    assert [one.exit_code for one in done] == [0] * len(asked), [one.output for one in done]
    assert "setting rare_terms" in done[-1].output
    released = (out / "documents" / "in.jsonl").read_text()
    assert released.count("[RARE_TERM]") == 2 * len(TOPICS)
    updated = CliRunner().invoke(main, ["update", str(run), str(source), "-o", str(out)])
    assert updated.exit_code == 1
    assert "rare terms" in updated.output


def test_the_bench_masks_rare_terms_as_a_defence() -> None:
    """A setting of detection takes a scan of its own: the plan alone can't add what is found."""
    people = [
        PersonCluster(
            f"{n}",
            "HIGH",
            "",
            tuple(Document(f"{n}-{m}", line.format(topic)) for m, line in enumerate(LINES)),
            HiddenPerson(()),
            (),
        )
        for n, topic in enumerate(TOPICS)
    ]
    builder = DefenceBuilder(corpus_of("small", people))
    assert list(defence("clam[rare_terms=3]").make(builder).texts) == masked(rare_terms=3)
    assert list(defence("clam").make(builder).texts) == TEXTS
