"""What the linker finds is measured on each release, and compared with a stated limit."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.pipeline.linkage.certificate import LISTED, interval_of
from linkmask.report.linker_wording import shared_terms
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
    rows = found["attackers"]  # type: ignore[index]
    assert status == 0
    for one in rows:
        low, high = one["interval"]
        assert 0 <= low <= one["expected"] <= high <= 1
        assert one["expected"] <= one["largest"] <= found["largest"] <= 0.99  # type: ignore[index]
    assert [one["attacker"] for one in rows if "ncbi" in one["learned_from"]] == ["linker"]
    assert "above the limit for linking, 0.99" in page


def test_the_strongest_is_stated_first_and_each_document_is_judged_by_any(many: Path) -> None:
    """No document is above the limit for an attacker without being counted and listed."""
    for limit in (1.0, 0.6):
        _, _, summary, page = run(many, "--set", f"link_limit={limit}")
        found = summary["linkage"]
        rows = found["attackers"]  # type: ignore[index]
        assert rows == sorted(rows, key=lambda one: -one["expected"])
        kept = json.loads((many.parent / "out.run" / "linkage.json").read_text())
        sure = [one["probability"] for one in kept.values()]
        assert max(sure) == max(one["largest"] for one in rows) == found["largest"]  # type: ignore[index]
        assert found["over"] == sum(one > limit for one in sure)  # type: ignore[index]
        assert found["over"] >= max(one["over"] for one in rows)  # type: ignore[index]
        places = [page.index(f">{one['attacker']}</th>") for one in rows]
        assert places == sorted(places) and len(rows) >= 7


def test_what_the_originals_confirm_is_likelier_than_what_they_do_not(tmp_path: Path) -> None:
    """Without their names masked texts are alike, so that the nearest of each is the first one."""
    names = ("Ines Moro", "Paul Ekdahl", "Ruth Okafor", "Ines Moro", "Paul Ekdahl", "Ruth Okafor")
    rows = [
        {"id": f"d{n}", "content": f"{name} was seen by the team. {name} may leave."}
        for n, name in enumerate(names)
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    _, _, summary, _ = run(path, "--set", "link_limit=0.99")
    assert summary["linkage"]["by_originals"]
    found = json.loads((tmp_path / "out.run" / "linkage.json").read_text())
    assert {found[f"d{n}"]["nearest"] for n in range(1, 6)} == {"d0"}
    others = [found[f"d{n}"]["probability"] for n in (1, 2, 4, 5)]
    assert found["d3"]["probability"] > 2 * max(others)
    assert not certify(tmp_path / "out" / "documents", most=0.99)["by_originals"]


MANY = [
    f"{given} {family} was seen by the {a} team of {b}. {given} {family} may leave."
    for given, a in (("Ines", "heron"), ("Paul", "quartz"), ("Ruth", "clove"))
    for family, b in (("Moro", "reed"), ("Ekdahl", "keel"), ("Okafor", "rudder"), ("Lind", "wheat"))
    for _ in "12"
]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Two documents of each of twelve persons, alike in all but the name and two words."""
    path = tmp_path / "in.jsonl"
    rows = ({"id": f"d{n}", "content": text} for n, text in enumerate(MANY))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_without_a_limit_what_the_linker_finds_is_said_first_and_leaves_the_status(
    many: Path,
) -> None:
    status, said, summary, page = run(many)
    found = summary["linkage"]
    by_document = json.loads((many.parent / "out.run" / "linkage.json").read_text())
    sure = [one["probability"] for one in by_document.values()]
    assert status == 0 and found["documents"] == len(MANY) == 24  # type: ignore[index]
    for one in found["attackers"]:  # type: ignore[index]
        assert one["expected"] <= np.mean(sure) + 1e-4
        assert one["before"]["expected"] >= one["expected"]
    assert said.index("what the strongest attacker finds") < said.index("risk by formula")
    assert f"{found['attackers'][0]['expected']:.2f}" in said  # type: ignore[index]
    assert page.index('id="estimate"') < page.index('id="glance"')
    assert "limit for linking" not in page


def test_pairs_that_are_probably_of_one_person_are_counted_and_named(tmp_path: Path) -> None:
    """A document and its nearest are a pair, once; most of the likely ones are right."""
    examples = Path(__file__).parents[3] / "examples" / "insurance" / "documents"
    _, _, summary, page = run(shutil.copytree(examples, tmp_path / "in"))
    found = summary["linkage"]
    by_document = json.loads((tmp_path / "out.run" / "linkage.json").read_text())
    pairs = {
        frozenset((name, one["nearest"])): one["probability"]
        for name, one in sorted(by_document.items(), key=lambda row: row[1]["probability"])
    }
    likely = {pair for pair, sure in pairs.items() if sure >= 0.5}
    named = [frozenset(one["documents"]) for one in found["likeliest"]]  # type: ignore[index]
    assert likely and found["likely"] == len(likely)  # type: ignore[index]
    assert set(named) <= likely and len(set(named)) == min(len(likely), LISTED)
    right = [len({name.split("_doc")[0] for name in pair}) == 1 for pair in likely]
    assert np.mean(right) > 0.75
    for one in found["likeliest"]:  # type: ignore[index]
        assert one["probability"] >= 0.5 and shared_terms(one["shared"]) in page


