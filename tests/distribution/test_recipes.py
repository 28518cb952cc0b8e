"""docs/recipes.md: what the blocks print is what the page shows."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
VARIES = re.compile(r"\b[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\d\b")
"""Labels of entities under a run's own secret, and dates."""


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_every_recipe_prints_what_the_page_shows(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    (tmp_path / "work").mkdir()
    (installed / "python").symlink_to(sys.executable)
    search = f"{installed}{os.pathsep}{os.environ['PATH']}"
    given = {name: text for name, text in os.environ.items() if not name.startswith("LINKMASK_")}
    given |= {"PATH": search, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    assert sum(bool(shown) for _, shown in blocks) >= 6
    for typed, shown in blocks:
        done = subprocess.run(
            ["bash", "-c", typed.replace("5002", port)],
            cwd=tmp_path / "work",
            env=given,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert VARIES.sub("…", done.stdout) == VARIES.sub("…", shown), f"{typed}\n{done.stderr}"
