"""Decides for rows of recognizers whether what they match is a person's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_

from linkmask import schema
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.listed_names import listed
from linkmask.detect.lexicon.name_words import (
    DEEDS,
    OTHER_WORDS,
    is_given_name,
    is_no_prose,
    is_surname,
    is_unlisted,
    may_be_given,
    may_be_in_name,
)
from linkmask.detect.lexicon.names import NOT_A_NAME, UNLIKE
from linkmask.detect.recognizers.rule import Judge, Verdict, Widen, after, before
from linkmask.detect.structured.user_names import (
    NO_USERS,
    NOBODYS,
    is_listed,
    is_made_up,
    user_name_in,
)
from linkmask.schema import compiled, types
from linkmask.text.fold import lower
from linkmask.text.letters import word_key
from linkmask.text.sentences import begins_sentence_or_line

LEAST = 3
"""Letters of the longest word of a name on a ticket, at least."""
_WORD = re.compile(r"[^\W\d_]+")
_CODE_TAGS = frozenset(schema.words("chats")["code_tags"])
_CODE = compiled("name_judges_code")
"""A quoted piece of code, or the start of a line of a comment in code, up to the "@" of a tag."""
_DECORATED = compiled("name_judges_decorated")
"""What follows a decorator on its line: the next decorator, or what is decorated."""
_FILE = compiled("name_judges_file")
"""How the name of a file ends, behind the "@" with which a command names it: "-d @order.json"."""
_FOLLOWING = re.compile(r" ([a-z]{2,20}+)(?!\w)")
_QUERY = compiled("name_judges_query")
"""A parameter in the query of a link, up to an "@" in its value: "&label=Follow @"."""


_NOUN = re.compile(r"(?<![\w@/.-])[^\W\d_]{3,30}(?=(?:,| ?\() ?(?:lat )?\Z)")
_WORD_BEFORE = compiled("name_judges_word_before")
"""A word with a capital, or an initial, before a span."""
_NAME = w.GIVEN | w.SURNAME
_NO_PERSON = NOT_A_NAME | UNLIKE & ~w.UPPER | w.NATIONALITY | w.TITLE | w.CLINICIAN
_NO_RELATIVE = w.CALENDAR | w.NATIONALITY | w.KIN | w.OCCUPATION | w.ROLE | w.COUNTRY
_NO_SMALL = _NO_PERSON | w.KIN | w.OCCUPATION
_LISTED = _NAME | w.LISTED_NAME | w.USUAL_GIVEN | w.LISTED_SURNAME
_NO_ATTENDANT = OTHER_WORDS & ~w.TITLE | w.OCCUPATION | w.ROLE
_NO_CLINICIAN = _NO_ATTENDANT & ~(w.PLACE | w.COUNTRY | w.CALENDAR)
_NO_ADDRESSEE = NOT_A_NAME | UNLIKE & ~(w.UPPER | w.PLACE)
_PERSON = reduce(or_, w.AGENT.values(), w.OCCUPATION | w.KIN | w.SUBJECT | w.CALLED)


def _age_of_person(text: str, start: int, end: int) -> Verdict:
    """Take a number behind a name, or behind a noun for a person, for an age."""
    noun = _NOUN.search(before(text, start))
    if not noun:
        return None
    person = w.FEATURES[noun[0]] & _PERSON or _is_no_other_word(noun[0])
    return (types.AGE, 0.85) if person else None


def _user_name(text: str, start: int, end: int) -> Verdict:
    """Take a word behind an "@" for a user name, unless code or a word of prose stands there."""
    word, ahead = text[start:end], before(text, start, 64)
    if _CODE.search(ahead) or _QUERY.search(ahead) or _DECORATED.match(after(text, end, 64)):
        return None
    if _FILE.search(word):
        return None
    if not word.isalpha() or is_listed(word):
        return types.NAME, 0.85
    nobody = lower(word) in _CODE_TAGS or lower(word) in NO_USERS
    return (types.NAME, 0.8) if is_made_up(word) and not nobody else None


def _is_device(word: str) -> bool:
    """Tell whether a word beside a kind of device is its user's name; "Werkstatt-PC" has none."""
    forms = word, word.rstrip("sS")
    if lower(word) in NO_USERS or w.FEATURES[word.capitalize()] & w.PLACE:
        return False
    made_up = is_made_up(word) and not word.istitle()
    return made_up or (not w.FEATURES[word] & w.EVERYDAY_NAME and any(map(_is_listed_name, forms)))


def _is_listed_name(word: str) -> bool:
    return may_be_given(word) or is_surname(word)


