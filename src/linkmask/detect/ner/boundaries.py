"""Corrects where the tagger's spans end: at a tab, before a label, a speaker or a clause."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from linkmask.detect.fields import type_of
from linkmask.detect.lexicon import word_features
from linkmask.detect.lexicon.clinical import room_air
from linkmask.detect.ner import form_labels
from linkmask.detect.relevance.rarity import is_everyday

CUT = re.compile(
    r"\t[ \t]*| {5,}| {2,}(?=(?:Née?|NÉE?|[Gg]eb(?:oren)?|DOB|[Bb]orn)(?!\w))"
    r"|(?:\n| {2,})(?=[^\W\d_](?:[^\W\d_]| (?! )|[./'’()-]){0,20} ?:)"
)
"""What stands between two cells or columns, and before a label."""

_LABEL = 26
"""Characters of a label and what stands around it, at most."""

CLAUSE = re.compile(
    r"(?:[\s,]+I (?:can|could|have|had|am|was|will|would|do|did|must|may|might|should|think)"
    r"(?:not|n['’]t)?\b|[,.;\n]\s?(?:she|he|we|they|ich|wir|je|nous|elle)\b).*",
    re.DOTALL,
)
"""What begins with who does something: "myasthenia gravis I cannot simply"."""

CLAUSELESS = frozenset({"MEDICAL_CONDITION", "TREATMENT"})
"""Labels whose finds are cut before a clause."""

NUMBERS = frozenset({"NON_PERSONAL_ID", "PATIENT_ID"})
"""Types whose values hold a digit."""

CAPITAL, HEADING = frozenset({"NAME", "LOCATION", "ORGANIZATION"}), 0.6
"""Labels that a heading is taken for, and how sure it must be not to be one."""

CLINICAL = frozenset({"MEDICAL_CONDITION", "TREATMENT", "DISEASE", "SIGN", "DRUG", "PROCEDURE"})
"""Labels that "RA" may be given."""

BODIES = frozenset({"NAME", "LOCATION", "ORGANIZATION", "PROVIDER"})
"""Labels that words for a kind of body are given: "Insurance Company:"."""

PLACED = BODIES | {"ADDRESS"}
"""Labels of bodies and where they are."""

UNSTAGED = frozenset({"TREATMENT", "DRUG", "PROCEDURE"})
"""Labels, beside names' and places', of which the stage of a disease is none."""

_HEXADECIMAL = re.compile(r"\b0x[0-9A-Fa-f]{3,16}\b")
_LONG = 24
_HALF = re.compile(rf"-(?:\r?\n)?([^\W\d_]{{2,{_LONG}}}+)(?!\w)")
_HALF_BEFORE = re.compile(rf"(?<![\w-])([^\W\d_]{{2,{_LONG - 1}}})-\Z")
_DECIMALS = re.compile(r"(?<=\d)[.,]\d{1,3}\b")
_LAST = re.compile(rf"[^\W\d_]{{2,{_LONG}}}\Z")

SMALL, SENTENCE = 0.4, 100
"""How sure a body's name in small letters must be where capitals stand so near (characters)."""

LEAST_CODE = 0.02
"""A code less sure than this is none: "BP 148/92"."""

UNSURE, LESS_SURE = 0.1, 0.2
"""A name less sure than the first is believed only if a list knows a word of it; less sure than the
second, a letter or some capitals alone are none."""

