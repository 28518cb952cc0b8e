"""The prompts of both stages: types, definitions, examples, marks."""

import hashlib
import json

import pytest

from linkmask import schema
from linkmask.config import Settings
from linkmask.detect.prompted import prompts
from linkmask.llm.delimiters import mark_for
from model_answers import SETTINGS, found
from scripted_models import known_of

FOLDER = prompts.FOLDER


PINNED = {"stage1": ("1", "fb05918511d4"), "stage2": ("1", "5e454da40c48")}
"""Version of each prompt, and the beginning of the digest of the files it is made of."""


@pytest.mark.parametrize("stage", PINNED)
def test_a_prompt_that_changes_takes_a_new_version(stage):
    files = [(FOLDER / f"{name}.txt").read_bytes() for name in (stage, "rules", "examples")]
    version, digest = PINNED[stage]
    assert prompts.prompt(stage, SETTINGS).name == f"{stage}/{version}"
    assert hashlib.sha256(b"\0".join(files)).hexdigest().startswith(digest)


@pytest.mark.parametrize("name", ["insurance", "general", "thesis", "thesis-v0", "regulated"])
def test_a_prompt_names_every_type_of_the_schema_with_its_definition_and_no_other(name):
    types = schema.load(name)
    said = prompts.prompt("stage1", Settings(schema=name)).instructions
    for entity_type in types.types:
        assert f"- {entity_type}: {types.definitions[entity_type]}." in said
    for block in said.split("Answer: ")[1:]:
        rows = json.loads(block.splitlines()[0])["entities"]
        assert {row[2] for row in rows} <= set(types.types)
    assert "$" not in said.replace("$38", "")


def test_a_users_own_schema_brings_its_own_definitions(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[direct]\nBADGE = 1.0\nNAME = 1.0\n[definitions]\nBADGE = "a staff badge"\n')
    said = prompts.prompt("stage1", Settings(schema=str(own))).instructions
    assert "- BADGE: a staff badge." in said
    assert "PATIENT_ID:" not in said


def test_dates_are_asked_for_in_the_form_of_the_settings_also_in_the_examples():
    iso = prompts.prompt("stage1", SETTINGS).instructions
    dmy = prompts.prompt("stage1", Settings(llm_dates="dmy")).instructions
    assert "1971-05-04" in iso
    assert "04/05/1971" not in iso
    assert "04/05/1971" in dmy
    assert "1971-05-04" not in dmy


def test_the_examples_are_themselves_answers_that_pass_every_check():
    blocks = (FOLDER / "examples.txt").read_text().split("=== document\n")[1:]
    for block in blocks:
        text, _, answer = block.partition("=== answer\n")
        rows = json.loads(answer.split("=== known")[0])
        made, dropped = found(text, rows)
        assert not dropped
        assert {m.original for m in made} >= {row[0] for row in rows}


def test_the_mark_around_a_document_can_stand_neither_in_it_nor_in_the_list():
    text = "some text"
    mark = mark_for(text)
    assert mark_for(text) == mark
    assert mark_for(f"{text} {mark}") not in f"{text} {mark}"
    assert mark_for(text, mark) != mark


def test_the_list_of_stage_two_holds_values_and_types_but_no_relevance():
    asked = prompts.request("stage2", "text", SETTINGS, [("erna", "NAME")])
    assert known_of(asked) == '["erna", "NAME"]'
    assert asked.name == "stage2/1"
    assert asked.max_tokens == SETTINGS.llm_max_tokens
