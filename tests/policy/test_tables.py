"""Policies that ship are whole, and a wrong one of a user's own is told at its line."""

from pathlib import Path

import pytest

from linkmask import policy, schema
from linkmask.choices import policy_names
from linkmask.errors import SettingsError

OWN = """name = "house"
title = "House rules"
priority = 4
when = ["NAME"]
claim = "None."

[types.NAME]
sensitivity = "high"
covered = true
technique = "removal"
citation = "§ 1"
reason = "Names go."

[uncovered]
types = ["AGE"]
"""


@pytest.mark.parametrize("name", policy_names())
def test_a_policy_speaks_of_every_type(name: str) -> None:
    """No type of the regulated schema is left for somebody to guess."""
    table = policy.load(name)
    assert {t for t in schema.load("regulated").types if not table.knows(t)} == set()


def test_safe_harbor_names_all_eighteen_identifiers() -> None:
    """The letters (A) to (R) of 45 CFR 164.514(b)(2)(i) are all cited."""
    cited = " ".join(rule.citation for rule in policy.load("hipaa").rules.values() if rule.covered)
    assert [c for c in "ABCDEFGHIJKLMNOPQR" if f"({c})" not in cited] == []


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(OWN)
    return path


def test_a_policy_of_ones_own_is_read(own: Path) -> None:
    """A fourth policy needs one file and nothing else."""
    table = policy.load(str(own))
    assert table.rules["NAME"].technique == "removal"
    assert table.covers("NAME") and table.knows("AGE") and not table.covers("AGE")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (
            'sensitivity = "high"',
            'sensitivity = "grave"',
            8,
            "must be one of critical, high, medium",
        ),
        ('technique = "removal"', 'technique = "erase"', 10, "types.NAME.technique: there is no"),
        ('citation = "§ 1"\n', "", 7, "types.NAME.citation: object missing required"),
        ("covered = true", "covered = 1", 9, "types.NAME.covered: expected 'bool'"),
        ("covered = true", "covered = false", 10, 'must be "keep" where covered = false'),
        ('reason = "Names go."', 'reason = " "', 12, "types.NAME.reason: must not be empty"),
        ("priority = 4", 'priority = "first"', 3, "priority: must be given"),
        ('when = ["NAME"]', "when = 7", 4, "when: must be"),
        ('when = ["NAME"]', 'when = ["NAMES"]', 4, "when: names NAMES, of which the table says"),
        ('claim = "None."', 'claims = "None."', 5, "claims: there is no such key"),
        ("[types.NAME]", "[types.name]", 7, "types.name: a type is written in capitals"),
        ("[uncovered]", "[limits]\ntheta_doc = 2\n[uncovered]", 15, "must be a number in [0, 1]"),
        ("[uncovered]", "[limits]\ntheta = 1\n[uncovered]", 15, "theta_chain, theta_doc"),
        ("types = [", 'type = "A"\ntypes = [', 14, "a list of types, and no more"),
        ('["AGE"]', '["NAME"]', 7, "types.NAME: stands under uncovered as well"),
        ('name = "house"', "name = house", 1, "not valid TOML"),
    ],
)
def test_a_wrong_table_is_told_at_its_line(
    own: Path, old: str, new: str, line: int, said: str
) -> None:
    """The message has the file, the line, the key, and what would be right."""
    own.write_text(OWN.replace(old, new))
    with pytest.raises(SettingsError, match="line") as told:
        policy.load(str(own))
    assert f"line {line}" in str(told.value) and said in str(told.value)


def test_an_unknown_policy_is_told_with_the_known_ones() -> None:
    """A misspelt name is answered with the names there are."""
    with pytest.raises(SettingsError, match="there are: gdpr, hipaa, hipaa-expert, pci"):
        policy.load("gpdr")
