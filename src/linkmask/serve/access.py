"""Admits requests by token, or by the address at which a service without tokens listens."""

from __future__ import annotations

import ipaddress
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

from linkmask.errors import UsageError

FEWEST = 16
"""Characters of a token, at least: shorter ones can be tried out."""
LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))
"""Names of this machine in a request to a service without tokens. A web page whose own name points
here (DNS rebinding) sends another name."""

REFUSED_KEY = "A token is missing or wrong"
REFUSED_HOST = "Without tokens, only requests to localhost are answered; Host names another machine"


def read_tokens(file: Path | None, variable: str) -> list[str]:
    """Return the tokens of a file, one a line, and that of an environment variable's content.

    Raises:
        UsageError: the file can't be read, or a token is too short.
    """
    lines = [variable]
    if file is not None:
        try:
            lines += file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            raise UsageError(f"can't read the tokens in {file}") from None
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if file is not None and not tokens:
        raise UsageError(f"{file} holds no token: write one a line")
    if any(len(token) < FEWEST for token in tokens):
        raise UsageError(
            f"a token has at least {FEWEST} characters; make one: openssl rand -hex 24"
        )
    return tokens


def is_loopback(host: str) -> bool:
    """Tell whether an address reaches this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class TokenGate:
    """Lets requests in that bring a token; without tokens, those that name this machine."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._digests = [_digest(token) for token in tokens]
        self.refusal = REFUSED_KEY if self._digests else REFUSED_HOST

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Tell whether a request may be answered, by its headers (names in small letters)."""
        if not self._digests:
            return _host(headers.get("host", "")) in LOCAL
        admitted = False
        for one in _given(headers):
            for digest in self._digests:  # all of them: the time tells nothing
                admitted |= compare_digest(_digest(one), digest)
        return admitted


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogateescape")).digest()


def _host(value: str) -> str:
    """Return the name in a Host header without its port."""
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.partition(":")[0].lower()


def _given(headers: Mapping[str, str]) -> Iterator[str]:
    """Yield what a request brings as its token: `x-api-key`, Bearer, or Basic's name or password.

    LiteLLM sends Basic for an address such as http://x:TOKEN@host.
    """
    if key := headers.get("x-api-key"):
        yield key
    scheme, _, value = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        yield value.strip()
    elif scheme.lower() == "basic":
        try:
            name, _, password = b64decode(value, validate=True).decode().partition(":")
        except ValueError:
            return
        yield from (part for part in (password, name) if part)
