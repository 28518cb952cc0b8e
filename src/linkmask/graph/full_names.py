"""Finds the person that a short name or a user name means: "Ms. Kowalczyk", "Marta", "mkowalczyk".

Within a document a short name means the only person named in full there whom it fits. Across
documents it counts only if it is one of the `forms` of a full name, which mean nobody else in the
corpus; so a search for these forms finds every document in which a name may come to mean another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from linkmask import schema
from linkmask.graph.names import (
    MANY,
    NAMES,
    Person,
    given_names,
    given_names_fit,
    lone_surname,
    name_forms,
    only_candidate,
    only_person,
    person,
    title_keys,
)
from linkmask.graph.short_names import (
    ABBREVIATED,
    DISTINCTIVE,
    INITIALLED,
    PERSONS,
    SURNAME,
    TITLED,
    short_forms,
)
from linkmask.text.letters import fold_value

NAMED_ALIKE = schema.types_of("place", "organization", "clinical")
"""Types of things that bear surnames: Hamilton, the Mayo Clinic, Parkinson's disease."""

NAMESAKES = 256
"""Largest number of full names with one surname, or one given name, in a document and in the
corpus, among which a short name is resolved. If there are more it means nobody, so that lists of
names take linear time."""
LONGEST_USER = 40
"""Characters above which a word is no user name."""


