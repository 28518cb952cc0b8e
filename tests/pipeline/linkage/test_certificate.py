"""A stated limit for linkage is measured on the release, by the linker in the box."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.pipeline.linkage.certificate import interval_of
from linkmask.testbench.certificate import certify

SUBJECTS = (("heron", "reed"), ("quartz", "basalt"), ("saffron", "clove"), ("rudder", "keel"))
TEXTS = [f"The {a} file of {b} house was read by team {a} {b}." for a, b in SUBJECTS for _ in "12"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two documents for each of four subjects, which share words that are no values."""
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(corpus: Path, *options: str) -> tuple[int, str, dict[str, object], str]:
    out = corpus.parent / "out"
    fixed = "--overwrite", "--set", "workers=1", "--set", "rare_terms=0"
    asked = ["mask", str(corpus), "-o", str(out), *fixed, *options]
    done = CliRunner().invoke(main, asked)
    summary = json.loads((out / "summary.json").read_text())
    return done.exit_code, done.output, summary, (out / "report.html").read_text()


def test_the_status_says_whether_a_stated_link_limit_was_met_by_measurement(corpus: Path) -> None:
    """Every formula's limit is met here; the linker still puts the documents together."""
    status, said, summary, page = run(corpus, "--set", "link_limit=0.1")
    assert status == 2
    assert "Above the limit for linking, 0.1: 8 documents" in said
    assert summary["risk"]["unmet_documents"] == summary["risk"]["unmet_chains"] == 0
    assert summary["linkage"]["over"] == summary["linkage"]["documents"] == len(TEXTS)
    assert "Not under the limits" in page
    assert run(corpus, "--set", "link_limit=0.1", "--allow-unmet")[0] == 0


def test_the_limit_may_be_stated_as_candidates_and_the_stricter_counts(corpus: Path) -> None:
    for options, limit in (
        (("link_candidates=5",), 0.2),
        (("link_candidates=5", "link_limit=0.1"), 0.1),
        (("link_candidates=5", "link_limit=0.9"), 0.2),
    ):
        given = [part for option in options for part in ("--set", option)]
        status, _, summary, page = run(corpus, *given)
        assert (status, summary["linkage"]["limit"]) == (2, limit)
        assert f"limit for linking, {limit:g} ({1 / limit:g} candidates)" in page


def test_the_report_holds_numbers_with_an_interval_and_what_the_linker_has_seen(
    corpus: Path,
) -> None:
    status, _, summary, page = run(corpus, "--set", "link_limit=0.99")
    found = summary["linkage"]
    low, high = found["interval"]
    assert status == 0
    assert 0 <= low <= found["expected"] <= high <= 1
    assert found["expected"] <= found["largest"] <= 0.99
    assert "ncbi" in found["learned_from"]
    assert "above the limit for linking, 0.99" in page


def test_what_the_originals_confirm_is_likelier_than_what_they_do_not(tmp_path: Path) -> None:
    """Without their names masked texts are alike, so that the nearest of each is the first one."""
    names = ("Ines Moro", "Paul Ekdahl", "Ruth Okafor", "Ines Moro", "Paul Ekdahl", "Ruth Okafor")
    rows = [
        {"id": f"d{n}", "content": f"{name} was seen by the team. {name} may leave."}
        for n, name in enumerate(names)
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    _, _, summary, page = run(path, "--set", "link_limit=0.99")
    assert summary["linkage"]["by_originals"]
    assert "computed with the originals" in page
    found = json.loads((tmp_path / "out.run" / "linkage.json").read_text())
    assert {found[f"d{n}"]["nearest"] for n in range(1, 6)} == {"d0"}
    others = [found[f"d{n}"]["probability"] for n in (1, 2, 4, 5)]
    assert found["d3"]["probability"] > 2 * max(others)
    assert not certify(tmp_path / "out" / "documents", most=0.99)["by_originals"]


def test_without_a_limit_the_linker_does_not_run(corpus: Path) -> None:
    status, _, summary, page = run(corpus)
    assert (status, summary["linkage"]) == (0, {})
    assert "limit for linking" not in page


def explained(corpus: Path, *documents: str) -> tuple[str, dict[str, object]]:
    about = "--document" if len(documents) == 1 else "--pair"
    asked = ["explain", str(corpus.parent / "out.run"), about, *documents]
    said = CliRunner().invoke(main, asked).output
    return said, json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)


