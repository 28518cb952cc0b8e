"""What a person says of entities is carried out by every command, and can be taken back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import linkmask
from linkmask import commands
from linkmask.commands.decide import PendingDecisions, decide_run, mark_missed
from linkmask.config import load
from linkmask.errors import SettingsError, UsageError
from linkmask.pipeline.correcting import Corrector, spelling_id
from linkmask.records import Mention, Why, entity_id, entity_label
from linkmask.report import stored_plan
from linkmask.runs import Run
from linkmask.runs.decision_log import DecisionLog

LETTERS = {
    "a": "Ms. Ottoline Brandvold of Boston came on 3 April 2024. She met Boston.",
    "b": "Ms. Ottoline Brandvold called from Boston about Ms. Ingrid Aas.",
    "c": "Zorblax is the name of the product that Ms. Ingrid Aas sells in Boston.",
}


def said(value: str, kind: str, original: str = "") -> Mention:
    return Mention("d", "content", 0, 1, kind, original or value, value, 1.0, Why("given"))


def corrected(corrections: dict[str, str], mention: Mention, **named: tuple[str, str]):
    known = {entity_id(*one): one for one in named.values()}
    return [(m.type, m.value) for m in Corrector(corrections, known, "::")([mention])]


def test_nobody_removes_a_type_replaces_and_one_with_joins():
    ottoline = said("ottoline", "NAME")
    one = entity_id("ottoline", "NAME")
    other = ("otti", "NAME")
    assert corrected({}, ottoline) == [("NAME", "ottoline")]
    assert corrected({one: "nobody"}, ottoline) == []
    assert corrected({one: "LOCATION"}, ottoline) == [("LOCATION", "ottoline")]
    assert corrected({one: entity_id(*other)}, ottoline, other=other) == [("NAME", "otti")]
    assert corrected({one: entity_id(*other)}, ottoline) == [("NAME", "ottoline")]  # not there
    assert corrected({one: "here"}, ottoline) == [("NAME", "ottoline")]


def test_the_person_whom_an_address_names_is_corrected_as_that_entity_is():
    address = said("o.aas@example.org", "EMAIL")
    named = replace(address, person=("NAME", "ottoline aas"))
    one, other = entity_id("ottoline aas", "NAME"), ("NAME", "otti aas")

    def person(correction: str):
        known = {entity_id(*other[::-1]): other[::-1]}
        return Corrector({one: correction}, known, "::")([named])[0].person

    assert person("here") == ("NAME", "ottoline aas")
    assert person("nobody") is None
    assert person(entity_id(*other[::-1])) == other


def test_one_spelling_alone_is_apart_or_nobodys():
    whole, own = entity_id("elena vargas", "NAME"), spelling_id("Dr.  Vargas", "NAME", "::")
    full = said("elena vargas", "NAME", "Elena Vargas")
    short = said("elena vargas", "NAME", "Dr.  Vargas")
    assert corrected({f"{whole}/{own}": "apart"}, full) == [("NAME", "elena vargas")]
    assert corrected({f"{whole}/{own}": "apart"}, short) == [("NAME", "dr. vargas")]
    assert corrected({f"{whole}/{own}": "nobody"}, short) == []


def test_corrections_follow_one_another_and_a_circle_ends():
    a, b = ("a b", "NAME"), ("c d", "NAME")
    circle = {entity_id(*a): entity_id(*b), entity_id(*b): entity_id(*a)}
    assert corrected(circle, said(*a), a=a, b=b) == [("NAME", "a b")]
    further = {entity_id(*a): entity_id(*b), entity_id(*b): "nobody"}
    assert corrected(further, said(*a), b=b) == []


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("x", "nobody"), ("0" * 32, "NO_TYPE"), ("0" * 32, "apart"),
        (f"{'0' * 32}/{'1' * 32}", "here"), (f"{'0' * 32}/x", "nobody"),
        ("0" * 32, "another-2"), (f"{'0' * 32}@{'1' * 32}", "apart"),
        (f"{'0' * 32}@{'1' * 32}", "another"), (f"{'0' * 32}@x", "another-2"),
    ],
)  # fmt: skip
def test_what_is_no_correction_is_refused_with_what_is_wrong(key, what):
    with pytest.raises(SettingsError, match=r"corrections.*number 1"):
        load(overrides={"corrections": {key: what}}, environment={})


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    source = tmp_path / "letters"
    source.mkdir()
    for name, text in LETTERS.items():
        (source / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    return source


def scanned(source: Path, **overrides: object) -> Path:
    run = source.parent / "run"
    settings = load(overrides={"workers": 1, "detector": "rules"} | overrides, environment={})
    commands.scan_files(source, run, settings, overwrite=True)
    commands.plan_run(run, {})
    return run


def entities(run: Path) -> dict[str, str]:
    """Type by value of the run's entities."""
    with Run.open(run) as opened:
        return {mention.value: mention.type for mention in opened.mentions()}


