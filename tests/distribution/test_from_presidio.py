"""docs/from-presidio.md: Presidio's code and linkmask's do what the page says.

tests/test_docs.py runs the blocks of linkmask.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import linkmask
from linkmask import cli
from linkmask.errors import SettingsError
from linkmask.schema import load as load_schema
from linkmask.schema.converted import toml_of, with_own_types
from linkmask.schema.recognizer_rows import OwnType, RecognizerRow, Recognizers
from linkmask.schema.recognizers import read

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "from-presidio.md").read_text("utf-8")
THEIRS = re.findall(r"^```py\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
TABLE = (ROOT / "docs" / "results" / "presidio.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+Recognizer)` \| (.*) \| `(\w+)` \| (.*) \|$", TABLE, re.MULTILINE)


def test_what_the_page_shows_of_presidio_runs_with_presidio() -> None:
    """Its blocks are one program; without Presidio they are compiled only."""
    program = compile("\n".join(THEIRS), "docs/from-presidio.md", "exec")
    assert THEIRS
    pytest.importorskip("presidio_analyzer")
    pytest.importorskip("presidio_anonymizer")
    exec(program, {})


@pytest.fixture(scope="module")
def scan() -> linkmask.Scan:
    """Each example of the table as a document of its own."""
    documents = [{"id": f"{n}", "content": row[1].replace("**", "")} for n, row in enumerate(ROWS)]
    return linkmask.scan(documents, linkmask.load(environment={}))


def span(example: str) -> tuple[int, int]:
    """Where the value in bold stands in the text without asterisks."""
    before, value, _ = example.split("**")
    return len(before), len(before) + len(value)


@pytest.mark.parametrize(
    "number", range(len(ROWS)), ids=[f"{row[0]}-{n}" for n, row in enumerate(ROWS)]
)
def test_an_example_is_found_and_treated_as_the_table_says(
    scan: linkmask.Scan, number: int
) -> None:
    _, example, kind, treated = ROWS[number]
    start, end = span(example)
    found = {
        mention.type
        for mention in scan.job.run.mentions()
        if mention.document == f"{number}" and mention.start <= start and mention.end >= end
    }
    assert found == {kind}
    settings = scan.settings
    by_rule = "always" if kind in settings.floor else "always, coarser"
    ruled = kind in {*settings.floor, *settings.generalized}
    assert treated == (by_rule if ruled else "where a limit requires it")


def test_presidio_finds_every_example_of_the_table() -> None:
    """With its own recognizers; those of spaCy need a model and are left out."""
    recognizers = pytest.importorskip("presidio_analyzer.predefined_recognizers")
    for name, example, _, _ in ROWS:
        if name != "SpacyRecognizer":
            start, end = span(example)
            recognizer = getattr(recognizers, name)()
            text = example.replace("**", "")
            found = recognizer.analyze(text, recognizer.supported_entities, None)
            assert any(one.start <= start and one.end >= end for one in found), name


def test_the_table_covers_the_recognizers_that_presidio_uses_by_default() -> None:
    """The list of 2.2.366, for all languages; one of them is named below the table."""
    used = """CreditCard UsBank UsLicense UsItin UsPassport UsSsn Nhs EsNif EsNie ItDriverLicense
        ItFiscalCode ItVatCode ItIdentityCard ItPassport PlPesel Crypto Date Email Iban Ip
        MedicalLicense MacAddress Uuid Phone Url Spacy"""
    named = {row[0] for row in ROWS} | set(re.findall(r"`(\w+Recognizer)`", PAGE))
    assert {f"{name}Recognizer" for name in used.split()} <= named


# ── conversion ──────────────────────────────────────────────────────────────────────────────────


def convert(folder: Path, text: str) -> tuple[int, str, Path]:
    (folder / "theirs.yaml").write_text(text)
    out = folder / "ours.toml"
    words = ["recognizers", "convert", str(folder / "theirs.yaml"), "-o", str(out)]
    done = CliRunner().invoke(cli.main, words)
    return done.exit_code, done.output, out


def test_converted_rows_are_those_that_are_read_from_the_yaml(tmp_path: Path) -> None:
    theirs = ROOT / "examples" / "recognizers" / "presidio.yaml"
    status, said, out = convert(tmp_path, theirs.read_text("utf-8"))
    assert status == 0, said
    assert read(out).rows == read(theirs).rows


@pytest.mark.parametrize("form", ["yaml", "toml"])
def test_an_entity_that_linkmask_does_not_know_becomes_a_type_that_is_always_masked(
    form: str, tmp_path: Path
) -> None:
    """Also where the run's copy of the recognizers is read."""
    listed = "recognizers:\n  - name: Ship\n    supported_entity: SHIP\n    deny_list: [Nordlys]\n"
    status, said, out = convert(tmp_path, listed)
    assert status == 0, said
    file = out if form == "toml" else tmp_path / "theirs.yaml"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("The Nordlys has left.")
    words = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--recognizers", str(file)]
    assert CliRunner().invoke(cli.main, words).exit_code == 0
    file.unlink()
    words = ["apply", str(tmp_path / "out.run"), "-o", str(tmp_path / "again")]
    assert CliRunner().invoke(cli.main, words).exit_code == 0
    for masked in (tmp_path / "out", tmp_path / "again"):
        assert (masked / "documents" / "a.txt").read_text() == "The [SHIP] has left."


