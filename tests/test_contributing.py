"""docs/contributing.md: the files that it names for a change are all that the change takes.

Each change is made on a copy of the package, which then masks a text.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import linkmask

PACKAGE = Path(linkmask.__file__).parent

PESEL = """
[[recognizer]]
id = "pl-pesel"
stage = "issued"
type = "NATIONAL_ID"
pattern = '[0-9](?<![\\w.,-].)[0-9]{10}(?![\\w-]|[.,][0-9])'
validate = "stdnum:pl.pesel"
triggers = ["pesel"]
reach = "label"
source = "PESEL: 11 digits, the last one a check digit"
examples = ["PESEL: 44051401359"]
near_misses = ["PESEL: 44051401358"]
"""
BADGE = """
[[recognizer]]
id = "badge"
stage = "issued"
type = "BADGE_NUMBER"
pattern = 'QX-[0-9]{4}'
source = "made for this test"
examples = ["badge QX-1234"]
near_misses = ["badge QX-123"]
"""
STYLE = '''

def numbered(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """The type, and the number of the entity in its run."""
    return lambda entity, original, document: f"({targets[entity].type} {context.tokens[entity]})"


def next_number(taken: Set[str]) -> str:
    return str(len(taken) + 1)


def drawn(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """What `surrogate` writes."""
    return surrogate(targets, context)


def token('''
TRAITS = """    "numbered": StyleTraits(reversible=True, code=next_number, unknown="redact"),
    "drawn": StyleTraits(reversible=True, varies=True, drawn=True, tells_apart=True, tries=True),
    "shift": StyleTraits("""
KEEPS_NUMBERS = """
import pathlib, linkmask
from linkmask.commands import mask_files, update_files
base = pathlib.Path(linkmask.__file__).parents[1]
(base / "in").mkdir()


def masked(name, **overrides):
    given = {"detector": "patterns", **overrides}
    settings = linkmask.load(overrides=given, environment={})
    mask_files(base / "in", base / name, settings)
    return [path.read_text() for path in sorted((base / name / "documents").iterdir())]


for name in "ab":
    (base / "in" / f"{name}.txt").write_text("Reply to (906) 555-0143.")
print(masked("numbers", style="numbered"))
masker = linkmask.open(base / "numbers.run")
print(masker.mask_text("Not (906) 555-0143, but (906) 555-0199."))
print(masker.unmask_text("Ask (PHONE_NUMBER 1)."))
masker.close()
(base / "in" / "c.txt").write_text("Write to x@y.example, or to (906) 555-0143.")
update_files(base / "numbers.run", base / "in", base / "more", {})
print((base / "more/documents/c.txt").read_text())
for linkable in (True, False):
    both = [masked(f"{one}{linkable}", style=one, linkable=linkable, surrogate_facts="invented")
            for one in ("surrogate", "drawn")]
    opened = [linkmask.open(base / f"{one}{linkable}.run") for one in ("surrogate", "drawn")]
    texts = [str(one.mask_text("Call (906) 555-0143.")) for one in opened]
    print(both[0] == both[1] != masked(f"plain{linkable}"), texts[0] == texts[1])
"""
POLICY = """
name = "house"
title = "Rules of the house"
priority = 9
when = "personal"
claim = "linkmask follows the rules of the house."

[types.PHONE_NUMBER]
sensitivity = "high"
covered = true
technique = "removal"
citation = "Rule 1"
reason = "Numbers of telephones are removed."
"""
FIRST2 = '''
def first2(original: str, value: str, language: str) -> str | None:
    """The first two characters."""
    return original[:2]
'''
FINDER = """
from linkmask.detect.candidates import Candidate


def find(text, scope):
    at = text.find("zorblax")
    return [Candidate(at, at + 7, "NAME", "word", "zorblax", 0.9)] if at >= 0 else []
"""
MODEL = """
from importlib import import_module

from linkmask.detect.other_detectors.spans import DetectorSpan


class JsonWords:
    def __init__(self, folder):
        self.words = import_module("jsonwords").load(folder / "words.json")

    def spans(self, text, language):
        found = [(text.find(word), word) for word in self.words if word in text]
        return [DetectorSpan(at, at + len(word), "PERSON", 0.9) for at, word in found]
"""
READS_A_MODEL = """
import importlib, pathlib, linkmask
base = pathlib.Path(linkmask.__file__).parents[1]
folder = base / "model"
folder.mkdir()
(folder / "words.json").write_text('["zorblax"]')
asked = {"overrides": {"other_detectors": [f"json:{folder}"]}, "environment": {}}
try:
    linkmask.mask(["This is zorblax."], linkmask.load(**asked))
except linkmask.LinkmaskError as error:
    print(error)
code = "import json\\ndef load(path): return json.loads(path.read_text())"
(base / "jsonwords.py").write_text(code)
importlib.invalidate_caches()
settings = linkmask.load(**asked)
print([masked.content for masked in linkmask.mask(["This is zorblax."], settings).documents])
"""
SOLVER = """
from linkmask.plan.chains import treat_chains

NEEDS_ALL_CHAINS = False


def solve(stage, settings):
    return treat_chains(stage, settings, lambda candidates, risk, target: [])
"""

Edit = tuple[str, str, str]
"""File, what stands in it (nothing: it is new, or what is added stands at its end), what then."""

CHANGES: dict[str, tuple[list[Edit], dict[str, Any], str, str]] = {
    "a national number": (
        [("detect/recognizers/country/pl.toml", "", PESEL)],
        {},
        "PESEL: 44051401359",
        "PESEL: [NATIONAL_ID]",
    ),
    "an entity type": (
        [
            ("schema/insurance.toml", "\nORGANIZATION = ", "\nBADGE_NUMBER = 1.0\nORGANIZATION = "),
            ("schema/words/forms.toml", '"NATIONAL_ID", "CREDIT_CARD", "IBAN"]   #',
             '"NATIONAL_ID", "CREDIT_CARD", "IBAN", "BADGE_NUMBER"]   #'),
            ("schema/words/definitions.toml", "", '\nBADGE_NUMBER = "a number on a badge"\n'),
            ("detect/recognizers/common.toml", "", BADGE),
        ],
        {"floor": ["BADGE_NUMBER"]},
        "Seen with badge QX-1234.",
        "Seen with badge [BADGE_NUMBER].",
    ),
    "a technique that a policy may name": (
        [
            (
                "choices.py",
                '    "shift": PolicyTechnique(',
                '    "truncation:first2": PolicyTechnique("cut to its first two characters"),\n'
                '    "shift": PolicyTechnique(',
            ),
            ("redact/techniques/prefixes.py", "", FIRST2),
            (
                "redact/techniques/__init__.py",
                "from linkmask.redact.techniques.places",
                "from linkmask.redact.techniques.prefixes import first2\n"
                "from linkmask.redact.techniques.places",
            ),
            ("redact/techniques/__init__.py", "(last4, zip3,", "(first2, last4, zip3,"),
            ("policy/house.toml", "", POLICY.replace("removal", "truncation:first2")),
        ],
        {"policy": "house"},
        "Reply to (906) 555-0143.",
        "Reply to (9.",
    ),
    "a detector of linkmask": (
        [
            ("choices.py", '    "rules": ', '    "word": DetectorParts(("word",)),\n    "rules": '),
            ("detect/word.py", "", FINDER),
        ],
        {"detector": "word"},
        "This is zorblax.",
        "This is [NAME].",
    ),
}  # fmt: skip
PROGRAM = """
import json, sys, linkmask
text, overrides = json.loads(sys.argv[1])
settings = linkmask.load(overrides={"detector": "patterns", **overrides}, environment={})
[masked] = linkmask.mask([text], settings).documents
print(masked.content)
"""

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
CITES_A_RULE = """
import linkmask
settings = linkmask.load(overrides={"detector": "patterns", "policy": "house"}, environment={})
result = linkmask.mask(["Reply to (906) 555-0143."], settings)
print([masked.content for masked in result.documents], result.audit.policy["policies"][0]["name"])
"""
WEIGHS_A_CHAIN = """
import pathlib, linkmask
from unittest.mock import patch
from linkmask.commands import explain_run, mask_files
from linkmask.formulas import compiling
from linkmask.graph import assess
folder = pathlib.Path(linkmask.__file__).parents[1] / "in"
folder.mkdir()
about = {"Ottoline Brandvold": "her asthma", "Ms. Brandvold": "her gout"}
both = [f"{name} called from (906) 555-0143 about {what}." for name, what in about.items()]
for number, text in enumerate(both):
    (folder / f"{number}.txt").write_text(text)
settings = linkmask.load(environment={})
scan = linkmask.scan(both, settings)


def right(chain, strength, risks):
    (chain,), (strength,) = chain, strength
    return 0 < chain and abs(chain - strength * max(risks)) < 1e-12


def of_loops():
    risk = assess(scan.incidence, settings)
    return right(risk.chains.risk, risk.links.strength, risk.documents)


def in_sql():
    from linkmask.adapters.duckdb import DuckTables
    from linkmask.pipeline import sql
    from linkmask.pipeline.sql.statements import statement
    tables = DuckTables(threads=1)
    sql.tables_of(tables, scan.incidence)
    sql.load(tables, 2)
    sql.find_links(tables, settings)
    limits = dict.fromkeys(("theta", "rho_high", "rho_medium", "high_from", "medium_from"), 0.0)
    tables.keep("chain", statement("chain", links="link", **limits))
    read = [tables.read(f"select * from {name}")[column].to_pylist()
            for name, column in (("chain", "before"), ("risk", "risk"))]
    return right(read[0], scan.risk.links.strength, read[1])


print(of_loops())
with patch.object(compiling, "COMPILE_FROM", 0):  # for this alone: compiling takes a minute
    print(of_loops())
print(in_sql())
mask_files(folder, folder.with_name("out"), settings)
page = (folder.with_name("out") / "report.html").read_text()
print("hop = strength × the larger of R₁ and R₂" in page)
answer = explain_run(folder.with_name("out.run"), pair=("0", "1")).text
print("chain risk = strength × the larger of R₁ and R₂:" in answer)
"""
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
ATTACK = """
from linkmask.testbench.attacks.base import AttackTable

LENGTHS = AttackTable("How long the texts are", "In characters.")


def longest(target):
    return {"persons": [], "pooled": {"longest": max(map(len, target.defended.texts))}}
"""
ATTACKS_A_CORPUS = """
from types import SimpleNamespace
from linkmask.testbench.attacks import ATTACKS, BETTER, columns, tables
from linkmask.testbench.cells import Grid
target = SimpleNamespace(defended=SimpleNamespace(texts=["one", "three"]))
print("longest" in Grid().attacks, ATTACKS["longest"].run(target)["pooled"])
[own] = [table for table in tables(system=False) if table.title == "How long the texts are"]
print(columns(own), BETTER["longest"])
"""

WITH_MANY_CHAINS = """
import linkmask
callers = {"Ottoline Brandvold": "(906) 555-0143", "Piotr Nowak": "(906) 555-0199"}
about = "her asthma", "her gout"
texts = [f"{who} called from {one} about {what}." for who, one in callers.items() for what in about]
asked = {"chain_budget": 1}
for solver in ("nothing", "greedy"):
    settings = linkmask.load(overrides={**asked, "solver": solver}, environment={})
    try:
        print(linkmask.scan(texts, settings).plan().size.solver)
    except linkmask.LinkmaskError as error:
        print(str(error).partition("; ")[2])
"""

FURTHER: dict[str, tuple[list[Edit], str, str]] = {
    "a style": (
        [
            ("choices.py", '"token", "shift")', '"token", "shift", "numbered", "drawn")'),
            ("redact/styles.py", "\n\ndef token(", STYLE),
            ("redact/styles.py", "token, shift)", "token, shift, numbered, drawn)"),
            ("redact/styles.py", '    "shift": StyleTraits(', TRAITS),
        ],
        KEEPS_NUMBERS,
        "['Reply to (PHONE_NUMBER 1).', 'Reply to (PHONE_NUMBER 1).']\n"
        "Not (PHONE_NUMBER 1), but [REDACTED].\nAsk +19065550143.\n"
        "Write to (EMAIL 2), or to (PHONE_NUMBER 1).\nTrue True\nTrue True",
    ),
    "a solver": (
        [
            ("choices.py", '"knapsack", "exact")', '"knapsack", "exact", "nothing")'),
            ("plan/nothing.py", "", SOLVER),
        ],
        WITH_MANY_CHAINS,
        "nothing\ntake solver cover or nothing",
    ),
    "a format of files": (
        [
            ("corpus/readers/slides/__init__.py", "", '"""Files of slides."""\n'),
            ("corpus/readers/slides/reader.py", "", SLIDES),
            ("corpus/readers/slides/without.py", "", SLIDES_WITHOUT),
            ("corpus/file_kinds.py", '        FileKind(\n            "rtf",', SLIDES_ROW),
        ],
        MASKS_SLIDES,
        READ_AND_WRITTEN,
    ),
    "a kind of model in a local folder": (
        [
            (
                "choices.py",
                '    "gliner": ',
                '    "json": LocalModel("words.json", "jsonwords", "json-words"),\n    "gliner": ',
            ),
            ("detect/other_detectors/json_words.py", "", MODEL),
            (
                "detect/other_detectors/local_models.py",
                '    "gliner": ',
                '    "json": JsonWords,\n    "gliner": ',
            ),
            (
                "detect/other_detectors/local_models.py",
                "from linkmask.errors",
                "from linkmask.detect.other_detectors.json_words import JsonWords\n"
                "from linkmask.errors",
            ),
        ],
        READS_A_MODEL,
        "other_detectors: json-words is not installed: pip install json-words\n['This is [NAME].']",
    ),
    "a regulation": (
        [("policy/house.toml", "", POLICY)],
        CITES_A_RULE,
        "['Reply to [REDACTED].'] house",
    ),
    "another formula of a chain's risk": (
        [
            (
                "formulas/risks.py",
                "return strength * (1.0 + (left_risk + right_risk) / 2.0) / 2.0",
                "return strength * max(left_risk, right_risk)",
            ),
            (
                "formulas/risks.py",
                "{strength} * (1e0 + ({left} + {right}) / 2e0) / 2e0",
                "{strength} * greatest({left}, {right})",
            ),
            (
                "formulas/risks.py",
                "{strength} × (1 + ({left} + {right}) / 2) / 2",
                "{strength} × the larger of {left} and {right}",
            ),
        ],
        WEIGHS_A_CHAIN,
        "True\nTrue\nTrue\nTrue\nTrue",
    ),
    "a section of the report": (
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
    "an attack": (
        [
            ("testbench/attacks/longest.py", "", ATTACK),
            (
                "testbench/attacks/__init__.py",
                "from linkmask.testbench.attacks.oracle",
                "from linkmask.testbench.attacks.longest import LENGTHS, longest\n"
                "from linkmask.testbench.attacks.oracle",
            ),
            (
                "testbench/attacks/__init__.py",
                '    "oracle": Attack(',
                '    "longest": Attack("the texts", "-", "measures them", longest, False, '
                '(("characters", "longest"),), LENGTHS, {"longest": -1}),\n'
                '    "oracle": Attack(',
            ),
        ],
        ATTACKS_A_CORPUS,
        "True {'longest': 5}\n[('characters', 'longest', 'longest')] -1",
    ),
}
"""Changes, what then uses them, and what it prints."""


PAGE = Path(__file__).parents[1] / "docs" / "contributing.md"


@cache
def rows() -> dict[str, tuple[set[str], set[str]]]:
    """Return the files of code that the page names for each change, and the folders."""
    found = {}
    table = PAGE.read_text(encoding="utf-8").partition("| To add | Code |")[2].partition("\n\n")[0]
    for change, code in re.findall(r"^\| ([^|]+) \| ([^|]+) \|", table, re.MULTILINE):
        names = re.findall(r"`([\w/.]+)`", code)
        files = {name for name in names if name.endswith((".py", ".jinja"))}
        folders = {name.rstrip("/") for name in names if name.endswith("/")}
        parents = {str(Path(name).parent) for name in files}
        found[change.partition(", such as")[0]] = files, folders | parents
    return found


def test_each_change_that_is_made_has_a_row_and_the_page_says_how_many_there_are() -> None:
    assert {*CHANGES, *FURTHER} <= rows().keys()
    assert len({*CHANGES, *FURTHER}) == 12
    assert "makes twelve of them" in " ".join(PAGE.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", [*CHANGES, *FURTHER])
def test_a_change_takes_at_most_three_files_of_code(name: str, tmp_path: Path) -> None:
    if name in CHANGES:
        edits, overrides, text, expected = CHANGES[name]
        program = [PROGRAM, json.dumps([text, overrides])]
    else:
        edits, only, expected = FURTHER[name]
        program = [only]
    copy = tmp_path / "linkmask"
    shutil.copytree(PACKAGE, copy)
    for file, old, new in edits:
        before = (copy / file).read_text(encoding="utf-8") if (copy / file).exists() else ""
        assert old in before, f"{file} has changed: mend this test"
        after = before.replace(old, new, 1) if old else before + new
        (copy / file).parent.mkdir(exist_ok=True)
        (copy / file).write_text(after, encoding="utf-8")
    code = {file for file, _, _ in edits if file.endswith((".py", ".jinja"))}
    new = {str(Path(file).parent) for file in code if not (PACKAGE / file).parent.exists()}
    units = new | {file for file in code if str(Path(file).parent) not in new}
    assert len(units) <= 3
    files, folders = rows()[name]
    for unit in units:
        if (PACKAGE / unit).exists():
            assert unit in files, f"{unit} is not named in the row of {name}"
        else:
            assert str(Path(unit).parent) in folders, f"the row of {name} names no folder of {unit}"
    assert run(tmp_path, *program) == expected


def run(base: Path, *program: str) -> str:
    """Return what a program prints by the copy of the package in a folder."""
    places = {"PYTHONPATH": str(base), "XDG_CACHE_HOME": str(base / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", *program],
        capture_output=True, text=True, env=os.environ | places,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout.strip()


WITHOUT_PDF = """
import pathlib, linkmask
from linkmask.commands import mask_files
source = pathlib.Path(linkmask.__file__).parents[1] / "in"
source.mkdir()
(source / "a.txt").write_text("Reply to (906) 555-0143.")
(source / "b.pdf").write_bytes(b"%PDF-1.7")
for redacted in (False, True):
    out = source.with_name(f"out{redacted}")
    chosen = {"detector": "patterns", "redacted_pdf": redacted}
    settings = linkmask.load(overrides=chosen, environment={})
    try:
        mask_files(source, out, settings)
        print([path.name for path in (out / "documents").iterdir()])
    except linkmask.LinkmaskError as error:
        print(error)
"""


def test_pdf_is_taken_out_with_its_folder_and_its_row(tmp_path: Path) -> None:
    """The setting `redacted_pdf` is then refused."""
    copy = tmp_path / "linkmask"
    shutil.copytree(PACKAGE, copy)
    shutil.rmtree(copy / "corpus/readers/pdf")
    kinds = copy / "corpus/file_kinds.py"
    row = re.compile(r' {8}FileKind\(\n {12}"pdf", .*?\n {8}\),\n', re.DOTALL)
    text, taken_out = row.subn("", kinds.read_text(encoding="utf-8"))
    assert taken_out == 1
    kinds.write_text(text, encoding="utf-8")
    refused = "redacted_pdf: no kind of file that is read can be written redacted"
    assert run(tmp_path, WITHOUT_PDF) == f"['a.txt']\n{refused}"