def ids(run: Path) -> dict[str, str]:
    with Run.open(run) as opened:
        return {m.value: entity_id(m.value, m.type) for m in opened.mentions()}


def released(run: Path, name: str = "out") -> str:
    out = run.parent / name
    commands.apply_run(run, out, {}, overwrite=True)
    return "\n".join(one.read_text() for one in sorted((out / "documents").iterdir()))


def test_a_value_that_is_nobodys_stays_readable_and_the_check_does_not_bring_it_back(letters):
    """Detection, run anew on the masked texts, finds the value again; it is corrected there too."""
    run = scanned(letters)
    name = next(value for value in ids(run) if "brandvold" in value)
    assert "Brandvold" not in released(run)
    decide_run(run, PendingDecisions(correct={ids(run)[name]: "nobody"}))
    assert name not in entities(run)
    text = released(run)
    assert text.count("Brandvold") == 2 and "Ingrid" not in text
    assert json.loads((run.parent / "out" / "summary.json").read_text())["set_aside"] == []


def test_explain_finds_what_is_nobodys_by_its_spelling_and_by_its_id(letters):
    run = scanned(letters)
    entity = ids(run)["boston"]
    decide_run(run, PendingDecisions(correct={entity: "nobody"}))
    for named in ("Boston", "BOSTON", entity, entity[:4]):
        assert commands.explain_run(run, entity=named).data["state"] == "nobody", named
    for named in ("Bost", entity[:3]):
        with pytest.raises(UsageError):
            commands.explain_run(run, entity=named)


def test_a_correction_is_taken_back_without_another_detection(letters):
    run = scanned(letters)
    before = entities(run)
    name = next(value for value in ids(run) if "brandvold" in value)
    one = ids(run)[name]
    decide_run(run, PendingDecisions(correct={one: "nobody"}))
    decide_run(run, PendingDecisions(correct={one: ""}))
    assert entities(run) == before
    assert "Brandvold" not in released(run)


def test_the_settings_of_one_run_correct_the_next(letters, tmp_path):
    """`mask --config` with the corrections masks as the corrected run does."""
    run = scanned(letters)
    known = ids(run)
    name = next(value for value in known if "brandvold" in value)
    correct = {known["boston"]: "NAME", known[name]: "nobody"}
    decide_run(run, PendingDecisions(correct=correct))
    first = released(run)
    settings = load(
        overrides={"workers": 1, "detector": "rules", "corrections": correct}, environment={}
    )
    commands.mask_files(letters, tmp_path / "again", settings)
    assert "\n".join(
        one.read_text() for one in sorted((tmp_path / "again" / "documents").iterdir())
    ) == first  # fmt: skip
    assert "Boston" not in first and "Brandvold" in first


def test_two_that_are_one_have_one_row_and_decisions_about_either_go_along(letters):
    run = scanned(letters)
    known = ids(run)
    names = sorted(value for value in known if "brandvold" in value or "aas" in value)
    one, other = (known[name] for name in names)
    decide_run(run, PendingDecisions(keep=frozenset({other})))
    decide_run(run, PendingDecisions(correct={other: one}))
    assert names[1] not in entities(run) and names[0] in entities(run)
    with Run.open(run) as opened:
        settings = stored_plan.settings_of(opened, stored_plan.plan_of(opened))
    assert settings.never_mask == (one,)
    assert settings.corrections == {other: one}


def test_a_value_marked_here_is_masked_in_that_document_and_nowhere_else(letters):
    (letters / "d.json").write_text(json.dumps({"id": "d", "content": "A product for sale."}))
    run = scanned(letters)
    marked = mark_missed(run, "product", "NAME", "c")
    assert (marked.documents, marked.mentions) == (1, 1)
    decide_run(run, PendingDecisions(mask=frozenset({marked.entity})))
    text = released(run)
    assert text.count("product") == 1 and "A product for sale" in text
    assert json.loads((run.parent / "out" / "summary.json").read_text())["set_aside"] == []


def test_what_reports_hold_of_corrections_is_labels_and_not_ids(letters):
    run = scanned(letters)
    one = next(entity for value, entity in ids(run).items() if "brandvold" in value)
    decide_run(run, PendingDecisions(mask=frozenset({one})))
    decide_run(run, PendingDecisions(correct={ids(run)["boston"]: "nobody"}))
    released(run)
    for name in ("summary.json", "report.html"):
        text = (run.parent / "out" / name).read_text()
        assert one not in text and entity_id("boston", "LOCATION") not in text


