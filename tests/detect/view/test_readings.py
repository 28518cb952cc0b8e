import pytest

from linkmask.config import Settings
from linkmask.detect import written_language_of
from linkmask.detect.view.readings import day_first, scope_of
from linkmask.records import Document

LETTERS = {
    "en": "She was seen in the clinic on 5/6 because of pain in her knee, and it is better now.",
    "fr": "Elle a été vue à la clinique le 5/6 pour une douleur au genou, et elle va mieux.",
    "de": "Sie war am 5/6 wegen Schmerzen im Knie in der Klinik, und es geht ihr besser.",
    "es": "El 5/6 volvió a la consulta por el dolor de rodilla y se le pidió una resonancia.",
    "it": "Il 5/6 è tornata per il dolore al ginocchio, e le è stata prescritta una risonanza.",
    "nl": "Op 5/6 kwam zij terug vanwege pijn in de knie, en het gaat nu beter met haar.",
    "pt": "Em 5/6 voltou à consulta com dores no joelho, e não se pediu uma ressonância.",
}


@pytest.mark.parametrize("language", LETTERS)
def test_masks_are_written_in_the_language_of_the_document(language: str) -> None:
    assert written_language_of(Document("a", LETTERS[language]), Settings()) == language


def test_masks_in_a_language_without_months_are_written_in_one_of_the_settings() -> None:
    polish = "Dnia 5/6 wróciła na kontrolę, bo jest to ból kolana, i to nie po raz pierwszy."
    assert written_language_of(Document("a", polish), Settings(languages=("de",))) == "de"


@pytest.mark.parametrize("language", LETTERS)
def test_only_english_texts_have_the_month_first(language: str) -> None:
    scope = scope_of(Document("a", LETTERS[language]), Settings(languages=("en",)))
    assert day_first(scope) == (language not in {"en", "fr", "de"})


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Mr Hart came on 4/3/2024 and again on 25/03/2024.", True),
        ("Mr Hart came on 4/3/2024 and again on 03/25/2024.", False),
        ("Mr Hart came on 4/3/2024 and again on 5/6/2024.", False),
        ("Lot 25/03/2024-7 of Mr Hart came on 03/25/2024 and 25/03/2024.", False),
        ("Mr Hart came on 04/05/2024. Batch 24-03-15 in ratio 20/10/10, BP 13/10/80.", False),
    ],
)
def test_one_date_shows_which_number_is_the_day_in_all_dates_of_its_document(
    text: str, first: bool
) -> None:
    assert day_first(scope_of(Document("a", text), Settings())) is first
