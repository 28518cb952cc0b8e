"""The client against llama.cpp's real server and a tiny random model (`make test-llm`)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import llama
from linkmask import llm
from linkmask.config import Settings
from linkmask.errors import BadAnswer, ContextTooLong, ModelUnavailable
from linkmask.llm.request import ModelAnswer, Request
from linkmask.llm.shape import checker

pytestmark = pytest.mark.skipif(
    not (llama.SERVER.exists() and llama.PYTHON.exists()),
    reason="llama.cpp's server is not built here: make test-llm",
)


def entities(text: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of one to three entities whose texts are of this schema."""
    fields = {
        "value": text,
        "type": {"type": "string", "enum": ["NAME", "CITY", "BIRTHDATE"]},
        "score": {"type": "integer", "minimum": 0, "maximum": 9},
    }
    entity = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    found = {"type": "array", "items": entity, "minItems": 1, "maxItems": 3}
    return {
        "type": "object",
        "properties": {"entities": found},
        "required": ["entities"],
        "additionalProperties": False,
    }


PLAIN = entities({"type": "string", "pattern": "^[A-Za-z ]{1,12}$"})
SHORT = entities({"type": "string", "minLength": 1, "maxLength": 12})


def question(text: str, schema: Any = PLAIN, max_tokens: int = 400) -> Request:
    return Request((("system", "Find."), ("user", text)), schema, "find/1", max_tokens)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Make the model and serve it, eight at a time with 2,048 tokens each."""
    model = tmp_path_factory.mktemp("model") / "tiny.gguf"
    script = str(Path(llama.__file__))
    subprocess.run([str(llama.PYTHON), script, "model", str(model)], check=True)
    with llama.serving(model, "-c", "16384", "-np", "8") as served:
        yield served


@pytest.fixture
def settings(url: str, tmp_path: Path) -> Settings:
    return Settings(
        llm_url=url, llm_model="tiny", llm_cache=str(tmp_path / "llm"), llm_context=2048,
        llm_temperature=0.5, llm_connections=8,
    )  # fmt: skip


def test_strict_schema_and_concurrency(settings: Settings, tmp_path: Path) -> None:
    """Forty answers, eight at a time, meet a strict schema; the same seed says the same again."""
    asked = [question(f"document {n}") for n in range(40)]
    with llm.connect(settings) as model:
        said = list(model.ask_all(asked))
        assert model.usage.requests < 60
    check = checker(PLAIN)
    values = [answer.value for answer in said if isinstance(answer, ModelAnswer)]
    assert len(values) == 40 and not any(map(check, values))
    assert all(answer.tokens_in > 0 < answer.tokens_out for answer in said)  # type: ignore[union-attr]
    other = Settings(
        llm_url=settings.llm_url, llm_model="tiny", llm_cache=str(tmp_path / "other"),
        llm_context=2048, llm_temperature=0.5, llm_connections=1,
    )  # fmt: skip
    with llm.connect(other) as model:
        assert model.ask(asked[0]).value == values[0]


def test_no_broken_answer_passes(settings: Settings) -> None:
    """The server breaks its own maxLength where the model breaks UTF-8; the client lets none by."""
    with llm.connect(settings) as model:
        said = list(model.ask_all(question(f"document {n}", SHORT) for n in range(40)))
    check = checker(SHORT)
    assert {type(one) for one in said} <= {ModelAnswer, BadAnswer}
    assert not any(check(one.value) for one in said if isinstance(one, ModelAnswer))


def test_text_without_a_schema_comes_as_it_is_or_is_refused_as_cut(settings: Settings) -> None:
    with llm.connect(settings) as model:
        (said,) = model.ask_all([question("go on", None, 20)])
    assert isinstance(said, ModelAnswer) == isinstance(getattr(said, "value", None), str)
    assert isinstance(said, ModelAnswer) or "cut" in str(said)


def test_context_overflow(settings: Settings) -> None:
    """A prompt beyond the window, though it looked short enough, is an error that says so."""
    with llm.connect(settings) as model, pytest.raises(ContextTooLong, match="server says so"):
        model.ask(question("word " * 800, max_tokens=100))


def test_small_window(settings: Settings, tmp_path: Path) -> None:
    """A window smaller than llm_context is told before the first document is sent."""
    larger = Settings(
        llm_url=settings.llm_url, llm_model="tiny", llm_cache=str(tmp_path / "larger")
    )
    with llm.connect(larger) as model, pytest.raises(ModelUnavailable, match="2048"):
        model.ask(question("document"))


def test_embeddings(settings: Settings) -> None:
    """The embeddings endpoint gives 64 numbers for each text."""
    with llm.connect(settings) as model:
        vectors = model.embed(["one text", "another text"])
    assert [len(vector) for vector in vectors] == [64, 64]
    assert vectors[0] != vectors[1]
