"""Decides what kind of text a document is: about nobody, or in a language that is not known.

A README, a recipe or a log identifies nobody: nothing in it is a value but direct identifiers. In a
language that neither the tagger nor the lists know, most of what these find is noise. Both are
decided once for a document, from its function words, its words for persons and the words of its
subject (schema/words/register.toml).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features
from linkmask.detect.resolve import LEARNED
from linkmask.schema import words
from linkmask.text.fold import word_bytes

DIRECT = schema.types_of("direct")
"""Types of direct identifiers."""
ISSUED = schema.types_of("id") - DIRECT
"""Types of numbers that are a person's only where a text speaks of one."""
PERSONS, ADDRESSES = schema.types_of("person"), schema.types_of("address")
NAMED = DIRECT | schema.types_of("provider")
"""Types of which one value, with a form or a title, makes a short text a person's."""
FACTS = schema.types_of("fact")
"""Types of what is said of a person: a text that names nobody says none."""
NAMING = DIRECT | schema.types_of("age", "birth")
"""Types of which one value shows that a text speaks of somebody."""
KNOWN = frozenset(LANGUAGES)
"""Languages of the tagger and of the lists."""
LOCALES = frozenset(words("register")["persons"])
"""Languages that have recognizers, triggers and lists of names, but no lists of their own beside
them: there a trigger counts, and a name that the tagger is sure of."""
FEWEST = 4
"""Words that tell: function words a language; words of software or recipes an impersonal text."""
FUNCTION_WORDS = 0.08
"""Share of function words in a text from which they tell its language."""
SAMPLE = 4_000
"""Characters from which a language is told."""
SHARE = 0.1
"""Words for one person per sentence from which a text is about a person."""
SUBJECT = 0.001
"""Share of words of health and insurance from which these are a text's subject."""
FIRST_PERSON = 0.01
"""Share of words in the first person from which a text is about its writer."""
IMPERSONAL = 0.04
"""Share of words of software, recipes, contracts from which a text is impersonal."""
LEAST = 12
"""Words below which a text is too short to tell what it is about."""
MARKS = 0.3
"""Marks of code or markup per blank from which a text is code."""
SHORT = 50
"""Words below which one word of the subject, or one direct identifier, makes a text a person's."""
DIGITS = 7
"""Digits of a number that its label alone makes a direct identifier."""
SURE = 0.65
"""Score from which a name found by the tagger alone counts in prose about nobody."""
TRIGGERED = frozenset({"label", "title", "mail header", "greeting", "speaker"})
"""Rules of names that ask for a title, a label or a signature."""

_I = re.compile(r"\bI(?:['’](?:m|ve|d|ll)\b| [a-z]{2})")
_MARK = re.compile(r"[{}\[\]<>=_|\\/$#`;*()]|::|--")
_LABEL = re.compile(r"(?:^|\n)[^\S\n]*[^\W\d_][^\W\d_ -]{1,24}(?: [^\W\d_]{2,16})?\s?:\s{0,2}$")
_NUMBERED = re.compile(r", ([^\W\d_]{3,9}) (?=[^\d\n]{0,12}\d)")
PARTICLE = 4
"""Letters of a small word within a name, at most: "van der"; one letter joins two things."""
REACH = 48
"""Characters before a value in which a label or a title is looked for."""
_HOUSE_AND_POSTCODE = re.compile(
    r"(?s)(?=.*\b\d{4,5}\b)(?=.*\b\d{1,4}\b(?!\d))(?=.*[^\W\d_a-z][^\W\d_])"
)


@dataclass(frozen=True, slots=True)
class Register:
    """What kind of text a document is.

    `nobody`: it speaks of no person. `impersonal`: besides, it is about software, goods, a recipe
    or a contract. `foreign`: its language (ISO 639-1), if that is not known. `short`: it has few
    words, so that one direct identifier makes it a person's.
    """

    nobody: bool = False
    impersonal: bool = False
    foreign: str = ""
    short: bool = False

    def of_nobody(self, types: Iterable[str]) -> bool:
        """Tell whether a text in which values of these types were found speaks of nobody."""
        return self.nobody and not (self.short and not NAMED.isdisjoint(types))


ABOUT_A_PERSON = Register()
"""The register of a text of which nothing else is known."""


def register_of(
    text: str, said: Sequence[bytes], language: str, persons: frozenset[bytes], sentences: int
) -> Register:
    """Return the register of a text in linear time.

    Args:
        text: the document's text.
        said: its words, as `word_bytes` has them.
        language: the likeliest of the known languages.
        persons: the words of that language for one person.
        sentences: how many sentences the text has.
    """
    foreign = unknown_language(text)
    spoken = foreign or language
    counts = Counter(said)
    if foreign:
        persons = _listed("persons", foreign)
    one = sum(counts[word] for word in persons - _listed("jobs", spoken))
    nobody = (
        len(said) >= LEAST
        and one < SHARE * sentences
        and not _personal(text, counts, spoken, len(said))
    )
    return Register(
        nobody,
        nobody and (_impersonal(counts, spoken, len(said)) or _is_code(text)),
        foreign,
        len(said) < SHORT,
    )


def unknown_language(text: str) -> str:
    """Return the language of a text (ISO 639-1) if it is one that is not known, else nothing.

    Its function words must outnumber those of every known language by half.
    """
    said = word_bytes(text[:SAMPLE]).split()
    of = _function_words()
    counts = Counter(language for word in said for language in of.get(word, ()))
    known = max(counts[language] for language in KNOWN)
    others = [(count, language) for language, count in counts.items() if language not in KNOWN]
    most, other = max(others, default=(0, ""))
    told = most >= max(FEWEST, FUNCTION_WORDS * len(said)) and 2 * most > 3 * known
    return other if told else ""


