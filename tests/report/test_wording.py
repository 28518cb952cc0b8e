"""The sentences about findings."""

from typing import get_args

from linkmask.records import FindingKind
from linkmask.report.wording import FINDINGS


def test_each_kind_of_finding_is_said_in_a_sentence() -> None:
    assert set(FINDINGS) == set(get_args(FindingKind))
