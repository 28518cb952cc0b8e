"""A user name that is made of a person's name in the same document is a NAME."""

import pytest

from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.user_names import user_name_stems, user_names
from linkmask.graph.entities import canonical
from linkmask.records import Document

NAME = "Ottoline Brandvold"


def found(text: str, *names: str) -> list[str]:
    """Return the user names of persons in a text."""
    return [text[one.start : one.end] for one in user_names(text, *user_name_stems(names))]


@pytest.mark.parametrize(
    "word",
    "obrandvold obrandvold92 o.brandvold ottoline_brandvold BrandvoldO brandvold-ottoline7"
    " brandvold1980 ottoline_92".split(),
)
def test_name_and_initial_or_number_make_a_user_name(word: str) -> None:
    """Given name or initial joined with the surname, or a number behind one of them, is found."""
    assert found(f"Logged in as {word}, (then @{word}). See a.org/in/{word}", NAME) == [word] * 3


@pytest.mark.parametrize(
    "text",
    [
        "Brandvold called, and Ottoline too.",
        "brandvold5",  # a single digit may be the mark of a footnote
        "brandvolds brandvoldlane obrandvoldx",
        "li2024 is a cited work",
    ],
)
def test_a_name_alone_and_longer_words_are_no_user_names(text: str) -> None:
    """A name by itself is left to other recognizers, and a word that goes on is another word."""
    assert found(text, NAME, "Wei Li") == []


def test_accents_and_capitals_may_be_dropped() -> None:
    """A user name is written without accents."""
    assert found("squemeneur29", "Solène Quéméneur") == ["squemeneur29"]


def test_a_user_name_is_found_in_another_field_than_the_name() -> None:
    """All fields of a document know the persons that any of them names."""
    document = Document("d", f"Ms. {NAME} asks for help.", {"account": "obrandvold92"})
    mentions = first_pass(document, Settings(), canonical)
    assert ("NAME", "obrandvold92") in [(one.type, one.original) for one in mentions]


def mentioned(text: str) -> list[str]:
    """Return the names that the first pass finds in a text."""
    found = first_pass(Document("a", text), Settings(), canonical)
    return [one.original for one in found if one.type == "NAME"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Many thanks to @tkallio for the ride.", "tkallio"),
        ("@odalysb Works now, see you there", "odalysb"),
        ("cc @samuel and the team", "samuel"),
        ("* fixed by @runafalk in the last release", "runafalk"),
    ],
)
def test_a_made_up_word_or_a_name_behind_an_at_is_a_user_name(text: str, name: str) -> None:
    """It needs neither a digit nor a point."""
    assert mentioned(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "@lru_cache\ndef run(path):\n    return path\n",
        "@hookimpl\n    async def run(path): ...\n",
        "@app.route('/claims')\ndef run(): ...\n",
        "/**\n * @tparam path the file\n * @since_2 always\n */",
        "Use `@validate_call` for that.",
        "@media screen { }",
        "cc @everyone and @here",
        "npm install @scopeofit/tool",
        "the price @delivery is 4 EUR",
    ],
)
def test_code_and_words_of_prose_behind_an_at_are_no_user_names(text: str) -> None:
    """Decorators, tags of comments, quoted code, rules of style sheets, scopes of packages."""
    assert mentioned(text) == []
