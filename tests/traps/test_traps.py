"""Documents with a planted value in every place that can hold text: none is missed, none is left.

The values are masked by hand, so that these tests are about readers and writers alone. What was
written is then looked through by extractors that know nothing of linkmask.
"""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
import zlib
from pathlib import Path

import pytest

from linkmask.corpus import read
from linkmask.records import Document, SetAside
from mutations import mutate, mutate_within
from trap_documents import TRAPS, Trap, made
from trap_extractors import readable
from trap_masking import SETTINGS, released

CUTS = 60
"""Places at which each document is broken off, and mutations of it."""


@pytest.fixture(params=TRAPS)
def trap(request: pytest.FixtureRequest) -> Trap:
    return made(request.param)


def parts(data: bytes) -> dict[str, str]:
    """Return what a file holds: the parts of a package, else the one text."""
    try:
        if data[:2] == b"\x1f\x8b":
            return {"": gzip.decompress(data).decode("utf-8", "replace")}
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            held = {name: package.read(name) for name in package.namelist()}
        return {
            name: (gzip.decompress(part) if name.endswith(".gz") else part).decode(
                "utf-8", "replace"
            )
            for name, part in held.items()
        }
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error):
        return {"": data.decode("utf-8", "replace")}


def test_each_planted_value_is_in_exactly_one_field(trap: Trap, tmp_path: Path) -> None:
    (tmp_path / trap.name).write_bytes(trap.data)
    items = list(read(tmp_path, SETTINGS))
    texts = [text for one in items if isinstance(one, Document) for _, text in one.every_field()]
    found = {place: sum(value in text for text in texts) for place, value in trap.planted.items()}
    assert found == {place: int(place not in trap.unread) for place in trap.planted}
    reasons = [one.reason for one in items if isinstance(one, SetAside)]
    assert bool(reasons) == bool(trap.unread), reasons


def test_no_planted_value_is_readable_after_masking(trap: Trap, tmp_path: Path) -> None:
    values = list(trap.planted.values())
    assert all(value in readable(trap.name, trap.data) for value in values), "a blind extractor"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / trap.name).write_bytes(trap.data)
    written = released(tmp_path / "in", tmp_path / "out", values)
    assert list(written) == [trap.written], "set aside"
    text = readable(trap.written, written[trap.written])
    left = {place: value for place, value in trap.planted.items() if value in text}
    assert not left
    assert trap.unread or text.count("[NAME]") >= len(values)


def test_what_holds_nothing_to_mask_keeps_its_bytes(trap: Trap, tmp_path: Path) -> None:
    other = trap.written != trap.name or b"application/pdf" in trap.data
    if trap.unread or other or trap.data[:2] in (b"PK", b"\x1f\x8b"):
        pytest.skip("parts of it are left out or written otherwise, or it is packed anew")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / trap.name).write_bytes(trap.data)
    written = released(tmp_path / "in", tmp_path / "out", [])
    assert written[trap.written] == trap.data


def test_only_masked_characters_differ(trap: Trap, tmp_path: Path) -> None:
    """Formatting, markup and encodings stay: without values and masks, both are the same."""
    if trap.name.endswith((".eml", ".pdf", ".rtf")):
        pytest.skip("its parts are encoded, or its text is written as Markdown")
    values = list(trap.planted.values())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / trap.name).write_bytes(trap.data)
    written = released(tmp_path / "in", tmp_path / "out", values)[trap.written]
    halves = [half for value in values for half in (value, value[1:], value[:4], value[4:])]
    marks = [r"\[NAME\]", "&#90;", r"\\u005a"]
    gone = re.compile("|".join([*sorted(halves, key=len, reverse=True), *marks]))
    both = (
        ["".join(gone.sub("", p).split()) for n, p in parts(data).items() if not n.endswith(".png")]
        for data in (trap.data, written)
    )
    for before, after in zip(*both, strict=True):
        assert before == after


def test_a_broken_document_lets_no_planted_value_through(trap: Trap, tmp_path: Path) -> None:
    """Cut off or mutated, it is masked as far as it can be read, or it is set aside.

    Only values that stand whole in its bytes are counted: what was `<b>` may be text by now.
    """
    values = list(trap.planted.values())
    rng = random.Random(trap.name)
    (tmp_path / "in").mkdir()
    stem, ending = trap.name.split(".", 1)
    for number in range(CUTS):
        data = trap.data
        if number % 3 == 1:
            data = data[: rng.randrange(len(data))]
        else:
            data = (mutate_within if number % 3 else mutate)(data, rng)[1]
        (tmp_path / "in" / f"{stem}{number}.{ending}").write_bytes(data)
    (tmp_path / "in" / "good.txt").write_text("nothing")
    for item in read(tmp_path / "in", SETTINGS):
        assert isinstance(item, Document) or "broken: it can't be read on" not in item.reason
    written = released(tmp_path / "in", tmp_path / "out", values)
    for name, data in written.items():
        text = readable(name, data)
        source = tmp_path / "in" / (name.removesuffix(".md") if trap.name != trap.written else name)
        before = "".join(parts(source.read_bytes()).values())
        whole = {place: value for place, value in trap.planted.items() if value in before}
        assert not {place for place, value in whole.items() if value in text}, name
