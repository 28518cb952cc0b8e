"""The planted corpus, written as adapters write it and masked once by `linkmask mask`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import starmap
from pathlib import Path

import pytest

import linkmask
from adapters.planted import DOCUMENTS, snippet
from linkmask import commands
from linkmask.adapters.framework_documents import FrameworkDocument, write_corpus

CHOSEN = {"style": "pseudonym", "linkable": True, "workers": 1}


def masked_in(folder: Path, style: str) -> Path:
    write_corpus(starmap(FrameworkDocument, DOCUMENTS), folder / "corpus.jsonl")
    settings = linkmask.load(overrides={**CHOSEN, "style": style}, environment={})
    commands.mask_files(folder / "corpus.jsonl", folder / "out", settings)
    return folder / "out"


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the corpus was masked to, with pseudonyms; its run lies beside it."""
    return masked_in(tmp_path_factory.mktemp("pseudonym"), "pseudonym")


@pytest.fixture(scope="session")
def out_of_values(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same masked in a style that can't be undone."""
    return masked_in(tmp_path_factory.mktemp("value"), "value")


@pytest.fixture
def run_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, object]]:
    """Runs the programs of docs/adapters.md that hold a word, as a reader would; their names."""
    root = Path(__file__).parents[2]

    def run(word: str) -> dict[str, object]:
        monkeypatch.chdir(tmp_path)
        shutil.copytree(root / "examples" / "insurance" / "documents", "claims")
        settings = linkmask.load(overrides=CHOSEN, environment={})
        commands.mask_files(Path("claims"), Path("masked"), settings)
        names: dict[str, object] = {}
        exec(compile(snippet(root / "docs" / "adapters.md", word), "adapters.md", "exec"), names)
        return names

    return run
