"""Finds names in paths, host names and names of files: "people/solveig-brandvold", "pc-brandvold".

There, a name has no capitals and no blanks, and other words touch it. The names of a document's
persons are searched for in all these forms. Another segment of a path is a name if the gazetteers
have its given name and its surname, if it stands behind one such as "people/" and its words are no
prose, or behind "~", where users have their pages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.word_features import (
    AGENT,
    CAP,
    FIELD,
    GIVEN,
    MARKS,
    PHRASE,
    PLACE,
    SURNAME,
    WORDY,
)
from linkmask.detect.name_words import is_given_name, may_be_in_name
from linkmask.detect.relevance.rarity import is_everyday
from linkmask.detect.user_names import no_users
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
MOST_PARTS = 4
"""Words of a person's segment, at most."""
MOST = 64
"""Words of a run that are read."""
_STOPS = r"\s\"'<>|,;()\[\]{}*`“”„«»"
_RUN, _STOP = re.compile(f"[^{_STOPS}]+"), re.compile(f"[{_STOPS}]")
"""What blanks, brackets or quotation marks end: a path, a URL, a name of a host or a file."""
_MARK = re.compile(r"[/\\_=]|[.-](?<=[^\W_].)(?=[^\W_])")
"""What joins the words of such a run."""
_FILE = re.compile(
    r"[^\W_][_-]\w.*\.[A-Za-z]\w{1,4}\W*\Z|[^\W_]\.(?:docx?|pdf|jpe?g|png|xlsx?)\W*\Z"
)
_HOST = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)+\W*\Z")
_WORD = re.compile(
    r"[^\W\d_](?:[a-zß-öø-ÿ\u0300-\u036f]+|[^\W\d_]*?(?=[^\W\d_a-zß-öø-ÿ][a-zß-öø-ÿ]|[\W\d_]|\Z))"
)
"""A word of a run: a capital behind a small letter begins another one."""
_JOINT = re.compile(r"(?:[._+-]|%20){1,2}")
_SEGMENT_ENDS = frozenset("/\\?#=&~:")
_ENDS_BEHIND = re.compile(r"(?:[-_.]?\d{1,8})?(?:\.[A-Za-z]\w{1,4})?(?:[/\\?#&]|[.!?:]*\Z)")


_LISTED = ~reduce(or_, AGENT.values(), CAP | PHRASE | GIVEN | SURNAME | WORDY)
"""What a word is by a list, but for lists of names."""


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
        names: full names as they are written; an address of a user's page is left out.
        words: words that name a person wherever they stand, in small letters.
        stems: user names without joints, folded.
    """
    pairs = set[tuple[str, str]]()
    for name in names:
        if _is_path(name):
            continue
        parts = [word_key(part) for part in re.findall(r"[^\W\d_]+", name)[:MOST_PARTS]]
        pairs |= {(a, b) for a in parts for b in parts if a != b and min(len(a), len(b)) > 1}
    alone = {word_key(word) for word in words}
    return PersonsOfDocument(
        frozenset(word for word in alone if len(word) >= LEAST and not is_everyday(word)),
        pairs,
        stems,
    )


def names_in_paths(text: str, persons: PersonsOfDocument) -> Iterator[Candidate]:
    """Yield the names of persons in the paths and names of files in a text, in linear time."""
    for start, end in _paths(text):
        words = [
            _Word(*part.span(), word_key(part[0])) for part in _WORD.finditer(text, start, end)
        ][:MOST]
        for first, last in _of_document(text, words, persons):
            yield Candidate(first, last, types.NAME, "lexicon", "name in path", FOUND)
        yield from _alone(text, words, end)


def _paths(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of paths, URLs and names of hosts and files; prose is skipped fast."""
    end = 0
    for mark in _MARK.finditer(text):
        if mark.start() < end:
            continue
        start = mark.start()
        while start > end and not _STOP.match(text, start - 1):
            start -= 1
        run = _RUN.match(text, mark.start())
        end = run.end() if run else mark.end()
        if end - start <= LONGEST and _is_path(text[start:end]):
            yield start, end


def _is_path(run: str) -> bool:
    if "@" in run:
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
    """Yield segments of a path that name a person by themselves."""
    before, at = "", 0
    while at < len(words):
        first = last = words[at]
        mark = text[first.start - 1 : first.start]
        while mark and at + 1 < len(words) and _joined(text, last, words[at + 1]):
            at, last = at + 1, words[at + 1]
        segment = text[first.start : last.end]
        if mark in _SEGMENT_ENDS and _ENDS_BEHIND.match(text, last.end, end):
            own = [word for word in words if first.start <= word.start < last.end]
            home = mark == "~" and text[first.start - 2 : first.start - 1] in _SEGMENT_ENDS
            named = home and len(segment) > 2 and segment.lower() not in no_users()
            keys = [one.key for one in own]
            if named or _is_name(keys, before in _of_people(), "." in segment):
                yield Candidate(first.start, last.end, types.NAME, "lexicon", IN_PATH, ALONE)
        before, at = last.key, at + 1


@cache
def _of_people() -> frozenset[str]:
    return frozenset(map(word_key, schema.words("hosts")["segments"]["people"].split()))


def _is_name(parts: Sequence[str], of_people: bool, dotted: bool) -> bool:
    """Are the words of a segment a given name and a surname, in either order?

    `of_people`: the path says that a person is named there. Then the surname may be unlisted, or
    both may be in no list and no vocabulary; joined by a point, as user names are, in no list.
    """
    if not 1 < len(parts) <= MOST_PARTS or min(map(len, parts[:: len(parts) - 1])) < 2:
        return False
    plain = of_people and all(map(_is_no_word, parts))
    if plain and (dotted or all(may_be_in_name(part.capitalize()) for part in parts)):
        return True
    for given, other in ((parts[0], parts[-1]), (parts[-1], parts[0])):
        if len(other) > 2 and is_given_name(given) and may_be_in_name(given.capitalize()):
            marks = MARKS[other.capitalize()]
            if marks & SURNAME and not marks & (FIELD | PLACE):
                return True
            if of_people and _is_no_word(other):
                return True
    return False


def _is_no_word(part: str) -> bool:
    """Is a word of a path neither frequent in any language nor in a list of other words?"""
    return not is_everyday(part) and not MARKS[part.capitalize()] & _LISTED


def _joined(text: str, one: _Word, other: _Word) -> bool:
    joint = text[one.end : other.start]
    return not joint or _JOINT.fullmatch(joint) is not None
