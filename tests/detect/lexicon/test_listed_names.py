"""A gazetteer of names without the names tells how common a word is as a name."""

from pathlib import Path

import pytest

from linkmask.detect import lexicon
from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import listed_names
from linkmask.detect.lexicon.listed_names import COMMON, RARE, USUAL, ListedName


def test_common_names_everyday_words_and_unknown_words_are_told_apart() -> None:
    """The steps are by how many bear a name; "summer" is a name and a word."""
    mary, summer = listed_names.listed("mary"), listed_names.listed("summer")
    assert (mary.given, mary.everyday) == (COMMON, False)
    assert (summer.given, summer.everyday) == (COMMON, True)
    assert listed_names.listed("kunigunde").given == USUAL
    assert [listed_names.listed(word).word for word in ("regalo", "factuur", "anneke")] == [
        COMMON, USUAL, 0,
    ]  # fmt: skip
    assert listed_names.listed("qqxzvb") == ListedName(0, 0, False, False, 0)


def test_a_table_gives_back_the_facts_that_were_written(tmp_path: Path) -> None:
    """Each number keeps its byte; a table with too wide gaps is refused."""
    numbers = range(7, 1 << 20, 60_000)
    facts = {number: place % 256 for place, number in enumerate(numbers)}
    listed_names.write(tmp_path / "t.npz", facts)
    table = listed_names.read(tmp_path / "t.npz")
    assert dict(zip(table.numbers, table.facts, strict=True)) == facts
    with pytest.raises(ValueError, match="too few names"):
        listed_names.write(tmp_path / "t.npz", {1: RARE, 1 << 20: RARE})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hier soir, Kunigunde Haverkamp a appelé.", ["Kunigunde Haverkamp"]),
        ("Dann kam Wilfriede und ging.", ["Wilfriede"]),
        ("The letter was for Kunigunde.", ["Kunigunde"]),
        ("They live in 12 Wilfriede 4, top floor.", []),
        ("They live in Whitby YO21 3ZZ.", []),
        ("A Peregrine sat on the church.", []),
    ],
)
def test_a_given_name_that_only_the_gazetteer_has_is_a_name_alone_and_before_a_surname(
    text: str, names: list[str]
) -> None:
    """Everyday words are none, and neither is a word beside a number, as in an address."""
    found = lexicon.find(text, Scope("en"))
    assert [text[one.start : one.end] for one in found if one.type == "NAME"] == names
