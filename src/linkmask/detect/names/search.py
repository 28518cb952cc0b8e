"""Searches a text for the names of its document: alone, in user names, in paths and file names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import (
    is_common_word,
    is_usual_name,
    vocabulary_covers,
)
from linkmask.detect.lexicon.word_features import FEATURES, FUNCTION
from linkmask.detect.names.name_parts import NameParts
from linkmask.detect.names.paths import RUN, Word, are_joined, is_path, path_words, persons_of_path
from linkmask.detect.names.word_or_name import ALSO_WORD, stands_for_person
from linkmask.detect.resolve import LEARNED
from linkmask.detect.structured.user_names import announces_user
from linkmask.schema import compiled, types, types_of
from linkmask.text.letters import word_key

AGAIN, USER, PART_OF_PATH = "name again", "user-name-of-person", "name in path"
SMALL, ANNOUNCED = "name in small letters", "user announced"
"""Rules of a word of a name alone, of a user name, of a name in a path, of one in small letters,
and of a user name that may be a word of prose as well."""
SCORE = {AGAIN: 0.6, USER: 0.9, PART_OF_PATH: 0.9, SMALL: 0.6, ANNOUNCED: 0.9, ALSO_WORD: 0.6}
_WORD = compiled("search_word")
"""A word with a capital, or several that hyphens join, and the next one, if that has a capital,
too; no part of an address."""
NAMING = types_of("person", "place", "organization", "provider")
"""Types of names of which one with several words may hold a word that is a name alone."""
BODIES, FACTS = types_of("place", "organization", "provider"), types_of("fact", "clinical")
"""Types of the tagger's finds that are none if they hold names alone, and of those that give way to
a name in them."""
_ARTICLE = re.compile(r"(?:[Tt]he|[Aa]n?) $")
_SMALL = re.compile(r"(?<![\w@/\\.-])[^\W\d_A-Z]\w*+(?![@/\\-]|\.\w)")
"""A word that begins with a small letter, or with a capital beyond ASCII; no part of an address."""
_LETTERS = re.compile(r"[^\W\d_]+")
_MARK = re.compile("[,/;+]")
_AND = frozenset({"e", "i", "y"})
"""Words of one letter that join two names: in Italian and Portuguese, in Polish, in Spanish."""
_COMPOUND = re.compile(r"[^\W_][\w.-]*(?<![.-])")
_NUMBER = re.compile(r"[._-]?[0-9]{1,6}$")
_JOINT = re.compile(r"[._-]")


def names_again(
    text: str, names: NameParts, found: Iterable[Candidate], language: str = "en"
) -> Iterator[Candidate]:
    """Yield where known names stand again, and persons whom a path names, in linear time.

    `found`: the candidates of the text. `language`: the known language that it is most like.
    """
    if names.words or names.also_words:
        yield from _words_alone(text, names, found, language)
    hits = {run: hit for run in {*RUN.findall(text)} if (hit := [*_in_run(run, names)])}
    for match in RUN.finditer(text) if hits else ():
        moved = (one.moved(match.start()) for one in hits.get(match[0], ()))
        yield from (one for one in moved if _stands_as_name(text, one))


def _stands_as_name(text: str, one: Candidate) -> bool:
    """Does a user name of a word of prose stand where a user is announced, and does a name in small
    letters stand in a text whose words the vocabulary has: else it may be one of them?
    """
    if one.rule == ANNOUNCED:
        return announces_user(text, one.start)
    return one.rule != SMALL or vocabulary_covers(text, one.start, one.end)


def _words_alone(
    text: str, names: NameParts, found: Iterable[Candidate], language: str
) -> Iterator[Candidate]:
    """Yield words of names that stand where nothing else was found.

    One that the text also has in small letters, or that is a word of other lists, may be none. It
    is one beside a verb, say; then a month or an occupation that was found there is none, either.
    """
    known = {**names.also_words, **names.words}
    hits = [hit for hit in _WORD.finditer(text) if known.keys() >= _parts(hit[0])]
    hits = [hit for hit in hits if _is_no_thing(text, hit, known, language)]
    if not hits:
        return
    found = list(found)
    several = [
        one
        for one in found
        if " " in text[one.start : one.end] and not _is_persons(text, one, known)
    ]
    by_rules = [one for one in found if one.detector != LEARNED]
    in_line = (o for o in several if o.type in NAMING and "\n" not in text[o.start : o.end])
    taken, within = _covered(text, [*several, *by_rules]), _covered(text, in_line)
    small = set(_SMALL.findall(text))
    for hit in hits:
        parts, (start, end) = _parts(hit[0]), hit.span()
        also_small = not small.isdisjoint(parts)
        if not also_small and names.also_words.keys().isdisjoint(parts):
            if not any(taken[start:end]):
                yield _found(start, end, AGAIN, known[min(parts)])
        elif not any(within[start:end]) and (
            stands_for_person(text, start, end, language, also_small=also_small)
        ):
            yield _found(start, end, ALSO_WORD, known[min(parts)])


def _is_persons(text: str, one: Candidate, known: Collection[str]) -> bool:
    """Is a find of the tagger a fact, or a list of names: "Roth and Finch" is no organization?"""
    if one.detector != LEARNED or one.type not in BODIES:
        return one.detector == LEARNED and one.type in FACTS
    words = _LETTERS.findall(text, one.start, one.end)
    small = {word for word in words if FEATURES[word] & FUNCTION or word in _AND}
    names = [word for word in words if word not in small]
    firm = text.find("&", one.start, one.end) >= 0
    joined = firm or small or _MARK.search(text, one.start, one.end)
    return bool(joined) and all(
        word.lower() in known or (is_usual_name(word) and not firm) for word in names
    )


def _covered(text: str, found: Iterable[Candidate]) -> bytearray:
    """Return a byte for each character of a text, 1 if one of some candidates has it."""
    taken = bytearray(len(text))
    for one in found:
        taken[one.start : one.end] = b"\x01" * (one.end - one.start)
    return taken


def _parts(word: str) -> set[str]:
    """Return the words that hyphens join in one, in small letters."""
    return {*word.lower().split("-")}


def _is_no_thing(text: str, hit: re.Match[str], known: Collection[str], language: str) -> bool:
    """Is a word no part of a thing's name: "the Lake", "Finch Inn"?"""
    then = hit["next"]
    articled = language == "en" and _ARTICLE.search(text, max(hit.start() - 4, 0), hit.start())
    if articled and not hit[0].endswith("s"):
        return False
    return not then or then.lower() in known or (then.isupper() and len(then) > 1)


