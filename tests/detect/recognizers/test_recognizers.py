"""Recognizers as data: what a file may hold, what its rows find, what its errors say."""

import json
import random
import re
from pathlib import Path

import pytest

from counting_matcher import Counter
from linkmask import commands, mask
from linkmask.config import Settings, checked, load
from linkmask.detect import first_pass
from linkmask.detect.candidates import Scope
from linkmask.detect.patterns.own import OwnRecognizers, Place, own_recognizers, tried, without_kept
from linkmask.detect.recognizers.expression import MOST, work
from linkmask.detect.recognizers.row_rules import RowError, rule_of
from linkmask.errors import SettingsError
from linkmask.graph.entities import canonical
from linkmask.records import Document
from linkmask.runs import Run
from linkmask.schema.recognizer_rows import RecognizerRow
from linkmask.schema.recognizers import read

EXAMPLES = Path(__file__).parents[3] / "examples" / "recognizers"


def found(text: str, **row: object) -> list[str]:
    """What a row finds in a text, as texts."""
    own = OwnRecognizers([RecognizerRow(**{"id": "row", "type": "PATIENT_ID"} | row)])
    return [text[one.start : one.end] for one in own.find(text, Scope())]


FINDS = [
    ({"pattern": "EMP-[0-9]{6}"}, "EMP-123456, EMP-654321", ["EMP-123456", "EMP-654321"]),
    ({"pattern": "EMP-[0-9]{6}"}, "EMP-1234567 TEMP-123456 emp-123456", []),
    ({"pattern": "EMP-[0-9]{6}", "ignore_case": True}, "emp-123456", ["emp-123456"]),
    ({"pattern": "badge (?P<v>[0-9]{4})"}, "badge 4411 and 4412", ["4411"]),
    ({"pattern": "[0-9]+"}, "7 and 123456", ["7", "123456"]),
    ({"pattern": r"\w+@corp"}, "écho@corp", ["écho@corp"]),
    ({"values": ["Blue Heron"]}, "the BLUE  heron, bluebird", ["BLUE  heron"]),
    ({"values": ["Blue Heron"], "ignore_case": False}, "blue heron Blue Heron", ["Blue Heron"]),
    ({"values": ["Öl"]}, "Erdöl und Öl", ["Öl"]),
    (
        {
            "values": ["4111111111111111", "4412"],
            "validate": "stdnum:luhn",
            "triggers": ["desk"],
            "need": "either",
        },
        "4412, 4111111111111111\ndesk 4412",
        ["4111111111111111", "4412"],
    ),
    ({"pattern": "[0-9]{4}", "triggers": ["desk"], "reach": "label"}, "desk no. 4411", ["4411"]),
    ({"pattern": "[0-9]{4}", "triggers": ["desk"], "reach": "label"}, "4411 desk", []),
    ({"pattern": "[0-9]{4}", "triggers": ["desk"], "reach": "label"}, "desks 4411", []),
    ({"pattern": "[0-9]{4}", "triggers": ["desk"]}, "4411 is a desk\n4412", ["4411"]),
    ({"pattern": "[0-9]{4}", "triggers": ["désk"], "reach": "sentence"}, "Desk\nabc. 4411 a.", []),
    (
        {"pattern": "[0-9]{4}", "triggers": ["desk"], "reach": "sentence"},
        "The desk\nis 4411. Then 4412.",
        ["4411"],
    ),
    (
        {"pattern": "[0-9]{4}", "triggers": ["desk"], "reach": "cell"},
        "| desk 4411 | 4412 |",
        ["4411"],
    ),
    (
        {
            "pattern": "[0-9]{2}[.][0-9]{2}[.][0-9]{2}-[0-9]{3}[.][0-9]{2}",
            "validate": "stdnum:be.nn",
        },
        "85.07.30-033.28 85.07.30-033.29",
        ["85.07.30-033.28"],
    ),
    # The check itself fails with KeyError: the region 110967 does not exist.
    ({"pattern": "[0-9]{18}", "validate": "stdnum:cn.ric"}, "110967199001011235", []),
    ({"pattern": "[0-9/]{8,10}", "validate": "date"}, "31/12/2024 32/13/2024", ["31/12/2024"]),
    (
        {"pattern": r"\+[0-9 ]{8,16}", "validate": "phonenumbers"},
        "+32 2 555 12 12, +32 2",
        ["+32 2 555 12 12"],
    ),
]


