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
    """Environment variable that holds the server's key. If empty, no key is sent."""
    llm_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.01
    """Sampling temperature of the model. The thesis uses 0.01."""
    llm_seed: int = 0
    """Seed that is sent with each request. The second attempt uses the next number."""
    llm_max_tokens: Positive = 4096
    """Longest answer in tokens, including the model's reasoning."""
    llm_context: Annotated[int, Meta(ge=512, le=10_000_000)] = 8192
    """Context window of the model in tokens, including the answer. A longer document is read in
    several windows, none of which exceeds it."""
    llm_timeout: Annotated[float, Meta(ge=0.1, le=86_400)] = 300.0
    """Maximum number of seconds for one answer."""
    llm_retries: Count = 4
    """Largest number of further attempts after the server has failed. After an answer that cannot
    be used, there are at most two."""
    llm_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    """Maximum number of requests at the same time."""
    llm_budget_requests: Count = 0
    """Largest number of requests in one run. After these, the run stops and can be resumed. 0 means
    no limit."""
    llm_budget_tokens: Count = 0
    """Largest number of tokens in one run, sent and received. After these, the run stops and can be
    resumed. 0 means no limit."""
    llm_cache: str = ""
    """Private file that keeps answers. If empty, it is `linkmask/llm.sqlite` in the user's cache
    folder."""
    llm_proxies: bool = False
    """Use the proxies that the environment names."""
    llm_window: Annotated[int, Meta(ge=64, le=1_000_000)] = 2000
    """Largest number of tokens of text in one request. It is small, because models miss values in
    long texts."""
    llm_overlap: Annotated[int, Meta(ge=0, le=1000)] = 100
    """Tokens that two windows of a long document share."""
    llm_lowercase: bool = False
    """Send the text to the model in lower case, as the thesis does."""
    llm_dates: Literal["iso", "dmy"] = "iso"
    """Form in which the model writes dates. `iso`: 2024-03-12. `dmy`: 12/03/2024, as in the
    thesis."""
    llm_existing: Literal["near", "corpus"] = "near"
    """Which values of other documents the model reads in stage 2. `near`: those that share words
    with the document. `corpus`: all that pass the filters, as in the thesis."""
    llm_failed: Literal["set_aside", "embedded"] = "set_aside"
    """What happens to a document for which the model gives no answer. `embedded`, with detector
    `embedded+llm`: it is processed with the values of `embedded` alone, and the report says so."""
    llm_doubted: Literal["set_aside", "release"] = "set_aside"
    """What detector `llm` does with a document in which the model found far less than the patterns.
    Detector `embedded+llm` always releases it, and lists it for review."""
