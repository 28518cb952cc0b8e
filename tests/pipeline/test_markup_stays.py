"""What is generalized in markup stays in its element."""

from pathlib import Path

from commandline import linkmask


def test_a_coarser_date_stays_in_its_element(tmp_path: Path) -> None:
    """Else the element would be empty; running text has the preposition of a month."""
    (tmp_path / "in").mkdir()
    told = "Patient Marie Brandvold was seen on {} and went home."
    (tmp_path / "in" / "a.xml").write_text(
        f"<visit>{told.format('<date>12 July 2024</date>')}</visit>"
    )
    (tmp_path / "in" / "b.txt").write_text(told.format("12 July 2024"))
    done = linkmask("mask", tmp_path / "in", "--workers", 1, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    documents = tmp_path / "out" / "documents"
    assert "on <date>July 2024</date> and" in (documents / "a.xml").read_text()
    assert "in July 2024 and" in (documents / "b.txt").read_text()
