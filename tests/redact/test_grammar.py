"""A coarser value is fitted into its sentence: prepositions of dates, articles of clinics."""

import pytest

from linkmask.config import Settings
from linkmask.graph.entities import canonical
from linkmask.records import Document
from linkmask.redact import Redactor, Target
from written_masks import mention

MONTHS = [
    ("Seen on 12 July 2024.", "12 July 2024", "Seen in July 2024."),
    ("On July 12, 2024 she left.", "July 12, 2024", "In July 2024 she left."),
    ("On July 12, 2024 patient left.", "July 12, 2024", "In July 2024 patient left."),
    ("on the 3rd and 5th of May 2024", "3rd and 5th of May 2024", "in May 2024"),
    ("Seen ON 07/12/2024.", "07/12/2024", "Seen IN 2024-07."),
    ("Seen on the 12th of July 2024.", "12th of July 2024", "Seen in July 2024."),
    ("Le 12 juillet 2024, puis", "12 juillet 2024", "En juillet 2024, puis"),
    ("depuis le 12 juillet 2024", "12 juillet 2024", "depuis juillet 2024"),
    ("daté du 3 avril 2024", "3 avril 2024", "daté d'avril 2024"),
    ("à partir du 3 mars 2024", "3 mars 2024", "à partir de mars 2024"),
    ("jusqu'au 3 mars 2024", "3 mars 2024", "jusqu'en mars 2024"),
    ("Am 3. März 2024 operiert", "3. März 2024", "Im März 2024 operiert"),
    ("Zürich, den 3. März 2024", "3. März 2024", "Zürich, März 2024"),
    ("seit dem 3. März 2024", "3. März 2024", "seit März 2024"),
    ("la vio el 3 de marzo de 2024", "3 de marzo de 2024", "la vio en marzo de 2024"),
    ("antes del 3 de mayo de 2024", "3 de mayo de 2024", "antes de mayo de 2024"),
    ("Vista il 3 aprile 2024.", "3 aprile 2024", "Vista ad aprile 2024."),
    ("prima del 3 marzo 2024", "3 marzo 2024", "prima di marzo 2024"),
    ("gezien op 3 april 2024", "3 april 2024", "gezien in april 2024"),
    ("visto no dia 3 de maio de 2024", "3 de maio de 2024", "visto em maio de 2024"),
    ("The scan on July 12, 2024 showed", "July 12, 2024", "The scan in July 2024 showed"),
    # two days
    ("in from 3 to 5 May 2024", "3 to 5 May 2024", "in in May 2024"),
    ("from 3 May to 5 June 2024", "3 May to 5 June 2024", "from May 2024 to June 2024"),
    ("du 3 avril au 5 mai 2024", "3 avril au 5 mai 2024", "entre avril 2024 et mai 2024"),
    ("vom 3. bis 5. Mai 2024", "3. bis 5. Mai 2024", "im Mai 2024"),
    # what belongs to another word, is a state, or is of another language
    ("It depends on 12 July 2024", "12 July 2024", "It depends on July 2024"),
    ("due on July 12, 2024 visit", "July 12, 2024", "due on July 2024 visit"),
    ("on July 12, 2024 MRI", "July 12, 2024", "on July 2024 MRI"),
    ("gebaseerd op 3 april 2024", "3 april 2024", "gebaseerd op april 2024"),
    ("Toronto, ON 07/12/2024", "07/12/2024", "Toronto, ON 2024-07"),
    ("Chicago, IL 07/12/2024", "07/12/2024", "Chicago, IL 2024-07"),
    ("9 am 12 July 2024", "12 July 2024", "9 am July 2024"),
    ("am 12 July 2024", "12 July 2024", "am July 2024"),
    ("del 07/12/2024", "07/12/2024", "del 2024-07"),
    # what asks for its preposition, is no preposition, or is one of a month, too
    ("based on 12 July 2024", "12 July 2024", "based on July 2024"),
    ("at 9 am 07/12/2024", "07/12/2024", "at 9 am 2024-07"),
    ("Simon 12 July 2024", "12 July 2024", "Simon July 2024"),
    ("until 12 July 2024", "12 July 2024", "until July 2024"),
    ("on  12 July 2024", "12 July 2024", "on  July 2024"),
]
YEARS = [
    ("wurde am 12. Juli 2024 operiert", "12. Juli 2024", "wurde im Jahr 2024 operiert"),
    ("Seen on 12 July 2024.", "12 July 2024", "Seen in 2024."),
    ("opérée le 12 juillet 2024", "12 juillet 2024", "opérée en 2024"),
]
"""A text, its date, and the text with the month or the year alone."""


