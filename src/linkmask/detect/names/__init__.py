"""Completes the names of persons: a mask must not stand beside a readable part of the same name.

Lexicon, labels, patterns and tagger find names first. Then `name_parts` reads the words of a
document's names, and one search (`search`) looks for them in all its fields: alone in the text, and
joined in user names, in paths and in names of hosts and files. After the resolution, `extent` lets
a name reach over the other half of its word and over a part of the same name beside it.

    name_parts    the words of a document's names, in the forms that each place has
    search        where they stand again, with the persons that a path names by itself
    aliases       names of its persons in small letters, and names beside others
    extent        the whole of a name of which a part is found
    word_or_name  whether a name that is also a word stands for its person
    paths         which runs of characters are paths, and which segments of them name somebody
    unlisted      full names by their form, in languages without lists
    name_judges   what rows of recognizers ask about names
"""

from __future__ import annotations

from collections.abc import Sequence

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import is_constant
from linkmask.detect.names.aliases import named_by_alias, small_names_of
from linkmask.detect.names.name_parts import parts_of_names
from linkmask.detect.names.search import names_again
from linkmask.schema import types_of

PERSONS = types_of("person")


def without_constants(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates of a text without persons that are constants of a program."""
    return [
        one
        for one in found
        if one.type not in PERSONS or not is_constant(text[one.start : one.end])
    ]


def add_names_of_document(fields: Sequence[tuple[str, list[Candidate], str]]) -> None:
    """Add where the names of a document stand again in its fields.

    `fields`: the text of each field of one document, its candidates, which are added to, and the
    known language that it is most like.
    """
    names = parts_of_names((text, found) for text, found, _ in fields)
    small = small_names_of((text, found) for text, found, _ in fields)
    for text, found, language in fields:
        again = [*names_again(text, names, found, language)]
        found.extend([*again, *named_by_alias(text, small, found, language)])
