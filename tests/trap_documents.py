"""Documents made by code, each place of which that can hold text holds a value of its own."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from string import ascii_lowercase


@dataclass
class Trap:
    """A document: its file name, its bytes, and the value planted in each place.

    `unread` are the places that can't be read: each is set aside, and left out of what is written.
    `written` is the name of what is written.
    """

    name: str
    data: bytes = b""
    planted: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    written: str = ""

    def plant(self, place: str) -> str:
        """Return a new value for a place."""
        first, second = divmod(len(self.planted), 26)
        value = f"Zorvek{ascii_lowercase[first]}{ascii_lowercase[second]}ov"
        assert place not in self.planted
        self.planted[place] = value
        return value

    def broken(self, place: str, mark: str) -> str:
        """Return a new value with a mark in the middle of the word."""
        value = self.plant(place)
        return f"{value[:4]}{mark}{value[4:]}"


def html(trap: Trap) -> None:
    """A page with everything in it that a page may hold."""
    p, b = trap.plant, trap.broken
    entity = p("reference")
    page = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{p("title")}</title>
<meta name="author" content="{p("meta")}"><link rel="next" href="/{p("link")}.html">
<style>p::after {{ content: "{p("style")}" }}</style>
<script type="application/ld+json">{{"name": "{p("json-ld")}",
"x": "\\u005a{p("escape")[1:]}"}}</script>
<script>var user = '{p("script")}';</script></head>
<body data-owner="{p("data attribute")}" class={p("bare")} onclick="f('{p("event")}')">
<nav>{p("nav")}</nav><p>Name: {b("inline tags", "<b><i>")}</i></b> and
&#{ord(entity[0])};{entity[1:]}
<p>{b("line break tag", "<wbr>")} {b("comment in a word", "<!-- -->")}
<table><tr><th>Name</th><td>{p("cell")}</td></tr></table><!-- {p("comment")} -->
<img alt='{p("alt")}' title="{p("tooltip")}" src="{p("source")}.png">
<a href="mailto:{p("mailto")}@x.example">write</a><span hidden>{p("hidden")}</span>
<span style="display:none">{p("unseen")}</span><noscript>{p("noscript")}</noscript>
<form><label>Name <input name="n" value="{p("input")}"></label>
<input type=hidden value="{p("field")}">
<textarea> {p("textarea")} </textarea>
<select><option value="{p("option value")}">{p("option")}</select>
<template>{p("template")}</template><svg><text>{p("svg")}</text></svg><![CDATA[{p("cdata")}]]>
<?php {p("instruction")} ?></form></body></html> {p("after the end")} <a title="{p("unclosed")}
"""
    trap.data = page.encode()


def eml(trap: Trap) -> None:
    """A message with parts of every kind, within one another."""
    p = trap.plant
    mail = EmailMessage()
    mail["From"] = f"Zoë {p('encoded word')} <{p('address')}@x.example>"
    mail["Subject"] = f"{'long ' * 20}{p('folded subject')}"
    mail["X-Note"] = p("other header")
    mail["Message-ID"] = f"<{p('message id')}@x.example>"
    mail.set_content(f"Name: {p('plain')}\n")
    page = f"<p>{trap.broken('alternative', '<b>')}</b> é<img alt='{p('alternative alt')}'></p>"
    mail.add_alternative(page, subtype="html", cte="quoted-printable")
    inner = EmailMessage()
    inner["Subject"] = p("inner subject")
    inner.set_content(p("inner body"))
    inner.add_attachment(f"{p('inner attachment')}\n", filename=f"{p('inner file name')}.txt")
    mail.add_attachment(inner)
    mail.add_attachment(f"{p('base64 text')}\n", cte="base64", filename=f"é{p('file name')}.log")
    mail.add_attachment(f"<p title='{p('page title')}'>{p('page')}", subtype="html")
    mail.add_attachment(f"SUMMARY:{p('calendar')}\n", subtype="calendar")
    mail.preamble, mail.epilogue = p("preamble"), p("epilogue")
    trap.data = mail.as_bytes()


