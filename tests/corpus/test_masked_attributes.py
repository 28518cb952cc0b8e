"""Attributes that became alike by masking part what they parted before."""

import json
from pathlib import Path

from click.testing import CliRunner

from linkmask.cli import main

NAMES = ("Jane Miller", "Otto Brandvold")


def test_verify_finds_no_value_in_two_attributes_that_a_masked_one_parted(tmp_path: Path) -> None:
    """The value "Blue Moon" is masked elsewhere; "blue", a name, "moon" are three attributes."""
    (tmp_path / "in").mkdir()
    page = "".join(f"<i title='{word}'></i>" for word in (NAMES[0], "blue", NAMES[1], "moon"))
    (tmp_path / "in" / "a.html").write_text(f"<p>A page.</p>{page}")
    (tmp_path / "in" / "b.txt").write_text("She lives at Blue Moon.")
    values = [("a", name, "NAME") for name in NAMES] + [("b", "Blue Moon", "ADDRESS")]
    keys = ("document", "original_value", "entity_type", "normalized_value", "relevance")
    rows = [dict(zip(keys, (*one, one[1].lower(), 1.0), strict=True)) for one in values]
    given = tmp_path / "mentions.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--mentions", str(given)])
    assert done.exit_code == 0, done.output
    written = (tmp_path / "out/documents/a.html").read_text()
    assert [part.split("'")[0] for part in written.split("title='")[1:]] == [
        "[NAME]",
        "blue",
        "[NAME]",
        "moon",
    ]
    checked = CliRunner().invoke(main, ["verify", str(tmp_path / "out"), "--json"])
    assert "leftover" not in checked.output, checked.output
