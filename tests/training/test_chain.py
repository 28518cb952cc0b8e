"""What is learned from rows is what the package reads; the same rows give the same weights."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from linkmask.detect.ner import features, model  # noqa: E402
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
    return train.train("names", rows(), common, {}), common


def test_the_package_reads_the_weights_as_they_were_learned(tmp_path: Path) -> None:
    """Also on a name and a place that were never seen: by the words around them."""
    weights, common = learned()
    train.export({"names": weights}, common, {}, tmp_path / "m.npz")
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
        text = [features.BORDER, *of[0].words][k]
        expected = {f"{k}{name}" for name in features.attributes(text)[k]}
        assert {encoded.names[f] for f in seen if f >= 0} == expected & set(encoded.names)


def test_a_share_of_the_words_is_read_as_if_no_gazetteer_listed_them() -> None:
    """By rows: a name is blind in some and not in others, and the other features stay."""
    of, common = rows(), train.vocabulary(rows())
    names = [set(chain.encode(of, common, rare=1, blind=share).names) for share in (0.0, 0.5, 1.0)]
    listed = {name for name in names[0] if name.startswith(features.GAZETTEER, 1)}
    assert listed and names[1] & listed
    assert names[2] == names[0] - listed
    half = [chain.is_blind("Holt", seed, 0.5) for seed in range(1000)]
    assert 400 < sum(half) < 600


def test_only_families_with_names_see_the_gazetteer() -> None:
    seeing = {one for one in data.FAMILIES if features.GAZETTEER not in train.not_seen(one)}
    assert seeing == {"names", "parties", "names-es-it-nl-pt"}


def test_weights_are_drawn_towards_those_learned_before() -> None:
    """With no row that moves them they stay; what only the first rows showed is kept, too."""
    before, common = learned()
    row = data.Row("Nobody lives here now .".split(), [""] * 5, 0)
    encoded = chain.encode([row], common, rare=1)
    after = chain.learn(encoded, [[0] * 5], 5, before=before)
    assert set(before.names) <= set(after.names)
    kept = {name: at for at, name in enumerate(after.names)}
    for at, name in enumerate(before.names):
        if name not in encoded.names:
            assert np.array_equal(after.state[kept[name]], before.state[at])
    assert np.abs(after.transitions - before.transitions).max() < 0.5


def test_what_ships_is_learned_from_all_and_what_is_in_no_fold_is_in_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Our own templates are in no fold."""
    rows = [data.Row(["a"], [""], fold) for fold in (-1, 0, 1)]
    monkeypatch.setattr(data, "rows", lambda family: iter(rows))
    assert train.read(None)["names"] == rows
    assert train.read(0)["names"] == [rows[0], rows[2]]


def test_labels_begin_at_a_share_of_those_they_are_like_and_others_at_none() -> None:
    before = chain.Learned(["0w=a"], np.array([[1.0, 2.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]))
    other = before.spread(0.5, [0, 1, -1, 1])
    assert other.state.tolist() == [[0.5, 1.0, 0.0, 1.0]]
    assert other.transitions.tolist() == [
        [0.5, 1.0, 0.0, 1.0],
        [1.5, 2.0, 0.0, 2.0],
        [0.0, 0.0, 0.0, 0.0],
        [1.5, 2.0, 0.0, 2.0],
    ]


def report(tmp_path: Path) -> model.Model:
    """Return a model that has learned to take "rash" for a condition in case reports alone."""
    text = "He has rash today .".split()
    taken = [data.Row(text, ["", "", "SIGN", "", ""], 0)] * 4
    plain = [data.Row(text, [""] * 5, 0)] * 4
    common = train.vocabulary(taken)
    families = {"clinical": train.train("clinical", plain, common, {})}
    families["report"] = train.train("report", taken, common, families)
    train.export(families, common, {"report": {"biopsy": 3.0}}, tmp_path / "m.npz")
    return model.Model(tmp_path / "m.npz")


def test_case_reports_are_known_by_their_words_and_read_apart(tmp_path: Path) -> None:
    """Also where one is read together with other texts."""
    seen = report(tmp_path)
    usual = "He has rash today .".split()
    telling = [*usual, *["biopsy"] * 10]
    assert seen.tag(usual) == []
    assert [span[:3] for span in seen.tag(telling)] == [(2, 3, "SIGN")]
    together, border = [usual, telling, [], usual], ["\n"] * 2
    split = [*border, *(word for text in together for word in (*text, *border))]
    assert [len(spans) for spans in seen.read(split, list(map(len, together)))] == [0, 1, 0, 0]


def test_few_telling_words_in_a_long_text_make_no_case_report(tmp_path: Path) -> None:
    """27 in all is enough for 20 words, not for 300."""
    seen = report(tmp_path)
    text = ["He", "has", "rash", "today", ".", *["biopsy"] * 9]
    assert len(seen.tag([*text, *["today"] * 6])) == 1
    assert seen.tag([*text, *["today"] * 286]) == []


def test_features_that_a_family_is_not_to_see_are_left_out() -> None:
    row = data.Row(["a", "new", "shunt"], ["", "", ""], 0)
    names = chain.encode([row], {}, rare=1).names
    left = chain.encode([row], {}, rare=1, without="m=").names
    assert {name for name in names if name[1:3] == "m="} == set(names) - set(left) != set()
