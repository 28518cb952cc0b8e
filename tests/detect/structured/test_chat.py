"""Speakers of a chat: names of one's own choice, told from roles, keys and measures."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.structured.chat import writers
from linkmask.detect.structured.fields import find


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


@pytest.mark.parametrize(
    "text", ["@zavalaj : Just got off the bus\n", "@r.lund: hello\n", "@zavalaj : a single line"]
)
def test_the_author_of_a_post_is_found_by_the_sign_of_user_names(text):
    assert speakers(text) == [text.split(":")[0].strip()]


@pytest.mark.parametrize("text", ["@support : hello\n", "meet @zavalaj there"])
def test_a_desk_or_somebody_who_is_spoken_of_is_no_author(text):
    assert speakers(text) == []


STAMPED = """12/08/2025, 18:02 - Auntie Wunmi: how is the leg
12/08/2025, 18:05 - Zadie A.: much better, thanks
12/08/2025, 18:06 - Auntie Wunmi: good
12/08/2025, 18:07 - Zadie A.: see you"""


def test_who_speaks_twice_with_a_time_is_a_person() -> None:
    """Names before the turns of an exported chat are found, be they in no list."""
    found = {STAMPED[one.start : one.end] for one in writers(STAMPED)}
    assert found == {"Auntie Wunmi", "Zadie A."}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\nkleeblatt_71 schrieb am 04.11.2025, 22:17\nHallo", "kleeblatt_71"),
        ("\nnonno_gino ha scritto:\nCara", "nonno_gino"),
        ("> Le 3 nov. 2025 à 16:02, Trésor Mbala a écrit :", "Trésor Mbala"),
    ],
)
def test_who_wrote_a_message_is_a_person(text: str, name: str) -> None:
    """The verb behind a name in a thread tells that it is one."""
    assert name in [text[one.start : one.end] for one in writers(text)]


@pytest.mark.parametrize(
    "text",
    [
        "10:01 Error: full\n10:02 Warning: on\n10:03 Error: full\n10:04 Warning: on",
        "10:01 Agent: hello\n10:02 Customer: hi\n10:03 Agent: yes\n10:04 Customer: bye",
        "She wrote: stay at home",
    ],
)
def test_levels_offices_and_pronouns_write_nothing(text: str) -> None:
    """What is an office, a level of a log or a word of the language is no speaker's name."""
    assert list(writers(text)) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nutzer: schrauber_kalle (dabei seit 2014)", ["schrauber_kalle"]),
        ("Nachricht von: kleeblatt71\nHallo", ["kleeblatt71"]),
    ],
)
def test_a_label_tells_a_user_name(text: str, names: list[str]) -> None:
    """What a label calls a user's name is found."""
    found = {text[one.start : one.end] for one in find(text, Scope())}
    assert found == {*names}


def test_a_label_of_a_users_name_does_not_make_any_word_one() -> None:
    """A word of the language behind such a label, and an office spoken of once, name nobody."""
    text = "Login: required\nUser: admin_1\nAgent Smart: a plan for agents"
    assert list(writers(text)) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("moss_07 — Today at 9:02\nhi\nDusk — Yesterday at 21:05\nok", {"moss_07", "Dusk"}),
        ("Rain, Dune 9:02\nhi\nRoth, Anna 9:05\nok", {"Rain, Dune", "Roth, Anna"}),
        ("[05.04.23, 20:11:02] Dusk: hi\n[05.04.23, 20:12:40] ~ Fog: ok", {"Dusk", "Fog"}),
        ("05/04/2023, 20:11 - Dusk 🌧: hi\n05/04/2023, 20:12 - Fog: ok", {"Dusk", "Fog"}),
        ("[3/4/2024 9:21 AM] Rain, Dune:\nhi\n[3/4/2024 9:24 AM] Fog:\nok", {"Rain, Dune", "Fog"}),
        ("[09:14] <dusk> hi\n[09:15] <@fog> ok", {"dusk", "fog"}),
        ("9:14 * dusk sighs\n9:15 -!- fog has quit", {"dusk", "fog"}),
        ("14:02 anna: hi\n14:03 counsellor: yes\n14:05 dusk: ok", {"anna", "dusk"}),
    ],
    ids=[
        "Discord",
        "names behind commas",
        "WhatsApp",
        "WhatsApp 2",
        "Teams",
        "IRC",
        "acts",
        "times",
    ],
)
def test_all_speakers_of_an_exported_chat_count_be_they_words(text: str, names: set[str]) -> None:
    assert {text[one.start : one.end] for one in writers(text)} == names


@pytest.mark.parametrize(
    "text",
    [
        "Breakfast — Today at 8:00\nHall\nLunch — Today at 12:00",
        "[2024-03-01 10:02:11] Error: full\n[2024-03-01 10:02:12] Index: rebuilt",
        "14:01 database: up\n14:02 cache: up\n14:03 database: down",
        "Tue, May 9:00\nWed, May 9:30",
        "05/04/2023, 20:11 - support: hi",
    ],
    ids=["a programme", "a log", "services", "days", "once"],
)
def test_a_time_alone_makes_nobody_a_speaker(text: str) -> None:
    assert list(writers(text)) == []
