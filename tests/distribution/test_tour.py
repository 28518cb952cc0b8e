"""`make tour`: what a stranger would try first works, one step after another."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STEPS = ["generate", "preview", "mask", "report", "explain", "bench", "serve"]


def tour(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "tour.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=500)


def test_the_tour_ends_well_and_prints_the_time_of_each_step(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    done = tour(tmp_path / "out", "--documents", 20)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^\((\w+): [\d.]+ s\)$", done.stdout, re.MULTILINE) == STEPS
    assert re.search(r"^all +[\d.]+ s of at most 600$", done.stdout, re.MULTILINE)
    assert all(re.search(rf"^{name} ", done.stdout, re.MULTILINE) for name in ("clam", "mask-all"))
    assert '"entity_type":"PERSON"' in done.stdout
    assert re.search(r"\b[1-9]\d* places masked", done.stdout), "the preview shows no mask"
    assert (tmp_path / "out" / "masked" / "report.html").exists()


def test_the_tour_replaces_no_folder_of_others(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    assert tour(tmp_path).returncode != 0
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
