"""Corpora that a model writes, by a scripted server over HTTP: both stages, checked, resumed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from linkmask import cli
from linkmask.llm.client import Client
from linkmask.testbench.authoring.briefs import Order, briefs
from linkmask.testbench.datasets import read_clusters, read_links
from serving import BROKEN, Fault, Scripted, reply
from testbench.writers import good, stage, told

Said = dict[str, Any]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Scripted]:
    """A good model, and the environment that points to it."""
    monkeypatch.setenv("LINKMASK_LLM_CACHE", str(tmp_path / "answers.sqlite"))
    monkeypatch.setenv("LINKMASK_LLM_MODEL", "scripted")
    monkeypatch.setenv("LINKMASK_LLM_RETRIES", "0")
    monkeypatch.setenv("LINKMASK_LLM_CONNECTIONS", "2")
    with Scripted(good) as scripted:
        yield scripted


def generate(server: Scripted, out: Path, *words: object) -> Result:
    size = [] if "--documents" in words else ["--documents", 20]
    given = ["generate", "-o", out, *size, "--llm-url", server.url, *words]
    return CliRunner().invoke(cli.main, [str(word) for word in given])


def forget(tmp_path: Path) -> None:
    """Drop the kept answers: the server is asked again."""
    for path in tmp_path.glob("answers.sqlite*"):
        path.unlink()


def digest(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        whole.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def refused(out: Path) -> list[Said]:
    path = out / "refused.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# ── the work ────────────────────────────────────────────────────────────────────────────────────


def test_both_stages_write_a_corpus_that_passes_the_strict_checks(
    server: Scripted, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = generate(server, out)
    assert done.exit_code == 0, done.output
    clusters = read_clusters(out, strict=True)
    assert Counter(c.risk for c in clusters) == {"HIGH": 1, "MEDIUM": 1, "LOW": 2}
    assert read_links(out, clusters)
    assert [stage(r) for r in server.seen] == ["draft", "entities", "questions"] * 4
    assert [r["temperature"] for r in server.seen] == [1.2, 0.1, 0.1] * 4


def test_another_model_may_check(server: Scripted, tmp_path: Path) -> None:
    """The first stage goes to one model, the second to another; each has the budget."""
    done = generate(server, tmp_path / "out", "--checker", "small", "--at-once", 2)
    assert done.exit_code == 0
    asked = Counter((stage(r), r["model"]) for r in server.seen)
    assert asked == {("draft", "scripted"): 4, ("entities", "small"): 4, ("questions", "small"): 4}
    assert done.output.count("requests") == 2
    assert generate(server, tmp_path / "out", "--at-once", 2).exit_code == 1


def test_the_truth_is_every_place_of_the_persons_values(server: Scripted, tmp_path: Path) -> None:
    out = tmp_path / "out"
    generate(server, out)
    mentions = [json.loads(line) for line in (out / "mentions.jsonl").read_text().splitlines()]
    counted = Counter(
        (document.id, value)
        for cluster in read_clusters(out)
        for document in cluster.documents
        for value, _ in cluster.person.entities
        if value in document.content
    )
    assert Counter((m["document"], m["original_value"]) for m in mentions) == counted
    texts = {d.id: d.content for cluster in read_clusters(out) for d in cluster.documents}
    assert all(texts[m["document"]][m["start"] : m["end"]] == m["original_value"] for m in mentions)


def test_the_same_order_and_answers_give_the_same_bytes(server: Scripted, tmp_path: Path) -> None:
    for name in ("a", "b"):
        generate(server, tmp_path / name)
        forget(tmp_path)
    generate(server, tmp_path / "c", "--seed", 1)
    assert digest(tmp_path / "a") == digest(tmp_path / "b") != digest(tmp_path / "c")


def test_risks_are_forty_forty_twenty_and_drawn_by_the_seed() -> None:
    risks = [[b.risk for b in briefs(Order(clusters=11, seed=seed))] for seed in (0, 0, 1)]
    assert Counter(risks[0]) == {"HIGH": 4, "MEDIUM": 4, "LOW": 3}
    assert risks[0] == risks[1] != risks[2]


def test_a_brief_forbids_what_its_risk_does_not_show() -> None:
    allowed = {brief.risk: brief.allowed for brief in briefs(Order(clusters=10))}
    assert len(allowed["HIGH"]) == 17
    assert set(allowed["HIGH"]) - set(allowed["MEDIUM"]) == {"NAME"}
    assert len(allowed["LOW"]) == 12


def test_a_draft_is_told_of_the_clusters_before_it(server: Scripted, tmp_path: Path) -> None:
    generate(server, tmp_path / "out")
    made = [
        json.loads(path.read_text("utf-8"))["metadata"]
        for path in sorted((tmp_path / "out" / "files").iterdir())
    ]
    drafts = [r["messages"][-1]["content"] for r in server.seen if stage(r) == "draft"]
    for number, draft in enumerate(drafts):
        for other, metadata in enumerate(made):
            values = {kind: value for value, kind in metadata["person"]["entities"]}
            for text in (metadata["content_summary"], values["LOCATION"]):
                assert (text in draft) == (other < number)


def test_clusters_side_by_side_do_not_know_each_other(server: Scripted, tmp_path: Path) -> None:
    generate(server, tmp_path / "out", "--at-once", 3)
    drafts = [r["messages"][-1]["content"] for r in server.seen if stage(r) == "draft"]
    assert ["Don't repeat" in draft for draft in drafts] == [False, False, False, True]
    assert server.most <= 2, "no more at once than connections"


# ── drafts that are discarded ───────────────────────────────────────────────────────────────────


def first(of: str, spoil: Callable[[Said], Any]) -> Callable[[Said], Any]:
    """Answer well, but spoil the first answer of a stage."""
    left = [of]

    def answer(request: Said) -> Any:
        said = good(request)
        if stage(request) in left:
            left.clear()
            return spoil(said)
        return said

    return answer


def changed(said: Said, *path: Any, to: Any) -> Said:
    """Set what a path leads to; a function is given what stands there."""
    inner: Any = said
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to(inner[path[-1]]) if callable(to) else to
    return said


CONTENT = ("documents", 0, "content")
SPOILT: list[tuple[str, str, Callable[[Said], Any]]] = [
    ("draft", "answer", lambda s: "I'd rather not write JSON."),
    ("draft", "answer", lambda s: {**s, "extra": 1}),
    ("draft", "answer", lambda s: reply(s, finish="content_filter")),
    ("draft", "answer", lambda s: reply(json.dumps(s)[:-20], finish="length")),
    ("draft", "questions", lambda s: changed(s, "questions", to=lambda q: q[:3])),
    ("draft", "words", lambda s: changed(s, *CONTENT, to="Too short.")),
    ("draft", "document-ids", lambda s: changed(
        s, "documents", 1, "id", to=s["documents"][0]["id"])),
    ("draft", "cluster-id", lambda s: changed(s, "documents", 0, "id", to="../../evil")),
    ("draft", "entity-type", lambda s: changed(s, "entities", 0, 1, to="SHOE_SIZE")),
    ("draft", "tags", lambda s: changed(s, *CONTENT, to=lambda t: f"{t} [NAME]")),
    ("draft", "tags", lambda s: changed(s, *CONTENT, to=lambda t: f"{t} EVENT_DATE")),
    ("draft", "tags", lambda s: changed(
        s, *CONTENT, to=lambda t: f"{t} {s['entities'][0][1]} {s['entities'][0][0]}")),
    ("draft", "stock", lambda s: changed(s, *CONTENT, to=lambda t: f"{t} in Springfield")),
    ("draft", "order", lambda s: changed(
        s, "documents", 0, "format", to=s["documents"][1]["format"])),
    ("entities", "verbatim", lambda s: changed(s, "entities", 0, 0, to="not in any text")),
    ("entities", "entity-repeats", lambda s: changed(s, "entities", to=lambda e: [*e, e[0]])),
    ("entities", "profile", lambda s: {"entities": []}),
    ("questions", "audit", lambda s: changed(s, "questions", 0, "type", to="general")),
    ("questions", "answer", lambda s: changed(s, "questions", 0, "a", to="word " * 16)),
    ("questions", "sources-exist", lambda s: changed(s, "questions", 0, "sources", to=["nowhere"])),
]  # fmt: skip


@pytest.mark.parametrize(("of", "check", "spoil"), SPOILT, ids=[f"{a}-{b}" for a, b, _ in SPOILT])
def test_what_fails_a_check_is_written_anew_and_told_why(
    server: Scripted, tmp_path: Path, of: str, check: str, spoil: Callable[[Said], Any]
) -> None:
    server.answer = first(of, spoil)
    out = tmp_path / "out"
    assert generate(server, out).exit_code == 0
    assert len(read_clusters(out)) == 4
    (line,) = refused(out)
    assert (line["cluster"], line["stage"]) == (0, of)
    assert line["complaints"][0].startswith(f"{check}:")
    second = [r for r in server.seen if stage(r) == "draft"][1]["messages"][-1]["content"]
    assert all(complaint in second for complaint in line["complaints"])
    assert told({"messages": [{"content": second}]}, "Cluster") == "cluster_0"


def test_a_type_that_the_risk_forbids_is_refused(server: Scripted, tmp_path: Path) -> None:
    def answer(request: Said) -> Any:
        said = good(request)
        low = stage(request) == "entities" and "Risk LOW" in request["messages"][0]["content"]
        if low and len(said["entities"]) == 4 and not spoilt:
            spoilt.append(1)
            said["entities"][0][1] = "NAME"
        return said

    spoilt: list[int] = []
    server.answer = answer
    assert generate(server, tmp_path / "out").exit_code == 0
    assert [line["complaints"][0].partition(":")[0] for line in refused(tmp_path / "out")] == [
        "types-by-risk"
    ]


@pytest.mark.parametrize("what", ["person", "question", "text"])
def test_what_an_earlier_cluster_has_is_not_taken_again(
    server: Scripted, tmp_path: Path, what: str
) -> None:
    kept: dict[str, Any] = {}

    def answer(request: Said) -> Any:
        said = good(request)
        if stage(request) != "draft":
            return said
        if kept and "Draft 2" not in request["messages"][-1]["content"]:
            if what == "question":
                said["questions"][3]["q"] = kept["q"].upper()
            elif what == "text":
                said["documents"][3]["content"] = kept["text"]
            else:
                value = said["entities"][0][0]
                for document in said["documents"]:
                    document["content"] = document["content"].replace(value, kept["value"])
                said["entities"][0] = [kept["value"], "NON_PERSONAL_ID"]
        kept.setdefault("q", said["questions"][0]["q"])
        kept.setdefault("text", said["documents"][3]["content"])
        if "value" not in kept:
            kept["value"] = said["entities"][0][0]
            said["entities"][0][1] = "NON_PERSONAL_ID"
        return said

    server.answer = answer
    generate(server, tmp_path / "out")
    log = refused(tmp_path / "out")
    assert log and all(line["complaints"][0].startswith("repeats:") for line in log)


def test_the_log_of_discarded_drafts_holds_no_value(server: Scripted, tmp_path: Path) -> None:
    server.answer = first("entities", lambda s: changed(s, "entities", 1, 0, to="Quist Zebulon"))
    generate(server, tmp_path / "out")
    log = (tmp_path / "out" / "refused.jsonl").read_text("utf-8")
    values = [v for c in read_clusters(tmp_path / "out") for v, _ in c.person.entities]
    assert not [value for value in [*values, "Quist Zebulon"] if value in log]


def test_a_cluster_that_never_comes_right_is_given_up_and_the_others_written(
    server: Scripted, tmp_path: Path
) -> None:
    def answer(request: Said) -> Any:
        bad = stage(request) == "draft" and told(request, "Cluster") == "cluster_1"
        return {} if bad and server.answer is answer else good(request)

    server.answer = answer
    out = tmp_path / "out"
    done = generate(server, out, "--attempts", 3)
    assert done.exit_code == 2 and "1 cluster failed in all of 3 drafts" in done.output
    assert len(read_clusters(out)) == 3 and len(refused(out)) == 3
    asked = len(server.seen)
    assert generate(server, out, "--attempts", 3).exit_code == 2
    assert len(server.seen) == asked
    server.answer = good
    assert generate(server, out, "--attempts", 4).exit_code == 0
    assert len(read_clusters(out)) == 4


def test_lax_makes_the_published_checks_only_but_never_lets_an_id_out_of_the_folder(
    server: Scripted, tmp_path: Path
) -> None:
    server.answer = first("draft", lambda s: changed(s, *CONTENT, to="Too short."))
    out = tmp_path / "out"
    assert generate(server, out, "--lax").exit_code == 0
    assert not (out / "refused.jsonl").exists()
    forget(tmp_path)
    server.answer = first("draft", lambda s: changed(s, "documents", 0, "id", to="../../evil"))
    assert generate(server, tmp_path / "other", "--lax").exit_code == 0
    assert [line["stage"] for line in refused(tmp_path / "other")] == ["draft"]
    assert not list(tmp_path.rglob("*evil*"))


# ── stopping and going on ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("asked", [1, 4, 6, 11])
@pytest.mark.parametrize("how", ["budget", "down", "refuses", "killed"])
def test_work_that_was_stopped_goes_on_to_the_same_bytes(
    server: Scripted, tmp_path: Path, asked: int, how: str
) -> None:
    def spoilt() -> Callable[[Said], Any]:
        return first("questions", lambda s: {"questions": []})

    server.answer = spoilt()
    generate(server, tmp_path / "whole")
    forget(tmp_path)
    assert len(server.seen) > 12

    out, answer = tmp_path / "out", spoilt()
    with pytest.MonkeyPatch.context() as patch:
        words = _stopping(how, asked, server, answer, patch)
        stopped = generate(server, out, *words)
    assert stopped.exit_code == {"budget": 3, "killed": 130}.get(how, 1), stopped.output
    assert how in ("down", "refuses") or "Finished clusters are kept" in stopped.output
    server.answer = answer
    assert generate(server, out).exit_code == 0
    assert digest(out) == digest(tmp_path / "whole")


def _stopping(
    how: str, asked: int, server: Scripted, answer: Callable[[Said], Any], patch: pytest.MonkeyPatch
) -> list[object]:
    """Let so many requests be answered, then stop the work; return the command's options for it."""
    count = [0]

    def failing(request: Said) -> Any:
        count[0] += 1
        denied = Fault(401, {"error": {"message": "no"}})
        return answer(request) if count[0] <= asked else BROKEN if how == "down" else denied

    def interrupted(self: Client, requests: Any) -> Any:
        count[0] += 1
        if count[0] > asked:
            raise KeyboardInterrupt
        return ask_all(self, requests)

    ask_all, server.answer = Client.ask_all, answer
    if how == "budget":
        return ["--llm-budget", asked + 1]  # one finds out what the server can do
    if how == "killed":
        patch.setattr(Client, "ask_all", interrupted)
    else:
        server.answer = failing
    return []


