"""Counts requests and durations for Prometheus; the counts hold no value."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histogram of durations, in seconds."""


class Metrics:
    """What was answered since the start, by route and status; what was found, by type."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._texts = 0
        self._spans: Counter[str] = Counter()

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._answers[route, status] += 1
        self._buckets[route, bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment] # a Counter of floats

    def worked(self, texts: int, types: Iterator[str]) -> None:
        """Count texts and the types of what was found in them."""
        self._texts += texts
        self._spans.update(types)

    def page(self, under_way: int) -> str:
        """Return all counts in Prometheus's text format."""
        return "\n".join(self._lines(under_way)) + "\n"

    def _lines(self, under_way: int) -> Iterator[str]:
        yield "# TYPE linkmask_requests_total counter"
        for (route, status), n in sorted(self._answers.items()):
            yield f'linkmask_requests_total{{route="{route}",status="{status}"}} {n}'
        yield "# TYPE linkmask_request_seconds histogram"
        for route in sorted(self._seconds):
            total = 0
            for number, bound in enumerate((*BUCKETS, "+Inf")):
                total += self._buckets[route, number]
                yield f'linkmask_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'linkmask_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'linkmask_request_seconds_count{{route="{route}"}} {total}'
        yield "# TYPE linkmask_texts_total counter"
        yield f"linkmask_texts_total {self._texts}"
        yield "# TYPE linkmask_spans_total counter"
        for name, n in sorted(self._spans.items()):
            yield f'linkmask_spans_total{{type="{name}"}} {n}'
        yield "# TYPE linkmask_under_way gauge"
        yield f"linkmask_under_way {under_way}"
