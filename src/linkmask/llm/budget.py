"""Counts how many requests and tokens a run may still spend."""

from __future__ import annotations

import re
from threading import Condition

from linkmask.errors import BudgetSpent, SettingsError

FORM = re.compile(r"(\d{1,15}(?:\.\d{1,6})?) ?([kM]?) ?(tok|tokens)?")
TIMES = {"": 1, "k": 1_000, "M": 1_000_000}


def parse(text: str) -> dict[str, int]:
    """Turn `5000` or `5k` (requests), `200ktok` or `2Mtok` (tokens) into settings.

    Raises:
        SettingsError: it is neither.
    """
    found = FORM.fullmatch(text.strip())
    number = round(float(found[1]) * TIMES[found[2]]) if found else 0
    if found is None or number < 1:
        raise SettingsError(
            f"a budget is requests, such as 5000, or tokens, such as 200ktok; not {text!r}"
        )
    return {"llm_budget_tokens" if found[3] else "llm_budget_requests": number}


class RequestBudget:
    """Requests and tokens to spend; 0: no limit. Any thread may ask.

    A request reserves the most that it can cost, and returns the rest when it is answered. It waits
    while other requests hold what it would need. So the limit is never passed, and which requests
    are refused does not depend on the speed of others.
    """

    def __init__(self, requests: int = 0, tokens: int = 0) -> None:
        self._limits = (requests, tokens)
        self._requests = self._tokens = self._held = 0
        self._changed = Condition()

    def reserve(self, tokens: int) -> None:
        """Reserve a request of at most this many tokens.

        Raises:
            BudgetSpent: it would pass a limit.
        """
        requests, most = self._limits
        with self._changed:
            if requests and self._requests >= requests:
                raise BudgetSpent(
                    f"the budget of {requests:,} requests is spent: run again to go on from here"
                )
            while most and self._tokens + self._held + tokens > most:
                if not self._held:
                    raise BudgetSpent(
                        f"the budget of {most:,} tokens is spent: run again to go on from here"
                    )
                self._changed.wait()
            self._requests += 1
            self._held += tokens

    def refund(self, reserved: int, spent: int) -> None:
        """End a reservation, and count what was spent of it."""
        with self._changed:
            self._held -= reserved
            self._tokens += spent
            self._changed.notify_all()