def test_half_a_cluster_and_half_a_line_of_the_log_are_made_good(
    server: Scripted, tmp_path: Path
) -> None:
    server.answer = first("entities", lambda s: {"entities": []})
    out = tmp_path / "out"
    generate(server, out)
    whole = digest(out)
    (out / "files" / "cluster_02.json").unlink()
    for path in list((out / "documents").glob("02_*"))[:2]:
        path.write_text("{", "utf-8")
    with (out / "refused.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"cluster": 2, "sta')
    assert generate(server, out).exit_code == 0
    (out / "refused.jsonl").write_text(json.dumps(refused_line(out)) + "\n", "utf-8")
    assert digest(out) == whole


def refused_line(out: Path) -> Said:
    return json.loads((out / "refused.jsonl").read_text("utf-8").splitlines()[0])


@pytest.mark.parametrize(
    "words", [["--seed", 1], ["--language", "fr"], ["--topic", "dogs"], ["--lax"],
              ["--llm-model", "other"], ["--documents", 25]], ids=str
)  # fmt: skip
def test_a_folder_of_another_order_is_not_gone_on_with(
    server: Scripted, tmp_path: Path, words: list[object]
) -> None:
    generate(server, tmp_path / "out")
    done = generate(server, tmp_path / "out", *words)
    assert done.exit_code == 1 and "other options or another model" in done.output
    assert generate(server, tmp_path / "out", *words, "--overwrite").exit_code == 0


def test_a_finished_corpus_asks_nothing(server: Scripted, tmp_path: Path) -> None:
    generate(server, tmp_path / "out")
    before, asked = digest(tmp_path / "out"), len(server.seen)
    forget(tmp_path)
    assert generate(server, tmp_path / "out").exit_code == 0
    assert (digest(tmp_path / "out"), len(server.seen)) == (before, asked)


def test_options_of_the_other_generator_are_refused(server: Scripted, tmp_path: Path) -> None:
    done = generate(server, tmp_path / "out", "--decoys", 2)
    assert done.exit_code == 1 and "--decoys is for a corpus that no model writes" in done.output


def test_a_folder_that_is_not_ours_is_left_alone(server: Scripted, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("x", "utf-8")
    assert generate(server, tmp_path / "mine", "--overwrite").exit_code == 1
    assert not server.seen