@pytest.mark.parametrize(
    ("part", "text", "day", "written"),
    [("month", *row) for row in MONTHS] + [("year", *row) for row in YEARS],
)
def test_a_month_or_year_has_its_own_preposition(
    part: str, text: str, day: str, written: str
) -> None:
    own = mention(text, day, "EVENT_DATE", value=canonical("EVENT_DATE", day))
    target = Target("EVENT_DATE", [day], value=own.value, style=f"generalization:{part}")
    redactor = Redactor({own.entity: target}, Settings())
    masked = redactor(Document("d", text), [own])
    assert masked.content == written
    assert list(redactor.many([(Document("d", text), [own])] * 2)) == [masked] * 2
    (one,) = masked.replacements
    assert text[: one.start] + one.text + text[one.end :] == written


def test_a_preposition_within_another_mask_stays_there() -> None:
    text = "Ann on 12 July 2024"
    found = [
        mention(text, "Ann on", "NAME"),
        mention(text, "12 July 2024", "EVENT_DATE", value="2024-07-12"),
    ]
    known = {
        found[0].entity: Target("NAME", ["Ann on"]),
        found[1].entity: Target(
            "EVENT_DATE", ["12 July 2024"], value="2024-07-12", style="generalization:month"
        ),
    }
    assert Redactor(known, Settings())(Document("d", text), found).content == "[NAME] July 2024"


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("Seen at Alpine Pain Clinic.", "Alpine Pain Clinic", "Seen at a clinic."),
        ("Billed by Harbor Institute.", "Harbor Institute", "Billed by an institute."),
        ("Referred to Northgate University", "Northgate University", "Referred to a university"),
        # where a name has an article, or a kind has none
        ("Seen at the Alpine Clinic.", "Alpine Clinic", "Seen at the clinic."),
        ("Alpine Clinic called.", "Alpine Clinic", "Clinic called."),
        ("versus vs. Alpine Clinic", "Alpine Clinic", "versus vs. clinic"),
        ("as told by\nAlpine Clinic", "Alpine Clinic", "as told by\nclinic"),
        ("Late again. Alpine Clinic called.", "Alpine Clinic", "Late again. Clinic called."),
        ("ALPINE CLINIC\nNote", "ALPINE CLINIC", "Clinic\nNote"),
        ("Notes of Coastal Specialists", "Coastal Specialists", "Notes of specialists"),
        ("Seen at Rehaklinik Aarau", "Rehaklinik Aarau", "Seen at Rehaklinik"),
        ("vue au Centre Clair", "Centre Clair", "vue au centre"),
        ("at Dr. Roe", "Dr. Roe", "at [PROVIDER]"),
    ],
)
def test_the_kind_of_a_clinic_has_an_article_where_its_name_had_none(
    text: str, name: str, written: str
) -> None:
    own = mention(text, name, "PROVIDER")
    language = "de" if "klinik" in name else "en"
    style = "generalization:kind"
    target = Target("PROVIDER", [name], language=language, value=own.value, style=style)
    masked = Redactor({own.entity: target}, Settings()).many([(Document("d", text), [own])] * 2)
    assert [document.content for document in masked] == [written] * 2