_USUAL = word_features.WEAK | word_features.GENERIC | word_features.STOP | word_features.FUNCTION
"""Words that are no name where a sentence begins with them: "Weather was fine"."""
_IS = re.compile(r" (?:was|is|were|are|has been|had been|will be)\b")
_NOT = re.compile(r"[a-z]{2,8}n['’]t|m[ée]decine .{3,40}", re.IGNORECASE)
_GIVEN_BEHIND = re.compile(r", ([A-ZÀ-Þ][a-zß-ÿ]{1,20})(?=[ \t]{0,2}(?:\n|$|[;|(])|[ \t]{2}|\t)")
_LISTED = word_features.GIVEN | word_features.SURNAME
_HURT = word_features.CONDITION | word_features.CONDITION_HEAD
_GOES_ON = re.compile(" [A-Z]")
"""A headline's next word: in capitals, too."""
_BEFORE_NAME = word_features.KIN | word_features.CALLED
_ACRONYM = 4
_KIN = re.compile(r"([^\W\d_]+)[ \t]+(?=\w)")
_FILE = re.compile(
    r"(?:wav|mp3|mp4|m4a|pdf|docx?|odt|rtf|xlsx?|ods|csv|tsv|txt|md|jpe?g|png|gif|heic|tiff?|html?"
    r"|json|xml|eml|msg|zip|pptx?)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]{2,4}\d{1,2}")
_DURATION = re.compile(
    r"\d{1,3} ?(?:years?|yrs?|months?|weeks?|wks?|days?|ans|mois|Jahren?|Monaten?)\.?"
)
_WORKED = re.compile(
    r"(?i)(?:work|employ|serv|smok|marri|experience|career|for|over|past|last|travail|arbeite)\w*"
    r"[ :]{1,3}(?:(?:the|about|over|nearly|almost|some|at|least) ){0,2}$"
)
_AT_WORK = re.compile(
    r"(?i),? (?:of )?(?:work|service|experience|employ|smok|marri|in|at|with|as)\w*(?!\w)"
)
"""What stands before and behind a time that somebody worked, which is no age."""
_CRAFT = re.compile(r"(?<!\w)(?:ma[iî]tres?|master|meister) \Z")
_DECIMAL = re.compile(r"0[.,]\d+|\d+[.,]\d{3}|\d{3,}[.,]\d+|\d+(?:\.\d+){3,}")


def split_at_boundaries(text: str, start: int, end: int, label: str) -> Iterable[tuple[int, int]]:
    """Return the parts of a span within its boundaries; a form's label gives none."""
    if label in CLAUSELESS:
        start, end = _clinical(text, start, end, label)
    elif label == "NAME" and (kin := _KIN.match(text, start, end)):
        role = word_features.MARKS[kin[1]] & _BEFORE_NAME or _trade(text, kin, end)
        start = kin.end() if role else start
    if label in BODIES:
        start = form_labels.behind_label(text, start, end)
    span = text[start:end]
    if span.isalnum() or not ("\n" in span or "  " in span or "\t" in span):
        return ((start, end),)
    return _cut(text, start, end, label)


def _trade(text: str, word: re.Match[str], end: int) -> bool:
    """Is the first word of a name the trade of somebody: "Gärtnerin Vreni Zgraggen"?"""
    m = word_features.MARKS[word[1]]
    if not m & word_features.OCCUPATION or m & _LISTED:
        return False
    given = _LETTERS.match(text, word.end(), end)
    return bool(given and word_features.MARKS[given[0]] & word_features.CAP and given.end() < end)


