"""Taking masks back: byte for byte, with the key, and only from an unchanged text."""

import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.config import Settings
from linkmask.errors import RunError, SettingsError
from linkmask.records import Document, Masked, entity_id
from linkmask.redact import Redactor, Target
from linkmask.redact.run_key import load_key
from linkmask.redact.vault import Vault, seal

KEY = b"k" * 32
TARGETS = {
    entity_id("ann field", "NAME"): Target("NAME", ["Ann Field", "Field"]),
    entity_id("4471882", "PATIENT_ID"): Target("PATIENT_ID", ["4471882"]),
    entity_id("1971-03-04", "BIRTHDATE"): Target("BIRTHDATE", ["4 March 1971", "1971-03-04"]),
}
PIECES = ["Ann Field", "ANN  field", "Field", "4471882", "4 March 1971", " ", "\r\n", ",", "x",
          "😀", "\ufeff", "\ud800", "é", "[NAME]", "1971-03-04"]  # fmt: skip


def mask(document: Document, **given: Any) -> tuple[Masked, bytes]:
    redactor = Redactor(TARGETS, Settings(**given), key=KEY)
    masked = redactor(document, [])
    return masked, seal(masked, KEY, redactor.reversible)


def vault(path: Path, sealed: bytes, key: bytes = KEY) -> Vault:
    path.write_bytes(sealed)
    return Vault(path, key)


def released(masked: Masked) -> Document:
    return Document(masked.id, masked.content, masked.metadata)


@pytest.mark.parametrize("style", ["pseudonym", "surrogate"])
@settings(max_examples=40, deadline=None)
@given(
    content=st.lists(st.sampled_from(PIECES), max_size=8),
    note=st.lists(st.sampled_from(PIECES), max_size=3),
    number=st.sampled_from([4471882, 12, 1.5, True, None]),
)
def test_unmask_gives_back_what_was_masked(
    tmp_path_factory: pytest.TempPathFactory, style: str, content: Any, note: Any, number: Any
) -> None:
    """Content and metadata, texts and numbers."""
    metadata = {"notes": ["".join(note), {"id": number}], "Ann Field": "kept key"}
    document = Document("d", "".join(content), metadata)
    masked, sealed = mask(document, style=style)
    path = tmp_path_factory.mktemp("run") / "vault"
    restored = vault(path, sealed).restore(released(masked))
    assert (restored.content, restored.metadata) == (document.content, document.metadata)
    assert type(restored.metadata["notes"][1]["id"]) is type(number)


def test_only_styles_that_can_be_undone_are_kept(tmp_path: Path) -> None:
    document = Document("d", "Ann Field, 4471882.")
    masked, sealed = mask(document, style="value", styles={"NAME": "surrogate"})
    restored = vault(tmp_path / "vault", sealed).restore(released(masked))
    assert restored.content == "Ann Field, [PATIENT_ID]."
    assert mask(document, style="redact")[1] == b""


def test_the_vault_holds_no_value_in_the_clear_and_repeats(tmp_path: Path) -> None:
    document = Document("d", "Ann Field, 4471882.")
    sealed = mask(document, style="pseudonym")[1]
    assert b"Field" not in sealed and b"4471882" not in sealed
    assert sealed == mask(document, style="pseudonym")[1]


def test_another_key_a_changed_text_and_a_missing_vault_are_told_apart(tmp_path: Path) -> None:
    document = Document("d", "Ann Field, 4471882.")
    masked, sealed = mask(document, style="pseudonym")
    with pytest.raises(RunError, match="key"):
        vault(tmp_path / "vault", sealed, b"x" * 32).restore(released(masked))
    with pytest.raises(RunError, match="changed"):
        changed = Document("d", masked.content + " ", masked.metadata)
        vault(tmp_path / "vault", sealed).restore(changed)
    with pytest.raises(RunError, match="no vault"):
        Vault(tmp_path / "none", KEY)
    with pytest.raises(RunError, match="can't be read"):
        vault(tmp_path / "vault", b"{}")


def test_a_record_can_not_serve_another_document(tmp_path: Path) -> None:
    document = Document("d", "Ann Field")
    masked, sealed = mask(document, style="pseudonym")
    swapped = vault(tmp_path / "vault", sealed.replace(b'"document":"d"', b'"document":"e"'))
    with pytest.raises(RunError):
        swapped.restore(Document("e", masked.content))


def test_a_document_without_masks_comes_back_as_it_is(tmp_path: Path) -> None:
    document = Document("other", "nothing here")
    assert vault(tmp_path / "vault", b"").restore(document) == document


def test_the_key_comes_from_the_file_the_environment_or_is_made(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text("a key in a file, long\n")
    made = tmp_path / "key"
    environment = {"LINKMASK_KEY": "a key from outside, long"}
    assert load_key(Settings(key_file=str(given)), made, environment) == b"a key in a file, long"
    assert load_key(Settings(), made, environment) == b"a key from outside, long"
    assert not made.exists()
    first = load_key(Settings(), made, {})
    assert len(first) == 64 and load_key(Settings(), made, {}) == first
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


def test_a_key_that_is_missing_or_short_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="LINKMASK_KEY"):
        load_key(Settings(), None, {})
    with pytest.raises(SettingsError, match="shorter"):
        load_key(Settings(), None, {"LINKMASK_KEY": "short"})
    with pytest.raises(SettingsError, match="can't read"):
        load_key(Settings(key_file=str(tmp_path / "none")), None, {})


def test_forgetting_a_value_forgets_the_whole_cell_that_held_it(tmp_path: Path) -> None:
    """A cell of a typed column is kept whole; it must not outlive one of its values."""
    document = Document("d", "", {}, others={"who": "Ann Field 4471882"})
    _, sealed = mask(document, style="pseudonym")
    (line,) = vault(tmp_path / "v", sealed).without((), lambda value: value == "4471882")
    left = Document("d", "", {}, others={"who": None})
    with pytest.raises(RunError, match="changed"):
        vault(tmp_path / "w", line).restore(left)
    whole = vault(tmp_path / "v", sealed).restore(left)
    assert whole.others["who"] == "Ann Field 4471882"
