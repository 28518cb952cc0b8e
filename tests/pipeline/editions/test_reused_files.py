"""Which files of the last release may be part of the next one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from linkmask.config import Settings
from linkmask.pipeline.editions.reused_files import Carrying


def released(**settings: Any) -> dict[str, Any]:
    """Return what a release keeps of its settings, but for those given as None."""
    kept = msgspec.json.decode(msgspec.json.encode(Settings())) | settings
    return {"settings": {name: value for name, value in kept.items() if value is not None}}


def test_a_setting_that_the_last_release_did_not_know_had_its_default() -> None:
    last = released(link_limit=None)
    assert Carrying(last, Settings()).possible
    assert not Carrying(last, Settings(link_limit=0.5)).possible


def test_files_do_not_stay_where_a_limit_for_the_linker_is_measured_on_the_release() -> None:
    assert not Carrying(released(link_limit=0.5), Settings(link_limit=0.5)).possible


@pytest.mark.parametrize("other", [{"style": "redact"}, {"theta_doc": 0.4}])
def test_files_stay_only_where_the_settings_are_the_same(other: dict[str, Any]) -> None:
    assert Carrying(released(), Settings(workers=3)).possible
    assert not Carrying(released(), Settings(**other)).possible
