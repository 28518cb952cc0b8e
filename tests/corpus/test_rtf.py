"""RTF files are read whole, and what was read is written as masked Markdown beside."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers import kinds
from linkmask.corpus.readers.rtf import DEEPEST
from linkmask.corpus.readers.source import Kind, Limits
from trap_documents import made

FONTS = rb"""{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}{\f3 D;}}"""


def text_of(body: bytes, head: bytes = rb"\ansi\ansicpg1252\deff0" + FONTS) -> str:
    data = rb"{\rtf1" + head + b"\n" + body + b"}"
    return kinds.read_beside(data, Kind("a.rtf"), Limits([10**6])).fields[0].text.rstrip("\n")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (rb"Ren\'e9e", "Renée"),
        (b"Ren\xe9e", "Renée"),
        (rb"\u8364? 5, \u8364\'80 6, {\uc0\u8364} 7, \uc2\u8364EU 8", "€ 5, € 6, € 7, € 8"),
        (rb"\u-10179?\u-8704?", "\U0001f600"),
        (rb"{\f1\'cf\'e5\'f2\'f0} \'e9", "Петр é"),
        (rb"{\f2\'83\'41\'83A}", "アア"),
        (rb"{\f1 {\footnote \'cf}}", "## Notes\n\nП"),
        (rb"\f1 \'cf\plain \'e9", "Пé"),
        (rb"Jan{\b e} D\i oe\i0", "Jane Doe"),
        (b"Ja\r\nne", "Jane"),
        (rb"Ja\-ne", "Jane"),
        (b"one\\\ntwo\\line three\\column four\\par\nfive", "one\ntwo\nthree\nfour\nfive"),
        (rb"Name\cell Jane\cell\row City\nestcell Ulm\nestcell\nestrow", "Name | Jane\nCity | Ulm"),
        (rb"\{a\}\\b", r"{a}\b"),
        (rb"a{\pict\bin3 {{{}b", "ab"),
        (rb"{\upr{\title x}{\*\ud{\title Jane}}}", "## Properties\n\ntitle: x\ntitle: Jane"),
    ],
)
def test_text_is_read_as_a_person_reads_it(source: bytes, text: str) -> None:
    assert text_of(source) == text


def test_code_pages_of_a_file_count() -> None:
    assert text_of(rb"\'cf", rb"\ansi\ansicpg1251") == "П"
    assert text_of(rb"\'8e", rb"\mac") == "é"
    assert text_of(rb"\'c3\'a9", rb"\ansi\ansicpg65001") == "é"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"Jane Doe", "not an RTF file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "not an RTF file"),
        (rb"{\rtf1 Jane {\b Doe}", "ends within a group"),
        (rb"{\rtf1 Jane\bin99999999 x}", "ends within a group"),
        (rb"{\rtf1 Jane" + b"\\", "ends within a word"),
        (rb"{\rtf1\ansicpg77777 Jane}", "encoding that is not known"),
        (rb"{\rtf1\ansi Jane \'81}", "not in the encoding"),
        (rb"{\rtf1\ansi Jane \u-8704?}", "not in the encoding"),
        (rb"{\rtf1 Jane\uc x}", "damaged"),
        (rb"{\rtf1 Jane\u1200000 x}", "damaged"),
        (rb"{\rtf1{\pict 0000}}", "no text"),
        (rb"{\rtf1" + b"{" * DEEPEST + b"Jane" + b"}" * DEEPEST + b"}", "nested too deeply"),
    ],
)
def test_what_cant_be_read_has_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Flaw, match=reason):
        kinds.read_beside(data, Kind("a.rtf"), Limits([10**6]))


def test_what_is_left_out_is_said() -> None:
    data = rb"{\rtf1 Jane{\pict 00}{\pict 00}{\object{\*\objdata 00}}} Doe"
    source = kinds.read_beside(data, Kind("a.rtf"), Limits([10**6]))
    assert [reason.split(" are ")[0].split(" is ")[0] for reason in source.removed] == [
        "its pictures",
        "its embedded objects",
        "what stands behind its end",
    ]
    assert source.fields[0].text == "Jane\n"


def test_without_the_extra_the_reason_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "striprtf.striprtf", None)
    with pytest.raises(Flaw, match=r"linkmask\[documents\]"):
        text_of(b"Jane")


@pytest.mark.parametrize("name", ["letter.rtf", "letter.rtf.gz"])
def test_the_masked_text_is_written_beside_as_markdown(tmp_path: Path, name: str) -> None:
    """No name and no command of RTF is in what `linkmask mask` writes."""
    lines = rb"Patient: Otto{\b line} Brandvold\par Ottoline Brandvold called.\par"
    data = rb"{\rtf1\ansi{\info{\author Ottoline Brandvold}}" + lines + rb"{\pict 00}}"
    packed = name.endswith(".gz")
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / name).write_bytes(gzip.compress(data) if packed else data)
    result = CliRunner().invoke(main, ["mask", str(folder), "-o", str(out), "--quiet"])
    assert result.exit_code == 2, result.output  # the picture is set aside
    written = out / "documents" / ("letter.rtf.md.gz" if packed else "letter.rtf.md")
    text = (gzip.decompress(written.read_bytes()) if packed else written.read_bytes()).decode()
    assert "Brandvold" not in text and "Ottoline" not in text and "\\" not in text
    assert "called." in text and "## Properties\n\nauthor: " in text
    assert "pictures are not read" in (out / "set-aside.jsonl").read_text()


@pytest.mark.parametrize("media", ["text/rtf", "application/rtf"])
def test_an_attached_file_is_written_as_markdown(media: str) -> None:
    head = f'Content-Type: {media}; name="a.rtf"\r\nContent-Disposition: attachment'
    mail = f"Subject: x\r\n{head}\r\n\r\n".encode() + made("rtf").data
    source = kinds.read(mail, Kind("a.eml"), Limits([10**6]))
    assert any("## Notes" in one.text for one in source.fields), source.removed
    written = source.write()
    assert b"text/markdown" in written and b'"a.rtf.md"' in written and b"\\rtf" not in written
