"""What is not language is searched for what has a form of its own, and left alone by the rest."""

import pytest

import linkmask
from hostile_shapes import SHAPES
from linkmask.config import Settings
from linkmask.detect.view.non_language import stretches


def encoded(text: str) -> list[str]:
    assert "".join(text[a:b] for a, b, _ in stretches(text)) == text
    return [text[a:b] for a, b, is_language in stretches(text) if not is_language]


@pytest.mark.parametrize(
    "name",
    [
        "base64 in a line", "base64 in a mail", "hexadecimal", "a sequence of bases",
        "one letter", "one digit", "letters and digits",
    ],
)  # fmt: skip
def test_what_is_encoded_is_one_stretch_in_which_nothing_is_found(name: str) -> None:
    record = SHAPES[name](4000)
    (stretch,) = encoded(record["content"])
    assert len(stretch) > 3000
    scan = linkmask.scan([record], Settings(workers=1))
    begin = record["content"].index(stretch)
    mentions = list(scan.job.run.mentions())
    assert "john brandvold" in {mention.value for mention in mentions}
    inside = range(begin, begin + len(stretch))
    assert [m.type for m in mentions if m.start in inside or m.end - 1 in inside] == []


def test_an_identifier_with_a_form_is_found_beside_and_between_encoded_lines() -> None:
    line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODlhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ej\n"
    block = line * 4
    for value in ("zelko.finch@example.org", "DE89 3704 0044 0532 0130 00"):
        scan = linkmask.scan([block + value + "\n" + block], Settings(workers=1))
        assert value in {mention.original for mention in scan.job.run.mentions()}


def test_telephone_numbers_in_pairs_are_found_whatever_number_stands_before_them() -> None:
    numbers = [f"06 {n:02d} 34 56 78" for n in range(10, 40)]
    for text in ("\n".join(numbers), "\n".join(f"{n:04d}: {one}" for n, one in enumerate(numbers))):
        assert encoded(text) == []
        scan = linkmask.scan([f"Téléphones :\n{text}"], Settings(workers=1, languages=("fr",)))
        found = {mention.original for mention in scan.job.run.mentions()}
        assert found >= set(numbers)


@pytest.mark.parametrize(
    "text",
    [
        "1024: E1023945 B1938475 A0192837 C8827364\n1093: E1023946 B1938476 A0192838 C8827365\n"
        * 4,
        "E1023945 B1938475 A0192837 C8827364 E1023946 B1938476 A0192838 C8827365 " * 4,
        "ottoline-brandvold-appeal-denied-after-review-of-the-file-" * 4,
        "/srv/share/patients/Brandvold_Ottoline/Springfield/letters/" * 4,
        '{"name":"Ottoline","surname":"Brandvold","born":"1971-05-04"},' * 5,
        "NM1*IL*1*ROTH*ANNA*M***MI*0088213~N3*14 CANAL ST~" * 5,
        "Patient ID: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "06 12 34 56 78 01 98 76 54 32 04 11 22 33 44 07 55 44 33 22 " * 4,
        "de la cad ad be fa de ab de la cad ad be fa de ab de fa be ad " * 4,
        "Key: 43 51 43 a1 b5 fc 8b b7 0a 3a a9 b1 0f 66 73 a8",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "",
    ],
)
def test_words_that_no_blank_parts_are_language_still(text: str) -> None:
    """Slugs, paths, JSON, messages, rows of telephone numbers, small words, a digest or a key with
    its label: all may name somebody."""
    assert encoded(text) == []
