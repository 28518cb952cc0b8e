"""Writes the end of the report page: verification, settings, and whether it is private."""

from __future__ import annotations

from typing import Any

import msgspec
from markupsafe import Markup

from linkmask.config import load
from linkmask.errors import SettingsError
from linkmask.report.page.cells import (
    CellTable,
    PageData,
)
from linkmask.report.wording import FINDINGS, WHERE, count, harmless_text


def verification(data: PageData) -> dict[str, Any]:
    """What the check of the masked documents found, by kind; {} without a plan."""
    if data.plan is None:
        return {}
    found = data.audit.verify
    if not found["checked"]:
        return {"words": "The masked documents were not checked.", "tables": []}
    words = (
        "The masked documents were read again: every masked value in all its known forms was "
        "looked for, placeholders were checked, and risks were recomputed from a fresh detection. "
    )
    if not found["findings"]:
        return {"words": words + "Nothing was found.", "tables": []}
    blocking = found["blocking"]
    words += (
        f"{count(blocking, 'finding')} kept a document from being released."
        if blocking
        else "No finding kept a document from being released."
    )
    words += f" {WHERE}"
    rows = [
        [kind, f"{n:,}", FINDINGS.get(kind, "")] for kind, n in sorted(found["findings"].items())
    ]
    table = CellTable("Findings by kind", ["finding", "count", "meaning"], rows, frozenset({1}))
    return {"words": words, "tables": [table]}


def settings(data: PageData) -> dict[str, Any]:
    """The settings as resolved; what differs from the preset comes first."""
    resolved = data.audit.settings
    preset = resolved["preset"]
    try:
        given = msgspec.to_builtins(load(preset=preset, environment={}))
    except SettingsError:
        given = {}
    changed = [name for name in resolved if given and resolved[name] != given.get(name)]
    if not given:
        name = harmless_text(preset, 40)
        words = f"Preset “{name}” is not known here; all settings as they were used:"
    elif changed:
        words = f"Preset “{preset}” with {count(len(changed), 'setting')} changed."
    else:
        words = f"Preset “{preset}”, unchanged."
    rows = [
        [_name(name), _in_words(resolved[name]), _in_words(given.get(name))] for name in changed
    ]
    return {
        "words": words,
        "changed": CellTable("Changed from the preset", ["setting", "value", "preset"], rows),
        "all": CellTable(
            "All settings",
            ["setting", "value"],
            [[_name(name), _in_words(value)] for name, value in resolved.items()],
            closed=True,
        ),
    }


def _name(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(inner)}" for key, inner in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_in_words, value)) or "none"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return harmless_text(text, 200) if text else "–"


def private(data: PageData) -> str:
    """Say whether the page may be passed on."""
    if data.values is not None:
        return "This report shows values: keep it as private as the originals."
    if data.audit.counts["leaking_ids"]:
        return (
            "This report holds no value of a document; documents whose ids hold one are called by "
            "their number, all others by the input's own ids."
        )
    return "This report holds no value of a document; document ids are the input's own."


def timing(data: PageData) -> str:
    """Seconds by step."""
    spent = {step: seconds for step, seconds in data.audit.seconds.items() if seconds >= 0.05}
    return "Time: " + ", ".join(f"{k} {v:.1f} s" for k, v in spent.items()) + "." if spent else ""
