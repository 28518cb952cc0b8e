"""No two documents that share a value show the same rare word, in no edition."""

import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from benchmarks.update_fuzz import letter, put, texts_in

from linkmask import commands, config
from linkmask.config import Settings
from linkmask.runs import Run

WORDS = ("quolbering", "zantheric", "vrisplode", "mockelwise", "tharnish", "plomberide")
"""Made-up words. Each document has one, so that several have the same one."""


def draw(random: Random, source: Path, name: str, words: list[str]) -> None:
    """Write a document with a rare word, unless enough documents have had each."""
    word = words.pop() if words else "usual"
    put(source, name, f"{letter(random)} It was a {word} day.")


def values_of(run: Path, settings: Settings) -> dict[str, set[tuple[str, str]]]:
    """Return by document the values that tell something of a person."""
    found = defaultdict[str, set[tuple[str, str]]](set)
    with Run.open(run) as opened:
        for one in opened.mentions():
            if one.relevance > 0 and settings.entity_types.weights[one.type] > 0:
                found[one.document].add((one.type, one.value))
    return found


def shown_twice(out: Path, settings: Settings) -> list[tuple[str, str, str]]:
    """Return pairs of documents with a rare word that both show; each has a value of its own."""
    values = values_of(out.with_name(f"{out.name}.run"), settings)
    words = {
        name: {word for word in WORDS if re.search(rf"\b{word}\b", text)}
        for name, text in texts_in(out / "documents").items()
    }
    return [
        (a, b, word)
        for a, b in combinations(sorted(words), 2)
        for word in words[a] & words[b]
        if values[a] & values[b] and values[a] - values[b] and values[b] - values[a]
    ]


@pytest.mark.parametrize("seed", range(4))
def test_a_rare_word_is_readable_in_no_two_documents_that_share_a_value(
    seed: int, tmp_path: Path
) -> None:
    random, source, out = Random(seed), tmp_path / "in", tmp_path / "out"
    settings = config.load(overrides={"workers": 1, "rare_pairs": "values"}, environment={})
    words = random.sample([*WORDS] * settings.rare_terms, len(WORDS) * settings.rare_terms)
    source.mkdir()
    for number in range(16):
        draw(random, source, f"d{number:02}", words)
    commands.mask_files(source, out, settings)
    assert not shown_twice(out, settings)
    for edition in range(2):
        for name in random.sample(sorted(path.stem for path in source.iterdir()), 3):
            draw(random, source, name, words)
        for number in range(4):
            draw(random, source, f"e{edition}-{number}", words)
        commands.update_files(source=source, out=out, run_folder=tmp_path / "out.run", overrides={})
        assert not shown_twice(out, settings)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_an_update_that_only_deletes_documents_asks_the_linker_nothing(tmp_path: Path) -> None:
    random, source, out = Random(1), tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for number in range(24):
        draw(random, source, f"d{number:02}", [*WORDS])
    commands.mask_files(source, out, config.load(overrides={"workers": 1}, environment={}))
    (source / "d07.json").unlink()
    commands.update_files(source=source, out=out, run_folder=tmp_path / "out.run", overrides={})
    assert len(texts_in(out / "documents")) == 23
