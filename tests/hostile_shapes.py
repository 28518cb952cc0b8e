"""Shapes of input that no writer means: each a function from a size to a record of that size.

A size is in characters, of the text and the metadata together. The same size gives the same record.
"""

import base64
import json
import random
from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Any

Record = dict[str, Any]
SYLLABLES = (
    "bar dol fen gri hol kes lam mor nov pel rus tam vel wen zor ash ber cor dun esk".split()
)
BEGIN = "Mr. John Brandvold, born 4 May 1971, wrote to john.brandvold@example.org about his claim. "
"""An ordinary sentence before each text: what identifies somebody in it must be masked."""


def said(text: str) -> Record:
    """Return the record of a text."""
    return {"id": "1", "content": BEGIN + text}


def over(piece: str) -> Callable[[int], Record]:
    """Return the shape of a piece that is said over and over."""
    return lambda size: said((piece * (size // len(piece) + 1))[:size])


def filled(pieces: Callable[[], Iterator[str]]) -> Callable[[int], Record]:
    """Return the shape of different pieces one after another."""

    def text(size: int) -> Record:
        parts, length = [], 0
        for piece in pieces():
            parts.append(piece)
            length += len(piece)
            if length >= size:
                break
        return said("".join(parts)[:size])

    return text


def names() -> Iterator[str]:
    """Yield names that are all different; the first 160,000 have three syllables in the surname.

    The given name changes once in many thousand names, so that a larger text is another text.
    """
    for syllables in count(3):
        for given, first, *others in product(SYLLABLES, repeat=syllables + 1):
            yield f"{given.title()} {first.title()}{''.join(others)}"


def mixed_names() -> Iterator[str]:
    """Yield 3,200,000 names that are all different, in an order in which any part is like another.

    A larger text of `names` holds other given names, some of which are words, so that its work
    tells little of how work grows.
    """
    base = len(SYLLABLES)
    for n in range(base**5):
        number, parts = n * 1_299_709 % base**5, []
        for _ in range(5):
            number, digit = divmod(number, base)
            parts.append(SYLLABLES[digit])
        given, first, *others = parts
        yield f"{given.title()} {first.title()}{''.join(others)}"


def _names(form: str) -> Callable[[], Iterator[str]]:
    return lambda: (form.format(name) for name in mixed_names())


def _numbers(form: str) -> Callable[[], Iterator[str]]:
    return lambda: (form.format(n) for n in count(10_000_019, 7_919))


def _random(draw: Callable[[random.Random], str]) -> Callable[[], Iterator[str]]:
    def pieces() -> Iterator[str]:
        r = random.Random(7)
        while True:
            yield draw(r)

    return pieces


def _ibans() -> Iterator[str]:
    for n in count(370_400_440_532_013_000):
        check = 98 - int(f"{n:018d}131400") % 97
        yield f"DE{check:02d}{n:018d}\n"


def _encoded(size: int) -> Record:
    """Write a mail with an attachment in base64."""
    data = base64.encodebytes(random.Random(7).randbytes(size * 73 // 100)).decode()
    head = "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n"
    return said((head + data)[:size])


def _one_line(size: int) -> Record:
    data = base64.b64encode(random.Random(7).randbytes(size * 3 // 4)).decode()
    return said("data:image/png;base64," + data)


def _minified(r: random.Random) -> str:
    a, b, c = (r.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(3))
    return f"function {a}({b},{c}){{var {c}={b}.length;return {c}>{r.randint(1, 999)}?{a}({c}):0}};"


def _word(r: random.Random) -> str:
    return "".join(r.choices(SYLLABLES, k=r.randint(1, 4)))


def _log(r: random.Random) -> str:
    return (
        f"2024-03-{r.randint(1, 28):02d}T{r.randint(0, 23):02d}:14:{r.randint(0, 59):02d}Z INFO "
        f"10.{r.randint(0, 255)}.{r.randint(0, 255)}.7 GET /v1/{_word(r)}?id={r.randint(1, 9999)}\n"
    )


def _table(columns: int, mark: str) -> Callable[[], Iterator[str]]:
    def rows() -> Iterator[str]:
        r = random.Random(7)
        yield mark.join(f"Name {n}" for n in range(columns)) + "\n"
        while True:
            yield mark.join(f"{_word(r).title()} {r.randint(1, 99)}" for _ in range(columns)) + "\n"

    return rows


def _nested_text(size: int) -> Record:
    depth = size // 20
    return said('{"patient": {"a":' * depth + "1" + "}}" * depth)


def _deep(size: int) -> Record:
    """Nest the metadata 30 deep, as often as fits."""
    inner: Any = {"name": "Ottoline Brandvold"}
    for level in range(29):
        inner = {f"level {level}": inner}
    return {
        "id": "1",
        "content": BEGIN,
        "metadata": {str(n): inner for n in range(size // 500 + 1)},
    }


def _metadata(make: Callable[[int], Any], each: int) -> Callable[[int], Record]:
    return lambda size: {"id": "1", "content": BEGIN, "metadata": make(size // each + 1)}


def _taken(n: int) -> list[str]:
    return [name for name, _ in zip(names(), range(n), strict=False)]


def _records(size: int) -> Record:
    rows = [{"name": name, "age": n % 90} for n, name in enumerate(_taken(size // 40 + 1))]
    return said(json.dumps(rows))


SHAPES: dict[str, Callable[[int], Record]] = {
    # one word
    "one letter": over("a"),
    "one capital": over("A"),
    "one digit": over("7"),
    "letters and digits": over("ab1"),
    "capitals and digits": over("AB1"),
    "hyphens in a word": over("ab-"),
    "points in a word": over("ab."),
    "underscores in a word": over("ab_"),
    "slashes in a word": over("ab/"),
    "apostrophes in a word": over("ab'"),
    "base64 in a line": _one_line,
    "base64 in a mail": _encoded,
    "hexadecimal": filled(_random(lambda r: r.randbytes(16).hex())),
    "hexadecimal dump": filled(_random(lambda r: r.randbytes(16).hex(" ") + "\n")),
    "a sequence of bases": filled(_random(lambda r: r.choice("ACGT"))),
    "proteins in lines": filled(
        _random(lambda r: "".join(r.choices("ACDEFGHIKLMNPQRSTVWY", k=60)) + "\n")
    ),
    "minified code": filled(_random(_minified)),
    "ideograms": over("患者張偉在醫院"),
    "an emoji": over("🩺"),
    "joined emoji": over("👩\u200d⚕️"),
    # one piece over and over
    "a title": over("Mr "),
    "a title in lines": over("Dr.\n"),
    "a name": over("John Brandvold "),
    "a name in sentences": over("Mr. John Brandvold called. "),
    "a label": over("Name: "),
    "letters one by one": over("J O H N "),
    "letters with hyphens": over("J-O-H-N "),
    "plus and digits": over("+1 "),
    "pluses": over("+"),
    "digits one by one": over("7 "),
    "digits in groups": over("0415 "),
    "brackets": over("("),
    "pairs of brackets": over("()"),
    "square brackets": over("["),
    "placeholders": over("[NAME] "),
    "placeholders that touch": over("[NAME]"),
    "quotes": over('"'),
    "apostrophes": over("'"),
    "commas": over("John, "),
    "hyphens": over("-"),
    "points": over("."),
    "colons": over(":"),
    "semicolons": over(";"),
    "equals signs": over("="),
    "stars": over("*"),
    "slashes": over("/"),
    "backslashes": over("\\"),
    "signs of at": over("@"),
    "question marks": over("?"),
    "pipes": over("|"),
    "dollar signs": over("$"),
    "hash signs": over("#"),
    "carriage returns": over("\r"),
    "line ends of two signs": over("\r\n"),
    "form feeds": over("\f"),
    "blanks that break no line": over("\u00a0"),
    "underscores": over("_"),
    "one Cyrillic letter": over("я"),
    "small letters and capitals": over("aB"),
    "initials": over("J. "),
    "blanks": over(" "),
    "line ends": over("\n"),
    "tabs": over("\t"),
    "wide blanks": over("John\u3000"),
    "characters of no width": over("John\u200b"),
    "soft hyphens": over("Jo\u00adhn "),
    "combining marks": over("e\u0301 "),
    "marks on one letter": over("\u0301"),
    "right-to-left marks": over("\u202eJohn\u202c "),
    "right-to-left letters": over("יוחנן כהן "),
    "underlines": over("_John_ "),
    "names that underlines join": over("Mr_John_Brandvold.pdf "),
    "characters as percent signs": over("%4A%C3%B6"),
    "characters as entities": over("J&ouml;rg&nbsp;"),
    "a year": over("2024 "),
    "a date": over("4 May 1971 "),
    "a date with slashes": over("04/05/1971 "),
    "an amount": over("$ 1,250.00 "),
    "an address": over("12 Main Street, Springfield, IL 62701\n"),
    "a mail address": over("john.brandvold@example.org "),
    "signs of mail addresses": over("a@"),
    "an address of the web": over("https://www.example.org/a?b=c "),
    "a phone number": over("617-555-0142 "),
    "a telephone number said": over("five five five zero one "),
    "an illness": over("type 2 diabetes "),
    "a sentence": over("The claim was reviewed and the appeal was denied after a hearing. "),
    "a sentence in three languages": over("The claim. Le dossier est là. Der Antrag ist da. "),
    # many different
    "words": filled(_random(lambda r: _word(r) + " ")),
    "words with capitals": filled(_random(lambda r: _word(r).title() + " ")),
    "words in capitals": filled(_random(lambda r: _word(r).upper() + " ")),
    "names": filled(lambda: (f"{name} " for name in names())),
    "names in mixed order": filled(_names("{} ")),
    "names in sentences": filled(_names("Ms. {} called. ")),
    "names in lines": filled(_names("Patient: {}\n")),
    "names with commas": filled(_names("{}, ")),
    "IBANs": filled(_ibans),
    "patient numbers": filled(_numbers("Patient ID {}. ")),
    "claim numbers": filled(_numbers("claim #A{}-LK, ")),
    "phone numbers": filled(_numbers("{} 617-555-0142 ")),
    "mail addresses": filled(_numbers("p{}@example.org ")),
    "addresses of the web": filled(_numbers("https://example.org/{} ")),
    "dates": filled(
        _random(lambda r: f"{r.randint(1, 28)}.{r.randint(1, 12)}.{r.randint(1930, 2024)} ")
    ),
    "house numbers": filled(_numbers("{} Main Street, Springfield\n")),
    "log lines": filled(_random(_log)),
    "HTML": filled(
        _random(lambda r: f'<div class="{_word(r)}"><p>{_word(r).title()} {_word(r)}</p></div>')
    ),
    "a table with a column": filled(_table(1, "|")),
    "a table with 200 columns": filled(_table(200, "|")),
    "a table parted by blanks": filled(_table(8, "   ")),
    "a table parted by commas": filled(_table(12, ",")),
    "JSON in the text": _records,
    "nested JSON in the text": _nested_text,
    "HL7": over("PID|1||0088213^^^GH^MR||ROTH^ANNA^M||19610503|F|||14 CANAL BANK^^ATHLONE\n"),
    "a chat": filled(_random(lambda r: f"{_word(r)}: {_word(r)} {_word(r)}?\n")),
    "quoted mail": over("> > On 4 May 2024, John Brandvold wrote:\n"),
    # metadata
    "wide metadata": _metadata(lambda n: {f"key {i}": "x" for i in range(n)}, 20),
    "wide metadata of names": _metadata(
        lambda n: {f"person {i}": name for i, name in enumerate(_taken(n))}, 30
    ),
    "a list of names": _metadata(lambda n: {"persons": _taken(n)}, 20),
    "numbers in metadata": _metadata(lambda n: {"pages": list(range(n))}, 8),
    "texts in metadata": _metadata(
        lambda n: {"notes": [f"Ms. {name} called about her claim." for name in _taken(n)]}, 60
    ),
    "named values in metadata": _metadata(
        lambda n: {"fields": [{"name": f"field {i}", "value": "x"} for i in range(n)]}, 40
    ),
    "a long text in metadata": _metadata(lambda n: {"note": "John Brandvold " * n}, 15),
    "deep metadata": _deep,
}  # fmt: skip
"""Shape by name."""
