"""The page of counts adds up as Prometheus reads it."""

from __future__ import annotations

import math

from linkmask.serve.metrics import BUCKETS, Metrics


def test_a_bucket_counts_all_answers_up_to_its_bound() -> None:
    metrics = Metrics()
    seconds = [0.005, 0.006, 0.3, 10.0, 11.0]
    for one in seconds:
        metrics.answered("/v1/mask", 200, one)
    page = metrics.page(under_way=2).splitlines()
    for bound in (*BUCKETS, math.inf):
        name = "+Inf" if bound == math.inf else bound
        count = sum(one <= bound for one in seconds)
        row = f'linkmask_request_seconds_bucket{{route="/v1/mask",le="{name}"}} {count}'
        assert row in page
    assert 'linkmask_request_seconds_count{route="/v1/mask"} 5' in page
    assert 'linkmask_request_seconds_sum{route="/v1/mask"} 21.311000' in page
    assert "linkmask_under_way 2" in page