class FullNames:
    """The full names of a corpus."""

    def __init__(self, corpus: Iterable[tuple[str, str]]) -> None:
        """Take the distinct types and values of a corpus, sorted."""
        self._full: dict[tuple[str, str, str], dict[str, None]] = {}
        self._abbreviated: dict[tuple[str, str, str], list[str]] = {}
        self._surnames: dict[str, set[str]] = {}
        self._distinctive: dict[str, bool] = {}
        self._elsewhere: set[str] = set()
        self._here: tuple[Collection[str], str, dict[str, list[str]]] = ((), "", {})
        for entity_type, value in corpus:
            if entity_type in NAMES:
                who = person(value)
                if who and who.given:
                    self._surnames.setdefault(who.family, set()).add(value)
                elif who is None or entity_type not in PERSONS:
                    self._elsewhere.update(value.split())
                if who and who.given and len(who.given[0]) > 1:
                    self._add(entity_type, value, who)
            elif entity_type in NAMED_ALIKE:
                self._elsewhere.update(re.findall(r"\w+", fold_value(value)))

    def _add(self, entity_type: str, value: str, who: Person) -> None:
        for initial in ("", who.given[0][0]):
            self._full.setdefault((entity_type, who.family, initial), {})[value] = None
        if len(who.family) > 1:
            key = entity_type, who.given[0], who.family[0]
            self._abbreviated.setdefault(key, []).append(value)

    def resolve(self, entity_type: str, value: str, in_document: Collection[str]) -> str:
        """Return the full name that a short one means, or its own value if that is unclear.

        A surname with a title, initials with a surname, a full name without its middle name, a
        given name with the initial of the surname, and a user name made of both: looked for among
        `in_document`, the values in the document, then in the corpus. A given name is looked for in
        the document only, and a bare surname elsewhere only where it can mean nothing and nobody
        else.
        """
        who = person(value) if entity_type in NAMES else None
        if who is None:
            return value
        if " " not in value:
            meant = self._of_word(entity_type, value, in_document)
        else:
            meant = self._of_words(entity_type, value, who, in_document)
        if meant == value:
            return value
        return self._of_words(entity_type, meant, person(meant), in_document)

    def _of_words(
        self, entity_type: str, value: str, who: Person | None, in_document: Collection[str]
    ) -> str:
        """Resolve several words: a name with less before the surname, or without the surname."""
        assert who is not None
        initial = who.given[0][0] if who.given else ""
        full: Collection[str] = self._full.get((entity_type, who.family, initial), {})
        if len(full) > MANY:
            full = _both(full, in_document)
        fitting = [
            one for one in full if one != value and given_names_fit(who.given, given_names(one))
        ]
        meant = only_candidate(fitting, in_document, value)
        if meant != value or entity_type not in PERSONS or not who.given:
            return meant
        return self._of_given_names(entity_type, value, in_document)

    def _of_word(self, entity_type: str, value: str, in_document: Collection[str]) -> str:
        """Resolve one word: a surname, a given name, or a user name."""
        full = self._full.get((entity_type, value, ""), {})
        here = self._named_here(entity_type, value, in_document)
        if here or entity_type not in PERSONS:
            return only_person(here) or value
        if len(full) <= MANY and self._is_distinctive(value):
            return only_person(full) or value
        return self._of_user_name(entity_type, value, in_document)

    def _named_here(self, entity_type: str, word: str, in_document: Collection[str]) -> list[str]:
        """Return the full names in a document with a surname or, of persons, a given name."""
        here = _both(self._full.get((entity_type, word, ""), {}), in_document)
        titled = any(f"{key} {word}" in in_document for key in title_keys())
        if titled or entity_type not in PERSONS:
            return here  # "Mr. Martin" is not Martin Schulz
        return [*here, *self._given_here(entity_type, word, in_document)]

    def _of_given_names(self, entity_type: str, value: str, in_document: Collection[str]) -> str:
        """Resolve given names without a surname, or with its initial: "Mary Kay", "Elena V."."""
        words = value.split()
        alike = self._given_here(entity_type, words[0], in_document)
        here = [one for one in alike if one != value and _begins(words, one)]
        if here:
            return only_person(here) or value
        key = entity_type, words[0], words[-1]
        return self._unique(self._abbreviated.get(key, ()), entity_type, f"{value}.") or value

    def _of_user_name(self, entity_type: str, value: str, in_document: Collection[str]) -> str:
        """Resolve a word made of a surname and a given name, or its initial, in either order."""
        fitting = self._in_one_word(entity_type, value)
        here = _both(fitting, in_document)
        return only_person(here) or self._unique(sorted(fitting), entity_type, value) or value

    def _in_one_word(self, entity_type: str, word: str) -> set[str]:
        """Return the full names of which a word has a surname and a given name, or its initial."""
        fitting = set[str]()
        if len(word) > LONGEST_USER or not word.isalpha():
            return fitting
        for cut in range(1, len(word)):
            for given, family in ((word[:cut], word[cut:]), (word[cut:], word[:cut])):
                full = self._full.get((entity_type, family, given[0]), {})
                if len(full) <= MANY:
                    fitting.update(o for o in full if given in parts_of_user_names(given_names(o)))
        return fitting

    def of_address(self, local: str, in_document: Collection[str]) -> tuple[str, str] | None:
        """Return type and full name of the person whom an address names before its "@", if one.

        As a name in a text is: in the document by the surname or given name alone, too; across
        documents by one of the `forms` of the full name.
        """
        words = re.split(r"[._-]+", local)
        if not all(map(str.isalpha, words)):
            return None
        for entity_type in sorted(NAMES, key=lambda name: (name not in PERSONS, name)):
            fitting = self._fitting(entity_type, words)
            here = _both(fitting, in_document)
            if len(words) == 1 and not here:
                here = self._named_here(entity_type, local, in_document)
            meant = only_person(here) or self._unique(sorted(fitting), entity_type, local)
            if meant is not None:
                return entity_type, self.resolve(entity_type, meant, in_document)
        return None

    def _fitting(self, entity_type: str, words: Sequence[str]) -> set[str]:
        """Return the full names of which the words of a user name can be made."""
        if len(words) == 1:
            return self._in_one_word(entity_type, words[0])
        fitting = set[str]()
        for given, family in ((words[:-1], words[-1]), (words[1:], words[0])):
            full = self._full.get((entity_type, family, given[0][0]), {})
            if len(full) <= MANY:
                fitting.update(one for one in full if given_names_fit([*given], given_names(one)))
        return fitting

    def _unique(self, full: Sequence[str], entity_type: str, form: str) -> str | None:
        """Return the person of whom a form means nobody else in the corpus."""
        if not 0 < len(full) <= MANY:
            return None
        forms = (name_forms(one) + self.forms(entity_type, one) for one in full)
        return only_person([one for one, own in zip(full, forms, strict=True) if form in own])

    def _given_here(
        self, entity_type: str, given: str, in_document: Collection[str]
    ) -> Sequence[str]:
        """Return the full names in a document that begin with a given name, if they are few."""
        document, of, index = self._here  # many values of a document are asked for in a row
        if document is not in_document or of != entity_type:
            index = {}
            for value in sorted(in_document):
                who = person(value)
                initial = who.given[0][0] if who and who.given else ""
                if who and value in self._full.get((entity_type, who.family, initial), ()):
                    index.setdefault(who.given[0], []).append(value)
            self._here = in_document, entity_type, index
        found = index.get(given, ())
        return found if len(found) <= NAMESAKES else ()

    def forms(self, entity_type: str, value: str) -> list[str]:
        """Return the short names of a full name, which mean nobody else here."""
        return short_forms(self.facts(entity_type, value), entity_type, value)

    def facts(self, entity_type: str, value: str) -> str:
        """Return the facts about a name in this corpus, a letter each (`TITLED` …)."""
        code, who = "", person(value) if entity_type in NAMES else None
        if who is not None and who.given:
            first = who.given[0]
            if len(first) > 1:
                code += TITLED * self._alone(self._full.get((entity_type, who.family, ""), ()), who)
                same = self._full.get((entity_type, who.family, first[0]), ())
                code += INITIALLED * self._alone(same, who)
            if entity_type in PERSONS:
                code += ABBREVIATED * self._is_abbreviated(entity_type, who)
                code += SURNAME * self.is_surname(who.family)
                code += DISTINCTIVE * self._is_distinctive(who.family)
        return code

    def is_surname(self, family: str) -> bool:
        """Tell whether a bare surname is neither a word nor another thing's name here."""
        return lone_surname(family) and self._elsewhere.isdisjoint(family.split())

    def _is_distinctive(self, family: str) -> bool:
        """Tell whether a bare surname is one person's here, and no word or other thing's name."""
        if family not in self._distinctive:
            self._distinctive[family] = self.is_surname(family) and self._is_one_person(family)
        return self._distinctive[family]

    def _is_one_person(self, family: str) -> bool:
        """Tell whether all full names with a surname can be one person's."""
        everybody = sorted(map(given_names, self._surnames.get(family, ())), key=_letters)
        return bool(everybody) and all(given_names_fit(given, everybody[-1]) for given in everybody)

    def _is_abbreviated(self, entity_type: str, who: Person) -> bool:
        """Tell whether a given name and the initial of the surname mean one person here."""
        if min(len(who.given[0]), len(who.family)) < 2 or " " in who.family:
            return False
        same = self._abbreviated.get((entity_type, who.given[0], who.family[0]), ())
        return self._alone(same, who) and only_person(same) is not None

    @staticmethod
    def _alone(full: Collection[str], who: Person) -> bool:
        """Tell whether all of some full names can be one person's."""
        return len(full) <= MANY and all(
            given_names_fit(who.given, names) or given_names_fit(names, who.given)
            for names in map(given_names, full)
        )


def _letters(words: list[str]) -> tuple[int, list[str]]:
    return sum(map(len, words)), words


def _both(full: Collection[str], in_document: Collection[str]) -> list[str]:
    """Return the full names that stand in a document; none if there are too many to look at."""
    few, many = sorted((full, in_document), key=len)
    return sorted(one for one in few if one in many) if len(few) <= NAMESAKES else []


def _begins(words: Sequence[str], full: str) -> bool:
    """Tell whether words are given names of a full name, or one with the initial of its surname."""
    who = person(full)
    assert who is not None
    short = len(words) == 2 and len(words[1]) == 1 and who.family.startswith(words[1])
    return short or who.given[: len(words)] == words


def parts_of_user_names(given: Sequence[str]) -> tuple[str, str, str]:
    """Return what of given names stands in a user name: the initial, the first, or all in one."""
    return given[0][0], given[0], "".join(given)
