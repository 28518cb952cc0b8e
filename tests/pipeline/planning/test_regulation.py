"""Policies at work on a corpus: floors, techniques, escalation, and tries that repair a leak."""

import re
from datetime import date
from pathlib import Path

import pytest

import linkmask
from linkmask import detect, policy
from linkmask.choices import STRICTNESS
from linkmask.errors import SettingsError
from linkmask.pipeline.planning.regulation import style_of
from linkmask.records import Mention, Why
from linkmask.redact.styles import STYLES

LETTER = (
    "Martha Quill, born 12 March 1951, of 14 Elm Street, Denver, CO 80203, was treated on "
    "14 May 2024 for asthma."
)
MEMO = "Martha Quill called on 3 June 2024. She is 73 years old."


def masked(texts: list[str], **given: object) -> list[str]:
    """Mask texts under settings and return them."""
    result = linkmask.mask(texts, linkmask.load(overrides=given, environment={}))
    assert result.set_aside == []
    return [one.content for one in result.documents]


def test_every_technique_of_a_policy_is_a_style() -> None:
    """What a table may name can be carried out."""
    assert {style_of(t) for t in STRICTNESS} - {"keep"} <= STYLES.keys()


def test_what_a_policy_demands_is_done_whatever_the_risk() -> None:
    """HIPAA: no name, the year of a date, the state of an address; a common condition stays."""
    letter, memo = masked([LETTER, MEMO], policy="hipaa")
    assert letter == ("[REDACTED], born 1951, of Colorado, was treated in 2024 for asthma.")
    assert memo == "[REDACTED] called in 2024. She is 73 years old."


def test_the_limits_of_a_policy_hold_where_they_are_stricter() -> None:
    """Expert Determination asks for limits; who set stricter ones keeps them."""
    for given, held in ((0.9, 0.3), (0.1, 0.1)):
        settings = linkmask.load(
            overrides={"policy": "hipaa-expert", "theta_chain": given}, environment={}
        )
        assert linkmask.mask([MEMO], settings).audit.risk["limits"]["theta_chain"] == held


def test_two_policies_of_one_name_are_refused(tmp_path: Path) -> None:
    """A decision that cites "gdpr" must not leave open which of two tables it means."""
    own = tmp_path / "own.toml"
    shipped = Path(policy.__file__).parent / "gdpr.toml"
    own.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(SettingsError, match="two policies in use are named 'gdpr'"):
        masked([MEMO], policy=["gdpr", str(own)])
    assert masked([MEMO], policy="hipaa,hipaa") == masked([MEMO], policy="hipaa")


def test_a_mere_year_is_as_demanded_already() -> None:
    """What stands as its technique would leave it is no floor, and no leftover."""
    assert masked(["The contract of 2023 was changed."], policy="gdpr") == [
        "The contract of 2023 was changed."
    ]


def test_what_is_as_demanded_already_has_its_rule_too() -> None:
    """An age of 73 stays under HIPAA, and the audit says by which letter of the rule."""
    settings = linkmask.load(overrides={"policy": "hipaa", "theta_doc": 1.0}, environment={})
    reasons = linkmask.mask([MEMO], settings).scan.job.reasons().values()
    (age,) = (why for why in reasons if why.type == "AGE")
    assert (age.technique, age.citation) == ("keep", "45 CFR 164.514(b)(2)(i)(C)")


def test_a_kept_condition_is_still_masked_for_the_limits() -> None:
    """Clinical facts that a policy keeps stay candidates of the later stages."""
    both = [f"{name} has severe asthma." for name in ("The first", "The second")]
    strict = masked(both, policy="gdpr", theta_chain=0.0, theta_doc=0.01)
    assert "asthma" not in str(strict)


def test_shifted_dates_keep_their_intervals() -> None:
    """All dates of one person move by the same days, in the form they were written in."""
    styles = {"EVENT_DATE": "shift"}
    letter, memo = masked([LETTER, MEMO], styles=styles, floor=["NAME", "EVENT_DATE"])
    found = [re.search(r"on (\d+) (\w+) (\d{4})", text) for text in (letter, memo)]
    months = "January February March April May June July August September October November December"
    days = [
        date(int(m[3]), months.split().index(m[2]) + 1, int(m[1])) for m in found if m is not None
    ]
    assert (days[1] - days[0]).days == (date(2024, 6, 3) - date(2024, 5, 14)).days
    assert days[0] != date(2024, 5, 14)


