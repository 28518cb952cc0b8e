"""Finds names in paths, host names and names of files: "people/solveig-brandvold", "pc-brandvold".

There, a name has no capitals and no blanks, and other words touch it. The names of a document's
persons are searched for in all these forms. Two other words of a path are a name if the gazetteers
have a given name and a surname, or a given name and, behind a segment such as "people/", any word
that no vocabulary has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.word_features import FIELD, MARKS, PLACE, SURNAME
from linkmask.detect.name_words import is_given_name, may_be_in_name
from linkmask.detect.relevance.rarity import is_everyday
from linkmask.schema import types
from linkmask.text.letters import word_key

IN_PATH = "person's path"
"""The rule of a name that stands in a path alone."""
FOUND, ALONE = 0.9, 0.8
"""Scores of a name of the document, and of one that stands in paths alone."""
LEAST = 4
"""Letters of one word that names a person by itself."""
LONGEST = 2_000
"""Characters of a run that is read: a longer one is encoded data."""
MOST = 64
"""Words of a run that are read."""
_RUN = re.compile(r"[^\s\"'<>|,;()\[\]{}*`“”„«»]+")
"""What blanks, brackets or quotation marks end: a path, a URL, a name of a host or a file."""
_FILE = re.compile(
    r"[^\W_][_-]\w.*\.[A-Za-z]\w{1,4}\W*\Z|[^\W_]\.(?:docx?|pdf|jpe?g|png|xlsx?)\W*\Z"
)
_HOST = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)+\W*\Z")
_WORD = re.compile(
    r"[^\W\d_](?:[a-zß-öø-ÿ\u0300-\u036f]+|[^\W\d_]*?(?=[^\W\d_a-zß-öø-ÿ][a-zß-öø-ÿ]|[\W\d_]|\Z))"
)
"""A word of a run: a capital behind a small letter begins another one."""
_HOST_OF = re.compile(r"https?://([^/\\?#:]+)\S*?(?=[.!?:]*\Z)")
"""A URL; where its host has a person's name, all of it is that person's."""
_JOINT = re.compile(r"(?:[._+-]|%20){1,2}")
_SEGMENT_ENDS = frozenset("/\\?#=&~:")
_ENDS_BEHIND = re.compile(r"(?:[-_.]?\d{1,8})?(?:\.[A-Za-z]\w{1,4})?(?:[/\\?#&]|[.!?:]*\Z)")


class _Word(NamedTuple):
    start: int
    end: int
    key: str


class PersonsOfDocument(NamedTuple):
    """The names of a document's persons as paths have them: folded words, pairs, joined stems."""

    words: Collection[str]
    pairs: Collection[tuple[str, str]]
    stems: Collection[str]


def persons_of(
    names: Iterable[str], words: Iterable[str], stems: Collection[str]
) -> PersonsOfDocument:
    """Return what to search for.

    Args:
        names: full names as they are written.
        words: words that name a person wherever they stand, in small letters.
        stems: user names without joints, folded.
    """
    pairs = set[tuple[str, str]]()
    for name in names:
        parts = [word_key(part) for part in re.findall(r"[^\W\d_]+", name)]
        pairs |= {(a, b) for a in parts for b in parts if a != b and min(len(a), len(b)) > 1}
    alone = {word_key(word) for word in words}
    return PersonsOfDocument(
        frozenset(word for word in alone if len(word) >= LEAST and not is_everyday(word)),
        pairs,
        stems,
    )


def names_in_paths(text: str, persons: PersonsOfDocument) -> Iterator[Candidate]:
    """Yield the names of persons in the paths and names of files in a text, in linear time."""
    for run in _RUN.finditer(text):
        if run.end() - run.start() > LONGEST or not _is_path(run[0]):
            continue
        words = [
            _Word(*part.span(), word_key(part[0]))
            for part in _WORD.finditer(text, run.start(), run.end())
        ][:MOST]
        found = list(_of_document(text, words, persons))
        host = _HOST_OF.search(text, run.start(), run.end())
        if host and any(host.start(1) <= start < host.end(1) for start, _ in found):
            found = [host.span()]
        for start, end in found:
            yield Candidate(start, end, types.NAME, "lexicon", "name in path", FOUND)
        if not found:
            yield from _alone(text, words, run.end())


def _is_path(run: str) -> bool:
    if not any(mark in run for mark in "/\\_-.") or "@" in run:
        return False
    slashes = run.count("/") + run.count("\\")
    return (
        "://" in run
        or slashes > 1
        or (slashes == 1 and (run[0] in "/\\" or "." in run or run[-1] in "/\\"))
        or "=" in run
        or _FILE.search(run) is not None
        or _HOST.match(run) is not None
        or ("_" in run and any(map(str.isalpha, run)))
    )


def _of_document(
    text: str, words: Sequence[_Word], persons: PersonsOfDocument
) -> Iterator[tuple[int, int]]:
    """Yield spans of words that name a person of the document; a name's words are one span."""
    at = 0
    while at < len(words):
        last = at
        while last + 1 < len(words) and (
            (words[last].key, words[last + 1].key) in persons.pairs
            and _joined(text, words[last], words[last + 1])
        ):
            last += 1
        if last > at or words[at].key in persons.words or words[at].key in persons.stems:
            yield words[at].start, words[last].end
        at = last + 1


def _alone(text: str, words: Sequence[_Word], end: int) -> Iterator[Candidate]:
    """Yield segments of a path that are a name by the gazetteers alone."""
    before = ""
    for first, second in pairwise(words):
        mark = text[first.start - 1 : first.start]
        whole = (
            mark in _SEGMENT_ENDS
            and _joined(text, first, second)
            and _ENDS_BEHIND.match(text, second.end, end) is not None
        )
        if whole and _is_name(first.key, second.key, mark == "~" or before in _of_people()):
            yield Candidate(first.start, second.end, types.NAME, "lexicon", IN_PATH, ALONE)
        before = first.key


@cache
def _of_people() -> frozenset[str]:
    return frozenset(map(word_key, schema.words("hosts")["segments"]["people"].split()))


def _is_name(first: str, second: str, of_people: bool) -> bool:
    """Are two words of a path a given name and a surname, in either order?

    `of_people`: the path says that a person is named there, so that the surname may be unlisted.
    """
    for given, other in ((first, second), (second, first)):
        if len(other) > 2 and is_given_name(given) and may_be_in_name(given.capitalize()):
            marks = MARKS[other.capitalize()]
            listed = marks & SURNAME and not marks & (FIELD | PLACE)
            if listed or (of_people and may_be_in_name(other.capitalize())):
                return True
    return False


def _joined(text: str, one: _Word, other: _Word) -> bool:
    joint = text[one.end : other.start]
    return not joint or _JOINT.fullmatch(joint) is not None
