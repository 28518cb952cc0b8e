"""Reads what a form sends, and refuses what it can't have sent."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request

from linkmask.errors import UsageError


class Form:
    """What was sent: names with one value or more."""

    def __init__(self, given: dict[str, list[str]]) -> None:
        self._given = given

    @classmethod
    async def of(cls, request: Request) -> Form:
        """Read the form of a request.

        Raises:
            UsageError: it is no form.
        """
        try:
            text = (await request.body()).decode()
            return cls(parse_qs(text, keep_blank_values=True, max_num_fields=5_000))
        except ValueError:
            raise UsageError("the form can't be read, or names more than 5,000 values") from None

    def text(self, name: str) -> str:
        """Return the last value of a name, or ""."""
        return self._given.get(name, [""])[-1]

    def all(self, name: str) -> list[str]:
        """Return all values of a name."""
        return self._given.get(name, [])

    def chose(self, name: str, value: object) -> bool:
        """Tell whether a value of a name was sent."""
        return str(value) in self.all(name)

    def number(self, name: str) -> int:
        """Return a whole number from 0 on.

        Raises:
            UsageError: it is none.
        """
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) < 12):
            raise UsageError(f"{name} must be a number")
        return int(text)

    def back(self) -> str:
        """Return the page to go back to: one of ours, or the first."""
        given = self.text("back")
        ours = given.startswith("/") and not given.startswith("//") and given.isprintable()
        return given if ours and "\\" not in given else "/"


def share_or_usual(text: str, usual: float) -> float:
    """Read a number in [0, 1]; anything else is the usual one."""
    try:
        number = float(text)
    except ValueError:
        return usual
    return number if 0 <= number <= 1 else usual
