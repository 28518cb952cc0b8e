"""The graph does what `linkmask mask --policy` does, and goes on where it was stopped."""

import json
from pathlib import Path

import pytest

from linkmask import commands, load
from linkmask.errors import UsageError

pytest.importorskip("langgraph", reason="the extra `workflow` is not installed")

from langgraph.checkpoint.memory import InMemorySaver

from linkmask.adapters.workflow import workflow

TEXTS = {
    "claim": "Martha Quill paid with card 4242 4242 4242 4242, CVV 123, for her sarcoidosis care.",
    "memo": "Martha Quill, born 12 March 1951, called on 3 June 2024.",
    "notice": "The rules of the plan were changed in 2023.",
}
SETTINGS = load(
    overrides={"policy": "gdpr,hipaa,pci", "workers": 1, "unkeyed": True}, environment={}
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in TEXTS.items():
        record = {"id": name, "metadata": {}, "content": text}
        (folder / f"{name}.json").write_text(json.dumps(record))
    return folder


def released(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "documents").iterdir())}


def test_the_graph_releases_what_the_command_releases(source: Path, tmp_path: Path) -> None:
    """Same documents, byte for byte, and same decisions, but for the labels of entities."""
    with commands.open_release(source, tmp_path / "graph", SETTINGS) as job:
        final = workflow(job, source, tmp_path / "graph").invoke({})
    commands.mask_files(source, tmp_path / "plain", SETTINGS)
    assert released(tmp_path / "graph") == released(tmp_path / "plain")
    decisions = []
    for way in ("graph", "plain"):
        lines = (tmp_path / way / "decisions.jsonl").read_text().splitlines()
        decisions.append([{**json.loads(line), "entity": ""} for line in lines])  # keyed by run
    assert decisions[0] == decisions[1] and decisions[0]
    assert final["quality_passed"] and final["released"] == 3
    assert final["leading"] == {"gdpr": 2, "pci": 1}


def test_the_state_holds_no_value(source: Path, tmp_path: Path) -> None:
    """What a checkpointer keeps is counts and names of policies."""
    keeper = InMemorySaver()
    thread = {"configurable": {"thread_id": "one"}}
    with commands.open_release(source, tmp_path / "out", SETTINGS) as job:
        workflow(job, source, tmp_path / "out", checkpointer=keeper).invoke({}, thread)
    kept = str(list(keeper.list(thread)))
    assert "gdpr" in kept and not any(word in kept for word in ("Quill", "4242 4242", "March 1951"))


def test_a_stopped_graph_goes_on_after_its_last_node(source: Path, tmp_path: Path) -> None:
    """A new process, the same checkpoints and run folder: nothing is detected twice."""
    keeper, thread = InMemorySaver(), {"configurable": {"thread_id": "one"}}
    out = tmp_path / "out"
    with commands.open_release(source, out, SETTINGS) as job:
        graph = workflow(job, source, out, checkpointer=keeper)
        graph.invoke({}, thread, interrupt_before=["anonymize"])
        assert graph.get_state(thread).next == ("anonymize",)
    with commands.open_release(source, out, SETTINGS) as job:
        job.scan = lambda *rest: pytest.fail("detected again")  # type: ignore[method-assign]
        final = workflow(job, source, out, checkpointer=keeper).invoke(None, thread)
    commands.mask_files(source, tmp_path / "plain", SETTINGS)
    assert final["released"] == 3 and released(out) == released(tmp_path / "plain")


def test_without_langgraph_one_line_says_what_to_install(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is named."""
    monkeypatch.setitem(__import__("sys").modules, "langgraph.graph", None)
    with (
        commands.open_release(source, tmp_path / "out", SETTINGS) as job,
        pytest.raises(UsageError, match=r"linkmask\[workflow\]"),
    ):
        workflow(job, source, tmp_path / "out")
