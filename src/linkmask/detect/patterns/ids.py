"""Numbers of persons and things. The nearest word says whose: a patient's, a claim's, a state's.

An id is a word with digits. One whose shape is unmistakable (capitals and digits mixed, `#` before)
is taken wherever it stands; plain digits and small letters need a word right before them. The words
are in schema/words/ids.toml.
"""

from __future__ import annotations

import re
from typing import Final

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, before

TABLE = schema.words("ids")
KIND: Final = {
    "patient": "PATIENT_ID", "thing": "NON_PERSONAL_ID", "national": "NATIONAL_ID", "code": "",
}  # fmt: skip
CUES = {
    word: KIND[kind] for kind in ("thing", "patient", "national", "code") for word in TABLE[kind]
}
REACH = 56
"""Characters before an id in which its word is looked for."""


def _alternatives(spellings: list[str]) -> str:
    longest_first = sorted(set(spellings), key=lambda w: (-len(w), w))
    return "|".join(re.escape(word).replace(r"\ ", r"[ _-]") for word in longest_first)


CUE = re.compile(rf"(?i)(?<![^\W_])({_alternatives(list(CUES))})(?![^\W\d_])")
GLUE = re.compile(
    rf"(?i)(?:['’]s)?[\s:#.()°=№_'’«\"-]*(?:(?:{_alternatives(TABLE['glue'])})(?![^\W_])[\s:#.()°=№_'’-]*){{0,3}}$"
)
NUMBERED = re.compile(
    r"(?i)(?<![^\W_])(?:nos?\.|n°|nr\.?|num|number|numéro|nummer|id|ids|#)[ :#]{0,2}$"
)
NAMED = re.compile(
    r"[A-Z][\w'’-]+ (?:[A-Z]\. )?[A-Z][\w'’-]+,? ?[(\[](?:ID|id|Id|#|No\.?)?[ :#]{0,2}$"
)
"""A person's name and an opening bracket: what is in it is the person's number."""

PREFIX = {letters: kind for kind, row in TABLE["prefixes"].items() for letters in row}
MIXED = re.compile(
    r"#?(?=[^a-z]*[A-Z])(?:[A-Z]{1,6}-?[0-9]{2,12}[A-Z]{0,4}|[0-9]{2,12}-?[A-Z]{1,5}[0-9A-Z]*|(?=[0-9-]*[A-Z])[A-Z0-9]{5,20}"
    r"|[A-Z0-9]{1,12}(?:[-/.][A-Z0-9]{1,12}){1,5})$"
)
CATALOGUE = re.compile(
    r"[A-TV-Z][0-9][0-9AB](?:\.[0-9A-Z]{1,4})?$|[CLTS][0-9]{1,2}(?:[-/][CLTS]?[0-9]{1,2})+$|[A-Z][0-9]{4}$|[0-9]{1,2}[A-Z]$"
    r"|[0-9]+(?:ST|ND|RD|TH|MG|ML|KG|CM|MM|MI|K|M|X|D|H|HZ|KM|PM|AM|S)$|[A-Z]{1,4}[0-9]{1,2}$|[A-Z]{1,6}-[0-9]{1,2}$"
    r"|[0-9.,/-]+[A-Z]?$"
)
"""Looks like an id and is none: ICD, HCPCS and vertebrae, units, short markers, ranges."""


def _judge(text: str, start: int, end: int) -> Verdict:
    value = text[start:end].lstrip("#")
    count = sum(c.isdigit() for c in value)
    letters = re.match("[A-Za-z]*", value)
    lead = letters.group().upper() if letters else ""
    marked = text[start] == "#" or text[max(0, start - 1) : start] == "#"
    if not count or (PREFIX.get(lead) == "never" and "-" in value):
        return None
    shaped = bool(MIXED.match(value)) and count + len(lead) >= 3 and not CATALOGUE.match(value)
    lead_text = before(text, start, REACH)
    cue = None
    for cue in CUE.finditer(lead_text):
        pass
    near = cue is not None and GLUE.match(lead_text, cue.end()) is not None
    kind = (
        CUES.get(cue.group(1).lower().replace("_", " ").replace("-", " "), "NON_PERSONAL_ID")
        if cue
        else None
    )
    if kind == "" and near:
        return None
    if near and kind and (shaped or _enough(value, count, marked, lead_text, text, end)):
        return kind, 0.95
    if not shaped and not (marked and count >= 3):
        return ("NON_PERSONAL_ID", 0.7) if NUMBERED.search(lead_text) and count >= 5 else None
    if NAMED.search(lead_text):
        return "PATIENT_ID", 0.9
    by_prefix = KIND.get(PREFIX.get(lead, ""))
    if kind and kind != "":
        return (by_prefix or kind) if by_prefix == "PATIENT_ID" else kind, 0.85
    return by_prefix or _behind(text, end), 0.75


def _enough(value: str, count: int, marked: bool, lead: str, text: str, end: int) -> bool:
    """Tell whether plain digits or small letters after an id's word are its id, not a count."""
    if re.fullmatch(r"(?:19|20)[0-9]{2}", value) and not marked and not NUMBERED.search(lead):
        return False
    if value[-1:].isalpha() and re.fullmatch(
        r"[0-9.]+(?i:mg|ml|kg|cm|mm|st|nd|rd|th|k|h|s|am|pm)", value
    ):
        return False
    counted = re.match(
        r"(?i)[,.][0-9]|[ -]?(?:%|days?|weeks?|patients?|cases?|claims?|members?)",
        text[end : end + 10],
    )
    return not counted and (count >= 4 or (count >= 3 and (marked or bool(NUMBERED.search(lead)))))


def _behind(text: str, end: int) -> str:
    """Return the type by the word right after an id: "TWC-45Q8 plan"."""
    cue = CUE.match(text[end : end + 24].lstrip(" )\"'"))
    return (CUES.get(cue.group(1).lower(), "") if cue else "") or "NON_PERSONAL_ID"


RULES = (
    Rule("trial", "NON_PERSONAL_ID", r"[NI](?<!\w.)(?:CT ?[0-9]{8}|SRCTN ?[0-9]{8})(?!\w)", 1.0),
    Rule("eudract", "NON_PERSONAL_ID", r"20(?<![\w.-]..)[0-9]{2}-[0-9]{6}-[0-9]{2}(?![\w-])", 0.95),
    Rule(
        "id",
        "NON_PERSONAL_ID",
        r"[#A-Za-z0-9](?:(?<=#)[A-Za-z0-9]|(?<![\w.#/$€£+-].))(?<=[\w])(?<![.,][0-9])(?=[A-Za-z-]{0,14}[0-9]|(?<=[0-9]))"
        r"[A-Za-z0-9]*+(?:[-/.][A-Za-z0-9]++){0,5}+(?![\w%]|[.,][0-9])",
        judge=_judge,
    ),
)