def test_where_nobody_has_a_second_document_hardly_any_is_expected_to_be_found(
    many: Path,
) -> None:
    """The same documents, first two of each person, then each of another person."""
    of_two = run(many)[2]["linkage"]
    rows = [json.loads(line) for line in many.read_text().splitlines()]
    given = "Ada Bela Cleo Dora Edda Fina Gerd Hugo Ivor Jill Karl Lena".split()
    for number, row in enumerate(rows):
        first, last = row["content"].split()[:2]
        other = f"{given[number // 2]} {last[::-1].title()}" if number % 2 else f"{first} {last}"
        row["content"] = row["content"].replace(f"{first} {last}", other)
    many.write_text("".join(json.dumps(row) + "\n" for row in rows))
    of_one = run(many)[2]["linkage"]
    assert of_two["another"] > 0.9 > 0.2 > of_one["another"]  # type: ignore[index]
    one, two = (found["attackers"][0]["expected"] for found in (of_one, of_two))  # type: ignore[index]
    assert one < two / 3


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("measure_up_to=23", "more documents than measure_up_to, 23"),
        ("measure_up_to=0", "more documents than measure_up_to, 0"),
    ],
)
def test_a_corpus_of_more_documents_is_not_measured_and_it_is_said(
    many: Path, given: str, why: str
) -> None:
    status, said, summary, page = run(many, "--set", given)
    assert (status, list(summary["linkage"])) == (0, ["not_measured"])  # type: ignore[call-overload]
    assert "is not measured" in said and why in " ".join(said.split()) and why in page
    assert "linkage" not in explained(many, "d0")[1]


def test_a_corpus_of_few_documents_is_measured_only_against_a_limit(corpus: Path) -> None:
    assert run(corpus)[2]["linkage"] == {"not_measured": "this takes 20 documents"}
    assert "attackers" in run(corpus, "--set", "link_limit=0.99")[2]["linkage"]  # type: ignore[operator]


def test_preset_thesis_and_a_plan_alone_measure_nothing(many: Path) -> None:
    assert "not_measured" in run(many, "--preset", "thesis")[2]["linkage"]  # type: ignore[operator]
    run(many)
    asked = ["plan", str(many.parent / "out.run"), "--theta-doc", "0.5"]
    assert "nothing is released by this plan yet" in CliRunner().invoke(main, asked).output


def test_an_update_that_keeps_files_as_they_are_measures_only_against_a_limit(
    tmp_path: Path,
) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for number, text in enumerate(MANY):
        (source / f"{number}.txt").write_text(text)
    fixed = ["--set", "workers=1", "--set", "rare_terms=0"]
    for given, measured in (([], 0), (["--set", "link_limit=0.999"], len(MANY) + 1)):
        first = ["mask", str(source), "-o", str(out), "--overwrite", *fixed, *given]
        assert CliRunner().invoke(main, first).exit_code == 0
        (source / "new.txt").write_text("The new file is here.")
        update = ["update", f"{out}.run", str(source), "-o", str(out)]
        done = CliRunner().invoke(main, update)
        assert done.exit_code == 0, done.output
        found = json.loads((out / "summary.json").read_text())["linkage"]
        assert found.get("documents", 0) == measured
        assert measured or "`linkmask apply`" in found["not_measured"]
        (source / "new.txt").unlink()


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
        assert f"from {first}, one finds the other" in said
        assert explained(corpus, first)[1]["linkage"]["nearest"] == second  # type: ignore[index]
    said, data = explained(corpus, "d0", "d2")
    apart = data["linkage"].pop("one_person") or 0.0  # type: ignore[attr-defined]
    assert data["linkage"] == {"found_with": [None, None], "limit": 0.99}
    assert apart < both
    assert "neither is the other's nearest" in said


def test_explain_names_the_terms_that_link_a_pair_and_which_the_release_shows(
    corpus: Path,
) -> None:
    """The words themselves are shown only if asked for; a deny list masks one of the two."""
    deny = corpus.parent / "deny.toml"
    deny.write_text('[[recognizer]]\nid = "bird"\ntype = "UNIQUE_FACT"\nvalues = ["heron"]\n')
    run(corpus, "--recognizers", str(deny), "--set", "theta_doc=0.01", "--set", "generalize={}")
    said, data = explained(corpus, "d0", "d1")
    word = {"kind": "word", "documents": 2}
    assert data["shared_terms"] == [{**word, "released": 0}, {**word, "released": 2}]
    assert "heron" not in said + json.dumps(data)
    assert "reed" not in said + json.dumps(data)
    assert "word, in 2 documents; both show it in the release" in said
    asked = ["explain", str(corpus.parent / "out.run"), "--pair", "d0", "d1", "--show-values"]
    shown = CliRunner().invoke(main, asked).output
    assert "word 'heron', in 2 documents; neither shows it in the release" in shown
    corpus.write_text(corpus.read_text() + "\n")
    assert "the input has changed since the run read it" in explained(corpus, "d0", "d1")[0]


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
