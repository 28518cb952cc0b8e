"""What masking costs texts that speak of nobody, and whether it finds what is planted in them.

    python benchmarks/domains.py [--language en,fr] [--kind readme,log] [--found] [--installed N]

The texts are READMEs, contracts, news, product texts, code, logs, recipes and manuals in seven
languages, made from benchmarks/domains/*.txt (README there). They are masked as one corpus at the
default settings, once as they are and once with direct identifiers planted. Figures by kind and
language:

words     share of the words that are masked in the texts as they are, in percent
over      texts as they are whose risk reaches a limit: their own, or that of a chain they are in
found     share of the planted direct identifiers that are masked whole, by type

`--found` lists what is masked in the texts as they are. `--installed N` reads the descriptions of
up to N packages installed beside this one, too, and measures the masked words and the texts over a
limit; these may name authors, so some of what is masked there is right.
"""

from __future__ import annotations

import argparse
import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import phonenumbers
from stdnum import iban
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.iso7064 import mod_11_10
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pt import nif

import linkmask
from linkmask.config import Settings

FOLDER = Path(__file__).parent / "domains"
DOCUMENTS = 6
"""Documents of each kind in each language."""
PIECES = 5
"""Pieces of text in a document, at most."""
PLANTED = 4
"""Lines with a direct identifier in the second version of a document."""

CHOICE = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
SLOT = re.compile(r"\{([A-Z_]+)\}")
WORD = re.compile(r"\w+")


class Span(NamedTuple):
    """A planted value: its offsets in the text, and its type."""

    start: int
    end: int
    type: str


@dataclass(frozen=True)
class Text:
    """A made text: its language, kind, and what is planted in it."""

    id: str
    language: str
    kind: str
    text: str
    spans: tuple[Span, ...] = ()


# ── texts ───────────────────────────────────────────────────────────────────────────────────────


def documents(planted: bool = False) -> list[Text]:
    """Return all texts; the same every time. `planted`: with direct identifiers in them."""
    made = []
    for path in sorted(FOLDER.glob("*.txt")):
        sections = _sections(path)
        for kind in sections:
            if kind in {"planted", "names", "addresses"}:
                continue
            for number in range(DOCUMENTS):
                draw = random.Random(f"{path.stem}-{kind}-{number}")
                name = f"{path.stem}-{kind}-{number}"
                pieces = _pieces(sections[kind], draw)
                text, spans = _with_planted(pieces, path.stem, sections, draw, planted)
                made.append(Text(name, path.stem, kind, text, tuple(spans)))
    return made


def _sections(path: Path) -> dict[str, list[str]]:
    """Return the pieces of each section of a file of templates ("== kind", "--" between pieces)."""
    parts = re.split(r"(?m)^== (\w+)\n", path.read_text("utf-8"))[1:]
    heads, bodies = parts[::2], parts[1::2]
    listed = {"planted", "names", "addresses"}
    return {
        head: body.strip().split("\n") if head in listed else re.split(r"\n--\n", body.strip("\n"))
        for head, body in zip(heads, bodies, strict=True)
    }


def _pieces(templates: Sequence[str], draw: random.Random) -> list[str]:
    """Return some pieces in their order, the first always, each alternative chosen."""
    count = min(PIECES, len(templates) - 1)
    chosen = [0, *sorted(draw.sample(range(1, len(templates)), count - 1))]
    return [CHOICE.sub(lambda m: draw.choice(m[1].split("|")), templates[n]) for n in chosen]


