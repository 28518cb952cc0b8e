"""Masks LangChain's messages on their way to a model, and restores originals on their way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import Runnable, RunnableLambda

from linkmask.adapters.masking import RunMasker
from linkmask.errors import InputError

TEXTS = frozenset(
    "text plaintext reasoning thinking tool_call tool_use tool_call_chunk tool_result "
    "invalid_tool_call server_tool_call server_tool_result".split()
)
"""Kinds of content blocks that hold text alone."""
KEPT = ("type", "id", "name", "index", "signature", "tool_use_id", "tool_call_id")
"""Keys of content blocks whose values are the model's own, not words."""
FIELDS = ("tool_calls", "invalid_tool_calls", "additional_kwargs")
"""Fields of messages that hold words, beside their content."""


def mask_question(run: Any, **options: Any) -> Runnable[Any, Any]:
    """Return a runnable that masks a question: a text, a message, a prompt, or a list of messages.

    The arguments and errors are those of `linkmask.adapters.masking.RunMasker`. Content that is not
    text (a picture, a file) can't be masked, and is an `InputError`.
    """
    return RunnableLambda(partial(_each, partial(masked, RunMasker(run, **options))), name="mask")


def unmask_answer(run: Any, **options: Any) -> Runnable[Any, Any]:
    """Return a runnable that puts originals into an answer: a text or a message.

    It waits for the whole answer: a mask may be cut in two by the parts of a stream.

    Raises:
        RunError: the run has no vault.
    """
    by = RunMasker(run, **options)
    by.check_originals()
    return RunnableLambda(partial(_each, partial(unmasked, by)), name="unmask")


def masked(masker: RunMasker, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return messages with all their words masked; those without a mask are the same objects.

    Raises:
        InputError: one holds content that can't be masked.
    """
    for message in messages:
        _check(message)
    made = masker.parts([_words(message) for message in messages])
    return [_with(old, *new) for old, new in zip(messages, made, strict=True)]


def unmasked(masker: RunMasker, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return messages with the originals in their content."""
    return [
        message.model_copy(update={"content": masker.answer(message.content)})
        for message in messages
    ]


def _each(change: Callable[[Sequence[BaseMessage]], list[BaseMessage]], value: Any) -> Any:
    """Change a text, a message, a prompt, or a list of messages."""
    if isinstance(value, str):
        return change([BaseMessage(content=value, type="text")])[0].content
    if isinstance(value, BaseMessage):
        return change([value])[0]
    if isinstance(value, PromptValue):
        return change(value.to_messages())
    if isinstance(value, list) and all(isinstance(one, BaseMessage) for one in value):
        return change(value)
    raise InputError(f"{type(value).__name__} is no text, message, prompt or list of messages")


def _check(message: BaseMessage) -> None:
    """Check that the content of a message is text.

    Raises:
        InputError: it holds something else, such as a picture.
    """
    for block in message.content if isinstance(message.content, list) else ():
        if isinstance(block, Mapping) and block.get("type") not in TEXTS:
            raise InputError(f"content of type {block.get('type')!r} can't be masked: leave it out")


def _words(message: BaseMessage) -> tuple[str, dict[str, Any]]:
    """Return the text of a message and its other fields that hold words."""
    fields = {name: held for name in FIELDS if (held := getattr(message, name, None))}
    if message.name and not isinstance(message, ToolMessage):
        fields["name"] = message.name
    if isinstance(message.content, str):
        return message.content, fields
    return "", {**fields, "content": message.content}


def _with(message: BaseMessage, text: str, fields: Mapping[str, Any]) -> BaseMessage:
    """Return a message with the given text and fields; the same object if they are equal."""
    new = {name: _kept(getattr(message, name), held) for name, held in fields.items()}
    new.setdefault("content", text)
    changed = {name: held for name, held in new.items() if held != getattr(message, name)}
    if "name" in changed:
        changed["name"] = None  # a mask is no name that a model's server takes
    return message.model_copy(update=changed) if changed else message


def _kept(old: Any, new: Any) -> Any:
    """Return changed blocks, with the values of the old ones that are not words."""
    if isinstance(old, Mapping) and "type" in old:
        own = {key: old[key] for key in KEPT if key in old}
        return {**{key: _kept(old.get(key), held) for key, held in new.items()}, **own}
    if isinstance(old, list | tuple):
        return [_kept(a, b) for a, b in zip(old, new, strict=True)]
    return new
