"""A name of the document that is also a word is found where it stands for the person alone."""

import pytest

import linkmask
from linkmask.detect import first_pass
from linkmask.graph.entities import canonical
from linkmask.records import Document

SETTINGS = linkmask.load()


def persons(text: str) -> list[str]:
    """Return the names that are found in a text."""
    mentions = first_pass(Document("a", text), SETTINGS, canonical)
    return [one.original for one in mentions if one.type == "NAME"]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("Tenant: Abigail May", "May rang about the boiler, and we met May on Friday."),
        ("Tenant: Abigail May", "You may write to May."),
        (
            "Tenant: Abigail May",
            "Aged 52 in 2021. May called, and she may move. May's wife agreed.",
        ),
        ("Buyer: Leonard Best", "Best refused the parcel. The courier saw Best."),
        ("Buyer: Agnes Price", "Price has moved. The price is fair, Price says."),
        ("Pupil: Will Hartley", "Will was late. I called Will and Will's father."),
        ("Guest: Grace Pym", "Grace wants tea, and Mr Dunn drove Grace home."),
        ("Kundin: Hanna Lange", "Lange fragte nach dem Preis. Es hat zu lange gedauert."),
        ("Patient: Emil Koch", "Koch klagt über Schmerzen. Gestern ging es Koch besser."),
        ("Dossier de Mme Agathe Petit", "Petit a payé. Nous avons écrit à Petit."),
    ],
)
def test_a_word_is_a_name_where_it_acts_or_is_met(named: str, said: str) -> None:
    [word] = [part for part in named.split() if part in said]
    assert persons(f"{named}\n\n{said}").count(word) == said.count(word)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("Tenant: Abigail May", "She paid in May. On 3 May and May 9 it rained. May I ask why?"),
        ("Buyer: Leonard Best", "It is best to wait. Best regards"),
        ("Buyer: Agnes Price", "Price: 30 euros. Price list attached. The price is 30 euros."),
        ("Pupil: Will Hartley", "Will you come? It will rain."),
        ("Guest: Grace Pym", "The Grace period ends. She has grace."),
        ("Guest: Mark Pym", "Mark the box with a cross, and mark the page."),
        ("Guest: Hope Pym", "Hope this helps. We hope so."),
        ("Patient: Emil Koch", "Der Koch ist krank, und ein guter Koch fehlt."),
    ],
)
def test_a_word_stays_a_word_where_something_shows_it(named: str, said: str) -> None:
    assert len(persons(f"{named}\n\n{said}")) == 1
