"""Policies on the command line: list, show, check, mask, explain, forget."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask import cli, policy

LETTER = "Martha Quill paid with card 4242 4242 4242 4242, CVV 123."
MEMO = "Martha Quill called on 3 June 2024. Tom Birch called as well."


def run(*words: object) -> Result:
    return CliRunner().invoke(cli.main, [str(word) for word in words])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Two documents masked under GDPR and PCI DSS."""
    source = tmp_path / "in"
    source.mkdir()
    for name, text in (("letter", LETTER), ("memo", MEMO)):
        record = {"id": name, "metadata": {}, "content": text}
        (source / f"{name}.json").write_text(json.dumps(record))
    done = run("mask", source, "-o", tmp_path / "out", "--policy", "gdpr,pci", "--quiet")
    assert done.exit_code == 0, done.output
    return tmp_path / "out"


def contents(folder: Path) -> dict[str, str]:
    found = sorted(folder.rglob("documents/*.json"))
    return {path.stem: json.loads(path.read_text())["content"] for path in found}


def test_policies_are_listed_and_shown() -> None:
    """What ships, what each demands, and what it does not claim."""
    listed, shown = run("policy", "list").output, run("policy", "show", "hipaa").output
    assert all(name in listed for name in ("gdpr", "hipaa", "pci"))
    assert "164.514(b)(2)(i)(A)" in shown and "does not certify" in shown


def test_a_policy_in_a_pipe_is_shown_with_whole_citations(monkeypatch) -> None:
    """Without a terminal no citation is cut or wrapped, however narrow COLUMNS says the page is."""
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    lines = [line.rstrip() for line in run("policy", "show", "hipaa").output.splitlines()]
    for kind, rule in policy.load("hipaa").rules.items():
        assert any(line.startswith(kind) and line.endswith(rule.citation) for line in lines), kind


def test_a_policy_file_is_checked(tmp_path: Path) -> None:
    """A right one is told what it leaves out; a wrong one where it is wrong, with status 1."""
    house = Path(__file__).parents[2] / "examples" / "policy" / "house.toml"
    right = run("policy", "check", house)
    assert right.exit_code == 0 and "says nothing of" in right.output
    assert "unless another policy names" in right.output
    strange = tmp_path / "strange.toml"
    strange.write_text(house.read_text().replace('"AGE"', '"AGES"'))
    said = run("policy", "check", strange).output
    assert "has no type AGES" in said and "[[type]]" in said
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(house.read_text().replace('"removal"', '"erase"'))
    answer = run("policy", "check", wrong)
    assert answer.exit_code == 1 and "line 13: types.NAME.technique" in answer.output


