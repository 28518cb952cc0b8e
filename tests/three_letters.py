"""Three letters about two persons, masked; and a fourth one that comes later."""

import json
from collections.abc import Mapping
from pathlib import Path

from linkmask import commands
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.records import Audit

LETTERS = {
    "a": "Patient: Odalys Brandvold, member ID 4471-0093-2. She was seen on 3 March 2024.",
    "b": "Ms Odalys Brandvold called from 202-555-0143 about asthma and her claim.",
    "c": "Mr Teemu Kallio, teemu@example.org, was seen on 3 March 2024 for asthma.",
}
NEW = "Patient: Wenda Ashgrove, member ID 8821-7750-4, wrote from wenda@example.org."


def masked(tmp_path: Path) -> Path:
    """Mask the letters of `in` into `out`, and return the folder that holds both."""
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1))
    return tmp_path


def write(place: Path, name: str, text: str) -> None:
    """Write a letter into `in`."""
    (place / "in" / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))


def update(place: Path, changes: Mapping[str, object] | None = None, rehash: bool = False) -> Audit:
    """Release the next edition, with changes of its settings."""
    folders = place / "out.run", place / "in", place / "out"
    return update_files(*folders, changes or {}, rehash=rehash)


def released(place: Path) -> dict[str, bytes]:
    """Return the released files by name."""
    return {path.name: path.read_bytes() for path in (place / "out" / "documents").iterdir()}


def inodes(place: Path) -> dict[str, int]:
    """Return which file each released name is: another one where it was written again."""
    return {path.name: path.stat().st_ino for path in (place / "out" / "documents").iterdir()}