def _is_family(text: str, start: int, end: int) -> Verdict:
    """Take a word for the plural of a usual surname ("the Brandvolds") if it is no other word.

    A surname that ends in "s" is not meant ("the Brooks range"), nor a word with a noun behind it.
    """
    word, following = text[start:end], _FOLLOWING.match(after(text, end, 24))
    one, family = w.FEATURES[word], w.FEATURES[word[:-1]]
    noun = (
        following
        and not w.FEATURES[following[1]] & (w.FUNCTION | w.STOP)
        and following[1][-2:] != "ed"
    )
    listed = one & (w.LISTED_NAME | w.EVERYDAY_NAME) or not is_unlisted(word)
    other = listed or not is_no_prose(word)
    usual = family & w.USUAL_SURNAME and is_surname(word[:-1])
    return (types.NAME, 0.85) if usual and not (other or noun) else None


def _is_in_domain(value: str) -> bool:
    """Tell whether a word behind the name of a domain is a user: no group, part or unit of it."""
    short = value.isalpha() and value.islower() and lower(value) not in NOBODYS
    return user_name_in(value) == (0, len(value)) or (short and is_no_prose(value))


def _user_name_in_link(text: str, start: int, end: int) -> Verdict:
    """Take an "@" and a word in the query of a link for a user name, if the word may be one.

    The link says whom to follow, be it the body or the program that a text is about. So the "@" is
    a part of the value: the word alone is looked for nowhere else.
    """
    word = text[start + 1 : end]
    likely = not word.isalpha() or is_listed(word) or is_made_up(word)
    return (types.NAME, 0.65) if likely and _QUERY.search(before(text, start + 1, 64)) else None


def _is_kin(value: str) -> bool:
    """Tell whether words are a relative's name: a given name, or in no vocabulary."""
    words = [word for word in _WORD.findall(value) if len(word) > 1]
    return words[0][0].isupper() and (is_given_name(words[0]) or all(map(may_be_in_name, words)))


def _is_relative(text: str, start: int, end: int) -> Verdict:
    """Take a word behind one for a relative for a name, be it an everyday word, too: "Sohn Can".

    Before another capital such a word is one of a heading: "Mother Can Visit".
    """
    word, features = text[start:end], w.FEATURES[text[start:end]]
    usual = features & w.USUAL_GIVEN and features & (w.EVERYDAY_NAME | w.COMMON_GIVEN)
    everyday = usual and not features & _NO_RELATIVE
    named = _is_kin(word) or (everyday and not after(text, end, 2)[1:].isupper())
    return (types.NAME, 0.85) if named else None


def _are_attendants(value: str) -> bool:
    """Tell whether a word of a list of persons is listed as a name, and none is another word."""
    features = [w.FEATURES[word] for word in _WORD.findall(value)]
    return any(m & _LISTED for m in features) and not any(m & _NO_ATTENDANT for m in features)


def _is_family_surname(word: str) -> bool:
    """Tell whether a word is a usual surname, and neither a place nor an everyday word."""
    features = w.FEATURES[word]
    return bool(features & w.USUAL_SURNAME) and not features & (_NO_ATTENDANT | w.EVERYDAY_NAME)


def _has_appointment(value: str) -> bool:
    """Tell whether words behind a time are listed names, and not all are everyday words."""
    words = _WORD.findall(value)
    rare = any(is_no_prose(word) and not w.FEATURES[word] & w.EVERYDAY_NAME for word in words)
    return rare and _are_attendants(value)


def _is_small_given(word: str) -> bool:
    """Tell whether a word in small letters is a given name, and nothing else."""
    return is_given_name(word) and not w.FEATURES[word] & (_NO_SMALL | w.WORDY)


def _is_small_name(value: str) -> bool:
    """Tell whether words in small letters are names or in no vocabulary, and no function words."""
    words = [word for word in _WORD.findall(value) if len(word) > 1]
    features = [w.FEATURES[word] for word in words]
    return not any(m & _NO_SMALL for m in features) and all(map(_may_name, words))


def _is_small_signer(value: str) -> bool:
    """Tell whether words in small letters are an initial and a name, or one that a list has.

    A word alone behind thanks is often for those who read it: "thx mods".
    """
    return _is_small_name(value) and (" " in value or bool(w.FEATURES[value] & _LISTED))


def _is_small_surname(word: str) -> bool:
    """Tell whether a word in small letters behind a title is a surname, or in no vocabulary."""
    surname = is_no_prose(word) or w.FEATURES[word] & (w.SURNAME | w.USUAL_SURNAME)
    return bool(surname) and not w.FEATURES[word] & _NO_SMALL and word not in DEEDS


def _is_no_other_word(word: str) -> bool:
    return word[0].isupper() and (may_be_given(word) or may_be_in_name(word) or is_unlisted(word))


