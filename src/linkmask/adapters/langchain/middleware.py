"""Guards an agent of LangChain, so that its model never sees an original."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage

from linkmask.adapters.langchain.messages import masked, unmasked
from linkmask.adapters.masking import RunMasker


class LinkmaskMiddleware(AgentMiddleware):
    """Masks all that an agent's model is sent, and puts originals into the last answer.

    Give it last in the list of middleware, so that it is nearest to the model. The messages of the
    state are masked when the agent starts, each request is masked again before it is sent, and so
    are the results of tools. Streamed tokens hold masks, not originals.

    Args:
        run: the run's folder, the folder that it wrote to, or the opened run.
        unmask: whether the last answer gets its originals; the state keeps it so.
        unmask_tools: names of tools that are called with originals, such as one that asks a system
            of records. All others are called with masks.
        options: those of `linkmask.adapters.masking.RunMasker`.

    Raises:
        RunError: originals are asked for, and the run has no vault.
    """

    def __init__(
        self,
        run: Any,
        *,
        unmask: bool = True,
        unmask_tools: Collection[str] = (),
        **options: Any,
    ) -> None:
        super().__init__()
        self._by = RunMasker(run, **options)
        self._unmask, self._unmask_tools = unmask, frozenset(unmask_tools)
        if unmask or unmask_tools:
            self._by.check_originals()

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Mask the messages that the agent starts with."""
        messages = state["messages"]
        new = masked(self._by, messages)
        changed = [now for was, now in zip(messages, new, strict=True) if now is not was]
        return {"messages": changed} if changed else None

    def wrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]
    ) -> ModelResponse:
        """Call the model with masked messages."""
        return handler(self._request(request))

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> ModelResponse:
        """Call the model with masked messages."""
        return await handler(await asyncio.to_thread(self._request, request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[..., Any]) -> Any:
        """Call a tool, with originals if it is one of `unmask_tools`, and mask its result."""
        return self._result(handler(self._call(request)))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[..., Awaitable[Any]]
    ) -> Any:
        """Call a tool, with originals if it is one of `unmask_tools`, and mask its result."""
        result = await handler(await asyncio.to_thread(self._call, request))
        return await asyncio.to_thread(self._result, result)

    def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Put originals into the last answer."""
        last = state["messages"][-1] if state["messages"] else None
        if not self._unmask or not isinstance(last, AIMessage):
            return None
        return {"messages": unmasked(self._by, [last])}

    def _request(self, request: ModelRequest) -> ModelRequest:
        changed: dict[str, Any] = {"messages": masked(self._by, request.messages)}
        if request.system_message is not None:
            changed["system_message"] = masked(self._by, [request.system_message])[0]
        return request.override(**changed)

    def _call(self, request: ToolCallRequest) -> ToolCallRequest:
        call = request.tool_call
        if call["name"] not in self._unmask_tools:
            return request
        return request.override(tool_call={**call, "args": self._by.answer(call["args"])})

    def _result(self, result: Any) -> Any:
        return masked(self._by, [result])[0] if isinstance(result, ToolMessage) else result
