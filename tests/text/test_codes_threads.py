"""Threads that fold characters nobody has met yet get what each would get alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from linkmask.text import codes

CHARACTERS = [chr(point) for point in (*range(0xAC00, 0xAC00 + 400), *range(0x2460, 0x24EA))]
TEXTS = ["".join(CHARACTERS[at:] + CHARACTERS[:at]) for at in range(0, len(CHARACTERS), 70)]
"""The same characters, met in another order in each text."""


@pytest.fixture
def new_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = codes._Table()
    monkeypatch.setattr(codes, "_table", lambda: table)


@pytest.mark.usefixtures("new_table", "quick_turns")
def test_threads_that_meet_new_characters_at_once_fold_them_as_one_thread_does() -> None:
    with ThreadPoolExecutor(len(TEXTS)) as pool:
        list(pool.map(codes.folded_codes, TEXTS))
    for text in TEXTS:
        own = codes.folded_codes(text)
        spelled = "".join(chr(code & (codes.WORD - 1)) for code in own.tolist())
        assert spelled == codes.fold_characters(text)
