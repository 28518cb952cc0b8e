"""No text makes a rule slow: the steps of a match grow with the text, whatever is in it.

Steps are counted, not timed (`steps.py`); `benchmarks/patterns.py hostile` has the clock.
"""

import importlib
import pkgutil
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import ModuleType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import linkmask.detect
import linkmask.text
from counting_matcher import Counter
from expression_samples import sample
from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import GUARD, TABLES, applied, find, search_of
from linkmask.detect.patterns.shipped_rules import stage
from linkmask.detect.recognizers.prefilter import Near, shape
from linkmask.detect.recognizers.rule import NO_DIGIT, Rule, Searched

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
    "one ", "call one 1 ", "neuf-", "a (dot) ", "account 12 ", "DE02\n", "SSN O1", "MBI 1A-",
    "a b ", "a-b-", "a b at ", "a_1: ", "W100 A ", "No. 1, A ", "10 n a ", "live at 1 a ",
    "5 rue a ", "am a 1 ", "wohnt a ", "A House, ", "id a 1 ", "Clos A ", "RR 1, A ",
    "@a.", "tel. 1 ", "0 1 - ", "1 . ",
    "x" * 40 + "@", "7.56", "MAY", "1 A ST, B MN ", "1\nst a\nst\n", "1 rue a, 69003 b ",
    "a str. 1, 10115 b ", "1 ST ST ST ",
]  # fmt: skip


SCANNED = (
    "structured.fields.PATTERNS structured.fields.PATTERNS.1 structured.rows._ITEM "
    "lexicon.word_features._TOKEN lexicon.word_features._PLAIN_TOKEN "
    "relevance.discourse._STOP structured.chat._LINE "
    "relevance.discourse._AGED written_masks.MASK text.fold._RUNS text.fold._RUNS_OR_ACCENTED "
    "text.view._HIDDEN text.view._UNSEEN text.layout._BLANKS text.layout._GAP "
    "register.language._SENTENCE view.touching_words._HYPHEN "
    "names.search._WORD names.search._COMPOUND names.paths.RUN names.unlisted._LETTERED"
).split()
"""Expressions that whole texts are searched with, beside the rules'."""
ASKED = 160
"""Characters that a judge looks at around a value, at most."""


