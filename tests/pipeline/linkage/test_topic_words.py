"""With a sentence model, words by which it links documents are masked; it attacks the release."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from tests.sentence_models import write

import linkmask
from linkmask import config
from linkmask.cli import main
from linkmask.config import Settings
from linkmask.errors import LinkmaskError, SettingsError
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.pipeline.linkage.embedding import read_model
from linkmask.pipeline.linkage.left_texts import Readable, as_left
from linkmask.pipeline.linkage.topic_words import SHARE, topic_words
from linkmask.records import Document, Masked, Replacement
from linkmask.testbench.certificate import certify

WORDS = "heron reed marsh quartz basalt ridge saffron clove market rudder keel harbour".split()
FILLER = "letter matter survey folder notice ledger branch window".split()
PERSONS = 4


def texts() -> list[str]:
    """Two texts for each person, whose words are of its topic and others."""
    rng = np.random.default_rng(1)
    made = []
    for person in range(PERSONS):
        for _ in range(2):
            own = [*WORDS[3 * person : 3 * person + 3], *rng.choice(FILLER, 5, replace=False)]
            made.append(" ".join(own))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "model", [*WORDS, *FILLER])


def readable(text: str) -> Readable:
    spans, at = {}, 0
    for word in text.split():
        spans[word] = [(at, at + len(word))]
        at += len(word) + 1
    return Readable(text, spans)


def left(text: str, masked: set[str]) -> str:
    return " ".join(word for word in text.split() if word not in masked)


def hits(model: SentenceModel, some: list[str]) -> int:
    """How many texts have their person's other as the nearest."""
    near = model.embed(some) @ model.embed(some).T
    np.fill_diagonal(near, -1)
    return sum(int(one) == (n ^ 1) for n, one in enumerate(near.argmax(axis=1)))


def test_words_are_masked_until_another_text_is_as_near_as_the_linked_one(folder: Path) -> None:
    model, some = SentenceModel(folder), texts()
    linked = {2 * person: {2 * person + 1} for person in range(PERSONS)}
    gone = topic_words([*map(readable, some)], linked, [0.5] * len(some), model)
    after = [left(text, masked) for text, masked in zip(some, gone, strict=True)]
    assert hits(model, after) < hits(model, some)
    assert all(
        len(masked) <= SHARE * len(text.split()) for text, masked in zip(some, gone, strict=True)
    )
    none = topic_words([*map(readable, some)], {}, [0.5] * len(some), model)
    assert none == [set()] * len(some)


def test_texts_that_are_settled_keep_their_words(folder: Path) -> None:
    model, some = SentenceModel(folder), texts()
    linked = {0: {6, 7}, 1: {7}}
    gone = topic_words([*map(readable, some)], linked, [0.5] * len(some), model, 6)
    assert not any(gone[:6])
    assert any(gone[6:])


def test_a_word_is_found_in_what_masks_leave_and_in_the_original() -> None:
    original = Document("a", "Ann Lee saw the heron on 3 March 2024, heron [NAME] reed.")
    spans = [(0, 7, "NAME", "[NAME]"), (25, 37, "EVENT_DATE", "March 2024")]
    found = [Replacement("content", a, b, "e", kind, text) for a, b, kind, text in spans]
    shown, places = as_left(Masked(original, original, found), Settings())
    assert "Ann" not in shown.text
    assert "March 2024, heron " in shown.text
    assert {word: shown.text[a:b] for word, ((a, b), *_) in shown.words.items()} == {
        "saw": "saw",
        "heron": "heron",
        "reed": "reed",
    }
    assert [original.content[a:b] for _, a, b, _ in places["heron"]] == ["heron"] * 2


def corpus(path: Path) -> Path:
    rows = [
        {"id": f"d{n}", "content": f"On the {text} of a {31 + n}-year-old."}
        for n, text in enumerate(texts())
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(*asked: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(one) for one in asked])
    return done.exit_code, done.output


def options(*given: str) -> list[str]:
    return [part for one in given for part in ("--set", one)]


def test_a_release_masks_more_with_a_sentence_model_and_its_certificate_says_so(
    tmp_path: Path, folder: Path
) -> None:
    source = corpus(tmp_path / "in.jsonl")
    given = ("workers=1", "rare_terms=1", "rare_pairs=linker", "link_limit=0.99")
    usual = ["mask", source, *options(*given)]
    assert run(*usual, "-o", tmp_path / "a")[0] == 0
    status, said = run(*usual, "-o", tmp_path / "b", "--set", f"sentence_model={folder}")
    assert status == 0, said
    a, b = (json.loads((tmp_path / one / "summary.json").read_text()) for one in "ab")
    assert a["linkage"]["sentences"] is False
    assert b["linkage"]["sentences"] is True
    assert b["settings"]["sentence_model"] == "model"
    assert len(b["settings"]["sentence_model_digest"]) == 64
    page = (tmp_path / "b" / "report.html").read_text()
    assert "by a sentence model" in page
    assert str(tmp_path) not in page + json.dumps(b)
    marks = [sum(text.count("[...]") for text in _texts(tmp_path / one)) for one in ("a", "b")]
    assert marks[0] == 0 < marks[1]


def _texts(out: Path) -> list[str]:
    file = next((out / "documents").iterdir())
    return [json.loads(line)["content"] for line in file.read_text().splitlines()]


def test_an_update_leaves_the_masks_of_old_documents_and_masks_new_ones(
    tmp_path: Path, folder: Path
) -> None:
    source = corpus(tmp_path / "in.jsonl")
    usual = options("workers=1", "rare_terms=4", "rare_pairs=linker", f"sentence_model={folder}")
    assert run("mask", source, "-o", tmp_path / "a", *usual)[0] == 0
    more = [{"id": "e0", "content": f"On the {texts()[0]} of a 30-year-old again."}]
    source.write_text(source.read_text() + "".join(json.dumps(row) + "\n" for row in more))
    status, said = run("update", tmp_path / "a.run", source, "-o", tmp_path / "b")
    assert status == 0, said
    before, after = _texts(tmp_path / "a"), _texts(tmp_path / "b")
    assert after[: len(before)] == before
    assert "[...]" in after[-1]


def test_a_run_continues_only_with_the_same_sentence_model(tmp_path: Path, folder: Path) -> None:
    source = corpus(tmp_path / "in.jsonl")
    usual = options(
        "workers=1",
        "rare_terms=4",
        "rare_pairs=linker",
        f"sentence_model={folder}",
        "link_limit=0.9",
    )
    assert run("scan", source, "-o", tmp_path / "run", *usual)[0] == 0
    assert run("plan", tmp_path / "run")[0] == 0
    write(folder, [*WORDS, *FILLER], seed=1)
    read_model.cache_clear()
    status, said = run("apply", tmp_path / "run", "-o", tmp_path / "out")
    assert status == 1
    assert "is not the one that the run began with" in said


def test_a_folder_without_a_sentence_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="sentence_model"):
        config.load(overrides={"sentence_model": str(tmp_path)}, environment={})
    with pytest.raises(LinkmaskError):
        linkmask.mask(["a text", "another"], Settings(sentence_model=str(tmp_path)))


def test_a_release_is_certified_with_a_sentence_model(tmp_path: Path, folder: Path) -> None:
    source = corpus(tmp_path / "in.jsonl")
    plain, with_model = certify(source, 0.1), certify(source, 0.1, model=folder)
    assert plain["by_document"] != with_model["by_document"]
    assert run("bench", "certify", source, "--sentence-model", folder)[0] in (0, 2)
