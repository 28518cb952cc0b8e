"""Organizations are made as their language names them."""

from random import Random

import pytest

from training import made

pytestmark = pytest.mark.skipif(not made.LISTS.is_dir(), reason="needs the lists of names")


@pytest.mark.parametrize("language", ["en", "fr", "de", "es", "it", "nl", "pt"])
def test_every_form_of_a_body_is_filled(language: str) -> None:
    _, forms = made.bodies()[language]
    filled = {made.organization(Random(seed), language) for seed in range(20 * len(forms))}
    assert len(filled) > len(forms)
    assert not any("{" in one or "}" in one for one in filled)


def test_french_names_elide_before_a_vowel() -> None:
    names = {made.organization(Random(seed), "fr") for seed in range(2000)}
    assert any(" d'A" in name for name in names)
    assert not any(" de A" in name for name in names)
