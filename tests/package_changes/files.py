"""Changes of what is read and of what is shown."""

from package_changes.change import Change

SLIDES = """
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source import Kind, Markdown, MarkdownText

HEADER = b"SLD1"


def read_slides(data, kind, limits, inner):
    if not data.startswith(HEADER):
        raise Flaw("not a file of slides, as its ending says")
    try:
        import slides
    except ModuleNotFoundError:
        raise Flaw("slides need an extra") from None
    held, text, removed, places = slides.loads(data[len(HEADER):]), "", [], []
    for number, page in enumerate(held["pages"], 1):
        removed += [] if page else [f"page {number}: it shows no text"]
        places.append((len(text), len(text) + len(page)))
        text += f"{page}\\n\\n"
    text += f"## Metadata\\n\\nauthor: {held['author']}\\n"
    for name, attached in held["attached"].items():
        text += inner(attached.encode(), Kind(name), limits.inner()).fields[0].text
    return Markdown(MarkdownText(text, removed, places))
"""
SLIDES_WITHOUT = """
import json


def redacted(data, pages, masked):
    return b"SLD1" + json.dumps([masked.content[begin:end] for begin, end in pages]).encode()
"""
SLIDES_ROW = """        FileKind(
            "sld", (".sld",), "slides.reader.read_slides", "as_markdown", written=MARKDOWN,
            title="file of slides", media=("application/x-slides",), packed=True,
            redacted="slides.without.redacted",
        ),
        FileKind(
            "rtf","""
MASKS_SLIDES = """
import base64, gzip, json, pathlib, sys, linkmask
from linkmask.commands import mask_files

source = pathlib.Path(linkmask.__file__).parents[1] / "in"
source.mkdir()
attached = {"a.txt": "Reply to (906) 555-0143."}
held = {"pages": ["Reply to (906) 555-0143.", ""], "author": "x@y.example", "attached": attached}
data = b"SLD1" + json.dumps(held).encode()
(source / "a.sld").write_bytes(data)
(source / "b.sld.gz").write_bytes(gzip.compress(data))
(source / "c.sld").write_bytes(b"no slides")
part = "Content-Type: application/x-slides; name=d.sld"
mail = f"Subject: Slides\\n{part}\\nContent-Transfer-Encoding: base64\\n\\n"
(source / "d.eml").write_bytes(mail.encode() + base64.encodebytes(data))
chosen = {"detector": "patterns", "redacted_pdf": True}
settings = linkmask.load(overrides=chosen, environment={})


def masked(name):
    out = source.with_name(name)
    mask_files(source, out, settings)
    lines = (out / "set-aside.jsonl").read_text().splitlines()
    return out / "documents", sorted(json.loads(line)["reason"] for line in lines)


print(masked("without")[1])
library = type(sys)("slides")
library.loads = json.loads
sys.modules["slides"] = library
documents, reasons = masked("out")
text = (documents / "a.sld.md").read_text()
print(text.count("[PHONE_NUMBER]"), "author: [EMAIL]" in text, reasons)
print(gzip.decompress((documents / "b.sld.md.gz").read_bytes()).decode() == text)
letter = (documents / "d.eml").read_text()
head, _, body = letter.partition("\\n\\n")
print(head.splitlines()[1], base64.b64decode(body).decode() == text)
print((documents.with_name("redacted-pdf") / "a.sld").read_bytes())
"""
READ_AND_WRITTEN = """
['its body: slides need an extra', 'not a file of slides, as its ending says', \
'slides need an extra', 'slides need an extra']
2 True ['its body: page 2: it shows no text', 'not a file of slides, as its ending says', \
'page 2: it shows no text', 'page 2: it shows no text']
True
Content-Type: text/markdown; charset=utf-8; name=d.sld.md True
b'SLD1["Reply to [PHONE_NUMBER].", ""]'
""".strip()
SECTION = """
STYLE = ".size { color: teal }"


def count(facts):
    return f"{facts.incidence.n_documents} documents in all"
"""
HAS_A_SECTION = """
import base64, hashlib, pathlib, linkmask
from linkmask.commands import mask_files
folder = pathlib.Path(linkmask.__file__).parents[1] / "in"
folder.mkdir()
(folder / "a.txt").write_text("Reply to (906) 555-0143.")
settings = linkmask.load(overrides={"detector": "patterns"}, environment={})
mask_files(folder, folder.with_name("out"), settings)
page = (folder.with_name("out") / "report.html").read_text()
print("1 documents in all" in page, 'href="#size"' in page)
style = page.partition("<style>")[2].partition("</style>")[0]
digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
print("teal" in style, f"style-src 'sha256-{digest}'" in page)
"""

CHANGES: dict[str, Change] = {
    "a format of files": Change(
        [
            ("corpus/readers/slides/__init__.py", "", '"""Files of slides."""\n'),
            ("corpus/readers/slides/reader.py", "", SLIDES),
            ("corpus/readers/slides/without.py", "", SLIDES_WITHOUT),
            ("corpus/file_kinds.py", '        FileKind(\n            "rtf",', SLIDES_ROW),
        ],
        MASKS_SLIDES,
        READ_AND_WRITTEN,
    ),
    "a section of the report": Change(
        [
            ("report/page/size.py", "", SECTION),
            ("report/page/__init__.py", "    risks,\n", "    risks,\n    size,\n"),
            (
                "report/page/__init__.py",
                '    Section("risk", ',
                '    Section("size", "Size", size.count, style=size.STYLE),\n    Section("risk", ',
            ),
            (
                "report/page/page.html.jinja",
                "{% if model %}<section",
                '<section><h2 id="size">Size</h2>{{ size }}</section>\n{% if model %}<section',
            ),
        ],
        HAS_A_SECTION,
        "True True\nTrue True",
    ),
}
