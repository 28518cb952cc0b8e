"""Documents of several places, masked by the whole command."""

from __future__ import annotations

import gzip
import json
import zipfile
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

import pytest

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.kinds import read as read_source
from linkmask.corpus.readers.source import Kind, Limits
from linkmask.records import Document, SetAside
from trap_documents import FONT, WORD, pdf_of, shown, zipped
from trap_masking import released

NAME, EMAIL, SSN = "Ottoline Brandvold", "o.brandvold@post.example.org", "219-09-9999"
LINES = (f"Patient name: {NAME}", f"E-mail: {EMAIL}", f"SSN: {SSN}")


def text_of(folder: Path, xml: str) -> str:
    (folder / "a.xml").write_text(xml)
    (document,) = read(folder / "a.xml", Settings())
    assert isinstance(document, Document)
    return document.content


def test_elements_of_one_name_that_touch_are_lines_also_beside_text(tmp_path: Path) -> None:
    """They do not run into one another, and a word over elements of other names stays one."""
    lines = "".join(f"<line>{line}</line>" for line in LINES)
    assert text_of(tmp_path, f"<claim>x{lines}</claim>").endswith(f"{EMAIL}\nline: SSN: {SSN}")
    assert text_of(tmp_path, "<p>by Ott<b>o</b><i>line</i> B.</p>").endswith("by Ottoline B.")


def test_the_name_of_a_field_of_a_page_is_no_person_s(tmp_path: Path) -> None:
    """`<meta name="viewport">` is in most pages."""
    page = '<meta name="viewport" content="width=device-width"><p>Patient: Ottoline Brandvold'
    (tmp_path / "a.html").write_text(page)
    assert mask(tmp_path / "a.html", tmp_path / "out") == 0
    written = (tmp_path / "out/documents/a.html").read_text()
    assert written == page.replace("Ottoline Brandvold", "[NAME]")


def test_a_name_in_two_attributes_in_a_row_is_masked_in_each(tmp_path: Path) -> None:
    """The end of one and the beginning of the next are no name in its other order."""
    page = f'<h1>{NAME}</h1><p>{LINES[2]}</p><img alt="{NAME}" title="{NAME} and family">'
    (tmp_path / "a.html").write_text(page)
    assert mask(tmp_path / "a.html", tmp_path / "out") == 0
    written = (tmp_path / "out/documents/a.html").read_text()
    assert written == page.replace(NAME, "[NAME]").replace(SSN, "[NATIONAL_ID]")


