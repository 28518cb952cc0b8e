"""Speakers of a chat: names of one's own choice, told from roles, keys and measures."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.fields import find


def speakers(text):
    return [text[f.start : f.end] for f in find(text, Scope()) if f.rule == "speaker"]


@pytest.mark.parametrize(
    "text",
    [
        "[09:02] lena_84: hello\n[09:03] agent: yes\n",
        "lena_84: hello\nagent: yes\nlena_84: my card\n",
        "lena_84 > hello\nbot > yes\nlena_84 > my card\n",
        "lena_84 10:14 AM\n  hello\nRep 10:15 AM\n  yes\n",
        "(12/03/24, 09:02) lena_84: hello\n",
        "LenaMarlow: hello\nagent: yes\nLenaMarlow: my card\n",
    ],
)
def test_a_time_or_a_second_turn_tells_who_speaks(text):
    assert set(speakers(text)) in ({"lena_84"}, {"LenaMarlow"})


@pytest.mark.parametrize(
    "text",
    [
        "lena_84: once\n",
        "[09:02] agent_2: hello\n[09:03] support_team: yes\n",
        "max_claims: 3\nmax_claims: 5\nclaim_id: 4\nclaim_id: 5\n",
        "hba1c: 7.2 high\nhba1c: 6.9 low\nfev1: 41\nfev1: 44\n",
        "L4-L5: bulge\nL4-L5: bulge\n",
        "PlanType: A\nPlanType: B\nclaimDate: 4\nclaimDate: 5\n",
    ],
)
def test_roles_keys_and_measures_are_nobody_s_name(text):
    assert speakers(text) == []


def test_who_speaks_once_is_a_speaker_where_another_speaks_twice():
    text = "lena_84: hello\nsuresh.k: yes\nlena_84: my card\n"
    assert speakers(text) == ["lena_84", "lena_84", "suresh.k"]


@pytest.mark.parametrize("text", ["@zavalaj : Just got off the bus\n", "@r.lund: hello\n"])
def test_the_author_of_a_post_is_found_by_the_sign_of_user_names(text):
    assert speakers(text) == [text.split(":")[0].strip()]


@pytest.mark.parametrize("text", ["@support : hello\n", "meet @zavalaj there"])
def test_a_desk_or_somebody_who_is_spoken_of_is_no_author(text):
    assert speakers(text) == []