def _fits_name(word: str) -> bool:
    """Tell whether a list has a word as a name, or as nothing that is none."""
    features = w.FEATURES[word]
    return bool(features & _NAME or not features & _NO_PERSON)


def _of_aged(text: str, start: int, end: int) -> Verdict:
    """Take a word whose age is told for a name; before a number alone, one that is listed, too."""
    word, lead = text[start:end], _WORD_BEFORE.search(before(text, start, 32))
    features, behind = w.FEATURES[word], lead and w.FEATURES[lead[1]] & w.GIVEN
    said = text[end : end + 1] not in ", " or after(text, end, 2)[1:].isalpha()
    sure = said or features & _NAME or (lead and _fits_name(lead[1]))
    sure = sure or begins_sentence_or_line(text, start)
    fits = _fits_name(word) or (behind and not features & (w.STOP | w.NUMBER))
    return (types.NAME, 0.75) if sure and fits else None


def words_of_name(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a name with the words before that may be part of it, at most three."""
    for _ in range(3):
        word = _WORD_BEFORE.search(before(text, start, 32))
        if not word or not _fits_name(word[1]):
            break
        start -= len(word[0])
    return start, end


def _is_addressee(value: str) -> bool:
    """Tell whether words of a mail's header may name a person: no department, place or day."""
    words = [w.FEATURES[word] for word in _WORD.findall(value)]
    place = "," in value and words[1] & (w.STATE | w.COUNTRY) and not words[1] & w.GIVEN
    parts = w.GIVEN | w.SURNAME | w.PARTICLE | w.SUFFIX | w.INITIAL
    return not place and all(m & parts or not m & _NO_ADDRESSEE for m in words)


def _is_in_capitals(value: str) -> bool:
    """Tell whether words in capitals are all listed names, and one of them is no everyday word."""
    words = [word for word in _WORD.findall(value) if len(word) > 2]
    names = [listed(word_key(word)) for word in words]
    return any(not one.everyday for one in names) and all(one.given or one.surname for one in names)


def _may_name(word: str) -> bool:
    return is_given_name(word) or may_be_in_name(word)


def _is_on_ticket(value: str) -> bool:
    """Tell whether words around a slash are neither function words nor hardly letters."""
    sides = [_WORD.findall(side) for side in value.split("/")]
    words = [[word for word in side if not w.FEATURES[word.lower()] & w.FUNCTION] for side in sides]
    return all(words) and max(len(word) for side in words for word in side) >= LEAST


def _is_shown_user(value: str) -> bool:
    """Tell whether an account that a machine shows is a person's; "deploy" and "data" are words."""
    nobodys = lower(value) in NOBODYS
    return not nobodys and (is_listed(value) or is_no_prose(value))


def _if(is_name: Callable[[str], bool], score: float = 0.85) -> Judge:
    """Return a judge that takes a value for a name if a function of the value says so."""
    return lambda text, start, end: (types.NAME, score) if is_name(text[start:end]) else None


JUDGES: Mapping[str, Judge] = {
    "age-of-person": _age_of_person,
    "aged": _of_aged,
    "addressee": _if(_is_addressee),
    "account": _if(lambda value: user_name_in(value) == (0, len(value))),
    "addressed": _if(lambda value: all(map(_is_no_other_word, _WORD.findall(value)))),
    "behind-kin": _if(_is_kin),
    "born": _if(lambda value: _are_attendants(value) or may_be_in_name(value)),
    "byline": _if(lambda value: any(map(_may_name, _WORD.findall(value))), 0.9),
    "device": _if(_is_device),
    "domain": _if(_is_in_domain),
    "family": _is_family,
    "family-surname": _if(_is_family_surname),
    "in-capitals": _if(_is_in_capitals, 0.9),
    "graded": _if(lambda value: not w.FEATURES[_WORD.findall(value)[-1]] & _NO_CLINICIAN),
    "listed": _if(_is_listed_name),
    "appointment": _if(_has_appointment),
    "attendant": _if(_are_attendants),
    "logged": _if(lambda value: lower(value) not in NOBODYS),
    "nickname": _if(
        lambda value: (
            _may_name(_WORD.findall(value)[0]) and may_be_in_name(_WORD.findall(value)[-1])
        )
    ),
    "on-ticket": _if(_is_on_ticket, 0.9),
    "relative": _is_relative,
    "shown": _if(_is_shown_user),
    "signer": _if(_is_small_signer),
    "small-given": _if(_is_small_given),
    "small-name": _if(_is_small_name),
    "small-surname": _if(_is_small_surname),
    "user-name": _user_name,
    "user-name-in-link": _user_name_in_link,
}
"""Judges of recognizers' rows by name."""
WIDENINGS: Mapping[str, Widen] = {"words-of-name": words_of_name}
