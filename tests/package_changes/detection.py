"""Changes of what is found."""

from package_changes.change import Change, masks

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

CHANGES: dict[str, Change] = {
    "a national number": Change(
        [("detect/recognizers/country/pl.toml", "", PESEL)],
        masks("PESEL: 44051401359", {}),
        "PESEL: [NATIONAL_ID]",
    ),
    "an entity type": Change(
        [
            ("schema/insurance.toml", "\nORGANIZATION = ", "\nBADGE_NUMBER = 1.0\nORGANIZATION = "),
            (
                "schema/words/forms.toml",
                '"NATIONAL_ID", "CREDIT_CARD", "IBAN"]   #',
                '"NATIONAL_ID", "CREDIT_CARD", "IBAN", "BADGE_NUMBER"]   #',
            ),
            ("schema/words/definitions.toml", "", '\nBADGE_NUMBER = "a number on a badge"\n'),
            ("detect/recognizers/common.toml", "", BADGE),
        ],
        masks("Seen with badge QX-1234.", {"floor": ["BADGE_NUMBER"]}),
        "Seen with badge [BADGE_NUMBER].",
    ),
    "a detector of linkmask": Change(
        [
            ("choices.py", '    "rules": ', '    "word": DetectorParts(("word",)),\n    "rules": '),
            ("detect/word.py", "", FINDER),
        ],
        masks("This is zorblax.", {"detector": "word"}),
        "This is [NAME].",
    ),
    "a kind of model in a local folder": Change(
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
}
