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
from linkmask.graph.linkage import blocking
from linkmask.pipeline.linkage.background import PublicTexts, leading, read_public
from linkmask.pipeline.linkage.certificate import BothTexts
from linkmask.pipeline.linkage.public_certificate import (
    interval_of_share,
    public_certificate,
    surely_led,
)

TOPICS = (
    "heron nest",
    "quartz basalt",
    "nutmeg turmeric",
    "rudder keel",
    "lute drum",
    "flax bobbin",
)
ARTICLES = [f"A painter known for the {topic} series taught at the academy." for topic in TOPICS]
LEFT = "ash birch clay dell elm fern glen holm iris knot".split()
RIGHT = "field wood brook croft stead".split()
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
        read_public(Settings(background=str(path)))


def test_a_background_with_a_text_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Otherwise the words that lead to this text would stay."""
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("One.")
    (tmp_path / "c.json").write_text("{")
    with pytest.raises(InputError, match="1 of 3 texts can't be read"):
        read_public(Settings(background=str(tmp_path)))


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


@pytest.mark.parametrize("all_pairs", [blocking.ALL_PAIRS, 0])
def test_a_certificate_counts_the_documents_that_still_lead_to_the_originals_public_text(
    all_pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of six texts lose what they share with their article, and share words with no other.

    Blocking, if every text is one of too many, brings the same ones together.
    """
    monkeypatch.setattr(blocking, "ALL_PAIRS", all_pairs)
    monkeypatch.setattr(blocking, "COMMON", len(TEXTS))  # a word of all texts tells nothing
    texts = [
        BothTexts(text, "Nothing." if number < 2 else text) for number, text in enumerate(TEXTS)
    ]
    found = public_certificate(texts, ARTICLES)
    shares = {one["attacker"]: one["found"] for one in found["attackers"]}
    assert shares["TF-IDF"] == shares["character n-grams"] == round(4 / 6, 4)
    assert found["texts"] == len(ARTICLES)
    most = found["attackers"][0]
    assert most["found"] == max(shares.values())
    low, high = most["interval"]
    assert low < most["found"] < high


@pytest.mark.parametrize("released", ["", "Nothing."])
def test_from_a_release_that_shares_nothing_with_public_texts_no_attacker_finds_one(
    released: str,
) -> None:
    texts = [BothTexts(text, released) for text in TEXTS]
    found = public_certificate(texts, ARTICLES)
    assert {one["found"] for one in found["attackers"]} == {0.0}


def test_of_public_texts_that_are_equally_near_an_attacker_picks_any() -> None:
    """Two articles are the same, so whoever finds these is right half of the time."""
    twice = [*ARTICLES, ARTICLES[0]]
    found = public_certificate([BothTexts(TEXTS[0], TEXTS[0])], twice)
    shares = {one["attacker"]: one["found"] for one in found["attackers"]}
    assert shares["TF-IDF"] == shares["character n-grams"] == 0.5


def likeness_by_chance(texts: int, public: int, seed: int = 0) -> np.ndarray:
    """Return similarities to public texts about nobody here, the largest first."""
    drawn = np.random.default_rng(seed).lognormal(-3, 0.4, (texts, public))
    return -np.sort(-drawn, axis=1)


def test_a_text_that_is_merely_the_nearest_of_many_is_not_the_persons() -> None:
    assert surely_led(likeness_by_chance(200, 300)).mean() < 0.05


@pytest.mark.parametrize("own", [1, 2, 3])
def test_originals_that_have_public_texts_of_their_person_lead_to_them(own: int) -> None:
    """Of half of the originals; there may be up to three about a person, and all are near."""
    likeness = likeness_by_chance(200, 300)
    likeness[::2, :own] += 0.5
    sure = surely_led(likeness)
    assert sure[::2].mean() > 0.95
    assert sure[1::2].mean() < 0.25
    assert 0.5 < sure.mean() < 0.65


def test_fewer_than_three_public_texts_tell_nothing_of_chance() -> None:
    assert surely_led(likeness_by_chance(10, 2)).tolist() == [1.0] * 10


def released_with_similar_texts(tmp_path: Path, theirs: bool) -> tuple[int, float]:
    """Mask texts that share some words with public ones by chance, or ten of twelve with theirs.

    An allow list keeps all words.

    Returns:
        The exit status, and the largest share that an attacker finds.
    """
    draw, words = np.random.default_rng(0), [f"{a}{b}" for a in LEFT for b in RIGHT]
    public = [draw.choice(words, 12, replace=False) for _ in range(60)]
    own = [draw.choice(words, 12, replace=False) for _ in range(30)]
    texts = [[*(public[n][:10] if theirs else one[:10]), *one[10:]] for n, one in enumerate(own)]
    source, out, allow = tmp_path / "in.jsonl", tmp_path / "out", tmp_path / "allow.toml"
    articles = tmp_path / "articles.jsonl"
    for path, some in ((source, texts), (articles, public)):
        rows = ({"id": f"{n}", "content": f"{' '.join(one)}."} for n, one in enumerate(some))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    allow.write_text(f'[[recognizer]]\nid = "w"\nvalues = {json.dumps(words)}\nkeep = true\n')
    given = f"background={articles}", "link_limit=0.6"
    options = ["--recognizers", str(allow), *(part for one in given for part in ("--set", one))]
    done = CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *options])
    found = json.loads((out / "summary.json").read_text())["linkage"]
    assert found["over"] == 0
    return done.exit_code, found["public"]["attackers"][0]["found"]


