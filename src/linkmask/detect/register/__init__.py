"""Decides whether a document is a text about nobody, or in an unknown language.

A README, a recipe or a log identifies nobody, so only direct identifiers in it are values. In a
language that neither tagger nor lists know, most of their candidates are wrong. Both are decided
once for a document: the language in `language`, the rest by words for persons and words of its
subject (schema/words/register.toml).

language    the language of a document, and of its passages; `language_model`: the model behind it
noise       drops candidates: what is no name in any text, and what is unlikely in one of a register
capitals    names whose capital tells nothing: first words of sentences, heads of columns
evidence    what shows that a candidate is a value (its form, a label), or the name of a thing
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.register.language import unknown_language
from linkmask.detect.structured.messages import RULE
from linkmask.schema import types, words
from linkmask.text.fold import word_bytes

DIRECT = schema.types_of("direct")
"""Types of direct identifiers."""
NAMED = DIRECT | schema.types_of("provider")
"""Types of which one value, with a form or a title, makes a short text a person's."""
AGES, ILLS = schema.types_of("age", "birth"), schema.types_of("clinical")
"""Types of which one value, in a text with words for roles, is a person's: "the member, 52". In a
short text, one of both is, or an age and an occupation that the text says of one person: a tree has
an age, and a leaflet an illness."""
OWNED = schema.types_of("birth", "national") | {types.PATIENT_ID}
"""Types of what persons alone have. A text with one is about somebody, unless it is impersonal."""
SAID = ", said"
"""What the rule of such an occupation ends with."""
FEWEST = 4
"""Smallest number of words of software or recipes that show an impersonal text."""
SHARE = 0.1
"""Words for one person per sentence from which a text is about a person."""
SUBJECT = 0.001
"""Share of words of health and insurance from which they are the text's subject."""
FIRST_PERSON = 0.08
"""Words in the first person or of address per sentence from which a text is about somebody. The
share is not one of words, because masks take words from a text, but hardly any sentence."""
IMPERSONAL = 0.04
"""Share of words of software, recipes, contracts from which a text is impersonal."""
LEAST = 12
"""Words below which a text is too short to tell what it is about."""
CODE = 0.3
"""Marks of code or markup per blank from which a text is code."""
SHORT = 50
"""Words below which one word of the subject, or one direct identifier, makes a text a person's."""
_I = re.compile(r"\bI(?:['’](?:m|ve|d|ll)\b| [a-z]{2})")
_MARK = re.compile(r"[{}\[\]<>=_|\\/$#`;*()]|::|--")


@dataclass(frozen=True, slots=True)
class Register:
    """What kind of text a document is.

    `nobody`: it is about no person. `impersonal`: moreover, it is about software, goods, a recipe
    or a contract. `foreign`: its language (ISO 639-1), if it is not a known one. `short`: it has so
    few words that one direct identifier makes it a text about a person. `roles`: it has words for a
    person's role, so one age or condition does. `clinical`: it has words of health or insurance.
    """

    nobody: bool = False
    impersonal: bool = False
    foreign: str = ""
    short: bool = False
    roles: bool = False
    clinical: bool = True

    def is_about_nobody(self, found: Sequence[Candidate]) -> bool:
        """Tell whether a text in which these values were found speaks of nobody.

        A message with a person's segment (HL7, X12, EDIFACT) is code, and about that person.
        """
        if not self.nobody or any(one.type in DIRECT and RULE in one.rule for one in found):
            return False
        kinds = frozenset(one.type for one in found)
        named = self.short and not NAMED.isdisjoint(kinds)
        aged, ill = not AGES.isdisjoint(kinds), not ILLS.isdisjoint(kinds)
        works = any(SAID in one.rule for one in found)
        private = (aged or ill) if self.roles else (self.short and aged and (ill or works))
        owned = not OWNED.isdisjoint(kinds)
        return not named and (self.impersonal or not (private or owned))


ABOUT_A_PERSON = Register()
"""The register of a text of which nothing else is known."""


def register_of(
    text: str, words: Sequence[bytes], language: str, persons: frozenset[bytes], sentences: int
) -> Register:
    """Return the register of a text in linear time.

    Args:
        text: the document's text.
        words: its words, as `word_bytes` has them.
        language: the likeliest of the known languages.
        persons: the words of that language for one person.
        sentences: how many sentences the text has.
    """
    foreign = unknown_language(text, words)
    spoken = foreign or language
    counts = Counter(words) if len(words) >= LEAST else Counter[bytes]()
    if foreign:
        persons = register_words("persons", foreign)
    one = sum(
        counts[word] for word in persons.intersection(counts) - register_words("jobs", spoken)
    )
    in_role = one + sum(
        counts[word] for word in register_words("roles", spoken).intersection(counts)
    )
    nobody = (
        len(words) >= LEAST
        and one < SHARE * sentences
        and not _personal(text, counts, spoken, len(words), sentences)
    )
    return Register(
        nobody,
        nobody and (_impersonal(counts, spoken, len(words)) or _is_code(text)),
        foreign,
        len(words) < SHORT,
        in_role >= max(SHARE * sentences, 1),
        not register_words("subject", spoken).isdisjoint(words),
    )


def _personal(
    text: str, counts: Mapping[bytes, int], language: str, size: int, sentences: int
) -> bool:
    """Is a text of `size` words about health or insurance, or in the first person?

    A fact in a text about health may be that of a person elsewhere in the corpus.
    """
    subject = register_words("subject", language).intersection(counts)
    on_subject = _count(counts, subject) >= SUBJECT * size
    if on_subject and (len(subject) > 1 or (subject and size < SHORT)):
        return True
    first = _count(counts, register_words("person", language))
    if language == "en":  # "I" is an article in Italian, a conjunction in Polish
        first += len(_I.findall(text))
    return first >= max(FIRST_PERSON * sentences, 1)


def _is_code(text: str) -> bool:
    """Has a text as many marks of code or markup as a third of its words?"""
    return len(_MARK.findall(text)) > CODE * text.count(" ")


def _impersonal(counts: Mapping[bytes, int], language: str, size: int) -> bool:
    heard = register_words("impersonal", language).intersection(counts)
    return len(heard) >= FEWEST and _count(counts, heard) >= IMPERSONAL * size


def _count(counts: Mapping[bytes, int], words: frozenset[bytes]) -> int:
    """Return how often a text has any of these words."""
    return sum(counts[word] for word in words.intersection(counts))


@cache
def register_words(table: str, language: str) -> frozenset[bytes]:
    """Return the words of a table of schema/words/register.toml for a language, or for "any"."""
    tables = words("register")[table]
    return frozenset(map(word_bytes, tables.get(language, "").split()))
