"""Views of a text: hidden characters are left out, and every offset finds its way both ways."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkmask.text.characters import HIDDEN
from linkmask.text.view import (
    TextView,
    each_character,
    text_unescaped,
    view_after_edits,
    visible_text,
)

SOME_HIDDEN = "\u00ad\u200b\u200e\u2060\ufeff\u034f\u3164\U000e0041"
TEXTS = st.text(st.sampled_from("aB éß  .\n:|-e\u03011İ" + SOME_HIDDEN), max_size=40)
ESCAPED = st.lists(
    st.sampled_from(
        [
            "%41",
            "%20",
            "%C3%B6",
            "&uuml;",
            "&amp;nbsp;",
            r"\u00f6",
            r"\ud83d\ude00",
            "=C3=BC",
            "e=20Ab",
            "ab " * 24 + "=\n",
            r"\xc3",
            r"\n",
            r"\\tB",
        ]
    )
    | TEXTS,
    max_size=8,
).map("".join)
"""Texts with escapes, some of which stand for no character."""


@st.composite
def with_hidden(draw: st.DrawFn, text: str) -> str:
    """A text with hidden characters at places drawn at random, no soft hyphen before a line end."""
    places = draw(st.lists(st.integers(0, len(text)), max_size=8))
    for place in sorted(places, reverse=True):
        hidden = draw(st.text(st.sampled_from(SOME_HIDDEN[1:]), min_size=1, max_size=2))
        text = text[:place] + hidden + text[place:]
    return text


@settings(max_examples=200, deadline=None)
@given(TEXTS.flatmap(lambda text: st.tuples(st.just(text), with_hidden(text))))
def test_hidden_characters_anywhere_change_nothing_that_is_seen(texts: tuple[str, str]) -> None:
    text, hiding = texts
    assume("\u00ad" not in text)
    assert visible_text(hiding).text == visible_text(text).text


@settings(max_examples=300, deadline=None)
@given(TEXTS | ESCAPED, st.data())
def test_a_span_that_goes_to_the_original_comes_back_to_the_same_characters(
    text: str, data: st.DataObject
) -> None:
    view = visible_text(text)
    assume(view.text)
    start = data.draw(st.integers(0, len(view.text) - 1))
    end = data.draw(st.integers(start + 1, len(view.text)))
    assert view.viewed(*view.original(start, end)) == (start, end)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_each_character_maps_back_to_the_one_it_comes_from(text: str) -> None:
    view = each_character(text, lambda one: "" if one in HIDDEN else one.casefold())
    at = 0
    for place, one in enumerate(text):
        for _ in "" if one in HIDDEN else one.casefold():
            assert view.original(at, at + 1) == (place, place + 1)
            at += 1
    assert at == len(view.text)


def test_a_span_of_the_original_takes_the_whole_letter_in_the_view() -> None:
    view = visible_text("Ze\u0301 x")
    assert view.text == "Zé x"
    assert view.viewed(0, 2) == view.viewed(0, 3) == (0, 2)
    assert view.viewed(2, 3) == (1, 2)


def test_only_a_span_over_an_edit_crosses_it() -> None:
    view = view_after_edits("Mar-\ntin Kessler", [(3, 5, "")])
    assert view == TextView("Martin Kessler", (3,), (2,), (3,))
    assert view.crosses_edit(0, 6)
    assert not view.crosses_edit(7, 14)
    assert not view.crosses_edit(0, 3)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("?name=John%20Br%C3%A4ndvold&to=j%40example.org", "?name=John Brändvold&to=j@example.org"),
        ("?next=%2Fa%3Fname%3DJohn%2520Roth", "?next=/a?name=John Roth"),
        ("Mr. M&uuml;ller&nbsp;&#74;&amp;#x4a;r. &amp; co", "Mr. Müller JJr. & co"),
        (r'{"name": "J\u00f6rg \\u00c9mile \ud83d\ude00"}', '{"name": "Jörg Émile 😀"}'),
        (r'{"m": "MRN:\t48213\r\nRoth\\n5 Mill Lane"}', '{"m": "MRN:\t48213 \nRoth\n5 Mill Lane"}'),
        ("\x1b[1;31mRoth\x1b[0m Bo", "Roth Bo"),
        (r"C:\new\temp\roth, \tau", r"C:\new\temp\roth, \tau"),
        ("J=C3=B6rg M=C3=BCllerhof", "Jörg Müllerhof"),
        (r"b'J\xc3\xb6rg'", "b'Jörg'"),
        ("Hans=20M=FCller and J=C3=B6rg=20Roth", "Hans Müller and Jörg Roth"),
        ("in der G=E4nsestra=DFe 14", "in der Gänsestraße 14"),
    ],
)
def test_escapes_are_read_as_the_characters_that_they_stand_for(text: str, shown: str) -> None:
    assert visible_text(text).text == text_unescaped(text) == shown


LINE = "Please send all letters about this claim to my sister, Mrs. Brand"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_word_that_a_mail_breaks_at_the_end_of_a_line_is_whole(end: str) -> None:
    view = visible_text(f"{LINE}={end}vold of Duluth")
    assert view.text == f"{LINE}vold of Duluth"
    assert view.original(len(LINE) - 5, len(LINE) + 4) == (len(LINE) - 5, len(LINE) + 5 + len(end))


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE} ==\nvold",
        f"{LINE} =\n    vold",
        "a = b and c =\nd",
        f"{'QUJD' * 18}QQ=\nOttoline Brandvold",
        "n=20 patients, age=20y, dose=20MG, room=20",
    ],
)
def test_a_sign_of_equality_at_the_end_of_another_line_stays(text: str) -> None:
    assert visible_text(text).text == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "See https://p.org/f?n=Mary%20Roth&x=1 for%20it",
            "See https://p.org/f?n=Mary+Roth&x=1 for it",
        ),
        ("www.a.org/b%20c d%20e", "www.a.org/b+c d e"),
        ('<a href="https://a.org/b%20c">d%20e', '<a href="https://a.org/b+c">d e'),
        ("Mary%20Roth: https://a.org/", "Mary Roth: https://a.org/"),
    ],
)
def test_an_escaped_blank_does_not_end_an_address_of_the_web(text: str, shown: str) -> None:
    assert visible_text(text).text == shown


@pytest.mark.parametrize(
    "text",
    [
        "5%20 of them (10%25)",
        "a&bogus; &copy",
        "%C3 %FF %00",
        r"\ud83d \x00 \u12",
        "x=F6y=3D",
        "50% de",
    ],
)
def test_what_stands_for_no_character_stays_as_it_is_spelled(text: str) -> None:
    assert visible_text(text).text == text
