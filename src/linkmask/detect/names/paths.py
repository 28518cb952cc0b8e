"""Reads paths, host names and names of files: "people/solveig-brandvold", "pc-brandvold".

There, a name has no blanks and mostly no capitals, and other words touch it. A segment is a
person's if the gazetteers have its given name and its surname, if it stands behind one such as
"people/" or a title and its words are no prose ("Mr_Roth.pdf"), or behind "~", where users have
their pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.detect.lexicon.name_words import is_given_name, is_surname, may_be_in_name
from linkmask.detect.lexicon.word_features import FEATURES, LABEL, TITLE
from linkmask.detect.structured.user_names import NO_USERS
from linkmask.schema import compiled, types
from linkmask.text.letters import word_key

IN_PATH = "person's path"
"""The rule of a name that stands in a path alone."""
SCORE = 0.8
LONGEST = 2_000
"""Characters of a run that is read: a longer one is encoded data."""
MOST_PARTS = 4
"""Words of a person's segment, at most."""
MOST = 64
"""Words of a run that are read."""
RUN = re.compile(r"[^\s\"'<>|,;()\[\]{}*`“”„«»]+")
"""What blanks, brackets or quotation marks end: a word, a path, a URL, a name of a host or file."""
_FILE = compiled("paths_file")
_HOST = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)+\W*\Z")
_WORD = compiled("paths_word")
"""A word of a run: a capital behind a small letter begins another one."""
_BEFORE = TITLE | LABEL
_OF_PEOPLE = frozenset(map(word_key, schema.words("hosts")["segments"]["people"].split()))
_JOINT = re.compile(r"(?:[._+-]|%20){1,2}")
_SEGMENT_ENDS = frozenset("/\\?#=&~:")
_ENDS_BEHIND = re.compile(r"(?:[-_.]?\d{1,8})?(?:\.[A-Za-z]\w{1,4})?(?:[/\\?#&]|[.!?:]*\Z)")


class Word(NamedTuple):
    """A word of a run, with its key for lists."""

    start: int
    end: int
    key: str


def is_path(run: str) -> bool:
    """Tell whether a run is a path, a URL, a host's name or a file's, and no mail address."""
    if run.isalnum() or "@" in run or len(run) > LONGEST:
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


def path_words(run: str) -> Sequence[Word]:
    """Return the first `MOST` words of a path."""
    return [Word(*part.span(), word_key(part[0])) for part in _WORD.finditer(run)][:MOST]


def are_joined(run: str, one: Word, other: Word) -> bool:
    """Tell whether two words of a path belong to one segment of it."""
    joint = run[one.end : other.start]
    return not joint or _JOINT.fullmatch(joint) is not None


def persons_of_path(run: str, words: Sequence[Word]) -> Iterator[Candidate]:
    """Yield segments of a path that name a person by themselves, and names of files that do."""
    before, at = "", 0
    while at < len(words):
        first = at
        while at + 1 < len(words) and are_joined(run, words[at], words[at + 1]):
            at += 1
        own = _without_ending(run, words[first : at + 1])
        start, end = own[0].start, own[-1].end
        mark, segment = run[:start][-1:], run[start:end]
        begins = mark in _SEGMENT_ENDS if mark else "_" in segment
        if begins and _ENDS_BEHIND.match(run, end):
            home = mark == "~" and run[start - 2 : start - 1] in _SEGMENT_ENDS
            user = home and len(segment) > 2 and segment.lower() not in NO_USERS
            if named := own if user else _name_in(run, own, before in _OF_PEOPLE):
                yield Candidate(
                    named[0].start, named[-1].end, types.NAME, "lexicon", IN_PATH, SCORE
                )
        before, at = words[at].key, at + 1


def _name_in(run: str, own: Sequence[Word], of_people: bool) -> Sequence[Word]:
    """Return the words of a segment that are a name: behind a title, a label or another word."""
    spelled = [run[one.start : one.end] for one in own]
    titled = max((n + 1 for n, one in enumerate(spelled) if FEATURES[one] & _BEFORE), default=0)
    own, proper = own[titled:], all(map(str.istitle, spelled[titled:]))
    keys = [one.key for one in own]
    if titled and proper and len(keys) == 1 and _is_no_word(keys[0]):
        return own
    sure = of_people or (titled > 0 and proper)
    if not sure:
        given = next((n for n, key in enumerate(keys[:-1]) if is_given_name(key)), 0)
        own, keys = own[given:], keys[given:]
    return own if _is_name(keys, sure, sure or proper) else ()


def _without_ending(run: str, own: Sequence[Word]) -> Sequence[Word]:
    """Return the words of a segment without the ending of a file: "brandvold_anna.pdf"."""
    if len(own) < 3 or len(own[-1].key) > 5 or own[-1].end < len(run.rstrip(".!?:")):
        return own
    joints = [run[one.end : other.start] for one, other in pairwise(own)]
    return own[:-1] if joints[-1] == "." and {*joints} != {"."} else own


def _is_name(parts: Sequence[str], of_people: bool, proper: bool) -> bool:
    """Are the words of a segment a given name and a surname, in either order?

    `proper`: they have capitals, and the surname may be unlisted. `of_people`: a title, or the path
    before, says that a person is named there. Then both may be in no list and no vocabulary.
    """
    if not 1 < len(parts) <= MOST_PARTS or min(map(len, parts[:: len(parts) - 1])) < 2:
        return False
    if of_people and all(map(_is_no_word, parts)):
        return True
    both = ((parts[0], parts[-1]), (parts[-1], parts[0]))
    return any(_are_names(given, other, proper) for given, other in both)


def _are_names(given: str, other: str, proper: bool) -> bool:
    first = len(other) > 2 and is_given_name(given) and may_be_in_name(given.capitalize())
    return first and (is_surname(other) or (proper and _is_no_word(other)))


def _is_no_word(part: str) -> bool:
    """Is a word of a path neither frequent in any language nor in a list of other words?"""
    return not is_everyday(part) and may_be_in_name(part.capitalize())
