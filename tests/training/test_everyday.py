"""How often words are said in general is counted over unlike texts."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from training import everyday


def test_a_word_counts_by_its_mean_share_of_a_million_and_only_if_two_of_three_sets_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half the words of one set and a quarter of another: a quarter in the mean of three."""
    texts = {"one": "pain " * 4 + "knee " * 4, "two": "pain " * 4 + "hip " * 12, "three": "x"}
    for name, text in texts.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"text": text}), encoding="utf-8")
    table = tmp_path / "everyday.toml"
    monkeypatch.setattr(everyday, "DATA", tmp_path)
    monkeypatch.setattr(everyday, "FILE", table)
    monkeypatch.setattr(everyday, "SETS", {"en": tuple(texts)})
    assert everyday.frequencies("en") == {"pain": pytest.approx(250_000)}
    everyday.main()
    assert table.read_text(encoding="utf-8").splitlines()[-2:] == ["[en]", '"5.4" = "pain"']
