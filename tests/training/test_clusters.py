"""Word clusters: words met beside the same words come together; what is written is read."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from linkmask.detect.lexicon import clusters  # noqa: E402
from training import clusters as made  # noqa: E402

TOWNS = "duluth leeds vienna nantes".split()
ILLS = "asthma gout measles croup".split()


def test_a_word_is_cut_into_the_longest_pieces_that_are_known() -> None:
    vocabulary = {piece: n for n, piece in enumerate("bronch ##itis ##it b ##is".split())}
    assert made.pieces("bronchitis", vocabulary) == [0, 1]
    assert made.pieces("bronchitix", vocabulary) == []


def test_words_between_the_same_words_have_the_same_vector() -> None:
    texts = [
        f"we live in {town} now . he has {ill} again .".split() for town in TOWNS for ill in ILLS
    ]
    counts = Counter(word for text in texts for word in text)
    names, vectors = made.by_neighbours(texts, counts)
    alike = vectors @ vectors.T
    row = {name: k for k, name in enumerate(names)}
    assert alike[row["leeds"], row["vienna"]] > 0.99
    assert alike[row["gout"], row["croup"]] > 0.99
    assert alike[row["leeds"], row["gout"]] < 0.5


def test_a_word_that_was_never_met_takes_its_neighbours_from_words_with_like_pieces() -> None:
    names = ["aa", "ab", "ba", "bb"]
    known = made.unit(np.array([[1, 0.1], [1, 0.0], [0.1, 1], [0.0, 1]]))
    near = np.array([[1.0, 0, 0], [0, 1.0, 0]])
    both = made.joined(names, known, ["aa", "ba"], near, Counter(aa=100, ba=100))
    assert np.array_equal(both[0, 2:], near[0]) and np.array_equal(both[2, 2:], near[1])
    assert both[1, 2] > 0.9 > 0.3 > both[1, 3]


def test_k_means_centres_are_the_means_of_their_points_and_none_is_empty() -> None:
    points = np.random.default_rng(0).normal(size=(60, 2))
    cluster, centres = made.k_means(points, 8, np.ones(60), 50)
    for k in range(8):
        assert np.allclose(points[cluster == k].mean(0), centres[k])
    far = ((points[:, None] - centres) ** 2).sum(2)
    assert np.array_equal(far.argmin(1), cluster)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    found = [np.array([2, 0, 1]), np.array([1, 0, 1]), np.array([0, 0])]
    made.write(["duluth", "gout", "leeds"], found, tmp_path / "c.npz")
    table = clusters.read(tmp_path / "c.npz")
    assert len(table.keys) == 3
    assert sorted(table.names[k] for k in table.clusters) == [
        ("c0=0", "c1=1", "c2=0"),
        ("c0=1", "c1=0", "c2=0"),
        ("c0=2", "c1=1", "c2=0"),
    ]
    again = tmp_path / "again.npz"
    made.write(["duluth", "gout", "leeds"], found, again)
    assert again.read_bytes() == (tmp_path / "c.npz").read_bytes()
