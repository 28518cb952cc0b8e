"""The tagger of diseases, and what it may learn from."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import tagger, texts  # noqa: E402 - read from the checkout

OWN = texts.read(ROOT / "examples" / "bilingual" / "fr.txt")


def test_what_is_read_was_not_learned_from() -> None:
    """No document of the experiment stands among the texts that the package or a tagger learns."""
    paths = sorted((ROOT / "training" / "texts").glob("*.txt"))
    assert len(paths) >= 5
    for path in paths:
        known = {one.text for one in texts.read(path)}
        for name in ("en", "fr"):
            read = texts.read(ROOT / "examples" / "bilingual" / f"{name}.txt")
            assert not known & {one.text for one in read}


def test_only_diseases_are_labels() -> None:
    labels = {label for row in tagger.from_own(OWN) for label in row.labels}
    assert labels == {"", tagger.DISEASE}


def test_what_it_learned_it_finds_by_its_place(tmp_path: Path) -> None:
    """Needs the extra `train`."""
    pytest.importorskip("pycrfsuite")
    find = tagger.learn(list(tagger.from_own(OWN)) * 5, tmp_path / "t.crfsuite").find
    truth = {(d.id, m.start, m.end) for d in OWN for m in d.marks if m.type == tagger.DISEASE}
    found = {(d.id, *span) for d in OWN for span in find(d.text)}
    assert len(truth & found) > 0.9 * len(truth)
    assert tagger.Tagger(tmp_path / "t.crfsuite").find(OWN[0].text) == find(OWN[0].text)
