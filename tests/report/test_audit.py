"""The audit: numbers under their keys, and nothing claimed that is not proven."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkmask.records import PlanSize
from linkmask.report.stored_plan import plan_table


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (PlanSize(11, 0, False, "cover"), None),
        (PlanSize(11, 9, False, "exact"), 9),
        (PlanSize(11, 11, True, "exact"), 11),
        (PlanSize(0, 0, True, "cover"), 0),
    ],
)
def test_a_bound_that_is_not_proven_is_null(small, size, said):
    plan = replace(small.plan, size=size)
    for table in (
        replace(small, plan=plan).audit().masked,
        plan_table(small.incidence, plan, {}),
    ):
        assert table["size"] == {
            "masked": size.masked,
            "lower_bound": said,
            "proven": size.proven,
            "solver": size.solver,
        }


def test_chains_of_before_are_counted_where_their_risk_is_gone(small):
    state = small.audit().risk["after"]
    assert (state["chains_gone"], state["chains_lowest"], state["chains_highest"]) == (
        0, pytest.approx(0.1163, abs=2e-4), pytest.approx(0.1163, abs=2e-4),
    )  # fmt: skip
    gone = replace(small.after, chains=replace(small.after.chains, risk=np.zeros(1)))
    state = replace(small, after=gone).audit().risk["after"]
    assert (state["chains_gone"], state["chains_lowest"], state["chains_highest"]) == (
        1,
        None,
        None,
    )


def test_nothing_is_said_about_chains_that_were_not_listed(small):
    some = replace(small.after, chains=replace(small.after.chains, complete=False))
    assert replace(small, after=some).audit().risk["after"]["chains_gone"] is None
