"""Which person a short name, a given name or a user name means, and when it means nobody."""

import pytest

import linkmask
from linkmask.graph import full_names
from linkmask.graph.entities import Aliases
from linkmask.graph.names import NAMES

CORPUS = [
    ("NAME", "marta kowalczyk", 1),
    ("NAME", "mary kay brandvold", 1),
    ("NAME", "kirk ashgrove", 1),
    ("NAME", "steven kirk", 1),
    ("NAME", "ingrid falkner", 1),
    ("NAME", "ingo falkner", 1),
    ("NAME", "lucia ferrandiz", 1),
    ("NAME", "lucia ferrandiz soto", 1),
    ("NAME", "john tarnow", 1),
    ("NAME", "john tarnow jr", 1),
    ("NAME", "elise a thackwell", 1),
    ("NAME", "elise thackwell", 1),
    ("PROVIDER", "rita quillfeather", 1),
]

MEANT = [
    # in the document: the only person whom it fits
    ("marta", ("marta kowalczyk",), "marta kowalczyk"),
    ("mary kay", ("mary kay brandvold", "marta kowalczyk"), "mary kay brandvold"),
    ("kirk", ("kirk ashgrove",), "kirk ashgrove"),
    ("kirk", ("steven kirk",), "steven kirk"),
    ("lucia ferrandiz", ("lucia ferrandiz soto",), "lucia ferrandiz soto"),
    ("elise", ("elise thackwell",), "elise a thackwell"),
    ("ifalkner", ("ingrid falkner",), "ingrid falkner"),
    ("marta k", ("marta kowalczyk",), "marta kowalczyk"),
    # across documents: by a form that is nobody else's
    ("mkowalczyk", (), "marta kowalczyk"),
    ("kowalczykm", (), "marta kowalczyk"),
    ("martakowalczyk", (), "marta kowalczyk"),
    ("kowalczykmarta", ("marta kowalczyk",), "marta kowalczyk"),
    ("ingridfalkner", (), "ingrid falkner"),
    ("marta k", (), "marta kowalczyk"),
    # never guessed
    ("marta", (), "marta"),
    ("kirk", ("kirk ashgrove", "steven kirk"), "kirk"),
    ("ifalkner", (), "ifalkner"),
    ("ifalkner", ("ingrid falkner", "ingo falkner"), "ifalkner"),
    ("lucia ferrandiz", (), "lucia ferrandiz"),
    ("john tarnow", ("john tarnow jr",), "john tarnow"),
    ("mkowalczyk2", (), "mkowalczyk2"),
    ("rita", ("rita quillfeather",), "rita"),
    # a word behind a title is a surname
    ("ms marta", ("marta kowalczyk",), "ms marta"),
    ("marta", ("marta kowalczyk", "ms marta"), "marta"),
    ("kirk", ("kirk ashgrove", "steven kirk", "mr kirk"), "steven kirk"),
    ("xkowalczyk", (), "xkowalczyk"),
    ("kowalczykmarta", (), "kowalczykmarta"),
]


@pytest.mark.parametrize(("value", "here", "full"), MEANT)
def test_a_short_name_means_the_only_person_whom_it_fits(
    value: str, here: tuple[str, ...], full: str
) -> None:
    for corpus in (CORPUS, CORPUS[::-1]):
        aliases = Aliases(corpus)
        assert aliases.resolve("NAME", value, here) == ("NAME", full)
        assert aliases.resolve("NAME", value, here[::-1]) == ("NAME", full)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Thorne called on behalf of Thorne Abelard. Mr. Thorne is the landlord.",
        "Mrs. Ruth called Ruth Alvarez.",
        "Herr Werner sprach mit Werner Falkner.",
        "Dr. Martin spoke with Martin Alvarez.",
    ],
)
def test_a_word_behind_a_title_is_no_given_name_of_somebody_in_the_document(text: str) -> None:
    mentions = linkmask.scan([text], {"rare_terms": 0}).job.run.mentions()
    named = [one for one in mentions if one.type in NAMES]
    assert len({one.value for one in named}) == len({one.original for one in named}) == 2


PERSON = ("NAME", "marta kowalczyk")
ADDRESSES = [
    ("marta.kowalczyk", (), PERSON),
    ("kowalczyk.marta", (), PERSON),
    ("marta_kowalczyk", (), PERSON),
    ("mkowalczyk", (), PERSON),
    ("m.kowalczyk", (), PERSON),
    ("mkowalczyk+news", (), PERSON),
    ("rita.quillfeather", (), ("PROVIDER", "rita quillfeather")),
    ("elise.thackwell", (), ("NAME", "elise a thackwell")),
    ("marta", ("marta kowalczyk",), PERSON),
    ("kowalczyk", ("marta kowalczyk",), PERSON),
    ("ingo.falkner", (), ("NAME", "ingo falkner")),
    # never guessed
    ("marta", (), None),
    ("kowalczyk", (), None),
    ("ifalkner", (), None),
    ("i.falkner", ("ingrid falkner", "ingo falkner"), None),
    ("mkowalczyk7", (), None),
    ("anna.kowalczyk", (), None),
    ("info", ("marta kowalczyk",), None),
    ("", (), None),
    ("._.", (), None),
]


@pytest.mark.parametrize(("local", "here", "person"), ADDRESSES)
def test_an_address_also_names_the_only_person_of_whose_name_it_is_made(
    local: str, here: tuple[str, ...], person: tuple[str, str] | None
) -> None:
    value = f"{local}@example.org"
    for corpus in (CORPUS, CORPUS[::-1]):
        meaning = Aliases(corpus).meaning("EMAIL", value, here)
        assert meaning == ("EMAIL", value, person)


def test_what_a_name_means_across_documents_is_one_of_the_forms_that_are_searched_for() -> None:
    """An update finds by them the documents in which a name may mean another person by now."""
    aliases = Aliases(CORPUS)
    for value, here, full in MEANT:
        if not here and full != value:
            forms = {form.lower().rstrip(".") for form in aliases.forms("NAME", full)}
            assert value in forms


def test_a_form_of_two_persons_is_a_form_of_neither() -> None:
    aliases = Aliases(CORPUS)
    assert "ifalkner" not in aliases.forms("NAME", "ingrid falkner")
    assert "kirk a." in aliases.forms("NAME", "kirk ashgrove")
    two = Aliases([("NAME", "marta kowalczyk", 1), ("NAME", "marta keller", 1)])
    assert "marta k." not in two.forms("NAME", "marta keller")
    assert two.resolve("NAME", "marta k") == ("NAME", "marta k")


@pytest.mark.parametrize(
    ("compares", "full", "short"),
    [("given_names_fit", "a{} morvel", "morvel"), ("_begins", "marta a{}vel", "marta")],
    ids=["one surname", "one given name"],
)
def test_a_document_of_namesakes_takes_linear_work(
    compares: str, full: str, short: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the full names that share a name take about twice the comparisons."""
    work = getattr(full_names, compares)
    compared = {}
    for size in (400, 800):
        calls = []
        monkeypatch.setattr(
            full_names, compares, lambda a, b, calls=calls: calls.append(1) or work(a, b)
        )
        values = [full.format(chr(97 + n % 26) + chr(97 + n // 26)) for n in range(size)]
        aliases = Aliases([("NAME", value, 1) for value in values])
        here = frozenset(values)
        for value in values:
            assert aliases.resolve("NAME", value, here) == ("NAME", value)
        assert aliases.resolve("NAME", short, here) == ("NAME", short)
        compared[size] = len(calls)
    assert compared[800] <= 3 * max(compared[400], 800)
