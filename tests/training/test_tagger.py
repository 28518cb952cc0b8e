"""The tagger that reads masked texts never learned from the document it reads."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import data, tagger, texts  # noqa: E402 - read from the checkout

OWN = texts.read(ROOT / "examples" / "bilingual" / "fr.txt")


def test_a_fold_is_read_by_a_tagger_of_the_others() -> None:
    for one in OWN:
        assert one not in tagger.outside(OWN, data.fold_of(one.id))
    left_out = [len(OWN) - len(tagger.outside(OWN, fold)) for fold in range(data.FOLDS)]
    assert sum(left_out) == len(OWN) and max(left_out) < len(OWN) / 2


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
