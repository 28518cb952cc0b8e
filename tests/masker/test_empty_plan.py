"""A run whose plan masks nothing can be opened and asked, too."""

from __future__ import annotations

from pathlib import Path

import linkmask
from linkmask import commands


def test_a_run_that_masks_nothing_keeps_its_values_and_masks_unknown_ones(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Ms. Ottoline Brandvold called.")
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "in.txt", tmp_path / "out", settings)
    commands.plan_run(tmp_path / "out.run", {}, keep=["ottoline brandvold"])
    commands.apply_run(tmp_path / "out.run", tmp_path / "out", {}, overwrite=True)
    with linkmask.open(tmp_path / "out") as masker:
        text = "Ms. Ottoline Brandvold, call 906-555-0177."
        assert masker.mask_text(text).text == "Ms. Ottoline Brandvold, call [PHONE_NUMBER]."
