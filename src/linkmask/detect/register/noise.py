"""Drops candidates that are mostly wrong in texts about nobody or in an unknown language."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features
from linkmask.detect.lexicon.coverage import SMALL
from linkmask.detect.lexicon.name_words import (
    is_clinical_head,
    is_common_word,
    is_listed,
    is_thing,
    may_be_given,
)
from linkmask.detect.names.paths import IN_PATH
from linkmask.detect.names.unlisted import UNLISTED, WITHIN
from linkmask.detect.register import DIRECT, NAMED, Register, listed
from linkmask.detect.register.first_words import CERTAIN, is_ordinary_first_word
from linkmask.detect.register.language import FUNCTION_WORDS, LOCALES
from linkmask.detect.resolve import LEARNED
from linkmask.detect.structured.tables import column_type
from linkmask.detect.structured.user_names import no_users
from linkmask.text.fold import lower, word_bytes
from linkmask.text.letters import word_key
from linkmask.text.sentences import begins_line_with_capital, begins_sentence

ISSUED = schema.types_of("id") - DIRECT
"""Types of numbers that belong to a person only if the text is about one."""
PERSONS, ADDRESSES = schema.types_of("person"), schema.types_of("address")
FACTS = schema.types_of("fact")
"""Types of facts about a person; a text that names nobody has none."""
NAMING = DIRECT | schema.types_of("age", "birth")
"""Types of which one value shows that a text is about somebody."""
DIGITS = 7
"""Digits of a number that its label alone makes a direct identifier."""
SURE = 0.65
"""Score from which a name found by the tagger alone counts in prose about nobody."""
SECONDED = 0.5
"""Score of the tagger that makes a listed word within a sentence a name in prose about nobody."""
PREPOSITION = 3
"""Letters of a word that is mostly a preposition or a conjunction in any language, at most."""
TRIGGERED = frozenset({"label", "title", "mail header", "greeting", "speaker", IN_PATH})
"""Rules of names that ask for a title, a label, a signature, or the path of a person's page."""
_HEADS = re.compile(
    r"(?m)^(?P<head>[^\n|]{0,200}+\|[^\n]{1,999}+)\n(?=[ \t|:-]{0,3}--[ \t|:+-]{2,999}$)"
)
"""The line of a table above a line of dashes (GitHub Flavored Markdown, 4.10)."""
_FOLLOWING = re.compile(r" ([^\W\d_]{3,20}+)(?!\w)")
_ONE_OF_MANY = re.compile(r"(?<!\w)(?:an?|each|every|une?|chaque) \Z")
_LABEL = re.compile(r"(?:^|\n)[^\S\n]*[^\W\d_][^\W\d_ -]{1,24}(?: [^\W\d_]{2,16})?\s?:\s{0,2}$")
_NUMBERED = re.compile(r", ([^\W\d_]{3,9}) (?=[^\d\n]{0,12}\d)")
PARTICLE = 4
"""Largest number of letters of a small word within a name: "van der"; a single letter is none."""
_WORD = re.compile(r"[^\W\d_]{2,}")
REACH = 48
"""Characters before a value in which a label or a title is looked for."""
_HOUSE_AND_POSTCODE = re.compile(
    r"(?s)(?=.*\b\d{4,5}\b)(?=.*\b\d{1,4}\b(?!\d))(?=.*[^\W\d_a-z][^\W\d_])"
)


def without_noise(text: str, found: Sequence[Candidate], register: Register) -> list[Candidate]:
    """Return the candidates without those that are unlikely in a text of this register.

    In a text about nobody, doubtful names, addresses without a number and numbers without a label
    are left out, and the tagger's facts if nothing names a person. In an impersonal text, each
    direct identifier needs a form or a trigger. In an unknown language, tagger and lists count for
    names only: a single listed one within a sentence, or a full one. A name by its capitals alone
    counts beside a direct identifier with a form.
    """
    found = [
        one for one in found if one.type not in PERSONS or _formal(one) or not _is_thing(text, one)
    ]
    found = _without_first_words(text, _without_heads(text, found))
    if not any(one.type in DIRECT and _formal(one) for one in found):
        found = [one for one in found if one.rule != UNLISTED]
    shown = list(filter(_formal, found))
    if not register.foreign and not register.of_nobody(shown):
        return list(found)
    strict = register.impersonal or bool(register.foreign)
    named = not NAMED.isdisjoint(one.type for one in shown)
    seconded = _seconded(text, found, register.foreign)
    kept = [
        one
        for one in found
        if (_borne_out(text, one, register, seconded) if strict else _likely(text, one, named))
    ]
    parts = {word for one in kept if one.type in PERSONS for word in _words(text, one)}
    again = (one for one in found if one.type in PERSONS and parts.issuperset(_words(text, one)))
    kept = list(dict.fromkeys([*kept, *again]))
    if NAMING.isdisjoint(one.type for one in kept):
        return [one for one in kept if one.detector != LEARNED or one.type not in FACTS]
    return kept