@pytest.mark.parametrize(("row", "text", "values"), FINDS)
def test_a_row_finds_what_its_keys_say(row: dict, text: str, values: list[str]) -> None:
    assert found(text, **row) == values


def test_a_row_is_used_in_its_languages_countries_and_fields_alone() -> None:
    row = RecognizerRow(id="a", type="NAME", pattern="A1", languages=("fr",), countries=("fr",),
              fields=("metadata.booking",))  # fmt: skip
    own = OwnRecognizers([row])
    french = Scope("fr", ("fr",))
    booking = Place("one", "metadata/booking/0", "metadata")
    assert own.find("A1", french, booking)
    assert not own.find("A1", Scope("en", ("fr",)), booking)
    assert not own.find("A1", Scope("fr", ("us",)), booking)
    assert not own.find("A1", french, Place("one", "content", "metadata"))


def test_a_row_counts_in_the_documents_that_it_names_alone(tmp_path: Path) -> None:
    """What it finds there is not looked for in others, as what other rows find is."""
    house = tmp_path / "house.toml"
    row = '[[recognizer]]\ntype = "NAME"\ntriggers = ["marked"]\n'
    house.write_text(
        row + 'id = "here"\nvalues = ["Ada Quorl"]\ndocuments = ["a"]\n'
        + row + 'id = "all"\nvalues = ["Ida Vrint"]\n'
    )  # fmt: skip
    source = tmp_path / "in.jsonl"
    texts = {
        "a": "It is marked Ada Quorl. It is marked Ida Vrint.",
        "b": "It was Ada Quorl and Ida Vrint. It is marked Ada Quorl.",
        "c": "A policy pays after thirty days.",
    }
    rows = [{"id": name, "content": text} for name, text in texts.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = load(house, overrides={"workers": 1, "detector": "patterns"}, environment={})
    commands.scan_files(source, tmp_path / "run", settings)
    with Run.open(tmp_path / "run") as run:
        found = sorted((m.document, m.value) for m in run.mentions())
    assert found == [("a", "ada quorl"), ("a", "ida vrint"), ("b", "ida vrint")]


SPANISH = "El cliente R-22 no ha pagado la factura de marzo, y la deuda es del mes de abril."
SHORT = "Cliente R-22 llamó ayer."


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("es", SPANISH, ["R-22"]),
        ("es", SHORT, ["R-22"]),
        ("es", "Der Kunde R-22 hat die Rechnung vom März noch nicht bezahlt.", []),
        ("it", "Il cliente R-22 ha chiamato ieri per la fattura.", ["R-22"]),
        ("nl", "De klant R-22 belde gisteren over de factuur.", ["R-22"]),
        ("pt", "O cliente R-22 ligou ontem sobre a fatura.", ["R-22"]),
        ("de", SPANISH, []),
    ],
)
def test_a_row_for_a_language_searches_texts_in_it(
    language: str, text: str, wanted: list[str], tmp_path: Path
) -> None:
    """Every language that detection covers can be named, whether or not it has word lists."""
    path = tmp_path / "house.toml"
    row = f"pattern = 'R-[0-9]{{2}}'\nlanguages = ['{language}']\n"
    path.write_text(HEAD.replace("NAME", "PATIENT_ID") + row, "utf-8")
    settings = load(overrides={"recognizers": (str(path),)}, environment={})
    mentions = first_pass(Document("a", text), settings, canonical)
    assert [one.original for one in mentions if one.why.rule == "a"] == wanted


def test_what_is_found_in_one_field_is_masked_in_others_too(tmp_path: Path) -> None:
    """`fields` narrows the search of a row, not what is done with a person's value."""
    path = tmp_path / "house.toml"
    row = "id = 'a'\ntype = 'PATIENT_ID'\npattern = 'green p[a-z]+'\nfields = ['content']\n"
    path.write_text(f"[[recognizer]]\n{row}", "utf-8")
    note = {"note": "see green paper and green pens"}
    rows = [{"id": "a", "content": "Customer green paper called.", "metadata": note}]
    rows += [{"id": f"b{n}", "content": f"The road number {n} is closed."} for n in range(3)]
    settings = load(overrides={"recognizers": (str(path),), "workers": 1}, environment={})
    first = next(iter(mask(rows, settings).documents))
    assert first.metadata == {"note": "see [PATIENT_ID] and green pens"}