def _in_run(run: str, names: NameParts) -> Iterator[Candidate]:
    """Yield the user names and, in a path, all names of a run without blanks."""
    for word in _COMPOUND.finditer(run) if names.users else ():
        if rule := _rule_of(word[0], names):
            yield _found(*word.span(), rule)
    words = path_words(run) if "/" in run or is_path(run) else ()
    if is_path(run) or (words and names.alone.issuperset(word.key for word in words)):
        for start, end in _in_path(run, words, names):
            yield _found(start, end, PART_OF_PATH)
        yield from persons_of_path(run, words)


def _rule_of(word: str, names: NameParts) -> str:
    """Return the rule by which a word is a user name, or a name in small letters; "" if by none."""
    key = word_key(word)
    stem = _NUMBER.sub("", key)
    numbered = stem in names.numbered and len(key) > len(stem) + 1
    if numbered or _JOINT.sub("", stem, 1) in names.joined:
        return USER
    if key not in names.users or not word.islower():
        return ""
    word_of_prose = key not in names.alone or key in names.also_words or is_common_word(key)
    return ANNOUNCED if word_of_prose else SMALL


def _in_path(run: str, words: Sequence[Word], names: NameParts) -> Iterator[tuple[int, int]]:
    """Yield spans of words that name a known person; a name's words are one span."""
    at = 0
    while at < len(words):
        last = at
        while last + 1 < len(words) and (
            (words[last].key, words[last + 1].key) in names.pairs
            and are_joined(run, words[last], words[last + 1])
        ):
            last += 1
        if last > at or words[at].key in names.alone or words[at].key in names.joined:
            yield words[at].start, words[last].end
        at = last + 1


def _found(start: int, end: int, rule: str, kind: str = types.NAME) -> Candidate:
    return Candidate(start, end, kind, "lexicon", rule, SCORE[rule])
