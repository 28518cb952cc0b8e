"""The example corpus is what its README says."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from linkmask.testbench.datasets import PersonCluster, read_clusters, read_links
from linkmask.testbench.validate import FORMATS, WORDS

CORPUS = Path(__file__).parents[1] / "examples" / "insurance"
FRENCH = {"cluster_1", "cluster_4"}


@pytest.fixture(scope="module")
def clusters() -> tuple[PersonCluster, ...]:
    return read_clusters(CORPUS)


def holds(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def test_eight_clusters_pass_the_strict_checks(clusters: tuple[PersonCluster, ...]) -> None:
    """Reading is checking; 3 of 8 are HIGH and 3 MEDIUM (formulas.md §13.1: int(n·0.4) each)."""
    assert len(clusters) == 8
    assert Counter(c.risk for c in clusters) == {"HIGH": 3, "MEDIUM": 3, "LOW": 2}


def test_there_are_forty_documents_of_usual_length(clusters: tuple[PersonCluster, ...]) -> None:
    """40 documents, each of 40 to 120 words, in every format there is."""
    documents = [d for c in clusters for d in c.documents]
    assert len(documents) == len({d.id for d in documents}) == 40
    assert all(len(d.content.split()) in WORDS for d in documents)
    assert {d.metadata["format"] for d in documents} == set(FORMATS)


def test_single_documents_are_those_of_the_clusters(clusters: tuple[PersonCluster, ...]) -> None:
    """documents/ holds the documents of files/, all of them and nothing else."""
    singles = {p.name: json.loads(p.read_text("utf-8")) for p in (CORPUS / "documents").iterdir()}
    assert singles == {d.origin.file: d.record for c in clusters for d in c.documents}


def test_golden_links_join_documents_that_share_a_value(
    clusters: tuple[PersonCluster, ...],
) -> None:
    """A golden link names two documents of one cluster that share one of the person's entities."""
    written = json.loads((CORPUS / "golden.json").read_text("utf-8"))["golden_links"]
    assert set(written) == {c.id for c in clusters}
    assert sum(map(len, written.values())) == len(read_links(CORPUS, clusters))
    for cluster in clusters:
        text = {d.id: d.content for d in cluster.documents}
        for one, other in written[cluster.id]:
            assert one < other
            assert any(
                holds(text[one], v) and holds(text[other], v) for v, _ in cluster.person.entities
            ), f"{one} and {other} share nothing"


def test_every_linkable_person_has_golden_links(clusters: tuple[PersonCluster, ...]) -> None:
    """Each cluster has a golden link, and a HIGH person more than a LOW one."""
    links = read_links(CORPUS, clusters)
    count = {c.id: sum(link[0].startswith(f"{c.id}_") for link in links) for c in clusters}
    assert min(count.values()) >= 1
    by_risk = {r: [count[c.id] for c in clusters if c.risk == r] for r in ("HIGH", "LOW")}
    assert min(by_risk["HIGH"]) > max(by_risk["LOW"])


def test_two_clusters_are_french(clusters: tuple[PersonCluster, ...]) -> None:
    """Every document of the French clusters is read as French, every other one as English."""
    from py3langid import classify

    for cluster in clusters:
        expected = "fr" if cluster.id in FRENCH else "en"
        for document in cluster.documents:
            assert classify(document.content)[0] == expected, document.id


def test_answers_are_in_the_words_of_their_sources(clusters: tuple[PersonCluster, ...]) -> None:
    """Each word of an answer stands in a source, and no source of several can be left out."""
    for cluster in clusters:
        text = {d.id: words(d.content) for d in cluster.documents}
        for question in cluster.questions:
            answer = words(question.a)
            assert answer <= set().union(*(text[s] for s in question.sources)), question.q
            for source in question.sources:
                others = set().union(*(text[s] for s in question.sources if s != source))
                assert answer - others, f"{question.q}: {source} adds nothing"


def test_contact_data_are_from_ranges_kept_for_fiction(clusters: tuple[PersonCluster, ...]) -> None:
    """No phone number rings and no mail arrives."""
    free = re.compile(r"\(\d{3}\) 555-01\d\d|07700 900\d{3}|06 39 98 \d\d \d\d")
    for cluster in clusters:
        for value, kind in cluster.person.entities:
            if kind == "PHONE_NUMBER":
                assert free.fullmatch(value), cluster.id
        for document in cluster.documents:
            for domain in re.findall(r"@([\w.-]+)", document.content):
                assert re.search(r"(^|\.)example\.(org|net|com)$", domain.rstrip(".")), document.id


def test_issued_numbers_have_right_check_digits(clusters: tuple[PersonCluster, ...]) -> None:
    """A detector that checks digits finds the card, the accounts, the NIR and the NHS number."""
    from stdnum import iban, luhn
    from stdnum.fr import nir
    from stdnum.gb import nhs

    entities = [entity for c in clusters for entity in c.person.entities]
    of = {kind: [v for v, k in entities if k == kind] for _, kind in entities}
    assert all(map(luhn.is_valid, (v.replace(" ", "") for v in of["CREDIT_CARD"])))
    assert len(of["IBAN"]) == 2
    assert all(map(iban.is_valid, of["IBAN"]))
    assert sum(map(nir.is_valid, of["NATIONAL_ID"])) == 1
    assert sum(map(nhs.is_valid, of["NATIONAL_ID"])) == 1


def test_the_script_masks_the_corpus(tmp_path: Path) -> None:
    """It writes all 40 documents, and no name of a person stands in one."""
    script = CORPUS.parent / "mask_folder.py"
    command = [sys.executable, str(script), str(CORPUS / "documents"), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "entities masked" in done.stdout
    written = [p.read_text("utf-8") for p in (tmp_path / "out" / "documents").iterdir()]
    assert len(written) == 40
    names = [v for c in read_clusters(CORPUS) for v, kind in c.person.entities if kind == "NAME"]
    assert not [text for text in written if any(holds(text, name) for name in names)]