def test_a_policy_rules_on_a_type_of_ones_own(tmp_path: Path) -> None:
    """A block [[type]] of a file of recognizers defines it; the rule decides how it is masked."""
    house = Path(__file__).parents[2] / "examples" / "policy" / "house.toml"
    rule = (
        house.read_text().replace("[types.NAME]", "[types.BADGE]").replace('["NAME"]', '["BADGE"]')
    )
    (tmp_path / "badges.toml").write_text(rule)
    (tmp_path / "own.toml").write_text(
        '[[type]]\nname = "BADGE"\nweight = 0.9\n'
        '[[recognizer]]\nid = "badge"\ntype = "BADGE"\npattern = "B[0-9]{5}"\n'
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("She showed B12345.")
    policies = f"gdpr,{tmp_path / 'badges.toml'}"
    rows = ("--recognizers", tmp_path / "own.toml")
    done = run("mask", tmp_path / "in", "-o", tmp_path / "out", "--policy", policies, *rows)
    assert done.exit_code == 0, done.output
    assert "[REDACTED]" in (tmp_path / "out" / "documents" / "a.txt").read_text()


def test_the_report_has_a_part_per_regulation(out: Path) -> None:
    """Title, rule and technique stand on the page; no value does."""
    page = (out / "report.html").read_text()
    assert "Payment Card Industry" in page and "Req. 3.5.1" in page and "truncation:last4" in page
    assert "Quill" not in page + (out / "decisions.jsonl").read_text()


def test_decisions_name_values_only_where_asked(out: Path, tmp_path: Path) -> None:
    """With --show-values each row has its value, and the file is for its owner alone."""
    shown = tmp_path / "shown"
    run("mask", tmp_path / "in", "-o", shown, "--policy", "gdpr,pci", "--show-values", "--quiet")
    rows = map(json.loads, (shown / "decisions.jsonl").read_text().splitlines())
    assert "Martha Quill" in {row["value"] for row in rows}
    assert (shown / "decisions.jsonl").stat().st_mode & 0o077 == 0
    assert '"value"' not in (out / "decisions.jsonl").read_text()


def test_decisions_tell_what_was_done(tmp_path: Path) -> None:
    """A value over which another's mask stands is not said to have one of its own: each row counts
    the places of either in the documents, and so does its sentence."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    text = "Write to bastien.roussel@example.org. Bastien Roussel wrote on 3 June 2024."
    (source / "a.txt").write_text(text)
    mentions = tmp_path / "mentions.jsonl"
    spans = [("bastien.roussel@example.org", "EMAIL"), ("bastien.roussel", "NAME")]
    rows = [(value, kind, text.index(value)) for value, kind in spans]
    mentions.write_text(
        "\n".join(
            json.dumps(
                {
                    "document": "a",
                    "original_value": value,
                    "normalized_value": value,
                    "entity_type": kind,
                    "relevance": 1.0,
                    "start": start,
                    "end": start + len(value),
                }
            )
            for value, kind, start in rows
        )
    )
    words = ("mask", source, "-o", out, "--policy", "gdpr", "--mentions", mentions, "--quiet")
    assert run(*words).exit_code in (0, 2)
    decided = map(json.loads, (out / "decisions.jsonl").read_text().splitlines())
    by_type = {row["type"]: row for row in decided}
    name, mail = by_type["NAME"], by_type["EMAIL"]
    assert (mail["written"], mail["covered"]) == (1, {})
    assert name["covered"] == {"EMAIL": 1}
    released = (out / "documents" / "a.txt").read_text()
    assert name["written"] == released.count("[NAME")
    assert "email 1×" in name["sentence"]


def test_explain_names_the_rule(out: Path) -> None:
    """The sentence cites article or requirement."""
    said = run("explain", out, "--entity", "Martha Quill").output
    assert "Req. 3.2.1" in said and "only the key turns back" in said
    assert "Req. 3.5.1" in run("explain", out, "--document", "letter").output


def test_a_person_can_be_forgotten(out: Path, tmp_path: Path) -> None:
    """After that unmask gives the others back, and theirs no more; the run holds none of it."""
    run("unmask", out, "-o", tmp_path / "before", "--quiet")
    assert "Tom Birch" in contents(tmp_path / "before")["memo"]
    assert "Martha Quill" in contents(tmp_path / "before")["letter"]
    gone = run("forget", out, "--subject", "Tom Birch")
    assert gone.exit_code == 0 and "1 entity, 1 mention in 1 document, kept nowhere" in gone.output
    run("unmask", out, "-o", tmp_path / "after", "--quiet")
    after = contents(tmp_path / "after")
    assert "Birch" not in after["memo"] and "Martha Quill" in after["letter"]
    kept = b"".join(
        path.read_bytes() for path in out.with_name(f"{out.name}.run").iterdir() if path.is_file()
    )
    assert b"Birch" not in kept


def test_tokens_and_moved_dates_are_taken_back(out: Path, tmp_path: Path) -> None:
    """With vault and key, byte for byte; without them nothing tells."""
    styles = ("--style-for", "NAME=token", "--style-for", "EVENT_DATE=shift")
    source, masked = tmp_path / "in", tmp_path / "masked"
    floor = "floor=NAME,EVENT_DATE"
    assert run("mask", source, "-o", masked, *styles, "--set", floor).exit_code == 0
    memo = contents(masked)["memo"]
    assert "Birch" not in memo and "3 June" not in memo and "[NAME_" in memo
    run("unmask", masked, "-o", tmp_path / "back", "--quiet")
    assert contents(tmp_path / "back")["memo"] == MEMO


def test_who_is_not_there_can_not_be_forgotten(out: Path) -> None:
    """A name the run does not hold is an error, not a silent success."""
    answer = run("forget", out, "--subject", "Nobody")
    assert answer.exit_code == 1 and "Nobody" not in answer.output


def test_a_rare_word_needs_no_rule_of_a_policy(tmp_path: Path) -> None:
    """It is no value: documents in which one is masked are released."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name, text in (
        ("a", "Bastien Roussel, 41 years old, has lupus. The gyrfalcon came up in the call.\n"),
        ("b", "The patient, 52 years old, has lupus and asthma. The letter shows a gyrfalcon.\n"),
    ):
        (source / f"{name}.txt").write_text(text)
    done = run("mask", source, "-o", out, "--policy", "gdpr,hipaa", "--quiet")
    assert done.exit_code == 0, done.stderr
    texts = [path.read_text() for path in (out / "documents").iterdir()]
    assert len(texts) == 2 and any("[...]" in text for text in texts)