def test_the_next_edition_is_corrected_as_this_one_and_what_is_new_too(letters):
    run = scanned(letters)
    one = next(entity for value, entity in ids(run).items() if "brandvold" in value)
    decide_run(run, PendingDecisions(correct={one: "nobody"}))
    released(run)
    (letters / "d.json").write_text(
        json.dumps({"id": "d", "content": "Ms. Ottoline Brandvold wrote to Ms. Ingrid Aas."})
    )
    commands.update_files(run, letters, run.parent / "out", {})
    text = (run.parent / "out" / "documents" / "d.json").read_text()
    assert "Brandvold" in text and "Aas" not in text
    decide_run(run, PendingDecisions(correct={one: ""}))
    assert "Brandvold" not in released(run, "later")


def test_forgetting_a_person_reaches_the_mentions_as_they_were_detected(letters):
    run = scanned(letters)
    decide_run(run, PendingDecisions(correct={ids(run)["boston"]: "nobody"}))
    commands.forget_subject(run, ["Ingrid Aas"])
    assert b"Ingrid" not in b"".join(one.read_bytes() for one in run.glob("*.jsonl"))
    assert msgspec.json.decode((run / "plan.json").read_bytes())


TWO = {
    "a": "Ms. Ottoline Brandvold of Boston came on 3 April 2024.",
    "b": "Ms. Ottoline Brandvold called about Ms. Ingrid Aas.",
    "c": "The engraver, Ms. Ottoline Brandvold, lives in Denver.",
    "d": "The list names Ms. Ottoline Brandvold again.",
}


def test_in_some_documents_a_name_is_another_persons():
    whole, doc = entity_id("elena vargas", "NAME"), entity_id("d", "")
    full = said("elena vargas", "NAME", "Elena Vargas")
    assert corrected({f"{whole}@{doc}": "another-2"}, full) == [("NAME", "elena vargas‖2")]
    assert corrected({f"{whole}@{entity_id('e', '')}": "another-2"}, full) == [
        ("NAME", "elena vargas")
    ]
    assert corrected({whole: "nobody", f"{whole}@{doc}": "PROVIDER"}, full) == [
        ("PROVIDER", "elena vargas")
    ]
    date = said("2024-03-12", "DATE", "12 March 2024")
    key = f"{entity_id('2024-03-12', 'DATE')}@{doc}"
    assert corrected({key: "another-2"}, date) == [("DATE", "2024-03-12")]  # no name, no person


