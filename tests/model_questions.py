"""Questions for a scripted model server, and a clock that only waiting moves."""

from __future__ import annotations

from typing import Any

from linkmask.llm.request import Request

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 0}},
    "required": ["n"],
    "additionalProperties": False,
}
SECRET = "Zebulon Quist"


def question(text: str = "how many?", schema: Any = SCHEMA, name: str = "count/1") -> Request:
    return Request((("system", "Count."), ("user", text)), schema, name, 100)


class Clock:
    """Time that passes only where somebody sleeps; `slept` holds for how long."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def numbered(request: dict[str, Any]) -> Any:
    """Answer with the last word of the question."""
    return {"n": int(request["messages"][-1]["content"].split()[-1])}
