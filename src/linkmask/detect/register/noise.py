"""Drops candidates that are no names in any text, and those that are unlikely in a register."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features
from linkmask.detect.names.unlisted import UNLISTED, WITHIN
from linkmask.detect.register import DIRECT, NAMED, Register
from linkmask.detect.register.capitals import without_column_heads, without_first_words
from linkmask.detect.register.evidence import (
    LISTED,
    PERSONS,
    REACH,
    count_digits,
    has_form_or_trigger,
    is_certain,
    is_doubtful_name,
    is_full_name,
    is_labelled_number,
    is_name_of_goods,
    is_name_of_thing,
    is_shorthand,
    is_whole_address,
)
from linkmask.detect.register.language import FUNCTION_WORDS, LOCALES
from linkmask.detect.resolve import LEARNED, is_certain_by_form
from linkmask.text.letters import word_key
from linkmask.text.sentences import begins_line_with_capital, begins_sentence

ISSUED = schema.types_of("id") - DIRECT
"""Types of numbers that belong to a person only if the text is about one."""
ADDRESSES, CLINICAL = schema.types_of("address"), schema.types_of("clinical")
FACTS = schema.types_of("fact")
"""Types of facts about a person; a text that names nobody has none."""
NAMING = DIRECT | schema.types_of("age", "birth")
"""Types of which one value shows that a text is about somebody."""
SURE = 0.65
"""Score from which a name found by the tagger alone counts in prose about nobody."""
SECONDED = 0.5
"""Score of the tagger that makes a listed word within a sentence a name in prose about nobody."""
LONG_NUMBER = 5
"""Digits of a number behind its word that may be somebody's, at least: "Ticket 4471" is not."""
PREPOSITION = 3
"""Letters of a word that is mostly a preposition or a conjunction in any language, at most."""
_SURNAME = word_features.SURNAME | word_features.PARTICLE
_WORD = re.compile(r"[^\W\d_]{2,}")


def without_noise(text: str, found: Sequence[Candidate], register: Register) -> list[Candidate]:
    """Return the candidates without those that are unlikely in a text of this register.

    In any text, names of things, heads of columns, and ordinary first words are no names, and a
    name by its capitals alone counts beside a direct identifier with a form. In a text without
    words of health or insurance, capitals before "drops" are no treatment. In a text about
    nobody, doubtful names, addresses without a number and numbers without a label are left out, and
    the tagger's facts if nothing names a person. In an impersonal text, each direct identifier
    needs a form or a trigger. In an unknown language, tagger and lists count for names only: a
    single listed one within a sentence, or a full one. A long number right behind its word stays.
    """
    found = [one for one in found if not (is_doubtful_name(one) and is_name_of_thing(text, one))]
    if not register.clinical:
        found = _without_shorthand(text, found)
    found = list(without_first_words(text, without_column_heads(text, found)))
    if not any(one.type in DIRECT and has_form_or_trigger(one) for one in found):
        found = [one for one in found if one.rule != UNLISTED]
    formal = list(filter(has_form_or_trigger, found))
    if not register.foreign and not register.is_about_nobody(formal):
        return found
    if register.impersonal or register.foreign:
        confirmed = _confirmed_by_tagger(text, found, register.foreign)
        kept = [one for one in found if _has_evidence(text, one, register, confirmed)]
    else:
        named = not NAMED.isdisjoint(one.type for one in formal)
        kept = [one for one in found if _is_likely(text, one, named)]
    kept = [
        *_with_repeated_names(text, kept, found),
        *_numbers_behind_their_word(text, kept, found),
    ]
    if NAMING.isdisjoint(one.type for one in kept):
        return [one for one in kept if one.detector != LEARNED or one.type not in FACTS]
    return kept