@pytest.mark.parametrize("declared", ["<!DOCTYPE html>", '<!doctype html PUBLIC "Roth">'])
def test_the_type_of_a_page_stays_where_its_words_are_masked_elsewhere(
    declared: str, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text(declared + "<p>Doctype html PUBLIC by Roth</p>")
    values = ["(?i:DOCTYPE)", "html", "(?i:PUBLIC)", "Roth"]
    written = released(tmp_path / "a.html", tmp_path / "out", values)["a.html"].decode()
    assert written.partition("<p>")[0] == declared.replace("Roth", "[NAME]")


def test_words_of_every_page_may_be_masked_elsewhere(tmp_path: Path) -> None:
    """A user may be called Lang: pages have an attribute of that name, and keep it."""
    (tmp_path / "in").mkdir()
    page = '<html lang="en"><meta name="author" content="a visit"><p class="x">by Lang</p></html>'
    (tmp_path / "in" / "a.html").write_text(page)
    written = released(tmp_path / "in", tmp_path / "out", ["Lang", "lang", "class", "author"])
    assert written["a.html"].decode() == page.replace("author", "[NAME]").replace("Lang", "[NAME]")


def word(*paragraphs: str) -> bytes:
    """A document of Word, each paragraph in runs that are parted by a bar."""
    body = "".join(
        f"<w:p>{''.join(f'<w:r><w:t>{run}</w:t></w:r>' for run in text.split('|'))}</w:p>"
        for text in paragraphs
    )
    text = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": text})


def mask(source: Path, out: Path, *options: str, quiet: bool = True) -> int:
    """Run the command; return its exit status."""
    with pytest.raises(SystemExit) as done:
        main(["mask", str(source), "-o", str(out), *["--quiet"][:quiet], *options])
    return int(done.value.code or 0)


def test_each_format_is_masked_by_one_command(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.docx").write_bytes(word(LINES[0].replace("line B", "|line |B"), *LINES[1:]))
    (source / "b.html").write_text("<br>".join(LINES).replace("Ottoline", "Otto<b>line</b>"))
    (source / "c.xml").write_text(
        f"<p><name>{NAME}</name><email>{EMAIL}</email><ssn>{SSN}</ssn></p>"
    )
    (source / "d.log.gz").write_bytes(gzip.compress("\n".join(LINES).encode()))
    (source / "e.eml").write_text("Subject: claim\n\n" + "\n".join(LINES))
    (source / "f.yaml").write_text("\n".join(LINES))
    assert mask(source, tmp_path / "out") == 0
    written = tmp_path / "out" / "documents"
    assert sorted(path.name for path in written.iterdir()) == sorted(
        path.name for path in source.iterdir()
    )
    with zipfile.ZipFile(written / "a.docx") as package:
        texts = [package.read("word/document.xml").decode()]
    texts += [gzip.decompress((written / "d.log.gz").read_bytes()).decode()]
    texts += [(written / name).read_text() for name in ("b.html", "c.xml", "e.eml", "f.yaml")]
    for text in texts:
        assert text.count("[NAME]") == 1
        assert not any(value in text for value in ("Brandvold", "Otto", EMAIL, SSN))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.vtt", f"WEBVTT\n\n00:01.000 --> 00:04.000\n<v {NAME}>My SSN is {SSN}.\n"),
        ("a.srt", f"1\n00:00:01,000 --> 00:00:04,000\nThis is {NAME}, SSN {SSN}.\n"),
        ("a.hl7", f"MSH|^~\\&|LAB\rPID|1||7441^^^H^MR||Brandvold^Ottoline||||||||||||||{SSN}\r"),
        ("a.x12", "ISA*00*~NM1*IL*1*Brandvold*Ottoline****MI*W88412345~"),
        ("a.edi", "ISA*00*~NM1*IL*1*Brandvold*Ottoline****MI*W88412345~"),
    ],
)
def test_transcripts_and_messages_of_segments_are_read(
    name: str, text: str, tmp_path: Path
) -> None:
    """As files, and within an archive."""
    (source := tmp_path / "in").mkdir()
    (source / name).write_text(text, newline="")
    (source / "b.zip").write_bytes(zipped({name: text}))
    assert mask(source, tmp_path / "out") == 0
    written = tmp_path / "out" / "documents"
    with zipfile.ZipFile(written / "b.zip") as archive:
        packed = archive.read(name).decode()
    for masked in (packed, (written / name).read_bytes().decode()):
        assert "[NAME]" in masked
        assert not any(value in masked for value in ("Brandvold", "Ottoline", SSN, "W88412345"))


PRINTED = f"De : {NAME} <{EMAIL}>\nÀ : Jan Peeters\nObjet : sinistre\n\nBonjour {NAME}\n"


@pytest.mark.parametrize("before", ["", "Subject: claim\nX-Id: 7\n", "From a@example.org Mon\n"])
def test_a_mail_as_it_was_printed_in_french_is_read(before: str, tmp_path: Path) -> None:
    """Its first line that is no header begins the text, as Python's reader of mail has it."""
    (tmp_path / "a.eml").write_text(before + PRINTED)
    assert mask(tmp_path / "a.eml", tmp_path / "out") == 0
    written = (tmp_path / "out/documents/a.eml").read_text()
    assert written.count("[NAME]") == 3 and "sinistre" in written
    assert not any(value in written for value in (NAME, EMAIL, "Peeters"))


def test_a_line_that_only_some_programs_take_for_a_header_is_set_aside(tmp_path: Path) -> None:
    """They would show the text of what others show as base64."""
    head = "Subject: claim\nContent-Transfer-Encoding : base64\n\n"
    (tmp_path / "a.eml").write_text(head + "T3R0b2xpbmUgQnJhbmR2b2xk\n")
    [found] = read(tmp_path / "a.eml", Settings())
    assert isinstance(found, SetAside)