def test_public_texts_that_are_merely_similar_do_not_set_the_status(tmp_path: Path) -> None:
    """From a text that is released as it is, attackers find what its original is nearest to."""
    status, found = released_with_similar_texts(tmp_path, theirs=False)
    assert (status, found < 0.25) == (0, True)


def test_public_texts_about_the_persons_set_the_status(tmp_path: Path) -> None:
    status, found = released_with_similar_texts(tmp_path, theirs=True)
    assert (status, found > 0.6) == (2, True)


def test_the_interval_of_a_share_is_wilsons() -> None:
    """Newcombe (1998), table I: 81 of 263, and 0 of 20."""
    assert interval_of_share(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert interval_of_share(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_a_run_with_public_texts_says_in_summary_and_report_how_many_are_found(
    tmp_path: Path, articles: Path
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in corpus(TEXTS)))
    shares = []
    for candidates in (1, 5):
        given = f"background={articles}", f"candidates={candidates}", "link_limit=0.99"
        options = [part for one in given for part in ("--set", one)]
        out = tmp_path / f"out{candidates}"
        done = CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *options])
        public = json.loads((out / "summary.json").read_text())["linkage"]["public"]
        shares.append(public["attackers"][0]["found"])
        line = f"Among 6 public texts, an attacker ({public['attackers'][0]['attacker']}) finds"
        assert line in " ".join(done.output.split())
        assert line in (out / "report.html").read_text()
    assert shares[1] <= shares[0]


@pytest.mark.parametrize("changed", [False, True])
def test_a_plan_is_carried_out_where_the_public_texts_are_gone_or_others(
    tmp_path: Path, articles: Path, changed: bool
) -> None:
    """What masks by them is in the run; but no limit is shown to be met."""
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    source.write_text("".join(json.dumps(row) + "\n" for row in corpus(TEXTS)))
    given = ["--set", f"background={articles}", "--set", "link_limit=0.99"]
    assert CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *given]).exit_code == 0
    if changed:
        articles.write_text(articles.read_text().replace("heron", "egret"))
    else:
        articles.rename(tmp_path / "elsewhere")
    again = ["apply", f"{out}.run", "-o", str(tmp_path / "again")]
    done = CliRunner().invoke(main, again)
    assert done.exit_code == 2
    said = " ".join(done.output.split())
    assert "Public texts not compared with the limit for linking" in said
    assert "not those that the run began with" in said or not changed
    page = (tmp_path / "again" / "report.html").read_text()
    assert "Whether public texts lead to persons is not measured" in page
    assert "Not under the limits" in page


def test_an_update_takes_the_public_texts_as_they_are_now(tmp_path: Path, articles: Path) -> None:
    """A new document leads to the newest article; older documents keep their masks."""
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    source.write_text("".join(json.dumps(row) + "\n" for row in corpus(TEXTS)))
    given = ["--set", f"background={articles}", "--set", "link_limit=0.99"]
    assert CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *given]).exit_code == 0
    article, text = (one[0].replace("heron nest", "gable lintel") for one in (ARTICLES, TEXTS))
    for path, row in (
        (articles, {"id": "newest", "content": article}),
        (source, {"id": "newest", "content": text}),
    ):
        path.write_text(path.read_text() + json.dumps(row) + "\n")
    done = CliRunner().invoke(main, ["update", f"{out}.run", str(source), "-o", str(out)])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in (out / "documents" / "in.jsonl").read_text().splitlines()]
    *old, new = (row["content"] for row in rows)
    assert shared(old) == [0] * len(TOPICS)
    assert "gable" not in new and "lintel" not in new
    public = json.loads((out / "summary.json").read_text())["linkage"]["public"]
    assert public["texts"] == len(ARTICLES) + 1


def test_the_status_says_whether_public_texts_are_found_more_often_than_the_limit(
    tmp_path: Path, articles: Path
) -> None:
    """No document is found from another; an allow list keeps what leads to an article."""
    source, out, allow = tmp_path / "in.jsonl", tmp_path / "out", tmp_path / "allow.toml"
    source.write_text("".join(json.dumps(row) + "\n" for row in corpus(TEXTS)))
    words = json.dumps(" ".join(TOPICS).split())
    allow.write_text(f'[[recognizer]]\nid = "topics"\nvalues = {words}\nkeep = true\n')
    asked = ["mask", str(source), "-o", str(out), "--recognizers", str(allow)]
    given = ["--set", f"background={articles}", "--set", "link_limit=0.9"]
    done = CliRunner().invoke(main, [*asked, *given])
    found = json.loads((out / "summary.json").read_text())["linkage"]
    assert (found["over"], found["public"]["attackers"][0]["found"]) == (0, 1.0)
    assert done.exit_code == 2
    assert "an attacker with public texts is right for 1.00 of the documents" in done.output
    assert "Not under the limits" in (out / "report.html").read_text()
