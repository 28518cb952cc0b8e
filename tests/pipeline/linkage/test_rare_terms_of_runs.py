"""Rare words of a run are masked by scan and apply, and stay masked in its next editions."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask import commands
from linkmask.cli import main
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.pipeline.linkage.common_words import common_words, forget_words
from linkmask.runs import Run
from linkmask.text.letters import hash_of_word
from rare_word_texts import CASES, TEXTS, TOPICS


def test_a_scan_finds_rare_terms_that_plan_apply_and_explain_know(tmp_path: Path) -> None:
    source, run, out = tmp_path / "in.jsonl", tmp_path / "run", tmp_path / "out"
    rows = [json.dumps({"id": f"d{n}", "content": text}) for n, text in enumerate(TEXTS)]
    source.write_text("\n".join(rows))
    asked = [
        ["scan", str(source), "-o", str(run), "--set", "rare_pairs=linker", "--set", "workers=1"],
        ["plan", str(run), "--theta-doc", "0.9"],
        ["apply", str(run), "-o", str(out)],
        ["verify", str(out), "--run", str(run)],
        ["explain", str(run), "--entity", "quartz"],
    ]
    done = [CliRunner().invoke(main, one) for one in asked]
    assert [one.exit_code for one in done] == [0] * len(asked), [one.output for one in done]
    assert "setting rare_terms" in done[-1].output
    released = (out / "documents" / "in.jsonl").read_text()
    assert released.count("[...]") == len(TOPICS)


def written(place: Path) -> dict[str, str]:
    return {path.stem: json.loads(path.read_text())["content"] for path in place.iterdir()}


def write(place: Path, name: str, text: str) -> None:
    (place / "in" / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))


HERON = "A heron stood by gate {} of the {} garden of a {}-year-old man."


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The folder of a corpus and its first edition, in which each topic's words are rare."""
    (tmp_path / "in").mkdir()
    for n, text in enumerate(TEXTS):
        write(tmp_path, f"d{n}", text)
    settings = Settings(workers=1, rare_terms=3, rare_pairs="linker")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    return tmp_path


def update(place: Path) -> dict[str, str]:
    """Release the next edition, and return its texts."""
    update_files(place / "out.run", place / "in", place / "out", {})
    return written(place / "out" / "documents")


def test_documents_that_are_added_make_no_masked_word_readable(released: Path) -> None:
    """Twenty documents make "heron" common by today's count, and no count of the first edition."""
    before = written(released / "out" / "documents")
    for n in range(20):
        write(released, f"e{n}", HERON.format(n, TOPICS[n % 4], 60 + n))
    after = update(released)
    assert {name: after[name] for name in before} == before
    write(
        released, "f", "On the heron matter of a 29-year-old patient the committee read a letter."
    )
    again = update(released)
    assert {name: again[name] for name in after} == after
    assert "heron" not in again["f"] and "matter" in again["f"]


def test_what_is_rare_is_counted_anew_on_demand_and_what_was_masked_stays_so(
    released: Path,
) -> None:
    before = written(released / "out" / "documents")
    for n in range(20):
        write(released, f"e{n}", HERON.format(n, TOPICS[n % 4], 60 + n))
    names = released / "out.run", released / "in", released / "out"
    update_files(*names, {}, recount=True)
    after = written(released / "out" / "documents")
    assert {name: after[name] for name in before} == before
    assert sum("heron" in after[f"e{n}"] for n in range(20)) == 20


def test_a_rare_word_is_masked_in_a_new_document_that_shares_it(released: Path) -> None:
    write(
        released,
        "e",
        "On the quartz matter of a 29-year-old patient the committee read a letter: cobalt.",
    )
    text = update(released)["e"]
    assert "quartz" not in text
    assert "cobalt" in text  # no other document has it


def test_a_rare_word_that_was_masked_stays_masked_in_a_document_that_changed(
    released: Path,
) -> None:
    before = written(released / "out" / "documents")
    name = next(name for name in ("d0", "d1") if "heron" not in before[name])
    write(released, name, "Nothing is left of the 29-year-old patient but a heron.")
    assert "heron" not in update(released)[name]


def test_the_vault_restores_rare_terms(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for n, text in enumerate(TEXTS):
        write(tmp_path, f"d{n}", text)
    settings = Settings(workers=1, style="pseudonym", rare_pairs="linker")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    assert any("[...]" in one for one in written(tmp_path / "out" / "documents").values())
    commands.unmask_files(tmp_path / "out", tmp_path / "back")
    assert [written(tmp_path / "back" / "documents")[f"d{n}"] for n in range(len(TEXTS))] == TEXTS


def test_forgotten_values_are_no_common_words_any_more(released: Path) -> None:
    def knows(run: Run, word: str) -> bool:
        return hash_of_word(word) in common_words(run)

    with Run.open(released / "out.run", write=True) as run:
        assert knows(run, "matter")
        forget_words(run, {"The Matter"})
        assert not knows(run, "matter") and knows(run, "committee")


def test_by_values_an_update_masks_a_rare_word_in_new_documents_alone(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for n, text in enumerate(CASES[1:]):
        write(tmp_path, f"d{n}", text.replace("A gyrfalcon", "It"))
    by_values = Settings(workers=1, rare_pairs="values")
    commands.mask_files(tmp_path / "in", tmp_path / "out", by_values)
    before = written(tmp_path / "out" / "documents")
    assert sum("gyrfalcon" in text for text in before.values()) == 2
    write(tmp_path, "e", CASES[0])
    write(tmp_path, "f", CASES[3].replace("travel", "parking"))
    after = update(tmp_path)
    assert {name: after[name] for name in before} == before
    assert "gyrfalcon" not in after["e"] and "gyrfalcon" in after["f"]