def files(trap: Trap) -> None:
    """A message with a PDF file and an archive attached, which are read by their own readers."""
    p = trap.plant
    mail = EmailMessage()
    mail["Subject"] = p("subject")
    mail.set_content(p("body"))
    page = page_of((50, 700, p("line of a PDF file")))
    name = f"{p('name of a PDF file')}.pdf"
    mail.add_attachment(page, maintype="application", subtype="pdf", filename=name)
    held = zipped({f"{p('name in an archive')}.txt": p("text in an archive")})
    name = f"{p('name of an archive')}.zip"
    mail.add_attachment(held, maintype="application", subtype="zip", filename=name)
    trap.data = mail.as_bytes()


def picture(trap: Trap) -> None:
    """A message with a picture, which can't be read."""
    mail = EmailMessage()
    mail["Subject"] = trap.plant("subject")
    mail.set_content(trap.plant("body"))
    name = f"{trap.plant('file name')}.png"
    pixels = b"\x89PNG\r\n" + trap.plant("picture").encode()
    mail.add_attachment(pixels, maintype="image", subtype="png", filename=name)
    trap.data = mail.as_bytes()


def mbox(trap: Trap) -> None:
    """A mailbox of two messages."""
    for number in range(2):
        mail = EmailMessage()
        mail["Subject"] = trap.plant(f"subject {number}")
        mail.set_content(f"{trap.plant(f'body {number}')}\n>From here\n")
        line = f"From {trap.plant(f'envelope {number}')}@x.example Thu Jan  1 00:00:00 2026\n"
        trap.data += line.encode() + mail.as_bytes() + b"\n"


def xml(trap: Trap) -> None:
    """A record in XML."""
    p, b = trap.plant, trap.broken
    trap.data = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- {p("comment")} --><r:record xmlns:r="urn:x" owner="{p("attribute")}"
also="a&amp;{p("second")}">
<firstName>{p("leaf")}</firstName><note>about <b>{b("mixed", "<i>")}</i></b> and {p("tail")}</note>
<raw><![CDATA[<{p("cdata")}>]]></raw><family value="{p("value")}"/><n>&#90;{p("reference")[1:]}</n>
<?note {p("instruction")}?></r:record>
""".encode()


def yaml(trap: Trap) -> None:
    """Settings in YAML."""
    p = trap.plant
    trap.data = f"""# {p("comment")}
name: {p("plain")}
also: "{p("quoted")} and \\u005a{p("escaped")[1:]}"
folded: >
  {p("folded")}
list: [{p("flow")}, 'x {p("single")}']
""".encode()


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"


WORD_PACKAGE: dict[str, str | bytes] = {
    "[Content_Types].xml": f"""<Types xmlns="{TYPES}"><Default Extension="rels"
ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml"
ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>""",
    "_rels/.rels": f"""<Relationships xmlns="{RELATIONS}"><Relationship Id="rId1"