def modules() -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules of the detectors, but those whose model looks at a word at a time."""
    rooms = (
        *pkgutil.walk_packages(linkmask.detect.__path__, "linkmask.detect."),
        *pkgutil.iter_modules(linkmask.text.__path__, "linkmask.text."),
    )
    for info in rooms:
        if ".prompted" not in info.name and ".ner" not in info.name:
            name = info.name.removeprefix("linkmask.").removeprefix("detect.")
            yield name, importlib.import_module(info.name)


def expressions() -> dict[str, re.Pattern[str]]:
    """Return all expressions of the detectors that stand in a module, by module and name."""
    found = {}
    for room, module in modules():
        for name, value in vars(module).items():
            several = value.values() if isinstance(value, dict) else value
            for number, one in enumerate(
                several if isinstance(several, (tuple, list)) else [value]
            ):
                if isinstance(one, re.Pattern):
                    more = f".{number}" if number else ""
                    found[f"{room}.{name}{more}"] = one
    return found


ALL_RULES = [rule for table in (stage("regulated"), *TABLES) for rule in table]
RULES = {rule.name: re.compile(rule.pattern) for rule in ALL_RULES}


def held(function: object) -> Iterator[re.Pattern[str]]:
    """Yield the expressions that a function closes over, and those of its functions."""
    for cell in getattr(function, "__closure__", None) or ():
        if isinstance(cell.cell_contents, re.Pattern):
            yield cell.cell_contents
        elif callable(cell.cell_contents):
            yield from held(cell.cell_contents)


JUDGES = {
    f"{rule.name}'s judge {number}": one
    for rule in ALL_RULES
    for number, one in enumerate(held(rule.judge))
}
SCANS = {
    f"{rule.name}'s scan {number}": one
    for rule in ALL_RULES
    for number, one in enumerate(held(rule.scan))
}
OTHERS = {**expressions(), **JUDGES, **SCANS}
WHOLE = {**RULES, **SCANS, **{name: OTHERS[name] for name in SCANNED}}
MOST = 1000
"""Steps for each character that an expression may take; what `re` skips is counted, too."""

UNITS = st.lists(
    st.tuples(st.sampled_from(HOSTILE), st.integers(1, 6)), min_size=1, max_size=3
).map(lambda parts: "".join(piece * times for piece, times in parts))
"""Mixtures of pieces, to be said over and over."""


def test_every_rule_has_a_name_of_its_own() -> None:
    """Tests, explanations and weights know a rule by its name: of two, one would go untested."""
    names = [rule.name for rule in ALL_RULES]
    assert sorted(names) == sorted(RULES)


def test_every_rule_that_a_module_holds_is_tested_here() -> None:
    """A table of rules that is not among `TABLES` would run nowhere, or untested."""
    held = {
        rule.name: rule
        for _, module in modules()
        for value in vars(module).values()
        if isinstance(value, (tuple, list))
        for rule in value
        if isinstance(rule, Rule)
    }
    assert sorted(held.keys() - RULES.keys()) == []


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_an_expression_takes_few_steps_for_each_character(name: str) -> None:
    """Of a dozen hostile texts, none costs a rule or a text-wide expression much, nor more twice
    as long: a nested or an unbounded repeat would."""
    counter = Counter(WHOLE[name])
    for piece in random.Random(name).sample(HOSTILE, 12):
        short, long = (counter.count((piece * n)[:n]) for n in (240, 480))
        assert short < MOST * 240, piece
        assert long < 3 * short + 480 * 20, piece


@given(st.sampled_from(sorted(WHOLE)), UNITS)
def test_no_mixture_of_hostile_pieces_makes_an_expression_slow(name: str, unit: str) -> None:
    assert Counter(WHOLE[name]).count((unit * 240)[:240]) < MOST * 240


@given(st.sampled_from(sorted(OTHERS)), UNITS)
def test_what_a_judge_looks_at_is_looked_at_fast(name: str, unit: str) -> None:
    """Expressions that see but the surroundings of a value may look twice at each character."""
    assert Counter(OTHERS[name]).count((unit * ASKED)[:ASKED]) < MOST * ASKED * 3


@example("lexicon.word_features._PLAIN_TOKEN", "née le ", 0)
@given(st.sampled_from(sorted(OTHERS | RULES)), UNITS, st.integers(0, 60))
def test_the_counter_matches_what_re_matches(name: str, unit: str, start: int) -> None:
    """The steps are those of the same matching: same end, or no match in both."""
    expression, text = (OTHERS | RULES)[name], (unit * 60)[:60]
    said = text if isinstance(expression.pattern, str) else text.encode("latin-1", "replace")
    match = expression.match(said, min(start, len(text)))  # type: ignore[arg-type]
    end = Counter(expression).match(text, min(start, len(text)))
    assert end == (match.end() if match else -1)


def test_no_repeat_holds_an_unbounded_repeat() -> None:
    """The source of a rule has no `(…+)+`: a star or plus over a group with one inside."""
    nested = re.compile(r"[+*](?![+?])\)[+*]")
    assert [n for n, one in (JUDGES | RULES).items() if nested.search(one.pattern)] == []


@pytest.mark.parametrize("mark", ["a", " ", "1", "A.", "\n"])
def test_a_line_of_a_million_characters_is_read(mark: str) -> None:
    """Nothing is lost at the end of a line of a megabyte, in which nothing else is found."""
    text = mark * (1_000_000 // len(mark)) + " write to zelko.finch@example.org"
    assert text[find(text, Scope())[-1].start :] == "zelko.finch@example.org"


@pytest.mark.parametrize("text", ["Ä1B2", "İstanbul 12", "x – y’s", "emoji 🩺 3", "", "\ud800 7"])
def test_shape_is_as_long_as_the_text(text: str) -> None:
    assert len(shape(text)) == len(text)


@pytest.mark.parametrize(
    ("one", "other"), [("ПРИВЕТ", "привет"), ("ΣΆΣ", "σάς"), ("μου", "\xb5ου"), ("Ё", "ё")]
)
def test_the_shape_of_a_letter_is_that_of_its_other_case(one: str, other: str) -> None:
    assert shape(one) == shape(other) != "?" * len(one)


def test_letters_of_no_rule_wake_no_rule_of_another_script() -> None:
    """Greek triggers sleep in Chinese texts, where rows with ideograms are awake."""
    rows, near = applied(ALL, "en")
    stretches = near.stretches(shape("漢字仮名交文" * 20))
    awake = [rule.name for rule, number in rows if rule.near and number in stretches]
    assert {name[:8] for name in awake} == {"name-zh-", "name-ja-"}


def test_a_rule_sleeps_far_from_its_pieces() -> None:
    """A text without digits and signs wakes no rule that names pieces."""
    rows, near = applied(ALL, "en")
    stretches = near.stretches(shape("Nothing here would wake any such thing. " * 20))
    awake = [rule.name for rule, number in rows if rule.near and number in stretches]
    assert awake == []


def test_every_rule_is_awake_around_each_of_its_pieces() -> None:
    """Wherever a piece stands, digits alone or not, near the begin or after others: it is tried."""
    rows, near = applied(ALL, "fr")
    for rule, number in rows:
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
                    a <= begin and min(end, len(text)) <= b
                    for a, b in near.stretches(shape(text))[number]
                ), (rule.name, piece)


ROWS = [rule for table in (stage("regulated"), *TABLES) for rule in table if rule.near]
FILLING = " and so on and on" * 30


def tried(rule: Rule, text: str) -> set[tuple[int, int]]:
    """Return the spans of the matches that the rule would judge."""
    near = Near([rule])
    seen = Searched(text, shape(text), bytearray(len(text)), [])
    expression = re.compile(rule.pattern)
    matches = (
        partial(rule.scan, expression, seen) if rule.scan else partial(expression.finditer, text)
    )
    return {
        match.span()
        for begin, stop in near.stretches(seen.outline).get(0, [])
        for match in matches(begin, stop)
        if match.end() <= (stop - GUARD if stop < len(text) else stop)
    }


@pytest.mark.parametrize("rule", ROWS, ids=lambda rule: rule.name)
def test_a_match_never_needs_more_than_its_rule_s_reach(rule: Rule) -> None:
    """What a rule finds around its pieces, or right behind one, it would not find more of if it
    looked further; nor is it lost in the last characters of a stretch, which are left out. Where a
    rule looks behind its pieces alone, a value that happens to hold one within is left out."""
    far, draw, turns = replace(rule, reach=(320, 320)), random.Random(rule.name), 0
    for turn in range(8):
        value = sample(rule.pattern, draw, turn % 4)
        piece = draw.choice(rule.near).replace("0", "7").lstrip() + " " if turn % 2 else ""
        text = f"{FILLING} {piece}{value}{draw.choice('.,')} {FILLING}"
        first = len(FILLING)
        if not rule.reach[0] and any(shape(value).find(one) > 0 for one in rule.near):
            continue
        turns += 1
        wider = {span for span in tried(far, text) if first <= span[0] <= first + len(piece) + 1}
        assert wider <= tried(rule, text), text[first : -len(FILLING)]
    assert turns


def test_a_piece_without_the_digit_it_needs_wakes_no_rule() -> None:
    """ "March" far from any digit is no date, "a state" behind none no street."""
    rows, near = applied(ALL, "en")
    needy = {number for rule, number in rows if rule.digit != NO_DIGIT}
    far = " lorem" * 40
    for text in ("A march of the years in a state of rage", f"7{far} march, state, years{far} 7"):
        assert needy.isdisjoint(near.stretches(shape(text)))


def test_a_piece_inside_a_word_wakes_no_rule_that_wants_whole_words() -> None:
    """ "Summary" and "marked" hold no month, "state" no street; the long s and K are letters."""
    rows, near = applied(ALL, "en")
    by_name = {rule.name: number for rule, number in rows}
    inside = near.stretches(shape("7 summary 7 marked 7 state 7 drives 7"))
    assert by_name["month"] not in inside and by_name["street-en"] not in inside
    for text in ("3 mar 2024", "3 AuguſT 2024", "7Mar2024", "3 mar. 2024"):
        assert by_name["month"] in near.stretches(shape(text)), text


def test_stretches_are_disjoint_and_sorted() -> None:
    rows, _ = applied(ALL, "fr")
    near = Near([rule for rule, _ in rows])
    text = "Mme Roth, 12 rue de la Paix, née le 1er avril 1983, tél. 06 12 34 56 78. " * 30
    stretches = near.stretches(shape(text))
    assert stretches
    for row in stretches.values():
        flat = [offset for pair in row for offset in pair]
        assert flat == sorted(flat)
        assert all(start < end for start, end in row)


PARTS = st.sampled_from(
    "acme|www.|.com|a.b.c.d.|/claims|.|-| at |anna| dot |example| |mail|7|639 |\n| March |of "
    "|2024|1999 |é".split("|")
)


@pytest.mark.parametrize("name", ["host", "email-said", "month"])
@given(parts=st.lists(PARTS, max_size=16))
def test_a_scan_finds_what_its_expression_finds(name: str, parts: list[str]) -> None:
    """It only looks where that can be."""
    text = "".join(parts)
    rule = next(rule for rule, _ in applied(ALL, "en")[0] if rule.name == name)
    matches, _ = search_of(rule)
    seen = Searched(text, shape(text), bytearray(len(text)), [])
    spans = [match.span() for match in matches(seen, 0, len(text))]
    assert spans == [match.span() for match in re.finditer(rule.pattern, text)]
