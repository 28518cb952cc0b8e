"""Reads settings from presets, files, the environment and options, and validates them.

Presets are TOML files in `presets/`, and their comments name the source of each number. A user's
`--config FILE` has the same form, and its settings replace those of the preset it names. `load`
and `checked` apply the same validation.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from linkmask.choices import PRESET_FOLDER, preset_names
from linkmask.config.detectors import with_detectors
from linkmask.config.own_recognizers import with_recognizers
from linkmask.config.settings import LISTS, SECTIONS, TABLES, Settings
from linkmask.config.validation import (
    as_spelled_here,
    check,
    choices,
    map_members,
)
from linkmask.errors import SettingsError, suggestion, unknown_name
from linkmask.schema import recognizers

__all__ = ["LISTS", "SECTIONS", "Settings", "checked", "load", "preset_names"]


def load(
    config: Path | None = None,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    base: Settings | None = None,
) -> Settings:
    """Return settings: a preset's, replaced by a file's, the environment's and those given here.

    If several give the same setting, the last of these counts; files of recognizers add up.

    Args:
        config: a TOML file of settings.
        preset: the name of a preset; else that of environment or file, or `insurance`.
        overrides: settings by name, such as those of the command line.
        environment: variables `LINKMASK_<SETTING>`; by default those of the process.
        base: settings of an earlier run, which take the place of the preset unless one is given;
            the run's files of recognizers stay as they are.

    Raises:
        SettingsError: a file can't be read, a key is unknown, or a value is of the wrong type, out
            of range or an unknown name; the message names the key, where it was given, and what
            was likely meant.
    """
    given: dict[str, Any] = _read(config) if config else {}
    outside = _environment(os.environ if environment is None else environment)
    asked = preset or outside.get("preset") or given.get("preset") or "insurance"
    name = as_spelled_here(asked, preset_names())
    if name not in preset_names():
        raise SettingsError(unknown_name("preset", str(name), preset_names()))
    if base is not None and preset is None:
        name, first = base.preset, ("the run", msgspec.to_builtins(base))
    else:
        first = (f"preset {name}", _read(PRESET_FOLDER / f"{name}.toml"))
    layers = [
        first,
        (str(config), given),
        ("the environment", outside),
        ("the command line or call", dict(overrides or {})),
    ]
    merged: dict[str, Any] = {}
    home: dict[str, str] = {}
    for where, layer in layers:
        for key, value in layer.items():
            _check_key(key, where)
            if key == "recognizers" and key in merged:
                added = [] if base else _parsed(key, value)
                merged[key] = [*merged[key], *added]
            else:
                merged[key], home[key] = value, where
        _convert(merged | {"preset": name}, where)
    settings = with_detectors(with_recognizers(_convert(merged | {"preset": name}, "the settings")))
    check(settings, lambda key: home.get(key, "the settings"))
    return settings


def checked(settings: object) -> Settings:
    """Return `Settings` that were made in Python, validated as those of files and options are.

    A mapping holds the settings that differ from its preset, or from preset insurance.

    Raises:
        SettingsError: they are no settings, a value is of the wrong type or out of range, or names
            what there is not; or they name a preset whose values they don't have.
    """
    if isinstance(settings, Mapping):
        return load(overrides=settings, preset=settings.get("preset"), environment={})
    if not isinstance(settings, Settings):
        kind = type(settings).__name__
        raise SettingsError(f"{kind} is no settings: give what linkmask.load returns, or a dict")
    _check_preset(settings)
    settings = with_detectors(
        with_recognizers(_convert(msgspec.to_builtins(settings), "the settings"))
    )
    check(settings, lambda key: "the settings")
    return settings


def _check_preset(settings: Settings) -> None:
    """Refuse a preset that is only named: `Settings(preset="strict")` reads no file.

    Raises:
        SettingsError: the settings have none of the values in which it differs from the default.
    """
    usual, own = Settings(), _own_values(settings.preset)
    if own and all(getattr(settings, name) == getattr(usual, name) for name in own):
        name = settings.preset
        raise SettingsError(f"preset {name!r} was not read: use linkmask.load(preset={name!r})")


@cache
def _own_values(preset: str) -> tuple[str, ...]:
    """Return the settings in which a preset differs from the default; none if there is no such."""
    if preset not in preset_names():
        return ()
    values, usual = _convert(_read(PRESET_FOLDER / f"{preset}.toml"), "the preset"), Settings()
    return tuple(
        name
        for name in Settings.__struct_fields__
        if name != "preset" and getattr(values, name) != getattr(usual, name)
    )


def _read(path: Path) -> dict[str, Any]:
    """Read a TOML file whose tables are the sections; the keys below them are the settings."""
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"can't read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    flat: dict[str, Any] = {}
    if recognizers.TABLES & tree.keys():
        tree = {key: value for key, value in tree.items() if key not in recognizers.TABLES}
        rows = [str(path)]
    else:
        rows = []
    for key, value in tree.items():
        table = value if isinstance(value, dict) and key in SECTIONS else {key: value}
        if twice := flat.keys() & table.keys():
            raise SettingsError(f"{path} gives {min(twice)!r} twice: one of them would do nothing")
        flat |= table
    if rows:
        flat["recognizers"] = [*rows, *_parsed("recognizers", flat.get("recognizers", []))]
    return flat


SECRETS = ("LINKMASK_KEY", "LINKMASK_SERVE_TOKEN")
"""Variables that hold the key of pseudonyms, and a token of `linkmask serve`."""


def _environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings given as LINKMASK_NAME=value; secrets themselves are no settings."""
    return {
        name.removeprefix("LINKMASK_").lower(): value
        for name, value in sorted(environment.items())
        if name.startswith("LINKMASK_") and name not in SECRETS
    }


def _check_key(key: str, where: str) -> None:
    if key not in Settings.__struct_fields__:
        near = suggestion(key, Settings.__struct_fields__)
        raise SettingsError(f"unknown setting {key!r} in {where}{near}")


def _convert(values: Mapping[str, Any], where: str) -> Settings:
    """Make settings of plain values: lists from text, names as linkmask spells them."""
    allowed = choices(Settings)
    parsed = {key: _parsed(key, value) for key, value in values.items()}
    if parsed.get("policy") and parsed.get("schema", "insurance") == "insurance":
        parsed["schema"] = "regulated"
    try:
        return msgspec.convert(parsed, Settings, strict=False)
    except msgspec.ValidationError as error:
        message, _, path = str(error).replace("`", "").partition(" - at $.")
        if path in allowed and isinstance(parsed[path], str):
            message = unknown_name(path, parsed[path], allowed[path])
        raise SettingsError(f"{path or 'a setting'} in {where}: {message}") from None


def _from_syntax(key: str, text: str) -> Any:
    """Read a list or a table as JSON or as a settings file writes it."""
    for read in (json.loads, lambda text: tomllib.loads(f"value = {text}")["value"]):
        with suppress(ValueError):
            return read(text)
    raise SettingsError(f"{key}: what was given starts as a list or table and is no TOML or JSON")


def _parsed(key: str, value: Any) -> Any:
    if isinstance(value, str) and value.startswith(("[", "{")) and key in LISTS | TABLES:
        value = _from_syntax(key, value)
    elif isinstance(value, str) and key in LISTS:
        value = [part.strip() for part in value.split(",") if part.strip()]
    return map_members(value, partial(as_spelled_here, known=choices(Settings).get(key, ())))
