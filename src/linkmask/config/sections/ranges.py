"""Ranges of numbers that several sections use."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Unit = Annotated[float, Meta(ge=0.0, le=1.0)]
Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
