"""Write a software bill of materials (CycloneDX 1.6, JSON) of a locked set of requirements.

    python requirements/sbom.py requirements/image.txt > sbom.cdx.json

Each package of the lock is a component with its version, its package URL, and the SHA-256 of every
file that the lock accepts for it. The same lock gives the same bytes. No host is named.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"([\w.-]+)==([^\s;\\]+)(?:\s*;\s*([^\\]*))?")
SPACE = uuid.UUID("6f3a7d2e-5b1c-5e0d-9a44-2f6d0c1b7e58")
"""Namespace of the serial numbers."""


def components(lock: str) -> Iterator[dict[str, Any]]:
    """Yield the component of each package of a lock, in its order."""
    for entry in re.split(r"\n(?=\w)", lock.strip()):
        found = PIN.match(entry)
        if found is None:
            raise SystemExit(f"the lock has a line that pins no version: {entry.splitlines()[0]}")
        name, version, marker = found.groups()
        purl = f"pkg:pypi/{canonical(name)}@{version}"
        component: dict[str, Any] = {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "purl": purl,
            "hashes": [
                {"alg": "SHA-256", "content": digest}
                for digest in re.findall(r"--hash=sha256:([0-9a-f]{64})", entry)
            ],
        }
        if not component["hashes"]:
            raise SystemExit(f"the lock has no hash for {name}")
        if marker and marker.strip():
            component["properties"] = [{"name": "pip:marker", "value": marker.strip()}]
        yield component


def canonical(name: str) -> str:
    """Return the name of a package as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def bill(lock: str) -> dict[str, Any]:
    """Return the bill of a lock's text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = (ROOT / "src" / "linkmask" / "version.py").read_text("utf-8").split('"')[-2]
    listed = list(components(lock))
    ref = f"pkg:pypi/linkmask@{version}"
    direct = {canonical(re.split(r"[\s>=<\[;]", line)[0]) for line in project["dependencies"]}
    by_name = {canonical(one["name"]): one["bom-ref"] for one in listed}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(SPACE, version + lock)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ref,
                "name": "linkmask",
                "version": version,
                "purl": ref,
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": listed,
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(by_name[name] for name in direct)},
        ],
    }


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text("utf-8")
    print(json.dumps(bill(text), indent=2))
