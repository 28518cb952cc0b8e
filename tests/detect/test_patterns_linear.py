"""No text makes a rule slow: work grows with the text's length, whatever is in it."""

import re
from time import process_time

import pytest

from linkmask.detect.found import Scope
from linkmask.detect.patterns import compiled, find
from linkmask.detect.patterns.near import Near, shape
from linkmask.detect.patterns.rule import NO_DIGIT

ALL = ("us", "gb", "fr", "de", "ch")
HOSTILE = [
    "0", "a", "A", "1", " ", ".", "-", ":", "@", "#", "/", "0 ", "0.", "0-", "0/", "a.", "A ",
    "A-", "a@", "@a", "a@a.", "1:", "::", "ff:", "1.1.", "http://", "http://.", "www..", "00 ",
    "0 0 ", "(0)", "+0", "aged ", "age 1", "Patient ", "Patient 1 ", "claim #", "#1", "A1-",
    "A1/", "Rue de ", "12 rue de la ", "1 A ", "1 St ", "1 Main St, ", "Straße 1 ", "Am A 1",
    "May ", "1 May ", "May 1 - ", "2020-", "2020 - ", "01/2020-", "1/1/20-", "Q1-", "fifty-",
    "fifty-two-year ", "in his ", "patients over 1 ", "4111 1111 ", "DE89 3704 ",
    "1 23 45 67 890 123 ", "née le ", "born ", "İ", "é", "\n", "\u00a0", "P.O. Box ", "née ",
    "a [at] ", "a @ b . ", "a@b-\n", "A B/C@", "a. a@", "12 A\nApt 1\n", "12 Main St Apt 1 ",
    "at A ", "at 1 A ", "corner of A ", "Unit 1 Box 1 ", "1 County Road 1 ", "deux rue a ",
    "ICD A10.", "CPT 1 ", "| 1/1/20 ",
    "@a.", "tel. 1 ", "0 1 - ", "1 . ",
    "x" * 40 + "@", "7.56", "MAY",
]  # fmt: skip


def work(text: str) -> float:
    """Return the lesser processor time of two readings of a text, in seconds."""
    times = []
    for _ in range(2):
        start = process_time()
        find(text, Scope("fr", ALL))
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_grows_with_length(piece: str) -> None:
    """Eight times the text is about eight times the work; a quadratic rule would take 64 times."""
    short = (piece * 3000)[:3000]
    long = short * 8
    assert work(long) < 24 * work(short) + 0.05


def test_every_rule_is_tried_alone_on_every_hostile_text() -> None:
    """Also without the search for stretches, no expression runs away on any hostile text."""
    rows, _ = compiled(ALL, "fr")
    for rule, matches, *_ in rows:
        for piece in HOSTILE:
            text = (piece * 3000)[:3000]
            start = process_time()
            for _ in matches(text, 0, len(text)):
                pass
            assert process_time() - start < 2.0, (rule.name, piece)


def test_no_repeat_holds_an_unbounded_repeat() -> None:
    """The source of a rule has no `(…+)+`: a star or plus over a group with one inside."""
    rows, _ = compiled(ALL, "en")
    nested = re.compile(r"[+*](?![+?])\)[+*]")
    assert [rule.name for rule, *_ in rows if nested.search(rule.pattern)] == []


@pytest.mark.parametrize("text", ["Ä1B2", "İstanbul 12", "x – y’s", "emoji 🩺 3", "", "\ud800 7"])
def test_shape_is_as_long_as_the_text(text: str) -> None:
    assert len(shape(text)) == len(text)


def test_a_rule_sleeps_far_from_its_pieces() -> None:
    """A text without digits and signs wakes no rule that names pieces."""
    rows, near = compiled(ALL, "en")
    stretches = near.stretches("Nothing here would wake any such thing. " * 20)
    awake = [rule.name for rule, *_, number in rows if rule.near and number in stretches]
    assert awake == []


def test_every_rule_is_awake_around_each_of_its_pieces() -> None:
    """Wherever a piece stands, digits alone or not, near the begin or after others: it is tried."""
    rows, near = compiled(ALL, "fr")
    for rule, *_, number in rows:
        for piece in rule.near:
            digit = "7" if rule.digit[0] > 0 else ""
            other = "7" if rule.digit[1] > 0 else ""
            x = " " if rule.whole else "x"
            text = (
                f"{digit}{x}{piece}{x}{other}"
                + " lorem ipsum" * 40
                + f" {digit} {piece} {other} "
                + " lorem" * 40
                + " 12345678901234"
            )
            inside = [text.find(piece), text.rfind(f" {piece} ") + 1]
            for at in inside:
                begin, end = max(0, at - rule.reach[0]), at + len(piece) + rule.reach[1]
                assert any(
                    a <= begin and min(end, len(text)) <= b for a, b in near.stretches(text)[number]
                ), (rule.name, piece)


def test_a_piece_without_the_digit_it_needs_wakes_no_rule() -> None:
    """ "March" far from any digit is no date, "a state" behind none no street."""
    rows, near = compiled(ALL, "en")
    needy = {number for rule, *_, number in rows if rule.digit != NO_DIGIT}
    far = " lorem" * 40
    for text in ("A march of the years in a state of rage", f"7{far} march, state, years{far} 7"):
        assert needy.isdisjoint(near.stretches(text))


def test_a_piece_inside_a_word_wakes_no_rule_that_wants_whole_words() -> None:
    """ "Summary" and "marked" hold no month, "state" no street; the long s and K are letters."""
    rows, near = compiled(ALL, "en")
    by_name = {rule.name: number for rule, *_, number in rows}
    inside = near.stretches("7 summary 7 marked 7 state 7 drives 7")
    assert by_name["month"] not in inside and by_name["street-en"] not in inside
    for text in ("3 mar 2024", "3 AuguſT 2024", "7Mar2024", "3 mar. 2024"):
        assert by_name["month"] in near.stretches(text), text


def test_stretches_are_disjoint_and_sorted() -> None:
    rows, _ = compiled(ALL, "fr")
    near = Near([rule for rule, *_ in rows])
    text = "Mme Roth, 12 rue de la Paix, née le 1er avril 1983, tél. 06 12 34 56 78. " * 30
    for row in near.stretches(text).values():
        flat = [offset for pair in row for offset in pair]
        assert flat == sorted(flat)
        assert flat[0] < len(text) and flat[-1] > 0