def test_what_presidio_ships_is_left_out_and_named(tmp_path: Path) -> None:
    text = (
        "recognizers:\n  - name: CreditCardRecognizer\n    type: predefined\n"
        "  - name: Old\n    type: predefined\n    enabled: false\n"
        "  - name: Ship\n    supported_entity: NAME\n    deny_list: [Nordlys]\n"
    )
    _, _, out = convert(tmp_path, text)
    assert "# Left out, because Presidio ships them: CreditCardRecognizer." in out.read_text()


def test_a_file_that_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    text = "recognizers:\n  - name: Ship\n    supported_entity: NAME\n    deny_list: [Nordlys]\n"
    assert convert(tmp_path, text)[0] == 0
    status, said, _ = convert(tmp_path, text)
    assert status == 1
    assert "--overwrite" in said


def test_a_name_that_cannot_be_a_type_is_refused() -> None:
    held = Recognizers(rows=(RecognizerRow(id="a", type="ship name", values=("Nordlys",)),))
    with pytest.raises(SettingsError, match="capitals"):
        with_own_types(held, load_schema("insurance"))


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30)
words = st.lists(texts.map(lambda text: f"a{text}"), max_size=3).map(tuple)
patterns = st.sampled_from([r"\d{5}", r"a{b}", r"\{year}x", "'q'", r"\\{n}", "[{]x}", 'ü\n"\t'])


@given(patterns, words, words, st.booleans())
def test_every_row_is_read_back_as_it_was(
    pattern: str, triggers: Sequence[str], examples: Sequence[str], keep: bool
) -> None:
    """Patterns with braces and quotes, lists, control characters, every key."""
    row = RecognizerRow(id="a", type="NAME", pattern=pattern, triggers=tuple(triggers),
              examples=tuple(examples), keep=keep, ignore_case=True, score=0.5)  # fmt: skip
    own = OwnType(name="SHIP", weight=0.5, definition="a 'ship' \\ or \"boat\"")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.toml"
        file.write_text(toml_of(Recognizers(rows=(row,), types=(own,)), ["x"]), "utf-8")
        back = read(file)
    assert back.types == (own,)
    (again,) = back.rows
    assert re.compile(again.pattern).pattern.replace(r"\x7b", "{").replace("\\{", "{") == (
        pattern.replace("\\{", "{")
    )
    for name in ("triggers", "examples", "keep", "ignore_case", "score", "type"):
        assert getattr(again, name) == getattr(row, name)
