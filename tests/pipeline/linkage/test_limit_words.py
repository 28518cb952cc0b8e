"""With a limit for the linker, words that keep documents above it are masked in these documents."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.graph.linkage.terms import read
from linkmask.pipeline.linkage import limit_words as module
from linkmask.pipeline.linkage import linking_words
from linkmask.pipeline.linkage.limit_words import _Near, _Seen, add_limit_words

SUBJECTS = (
    ("heron", "reed", "marsh", "otter"),
    ("quartz", "basalt", "ridge", "gravel"),
    ("saffron", "clove", "nutmeg", "pepper"),
    ("rudder", "keel", "harbour", "anchor"),
    ("violin", "cello", "flute", "bassoon"),
    ("tulip", "orchid", "fern", "moss"),
)
FILLER = "parcel ledger folder envelope notice stamp drawer cabinet shelf binder".split()


EVERYDAY = (
    ("house", "water", "school", "money"),
    ("night", "music", "family", "story"),
    ("number", "power", "problem", "question"),
    ("woman", "business", "party", "world"),
    ("country", "state", "group", "game"),
    ("student", "company", "government", "system"),
)


def rows(subjects: Sequence[Sequence[str]] = SUBJECTS) -> list[dict[str, str]]:
    """Two documents for each subject: they share its words, and other words with strangers."""
    made = []
    for n, words in enumerate(subjects):
        for part in (0, 1):
            others = " ".join(FILLER[(2 * n + 5 * part + k) % len(FILLER)] for k in range(6))
            shared = " ".join(words[part : part + 3])
            made.append({"id": f"d{n}{part}", "content": f"The {shared} with the {others}."})
    return made


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    return path


def run(*asked: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(one) for one in asked])
    return done.exit_code, done.output


def mask(corpus: Path, out: str, *settings: str) -> int:
    options = [part for one in ("workers=1", *settings) for part in ("--set", one)]
    return run("mask", corpus, "-o", corpus.parent / out, *options)[0]


def contents(out: Path) -> list[str]:
    file = next((out / "documents").iterdir())
    return [json.loads(line)["content"] for line in file.read_text().splitlines()]


def above(out: Path) -> int:
    return int(json.loads((out / "summary.json").read_text())["linkage"]["over"])


def test_a_limit_is_reached_by_masking_words_that_a_person_s_documents_share(
    corpus: Path, tmp_path: Path
) -> None:
    """Without the stage (no rare terms), the same limit is missed by some documents."""
    mask(corpus, "measured", "link_limit=0.3", "rare_terms=0")
    status = mask(corpus, "reached", "link_limit=0.3")
    assert any("[...]" in text for text in contents(tmp_path / "reached"))
    assert above(tmp_path / "measured") > 0
    assert (status, above(tmp_path / "reached")) == (0, 0)


def test_a_word_of_an_answer_stays_where_another_one_helps(corpus: Path, tmp_path: Path) -> None:
    """Two documents of a subject share two words; it suffices to mask either."""
    mask(corpus, "out", "link_limit=0.3")
    words = [json.loads(line) for line in (tmp_path / "out.run" / "mentions.jsonl").open()]
    masked = next(one for one in words if one["entity_type"] == "RARE_TERM")
    name, word = masked["document"], masked["original_value"]
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"answer": f"A {word.upper()}.", "documents": [name]}))
    status = mask(corpus, "spared", "link_limit=0.3", f"questions={questions}")
    number = [row["id"] for row in rows()].index(name)
    before, after = (contents(tmp_path / out)[number] for out in ("out", "spared"))
    assert word not in before
    assert word in after
    assert (status, above(tmp_path / "spared")) == (0, 0)


def test_a_word_of_everyday_stays_where_another_one_helps(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word that is masked in a document counts as one of everyday, and the other one goes."""
    mask(corpus, "out", "link_limit=0.3")
    words = [json.loads(line) for line in (tmp_path / "out.run" / "mentions.jsonl").open()]
    masked = next(one for one in words if one["entity_type"] == "RARE_TERM")
    number = [row["id"] for row in rows()].index(masked["document"])
    word = masked["original_value"]
    monkeypatch.setattr(module, "frequent_words", lambda most: frozenset({word}))
    status = mask(corpus, "spared", "link_limit=0.3")
    before, after = (contents(tmp_path / out)[number] for out in ("out", "spared"))
    assert word not in before
    assert word in after
    assert (status, above(tmp_path / "spared")) == (0, 0)