def _with_planted(
    pieces: Sequence[str],
    language: str,
    sections: Mapping[str, Sequence[str]],
    draw: random.Random,
    planted: bool,
) -> tuple[str, list[Span]]:
    """Return the text of the pieces, and what is planted on lines of its own between them."""
    lines = draw.sample(sections["planted"], PLANTED) if planted else []
    at: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        at[draw.randrange(1, len(pieces) + 1)].append(line)
    text, spans = "", list[Span]()
    for number, piece in enumerate([*pieces, ""]):
        for line in at.get(number, ()):
            kind, _, template = line.partition(" ")
            slot = SLOT.search(template)
            assert slot, f"no slot in {template!r}"
            value = VALUES[slot[1]](language, sections, draw)
            start = len(text) + slot.start()
            spans.append(Span(start, start + len(value), kind))
            text += f"{template[: slot.start()]}{value}{template[slot.end() :]}\n\n"
        text += f"{piece}\n\n" if piece else ""
    return text, spans


# ── planted values ──────────────────────────────────────────────────────────────────────────────

Sections = Mapping[str, Sequence[str]]


def _mail(language: str, sections: Sections, draw: random.Random) -> str:
    name = unicodedata.normalize("NFD", draw.choice(sections["names"]).lower())
    first, _, last = name.replace("ı", "i").partition(" ")
    local = re.sub(r"[^a-z.]", "", f"{first}.{last}")
    host = draw.choice(("posteo", "mailbox", "kontor", "example"))
    return f"{local}@{host}.{draw.choice(('org', 'net', 'com'))}"


PREFIXES = {
    "en": ("US", ("415", "312", "617")), "fr": ("FR", ("1 42", "6 12", "4 78")),
    "de": ("DE", ("30", "221", "151")), "es": ("ES", ("91", "612", "93")),
    "it": ("IT", ("02", "06", "347")), "nl": ("NL", ("20", "6", "30")),
    "pt": ("PT", ("21", "912", "22")),
}  # fmt: skip
"""Language → country whose numbers are planted, and beginnings of national numbers."""


def _phone(language: str, sections: Sections, draw: random.Random) -> str:
    country, beginnings = PREFIXES[language]
    while True:
        head = draw.choice(beginnings).replace(" ", "")
        digits = head + "".join(draw.choices("0123456789", k=9 - len(head) + (country == "US")))
        number = phonenumbers.parse(digits, country)
        if phonenumbers.is_valid_number(number):
            form = draw.choice(("NATIONAL", "INTERNATIONAL"))
            return phonenumbers.format_number(number, getattr(phonenumbers.PhoneNumberFormat, form))


ACCOUNTS = {
    "en": ("GB", "NWBK", 14), "fr": ("FR", "", 23), "de": ("DE", "", 18), "es": ("ES", "", 20),
    "it": ("IT", "X", 22), "nl": ("NL", "INGB", 10), "pt": ("PT", "", 21),
}  # fmt: skip
"""Language → country of an account, the letters it begins with, and how many digits follow."""


def _iban(language: str, sections: Sections, draw: random.Random) -> str:
    country, letters, length = ACCOUNTS[language]
    body = letters + "".join(draw.choices("0123456789", k=length))
    number = country + iban.calc_check_digits(f"{country}00{body}") + body
    return draw.choice((number, iban.format(number)))


def _digits(draw: random.Random, count: int) -> str:
    return str(draw.randint(1, 9)) + "".join(draw.choices("0123456789", k=count - 1))


def _of_us(draw: random.Random) -> str:
    return f"{draw.randint(100, 649)}-{draw.randint(10, 99)}-{draw.randint(1000, 9999)}"


def _of_fr(draw: random.Random) -> str:
    body = f"{draw.randint(1, 2)}{draw.randint(40, 99)}{draw.randint(1, 12):02}"
    body += f"{draw.randint(10, 89)}{draw.randint(1, 400):03}{draw.randint(1, 300):03}"
    number = body + nir.calc_check_digits(body)
    return draw.choice((number, nir.format(number)))


def _of_de(draw: random.Random) -> str:
    while True:
        body = _digits(draw, 10)
        number = body + mod_11_10.calc_check_digit(body)
        if idnr.is_valid(number):
            return draw.choice((number, idnr.format(number)))


