"""Detectors of others in local folders: spaCy's and GLiNER's own forms, all of a text, no network.

The packages `spacy` and `gliner` are optional. Where they are installed, a real pipeline and a real
GLiNER model (of random weights) are made, saved and read; elsewhere these tests are skipped. What
GLiNER leaves out of long texts is shown with a small package of the same name, written here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkmask
from linkmask.config import Settings, checked
from linkmask.config.detectors import folder_digest
from linkmask.detect.other_detectors.gliner_model import word_windows
from linkmask.detect.other_detectors.local_models import OFFLINE, load
from linkmask.detect.other_detectors.spans import WINDOW
from linkmask.errors import SettingsError

FAKE = '''
"""Stands for the package gliner: finds "zorblax 7", and cuts what is too long, as gliner does."""
import os, re
from types import SimpleNamespace

def words(text):
    for one in re.finditer(r"\\w+|[^\\w\\s]", text):
        yield one[0], one.start(), one.end()

class Tokens:
    model_max_length = 400
    def __call__(self, texts, add_special_tokens=True, truncation=True):
        assert not truncation
        return {"input_ids": [list(range(-(-len(one) // 2))) for one in texts]}

class GLiNER:
    data_processor = SimpleNamespace(words_splitter=words, transformer_tokenizer=Tokens())
    config = SimpleNamespace(max_len=30)
    @classmethod
    def from_pretrained(cls, folder, local_files_only=False):
        assert local_files_only and os.environ["HF_HUB_OFFLINE"] == "1"
        return cls()
    def predict_entities(self, text, labels, threshold=0.5):
        read = list(words(text))[: self.config.max_len]
        size = 0
        for number, (word, start, end) in enumerate(read):
            size += -(-len(word) // 2)
            if size > 250:
                return
            if word == "BOOM":
                raise RuntimeError("secret value")
            if word == "zorblax" and number + 1 < len(read):
                last = read[number + 1][2]
                yield {"start": start, "end": last, "label": "username", "score": 0.9}
'''


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a model that the package above reads."""
    (tmp_path / "gliner.py").write_text(FAKE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "gliner", raising=False)
    for name in OFFLINE:
        monkeypatch.setenv(name, "1")
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "gliner_config.json").write_text("{}", "utf-8")
    return f"gliner:{folder}"


@given(st.lists(st.integers(1, 12), max_size=200), st.integers(1, 30), st.integers(1, 20))
def test_windows_hold_every_word_and_no_more_than_a_model_reads(
    sizes: list[int], most: int, room: int
) -> None:
    spans = [(5 * n, 5 * n + 4) for n in range(len(sizes))]
    windows = list(word_windows(spans, sizes, most, room))
    for (start, end), size in zip(spans, sizes, strict=True):
        if size <= room:
            assert any(begin <= start and end <= stop for begin, stop in windows)
    inside = {at for start, end in spans for at in range(start, end)}
    assert inside <= {at for begin, stop in windows for at in range(begin, stop)}
    for begin, stop in windows:
        held = [n for n, (s, e) in enumerate(spans) if begin <= s and e <= stop]
        assert len(held) <= most
        assert sum(sizes[n] for n in held) <= room or len(held) == 1


def test_a_long_text_is_read_whole_though_the_model_would_cut_it(model: str) -> None:
    """The model reads 30 words and 250 tokens; values stand at the end and across each window."""
    text = "word " * 200 + "zorblax 1 " + "longerword " * 90 + "x" * 5000 + " zorblax 2"
    found = load("gliner", Path(model.partition(":")[2]))(text, "en")
    assert {text[one.start : one.end] for one in found} == {"zorblax 1", "zorblax 2"}
    many = " ".join(f"zorblax {n}" for n in range(300))
    found = load("gliner", Path(model.partition(":")[2]))(many, "en")
    assert {many[one.start : one.end] for one in found} == {f"zorblax {n}" for n in range(300)}


def test_what_a_local_model_finds_is_masked_and_named(model: str) -> None:
    """Under its label's type; several detectors are united."""
    settings = Settings(other_detectors=(model, model + "/"), style="redact")
    record = {"id": "a", "content": "He is zorblax 9; mail anna.roth@example.org."}
    done = linkmask.mask([record], settings)
    (masked,) = done.documents
    assert "zorblax" not in masked.content and "@" not in masked.content


def test_a_model_that_fails_releases_nothing_and_shows_no_value(model: str) -> None:
    done = linkmask.mask(["BOOM for Anna Roth."], Settings(other_detectors=(model,)))
    assert list(done.documents) == []
    assert "secret" not in str(done.set_aside)


