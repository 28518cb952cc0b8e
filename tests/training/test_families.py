"""Families that are learned anew are put into the shipped model beside the others."""

from pathlib import Path

import numpy as np

from linkmask.detect.ner import features
from linkmask.detect.ner.model import FILE, Model
from training import chain, data, families

ENGLISH = "Dear Ms Ottoline Brandvold, your claim for metformin of 2 May 2023 was paid in Duluth."
MADE_UP = "zorbel Quindrat mevlo."


def weights(family: str, names: list[str]) -> chain.Learned:
    """Return weights that take every word with one of these features for the first label."""
    size = len(data.FAMILIES[family]) + 1
    state = np.zeros((len(names), size), np.float32)
    state[:, 1] = 4.0
    return chain.Learned(names, state, np.zeros((size, size)))


def by_name(stored: families.Stored) -> dict[str, dict[str, list[int]]]:
    """Return the weights of each family, as numbers of units, by the names of features."""
    found = {}
    for family, one in stored.learned().items():
        whole = np.round(one.state / stored.meta["unit"]).astype(int)
        seen = np.flatnonzero(whole.any(1))
        found[family] = {one.names[row]: whole[row].tolist() for row in seen}
    return found


def test_a_family_learned_anew_changes_no_weight_of_another(tmp_path: Path) -> None:
    """English is tagged as before, and a text of the new kind by the families that were put in."""
    stored, before = families.Stored(FILE), by_name(families.Stored(FILE))
    combination = stored.combination(int(stored.arrays["keys"][0]))
    word = next(name for name in features.attributes("Quindrat")[2] if "quindrat" in name)
    learned = {family: weights(family, [f"2{word}", combination]) for family in data.OF_LOCALES}
    families.put(stored, learned)
    stored.meta["manners"][-1]["words"] = {"zorbel": 3.0, "mevlo": 3.0}
    families.write(stored, tmp_path / "model.npz")
    made = by_name(families.Stored(tmp_path / "model.npz"))
    for family in data.FAMILIES.keys() - learned:
        assert made[family] == before[family]
    for family in learned:
        assert made[family].keys() == {f"2{word}", combination}
    added, shipped = Model(tmp_path / "model.npz"), Model()
    split = features.split(ENGLISH)[0]
    assert added.tag(split) == shipped.tag(split) != []
    found = added.tag(features.split(MADE_UP)[0])
    labels = {label for first, after, label, _ in found if first <= 1 < after}
    assert labels >= {"NAME", "MEDICAL_CONDITION"}


def test_the_name_of_a_combination_is_read_from_its_key() -> None:
    """Every key of the shipped file has the name that training gives it."""
    stored = families.Stored(FILE)
    names = [stored.combination(key) for key in stored.arrays["keys"][:500].tolist()]
    shorts = {short: len(offsets) for short, _, offsets in features.COMBINED}
    assert all(name.count("\t") == shorts[name.partition("\t")[0]] for name in names)
    assert len(set(names)) == len(names)
