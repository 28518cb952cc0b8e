"""Words that a language uses least are masked until a stated share of a document is left."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkmask
from linkmask.cli import main
from linkmask.config import Settings
from linkmask.graph.linkage.terms import WORD
from linkmask.pipeline.linkage.surprising_words import surprising

TEXTS = [
    "Elise Varga wrote a book on the Lantern Keepers and one on falconry after she had left home.",
    "The plan pays for the visit of a doctor at home, and for the way to the clinic and back.",
]


def masked(texts: list[str] = TEXTS, **settings: object) -> list[str]:
    options = Settings(workers=1, rare_terms=0, **settings)  # type: ignore[arg-type]
    documents = [{"id": f"d{n}", "content": text} for n, text in enumerate(texts)]
    return [one.content for one in linkmask.mask(documents, options).documents]


@pytest.mark.parametrize("share", [0.7, 0.5])
def test_no_more_than_the_share_stays_and_the_rarest_go_first(share: float) -> None:
    usual, fewer = masked()[0], masked(readable_share=share)[0]
    left = [word for word in WORD.findall(fewer) if word not in ("RARE_TERM", "NAME")]
    assert len(left) <= share * len(WORD.findall(TEXTS[0])) < len(left) + 1
    assert "Lantern Keepers" in usual
    assert not {"Lantern", "Keepers", "falconry"} & {*left}
    assert {"after", "had"} <= {*left}


def test_a_document_in_which_nothing_was_found_stays_whole() -> None:
    assert masked(readable_share=0.5)[1] == TEXTS[1]


def test_a_document_is_masked_alike_whatever_else_the_corpus_holds() -> None:
    other = "Ines Moro keeps a lantern for the Keepers."
    alone = masked(TEXTS[:1], readable_share=0.7)[0]
    assert masked([TEXTS[0], other], readable_share=0.7)[0] == alone != masked([TEXTS[0], other])[0]


def test_names_and_numbers_go_before_words_of_no_list() -> None:
    words = {word: [("content", 0, 1, word)] for word in ("falconry", "of")}
    words |= {word.casefold(): [("content", 0, 1, word)] for word in ("Ardmore", "4417x")}
    assert surprising(words, 2) == {"ardmore", "4417x"}
    assert surprising(words, 3) == {"ardmore", "4417x", "falconry"}
    assert surprising(words, 0) == set()


def test_an_update_masks_these_words_in_new_documents(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"

    def write(texts: list[str]) -> None:
        rows = ({"id": f"d{n}", "content": text} for n, text in enumerate(texts))
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))

    write(TEXTS[1:])
    options = ["--set", "workers=1", "--set", "readable_share=0.5"]
    done = CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *options])
    assert done.exit_code == 0, done.output
    write([*TEXTS[1:], TEXTS[0]])
    done = CliRunner().invoke(
        main, ["update", f"{out}.run", str(source), "-o", str(tmp_path / "next")]
    )
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "next" / "documents" / "in.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["content"] == TEXTS[1]
    assert "Lantern" not in lines[1]


def test_documents_that_can_be_read_to_a_larger_share_are_counted_and_listed(
    tmp_path: Path,
) -> None:
    """Words of one or two characters stay, whatever the share; so the limit is not met."""
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    texts = [*TEXTS, "To Elise Varga: as it is, we go on to do so."]
    rows = ({"id": f"d{n}", "content": text} for n, text in enumerate(texts))
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--set", "workers=1", "--set", "readable_share=0.5"]
    done = CliRunner().invoke(main, ["mask", str(source), "-o", str(out), *options])
    assert done.exit_code == 2 and "Above the share of words" in done.output
    summary = json.loads((out / "summary.json").read_text())
    assert summary["counts"]["above_readable_share"] == 1
    (above,) = summary["left"]["above_readable_share"]
    assert above["document"] == "d2" and above["readable"] > 0.5
    assert "Above the share of words" in (out / "report.html").read_text()
