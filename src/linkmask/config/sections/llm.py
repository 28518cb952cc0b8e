"""Settings of `[llm]`: the server of a language model, its windows and budgets."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from linkmask.config.sections.ranges import Count, Positive
from linkmask.config.sections.redact import RedactSettings


class LlmSettings(RedactSettings, frozen=True, kw_only=True):
    """All settings up to those of `[llm]`."""

    llm_url: str = ""
    """Address of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`."""
    llm_model: str = ""
    """Name of the model on the server."""
    llm_key_env: str = ""
    """Environment variable with the server's key. If empty, none is sent."""
    llm_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.01
    """Sampling temperature."""
    llm_seed: int = 0
    """Seed of the first attempt; the next one uses the next number."""
    llm_max_tokens: Positive = 4096
    """Longest answer in tokens, including the model's reasoning."""
    llm_context: Annotated[int, Meta(ge=512, le=10_000_000)] = 8192
    """Context window in tokens, including the answer."""
    llm_timeout: Annotated[float, Meta(ge=0.1, le=86_400)] = 300.0
    """Seconds for one answer."""
    llm_retries: Count = 4
    """Further attempts after the server failed."""
    llm_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    """Largest number of requests at the same time."""
    llm_budget_requests: Count = 0
    """Largest number of requests. 0 means no limit."""
    llm_budget_tokens: Count = 0
    """Largest number of tokens, sent and received. 0 means no limit."""
    llm_cache: str = ""
    """Private file of answers. If empty, it is `linkmask/llm.sqlite` in your cache folder."""
    llm_proxies: bool = False
    """Use the proxies that the environment names."""
    llm_window: Annotated[int, Meta(ge=64, le=1_000_000)] = 2000
    """Largest number of tokens of text in one request; a longer document is read in windows."""
    llm_overlap: Annotated[int, Meta(ge=0, le=1000)] = 100
    """Tokens that two windows share."""
    llm_lowercase: bool = False
    """Send the text in lower case."""
    llm_dates: Literal["iso", "dmy"] = "iso"
    """Form in which the model writes dates: 2024-03-12, or 12/03/2024."""
    llm_existing: Literal["near", "corpus"] = "near"
    """Which values of other documents the model is [shown](detectors.md#with-a-language-model):
    those that share words with the document, or all."""
    llm_failed: Literal["set_aside", "embedded"] = "set_aside"
    """What happens to a document for which the model gives no answer: it is not released
    (`set_aside`), or it is masked by what `embedded` finds, and reported (`embedded`; needs
    `embedded+llm`)."""
    llm_doubted: Literal["set_aside", "release"] = "set_aside"
    """What detector `llm` does with a document in which the model found [far less than the
    rules](detectors.md#with-a-language-model)."""