def test_an_explanation_names_the_limit(corpus: Path, tmp_path: Path) -> None:
    mask(corpus, "out", "link_limit=0.3")
    words = [json.loads(line) for line in (tmp_path / "out.run" / "mentions.jsonl").open()]
    masked = next(one for one in words if one["entity_type"] == "RARE_TERM")
    status, said = run("explain", tmp_path / "out.run", "--entity", masked["original_value"])
    assert status == 0
    assert "setting link_limit" in " ".join(said.split())


def test_a_limit_that_cannot_be_reached_gives_status_2(corpus: Path) -> None:
    assert mask(corpus, "out", "link_limit=0.0001") == 2


def test_no_such_word_is_masked_without_a_limit(corpus: Path, tmp_path: Path) -> None:
    assert mask(corpus, "out") == 0
    assert not any("[...]" in text for text in contents(tmp_path / "out"))


def test_words_of_everyday_are_masked_where_no_others_link(tmp_path: Path) -> None:
    """No word that two documents of a subject share is rare in the language."""
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(EVERYDAY)))
    mask(path, "measured", "link_limit=0.3", "rare_terms=0")
    status = mask(path, "reached", "link_limit=0.3")
    assert above(tmp_path / "measured") > 0
    assert (status, above(tmp_path / "reached")) == (0, 0)


def test_words_that_tell_nothing_stay_and_a_document_keeps_half_of_its_words(
    tmp_path: Path,
) -> None:
    """Seven of a document's eleven words would go if more than half could."""
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(SUBJECTS + EVERYDAY)))
    mask(path, "out", "link_limit=0.06")
    texts = contents(tmp_path / "out")
    assert all(text.startswith("The ") for text in texts)
    assert all("with the" in text for text in texts)
    found = [json.loads(line) for line in (tmp_path / "out.run" / "mentions.jsonl").open()]
    masked = Counter(one["document"] for one in found if one["entity_type"] == "RARE_TERM")
    assert max(masked.values()) == 5


@pytest.mark.parametrize(
    ("kind", "word"), [("gram", "gardening"), ("phrase", "three"), ("word", "")]
)
def test_the_word_is_chosen_by_what_the_attacker_compares(kind: str, word: str) -> None:
    """Both texts say "three or": as single words, the rival says each as well."""
    texts = ["Gardening three or four", "Gardener three or five", "Or six, three violins", "Moss"]
    seen = _Seen(read(texts))
    near = _Near(np.array([1]), 2, 0.5, kind)
    assert seen.most_telling(0, near, ["four", "gardening", "three"]) == word


def test_an_update_keeps_old_documents_and_masks_new_ones(corpus: Path, tmp_path: Path) -> None:
    mask(corpus, "first", "link_limit=0.3")
    added = {"id": "new", "content": "The heron reed marsh otter with the parcel ledger folder."}
    corpus.write_text(corpus.read_text() + json.dumps(added) + "\n")
    run("update", tmp_path / "first.run", corpus, "-o", tmp_path / "next", "--allow-unmet")
    before, after = contents(tmp_path / "first"), contents(tmp_path / "next")
    assert after[: len(before)] == before
    assert "[...]" in after[-1]


def test_an_update_that_was_killed_after_this_stage_masks_no_further_word(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second choice would read texts that lack the words of the first."""
    added = {"id": "new", "content": "The heron reed marsh otter with the parcel ledger folder."}
    given = corpus.read_text() + json.dumps(added) + "\n"
    mask(corpus, "first", "link_limit=0.2")
    mask(corpus, "other", "link_limit=0.2")
    corpus.write_text(given)

    def update(name: str) -> str:
        command = "update", tmp_path / f"{name}.run", corpus, "-o", tmp_path / f"{name}-next"
        status, _ = run(*command, "--allow-unmet")
        return contents(tmp_path / f"{name}-next")[-1] if status == 0 else ""

    def killed(*arguments: object) -> None:
        add_limit_words(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(linking_words, "add_limit_words", killed)
        assert not update("first")
    text = update("first")
    assert "[...]" in text
    assert text == update("other")


def test_what_an_allow_list_names_stays(corpus: Path, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed.toml"
    names = json.dumps(sorted({word for words in SUBJECTS for word in words}))
    allowed.write_text(f'[[recognizer]]\nid = "subjects"\nkeep = true\nvalues = {names}\n')
    options = ["--recognizers", allowed, "--set", "link_limit=0.3", "--set", "workers=1"]
    status, _ = run("mask", corpus, "-o", tmp_path / "out", *options)
    assert status == 2
    assert any("[...]" in text for text in contents(tmp_path / "out"))
    pairs = list(zip(contents(tmp_path / "out"), rows(), strict=True))
    for text, row in pairs[2:]:  # in the first two, "reed marsh" is a name
        own = {word for words in SUBJECTS for word in words if word in row["content"]}
        assert all(word in text for word in own)
