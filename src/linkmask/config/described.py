"""Reads what each setting means off the source of its section, and makes the JSON Schema.

Docs and the JSON Schema are made of it, so that a setting is described in one place.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from linkmask.config.settings import BY_SECTION, LISTS, Settings
from linkmask.config.validation import choices
from linkmask.schema.recognizer_rows import OwnType, RecognizerRow

GENERAL = "general"
"""Section of the settings that stand above the tables of a file."""
INTERNAL = frozenset(
    {"recognizers_digest", "sentence_model_digest", "background_digest", "own_types"}
)
"""Settings that linkmask sets itself."""
_FORMULA = re.compile(r" \(formulas\.md [^)]*\)")


class Described(NamedTuple):
    """A setting: its section, its meaning in words, and its annotation as it is written."""

    section: str
    meaning: str
    annotation: ast.expr


@cache
def described() -> dict[str, Described]:
    """Return each setting by name, in the order in which `Settings` lists them."""
    found: dict[str, Described] = {}
    for section, source in BY_SECTION.items():
        [tree] = ast.parse(inspect.getsource(source)).body
        assert isinstance(tree, ast.ClassDef)
        for node, after in pairwise([*tree.body, ast.Pass()]):
            if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
                continue
            match after:
                case ast.Expr(ast.Constant(str(meaning))):
                    plain = _FORMULA.sub("", " ".join(meaning.split()))
                case _:
                    plain = ""
            found[node.target.id] = Described(section, plain, node.annotation)
    return found


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a file for `--config`: tables of settings, recognizers.

    It is made of `Settings`: a value of another type, out of range or of no known name is refused,
    as `load` refuses it. `load` takes more: numbers and lists as text, names in any letter case,
    and a setting in any table.
    """
    whole = msgspec.json.schema_components(
        [Settings, RecognizerRow, OwnType], ref_template="#/$defs/{name}"
    )[1]
    own = whole.pop("Settings")["properties"]
    properties: dict[str, Any] = {}
    for name, one in described().items():
        if name in INTERNAL:
            continue
        form = _form(name, own[name]) | {"description": one.meaning}
        if one.section == GENERAL:
            properties[name] = form
        else:
            table = properties.setdefault(one.section, _table())
            table["properties"][name] = form
    properties["policy"] = {"anyOf": [properties["policy"], _names("policy")]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of linkmask",
        "type": "object",
        "additionalProperties": False,
        "properties": properties | _rows(),
        "$defs": whole,
    }


def _table() -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": {}}


def _rows() -> dict[str, Any]:
    """Return the tables of a file that hold recognizers and entity types of the user's own."""
    rows = {"recognizer": "RecognizerRow", "type": "OwnType"}
    blocks = {
        name: {"type": "array", "items": {"$ref": f"#/$defs/{kind}"}} for name, kind in rows.items()
    }
    return blocks | {"fragments": {"type": "object", "additionalProperties": {"type": "string"}}}


def _form(name: str, form: dict[str, Any]) -> dict[str, Any]:
    """Return what values a setting takes; names of a closed set are listed."""
    if name == "policy":
        return _names(name)
    allowed = choices(Settings).get(name)
    if allowed is None:
        return dict(form)
    listed = {"type": "string", "enum": sorted(allowed)}
    if name in LISTS:
        return {"type": "array", "items": listed, "default": form.get("default", [])}
    if form.get("type") == "object":
        return form | {"additionalProperties": listed}
    return listed | {"default": form["default"]}


def _names(name: str) -> dict[str, Any]:
    """Return the form of a list of shipped names and of the user's own TOML files."""
    either = [{"enum": sorted(choices(Settings)[name])}, {"pattern": r"\.toml$"}]
    return {"type": "array", "items": {"type": "string", "anyOf": either}}
