"""Threads that share the tagger get what each would get alone, also of words nobody has met."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from linkmask.detect.ner import model

TEXTS = [
    f"On Monday Dr. Ana{n}el Bran{n % 7}vold of Sto{n}ham wrote to Mr. Ke{n}an about x{n}ine ."
    for n in range(200)
]


@pytest.mark.usefixtures("quick_turns")
def test_threads_that_meet_new_words_at_once_read_them_as_one_thread_does() -> None:
    split = [text.split() for text in TEXTS]
    alone = model.Model()
    expected = [alone.tag(words) for words in split]
    for _ in range(2):
        shared = model.Model()
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(shared.tag, split)) == expected


def test_what_is_known_is_dropped_under_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    split = [text.split() for text in TEXTS]
    alone = model.Model()
    expected = [alone.tag(words) for words in split[:40]]
    monkeypatch.setattr(model, "REMEMBERED", 30)
    shared = model.Model()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.tag, split[:40])) == expected