def test_the_summary_says_by_format_what_became_of_the_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also why most of those set aside were: where the files of a folder are of several kinds."""
    (source := tmp_path / "in").mkdir()
    (source / "a.docx").write_bytes(word(*LINES))
    (source / "b.html").write_text("".join(f"<p>{line}</p>" for line in LINES))
    (source / "c.xml").write_text("<a><b></a>")
    (source / "d.png").write_bytes(b"\x89PNG")
    assert mask(source, tmp_path / "out", quiet=False) == 2
    formats = json.loads((tmp_path / "out" / "summary.json").read_text())["counts"]["formats"]
    assert {kind: (told["released"], told["set_aside"]) for kind, told in formats.items()} == {
        "docx": (1, 0),
        "html": (1, 0),
        "other": (0, 1),
        "xml": (0, 1),
    }
    assert any(
        line.split()[:2] == ["xml", "1"] and "broken XML" in line
        for line in capsys.readouterr().out.splitlines()
    )


def test_a_boundary_that_is_masked_parts_a_mail_as_before(tmp_path: Path) -> None:
    """One in ten of the numbers that programs take for a boundary passes as a card's."""
    mail = EmailMessage()
    mail["Subject"] = "claim"
    mail.set_content("\n".join(LINES))
    mail.add_alternative("<p>" + "<br>".join(LINES) + "</p>", subtype="html")
    mail.set_boundary("===============4242424242424242==")
    (source := tmp_path / "in").mkdir()
    (source / "a.eml").write_bytes(mail.as_bytes())
    assert mask(source, tmp_path / "out") == 0
    written = message_from_bytes((tmp_path / "out" / "documents" / "a.eml").read_bytes())
    assert written.get_boundary() == "===============[CREDIT_CARD]=="
    plain, page = (part.get_payload(decode=True).decode() for part in written.get_payload())
    assert plain.count("[NAME]") == page.count("[NAME]") == 1


def test_boundaries_that_masking_makes_the_same_part_a_mail_as_before(tmp_path: Path) -> None:
    """A text, its page and an attachment are multiparts in one another, each with a number."""
    mail = EmailMessage()
    mail["Subject"] = "claim"
    mail.set_content("\n".join(LINES))
    mail.add_alternative("<p>" + "<br>".join(LINES) + "</p>", subtype="html")
    mail.add_attachment(LINES[0].encode(), maintype="text", subtype="plain", filename="a.txt")
    mail.set_boundary("===============4242424242424242==")
    mail.get_payload(0).set_boundary("===============5555555555554444==")
    (source := tmp_path / "in").mkdir()
    (source / "a.eml").write_bytes(mail.as_bytes())
    assert mask(source, tmp_path / "out") == 0
    written = message_from_bytes((tmp_path / "out" / "documents" / "a.eml").read_bytes())
    parts = [part.get_content_type() for part in written.walk()]
    assert parts == [part.get_content_type() for part in mail.walk()]
    leaves = [part for part in written.walk() if not part.is_multipart()]
    assert all(b"[NAME]" in part.get_payload(decode=True) for part in leaves)
    assert b"4242" not in written.as_bytes() and b"5555" not in written.as_bytes()


def test_words_by_which_a_mail_is_parted_stay_where_they_are_masked_elsewhere(
    tmp_path: Path,
) -> None:
    """They are rare in a corpus of letters; without them, no program finds the parts."""
    mail = EmailMessage()
    mail["Subject"] = "a boundary, by Roth, in an attachment with this filename"
    mail.set_content("from Roth")
    mail.add_attachment(b"Roth", maintype="text", subtype="plain", filename="of Roth.txt")
    mail.set_boundary("Roth")
    for name, line in (("a.eml", b""), ("a.mbox", b"From Roth Mon Jan  1 10:00:00 2024\n")):
        (source := tmp_path / name).write_bytes(line + mail.as_bytes() + b"\n")
        words = ["boundary", "attachment", "filename", "Content-Disposition", "From", "Roth"]
        masked = released(source, tmp_path / f"out-{name}", words)[name]
        (_, part) = message_from_bytes(masked).get_payload()
        assert part.get_filename() == "of [NAME].txt"
        assert part.get_payload(decode=True) == b"[NAME]"
        assert b"Roth" not in masked


