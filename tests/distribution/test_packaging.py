"""The wheel, what installs it without a network, and the bill of materials."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "image.txt"


@pytest.fixture(scope="module")
def sbom() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "requirements" / "sbom.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bill_lists_every_package_of_the_lock_with_its_hashes(sbom: ModuleType) -> None:
    lock = LOCK.read_text("utf-8")
    bill = sbom.bill(lock)
    pins = dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", lock, re.MULTILINE))
    assert {one["name"]: one["version"] for one in bill["components"]} == pins
    assert sum(len(one["hashes"]) for one in bill["components"]) == lock.count("--hash=sha256:")
    (root,) = bill["dependencies"]
    assert "pkg:pypi/numpy@" + pins["numpy"] in root["dependsOn"]


def test_the_bill_names_no_host_and_is_the_same_each_time(sbom: ModuleType) -> None:
    text = json.dumps(sbom.bill(LOCK.read_text("utf-8")))
    assert "://" not in text
    assert text == json.dumps(sbom.bill(LOCK.read_text("utf-8")))


def test_a_lock_without_a_hash_gives_no_bill(sbom: ModuleType) -> None:
    with pytest.raises(SystemExit, match="no hash for click"):
        sbom.bill("click==8.4\n")


def test_the_bill_is_valid_cyclonedx(sbom: ModuleType) -> None:
    """By the schema that CycloneDX's own library brings, where it is installed."""
    validation = pytest.importorskip("cyclonedx.validation.json")
    schema = pytest.importorskip("cyclonedx.schema")
    text = json.dumps(sbom.bill(LOCK.read_text("utf-8")))
    validator = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)
    assert validator.validate_str(text) is None


def test_the_wheel_is_built_and_installed_without_network_and_is_whole(tmp_path: Path) -> None:
    """Its files have the digests of the wheel; what it depends on is this environment's."""
    pytest.importorskip("hatchling")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
    build = [*pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", str(ROOT)]
    subprocess.run([*build, "-w", str(tmp_path)], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("linkmask-*.whl")
    there = tmp_path / "site"
    install = [*pip, "install", "--no-index", "--no-deps", "--target", str(there), str(wheel)]
    subprocess.run(install, check=True, cwd=tmp_path)
    code = "import sys; sys.argv = ['linkmask', 'doctor', '--json']; import linkmask.__main__"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(there)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    found = {one["topic"]: one for one in json.loads(done.stdout)}
    assert done.returncode == 0
    assert str(there) in found["linkmask"]["told"]
    assert found["files"]["state"] == "ok", found["files"]
    assert found["model"]["state"] == "ok"


def test_python_m_linkmask_is_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "linkmask", "--version"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.startswith("linkmask, version ")


def test_offline_installation_takes_only_the_wheelhouse() -> None:
    """`make try-wheelhouse` installs without an index, what `make wheelhouse` took by its hash."""
    text = (ROOT / "Makefile").read_text("utf-8")
    rules = dict(re.findall(r"^([\w-]+):.*\n((?:\t.*\n)+)", text, re.MULTILINE))
    assert "--require-hashes -r $(LOCK)/image.txt" in rules["wheelhouse"]
    assert "--no-index --find-links dist/wheelhouse" in rules["try-wheelhouse"]
