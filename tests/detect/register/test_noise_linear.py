"""Telling names from noise takes work in proportion to the text."""

from __future__ import annotations

import cProfile
import re

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.text import sentences

SMALL, TIMES = 100, 4
MOST = 1.2
"""How much faster than the text work may grow: a square law would have it grow four times as fast.
"""


class CountingPattern:
    """An expression that counts the characters of the texts in which it is looked for."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.read = 0

    def search(self, text: str) -> re.Match[str] | None:
        """Look for the expression as it would."""
        self.read += len(text)
        return self.pattern.search(text)


@pytest.mark.parametrize(
    "piece",
    [
        "MSH|^~\\&|LAB|HOSP|EHR|HOSP|202403041000||ORU^R01|MSG00042|P|2.5\r"
        "PID|1||4711234^^^HOSP||Brandvold^Ottoline||19770630|F\r",
        "de theepot van Jansen en de kan van Wiersma zijn gemaakt ",
        "Wiersma belde gisteren. ",
    ],
    ids=["messages without line feeds", "names within a sentence", "first words in one line"],
)
def test_work_rises_as_the_text_does(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in calls, resumed generators, and characters read for the end of a sentence."""

    def work(times: int) -> int:
        pattern = CountingPattern(begins)
        monkeypatch.setattr(sentences, "_BEGINS", pattern)
        counter = cProfile.Profile()
        counter.enable()
        found = detect.first_pass(Document("one", piece * times), Settings(), entities.canonical)
        counter.disable()
        assert len(found) >= times
        return pattern.read + sum(entry.callcount for entry in counter.getstats())

    begins = sentences._BEGINS
    work(TIMES * SMALL)  # what is compiled and remembered once
    assert work(TIMES * SMALL) <= MOST * TIMES * work(SMALL)
