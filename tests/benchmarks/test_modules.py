"""Leaving out a module replaces its functions wherever detection uses them."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import modules

ROOT = Path(__file__).parents[2]
FINDS = """
from benchmarks import ablation, modules
from linkmask.config import Settings
text, settings = ablation.Text("Mr. Okonjo came back.", ()), Settings(detector="rules")
print(len(ablation.finds(("own", "a"), text, settings)))
modules.leave_out("lexicon.names_by_trigger")
print(len(ablation.finds(("own", "a"), text, settings)))
"""


@pytest.mark.parametrize("name", modules.MODULES)
def test_each_function_that_is_replaced_is_there(name: str) -> None:
    """A function that is renamed or gone must not be measured as one that changes nothing."""
    home = import_module(f"linkmask.detect.{name}")
    assert all(callable(getattr(home, function)) for function in modules.MODULES[name])


def test_what_a_module_alone_finds_is_not_found_without_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FINDS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1", "0"]