def _is_thing(text: str, one: Candidate) -> bool:
    """Is a name that of a program, or of a place ("Victoria Station") or a treatment?

    "A Kocher clamp" is one of many, so a listed name within a sentence is nobody's there.
    """
    words = text[one.start : one.end].split()
    if "".join(words).lower() in no_users():
        return True
    proper = [word for word in words if word[0].isupper()]
    if len(proper) != 1:
        return False
    start = text.index(proper[0], one.start)
    ahead, behind = (
        text[max(start - REACH, 0) : start],
        _FOLLOWING.match(text, one.end, one.end + REACH),
    )
    if behind and behind[1].islower() and one.rule == WITHIN and _ONE_OF_MANY.search(ahead):
        return True
    sure = one.detector == LEARNED and one.score >= CERTAIN
    if not behind or (sure and behind[1].islower()):
        return False
    return is_clinical_head(behind[1]) or (behind[1][0].isupper() and is_thing(behind[1]))


def _without_heads(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates without single words that head a column and that nothing announces.

    A listed name stays, if it is no word of prose besides.
    """
    lines = _HEADS.finditer(text) if "--" in text else ()
    heads = [line.span("head") for line in lines if not _is_label_and_value(line["head"])]
    starts = [start for start, _ in heads]
    return [
        one
        for one in found
        if one.type not in PERSONS
        or _formal(one)
        or " " in text[one.start : one.end]
        or not (at := bisect_right(starts, one.start))
        or heads[at - 1][1] < one.end
        or (is_listed(name := text[one.start : one.end]) and not is_common_word(lower(name)))
    ]


def _is_label_and_value(line: str) -> bool:
    """Is a line of a table a label and its value, above more of these: "| Name | Brandvold |"?"""
    cells = line.strip(" |\t").split("|")
    return len(cells) == 2 and bool(column_type(cells[0].strip()))


def _without_first_words(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates without the names that are ordinary first words of sentences.

    One that stays elsewhere in the text is a name.
    """
    small = cache(lambda: frozenset(SMALL.findall(text)))
    first = {
        one
        for one in found
        if one.type in PERSONS and not _formal(one) and is_ordinary_first_word(text, one, small)
    }
    names = {text[one.start : one.end] for one in found if one not in first} if first else ()
    return [one for one in found if one not in first or text[one.start : one.end] in names]


def _words(text: str, one: Candidate) -> Sequence[str]:
    """Return the words of a candidate, folded, or the candidate itself if it has none."""
    name = text[one.start : one.end]
    return [word_key(word) for word in _WORD.findall(name)] or [name]


def _formal(one: Candidate) -> bool:
    """Does a candidate have a form, or a trigger beside it?"""
    if one.detector == "lexicon":
        return one.type in PERSONS and one.rule in TRIGGERED
    return one.detector != LEARNED


def _likely(text: str, one: Candidate, named: bool) -> bool:
    """Is a candidate of prose about nobody likely: a name listed, sure, or beside a shown one?"""
    if one.type in ISSUED:
        return _labelled_number(text, one)
    if one.detector != LEARNED:
        return one.type not in PERSONS or _formal(one) or not _of_thing(text, one)
    if one.type in PERSONS:
        features = word_features.FEATURES[text[one.start : one.end].split()[0]]
        listed = features & (word_features.GIVEN | word_features.SURNAME)
        return bool(named or one.score >= SURE or listed) and not _of_thing(text, one)
    if one.type in ADDRESSES:
        return any(map(str.isdigit, text[one.start : one.end]))
    return True


def _seconded(text: str, found: Sequence[Candidate], language: str) -> frozenset[Candidate]:
    """Return the single names within sentences that the tagger takes for names, too, and that stand
    behind a function word: "met Wiersma", but goods in "theepot Jasmijn".
    """
    alone = [one for one in found if one.rule == WITHIN]
    learned = sorted(
        (one.start, one.end)
        for one in found
        if alone and one.type in PERSONS and one.detector == LEARNED and one.score >= SECONDED
    )
    starts = [start for start, _ in learned]
    reached = [*accumulate((end for _, end in learned), max, initial=0)]
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


def _borne_out(
    text: str, one: Candidate, register: Register, seconded: frozenset[Candidate]
) -> bool:
    """Does a candidate have a form, a trigger, or what else its type asks for?"""
    if one.rule == WITHIN:
        return not register.nobody or (one in seconded and not register.impersonal)
    if one.rule == UNLISTED:  # no list tells here whether the text is about somebody
        return not register.impersonal
    located = register.foreign in LOCALES and not register.nobody
    if located and one.detector == LEARNED:  # it learned from texts in these languages
        return one.type not in PERSONS or not _ordinary(text, one, register.foreign)
    if one.type in ISSUED:
        return _labelled_number(text, one) or (located and _formal(one))
    by_words = one.type in PERSONS and one.detector == "lexicon"
    if _formal(one) and (located or not (register.foreign and by_words)):
        return True
    if one.type in PERSONS:
        return _full_name(text, one, register)
    if one.type in ADDRESSES:
        return bool(_HOUSE_AND_POSTCODE.match(text[one.start : one.end]))
    if one.type in DIRECT:
        return _labelled_number(text, one)
    return not register.foreign or (located and one.type not in FACTS)


def _full_name(text: str, one: Candidate, register: Register) -> bool:
    """Is a name of several capitalised words, with a given name, a label or a title?

    In an unknown language the form is enough, unless the text is about nobody.
    """
    name = text[one.start : one.end]
    before, parts = text[max(one.start - REACH, 0) : one.start], name.split()
    titled = _is_title(parts[0]) or _is_title(before.rpartition("\n")[2].split(" ")[-2:][0])
    parts = parts[_is_title(parts[0]) :]
    proper = [word for word in parts if word[0].isupper() and word[1:2] != "."]
    small = [word for word in parts if not word[0].isupper()]
    if _of_thing(text, one) or (
        len(proper) < 2 - titled
        or parts[0] not in proper
        or any(not 1 < len(word) <= PARTICLE for word in small)
    ):
        return False
    if any(word.endswith(".") for word in proper) or "\n" in name:
        return False
    if titled or _LABEL.search(before):
        return True
    if any(word.isupper() and len(word) > PARTICLE for word in proper):
        return False
    features = word_features.FEATURES[parts[0]]
    rare = register.foreign and features & word_features.UNMET_GIVEN
    given = (rare or may_be_given(parts[0])) and not features & word_features.PARTICLE
    return bool(given or (register.foreign and not register.nobody))


def _ordinary(text: str, one: Candidate, language: str) -> bool:
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
    if not proper:
        return one.score < CERTAIN and begins_line_with_capital(text, one.start)
    stop = stopwords(language)
    if all(word.lower() in stop for word in words):
        return True
    return len(words) == 1 and one.score < CERTAIN and begins_sentence(text, one.start)


_SURNAME = word_features.SURNAME | word_features.PARTICLE


@cache
def stopwords(language: str) -> frozenset[str]:
    """Return the stopwords of a language that has no list of names of its own."""
    return frozenset(schema.words("stopwords").get(language, "").split())


def _of_thing(text: str, one: Candidate) -> bool:
    """Is a name that of goods: measured out ("a dash of X"), or with a model ("X, model 5")?"""
    before = word_bytes(text[max(one.start - REACH, 0) : one.start].rpartition("\n")[2]).split()
    behind = _NUMBERED.match(text, one.end)
    return not listed("measures", "any").isdisjoint(before[-2:]) or (
        behind is not None and word_bytes(behind[1]).strip() in listed("models", "any")
    )


def _labelled_number(text: str, one: Candidate) -> bool:
    """Does a label stand before a number of an identifier's length?"""
    before = text[max(one.start - REACH, 0) : one.start]
    digits = sum(map(str.isdigit, text[one.start : one.end]))
    return digits >= DIGITS and bool(_LABEL.search(before))


def _is_title(word: str) -> bool:
    return "".join(filter(str.isalpha, word)).lower() in _titles()


@cache
def _titles() -> frozenset[str]:
    return frozenset(schema.words("titles")["elsewhere"].split())