def test_a_linkable_token_is_random_and_the_same_in_every_document() -> None:
    """Two runs give other tokens; within one, an entity has one."""
    chosen = {"styles": {"NAME": "token"}, "linkable": True}
    runs = [masked([LETTER, MEMO], **chosen) for _ in range(2)]
    tokens = [re.findall(r"\[NAME_([0-9a-f]{16})\]", " ".join(texts)) for texts in runs]
    assert [len(t) for t in tokens] == [2, 2]
    assert tokens[0][0] == tokens[0][1] != tokens[1][0]


def test_an_unknown_type_sets_its_documents_aside_with_the_question(tmp_path: Path) -> None:
    """Nobody guesses what a policy would say of a shoe size; the rest goes on."""
    table = tmp_path / "own.toml"
    table.write_text('extends = "regulated"\n[added]\nSHOE_SIZE = 0.2\n')
    find = detect.first_passes

    def first_pass(document, settings, canonical):  # type: ignore[no-untyped-def]
        at = document.content.find("EU 43")
        more = [
            Mention(
                document.id, "content", at, at + 5, "SHOE_SIZE", "EU 43", "eu 43", 0.5, Why("t")
            )
        ]
        return [*find([document], settings, canonical)[0], *(more if at >= 0 else [])]

    def first_passes(documents, *rest):  # type: ignore[no-untyped-def]
        return [first_pass(document, *rest) for document in documents]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detect, "first_passes", first_passes)
        given = {"policy": "gdpr", "schema": str(table), "workers": 1}
        settings = linkmask.load(overrides=given, environment={})
        result = linkmask.mask([MEMO, "He wears EU 43."], settings)
        assert len(list(result.documents)) == 1
        (aside,) = result.set_aside
    assert aside.step == "policy" and "SHOE_SIZE" in aside.reason and "43" not in aside.reason


def test_a_technique_that_leaves_a_masked_value_gives_way_to_a_stricter_one() -> None:
    """The town of an address is left by GDPR's technique, and the town itself is masked."""
    texts = ["She lives at 14 Elm Street, Denver, CO 80203.", "The clinic in Denver closed."]
    settings = linkmask.load(
        overrides={"policy": "gdpr", "always_mask": _ids("Denver"), "workers": 1}, environment={}
    )
    result = linkmask.mask(texts, settings)
    letter, memo = (one.content for one in result.documents)
    assert "Denver" not in letter + memo
    assert re.search(r"lives at \[ADDRESS_[0-9a-f]{16}\]", letter)
    assert result.scan.job.retries == 1


def _ids(*towns: str) -> list[str]:
    from linkmask.records import entity_id

    return [entity_id(town.lower(), "LOCATION") for town in towns]


def test_a_value_that_is_missed_at_first_is_masked_at_the_second_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The check runs detection again; what it sees only then becomes a mention."""
    result = _leaking(monkeypatch, heals=True)
    assert "0142" not in "".join(one.content for one in result.documents)
    assert result.set_aside == [] and result.scan.job.retries == 1


def test_a_document_that_can_not_be_repaired_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """After two tries the document goes nowhere, and the others are released."""
    result = _leaking(monkeypatch, heals=False)
    assert len(list(result.documents)) == 1
    (aside,) = result.set_aside
    assert aside.step == "verify" and result.scan.job.retries == 2


def _leaking(monkeypatch: pytest.MonkeyPatch, heals: bool) -> linkmask.Result:
    """Mask two documents with a detector that does not see a telephone number at first.

    A detector that heals sees it when it looks again; one that does not sees another word of the
    letter as a value each time.
    """
    find = detect.first_passes
    looks: dict[str, int] = {}

    def first_pass(document, settings, canonical):  # type: ignore[no-untyped-def]
        found = find([document], settings, canonical)[0]
        looks[document.id] = looks.get(document.id, 0) + 1
        if document.id != "0":
            return found
        if looks[document.id] == 1:
            return [one for one in found if one.type != "PHONE_NUMBER"]
        if heals:
            return found
        *_, word = re.finditer(r"\b[a-z]+\b", document.content)
        where, value = word.span(), f"look {looks[document.id]}"
        why = Why("test")
        mail = Mention(document.id, "content", *where, "EMAIL", word[0], value, 1.0, why)
        return [*found, mail]

    def first_passes(documents, *rest):  # type: ignore[no-untyped-def]
        return [first_pass(document, *rest) for document in documents]

    monkeypatch.setattr(detect, "first_passes", first_passes)
    settings = linkmask.load(overrides={"policy": "gdpr", "workers": 1}, environment={})
    return linkmask.mask(["Maria Lopez called us from 303-555-0142.", MEMO], settings)
