"""The preview: before and after, beside each other where there is room, harmless in any case."""

from __future__ import annotations

import pytest
from rich.console import Console

from linkmask.records import Document, Masked, Mention, Replacement, Why
from linkmask.report.preview import MOST, preview

TEXT = "Ada Quill, 52, seen in Harbour Town."


def mention(field, start, end, name, text=TEXT):
    return Mention("a1", field, start, end, name, text[start:end], "v", 1.0, Why("hand"))


def masked(text=TEXT, metadata=None, replacements=None):
    document = Document("a1", text, metadata or {})
    gone = [Replacement("content", 0, 9, "e", "NAME", "[NAME]")]
    return Masked(document, document, gone if replacements is None else replacements)


def printed(renderable, width, colour=None):
    console = Console(width=width, color_system=colour, force_terminal=colour is not None)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


FOUND = [mention("content", 0, 9, "NAME"), mention("content", 23, 35, "LOCATION")]


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_before_and_after_fit_any_width(width):
    text = printed(preview(masked(), FOUND), width)
    assert max(map(len, text.splitlines())) <= width
    flat = " ".join(text.replace("│", " ").split())
    assert "Ada Quill, 52" in flat
    assert "[NAME], 52" in flat
    assert "1 place masked" in flat


def test_after_holds_no_masked_value_and_wide_terminals_show_both_beside():
    wide = printed(preview(masked(), FOUND), 120).splitlines()
    assert any("before" in line and "after" in line for line in wide)
    narrow = printed(preview(masked(), FOUND), 80)
    assert "Ada Quill" not in narrow[narrow.index("after") :]


def test_kept_mentions_are_underlined_and_masked_ones_are_not():
    text = printed(preview(masked(), FOUND), 80, "standard")
    assert "\x1b[4;" in text
    plain = printed(preview(masked(), FOUND[:1]), 80, "standard")
    assert "underlined" not in plain


def test_metadata_that_was_masked_is_shown_with_its_path():
    gone = [Replacement("metadata/who/0", 0, 3, "e", "NAME", "[NAME]")]
    text = printed(preview(masked("x", {"who": ["Ada"], "kind": "note"}, gone), []), 80)
    assert "metadata/who/0: [NAME]" in text
    assert "kind" not in text


def test_escape_sequences_in_a_document_do_not_reach_the_terminal():
    hostile = "Ada Quill\x1b[2J\x1b]0;title\x07 \u202eevil [bold]x[/bold]"
    text = printed(preview(masked(hostile), []), 100)
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert "[bold]x[/bold]" in text


def test_a_long_document_is_cut_outside_its_masks():
    long = "a " * (MOST // 2 - 2) + "Ada Quill" + " b" * MOST
    gone = [Replacement("content", MOST - 4, MOST + 5, "e", "NAME", "[NAME]")]
    text = printed(preview(masked(long, replacements=gone), []), 100)
    assert "Ada" not in text
    assert "more characters" in text
