"""Finds out which parts of the OpenAI API a server understands, and remembers them.

A server is asked a small question under the strictest form of structured output. Where it
rejects the form or does not keep it, the next one is tried: `json_schema` (strict), `json_object`
with the schema in the prompt, plain text with the schema in the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from linkmask.errors import BadAnswer, NoAnswer, Refused
from linkmask.llm.request import Request
from linkmask.llm.server_replies import content_of, json_in
from linkmask.llm.wire import Rejected

Format = Literal["schema", "object", "text"]
LOWER: dict[Format, Format] = {"schema": "object", "object": "text"}

ASKED = "\n\nAnswer with one JSON value that meets this JSON Schema, and with nothing else:\n"

PROBE = Request(
    messages=(("user", "Wish me a good morning."),),
    schema={
        "type": "object",
        "properties": {"word": {"type": "string", "enum": ["linkmask"]}},
        "required": ["word"],
        "additionalProperties": False,
    },
    name="probe/1",
    max_tokens=1024,
)
"""A model gives JSON of this form only if the server enforces it or the prompt asks for it."""

TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|exceed_context_size|maximum context|max_model_len"
    r"|prompt is too long|too many tokens|input is too long|exceeds? the available context",
    re.IGNORECASE,
)
FILTERED = re.compile(r"content_filter|content_policy|ResponsibleAIPolicy")
FORMAT = re.compile(r"response_format|json_schema|json_object|schema|grammar|structured", re.I)


class Dialect(msgspec.Struct, frozen=True):
    """How a server wants its requests: form of structured output, and names it knows."""

    format: Format = "schema"
    length: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True

    def lower(self) -> Dialect | None:
        """Return the dialect with the next form of structured output; None after the last."""
        below = LOWER.get(self.format)
        return msgspec.structs.replace(self, format=below) if below else None

    def without(self, message: str) -> Dialect | None:
        """Return the dialect without what an error message names; None if it names nothing."""
        if self.length == "max_tokens" and "max_completion_tokens" in message:
            return msgspec.structs.replace(self, length="max_completion_tokens")
        if self.temperature and "temperature" in message:
            return msgspec.structs.replace(self, temperature=False)
        if self.seed and re.search(r"\bseed\b", message):
            return msgspec.structs.replace(self, seed=False)
        return self.lower() if FORMAT.search(message) else None

    def body(
        self, model: str, request: Request, schema: bytes, temperature: float, seed: int
    ) -> bytes:
        """Return the JSON of a chat completion request. `schema`: the request's, encoded."""
        body: dict[str, Any] = {"model": model, self.length: request.max_tokens, "stream": False}
        messages = request.messages
        if self.temperature:
            body["temperature"] = temperature
        if self.seed:
            body["seed"] = seed
        if schema and self.format == "schema":
            form = {"name": "answer", "strict": True, "schema": msgspec.Raw(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif schema:
            messages = _asked_for(messages, schema.decode())
            if self.format == "object":
                body["response_format"] = {"type": "json_object"}
        body["messages"] = [{"role": role, "content": content} for role, content in messages]
        return json_bytes(body)


def _asked_for(messages: Sequence[tuple[str, str]], schema: str) -> tuple[tuple[str, str], ...]:
    """Add the schema to the end of the system message; one is added if there is none."""
    (role, content), *rest = messages
    if role == "system":
        return (role, content + ASKED + schema), *rest
    return ("system", (ASKED + schema).strip()), *messages


def json_bytes(value: Any) -> bytes:
    """Encode as JSON; what can't be (half a surrogate pair in a text) becomes U+FFFD."""
    try:
        return msgspec.json.encode(value)
    except UnicodeError:
        return msgspec.json.encode(_whole(value))


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    return [_whole(one) for one in value] if isinstance(value, list | tuple) else value


def find_dialect(send: Callable[[Dialect], dict[str, Any]]) -> Dialect:
    """Return the best dialect of a server. `send` posts the probe in a dialect.

    Raises:
        ModelError: the server does not even answer in plain text.
        Rejected: it won't have the probe in any form.
    """
    dialect = Dialect()
    while True:
        try:
            text, cut = content_of(send(dialect))
            if dialect.format == "text" or _kept(text, cut):
                return dialect
            worse = dialect.lower()
        except Rejected as rejected:
            if rejected.status == 404 or not (
                worse := dialect.without(rejected.message) or dialect.lower()
            ):
                raise
        except (NoAnswer, BadAnswer, Refused):  # one server answers 500 to a form it can't do
            worse = dialect.lower()
            if worse is None:
                raise
        assert worse is not None  # plain text returned, the others have one below
        dialect = worse


def _kept(text: str, cut: bool) -> bool:
    """Return whether the probe's answer has its form, or was cut off while the model reasoned."""
    try:
        return bool(json_in(text) == {"word": "linkmask"})
    except BadAnswer:
        return cut and not text.strip()


def window(get: Callable[[str], Any], base: str, model: str) -> int:
    """Return the tokens that a server's window for a model holds; 0 where it doesn't say.

    vLLM and llama.cpp say it in the list of models; Ollama, of a model that is loaded, and LM
    Studio at places of their own.
    """
    root = "{0.scheme}://{0.netloc}".format(urlsplit(base))
    models = _entries(get(f"{base}/models"), "data")
    own = [one for one in models if one.get("id") == model] or models
    if len(own) == 1:  # llama.cpp answers to any name
        meta = own[0].get("meta")
        length = own[0].get("max_model_len") or (isinstance(meta, dict) and meta.get("n_ctx"))
        if type(length) is int:
            return length
    for one in _entries(get(f"{root}/api/ps"), "models"):
        if one.get("name") in (model, f"{model}:latest"):
            length = one.get("context_length")
            return length if type(length) is int else 0
    for one in _entries(get(f"{root}/api/v0/models"), "data"):
        if one.get("id") == model:
            length = one.get("loaded_context_length")
            return length if type(length) is int else 0
    return 0


def _entries(reply: Any, name: str) -> list[dict[str, Any]]:
    entries = reply.get(name) if isinstance(reply, dict) else None
    return [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