def _cut(text: str, start: int, end: int, label: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span between tabs, gaps and line ends before a label."""
    first = True
    for cut in CUT.finditer(text, start, min(end + _LABEL, len(text))):
        if cut.start() >= end:
            break
        if _value(text, start, cut.start(), label):
            yield without_outer_marks(text, start, cut.start())
        first, start = False, cut.end()
    if first or (text[end : end + 1] != ":" and _value(text, start, end, label)):
        yield (start, end) if first else without_outer_marks(text, start, end)


def _clinical(text: str, start: int, end: int, label: str) -> tuple[int, int]:
    """Return the span of a condition or a treatment with all of its words, without a clause."""
    if text[end : end + 1] in {",", "."}:
        decimals = _DECIMALS.match(text, end)  # "glycémie 2" | ",1 g"
        end = decimals.end() if decimals else end
    start, end = with_hyphenated_words(text, start, end)
    if label == "MEDICAL_CONDITION":
        start, end = with_stage(text, start, end)
    clause = None if text[start:end].isalnum() else CLAUSE.search(text, start, end)
    return without_outer_marks(text, start, clause.start()) if clause else (start, end)


_BIRTH = re.compile(r"(?i)née?|geb(?:oren)?|dob|born|date")


def _value(text: str, start: int, end: int, label: str) -> bool:
    """May a part of a span be a value: not "F", nor "Tel" of a number?"""
    if label == "NAME" and _BIRTH.fullmatch(text, start, end):
        return False
    return end - start > 1 and (label not in NUMBERS or any(map(str.isdigit, text[start:end])))


def without_outer_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without marks at its ends; one of marks alone is empty."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end


def given_behind(text: str, start: int, end: int) -> int:
    """Return where a name ends whose surname in capitals is [start, end): "HALVERSEN, Dag  MRN"."""
    surname = text[start:end]
    given = (
        _GIVEN_BEHIND.match(text, end) if surname.isupper() and len(surname) > _ACRONYM else None
    )
    if (
        not given
        or type_of(given[1])
        or word_features.MARKS[given[1]] & (word_features.STOP | word_features.FUNCTION)
    ):
        return end
    return given.end(1)


_TITLED = re.compile(r"([^\W\d_]{1,12})\.? (?=[^\W\d_])")


def behind_title(text: str, start: int, end: int) -> int:
    """Return where a name begins after a civil title: "Mr. Petrov"; "Dr." belongs to the name."""
    title = _TITLED.match(text, start, end)
    m = word_features.MARKS[title[1]] if title else 0
    return (
        title.end()
        if title and m & word_features.TITLE and not m & word_features.CLINICIAN
        else start
    )


def with_other_half(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with the other half of a double name: "syndrome de Guillain" | "-Barré"."""
    half, last = _HALF.match(text, end), _LAST.search(text, start, end)
    if half and last and half[1].istitle() and last[0].istitle():
        end = half.end()
    half = _HALF_BEFORE.search(text, max(start - _LONG, 0), start)
    if half and half[1].istitle() and text[start : start + 1].isupper():
        start = half.start()
    return start, end


def with_hyphenated_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with all of the hyphenated words it begins or ends in: "GM" of "anti-GM-CSF".

    Numbers and slashes part words: "-20 kg".
    """
    if text[start - 1 : start] == "-":
        before = _WORD_BEFORE.search(text, max(start - _LONG, 0), start)
        start = before.start() if before else start
    behind = _WORD_BEHIND.match(text, end, end + _LONG) if text[end : end + 1] == "-" else None
    return start, behind.end() if behind else end


def behind_clinical(text: str, start: int, end: int) -> int:
    """Return where a date begins behind what was done or had then: "2011" of "s/p CABG x3 2011"."""
    for word in (
        _LETTERS.finditer(text, start, end) if _holds_clinical_word(text[start:end]) else ()
    ):
        m = word_features.MARKS[word[0]]
        if m & (word_features.CONDITION | word_features.TREATMENT) and not m & (
            word_features.CALENDAR | word_features.FUNCTION
        ):
            start = _TIMES.match(text, word.end()).end()  # type: ignore[union-attr]
    return min(start, end)


@lru_cache(maxsize=1 << 12)
def _holds_clinical_word(date: str) -> bool:
    """Does a date hold a word for a condition or a treatment?"""
    return any(
        word_features.MARKS[word] & (word_features.CONDITION | word_features.TREATMENT)
        for word in _LETTERS.findall(date)
    )


_LETTERS = re.compile(r"[^\W\d_]{2,30}")
_WORDS = re.compile(r"\w+")
_TIMES = re.compile(r"(?: ?x ?\d{1,2}(?!\d))?[\s,(:-]{0,4}")


def with_stage(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with its stage, type, grade or class: "Stage IV" | "pancreatic cancer"."""
    before = None
    if _GRADED.search(text, max(start - _GRADE_LONG, 0), start):
        before = _STAGE_BEFORE.search(text, max(start - _STAGED, 0), start)
    behind = _STAGE_BEHIND.match(text, end)
    if not behind and (number := _NUMBER_BEHIND.match(text, end)):
        behind = number if _STAGE_OPEN.search(text, max(end - _STAGED, start), end) else None
    return before.start() if before else start, behind.end() if behind else end


_STAGED = 32
_GRADE = r"(?:[IVX]{1,4}|\d{1,2})(?:[A-Da-d]|/(?:[IVX]{1,4}|\d))?"
_SCALE = r"(?:NYHA|GOLD|FIGO|Fontaine|Rutherford|Child-Pugh|Rai|Binet|Ann Arbor|ISHLT|WHO|OMS)"
_KIND = (
    r"(?:[Ss]tage|[Tt]ype|[Gg]rade|[Cc]lass|[Cc]lasse|[Ss]tade|[Ss]tadium|[Tt]yp|[Gg]rad|STAGE|TYPE"
    r"|GRADE|CLASS|STADE)"
)
_STAGE_BEFORE = re.compile(
    rf"(?<![\w-])(?:{_SCALE} )?(?:{_KIND}|{_SCALE}) {_GRADE}(?:,| \()? ?\Z(?<=[ (])"
)
_STAGE_BEHIND = re.compile(
    rf"(?:, (?=[\w ]{{4,18}}(?:[.;,)\n]|\Z))| \(| )(?:de |im |en |au )?"
    rf"(?:(?:{_SCALE}[ -])?(?:{_KIND} |Rai-Stadium )"
    rf"|{_SCALE} ){_GRADE}(?![\w.,:/-]*\d)(?!\w)"
    r"| (?:I{2,3}|IV)[a-d]?(?![\w-])"
)
_GRADED = re.compile(r"[IVX\d][A-Da-d]?(?:,| \()? ?\Z")
_GRADE_LONG = 5
_STAGE_OPEN = re.compile(rf" {_KIND}\Z")
_NUMBER_BEHIND = re.compile(rf" {_GRADE}(?!\w)")
_WORD_BEFORE = re.compile(r"(?<![\w-])[^\W\d_][\w-]{0,22}-\Z")
_WORD_BEHIND = re.compile(
    r"-(?!(?:induced|related|associated|based|like|free|guided|dependent|specific|treated|sparing|naive"
    r"|to|and|or|the|assisted|refractory|resistant|sensitive|friendly|Patient\w*|Therapie)(?![^\W\d_]))"
    r"[^\W\d_][\w]{0,22}(?:-\w{1,12})?(?![\w-])"
)


def behind_speaker(text: str, start: int, end: int, turns: Collection[int]) -> tuple[int, int]:
    """Return the span without the letters that mark a speaker: "A. Joy Finch", "Finch. Q"."""
    inside = [at for at in turns if start < at < end]
    end = min(inside, default=end)
    if start in turns:
        start += 2
        if re.fullmatch(r"\W*([^\W\d_]+)\W*", text[start:end]) and not _listed(text[start:end]):
            return end, end  # "A. Twelve-oh-seven"
    return without_outer_marks(text, start, end)


_NO_CODE = re.compile(r"[\t|][0-9]{1,2}$|[^\w.,/-][0-9]{1,3}(?:[ ,.'’][0-9]{3}){0,3}[.,][0-9]{2}$")
"""What is no number of anybody: an age in a table, an amount."""


def cannot_be(text: str, start: int, end: int, label: str, sure: float) -> bool:
    """Tell whether a span cannot have the tagger's type: "0.71" as a date, "docx" as a name."""
    if label == "DATE":
        return _DECIMAL.fullmatch(text, start, end) is not None or _dosed(text, start, end)
    if label == "CODE":
        return sure < LEAST_CODE or _NO_CODE.match(text, start - 1, end) is not None
    if label == "INDIRECT_IDENTIFIER":
        return _is_request(text, start, end)
    if label == "AGE":
        return _DURATION.fullmatch(text, start, end) is not None and _lasted(text, start, end)
    if label in CLINICAL:
        if _clear(text[start:end], label, False):
            return False
        return _not_clinical(text, start, end, label, sure)
    if label not in PLACED or _clear(text[start:end], label, sure < HEADING):
        return False
    return _is_no_name_body_or_place(text, start, end, label, sure)


@lru_cache(maxsize=1 << 13)
def _clear(span: str, label: str, unsure: bool) -> bool:
    """Do the words of a span alone rule out that it lacks its type (`cannot_be`)?"""
    if unsure and (label == "NAME" or span.isupper() or span.islower()):
        return False
    words = _WORDS.findall(span)
    marks = [word_features.MARKS[word] for word in words]
    if len(span) < 2 or any(m & (word_features.STAGED | word_features.FIELD) for m in marks):
        return False
    if (
        type_of(span)
        or word_features.no_value(span)
        or word_features.MARKS[span.partition(" ")[0]] & word_features.FIELD
    ):
        return False
    if label in CLINICAL:
        if span.endswith(_DOUBTED) or "0x" in span:
            return False
        return _NOT.fullmatch(span) is None
    if _DURATION.fullmatch(span) or (len(marks) > 1 and form_labels.are_body_words(marks)):
        return False
    return label != "NAME" or _clear_name(span, marks)


def _clear_name(span: str, marks: list[int]) -> bool:
    """Do the words of a span alone rule out that it is `_no_name`, if sure?"""
    if span.islower() or "." in span or "-" in span or _FILE.fullmatch(span):
        return False
    if marks and marks[-1] & (word_features.THING | _HURT):
        return False
    return not form_labels.is_listed_condition(span) and span.lower() not in form_labels.SLANG


def _not_clinical(text: str, start: int, end: int, label: str, sure: float) -> bool:
    """Is it no condition and no treatment: the air of a room, a label, a stage, the weather?"""
    if text.endswith("RA", start, end):
        return room_air(text, end - 2)
    if _NOT.fullmatch(text, start, end):
        return True
    if label in UNSTAGED and form_labels.is_disease_stage(text, start, end):
        return True
    return label in CLAUSELESS and (
        form_labels.is_form_label(text, start, end, sure < HEADING)
        or form_labels.is_empty_value(text, start, end)
        or ("0x" in text[start:end] and _HEXADECIMAL.search(text, start, end) is not None)
        or form_labels.is_temperature_of_a_thing(text, start, end)
    )


def _is_no_name_body_or_place(text: str, start: int, end: int, label: str, sure: float) -> bool:
    """Is it no name, body or place: a time that lasts, a heading, a label, a kind of body?"""
    if label != "PROVIDER" and _DURATION.fullmatch(text, start, end):
        return True
    if label in CAPITAL:
        if label == "ORGANIZATION" and sure < SMALL and text[start:end].islower():
            return any(map(str.isupper, text[max(start - SENTENCE, 0) : end + SENTENCE]))
        if label != "NAME" and end - start == 1:
            return True
        if sure < HEADING and _heading(text, start, end):
            return True
        if form_labels.is_disease_stage(text, start, end):
            return True
    if form_labels.is_form_label(text, start, end, sure < HEADING) or form_labels.is_empty_value(
        text, start, end
    ):
        return True
    if label in BODIES and form_labels.is_organization_label(text, start, end):
        return True
    return label == "NAME" and _no_name(text, start, end, sure)


_DOUBTED = ("RA", "cold", "hot", "warm")
"""Ends of what is a condition or a treatment only if what stands around it says so."""
_DOSED = re.compile(r"(?:bid|tid|q(?:id|d|hs)|p(?:rn|o)|units?|m(?:g|cg|l|mhg)|ie)(?!\w)")
"""In small letters: `re` skips fast to a letter it begins with."""
_ASKS = re.compile(
    r"(?i)(?<!\w)(?:(?:merci|prière|afin|tenus?) de|veuillez|devez|devront|pensez à)"
    r"\s(?:[^.!?\n]{0,80}\s(?:et|ou)\s(?:de\s)?)?\Z"
)
_DEED = re.compile(
    r"[^\W\d_]{2,20}(?:er|ir|re)\s(?:l['’]|(?:les?|la|des|une?|tou(?:t|te|tes|s)|ces?|votre|vos"
    r"|leurs?|chaque)(?!\w))"
)
_SPINE = re.compile(r"[CTLSD]\d{1,2}(?:[-/](?:[CTLSD]?\d{1,2}))?")


def _is_request(text: str, start: int, end: int) -> bool:
    """Is it what everybody is asked to do, and no habit: "Merci de signaler les lampes cassées"?"""
    if not _DEED.match(text, start, end):
        return False
    return _ASKS.search(text, max(start - SENTENCE, 0), start) is not None


def _dosed(text: str, start: int, end: int) -> bool:
    """Is it a dose or a vertebra, and no date: "24/26 bid", "L4/5"?"""
    near = text[start : end + 6].lower()
    return bool(_DOSED.search(near) or _SPINE.fullmatch(text, start, end))


def _lasted(text: str, start: int, end: int) -> bool:
    """Is it said that somebody worked so long: "30 yrs worked", "employed for 30 years"?"""
    lead = text[max(start - 40, 0) : start]
    return bool(_WORKED.search(lead) or _AT_WORK.match(text, end))


def _heading(text: str, start: int, end: int) -> bool:
    """Is it a word in capitals, known from no list, with a line to itself: "AKTENVERMERK"?"""
    word = text[start:end]
    if not (word.isupper() and word.isalpha() and len(word) > _ACRONYM):
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start], text[end : end + _LABEL].partition("\n")[0]
    return not any(map(str.strip, line)) and not word_features.MARKS[word] & (
        _LISTED | word_features.PLACE
    )