def test_an_allow_list_drops_what_lies_inside_and_nothing_larger() -> None:
    keep = RecognizerRow(id="keep", keep=True, values=("Mercy Support",))
    name = RecognizerRow(id="name", type="NAME", values=("Mercy", "Mercy Support, Bern"))
    text = "Mercy Support, Bern; Mercy"
    both = OwnRecognizers([keep, name]).find(text, Scope())
    kept = [one for one in both if not one.type]
    left = without_kept([one for one in both if one.type], kept)
    assert sorted(text[one.start : one.end] for one in left) == ["Mercy", "Mercy Support, Bern"]


# ── errors ──────────────────────────────────────────────────────────────────────────────────────

HEAD = '[[recognizer]]\nid = "a"\ntype = "NAME"\n'
ERRORS = [
    (
        HEAD + 'patern = "a"',
        "line 4: recognizer.patern: there is no such key; did you mean 'pattern'",
    ),
    (HEAD, "line 2: recognizer.id: give one of pattern, values or values_file"),
    (HEAD + 'pattern = "a"\nvalues = ["b"]', "line 5: recognizer.values: give one of"),
    (HEAD + 'pattern = "(a"', "line 4: recognizer.pattern: is no regular expression: missing )"),
    (HEAD + "pattern = 7", "line 4: recognizer.pattern: expected 'str'"),
    (HEAD + 'pattern = "{yeer}"', "line 4: recognizer.pattern: no fragment 'yeer'"),
    (
        HEAD + 'pattern = "a"\nreach = "lien"',
        "reach: no reach 'lien'; there are: cell, label, line, sentence; did you mean 'line'",
    ),
    (HEAD + 'pattern = "a"\nscore = 7', "line 5: recognizer.score: expected 'float' <= 1"),
    (HEAD + 'values_file = "no.txt"', "line 4: recognizer.values_file: can't read"),
    ('[[recognizer]]\npattern = "a"', "line 1: recognizer.id: must be given"),
    ('[[recognizer]]\nid = "a"\npattern = "a"', "line 2: recognizer.id: needs a type"),
    (
        '[[recognizer]]\nid = "a b"\ntype = "NAME"\npattern = "a"',
        "line 2: recognizer.id: takes letters",
    ),
    (HEAD + 'pattern = "a"\n\n' + HEAD + 'pattern = "b"', "two recognizers have the id 'a'"),
    ('[recognizer]\nid = "a"', "line 1: recognizer: write each as a block [[recognizer]]"),
    (
        HEAD + 'pattern = "a"\nkeep = true\nfields = ["content"]',
        "line 6: recognizer.fields: does not go with keep",
    ),
    (
        HEAD + 'pattern = "a"\nkeep = true\ndocuments = ["a"]',
        "line 6: recognizer.documents: does not go with keep",
    ),
    (
        HEAD.replace("NAME", "NAMES") + 'pattern = "a"',
        "line 3: recognizer.type: no type 'NAMES' in schema insurance",
    ),
    (HEAD + 'pattern = "a"\nlanguages = ["xx"]', "line 5: recognizer.languages: no language 'xx'"),
    (
        HEAD + 'pattern = "a"\nvalidate = "stdnum:be.xx"',
        "line 5: recognizer.validate: python-stdnum has no module 'be.xx'",
    ),
    (
        HEAD + 'pattern = "a"\nvalidate = "dat"',
        "line 5: recognizer.validate: no validator 'dat'; there are",
    ),
    (
        HEAD + r"pattern = '(\w+\s?)+$'",
        "line 4: recognizer.pattern: may take more than 100,000 steps",
    ),
    (HEAD + "pattern = 'a*'", "line 4: recognizer.pattern: matches a text without a character"),
    ('[[type]]\nname = "staff"\nweight = 0.5', "line 2: type.name: is written in capitals"),
    ('[[type]]\nname = "STAFF"\nweight = 5', "line 3: type.weight: expected 'float' <= 1"),
    (
        '[[type]]\nname = "EMAIL"\nweight = 0.5',
        "type EMAIL of your recognizers is one of schema insurance",
    ),
    ("[[recognizer]\n", "is not valid TOML"),
    (
        HEAD + 'pattern = "a"\n\n' + HEAD.replace("recognizer", "recogniser") + 'pattern = "b"',
        "line 6: recogniser: there is no such table; did you mean 'recognizer'?",
    ),
    ("[tipe]\nname = 'STAFF'", "line 1: tipe: there is no such table; did you mean 'type'?"),
]


