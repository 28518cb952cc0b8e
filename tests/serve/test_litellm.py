"""The real classes of LiteLLM against the service; skipped where litellm is not installed.

pip install litellm
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from linkmask.serve.running import IDLE
from serve.conftest import PATIENCE, TOKEN, serving
from serving import Scripted

litellm = pytest.importorskip("litellm")

MASTER = "sk-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
PROMPT = "😀 Write to Ms. Jane Okonkwo-Reyes at j.reyes@example.com."


def gateway(address: str, **given: Any) -> Any:
    """The gateway's guardrail, and its handler of chat requests."""
    from litellm.llms.openai.chat.guardrail_translation.handler import OpenAIChatCompletionsHandler
    from litellm.proxy.guardrails.guardrail_hooks.generic_guardrail_api import GenericGuardrailAPI

    guardrail = GenericGuardrailAPI(
        api_base=address,
        guardrail_name="linkmask",
        event_hook="pre_call",
        default_on=True,
        **given,
    )
    return guardrail, OpenAIChatCompletionsHandler()


def call(name: str) -> Any:
    return SimpleNamespace(litellm_call_id=name, litellm_trace_id=name, model_call_details={})


def request(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), "metadata": {}}


def answered(text: str) -> Any:
    """The answer of a scripted model."""
    from litellm.types.utils import Choices, Message, ModelResponse

    return ModelResponse(choices=[Choices(message=Message(role="assistant", content=text))])


async def conversation(address: str, **given: Any) -> tuple[str, str]:
    """Return what the model was asked, and what the user reads of its answer."""
    guardrail, handler = gateway(address, **given)
    data = request({"role": "system", "content": "Be kind."}, {"role": "user", "content": PROMPT})
    sent = await handler.process_input_messages(data, guardrail, call("c1"))
    prompt = sent["messages"][1]["content"]
    answer = answered(f"You asked: {prompt}")
    read = await handler.process_output_response(answer, guardrail, call("c1"))
    return prompt, read.choices[0].message.content


@pytest.mark.parametrize("tokens", [(), (TOKEN,)])
def test_names_are_masked_on_the_way_in_and_restored_on_the_way_out(tokens: Any) -> None:
    with serving(tokens=tokens) as client:
        key = {"api_key": TOKEN} if tokens else {}
        prompt, read = asyncio.run(conversation(str(client.base_url), **key))
    assert "Okonkwo" not in prompt and "example.com" not in prompt and "Write to" in prompt
    assert read == f"You asked: {PROMPT}"


def test_the_gateway_is_closed_when_the_service_is_down_or_refuses() -> None:
    with serving(tokens=(TOKEN,)) as client:
        address = str(client.base_url)
        with pytest.raises(Exception, match="Generic Guardrail API failed"):
            asyncio.run(conversation(address, api_key="wrong"))
    with pytest.raises(Exception, match="Generic Guardrail API failed"):
        asyncio.run(conversation(address, api_key=TOKEN))


def test_a_tool_call_with_a_value_is_blocked(detector: httpx.Client) -> None:
    from litellm.exceptions import GuardrailRaisedException

    function = {"name": "send", "arguments": json.dumps({"to": "Ms. Jane Okonkwo-Reyes"})}
    row = {"id": "1", "type": "function", "function": function}

    async def ask() -> None:
        guardrail, handler = gateway(str(detector.base_url))
        data = request({"role": "assistant", "content": None, "tool_calls": [row]})
        await handler.process_input_messages(data, guardrail, call("c2"))

    with pytest.raises(GuardrailRaisedException):
        asyncio.run(ask())


def test_its_presidio_guardrail_needs_but_another_address(detector: httpx.Client) -> None:
    """Both of its addresses are the service's; the classes are used as they are."""
    from litellm.proxy.guardrails.guardrail_hooks.presidio import _OPTIONAL_PresidioPIIMasking

    address = str(detector.base_url)

    async def masked(text: str) -> str:
        guardrail = _OPTIONAL_PresidioPIIMasking(
            presidio_analyzer_api_base=address, presidio_anonymizer_api_base=address
        )
        return str(
            await guardrail.check_pii(
                text=text, output_parse_pii=False, presidio_config=None, request_data={}
            )
        )

    assert asyncio.run(masked(PROMPT)) == "😀 Write to Ms. <PERSON> at <EMAIL_ADDRESS>."
    assert asyncio.run(masked("What is a deductible?")) == "What is a deductible?"


