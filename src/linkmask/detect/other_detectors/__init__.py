"""Adds the candidates of other detectors (setting `other_detectors`): spaCy, GLiNER, Presidio.

    servers         Presidio's analyzer and GLiNER servers, over HTTP
    local_models    models in local folders: spaCy's, and by `gliner_model` GLiNER's
    spans           what each of them returns: spans with the detector's own labels

`schema/words/labels_of_others.toml` assigns an entity type to each label. `config.detectors` checks
the addresses, and adds a digest of each model's files to the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from linkmask.config import Settings
from linkmask.config.detectors import folder_digest, folder_of, is_server
from linkmask.detect.candidates import Candidate
from linkmask.detect.other_detectors.local_models import load
from linkmask.detect.other_detectors.servers import connect_detector
from linkmask.detect.other_detectors.spans import OtherDetector
from linkmask.errors import SettingsError
from linkmask.schema import Schema, words

SURE = 0.94
"""Largest score of another detector's candidate: what is certain by its form has a larger one."""

OtherCandidates = Callable[[str, str], Iterator[Candidate]]
"""Yields the candidates of the other detectors, given a text and its language."""


def other_detectors(settings: Settings) -> OtherCandidates | None:
    """Return the union of the detectors that the settings name, None if they name none.

    Raises:
        SettingsError: an address is wrong, a model is not there or is not the one of the settings'
            digest, or the package that reads it is not installed.
    """
    if not settings.other_detectors:
        return None
    asked = [
        (_kind(one), _connected(one, settings.detector_digests.get(one, "")))
        for one in settings.other_detectors
    ]
    types = settings.entity_types

    def find(text: str, language: str) -> Iterator[Candidate]:
        if not text.strip():
            return
        for kind, ask in asked:
            for start, end, label, score in ask(text, language):
                if entity_type := type_of(label, types):
                    rule = label.lower().replace("+", " ")
                    yield Candidate(start, end, entity_type, kind, rule, min(score, SURE))

    return find


def _kind(address: str) -> str:
    """Return the detector's name in mentions: `http`, or the kind of a local model."""
    return "http" if is_server(address) else address.partition(":")[0]


@cache
def _connected(address: str, digest: str) -> OtherDetector:
    """Return a detector by its address; a model is loaded once in each process.

    Raises:
        SettingsError: as `other_detectors` says.
    """
    if is_server(address):
        return connect_detector(address)
    folder = folder_of(address)
    if digest and folder_digest(folder) != digest:
        raise SettingsError(
            f"other_detectors: the model {address!r} has changed since the run began: put the "
            "earlier one back, or begin another run"
        )
    return load(_kind(address), folder)


def type_of(label: str, types: Schema) -> str | None:
    """Return the entity type of another detector's label.

    A label that nobody knows is an indirect identifier, where the schema has these: what another
    detector finds is not dropped for its name. None: the schema has no such type, or the label is
    of what identifies nobody.
    """
    name = label.strip().upper().replace(" ", "_").replace("-", "_")
    table = words("labels_of_others")["types"]
    return types.type_of(name) or types.type_of(table.get(name, table["*"]))