Type="{OFFICE}/relationships/officeDocument" Target="word/document.xml"/></Relationships>""",
}
"""The parts of a document of Word that name its text."""


def zipped(parts: dict[str, str | bytes], comment: str = "") -> bytes:
    """Return a ZIP file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.comment = comment.encode()
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def _word(root: str, body: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} xmlns:w="{WORD}">{body}</w:{root}>'


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def docx(trap: Trap) -> None:
    """A document of Word with everything that holds text."""
    p = trap.plant
    bold = "</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>"
    by = f'w:author="{p("author of a change")}" w:id="1" w:date="2026-01-01T00:00:00Z"'
    cells = "".join(
        f"<w:tc><w:p>{_run(text)}</w:p></w:tc>" for text in ("Name", p("cell"), p("second cell"))
    )
    body = f"""<w:p w:rsidR="00A1B2C3">{_run("about " + trap.broken("two runs", bold))}</w:p>
<w:p>{_run("Name:")}<w:r><w:tab/></w:r>{_run(p("after a tabulator"))}</w:p>
<w:tbl><w:tr>{cells}</w:tr></w:tbl>
<w:p><w:ins {by}>{_run(p("insertion"))}</w:ins>
<w:del {by}><w:r><w:delText>{p("deletion")}</w:delText></w:r></w:del>
<w:moveFrom {by}>{_run(p("moved"))}</w:moveFrom></w:p>
<w:p><w:r><w:instrText> HYPERLINK "mailto:{p("field code")}@x.example" </w:instrText></w:r>
<w:hyperlink r:id="rId9" xmlns:r="{OFFICE}/relationships"
w:tooltip="{p("tooltip")}">{_run(p("link"))}
</w:hyperlink></w:p><w:sdt><w:sdtPr><w:alias w:val="{p("control name")}"/></w:sdtPr>
<w:sdtContent><w:p>{_run(p("control"))}</w:p></w:sdtContent></w:sdt>
<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="{p("alt")}"><v:textbox>
<w:txbxContent><w:p>{_run(p("text box"))}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>
</w:p><!-- {p("comment in XML")} -->"""
    note = f"<w:footnote w:id='2'><w:p>{_run(p('footnote'))}</w:p></w:footnote>"
    said = "<w:comment w:id='1'"
    said += f" w:author='{p('commenter')}'><w:p>{_run(p('comment'))}</w:p></w:comment>"
    core = f"""<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:creator>{p("creator")}</dc:creator><dc:title>{p("title")}</dc:title></cp:coreProperties>"""
    relation = f"""<Relationships xmlns="{RELATIONS}"><Relationship Id="rId9"
Type="{OFFICE}/relationships/hyperlink" Target="http://x.example/{p("target")}"
TargetMode="External"/>
</Relationships>"""
    custom = f'<Properties xmlns="urn:x"><property name="{p("property")}">'
    trap.data = zipped(
        {
            **WORD_PACKAGE,
            "word/document.xml": _word("document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": relation,
            "word/header1.xml": _word("hdr", f"<w:p>{_run(p('header'))}</w:p>"),
            "word/footer1.xml": _word("ftr", f"<w:p>{_run(p('footer'))}</w:p>"),
            "word/footnotes.xml": _word("footnotes", note),
            "word/endnotes.xml": _word(
                "endnotes", note.replace(*_other(trap, "footnote", "endnote"))
            ),
            "word/comments.xml": _word("comments", said),
            "word/media/image1.png": b"\x89PNG\r\n" + p("picture").encode(),
            "docProps/core.xml": core,
            "docProps/custom.xml": f"{custom}<v>{p('property value')}</v></property></Properties>",
            "customXml/item1.xml": f"<case><who>{p('custom XML')}</who></case>",
        },
        p("comment of the package"),
    )


def _other(trap: Trap, place: str, new: str) -> tuple[str, str]:
    return trap.planted[place], trap.plant(new)


def odt(trap: Trap) -> None:
    """A document of LibreOffice."""
    p = trap.plant
    own = ("office", "text", "table", "style", "meta")
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in own)
    spaces += f' xmlns:draw="{OASIS}:drawing:1.0"'
    spaces += ' xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3"'
    spaces += ' xmlns:xlink="http://www.w3.org/1999/xlink"'
    media = "application/vnd.oasis.opendocument.text"
    entry = f'<m:file-entry m:full-path="/" m:media-type="{media}"/>'
    for name in ("content", "styles", "meta"):
        entry += f'<m:file-entry m:full-path="{name}.xml" m:media-type="text/xml"/>'
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    content = f"""<office:document-content {spaces}><office:body><office:text>
<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info>
<dc:creator>{p("author of a change")}</dc:creator></office:change-info>
<text:p>{p("deletion")}</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p>about {trap.broken("span", "<text:span>")}</text:span><text:s/>and {p("text")}</text:p>
<table:table><table:table-row>{cell.format("Name")}{cell.format(p("cell"))}</table:table-row></table:table>
<text:p><text:a xlink:href="mailto:{p("target")}@x.example">{p("link")}</text:a>
<office:annotation><dc:creator>{p("commenter")}</dc:creator>
<text:p>{p("comment")}</text:p>
</office:annotation><text:note text:note-class="footnote"><text:note-body>
<text:p>{p("note")}</text:p></text:note-body></text:note>
<draw:frame draw:name="{p("frame")}"><draw:text-box><text:p>{p("text box")}</text:p></draw:text-box>
</draw:frame></text:p></office:text></office:body></office:document-content>"""
    styles = f"""<office:document-styles {spaces}><office:master-styles>
<style:master-page style:name="Standard" style:page-layout-name="p"><style:header>
<text:p>{p("header")}</text:p></style:header></style:master-page></office:master-styles></office:document-styles>"""
    meta = f"""<office:document-meta {spaces}><office:meta><dc:creator>{p("creator")}</dc:creator>
<meta:keyword>{p("keyword")}</meta:keyword></office:meta></office:document-meta>"""
    trap.data = zipped(
        {
            "mimetype": media,
            "content.xml": content,
            "styles.xml": styles,
            "meta.xml": meta,
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{OASIS}:manifest:1.0" '
            f'm:version="1.3">{entry}</m:manifest>',
        }
    )


