"""Descriptions of software are read as texts without values, but for lines that may hold some."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks import domains  # noqa: E402
from training import negatives  # noqa: E402

DESCRIPTION = """Metadata-Version: 2.1
Name: kestrelcache

Kestrelcache keeps what a program computed, on disk or in memory.

Install it with the usual installer of packages for Python.
Kestrelcache was written by someone else a long time ago.
* Ottoline Brandvold
The office of the project is in Düsseldorf, next to a bakery.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of fetched packages, empty; digests of lines are kept there, too."""
    monkeypatch.setattr(negatives, "FOLDER", tmp_path)
    monkeypatch.setattr(negatives, "LEFT_OUT", tmp_path / "left_out.txt")
    negatives._searched.cache_clear()
    yield tmp_path
    negatives._searched.cache_clear()


def fetched(folder: Path) -> None:
    """Put a package with a description into the folder."""
    with ZipFile(folder / "kestrelcache-1.0-py3-none-any.whl", "w") as stored:
        stored.writestr("kestrelcache-1.0.dist-info/METADATA", DESCRIPTION)


def test_lines_that_name_people_or_values_are_left_out(folder: Path) -> None:
    fetched(folder)
    negatives.mark()
    said = "".join(text for _, text in negatives.read())
    assert "keeps what a program computed" in said
    assert "packages for Python" in said
    assert not any(name in said for name in ("someone else", "Ottoline", "Düsseldorf"))


def test_the_same_lines_are_read_after_a_recognizer_has_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched(folder)
    negatives.mark()
    monkeypatch.setattr(negatives, "_may_hold_value", lambda line: "Kestrel" in line)
    said = "".join(text for _, text in negatives.read())
    assert "Kestrelcache keeps" in said and "Ottoline" not in said


def test_a_changed_list_of_packages_is_not_read_by_the_digests_of_another(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched(folder)
    negatives.mark()
    (folder / "packages.txt").write_text("another==1.0", encoding="utf-8")
    monkeypatch.setattr(negatives, "PACKAGES", folder / "packages.txt")
    with pytest.raises(SystemExit, match="--mark"):
        list(negatives.read())


def test_the_digests_are_of_todays_list_of_packages() -> None:
    assert len(negatives.left_out()) > 1000


@pytest.mark.usefixtures("folder")
def test_without_the_packages_nothing_is_learned() -> None:
    with pytest.raises(SystemExit, match="make negatives"):
        list(negatives.read())


def test_no_package_is_both_learned_from_and_measured() -> None:
    listed = {
        line.partition("==")[0]
        for line in (ROOT / "requirements" / "negatives.txt").read_text("utf-8").splitlines()
        if "==" in line
    }
    measured = {one.id.removeprefix("installed-").lower() for one in domains.installed(1000)}
    assert listed
    assert listed.isdisjoint(name.replace("_", "-").replace(".", "-") for name in measured)


def test_every_package_is_pinned_by_its_hash_under_its_licence() -> None:
    """Each entry has three lines; anything else, `make negatives` would refuse."""
    lines = (ROOT / "requirements" / "negatives.txt").read_text("utf-8").splitlines()[2:]
    for licence, pin, digest in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        assert licence.startswith("# ")
        assert re.fullmatch(r"[a-z0-9.-]+==\S+ \\", pin)
        assert re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}", digest)
