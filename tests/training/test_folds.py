"""Held-out figures: which model reads a document, and the form of the tables."""

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from linkmask.detect import ner
from linkmask.detect.ner import model as shipped
from training import data, folds, texts


def test_each_document_is_read_by_the_model_that_did_not_learn_from_it(tmp_path, monkeypatch):
    for k in (0, 3):
        shutil.copy(shipped.FILE, tmp_path / f"f{k}.npz")
    models = folds.Models(tmp_path)
    number = {id(model): k for k, model in models._models.items()}
    read = []

    def embedded(detector):
        def find(truths):
            read.extend((one.id, number[id(ner.shipped())]) for one in truths)
            return [[] for _ in truths], 0.0

        return find

    monkeypatch.setattr(ner, "shipped", ner.shipped)
    monkeypatch.setattr(folds.bench, "embedded", embedded)
    whole, without = models.read("own")

    assert {k for _, k in read} == {0, 3}
    assert all(data.fold_of_text(name) == k for name, k in read)
    assert [one.id for one in whole.truths] == [name for name, _ in read]
    assert without is None


def test_the_tables_of_the_pages_have_a_cell_for_each_head(tmp_path, monkeypatch):
    shutil.copy(shipped.FILE, tmp_path / "f0.npz")
    monkeypatch.setattr(ner, "shipped", ner.shipped)
    monkeypatch.setattr(folds.bench, "embedded", lambda _: lambda truths: ([[]] * len(truths), 0))
    width = 0
    for line in "\n".join(folds.pages(folds.Models(tmp_path), ["own"])).split("\n"):
        if line.startswith("|"):
            width = width or line.count("|")
            assert line.count("|") == width, line
        else:
            width = 0


def test_a_tagger_does_not_learn_user_names_as_names() -> None:
    """Else it takes words of code for names; "J. R." and "mhollis" are names all the same."""
    body = (
        "{{max_power|NAME|P}} is {{Max J. R. Power|NAME|P}}; {{raj.v|NAME|O}}, {{mhollis|NAME|O}}."
    )
    text, marks = texts.parse(body)
    user = data.USER_NAME
    assert [data._own_label(mark, text) for mark in marks] == [user, "NAME", user, "NAME"]


def test_a_line_with_such_a_user_name_is_not_read_for_names() -> None:
    """It would teach that the user name is no name."""
    text, user = "Ask Ann.\nmax_power is Ann.\nAnn left.", data.USER_NAME
    spans = [(4, 7, "NAME"), (9, 18, user), (22, 25, "NAME"), (27, 30, "NAME")]
    kept, moved = data._without_user_names(text, spans)
    assert kept == "Ask Ann.\nAnn left."
    assert [kept[start:end] for start, end, _ in moved] == ["Ann", "Ann"]