def gz(trap: Trap) -> None:
    """A compressed log."""
    trap.data = gzip.compress(f"login by {trap.plant('text')}\n".encode(), mtime=0)


def archive(trap: Trap) -> None:
    """An archive of files in folders."""
    p = trap.plant
    mail = EmailMessage()
    mail["Subject"] = p("subject")
    mail.set_content(p("mail"))
    trap.data = zipped(
        {
            "a.txt": p("text"),
            f"{p('folder')}/{p('file name')}.html": f"<p>{trap.broken('page', '<b>')}</b>",
            "day.log.gz": gzip.compress(p("log").encode(), mtime=0),
            "mail.eml": mail.as_bytes(),
            "scan.png": b"\x89PNG" + p("picture").encode(),
        },
        p("comment of the archive"),
    )


def pdf_of(objects: dict[int, str | tuple[str, bytes]], info: int = 0) -> bytes:
    """Return a PDF file of numbered objects, the first its root; those of two parts are streams."""
    out, places = bytearray(b"%PDF-1.7\n"), {}
    for number, held in objects.items():
        places[number] = len(out)
        said, stream = held if isinstance(held, tuple) else (held, None)
        if stream is not None:
            said = said.replace(">>", f"/Length {len(stream)}>>", 1)
        out += f"{number} 0 obj\n{said}\n".encode("latin-1")
        if stream is not None:
            out += b"stream\n" + stream + b"\nendstream\n"
        out += b"endobj\n"
    begin, size = len(out), max(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    for number in range(1, size):
        out += f"{places[number]:010} 00000 n \n".encode()
    about = f"/Info {info} 0 R" if info else ""
    out += f"trailer\n<</Size {size}/Root 1 0 R{about}>>\nstartxref\n{begin}\n%%EOF\n".encode()
    return bytes(out)


def shown(*texts: tuple[int, int, str]) -> bytes:
    """Return a page's content: texts at their places, in points."""
    return b"".join(f"BT /F1 10 Tf {x} {y} Td ({t}) Tj ET\n".encode() for x, y, t in texts)


FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def page_of(*texts: tuple[int, int, str]) -> bytes:
    """Return a PDF file of one page: texts at their places, in points."""
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R"
    return pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R>>",
            2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: f"{page}/Resources<</Font<</F1 4 0 R>>>>>>",
            4: FONT,
            5: ("<<>>", shown(*texts)),
        }
    )


def pdf(trap: Trap) -> None:
    """A form of two pages with all that a PDF file may hold beside its text."""
    p = trap.plant
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]"
    page += "/Resources<</Font<</F1 4 0 R>>>>/Contents"
    value = p("far from its label")
    first = shown((50, 700, "Name:"), (50, 680, p("line")), (300, 700, value), (50, 20, p("foot")))
    hidden = f"1 1 1 rg BT /F1 10 Tf 50 600 Td ({p('white text')}) Tj ET\n".encode()
    xmp = f"<x><creator>{p('XMP')}</creator></x>".encode()
    trap.data = pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R/AcroForm<</Fields[10 0 R]>>"
            "/Metadata 12 0 R/Names<</EmbeddedFiles<</Names[(a) 13 0 R]>>>>>>",
            2: "<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>",
            3: f"{page} 5 0 R/Annots[10 0 R 11 0 R 15 0 R]>>",
            4: FONT,
            5: ("<<>>", first + hidden),
            6: f"{page} 7 0 R>>",
            7: ("<<>>", shown((50, 700, p("second page")))),
            8: "<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>",
            9: f"<</Title({p('outline')})/Parent 8 0 R/Dest[3 0 R/Fit]>>",
            10: f"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V({p('form field')})/Rect[0 0 9 9]>>",
            11: f"<</Type/Annot/Subtype/Text/T({p('note author')})/Contents({p('note')})"
            "/Rect[0 0 9 9]>>",
            12: ("<</Type/Metadata/Subtype/XML>>", xmp),
            13: f"<</Type/Filespec/UF({p('file name')}.txt)/EF<</F 14 0 R>>>>",
            14: ("<</Type/EmbeddedFile>>", p("attachment").encode()),
            15: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(mailto:"
            f"{p('link')}@x.example)>>>>",
            16: f"<</Author({p('author')})/Title({p('title')})>>",
        },
        info=16,
    )