def test_words_of_the_format_of_a_mail_are_no_values(tmp_path: Path) -> None:
    """Somebody may be called as an encoding is; masked there, the mail could not be read again."""
    mail = EmailMessage()
    mail["Subject"] = "claim of Anna Printable"
    mail.set_content("Ms. Anna Printable called. Plain, Mixed and Alternative are her lawyers.")
    mail.add_alternative("<p>Ms. Anna Printable, Grüße</p>", subtype="html", cte="quoted-printable")
    (source := tmp_path / "in").mkdir()
    (source / "a.eml").write_bytes(mail.as_bytes())
    named = [{"document": "a", "original_value": word, "normalized_value": word.lower(),
              "entity_type": "NAME", "relevance": 1.0}
             for word in ("Printable", "Plain", "Mixed", "Alternative")]  # fmt: skip
    (tmp_path / "found.jsonl").write_text("\n".join(map(json.dumps, named)))
    out = tmp_path / "out"
    assert mask(source, out, "--mentions", str(tmp_path / "found.jsonl")) == 0
    written = (out / "documents" / "a.eml").read_text()
    assert "Content-Transfer-Encoding: quoted-printable" in written
    assert "multipart/alternative" in written and "text/plain" in written
    assert "Anna Printable" not in written


def page(*texts: tuple[int, int, str]) -> bytes:
    """A PDF file of one page with texts at places."""
    said = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R"
    pages = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
    fonts = "/Resources<</Font<</F1 4 0 R>>>>>>"
    root = "<</Type/Catalog/Pages 2 0 R>>"
    return pdf_of({1: root, 2: pages, 3: said + fonts, 4: FONT, 5: ("<<>>", shown(*texts))})


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", zipped({"word/document.xml": "<a/>", "word/vbaProject.bin": "x"}), "macros"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + b"x" * 600, "encrypted"),
        ("a.docx", zipped({"word/document.xml": b"<a>" + b" " * 9_000_000 + b"</a>"}), "too large"),
        ("a.docx", zipped({"other.xml": "<a/>"}), "text is missing"),
        ("a.xml", b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "entities"),
        ("a.xml", b"<a><b></a>", "broken XML at line 1"),
        ("a.txt.gz", gzip.compress(b" " * 90_000_000, mtime=0), "too large"),
        ("a.gz", gzip.compress(b"\0\1", mtime=0), "of a kind that is not read"),
        ("a.eml", b"Content-Type: multipart/encrypted; boundary=x\n\n--x\n\n--x--\n", "encrypted"),
        ("a.eml", b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\ntext", "breaks off"),
        ("a.pdf", page(), "no page of it holds text"),
        ("a.pdf", b"%PDF-1.7\n" + b"x" * 400, "a damaged PDF file"),
        ("a.pdf", b"text", "not a PDF file"),
        ("a.mbox", b"Subject: none\n\ntext", "not a mailbox"),
    ],
)
def test_what_cannot_be_read_is_set_aside_with_its_reason(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(data)
    (aside,) = read(tmp_path, Settings())
    assert isinstance(aside, SetAside)
    assert reason in aside.reason


def test_lines_of_a_page_are_read_as_they_stand_on_it(tmp_path: Path) -> None:
    """A value stands beside its label, whatever the order in the file."""
    texts = (300, 700, "Jane Roe"), (50, 680, "Town:"), (300, 680, "Ulm"), (50, 700, "Name:")
    (tmp_path / "a.pdf").write_bytes(page(*texts))
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert document.content == "## Page 1\n\nName:  Jane Roe\nTown:  Ulm\n"


def test_columns_of_a_page_are_read_one_after_the_other(tmp_path: Path) -> None:
    side = [f"prose of column {{}} in line {n}" for n in range(9)]
    texts = [(50, 700 - 12 * n, line.format(1)) for n, line in enumerate(side)]
    texts += [(310, 700 - 12 * n, line.format(2)) for n, line in enumerate(side)]
    (tmp_path / "a.pdf").write_bytes(page(*texts))
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    lines = document.content.split("\n")[2:-1]
    assert lines == [line.format(column) for column in (1, 2) for line in side]


def test_a_page_without_text_is_set_aside_and_the_others_are_read(tmp_path: Path) -> None:
    scan = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 6 0 R>>"
    text = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R"
    data = pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R>>",
            2: "<</Type/Pages/Kids[3 0 R 7 0 R]/Count 2>>",
            3: text + "/Resources<</Font<</F1 4 0 R>>>>>>",
            4: FONT,
            5: ("<<>>", shown((50, 700, "text"))),
            6: ("<<>>", b"0 0 100 100 re f"),
            7: scan,
        }
    )
    (tmp_path / "a.pdf").write_bytes(data)
    document, aside = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert isinstance(aside, SetAside)
    assert "page 2: it shows no text" in aside.reason