def _of_es(draw: random.Random) -> str:
    body = _digits(draw, 8)
    return body + dni.calc_check_digit(body)


def _of_it(draw: random.Random) -> str:
    body = "".join(draw.choices("BCDFGLMNPRSTV", k=6)) + f"{draw.randint(40, 99)}"
    body += draw.choice("ABCDEHLMPRST") + f"{draw.randint(1, 28):02}H{draw.randint(100, 999)}"
    return body + codicefiscale.calc_check_digit(body)


def _until(valid: Callable[[str], bool], draw: random.Random, count: int) -> str:
    while not valid(number := _digits(draw, count)):
        pass
    return number


IDS: Mapping[str, Callable[[random.Random], str]] = {
    "en": _of_us, "fr": _of_fr, "de": _of_de, "es": _of_es, "it": _of_it,
    "nl": lambda draw: _until(bsn.is_valid, draw, 9),
    "pt": lambda draw: "2" + _until(lambda rest: nif.is_valid("2" + rest), draw, 8),
}  # fmt: skip
"""Language → a valid national number of its country: US, FR, DE, ES, IT, NL, PT."""

VALUES: Mapping[str, Callable[[str, Sections, random.Random], str]] = {
    "NAME": lambda language, sections, draw: draw.choice(sections["names"]),
    "ADDRESS": lambda language, sections, draw: draw.choice(sections["addresses"]),
    "EMAIL": _mail,
    "PHONE": _phone,
    "IBAN": _iban,
    "NATIONAL_ID": lambda language, sections, draw: IDS[language](draw),
}


@cache
def _learned_from() -> frozenset[str]:
    """Return the names of the packages whose descriptions the tagger learned from."""
    listed = Path(__file__).parents[1] / "requirements" / "negatives.txt"
    return frozenset(re.findall(r"^([\w.-]+)==", listed.read_text("utf-8"), re.MULTILINE))


@cache
def installed(limit: int) -> list[Text]:
    """Return descriptions of packages installed beside this one, at most so many.

    Packages that the tagger learned from are left out.
    """
    texts = []
    for one in sorted(metadata.distributions(), key=lambda d: d.metadata["Name"] or ""):
        text = one.metadata.get_payload()  # type: ignore[attr-defined]
        if re.sub(r"[_.]", "-", (one.metadata["Name"] or "").lower()) in _learned_from():
            continue
        if isinstance(text, str) and len(text) > 200 and len(texts) < limit:
            texts.append(Text(f"installed-{one.metadata['Name']}", "en", "installed", text))
    return texts


# ── measuring ───────────────────────────────────────────────────────────────────────────────────


@dataclass
class Harm:
    """What masking took of one kind in one language."""

    words: int = 0
    masked: int = 0
    texts: int = 0
    over: int = 0


Cell = tuple[str, str]
"""Kind or type, and language."""


class Hit(NamedTuple):
    """A masked span, its text and type."""

    id: str
    text: str
    type: str


def harm(texts: Sequence[Text], settings: Settings) -> tuple[dict[Cell, Harm], list[Hit]]:
    """Mask texts as one corpus; return the harm by kind and language, and what is masked."""
    result = linkmask.mask([{"id": one.id, "content": one.text} for one in texts], settings)
    over = _over(result, settings)
    rows: dict[Cell, Harm] = defaultdict(Harm)
    hits = []
    by_id = {one.id: one for one in texts}
    for masked in result.documents:
        one = by_id[masked.id]
        row = rows[one.kind, one.language]
        row.texts += 1
        row.over += one.id in over
        row.words += len(WORD.findall(one.text))
        for each in masked.replacements:
            surface = one.text[each.start : each.end]
            row.masked += len(WORD.findall(surface))
            hits.append(Hit(one.id, surface, each.type))
    return rows, hits


