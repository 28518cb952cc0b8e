"""Rare words that link a person's documents are masked in one of them, and there alone."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import linkmask
from linkmask import commands, config
from linkmask.cli import main
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.graph.linkage import score_texts
from linkmask.pipeline.linkage.rare_terms import common_words, forget_words, shared_rare
from linkmask.pipeline.values.earlier_masks import united
from linkmask.records import Document, Mention, Why
from linkmask.runs import Run
from linkmask.runs.mentions import encode, mentions_in
from linkmask.schema import RARE_TERM
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


def test_preset_release_masks_rare_words_and_leaves_what_a_clinic_treats() -> None:
    release, usual = config.load(preset="release", environment={}), Settings()
    assert release.rare_terms == 4
    coarser = {k: how.replace(":specialty", ":kind") for k, how in release.generalize.items()}
    assert coarser == usual.generalize != release.generalize
    same = msgspec.structs.replace(release, rare_terms=0, generalize=usual.generalize)
    assert msgspec.structs.replace(same, preset=usual.preset) == usual


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
    about = [0.9, 0.1, 0.9]
    assert shared_rare(words, {0: {1}, 1: {2}}, (), about) == [set(), {"heron"}, set()]
    assert shared_rare(words, {0: {1}, 1: {2}}, {"heron"}, about) == [set()] * 3
    assert shared_rare(words, {}, (), about) == [set()] * 3


def test_of_two_linked_documents_the_one_about_nobody_keeps_the_rare_word() -> None:
    place = [("content", 0, 5, "heron")]
    words = [{"heron": place}] * 2
    assert shared_rare(words, {0: {1}}, (), [0.2, 0.9]) == [set(), {"heron"}]
    assert shared_rare(words, {0: {1}}, (), [0.9, 0.2]) == [{"heron"}, set()]


def test_words_of_everyday_are_not_rare_in_a_corpus_of_two_documents() -> None:
    documents = [
        {"id": "a", "content": "The patient has pain after the heron survey."},
        {"id": "b", "content": "A note on the heron survey: the patient has pain."},
    ]
    texts = linkmask.mask(documents, Settings(workers=1, rare_terms=3)).documents
    both = sorted(one.content for one in texts)
    assert all(word in text for text in both for word in ("patient", "has", "the", "pain"))
    assert [text.count("heron") for text in both].count(1) == 1


def test_texts_that_are_settled_get_no_further_masks() -> None:
    place = [("content", 0, 5, "heron")]
    words = [{"heron": place}] * 3
    assert shared_rare(words, {0: {1, 2}, 1: {2}}, (), [0.5] * 3, 2) == [set(), set(), {"heron"}]


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


def written(place: Path) -> dict[str, str]:
    return {path.stem: json.loads(path.read_text())["content"] for path in place.iterdir()}


def write(place: Path, name: str, text: str) -> None:
    (place / "in" / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The folder of a corpus and its first edition, in which each topic's words are rare."""
    (tmp_path / "in").mkdir()
    for n, text in enumerate(TEXTS):
        write(tmp_path, f"d{n}", text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1, rare_terms=3))
    return tmp_path


def update(place: Path) -> dict[str, str]:
    """Release the next edition, and return its texts."""
    update_files(place / "out.run", place / "in", place / "out", {})
    return written(place / "out" / "documents")


def test_documents_that_are_added_make_no_masked_word_readable(released: Path) -> None:
    """Twenty documents make "heron" common by today's count, and no count of the first edition."""
    before = written(released / "out" / "documents")
    for n in range(20):
        write(released, f"e{n}", f"A heron stood by gate {n} of the {TOPICS[n % 4]} garden.")
    after = update(released)
    assert {name: after[name] for name in before} == before
    write(released, "f", "On the heron matter the committee read a letter.")
    again = update(released)
    assert {name: again[name] for name in after} == after
    assert "heron" not in again["f"] and "matter" in again["f"]


def test_what_is_rare_is_counted_anew_on_demand_and_what_was_masked_stays_so(
    released: Path,
) -> None:
    before = written(released / "out" / "documents")
    for n in range(20):
        write(released, f"e{n}", f"A heron stood by gate {n} of the {TOPICS[n % 4]} garden.")
    names = released / "out.run", released / "in", released / "out"
    update_files(*names, {}, recount=True)
    after = written(released / "out" / "documents")
    assert {name: after[name] for name in before} == before
    assert sum("heron" in after[f"e{n}"] for n in range(20)) == 20


def test_a_rare_word_is_masked_in_a_new_document_that_shares_it(released: Path) -> None:
    write(released, "e", "On the quartz matter a letter was read by the committee: cobalt.")
    text = update(released)["e"]
    assert "quartz" not in text
    assert "cobalt" in text  # no other document has it


def test_a_rare_word_that_was_masked_stays_masked_in_a_document_that_changed(
    released: Path,
) -> None:
    before = written(released / "out" / "documents")
    name = next(name for name in ("d0", "d1") if "heron" not in before[name])
    write(released, name, "Nothing is left of it but a heron.")
    assert "heron" not in update(released)[name]


def test_a_rare_term_stays_masked_where_it_becomes_part_of_another_value() -> None:
    why = Why("rules", "by hand")
    old = Mention("d", "content", 4, 9, RARE_TERM, "heron", "heron", 0.0, why)
    new = Mention("d", "content", 4, 16, "PROVIDER", "heron clinic", "heron clinic", 0.5, why)
    other = Mention("d", "content", 4, 9, "NAME", "heron", "heron", 0.5, why)
    lines = (b"".join(map(encode, some)) for some in ([new], [old, other]))
    assert mentions_in(united(*lines)) == [new, old]


def test_the_vault_restores_rare_terms(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for n, text in enumerate(TEXTS):
        write(tmp_path, f"d{n}", text)
    settings = Settings(workers=1, rare_terms=3, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    assert any("[RARE_TERM]" in one for one in written(tmp_path / "out" / "documents").values())
    commands.unmask_files(tmp_path / "out", tmp_path / "back")
    assert [written(tmp_path / "back" / "documents")[f"d{n}"] for n in range(len(TEXTS))] == TEXTS


def test_words_of_nobody_stay_in_no_run(released: Path) -> None:
    """Of the common words those are dropped that no document holds any more."""
    with Run.open(released / "out.run") as run:
        assert {"matter", "committee"} <= common_words(run)
    for n, text in enumerate(TEXTS):
        write(released, f"d{n}", text.replace("committee", "board"))
    update(released)
    with Run.open(released / "out.run") as run:
        words = common_words(run)
    assert "matter" in words and "committee" not in words


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
    assert list(defence("clam[preset=release]").make(builder).texts) == masked(rare_terms=3)
    assert list(defence("clam").make(builder).texts) == TEXTS


def test_forgotten_values_are_no_common_words_any_more(released: Path) -> None:
    with Run.open(released / "out.run", write=True) as run:
        assert "matter" in common_words(run)
        forget_words(run, {"The Matter"})
        assert "matter" not in common_words(run) and "committee" in common_words(run)