def rtf(trap: Trap) -> None:
    """A letter in Rich Text Format with a group of each kind that may hold text."""
    p, b = trap.plant, trap.broken
    escaped = "".join(f"\\'{ord(letter):02x}" for letter in p("bytes"))
    numbered = "".join(f"\\u{ord(letter)}?" for letter in p("characters"))
    properties = "".join(
        f"{{\\{word} {p(word)}}}"
        for word in ("title", "subject", "author", "manager", "company", "operator", "keywords")
    )
    margins = "".join(
        f"{{\\{word} {p(word)}\\par}}" for word in ("header", "headerf", "footer", "footerl")
    )
    runs, hyphen = b("runs", r"}{\i "), b("hyphen", r"\-")
    trap.data = rf"""{{\rtf1\ansi\ansicpg1252\deff0{{\fonttbl{{\f0\fcharset0 Times;}}}}
{{\info{properties}{{\doccomm {p("comment of the file")}}}}}{{\*\revtbl{{{p("revision")};}}}}
{{\*\userprops{{\propname owner}}\proptype30{{\staticval {p("property")}}}}}{margins}
\pard Name: {p("body")}\par {{{runs}}} {b("lines", chr(10))}
{hyphen} {escaped} {numbered} {{\v {p("hidden")}}} {{\deleted {p("deletion")}}}
\par\trowd Name\cell {p("cell")}\cell\row {{\field{{\*\fldinst HYPERLINK
"mailto:{p("link")}@x.example"}}{{\fldrslt {p("text of a link")}}}}}{{\*\bkmkstart {p("bookmark")}}}
{{\footnote {p("note")}}}{{\*\atnauthor {p("commentator")}}}{{\*\annotation {p("comment")}}}
{{\shp{{\*\shpinst{{\shptxt {p("text box")}}}}}}}
{{\field{{\*\fldinst FORMTEXT{{\*\formfield{{\*\ffdeftext {p("form field")}}}}}}}{{\fldrslt x}}}}
{{\object{{\*\objdata 00{p("object")}}}{{\result {p("picture of an object")}}}}}
}}""".encode()


MADE: dict[str, tuple[str, Callable[[Trap], None], tuple[str, ...]]] = {
    "html": ("page.html", html, ()),
    "eml": ("mail.eml", eml, ()),
    "eml with a picture": ("picture.eml", picture, ("picture",)),
    "eml with files": ("files.eml", files, ()),
    "mbox": ("box.mbox", mbox, ()),
    "xml": ("record.xml", xml, ()),
    "yaml": ("settings.yaml", yaml, ()),
    "docx": ("letter.docx", docx, ("picture", "comment of the package")),
    "odt": ("letter.odt", odt, ()),
    "gz": ("day.log.gz", gz, ()),
    "pdf": ("form.pdf", pdf, ()),
    "rtf": ("letter.rtf", rtf, ("object",)),
    "zip": ("files.zip", archive, ("picture", "comment of the archive")),
}
"""Name of a trap → name of its file, what makes it, and which of its places can't be read."""
TRAPS = tuple(MADE)


def made(kind: str) -> Trap:
    """Make a trap document."""
    name, make, unread = MADE[kind]
    written = f"{name}.md" if kind in ("pdf", "rtf") else name
    trap = Trap(name, unread=unread, written=written)
    make(trap)
    return trap