def _no_name(text: str, start: int, end: int, sure: float) -> bool:
    """Tell whether what is taken for a name is none: "docx" of a file, "EDD", "DG1", "orgel"."""
    if text[start - 1 : start] == "." and _FILE.fullmatch(text, start, end):
        return True
    if "." in text[start:end] and type_of(text[start:end].replace(".", "")):
        return True  # "D.O.B", the label
    words = _WORDS.findall(text, start, end)
    if "-" in text[start:end] and form_labels.STATISTIC.match(text, end):
        return True  # "a Kaplan-Meier curve"
    if (
        words
        and word_features.MARKS[words[-1]] & (word_features.THING | _LISTED) == word_features.THING
    ):
        return True  # "Ford Fiesta"
    if words and word_features.MARKS[words[-1]] & _HURT and _GOES_ON.match(text, end):
        return (
            not word_features.MARKS[words[0]] & word_features.GIVEN
        )  # "Spilled Acetone Burns Two"
    if sure < HEADING and _CODE.fullmatch(text, start, end):
        return True
    if text[start:end].islower() and _CRAFT.search(text[max(start - 8, 0) : start]):
        return not _listed(text[start:end])  # "seul maître artisan"
    if form_labels.is_listed_condition(
        text[start:end]
    ) or form_labels.is_french_without_apostrophes(text, start, end):
        return True
    if sure < HEADING and len(words) == 1 and _IS.match(text, end) and _usual(words[0]):
        return True
    if sure >= LESS_SURE:
        return False
    if _listed(text[start:end]):
        return False
    alone = len(words) == 1 and len(words[0]) <= _ACRONYM and words[0].isupper()
    return sure < UNSURE or alone


def _usual(word: str) -> bool:
    """Does a sentence begin with a word that is no name, though a list may have it: "Weather"?"""
    m = word_features.MARKS[word]
    return bool(m & _USUAL or (is_everyday(word.lower()) and not m & word_features.GIVEN))


def _listed(name: str) -> bool:
    """Does a list of names hold a word of it?"""
    return any(word_features.MARKS[word] & _LISTED for word in _WORDS.findall(name))
