"""The JSON Schema of a file of settings agrees with what is accepted and refused."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from linkmask.choices import PRESET_FOLDER
from linkmask.config import SECTIONS, Settings, load, sections
from linkmask.config.described import GENERAL, INTERNAL, described, json_schema
from linkmask.errors import SettingsError

ROOT = Path(__file__).parents[2]
SCHEMA = json_schema()
TOML = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
TYPES = {"string": str, "integer": int, "number": (int, float), "array": list, "object": Mapping,
         "boolean": bool, "null": type(None)}  # fmt: skip


def faults(value: Any, form: Mapping[str, Any], at: str = "$") -> Iterator[str]:
    """Yield where a value differs from a schema of the words that ours uses; others fail here."""
    for word, said in form.items():
        match word:
            case "$ref":
                yield from faults(value, SCHEMA["$defs"][said.rpartition("/")[2]], at)
            case "type":
                is_bool = isinstance(value, bool)
                if not isinstance(value, TYPES[said]) or (is_bool and said != "boolean"):
                    yield f"{at}: no {said}"
            case "enum" if value not in said:
                yield f"{at}: not of {said}"
            case "minimum" if isinstance(value, int | float) and value < said:
                yield f"{at}: below {said}"
            case "maximum" if isinstance(value, int | float) and value > said:
                yield f"{at}: above {said}"
            case "pattern" if isinstance(value, str) and not re.search(said, value):
                yield f"{at}: not like {said}"
            case "anyOf" if all(any(faults(value, one, at)) for one in said):
                yield f"{at}: none of {len(said)} forms"
            case "items" if isinstance(value, list):
                for one in value:
                    yield from faults(one, said, at)
            case "required" if isinstance(value, Mapping):
                yield from (f"{at}: {name} is missing" for name in said if name not in value)
            case "properties" if isinstance(value, Mapping):
                for name in said.keys() & value.keys():
                    yield from faults(value[name], said[name], f"{at}.{name}")
            case "additionalProperties" if isinstance(value, Mapping):
                for name in value.keys() - form.get("properties", {}).keys():
                    if said is False:
                        yield f"{at}: no key {name}"
                    else:
                        yield from faults(value[name], said, f"{at}.{name}")
            case "enum" | "minimum" | "maximum" | "pattern" | "anyOf" | "items" | "required":
                pass
            case "properties" | "additionalProperties":
                pass
            case "$schema" | "$defs" | "title" | "description" | "default":
                pass
            case _:
                raise AssertionError(f"the schema uses {word!r}, which this check does not know")


def files() -> list[tuple[str, dict[str, Any]]]:
    """The presets, the example of recognizers, and what docs show."""
    paths = [
        *sorted(PRESET_FOLDER.glob("*.toml")),
        *sorted((ROOT / "examples").rglob("house.toml")),
    ]
    found = [
        (path.stem, tomllib.loads(path.read_text("utf-8")))
        for path in paths
        if "policy" not in path.parts
    ]
    for page in sorted((ROOT / "docs").glob("*.md")):
        for number, text in enumerate(TOML.findall(page.read_text("utf-8"))):
            found.append((f"{page.stem}-{number}", tomllib.loads(text)))
    return found


@pytest.mark.parametrize(("name", "tree"), files(), ids=[name for name, _ in files()])
def test_presets_examples_and_what_docs_show_are_valid(name: str, tree: dict[str, Any]) -> None:
    assert list(faults(tree, SCHEMA)) == []


def test_the_schema_names_every_setting_but_those_that_linkmask_sets_itself() -> None:
    named = set(SCHEMA["properties"]["policy"]["anyOf"][0]["properties"])
    for name, form in SCHEMA["properties"].items():
        named |= set(form.get("properties", [name])) if name != "policy" else {"policy"}
    assert named - set(SECTIONS) | {"policy"} >= set(Settings.__struct_fields__) - INTERNAL


def test_every_setting_has_a_section_and_a_meaning(tmp_path: Path) -> None:
    """A module of a section that is not in the chain would lose its settings."""
    assert list(described()) == list(Settings.__struct_fields__)
    assert all(one.meaning for one in described().values())
    modules = {path.stem for path in Path(sections.__file__).parent.glob("*.py")}
    assert modules - {"__init__", "ranges"} == {one.section for one in described().values()}
    assert {*modules, "verify"} - {"__init__", "ranges", GENERAL} == set(SECTIONS)
    config = tmp_path / "c.toml"
    config.write_text("".join(f"[{name}]\n" for name in SECTIONS))
    assert load(config, environment={}) == Settings()


def wrong(form: Mapping[str, Any]) -> list[Any]:
    """Values that a form refuses."""
    made: list[Any] = [[[]], {"a": {"b": 1}}]
    if "minimum" in form:
        made.append(form["minimum"] - 1)
    if "maximum" in form:
        made.append(form["maximum"] + 1)
    if "enum" in form or "enum" in form.get("items", {}):
        made += ["no such name", ["no such name"]]
    if form.get("type") in ("integer", "number", "boolean"):
        made.append("no number")
    return made


@pytest.mark.parametrize("name", sorted(set(Settings.__struct_fields__) - INTERNAL))
def test_a_setting_is_refused_by_schema_and_linkmask_alike(name: str) -> None:
    """Its default is accepted; another type, what is out of range and unknown names are refused."""
    section = described()[name].section
    default = msgspec.to_builtins(getattr(Settings(), name))
    here = SCHEMA["properties"]
    if section in SECTIONS:
        table = here[section]
        here = table.get("properties") or table["anyOf"][0]["properties"]

    def tree(value: Any) -> dict[str, Any]:
        return {section: {name: value}} if section in SECTIONS else {name: value}

    default = list(default) if isinstance(default, tuple) else default
    assert list(faults(tree(default), SCHEMA)) == []
    load(overrides={name: default}, environment={})
    for value in wrong(here[name]):
        assert list(faults(tree(value), SCHEMA)), value
        with pytest.raises(SettingsError):
            if name == "preset":
                load(preset=value, environment={})
            else:
                load(overrides={name: value}, environment={})


def test_an_unknown_setting_is_refused_by_the_schema() -> None:
    assert list(faults({"plan": {"theta_dok": 0.9}}, SCHEMA))
    assert list(faults({"theta_dok": 0.9}, SCHEMA))


def test_a_validator_of_others_agrees() -> None:
    """The package jsonschema, where it is installed, on the schema itself and on a preset."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for _, tree in files():
        validator.validate(tree)
    assert not validator.is_valid({"plan": {"theta_doc": 2}})