def _over(result: linkmask.Result, settings: Settings) -> set[str]:
    """Return the texts that reach a limit before masking: their own, or that of a chain."""
    names = result.scan.incidence.documents
    over = {names[n] for n, risk in enumerate(result.risk.documents) if risk >= settings.theta_doc}
    chains = result.risk.chains
    for row, risk in zip(chains.documents, chains.risk, strict=True):
        if risk >= settings.theta_chain:
            over |= {names[n] for n in row if n >= 0}
    return over


def found(texts: Sequence[Text], settings: Settings) -> tuple[Counter[Cell], Counter[Cell]]:
    """Mask texts; return how many planted values are masked whole, and how many there are.

    Both by type and language.
    """
    result = linkmask.mask([{"id": one.id, "content": one.text} for one in texts], settings)
    hit, all_of = Counter[Cell](), Counter[Cell]()
    by_id = {masked.id: masked for masked in result.documents}
    for one in texts:
        covered = bytearray(len(one.text))
        for each in by_id[one.id].replacements if one.id in by_id else ():
            covered[each.start : each.end] = b"\1" * (each.end - each.start)
        for start, end, kind in one.spans:
            whole = all(
                all(covered[start + w.start() : start + w.end()])
                for w in WORD.finditer(one.text[start:end])
            )
            all_of[kind, one.language] += 1
            hit[kind, one.language] += whole
    return hit, all_of


# ── printing ────────────────────────────────────────────────────────────────────────────────────


def table(cells: Mapping[Cell, str]) -> Iterator[str]:
    """Yield the lines of a Markdown table: rows by kind or type, columns by language."""
    rows, columns = (list(dict.fromkeys(key[n] for key in cells)) for n in (0, 1))
    yield "| | " + " | ".join(columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for row in rows:
        yield f"| {row} | " + " | ".join(cells.get((row, c), "") for c in columns) + " |"


def show_harm(texts: Sequence[Text], settings: Settings, list_hits: bool) -> None:
    """Print the harm to some texts."""
    rows, hits = harm(texts, settings)
    words, masked, count, over = (
        sum(getattr(row, name) for row in rows.values())
        for name in ("words", "masked", "texts", "over")
    )
    share = 100 * masked / words
    print(f"{count} texts, {words} words: {share:.2f} % masked, {over} texts over a limit\n")
    cells = {key: f"{100 * r.masked / r.words:.1f} ({r.over})" for key, r in rows.items()}
    print("\n".join(table(cells)))
    print("\nPercent of the words masked; in brackets: texts over a limit.")
    by_type = Counter(hit.type for hit in hits).most_common()
    print("Masked by type: " + ", ".join(f"{kind} {n}" for kind, n in by_type))
    if list_hits:
        for (kind, surface), n in Counter((hit.type, hit.text) for hit in hits).most_common():
            print(f"{n:4} {kind:20} {surface!r}")


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--language", default="", help="of these languages only, comma-separated")
    parser.add_argument("--kind", default="", help="of these kinds only, comma-separated")
    parser.add_argument("--found", action="store_true", help="list what is masked")
    parser.add_argument("--installed", metavar="N", type=int, default=0)
    parser.add_argument("--detector", default="embedded")
    given = parser.parse_args()
    settings = Settings(detector=given.detector)

    def wanted(texts: Sequence[Text]) -> list[Text]:
        languages = given.language.split(",") if given.language else [one.language for one in texts]
        kinds = given.kind.split(",") if given.kind else [one.kind for one in texts]
        return [one for one in texts if one.language in languages and one.kind in kinds]

    show_harm(wanted(documents()), settings, given.found)
    hit, all_of = found(wanted(documents(planted=True)), settings)
    print(f"\nplanted: {hit.total() / all_of.total():.3f} of {all_of.total()} masked whole\n")
    print("\n".join(table({key: f"{hit[key] / n:.2f}" for key, n in sorted(all_of.items())})))
    if given.installed:
        print("\ndescriptions of installed packages")
        show_harm(installed(given.installed), settings, given.found)


if __name__ == "__main__":
    main()