def test_a_run_names_the_folder_digest_the_weights_and_refuses_others(model: str) -> None:
    folder = Path(model.partition(":")[2])
    settings = checked(Settings(other_detectors=(model,)))
    assert settings.detector_digests == {model: folder_digest(folder)}
    (folder / "model.safetensors").write_bytes(b"other")
    assert checked(Settings(other_detectors=(model,))).detector_digests != settings.detector_digests
    with pytest.raises(SettingsError, match="has changed"):
        linkmask.mask(["Anna"], settings)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("spacy:/nowhere", "no folder of a spacy model"),
        ("gliner:", "no folder of a gliner model"),
        ("urchade/gliner_small", "no detector"),
        ("file:///etc", "no detector"),
    ],
)
def test_an_address_that_names_no_detector_says_what_would_be(address: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        linkmask.mask(["Anna"], Settings(other_detectors=(address,)))


def test_a_missing_package_is_named_with_its_installation(tmp_path: Path) -> None:
    (tmp_path / "config.cfg").write_text("", "utf-8")
    code = (
        "import sys; sys.modules['spacy'] = None\n"
        "from linkmask.config import Settings, checked\n"
        f"checked(Settings(other_detectors=('spacy:{tmp_path}',)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install spacy" in done.stderr


def test_a_report_names_the_model_without_its_path(model: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text("He is zorblax 9.", "utf-8")
    from click.testing import CliRunner

    from linkmask.cli import main

    given = ["mask", str(source), "-o", str(out), "--other-detector", model, "--workers", "1"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.output
    settings = json.loads((out / "summary.json").read_text("utf-8"))["settings"]
    assert settings["other_detectors"] == ["gliner:model"]
    assert len(settings["detector_digests"]["gliner:model"]) == 64


def test_a_real_spacy_pipeline_is_read(tmp_path: Path) -> None:
    """Entities and spans of a saved pipeline, also at the end of a text of several windows."""
    spacy = pytest.importorskip("spacy", reason="spacy is not installed")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Zorblax Quine"}])
    spans = pipeline.add_pipe("span_ruler")
    spans.add_patterns([{"label": "MISSION", "pattern": "Blue Heron"}])
    pipeline.to_disk(tmp_path / "model")
    text = "Blue Heron " + "word " * (WINDOW // 2) + "Zorblax Quine"
    found = load("spacy", tmp_path / "model")(text, "en")
    assert {(text[s.start : s.end], s.label) for s in found} == {
        ("Blue Heron", "MISSION"),
        ("Zorblax Quine", "PERSON"),
    }
    settings = Settings(other_detectors=(f"spacy:{tmp_path / 'model'}",), style="redact")
    (masked,) = linkmask.mask(["Ask Zorblax Quine."], settings).documents
    assert "Zorblax" not in masked.content


def test_a_real_gliner_model_is_read_to_the_end(tmp_path: Path) -> None:
    """Random weights find nothing sensible: only the load, the windows and the offsets are seen."""
    gliner = pytest.importorskip("gliner", reason="gliner is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    folder = tiny_gliner(gliner, transformers, tmp_path)
    read = load("gliner", folder)
    reader = read.__self__  # type: ignore[attr-defined]
    seen: list[str] = []
    predict = reader._model.predict_entities

    def record(text: str, labels: list[str], threshold: float) -> object:
        seen.append(text)
        return predict(text, labels, threshold=0.0)

    reader._model.predict_entities = record
    text = "the quick brown fox met anna roth in a lyon street " * 30 + "x" * 3000 + " the end"
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Sentence of length")
        found = read(text, "en")
    assert len(seen) > 3 and seen[-1].endswith("the end")
    assert found and all(0 <= one.start < one.end <= len(text) for one in found)


def tiny_gliner(gliner: object, transformers: object, folder: Path) -> Path:
    """Return the folder of a GLiNER model with random weights over a tiny BERT."""
    os.environ.update(OFFLINE)
    words = "the quick brown fox met anna roth in a lyon street end x ##x < > ent sep".split()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    backbone = folder / "bert"
    backbone.mkdir()
    (backbone / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    tokenizer = transformers.BertTokenizerFast(  # type: ignore[attr-defined]
        vocab_file=str(backbone / "vocab.txt"), model_max_length=256
    )
    tokenizer.save_pretrained(backbone)
    config = transformers.BertConfig(  # type: ignore[attr-defined]
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=256,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(backbone)  # type: ignore[attr-defined]
    made = gliner.GLiNER.from_config(  # type: ignore[attr-defined]
        {"model_name": str(backbone), "max_len": 100, "hidden_size": 16, "max_width": 4,
         "model_type": "gliner", "span_mode": "markerV0", "dropout": 0.0},
        backbone_from_pretrained=True,
    )  # fmt: skip
    place = folder / "model"
    made.save_pretrained(str(place))
    return place
