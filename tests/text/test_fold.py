"""Folding: the same words become the same characters, and every offset finds its way back."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.text.fold import fold, folded_value, lower
from linkmask.text.view import visible_text

TEXTS = st.text(st.sampled_from("aB İıßςΣé\u0301\u00a0\t\n\r\u00ad\u200b‑–’'-1.😀"), max_size=40)


def test_case_whitespace_and_typography_are_folded():
    assert (
        folded_value("  Jean‑Luc\u00a0 O’Neil\r\n")
        == folded_value("jean-luc O'NEIL")
        == "jean-luc o'neil"
    )


def test_offsets_of_a_span_after_an_i_with_dot_and_a_line_break_are_right():
    text = "İstanbul:  JOHN\r\n  DOE, soft\u00adhyphen"
    turned = fold(text)
    start = turned.text.index("john doe")
    assert text[slice(*turned.original(start, start + 8))] == "JOHN\r\n  DOE"
    start = turned.text.index("softhyphen")
    assert text[slice(*turned.original(start, start + 10))] == "soft\u00adhyphen"


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_lowering_keeps_the_length_and_folding_is_idempotent(text):
    assert len(lower(text)) == len(text)
    assert folded_value(folded_value(text)) == folded_value(text)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.data())
def test_a_folded_span_maps_to_a_span_that_folds_to_it(text, data):
    turned = fold(text)
    if not turned.text.strip():
        return
    start = data.draw(st.integers(0, len(turned.text) - 1))
    end = data.draw(st.integers(start + 1, len(turned.text)))
    first, last = turned.original(start, end)
    assert 0 <= first < last <= len(text)
    if "\u0301" not in (turned.text[start], turned.text[end : end + 1]):
        assert folded_value(text[first:last]) == turned.text[start:end].strip()


def test_lowering_keeps_the_length_of_every_character():
    every = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    assert len(lower(every)) == len(every)


def seen(text):
    """A text as it is seen; several blanks count as one, as the second is left out in prose."""
    visible = unicodedata.normalize("NFC", text.replace("\u00ad", "").replace("\u200b", ""))
    return re.sub("  +", " ", visible)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.data())
def test_a_text_without_what_has_no_width_finds_its_way_back(text, data):
    turned = visible_text(text)
    assert seen(turned.text) == seen(text)
    if turned.text:
        start = data.draw(st.integers(0, len(turned.text) - 1))
        end = data.draw(st.integers(start + 1, len(turned.text)))
        first, last = turned.original(start, end)
        assert 0 <= first < last <= len(text)
        if "\u0301" not in (turned.text[start], turned.text[end : end + 1]):
            assert seen(text[first:last]) == seen(turned.text[start:end])


def test_a_soft_hyphen_that_ends_a_line_is_seen():
    assert (
        visible_text("Schnei\u00ad\nder so\u00adft \u200bend").text == "Schnei\u00ad\nder soft end"
    )


@pytest.mark.parametrize(
    "word", ["née", "Zoé Brûlé", "Prénom", "Jürgen Weiß", "Nguyễn", "Ångström"]
)
def test_accents_apart_are_composed_and_a_span_takes_them_all(word):
    apart = unicodedata.normalize("NFD", f"le {word}, {word} und so")
    turned = visible_text(apart)
    assert turned.text == f"le {word}, {word} und so"
    start = turned.text.rindex(word)
    original = apart[slice(*turned.original(start, start + len(word)))]
    assert original == unicodedata.normalize("NFD", word)
    assert folded_value(original) == folded_value(word)
    assert fold(apart).text == fold(turned.text).text