def test_explain_says_of_a_document_what_the_certificate_sums_up(corpus: Path) -> None:
    _, _, summary, _ = run(corpus, "--set", "link_limit=0.99")
    said, data = explained(corpus, "d0")
    every = [explained(corpus, f"d{n}")[1]["linkage"] for n in range(len(TEXTS))]
    assert data["linkage"] == every[0]
    assert {one["limit"] for one in every} == {0.99}  # type: ignore[index]
    assert max(one["probability"] for one in every) == summary["linkage"]["largest"]  # type: ignore
    assert f"probability {every[0]['probability']:.2f}" in said  # type: ignore[index]


def test_explain_says_of_a_pair_whether_the_linker_finds_one_from_the_other(corpus: Path) -> None:
    run(corpus, "--set", "link_limit=0.99")
    for first, second in (("d0", "d1"), ("d2", "d3")):
        said, data = explained(corpus, first, second)
        sure = [explained(corpus, one)[1]["linkage"]["probability"] for one in (first, second)]  # type: ignore[index]
        both = data["linkage"].pop("one_person")  # type: ignore[attr-defined]
        assert data["linkage"] == {"found_with": sure, "limit": 0.99}
        assert f"both are about one person with probability {both:.2f}" in said
        assert f"from {first} it finds the other" in said
        assert explained(corpus, first)[1]["linkage"]["nearest"] == second  # type: ignore[index]
    said, data = explained(corpus, "d0", "d2")
    apart = data["linkage"].pop("one_person") or 0.0  # type: ignore[attr-defined]
    assert data["linkage"] == {"found_with": [None, None], "limit": 0.99}
    assert apart < both
    assert "neither is the other's nearest" in said


def test_a_release_without_a_limit_leaves_nothing_of_an_earlier_measurement(corpus: Path) -> None:
    run(corpus, "--set", "link_limit=0.99")
    folder = str(corpus.parent / "out.run")
    assert CliRunner().invoke(main, ["plan", folder, "--set", "link_limit=1"]).exit_code == 0
    again = ["apply", folder, "-o", str(corpus.parent / "again")]
    assert CliRunner().invoke(main, again).exit_code == 0
    assert "linkage" not in explained(corpus, "d0")[1]


def test_the_interval_holds_the_share_found_in_95_of_100_corpora_that_differ() -> None:
    """Corpora are drawn whose log-odds are shifted; of the shares found some 95 % lie within."""
    rng, spread, held = np.random.default_rng(0), 0.5, []
    for _ in range(1000):
        odds = rng.normal(-1, 2, size=60)
        low, high = interval_of(1 / (1 + np.exp(-odds)), spread)
        true = 1 / (1 + np.exp(-(odds + rng.normal(0, spread))))
        held.append(low <= (rng.random(60) < true).mean() <= high)
    assert 0.92 <= np.mean(held) <= 0.98


def test_what_is_never_found_has_an_interval_of_nothing() -> None:
    assert interval_of(np.zeros(5), 0.5) == (0, 0)


def test_metadata_that_links_documents_counts_as_their_texts_do(tmp_path: Path) -> None:
    """Whoever holds a release reads its metadata as well."""
    for number in range(len(TEXTS)):
        colours = {"colour": " ".join(SUBJECTS[number // 2])}
        row = {"id": f"d{number}", "content": "It is paid.", "metadata": colours}
        (tmp_path / f"{number}.json").write_text(json.dumps(row))
    for pair in certify(tmp_path, 1.0, 4)["likeliest"]:
        first, second = (int(name[1:]) for name in pair["documents"])
        assert first // 2 == second // 2
        assert {one["term"] for one in pair["shared"]} == set(SUBJECTS[first // 2])


def test_explain_names_the_documents_that_are_likeliest_of_the_same_person(corpus: Path) -> None:
    run(corpus, "--set", "link_limit=0.99")
    said, data = explained(corpus, "d0")
    others = data["linkage"]["others"]  # type: ignore[index]
    assert next(iter(others)) == "d1"
    assert len(others) == 5
    assert "most likely about the same person as d1" in said