@pytest.mark.parametrize("size", [1, 5, 400])
def test_a_streamed_answer_is_restored_however_it_is_cut(detector: httpx.Client, size: int) -> None:
    """The gateway's own hook rewrites the stream; nothing that was sent is taken back."""
    pytest.importorskip("fastapi", reason="of litellm[proxy]")
    from litellm.proxy._types import UserAPIKeyAuth
    from litellm.proxy.guardrails.guardrail_hooks.unified_guardrail.unified_guardrail import (
        UnifiedLLMGuardrails,
    )
    from litellm.types.utils import Delta, ModelResponseStream, StreamingChoices

    async def pieces(text: str) -> Any:
        for at in range(0, len(text), size):
            delta = Delta(content=text[at : at + size], role="assistant")
            yield ModelResponseStream(choices=[StreamingChoices(delta=delta, index=0)])
        end = StreamingChoices(delta=Delta(content=None), index=0, finish_reason="stop")
        yield ModelResponseStream(choices=[end])

    async def read() -> tuple[str, str]:
        guardrail, handler = gateway(
            str(detector.base_url),
            streaming_transform_mode="incremental_diff",
            streaming_sampling_rate=1,
        )
        guardrail.event_hook = ["pre_call", "post_call"]
        data = request({"role": "user", "content": PROMPT})
        sent = await handler.process_input_messages(data, guardrail, call("c3"))
        answer = f"You asked: {sent['messages'][0]['content']} Is that [all]?"
        user = UserAPIKeyAuth(request_route="/chat/completions")
        shown = ""
        async for chunk in UnifiedLLMGuardrails().async_post_call_streaming_iterator_hook(
            user, pieces(answer), {**data, "litellm_logging_obj": call("c3")}, guardrail
        ):
            shown += "".join(one.delta.content or "" for one in chunk.choices)
        return answer, shown

    answer, shown = asyncio.run(read())
    assert "Okonkwo" not in answer
    assert shown == f"You asked: {PROMPT} Is that [all]?"


@contextmanager
def proxy(folder: Path, config: dict[str, Any]) -> Iterator[str]:
    """The real proxy with a configuration, at its address."""
    (folder / "config.yaml").write_text(json.dumps(config))  # JSON is YAML
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [sys.executable, "-c", "from litellm import run_server; run_server()"]
    line += ["--config", str(folder / "config.yaml"), "--port", str(port), "--host", "127.0.0.1"]
    local = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": MASTER}
    process = subprocess.Popen(
        line, env={**os.environ, **local}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(1200):
            with suppress(httpx.HTTPError):
                if httpx.get(f"{address}/health/liveliness", trust_env=False).status_code == 200:
                    break
            assert process.poll() is None, process.communicate()[0].decode()[-2000:]
            sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def test_the_service_keeps_connections_longer_than_the_gateway() -> None:
    """Otherwise a request may meet a connection that is just being closed, and be blocked."""
    from litellm.constants import AIOHTTP_KEEPALIVE_TIMEOUT

    assert IDLE > AIOHTTP_KEEPALIVE_TIMEOUT


def test_the_proxy_masks_and_restores_and_is_closed_when_the_service_is_down(
    tmp_path: Path,
) -> None:
    """The whole way: a client, the real proxy, the service, a scripted model behind them."""
    pytest.importorskip("fastapi", reason="of litellm[proxy]")
    body = {"model": "m", "messages": [{"role": "user", "content": PROMPT}]}
    key = {"Authorization": f"Bearer {MASTER}"}
    with ExitStack() as stack:
        model = stack.enter_context(
            Scripted(lambda request: f"Re: {request['messages'][-1]['content']}")
        )
        service = ExitStack()
        client = service.enter_context(serving(tokens=(TOKEN,)))
        guard = {
            "guardrail": "generic_guardrail_api",
            "mode": ["pre_call", "post_call"],
            "default_on": True,
            "api_base": str(client.base_url),
            "api_key": TOKEN,
        }
        behind = {"model": "openai/m", "api_key": "none", "api_base": model.url}
        config = {
            "model_list": [{"model_name": "m", "litellm_params": behind}],
            "guardrails": [{"guardrail_name": "linkmask", "litellm_params": guard}],
        }
        with service:
            address = stack.enter_context(proxy(tmp_path, config))
            ask = partial(
                httpx.post, f"{address}/chat/completions", json=body, headers=key, timeout=PATIENCE
            )
            said = ask()
            assert said.status_code == 200, said.text
            assert said.json()["choices"][0]["message"]["content"] == f"Re: {PROMPT}"
        closed = ask()
        assert closed.status_code >= 400
        (seen,) = model.seen
    assert "Okonkwo" not in json.dumps(seen) and "example.com" not in json.dumps(seen)