@pytest.fixture
def namesakes(letters: Path) -> Path:
    """Two persons of one name: the one of a and b, and the one of c and d."""
    for name, text in TWO.items():
        (letters / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    return letters


def parted(run: Path, *documents: str) -> tuple[str, str]:
    """Part Ottoline Brandvold by documents; return the ids of the first and the second."""
    one = entity_id("ottoline brandvold", "NAME")
    correct = {f"{one}@{entity_id(name, '')}": "another-2" for name in documents}
    decide_run(run, PendingDecisions(correct=correct))
    return one, entity_id("ottoline brandvold‖2", "NAME")


def test_two_persons_of_one_name_are_two_entities_by_document(namesakes):
    """They link no documents with one another, and each has a pseudonym of its own."""
    run = scanned(namesakes, style="pseudonym", linkable=True)
    first, second = parted(run, "c", "d")
    with Run.open(run) as opened:
        by = {}
        for m in opened.mentions():
            by.setdefault(entity_id(m.value, m.type), set()).add(m.document)
    assert (by[first], by[second]) == ({"a", "b"}, {"c", "d"})
    assert "Brandvold" not in released(run)
    texts = [json.loads((run.parent / "out/documents" / f"{n}.json").read_text()) for n in "abcd"]
    codes = [re.search(r"NAME_(\w+)", one["content"])[1] for one in texts]
    assert codes[0] == codes[1] != codes[2] == codes[3]
    decide_run(run, PendingDecisions(correct=dict.fromkeys(_settings(run).corrections, "")))
    assert second not in ids(run).values()


def _settings(run: Path):
    with Run.open(run) as opened:
        return stored_plan.settings_of(opened, stored_plan.plan_of(opened))


def test_of_two_persons_of_one_name_one_is_kept_and_the_other_masked(namesakes):
    """Where it is not known who is meant, as in a question typed, the name is masked."""
    run = scanned(namesakes)
    second = parted(run, "c", "d")[1]
    decide_run(run, PendingDecisions(keep=frozenset({second})))
    released(run)
    texts = {n: (run.parent / "out/documents" / f"{n}.json").read_text() for n in "abcd"}
    assert ["Brandvold" in texts[name] for name in "abcd"] == [False, False, True, True]
    assert json.loads((run.parent / "out" / "summary.json").read_text())["set_aside"] == []
    masker = linkmask.open(run)
    assert "Brandvold" not in masker.mask_text("Where does Ottoline Brandvold live?").text
    masker.close()


def test_the_next_run_parts_the_same_documents(namesakes, tmp_path):
    run = scanned(namesakes, style="pseudonym")
    parted(run, "c", "d")
    correct = _settings(run).corrections
    settings = load(
        overrides={"workers": 1, "detector": "rules", "corrections": correct}, environment={}
    )
    again = tmp_path / "again"
    commands.scan_files(namesakes, again, settings)
    assert ids(again) == ids(run)


def test_explain_says_what_was_corrected_and_by_whom(namesakes):
    """A type, another person, nobody's: the sentence stands with the value; unasked, no value."""
    run = scanned(namesakes)
    known = ids(run)
    parted(run, "c", "d")
    decide_run(run, PendingDecisions(correct={known["engraver"]: "EVENT"}))
    answer = commands.explain_run(run, entity="engraver")
    assert answer.text.startswith("EVENT ")
    assert "corrected: type INDIRECT_IDENTIFIER → EVENT, by the settings" in answer.text
    assert answer.data["corrections"][0]["types"] == ["INDIRECT_IDENTIFIER", "EVENT"]
    second = commands.explain_run(run, entity=entity_id("ottoline brandvold‖2", "NAME"))
    assert "corrected in 2 documents: another person of this name, number 2" in second.text
    untouched = commands.explain_run(run, entity="Ingrid Aas")
    assert "corrected" not in untouched.text and "corrections" not in untouched.data
    with Run.open(run) as opened:
        label = entity_label(known["denver"], opened.salt)
    named = [{"entity": label, "type": "LOCATION"}]
    why = {"to": "nobody", "reason": "public knowledge"}
    DecisionLog(run).append("correct", "R. Viewer", entities=named, **why)
    decide_run(run, PendingDecisions(correct={known["denver"]: "nobody"}))
    answer = commands.explain_run(run, entity="Denver")
    assert answer.text.startswith(f"LOCATION {label} is readable and counts for no risk")
    assert "corrected: nobody’s, no identifier, by R. Viewer on 20" in answer.text
    assert answer.text.rstrip().endswith("public knowledge")
    assert "Denver" not in answer.text


def test_forgetting_a_person_reaches_decisions_and_corrections(namesakes):
    """No file of the run holds the id of what is gone, masked, kept or corrected by a person."""
    run = scanned(namesakes)
    known = ids(run)
    gone, kept = known["ingrid aas"], known["denver"]
    decide_run(run, PendingDecisions(keep=frozenset({gone}), mask=frozenset({kept})))
    decide_run(run, PendingDecisions(correct={gone: "PROVIDER", kept: "AGE"}))
    released(run)
    now = ids(run)
    assert any(gone.encode() in one.read_bytes() for one in run.iterdir() if one.is_file())
    commands.forget_subject(run, ["Ingrid Aas"])
    held = b"".join(one.read_bytes() for one in run.rglob("*") if one.is_file())
    assert gone.encode() not in held and now["ingrid aas"].encode() not in held
    assert _settings(run).corrections == {kept: "AGE"}
    assert _settings(run).always_mask == (now["denver"],)


def test_a_run_of_mentions_alone_is_not_corrected_and_says_so(letters, tmp_path):
    """By settings and by a decision alike; a run of a corpus with mentions given is corrected."""
    run = scanned(letters)
    one, alone = entity_id("boston", "LOCATION"), tmp_path / "alone"
    given = run / "mentions.jsonl"
    settings = load(overrides={"corrections": {one: "nobody"}}, environment={})
    with pytest.raises(UsageError, match="mentions alone: correct these"):
        commands.scan_files(None, alone, settings, mentions=given)
    commands.scan_files(None, alone, load(environment={}), mentions=given, overwrite=True)
    commands.plan_run(alone, {})
    with pytest.raises(UsageError, match="mentions alone: correct these"):
        decide_run(alone, PendingDecisions(correct={one: "nobody"}))
    commands.scan_files(letters, tmp_path / "both", settings, mentions=given)
    assert "boston" in ids(run) and "boston" not in ids(tmp_path / "both")