def _without_shorthand(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return candidates without treatments in shorthand, if no other value is clinical.

    If the tagger also takes one for clinical, they count.
    """
    clinical = [one for one in found if one.type in CLINICAL]
    doubtful = {one for one in clinical if is_shorthand(text, one)}
    return found if len(doubtful) < len(clinical) else [one for one in found if one not in doubtful]


def _with_repeated_names(
    text: str, kept: Sequence[Candidate], found: Sequence[Candidate]
) -> list[Candidate]:
    """Return what is kept, and the names all words of which are in names that are kept."""
    parts = {word for one in kept if one.type in PERSONS for word in _words(text, one)}
    again = (one for one in found if one.type in PERSONS and parts.issuperset(_words(text, one)))
    return list(dict.fromkeys([*kept, *again]))


def _numbers_behind_their_word(
    text: str, kept: Sequence[Candidate], found: Sequence[Candidate]
) -> Sequence[Candidate]:
    """Return numbers of cases and things that are no part of a direct identifier: "Order # 88213".

    A row of recognizers is certain of one only right behind a word that says what it counts.
    """
    certain = (one for one in found if one.type in ISSUED and is_certain_by_form(one))
    numbers = [one for one in certain if count_digits(text, one) >= LONG_NUMBER]
    starts, reached = _reach([one for one in kept if numbers and one.type in DIRECT])
    return [one for one in numbers if reached[bisect_left(starts, one.end)] <= one.start]


def _reach(spans: Iterable[Candidate]) -> tuple[list[int], list[int]]:
    """Return where spans start, in order, and how far those before each place reach."""
    inner = sorted((one.start, one.end) for one in spans)
    return [start for start, _ in inner], [*accumulate((end for _, end in inner), max, initial=0)]


def _words(text: str, one: Candidate) -> Sequence[str]:
    """Return the words of a candidate, folded, or the candidate itself if it has none."""
    name = text[one.start : one.end]
    return [word_key(word) for word in _WORD.findall(name)] or [name]


def _is_likely(text: str, one: Candidate, named: bool) -> bool:
    """Is a candidate likely in prose about nobody?

    A name of the tagger is listed, sure, or in a text that is known to name somebody (`named`).
    """
    learned = one.detector == LEARNED
    if one.type in ISSUED:
        return is_labelled_number(text, one)
    if is_doubtful_name(one):
        features = word_features.FEATURES[text[one.start : one.end].split()[0]]
        by_list = features & (word_features.GIVEN | word_features.SURNAME)
        likely = not learned or named or one.score >= SURE or by_list
        return bool(likely) and not is_name_of_goods(text, one)
    if learned and one.type in ADDRESSES:
        return any(map(str.isdigit, text[one.start : one.end]))
    return True


def _confirmed_by_tagger(
    text: str, found: Sequence[Candidate], language: str
) -> frozenset[Candidate]:
    """Return the single names within sentences that the tagger takes for names, too, and that stand
    behind a function word: "met Wiersma", but goods in "theepot Jasmijn".
    """
    alone = [one for one in found if one.rule == WITHIN]
    starts, reached = _reach(
        one
        for one in found
        if alone and one.type in PERSONS and one.detector == LEARNED and one.score >= SECONDED
    )
    return frozenset(
        one
        for one in alone
        if reached[bisect_right(starts, one.start)] >= one.end
        and _is_function_word(
            text[max(one.start - REACH, 0) : one.start].split()[-1].rstrip(","), language
        )
    )


def _is_function_word(word: str, language: str) -> bool:
    return len(word) <= PREPOSITION or word in FUNCTION_WORDS.get(language, "").split()


def _has_evidence(
    text: str, one: Candidate, register: Register, confirmed: frozenset[Candidate]
) -> bool:
    """Has a candidate a form, a trigger, or what else its type needs in such a text?"""
    if one.rule == WITHIN:
        return not register.nobody or (one in confirmed and not register.impersonal)
    if one.rule == UNLISTED:  # no list tells here whether the text is about somebody
        return not register.impersonal
    located = register.foreign in LOCALES and not register.nobody
    if located and one.detector == LEARNED:  # it learned from texts in these languages
        return one.type not in PERSONS or not _is_ordinary(text, one, register.foreign)
    doubtful = one.type in ISSUED or (register.foreign and one.detector == LISTED)
    if has_form_or_trigger(one) and (located or not doubtful):
        return True
    if one.type in PERSONS:
        return is_full_name(text, one, register) and not is_name_of_goods(text, one)
    if one.type in ADDRESSES:
        return is_whole_address(text, one)
    if one.type in ISSUED | DIRECT:
        return is_labelled_number(text, one)
    return not register.foreign or (located and one.type not in FACTS)


def _is_ordinary(text: str, one: Candidate, language: str) -> bool:
    """Is a name of the tagger made of words of the language, and not of names?

    That are stopwords; small words where the line begins with a capital; and one word of no list
    that begins a sentence, of which the tagger is not sure.
    """
    words = text[one.start : one.end].split()
    features = [word_features.FEATURES[word] for word in words]
    if any(m & word_features.GIVEN or m & _SURNAME == word_features.SURNAME for m in features):
        return False
    proper = [
        word
        for word, m in zip(words, features, strict=True)
        if word[:1].isupper() and not m & word_features.PARTICLE
    ]
    if proper and _stopwords(language).issuperset(map(str.lower, words)):
        return True
    begins = begins_sentence if proper else begins_line_with_capital
    alone = not proper or len(words) == 1
    return alone and not is_certain(one) and begins(text, one.start)


@cache
def _stopwords(language: str) -> frozenset[str]:
    """Return the stopwords of a language that has no list of names of its own."""
    return frozenset(schema.words("stopwords").get(language, "").split())
