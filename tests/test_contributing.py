"""docs/contributing.md: what it says a change takes is all that the change takes.

Each change is made on a copy of the package, which then masks a text.
"""

import json
import os
import shutil
import subprocess
import sys
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

def initials(targets: Mapping[str, Target], means: StyleContext) -> Writer:
    """The type's first two letters."""
    return lambda entity, original: f"({targets[entity].type[:2]})"


def token('''
FINDER = """
from linkmask.detect.candidates import Candidate


def find(text, scope):
    at = text.find("zorblax")
    return [Candidate(at, at + 7, "NAME", "word", "zorblax", 0.9)] if at >= 0 else []
"""
SOLVER = """

def _nothing(stage: ChainStage, settings: Settings) -> Choice:
    return _greedy(stage, settings)


SOLVERS: dict"""

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
    "a style": (
        [
            ("choices.py", '"token", "shift")', '"token", "shift", "initials")'),
            ("redact/styles.py", "\n\ndef token(", STYLE),
            ("redact/styles.py", "token, shift)", "token, shift, initials)"),
        ],
        {"style": "initials"},
        "Reply to (906) 555-0143.",
        "Reply to (PH).",
    ),
    "a detector": (
        [
            ("choices.py", '    "rules": ', '    "word": DetectorParts(("word",)),\n    "rules": '),
            ("detect/word.py", "", FINDER),
        ],
        {"detector": "word"},
        "This is zorblax.",
        "This is [NAME].",
    ),
    "a solver": (
        [
            ("choices.py", '"knapsack", "exact")', '"knapsack", "exact", "nothing")'),
            ("plan/__init__.py", "\n\nSOLVERS: dict", SOLVER),
            ("plan/__init__.py", "_knapsack, _exact)", "_knapsack, _exact, _nothing)"),
        ],
        {"solver": "nothing"},
        "Reply to (906) 555-0143.",
        "Reply to [PHONE_NUMBER].",
    ),
}  # fmt: skip
PROGRAM = """
import json, sys, linkmask
text, overrides = json.loads(sys.argv[1])
settings = linkmask.load(overrides=overrides, environment={})
[masked] = linkmask.mask([text], settings).documents
print(masked.content)
"""


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_takes_at_most_three_files_of_code(name: str, tmp_path: Path) -> None:
    edits, overrides, text, expected = CHANGES[name]
    copy = tmp_path / "linkmask"
    shutil.copytree(PACKAGE, copy)
    for file, old, new in edits:
        before = (copy / file).read_text(encoding="utf-8") if (copy / file).exists() else ""
        assert old in before, f"{file} has changed: mend this test"
        after = before.replace(old, new, 1) if old else before + new
        (copy / file).write_text(after, encoding="utf-8")
    assert len({file for file, _, _ in edits if file.endswith(".py")}) <= 3
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([text, overrides])],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.strip() == expected, done.stderr