def test_the_text_of_a_pdf_file_is_written_as_markdown(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    texts = [(50, 700 - 20 * n, line) for n, line in enumerate(LINES)]
    (tmp_path / "in" / "a.pdf").write_bytes(page(*texts))
    assert mask(tmp_path / "in", tmp_path / "out") == 0
    text = (tmp_path / "out" / "documents" / "a.pdf.md").read_text()
    assert text.count("[NAME]") == 1
    assert not any(value in text for value in (NAME, EMAIL, SSN))
    assert list((tmp_path / "out" / "documents").iterdir()) == [
        tmp_path / "out" / "documents" / "a.pdf.md"
    ]
    with pytest.raises(SystemExit) as done:
        main(["verify", str(tmp_path / "out")])
    assert done.value.code in (0, None)


def test_files_in_files_are_bounded() -> None:
    data, name = b"text", "a.txt"
    for _ in range(20):
        data, name = gzip.compress(data), f"{name}.gz"
    with pytest.raises(Flaw, match="more than 12 layers"):
        read_source(data, Kind(name), Limits([1 << 20]))


@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1", "utf-8", "utf-16"])
def test_a_declared_encoding_is_read_and_kept(tmp_path: Path, charset: str) -> None:
    page = f'<meta charset="{charset}"><p>Zoë Müller'
    (tmp_path / "a.html").write_bytes(page.encode(charset))
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert document.content == "Zoë Müller"


@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-15", "ISO_8859-1", "utf-8"])
def test_what_a_document_says_of_its_encoding_is_no_value(tmp_path: Path, charset: str) -> None:
    """A page or mail whose declaration is masked could not be decoded any more."""
    text = "Patient: Ottoline Brandvold, MRN 00482913, déjà opérée.\n"
    heads = {
        "a.html": f'<meta charset="{charset}"><p>',
        "b.html": f'<meta http-equiv="Content-Type" content="text/html; charset={charset}"><p>',
        "c.eml": f'Content-Type: text/plain; charset="{charset}"\n'
        "Content-Transfer-Encoding: 8bit\n\n",
    }
    (tmp_path / "in").mkdir()
    for name, head in heads.items():
        (tmp_path / "in" / name).write_bytes((head + text).encode(charset))
    assert mask(tmp_path / "in", tmp_path / "out") == 0
    for name, head in heads.items():
        written = (tmp_path / "out" / "documents" / name).read_bytes().decode(charset)
        assert written == head + "Patient: [NAME], MRN [PATIENT_ID], déjà opérée.\n"


def test_a_declared_encoding_that_is_none_is_read_as_any_attribute(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p charset="Jane"><meta content="Roe" charset=utf-8>')
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert document.others == {"attributes": "Jane\nRoe"}


def test_a_label_in_one_cell_and_its_value_in_the_next_are_one_line(tmp_path: Path) -> None:
    page = "<table><tr><th><p>Name</p></th><td><p>Jane</p></td></tr><tr><td>Age<td>5</table>"
    (tmp_path / "a.html").write_text(page)
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert document.content == "Name | Jane\nAge | 5"


def test_an_attachment_that_is_left_out_is_listed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    head = "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nPatient name: Jane Roe\n"
    (tmp_path / "in" / "a.eml").write_text(f"{head}--x\nContent-Type: image/png\n\nPIXELS\n--x--\n")
    assert mask(tmp_path / "in", tmp_path / "out") == 2
    text = (tmp_path / "out" / "documents" / "a.eml").read_text()
    assert "PIXELS" not in text
    assert "[NAME]" in text
    (line,) = (tmp_path / "out" / "set-aside.jsonl").read_text().splitlines()
    assert json.loads(line)["reason"].startswith("part 2: of a kind that is not read")