@pytest.mark.parametrize(("text", "said"), ERRORS)
def test_an_error_names_file_line_and_key(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(SettingsError) as error:
        own_recognizers(load(overrides={"recognizers": (str(path),)}, environment={}))
    assert said in str(error.value)
    assert "house.toml" in str(error.value) or said.startswith("type EMAIL")


def test_the_rows_of_a_config_and_of_files_add_up(tmp_path: Path) -> None:
    """A row in --config is not lost where --recognizers names a file, and preset settings hold."""
    config, more = tmp_path / "c.toml", tmp_path / "more.toml"
    config.write_text('theta_doc = 0.5\n[[recognizer]]\nid = "a"\ntype = "NAME"\npattern = "A1"\n')
    more.write_text('[[recognizer]]\nid = "b"\ntype = "NAME"\npattern = "B1"\n')
    settings = load(config, overrides={"recognizers": (str(more),)}, environment={})
    own = own_recognizers(settings)
    assert own and [one.rule for one in own.find("A1 B1", Scope())] == ["a", "b"]
    assert settings.theta_doc == 0.5


def test_types_of_ones_own_join_schema_floor_and_styles() -> None:
    path = str(EXAMPLES / "house.toml")
    settings = checked(Settings(recognizers=(path,)))
    assert settings.entity_types.weights["EMPLOYEE_ID"] == 0.9
    assert "EMPLOYEE_ID" in settings.floor
    assert checked(settings) == settings
    assert checked(Settings()).own_types == {}


def test_a_file_that_changes_after_the_settings_were_read_is_refused(tmp_path: Path) -> None:
    """Workers read the file again: all must look for the same."""
    path = tmp_path / "a.toml"
    path.write_text('[[recognizer]]\nid = "a"\ntype = "NAME"\npattern = "A1"\n')
    settings = load(overrides={"recognizers": (str(path),)}, environment={})
    other = Settings(recognizers=settings.recognizers, recognizers_digest="0")
    with pytest.raises(SettingsError, match="have changed since"):
        own_recognizers(other)


@pytest.mark.parametrize("name", ["house.toml", "presidio.yaml"])
def test_examples_are_found_and_near_misses_are_not(name: str) -> None:
    rows = read(EXAMPLES / name).rows
    assert rows
    assert [one for row in rows for one in tried(row) if not one.right] == []


def test_recognizers_of_presidio_become_rows() -> None:
    """A weak pattern counts beside its context words only; a deny list is a list of values."""
    weak, listed = read(EXAMPLES / "presidio.yaml").rows
    own = OwnRecognizers([weak, listed])
    texts = ["her badge is b12345", "b12345 was lost", "at ward six"]
    assert [len(own.find(text, Scope())) for text in texts] == [1, 0, 1]
    assert weak.triggers == ("badge", "entry card")


def test_a_weak_pattern_of_presidio_without_context_words_always_counts(tmp_path: Path) -> None:
    """Presidio reports it whatever its score, as long as no threshold is set."""
    path = tmp_path / "weak.yaml"
    pattern = "{name: weak, regex: 'R-[0-9]{2}', score: 0.01}"
    row = f"{{name: A, supported_entity: PATIENT_ID, patterns: [{pattern}]}}"
    path.write_text(f"recognizers:\n- {row}\n", "utf-8")
    assert OwnRecognizers(read(path).rows).find("R-22 was lost", Scope())


YAML_ERRORS = [
    ("recognizers: [", "line 2 is not valid YAML"),
    ("a: 1", "must hold a list 'recognizers'"),
    (
        "recognizers:\n- {name: A, supported_entity: X, paterns: [], deny_list: [b]}",
        "recognizer 'A': there is no such key 'paterns'; did you mean 'patterns'",
    ),
    ("recognizers:\n- {name: A, deny_list: [b]}", "recognizer 'A': supported_entity must be given"),
    ("recognizers:\n- {name: A, type: predefined}", "no recognizer of it has patterns"),
    (
        "recognizers:\n- {name: A, supported_entity: PERSON, patterns: [{name: b}]}",
        "recognizer 'A': each of its patterns needs a regex",
    ),
    (
        "recognizers:\n- {name: A, supported_entity: PERSON, patterns: [{regex: '(x'}]}",
        "recognizer 'A': regex: is no regular expression",
    ),
    (
        "recognizers:\n- {name: A, supported_entity: PERSON, patterns: [{regex: x, score: y}]}",
        "recognizer 'A': the score of a pattern must be a number",
    ),
    (
        "recognizers:\n- {name: A, supported_entity: PERSON, deny_list: ['']}",
        "recognizer 'A': values: each must hold a letter or a digit",
    ),
    (
        "recognizers:\n- {name: A, supported_entity: a b, deny_list: [x]}",
        "'a b' can't be a type",
    ),
]


@pytest.mark.parametrize(("text", "said"), YAML_ERRORS)
def test_an_error_in_yaml_names_the_recognizer(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(text + "\n", "utf-8")
    with pytest.raises(SettingsError, match="house") as error:
        load(overrides={"recognizers": (str(path),)}, environment={})
    assert said in str(error.value)


# ── work ──────────────────────────────────────────────────────────────────────────────────────

ACCEPTED = [
    "EMP-[0-9]{6}",
    r"\b[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}\b",
    r"\b\d{3}-\d{2}-\d{4}\b",
    r"[A-Z]{1,3}[0-9A-Z]{2,40}",
    r"(?i:id|no)\.? ?#?[0-9]+",
    r"(?:[ -]?[0-9]){4,17}x",
    "[0-9]+(?:[.-][0-9]+)*",
    r"(?<![0-9])[0-9]{5}(?:-[0-9]{4})?(?![0-9])",
    "(a|b|ab)c",
    "([A-Z]{2}) ?[0-9]+ \\1",
    "(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])[.]){3}[0-9]{1,3}",
    ".{2,20}x",
    "(?>[a-z]+)1",
    "[a-z]++[0-9]",
    "^Ref: .*$",
    "x(?=.*y)[a-z]+",
    "é+[ñö]{2}1",
]
REFUSED = [
    r"(\w+\s?)+$",
    "(a+)+b",
    "(a|a)*b",
    r"\w+\w+\w+x",
    "(?:a{1,50}){1,50}b",
    "(.*)(.*)(.*)x",
    "(?:a?){40}b",
    "(?:[0-9]+-?)+x",
]


@pytest.mark.parametrize("pattern", ACCEPTED)
def test_an_accepted_pattern_takes_no_more_steps_than_its_bound(pattern: str) -> None:
    """The bound is checked by a matcher that counts, on texts made to make it backtrack."""
    expression = re.compile(pattern)
    bound = work(expression).steps
    assert bound <= MOST
    counter, draw = Counter(expression), random.Random(pattern)
    alphabet = "aAbx10-. @é\n" + "".join(c for c in pattern if c.isalnum())
    texts = [c * 60 for c in alphabet]
    texts += ["".join(draw.choices(alphabet, k=3)) * 25 for _ in range(60)]
    for text in texts:
        counter.steps = 0
        counter.match(text, 0)
        assert counter.steps <= 4 * bound + 40, text


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_pattern_that_backtracks_without_end_is_refused(pattern: str) -> None:
    with pytest.raises(RowError, match="100,000 steps"):
        rule_of(RecognizerRow(id="a", type="NAME", pattern=pattern))


def test_a_repetition_without_a_bound_takes_time_in_proportion_to_the_text() -> None:
    """The scan looks at 200 characters from each place, however long the run of digits is."""
    rule = rule_of(RecognizerRow(id="a", type="NAME", pattern="[0-9]+x"))
    assert rule.scan is not None
    assert found("1" * 5000 + "x", pattern="[0-9]+x") == []
    assert found("a" + " 12x" * 3, pattern="[0-9]+x") == ["12x"] * 3
