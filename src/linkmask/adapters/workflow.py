"""The regulations' workflow as a LangGraph graph (formulas.md §14.1), a node per step.

The nodes call what `linkmask mask --policy` calls, in its order, so the results are equal, and
LangGraph is not needed for them. The state holds counts and names, never a value. With a
checkpointer a stopped graph goes on after its last node; what nodes made lies in the run folder.

    with commands.open_release(source, out, settings) as job:
        final = workflow(job, source, out).invoke({})

Needs the extra `workflow`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from linkmask import verify
from linkmask.errors import UsageError
from linkmask.pipeline.jobs.masking_job import Checked
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.planning import regulation

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


def _merged(one: dict[str, int] | None, other: dict[str, int] | None) -> dict[str, int]:
    return {**(one or {}), **(other or {})}


class State(TypedDict, total=False):
    """What the graph knows: plain data, written by one node each.

    `leading` and `decisions` count documents and entities by policy, `issues` findings by kind.
    """

    documents: int
    leading: dict[str, int]
    escalated: int
    decisions: Annotated[dict[str, int], _merged]
    masked: int
    issues: dict[str, int]
    quality_passed: bool
    retry_count: int
    released: int
    set_aside: int


class _Nodes:
    """The steps over one job. What a stopped process lost is made again from the run folder."""

    def __init__(self, job: ReleaseJob, source: Path, out: Path) -> None:
        self._job, self._source, self._out = job, source, out
        self._checked: Checked | None = None

    def ingest(self, state: State) -> State:
        """Read the documents and detect in them, in two passes."""
        self._job.detect()
        self._job.score()
        return {"documents": self._job.analysis.incidence.n_documents, "retry_count": 0}

    def classify(self, state: State) -> State:
        """Tell by what each document holds which policies apply to it, and which one leads."""
        found = self._ready().demands
        routes = Counter(found.route.tolist()) if found else Counter()
        leading: Counter[str] = Counter()
        for route, documents in routes.items():
            leading[found.routes[route].primary] += documents  # type: ignore[union-attr]
        leading.pop("", None)
        return {
            "leading": dict(sorted(leading.items())),
            "escalated": len(list(found.questions())) if found else 0,
        }

    def route(self, state: State) -> list[str]:
        """Justify under every policy that applies somewhere; escalate what nobody knows."""
        applying = {name for one in self._routes() for name in one.applying}
        nodes = [f"justify_{name}" for name in sorted(applying)]
        return [*nodes, *(["escalate"] if state.get("escalated") else [])] or ["anonymize"]

    def justify(self, name: str, state: State) -> State:
        """Count what a policy decided on; the reasons are written with the release."""
        job = self._ready()
        assert job.demands is not None
        reasons = job.reasons().values()
        return {"decisions": {name: sum(why.policy == name for why in reasons)}}

    def escalate(self, state: State) -> State:
        """Set aside the documents that wait for a person's answer."""
        return {"set_aside": len(self._ready().counted.aside)}

    def anonymize(self, state: State) -> State:
        """Plan (entities that the policies demand are masked in any case), and mask."""
        job = self._ready()
        job.plan()
        job.redact()
        assert job.chosen is not None
        return {"masked": len(job.chosen.masked)}

    def quality_check(self, state: State) -> State:
        """Check every masked document."""
        checked = self._check()
        issues = Counter(finding.kind for finding in checked.findings)
        passed = not verify.blocking(checked.findings)
        return {"issues": dict(sorted(issues.items())), "quality_passed": passed}

    def verdict(self, state: State) -> str:
        """Release, or try again while that can help and tries are left."""
        again = self._check().repairable and state["retry_count"] < self._job.tries
        return "retry" if again else "release"

    def retry(self, state: State) -> State:
        """Feed the issues into the run: missed values, stricter techniques."""
        self._job.improve(self._check())
        self._checked = None
        return {"retry_count": state["retry_count"] + 1}

    def release(self, state: State) -> State:
        """Release the documents that passed the check; set the others aside."""
        job, findings = self._job, self._job.accept(self._check())
        audit = job.release(self._source, self._out, findings, show_values=False)
        return {"released": audit.counts["released"], "set_aside": len(audit.set_aside)}

    def _ready(self) -> ReleaseJob:
        """Return the job with the corpus scored."""
        if not hasattr(self._job, "analysis"):
            self._job.reopen()
        return self._job

    def _check(self) -> Checked:
        if self._checked is None:
            job = self._ready()
            if job.chosen is None:
                job.plan()
                job.redact()
            self._checked = job.check()
        return self._checked

    def _routes(self) -> list[Any]:
        found = self._ready().demands
        return list(found.routes) if found else []


def workflow(
    job: ReleaseJob, source: Path, out: Path, *, overwrite: bool = False, checkpointer: Any = None
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the graph over a job that `commands.open_release` opened.

    Raises:
        UsageError: LangGraph is not installed.
    """
    try:
        from langgraph.graph import END, START, StateGraph
    except ImportError:
        raise UsageError("the workflow needs LangGraph: pip install 'linkmask[workflow]'") from None
    job.overwrite |= overwrite
    nodes = _Nodes(job, source, out)
    graph = StateGraph(State)
    justify = [f"justify_{policy.name}" for policy in regulation.policies(job.settings)]
    for name in ("ingest", "classify", "escalate", "anonymize", "quality_check", "retry"):
        graph.add_node(name, getattr(nodes, name))
    graph.add_node("release", nodes.release)
    for name in justify:
        graph.add_node(name, lambda state, name=name: nodes.justify(name[8:], state))
        graph.add_edge(name, "anonymize")
    graph.add_edge(START, "ingest")
    graph.add_edge("ingest", "classify")
    graph.add_conditional_edges("classify", nodes.route, [*justify, "escalate", "anonymize"])
    graph.add_edge("escalate", "anonymize")
    graph.add_edge("anonymize", "quality_check")
    graph.add_conditional_edges("quality_check", nodes.verdict, ["retry", "release"])
    graph.add_edge("retry", "anonymize")
    graph.add_edge("release", END)
    return graph.compile(checkpointer=checkpointer)
