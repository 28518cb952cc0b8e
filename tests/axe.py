"""axe-core in a page that is open in the browser: what keeps people from using it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SCHEMES = ("light", "dark")
GRAVE = ("serious", "critical")
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(
  (found) => done([found.passes.length, found.violations]), (error) => done([0, String(error)]));
"""


def source() -> str:
    """Return the script of axe-core as the development package holds it; skip where it is not."""
    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed: requirements/dev.txt")
    return (Path(found.origin).parent / "axe.min.js").read_text("utf-8")


def grave(browser: Any, scheme: str) -> list[str]:
    """Return what axe-core finds serious or critical in the open page, in a colour scheme."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    try:
        browser.execute_script(source())
        passed, found = browser.execute_async_script(RUN)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert passed > 10, found  # it has looked
    return [
        f"{one['impact']}: {one['id']} at {node['html'][:200]}: {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