def _personal(text: str, counts: Mapping[bytes, int], language: str, size: int) -> bool:
    """Is a text of `size` words about health or insurance, or in the first person?

    What a text about health says of nobody may be somebody's elsewhere in the corpus.
    """
    subject = _listed("subject", language) & counts.keys()
    on_subject = sum(counts[word] for word in subject) >= SUBJECT * size
    if on_subject and (len(subject) > 1 or (subject and size < SHORT)):
        return True
    first = sum(counts[word] for word in _listed("person", language) & counts.keys())
    if language == "en":  # "I" is an article in Italian, a conjunction in Polish
        first += len(_I.findall(text))
    return first >= max(FIRST_PERSON * size, 1)


def _is_code(text: str) -> bool:
    """Has a text as many marks of code or markup as a third of its words?"""
    return len(_MARK.findall(text)) > MARKS * text.count(" ")


def _impersonal(counts: Mapping[bytes, int], language: str, size: int) -> bool:
    heard = _listed("impersonal", language) & counts.keys()
    share = sum(counts[word] for word in heard)
    return len(heard) >= FEWEST and share >= IMPERSONAL * size


@cache
def _function_words() -> Mapping[bytes, tuple[str, ...]]:
    languages: dict[bytes, tuple[str, ...]] = {}
    for language, listed in words("register")["languages"].items():
        for word in dict.fromkeys(map(word_bytes, listed.split())):
            languages[word] = (*languages.get(word, ()), language)
    return languages


@cache
def _listed(table: str, language: str) -> frozenset[bytes]:
    tables = words("register")[table]
    return frozenset(map(word_bytes, tables.get(language, "").split()))


def without_noise(text: str, found: Sequence[Candidate], register: Register) -> list[Candidate]:
    """Return the candidates without those that a text of this register cannot bear out.

    In a text about nobody, doubtful names, addresses without a number and numbers without a label
    are left out, and where nothing names anybody, what the tagger takes for facts. In an impersonal
    text, each direct identifier needs a form or a trigger. In an unknown language the tagger and
    the lists count only for names.
    """
    if not register.foreign and not register.of_nobody(one.type for one in found if _formal(one)):
        return list(found)
    strict = register.impersonal or bool(register.foreign)
    kept = [
        one for one in found if (_borne_out(text, one, register) if strict else _likely(text, one))
    ]
    parts = {word for o in kept if o.type in PERSONS for word in text[o.start : o.end].split()}
    again = (one for one in found if one.type in PERSONS and text[one.start : one.end] in parts)
    kept = list(dict.fromkeys([*kept, *again]))
    if NAMING.isdisjoint(one.type for one in kept):
        return [one for one in kept if one.detector != LEARNED or one.type not in FACTS]
    return kept


def _formal(one: Candidate) -> bool:
    """Does a candidate have a form, or a trigger beside it?"""
    if one.detector == "lexicon":
        return one.type in PERSONS and one.rule in TRIGGERED
    return one.detector != LEARNED


def _likely(text: str, one: Candidate) -> bool:
    """Is a candidate of prose about nobody likely: a name that is listed or sure?"""
    if one.type in ISSUED:
        return _labelled_number(text, one)
    if one.detector != LEARNED:
        return one.type not in PERSONS or _formal(one) or not _of_thing(text, one)
    if one.type in PERSONS:
        marks = word_features.MARKS[text[one.start : one.end].split()[0]]
        listed = marks & (word_features.GIVEN | word_features.SURNAME)
        return bool(one.score >= SURE or listed) and not _of_thing(text, one)
    if one.type in ADDRESSES:
        return any(map(str.isdigit, text[one.start : one.end]))
    return True


def _borne_out(text: str, one: Candidate, register: Register) -> bool:
    """Does a candidate have a form, a trigger, or what else its type asks for?"""
    located = register.foreign in LOCALES and not register.nobody
    if one.type in ISSUED:
        return _labelled_number(text, one) or (located and _formal(one))
    by_words = one.type in PERSONS and one.detector == "lexicon"
    if _formal(one) and (located or not (register.foreign and by_words)):
        return True
    if one.type in PERSONS:
        sure = located and one.detector == LEARNED and one.score >= SURE
        return (sure and text[one.start].isupper()) or _full_name(text, one, register)
    if one.type in ADDRESSES:
        return bool(_HOUSE_AND_POSTCODE.match(text[one.start : one.end]))
    if one.type in DIRECT:
        return _labelled_number(text, one)
    return not register.foreign


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
    marks = word_features.MARKS[parts[0]]
    given = marks & word_features.GIVEN and not marks & word_features.PARTICLE
    return bool(given or (register.foreign and not register.nobody))


def _of_thing(text: str, one: Candidate) -> bool:
    """Is a name that of goods: measured out ("a dash of X"), or with a model ("X, model 5")?"""
    before = word_bytes(text[max(one.start - REACH, 0) : one.start].rpartition("\n")[2]).split()
    behind = _NUMBERED.match(text, one.end)
    return not _listed("measures", "any").isdisjoint(before[-2:]) or (
        behind is not None and word_bytes(behind[1]).strip() in _listed("models", "any")
    )


def _labelled_number(text: str, one: Candidate) -> bool:
    """Does a label stand before a number of an identifier's length?"""
    before = text[max(one.start - REACH, 0) : one.start]
    digits = sum(map(str.isdigit, text[one.start : one.end]))
    return digits >= DIGITS and bool(_LABEL.search(before))


def _is_title(word: str) -> bool:
    return word_bytes("".join(filter(str.isalpha, word))) in _listed("titles", "any")