def test_a_masked_rare_word_has_a_row_with_its_places_and_the_reason(tmp_path: Path) -> None:
    """It is masked in one document of two: the row says in which, where and by which setting."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name, text in (
        ("a", "Bastien Roussel, 41 years old, has lupus. The gyrfalcon came up in the call.\n"),
        ("b", "The patient, 52 years old, has lupus and asthma. The letter shows a gyrfalcon.\n"),
    ):
        (source / f"{name}.txt").write_text(text)
    assert run("mask", source, "-o", out, "--policy", "gdpr", "--quiet").exit_code == 0
    rows = list(map(json.loads, (out / "decisions.jsonl").read_text().splitlines()))
    masked = [row for row in rows if row["type"] == "RARE_TERM" and row["places"]]
    places = [place for row in masked for place in row["places"]]
    texts = {path.stem: path.read_text() for path in source.iterdir()}
    words = [
        texts[place["document"].removesuffix(".txt")][place["start"] : place["end"]]
        for place in places
    ]
    assert "gyrfalcon" in words and {place["field"] for place in places} == {"content"}
    assert masked[0]["reason"].startswith("At most 5 documents held this")
    assert masked[0]["policy"] == "" and masked[0]["written"] == len(masked[0]["places"])
    assert "gyrfalcon" not in (out / "decisions.jsonl").read_text()
    explained = run("explain", f"{out}.run", "--entity", masked[0]["entity"])
    assert masked[0]["reason"] in " ".join(explained.output.split())
    summary = json.loads((out / "summary.json").read_text())["masked"]
    assert summary["rare_words"]["why"] == masked[0]["reason"]
    assert summary["rare_words"]["words"] == len([r for r in rows if r["type"] == "RARE_TERM"])


def test_what_a_rule_keeps_and_the_plan_masks_is_said_to_be_masked(tmp_path: Path) -> None:
    """Under gdpr a place is kept, but the settings mask it: no row says that it was left."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    (source / "a.txt").write_text("Patient Bastien Roussel of Galway wrote on 3 June 2024.\n")
    assert run("mask", source, "-o", out, "--policy", "gdpr", "--quiet").exit_code == 0
    rows = list(map(json.loads, (out / "decisions.jsonl").read_text().splitlines()))
    places = [row for row in rows if row["type"] == "LOCATION"]
    assert places and all(row["masked"] == "floor" for row in places)
    assert not any("it was left as it is" in row["sentence"] for row in rows if row["masked"])
