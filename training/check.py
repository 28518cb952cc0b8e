"""Read the annotated texts of `training/texts` and say what is wrong with their marks.

    python training/check.py [FILE …] [--counts]

What is not in the format (`texts.py`) ends the reading. Of normalized forms it checks what can be
checked without reading: that dates are valid and ages are numbers, that no form is broken over
lines. Exit status 1 when something is wrong.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.texts import Annotated, FormatError, Mark, read

from linkmask.graph import dates

TEXTS = Path(__file__).parent / "texts"
KINDS = set(
    "claim record memo report survey research policy audit news email chat "
    "ticket forum profile cv police hr school legal interview minutes log guide".split()
)
SHORTEST = 3
"""A surface of fewer characters ("F", "61") means something else elsewhere in its document."""
WHEN = re.compile(
    r"(?:(?:early|mid|late) )?(?:"
    r"(?P<year>\d{4}|-)-(?P<month>\d\d)(?:-(?P<day>\d\d))?"
    r"|---(?P<lone>\d\d)"
    r"|(?:\d{4}|-)-(?:Q[1-4]|H[12]|spring|summer|autumn|winter)|\d{4}-FY"
    r"|\d{4}|\d{3}0s)"
)
"""One end of a date's form."""
AGE = re.compile(r"\d{1,3}(?:-\d{1,3}|\+)?(?: (?:months|weeks|days))?")
LEAP = 2000
"""A year that has all days a date without a year may name."""


def faults(document: Annotated) -> Iterator[str]:
    """Yield what is wrong with a document, a line each."""
    if document.kind not in KINDS:
        yield f"unknown kind {document.kind}"
    if "|" in document.text:
        yield "a bar stands in the text"
    yield from _forgotten(document)
    forms = {m.normalized for m in document.marks}
    for m in document.marks:
        surface = document.text[m.start : m.end]
        if wrong := _form_fault(m, surface, forms):
            yield f"{surface!r} as {m.type}: {wrong}"


def _form_fault(mark: Mark, surface: str, forms: set[str]) -> str:
    """Return what is wrong with a mark's form, "" if nothing; `forms`: those of its document."""
    form = mark.normalized
    if "\n" in form or "  " in form:
        return "the form is broken by lines or blanks"
    if mark.type == "AGE" and not AGE.fullmatch(form):
        return "the form is no number"
    if mark.type in ("EVENT_DATE", "BIRTHDATE") and not _is_date(form):
        return "" if form == surface and _stands(surface, forms) else "the form is no valid date"
    return ""


def _is_date(form: str) -> bool:
    """Tell whether a form is a date the calendar has, or a span of two in order."""
    ends = form.split("/")
    if len(ends) > 2 or not all(map(_is_end, ends)):
        return False
    return len({len(end) for end in ends}) > 1 or ends == sorted(ends) or ends[0][0] == "-"


def _is_end(form: str) -> bool:
    match = WHEN.fullmatch(form)
    if not match:
        return False
    if match["lone"]:
        return 1 <= int(match["lone"]) <= 31
    if not match["month"]:
        return True
    year = LEAP if match["year"] == "-" else int(match["year"])
    try:
        date(year, int(match["month"]), int(match["day"] or 1))
    except ValueError:
        return False
    return True


def _stands(surface: str, forms: set[str]) -> bool:
    """Tell whether a date may stand as written.

    It may if it is a day by name that moves from year to year (Easter), one that the calendar has
    not, or one whose two readings the document names itself, to say that it may be either.
    """
    readings = {dates.read(surface, day_first) for day_first in (True, False)} - {None}
    if not readings:
        return not any(c.isdigit() for c in surface)
    invalid = not any(_is_date(reading) for reading in readings if reading)
    return invalid or (len(readings) == 2 and readings <= forms)


def _forgotten(document: Annotated) -> Iterator[str]:
    """Yield the surfaces that are marked at one place of a document and not at another."""
    outside = list(document.text)
    for m in document.marks:
        outside[m.start : m.end] = "\0" * (m.end - m.start)
    rest = "".join(outside)
    for surface in sorted({document.text[m.start : m.end] for m in document.marks}):
        if len(surface) < SHORTEST:
            continue
        if re.search(rf"(?<!\w){re.escape(surface)}(?!\w)", rest):
            yield f"{surface!r} is marked once and not another time"


def main(arguments: list[str]) -> int:
    """Check the files named, or all; return the exit status."""
    files = [Path(a) for a in arguments if not a.startswith("--")] or sorted(TEXTS.glob("*.txt"))
    try:
        documents = [(path, document) for path in files for document in read(path)]
    except FormatError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    wrong = [f"{p.name} {d.id}: {fault}" for p, d in documents for fault in faults(d)]
    for number, count in Counter(d.id for _, d in documents).items():
        wrong += [f"{number} stands {count} times"] if count > 1 else []
    sys.stdout.writelines(line + "\n" for line in wrong)
    if "--counts" in arguments:
        sys.stdout.writelines(line + "\n" for line in counts([d for _, d in documents]))
    return 1 if wrong else 0


def counts(documents: list[Annotated]) -> Iterator[str]:
    """Yield how many documents, words and marks there are, by kind, layout, type and W."""
    marks = [m for d in documents for m in d.marks]
    words = sum(len(d.text.split()) for d in documents)
    yield f"documents {len(documents)}, words {words}, marks {len(marks)}"
    for name, values in (
        ("language", [d.lang for d in documents]),
        ("kind", [d.kind for d in documents]),
        ("layout", [d.layout for d in documents]),
        ("whose", [m.whose for m in marks]),
        ("type", [m.type for m in marks]),
    ):
        yield f"{name}: " + ", ".join(f"{v} {n}" for v, n in Counter(values).most_common())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
