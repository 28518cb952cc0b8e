"""A masked document leads to no public text: as many others are at least as near."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import linkmask
from linkmask.cli import main
from linkmask.config import Settings
from linkmask.errors import InputError
from linkmask.pipeline.linkage.background import PublicTexts, leading, read_public

TOPICS = (
    "heron nest",
    "quartz basalt",
    "nutmeg turmeric",
    "rudder keel",
    "lute drum",
    "flax bobbin",
)
ARTICLES = [f"A painter known for the {topic} series taught at the academy." for topic in TOPICS]
TEXTS = [f"The {topic} matter was read by the committee of the academy." for topic in TOPICS]


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    path = tmp_path / "articles.jsonl"
    rows = [{"id": f"a{n}", "content": text} for n, text in enumerate(ARTICLES)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def corpus(texts: list[str]) -> list[dict[str, str]]:
    return [{"id": f"d{n}", "content": text} for n, text in enumerate(texts)]


def masked(**settings: object) -> list[str]:
    options = Settings(workers=1, **settings)  # type: ignore[arg-type]
    return [one.content for one in linkmask.mask(corpus(TEXTS), options).documents]


def shared(texts: list[str]) -> list[int]:
    """Return how many words of its article each text holds that the other articles do not."""
    return [
        sum(word in text for word in topic.split())
        for text, topic in zip(texts, TOPICS, strict=True)
    ]


def test_words_that_lead_to_an_article_are_masked_and_others_stay(articles: Path) -> None:
    assert shared(masked()) == [2] * len(TOPICS)
    texts = masked(background=str(articles))
    assert shared(texts) == [0] * len(TOPICS)
    assert all("committee of the academy" in text for text in texts)
    assert all(text.count("[...]") == 1 for text in texts)


def test_with_rare_terms_no_word_is_masked_twice(articles: Path) -> None:
    assert masked(background=str(articles), rare_terms=3) == masked(background=str(articles))


def public(rows: list[list[float]], words: str) -> PublicTexts:
    from scipy.sparse import csc_array

    column = {word: at for at, word in enumerate(words.split())}
    return PublicTexts(csc_array(np.array(rows)), column, np.ones(len(column)))


def test_masking_stops_where_as_many_others_are_as_near() -> None:
    """Text 0 is nearest by "a" and "b"; without "a" texts 0 and 1 are equals, 2 shares nothing."""
    known = public([[0.9, 0.4, 0], [0, 0.4, 0.9], [0, 0, 1]], "a b c")
    held = {"a": 1, "b": 1, "other": 1}
    assert leading(held, held, known, candidates=1) == {"a"}
    assert leading(held, held, known, candidates=2) == {"a", "b"}


def test_the_nearest_is_the_originals_also_where_masking_by_rule_hides_what_led_there() -> None:
    known = public([[0.9, 0.3, 0], [0, 0.2, 0.9], [0, 0.1, 1]], "a b c")
    assert leading({"a": 1, "b": 1}, {"b": 1}, known, candidates=1) == {"b"}
    assert leading({"a": 1}, {}, known, candidates=1) == set()


def test_a_background_of_fewer_than_two_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"id": "a", "content": "One."}\n')
    with pytest.raises(InputError, match="two texts or more"):
        read_public(path)


def test_a_background_with_a_text_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Otherwise the words that lead to this text would stay."""
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("One.")
    (tmp_path / "c.json").write_text("{")
    with pytest.raises(InputError, match="1 of 3 texts can't be read"):
        read_public(tmp_path)


def test_an_update_masks_what_leads_from_a_new_document(articles: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    first, second = corpus(TEXTS[:4]), corpus(TEXTS)
    source.write_text("".join(json.dumps(row) + "\n" for row in first))
    options = ["--set", "workers=1", "--set", f"background={articles}"]
    done = CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *options])
    assert done.exit_code == 0, done.output
    source.write_text("".join(json.dumps(row) + "\n" for row in second))
    run = [str(out) + ".run", str(source), "-o", str(tmp_path / "next")]
    done = CliRunner().invoke(main, ["update", *run])
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "next" / "documents" / "in.jsonl").read_text().splitlines()
    assert shared([json.loads(line)["content"] for line in lines]) == [0] * len(TOPICS)
