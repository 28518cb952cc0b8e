"""What is learned from rows is what the package reads; the same rows give the same weights."""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from linkmask.detect.ner import model, words  # noqa: E402
from training import chain, data, train  # noqa: E402

NAMES = "Ruiz Brandvold Krumholtz Tanaka Oyelaran Sarrazac Holt Voss".split()
PLACES = "Duluth Leeds Vienna Nantes Graz Chur Lyon Turin".split()


def rows() -> list[data.Row]:
    made = []
    for k, name in enumerate(NAMES):
        place = PLACES[-k]
        made.append((f"Mrs {name} lives in {place} .", ["", "NAME", "", "", "LOCATION", ""]))
        made.append((f"In {place} we met Mrs {name} .", ["", "LOCATION", "", "", "", "NAME", ""]))
        made.append(("Nobody lives here now .", [""] * 5))
    return [data.Row(text.split(), labels, 0) for text, labels in made]


def learned() -> tuple[chain.Learned, dict[str, int]]:
    common = train.vocabulary(rows())
    return train.train("names", rows(), common), common


def test_the_package_reads_the_weights_as_they_were_learned(tmp_path: Path) -> None:
    """Also on a name and a place that were never seen: by the words around them."""
    weights, common = learned()
    train.export({"names": weights}, common, tmp_path / "m.npz")
    seen = model.Model(tmp_path / "m.npz")
    text = "In Bregenz we met Mrs Achammer .".split()
    assert [span[:3] for span in seen.tag(text)] == [(1, 2, "LOCATION"), (5, 6, "NAME")]
    for row in rows():
        labels = [""] * len(row.words)
        for i, j, label, _ in seen.tag(row.words):
            labels[i:j] = [label] * (j - i)
        assert labels == row.labels


def test_the_same_rows_give_the_same_weights() -> None:
    one, other = learned()[0], learned()[0]
    assert one.names == other.names
    assert np.array_equal(one.state, other.state)
    assert np.array_equal(one.transitions, other.transitions)


def test_a_row_is_seen_as_the_package_sees_a_word() -> None:
    """From each offset the features are those of `words.attributes`, rare ones left out."""
    of = rows()
    encoded = chain.encode(of, train.vocabulary(of))
    start = encoded.starts[0]
    for k in range(5):
        word = encoded.number[start + 1 + k - 2]
        at = 5 * word + k
        seen = encoded.seen[encoded.pointers[at] : encoded.pointers[at + 1]]
        text = [words.BORDER, *of[0].words][k]
        expected = {f"{k}{name}" for name in words.attributes(text)[k]}
        assert {encoded.names[f] for f in seen if f >= 0} == expected & set(encoded.names)
