"""What a text calls its persons: bynames count wherever they stand, places stay places."""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document


def names(text: str) -> list[str]:
    """Return what the rules take for names."""
    document = Document("d", text, {})
    mentions = detect.first_pass(document, Settings(detector="rules"), entities.canonical)
    return [m.original for m in mentions if m.type == "NAME"]


@pytest.mark.parametrize(
    ("text", "byname"),
    [
        ('Patient: Vartan Hakobyan ("Van"), 46. Van refused. Later Van agreed.', "Van"),
        ("Member: Katarzyna Kowalik (Kasia). Kasia wrote. Kasia will call.", "Kasia"),
        ('Mr. Arlo Finch, who goes by "Brose", came. Brose left. We told Brose.', "Brose"),
        ("Mme Brigitte Lavigne, dite Bri, habite ici. Bri a téléphoné. Bri reviendra.", "Bri"),
        ("Patient : Loïc Kerbrat, surnommé « Lolo ». Lolo va mieux. Appeler Lolo.", "Lolo"),
        ("Patientin: Elisabeth Gruber, genannt Sissi. Sissi kam. Wir riefen Sissi an.", "Sissi"),
        ("Versicherter: Maximilian Roth („Maxl“). Maxl kam spät. Für Maxl bezahlt.", "Maxl"),
    ],
)
def test_a_byname_is_a_name_throughout(text: str, byname: str) -> None:
    assert names(text).count(byname) == 3


@pytest.mark.parametrize(
    "text",
    [
        "Patient: Anna Roth (Oncology). Oncology called. Oncology agreed.",
        "Patient: Tom Roe (Medicare). Medicare paid.",
        'Mr. Arlo Finch ("the claim"). The claim was paid.',
        "Patient: Anna Roth (Denied). Denied again.",
        "Patiente : Anna Roth (Refusée). Refusée encore.",
        "Patient: Anna Roth (Ehefrau). Ehefrau kam.",
    ],
)
def test_what_stands_in_brackets_for_something_else_is_no_byname(text: str) -> None:
    assert all(name in {"Anna Roth", "Tom Roe", "Arlo Finch"} for name in names(text))


def test_a_place_stays_one_behind_in_though_somebody_is_named_like_it() -> None:
    assert names("Patient: Paris Lindqvist. She lives in Paris.") == ["Paris Lindqvist"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("She came with her daughter “Ásta” (age 9).", "Ásta"),
        ("seine Tochter „Mayla“ war dabei", "Mayla"),
        ("sa fille « Inaya » est venue", "Inaya"),
    ],
)
def test_a_relatives_name_may_stand_in_quotation_marks(text: str, name: str) -> None:
    assert name in names(text)


def test_two_words_behind_is_in_capitals_are_a_name_unless_they_are_often_said() -> None:
    assert names("MEMBER IS ZHU-FEN TSAIKO AND CALLED TODAY") == ["ZHU-FEN TSAIKO"]
    assert names("MEMBER IS NOT COVERED. PATIENT WAS VERY UPSET. CLIENT IS DIABETIC NOW.") == []


@pytest.mark.parametrize(
    ("text", "name", "times"),
    [
        (
            "spoke with mr. okonjowa today. okonjowa will call back, okonjowa's wife too",
            "okonjowa",
            3,
        ),
        ("MR OKONJOWA WAS TOLD. LETTER SENT TO OKONJOWA. OKONJOWA PLEASED.", "OKONJOWA", 3),
        ("vu mme. kervellac hier. kervellac rappellera, dossier kervellac clos", "kervellac", 3),
        ('{"lastName": "Okonjowa"} note: Okonjowa asks for a call', "Okonjowa", 2),
        ("Nom\tPrénom\tTél\nKervellac\tEwenig\t-\n\nEwenig rappellera", "Ewenig", 2),
        ("mr young rang. the young woman and two young men rang", "young", 1),
    ],
)
def test_a_name_counts_again_where_letter_case_says_nothing(
    text: str, name: str, times: int
) -> None:
    assert sum(name in one for one in names(text)) == times
