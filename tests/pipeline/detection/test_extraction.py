"""Detection by a model in a whole corpus: both stages, failures, doubt, resuming, the ledger."""

import json
from pathlib import Path

import pytest

from linkmask import verify
from linkmask.config import Settings
from linkmask.errors import BadAnswer, BudgetSpent, Refused
from linkmask.pipeline.detection.extraction import detect_corpus, far_less
from linkmask.pipeline.detection.extraction_cost import estimate
from linkmask.records import Document
from linkmask.runs import Run, ledger
from linkmask.runs.file_names import ASKED
from scripted_models import Scripted, document_of, known_of, naming

ONE = "Otto Roe was seen at Lakeshore Clinic on 12 March 2024 for tremor."
OTHER = "The study at Lakeshore Clinic looked at tremor in cellists."
LONE = "Call Otto Roe at (906) 555-0143 about claim CLM-24-118306, filed 3 May 2024."
CORPUS = [Document("a", ONE), Document("b", OTHER), Document("c", LONE)]
VALUES = {
    "Otto Roe": "NAME",
    "Lakeshore Clinic": "PROVIDER",
    "12 March 2024": "EVENT_DATE",
    "tremor": "MEDICAL_CONDITION",
    "(906) 555-0143": "PHONE_NUMBER",
    "CLM-24-118306": "NON_PERSONAL_ID",
    "3 May 2024": "EVENT_DATE",
}


class Work:
    """Runs of the detector over a corpus, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counted = None

    def __call__(self, reply, documents=CORPUS, model=None, **changes):
        """Detect; return the run's mentions as (document, original, type) with relevance."""
        settings = Settings(**({"detector": "llm", "workers": 1} | changes))
        self.model = model or Scripted(reply)
        with Run.resume(self.folder, settings, source=self.folder, digest="") as run:
            self.counted = detect_corpus(lambda: iter(documents), run, settings, self.model)
            return {(m.document, m.original, m.type): m for m in run.mentions()}

    @property
    def summary(self):
        return ledger.summary(self.folder)

    @property
    def aside(self):
        return {name: item.reason for name, item in self.counted.aside.items()}


@pytest.fixture
def work(tmp_path):
    return Work(tmp_path / "run")


# ── two stages ──────────────────────────────────────────────────────────────────────────────────


def test_each_document_is_asked_about_twice_and_the_second_time_beside_the_list(work):
    found = work(naming(VALUES))
    names = [(request.name, document_of(request)[:8]) for request in work.model.asked]
    assert names == [
        (stage, text[:8]) for stage in ("stage1/1", "stage2/1") for text in (ONE, OTHER, LONE)
    ]
    lists = [known_of(request) for request in work.model.asked[3:]]
    assert '["tremor", "MEDICAL_CONDITION"]' in lists[1]
    assert '["lakeshore clinic", "PROVIDER"]' in lists[1]
    assert "0.9" not in "".join(lists)
    assert {key[1] for key in found} == set(VALUES)
    assert {m.why.rule for m in found.values()} == {"stage1/1+stage2/1"}


def second_only(extra, first):
    """Answer `first` in stage 1 and `extra` in stage 2."""

    def reply(request):
        return naming(first if request.name.startswith("stage1") else extra)(request)

    return reply


STAGES = second_only({"tremor": "MEDICAL_CONDITION"}, {"Otto Roe": "NAME"})


def test_union_keeps_what_either_stage_found(work):
    found = work(STAGES, llm_doubted="release")
    assert {key[1] for key in found} == {"Otto Roe", "tremor"}
    assert found["a", "Otto Roe", "NAME"].why.rule == "stage1/1"
    assert found["b", "tremor", "MEDICAL_CONDITION"].why.rule == "stage2/1"


def test_stage2_only_keeps_what_the_second_found(work):
    found = work(STAGES, merge="stage2_only", llm_doubted="release")
    assert {key[1] for key in found} == {"tremor"}


def test_a_name_that_the_second_stage_alone_lost_keeps_its_document_back(work):
    work(STAGES, merge="stage2_only", llm_doubted="release")
    with Run.open(work.folder) as run:
        lost = list(verify.lost_identifiers(run, run.settings))
    assert [(one.document, one.kind, one.blocking) for one in lost] == [
        ("a", "lost", True),
        ("c", "lost", True),
    ]


def test_beside_a_model_that_must_find_all_again_patterns_keep_what_they_saw(work):
    """Also where the model's longer span had won over theirs in stage 1."""
    longer = second_only({}, {"at (906) 555-0143": "PHONE_NUMBER"})
    found = work(longer, detector="embedded+llm", merge="stage2_only", filter_strength=1.0)
    assert ("c", "(906) 555-0143", "PHONE_NUMBER") in found


def test_the_second_stage_scores_afresh(work):
    def reply(request):
        return naming(VALUES, 0.9 if request.name.startswith("stage1") else 0.3)(request)

    assert {m.relevance for m in work(reply).values()} == {0.3}


def test_without_the_corpus_pass_there_is_but_one_stage(work):
    found = work(naming(VALUES), corpus_pass=False)
    assert len(work.model.asked) == 3
    assert {key[1] for key in found} == set(VALUES)


def test_values_are_brought_to_the_form_that_all_detectors_share(work):
    rows = [["12 March 2024", "12/03/2024", "EVENT_DATE", 0.9]]
    found = work(lambda r: {"entities": rows}, [CORPUS[0]], llm_dates="dmy", llm_doubted="release")
    assert [m.value for m in found.values()] == ["2024-03-12"]
    assert rows[0][1] != "2024-03-12"


# ── beside the embedded detector ────────────────────────────────────────────────────────────────


def test_beside_the_embedded_detector_nothing_it_finds_is_lost(work, tmp_path):
    alone = Work(tmp_path / "other")(naming({}), detector="embedded+llm")
    both = work(naming({"cellists": "INDIRECT_IDENTIFIER"}), detector="embedded+llm")
    assert ("b", "cellists", "INDIRECT_IDENTIFIER") in both
    for key, mention in alone.items():
        assert both[key].relevance >= mention.relevance
    assert ("c", "(906) 555-0143", "PHONE_NUMBER") in alone


def test_a_model_cannot_talk_down_what_patterns_find(work):
    rows = dict.fromkeys((LONE, "Call Otto Roe at (906) 555-0143 about"), "DEMOGRAPHIC")
    found = work(naming(rows, 0.0), [CORPUS[2]], detector="embedded+llm")
    assert ("c", "(906) 555-0143", "PHONE_NUMBER") in found
    assert ("c", "Otto Roe", "NAME") in found
    assert "weaker than what patterns saw there" in work.summary["dropped"]


# ── failures ────────────────────────────────────────────────────────────────────────────────────


def failing(text, error, stage="stage"):
    def reply(request):
        here = text in document_of(request) and request.name.startswith(stage)
        return error if here else naming(VALUES)(request)

    return reply


@pytest.mark.parametrize("error", [BadAnswer("x"), Refused("x")], ids=["bad", "refused"])
@pytest.mark.parametrize("stage", ["stage1", "stage2"])
def test_a_document_without_an_answer_is_set_aside_and_the_rest_goes_on(work, error, stage):
    found = work(failing("study", error, stage))
    kind = type(error).__name__
    assert work.aside == {"b": f"the model gave no answer that can be used ({kind})"}
    assert {key[0] for key in found} == {"a", "c"}
    assert work.summary["set_aside"] == 1


def test_beside_the_embedded_detector_it_may_stay_on_what_that_found_and_is_marked(work):
    found = work(failing("Call", Refused("x")), detector="embedded+llm", llm_failed="embedded")
    assert work.aside == {}
    assert ("c", "(906) 555-0143", "PHONE_NUMBER") in found
    assert work.summary["embedded_only"] == ["c"]


def test_unless_told_so_it_is_set_aside_there_too(work):
    work(failing("Call", Refused("x")), detector="embedded+llm")
    assert list(work.aside) == ["c"]
    assert work.summary["embedded_only"] == []


def test_a_document_that_failed_is_asked_about_again_by_the_next_run(work):
    work(failing("study", Refused("x")))
    found = work(naming(VALUES))
    assert {document_of(request) for request in work.model.asked} == {OTHER}
    assert work.aside == {}
    assert ("b", "tremor", "MEDICAL_CONDITION") in found


def test_a_spent_budget_stops_the_run_and_the_next_one_goes_on_from_there(work):
    def spent(request):
        return BudgetSpent("spent") if "Call" in document_of(request) else naming(VALUES)(request)

    with pytest.raises(BudgetSpent):
        work(spent)
    found = work(naming(VALUES))
    asked = [(request.name[:6], document_of(request)[:4]) for request in work.model.asked]
    assert asked[0] == ("stage1", "Call")
    assert len(asked) == 4
    assert {key[1] for key in found} == set(VALUES)


# ── doubt ───────────────────────────────────────────────────────────────────────────────────────


def obeying(request):
    """A model that was talked out of everything in one document."""
    return {"entities": []} if "Call" in document_of(request) else naming(VALUES)(request)


def test_a_document_in_which_the_model_finds_far_less_than_patterns_is_set_aside(work):
    work(obeying)
    assert list(work.aside) == ["c"]
    assert work.summary["review"] == ["c"]


def test_beside_the_embedded_detector_it_is_released_and_listed_for_review(work):
    found = work(obeying, detector="embedded+llm")
    assert work.aside == {}
    assert ("c", "(906) 555-0143", "PHONE_NUMBER") in found
    assert work.summary["review"] == ["c"]


def test_it_is_released_where_the_user_says_so_and_still_listed(work):
    work(obeying, llm_doubted="release")
    assert work.aside == {}
    assert work.summary["review"] == ["c"]


def test_a_second_stage_that_loses_what_the_first_found_is_doubted_too(work):
    def reply(request):
        return obeying(request) if request.name == "stage2/1" else naming(VALUES)(request)

    work(reply, merge="stage2_only")
    assert list(work.aside) == ["c"]


def test_nothing_seen_is_no_reason_to_doubt():
    assert not far_less([], [], Settings())


# ── the ledger ──────────────────────────────────────────────────────────────────────────────────


def test_tokens_time_and_drops_are_kept_by_document_and_summed_up(work):
    def reply(request):
        said = naming(VALUES)(request)
        return {"entities": [*said["entities"], ["Nobody Here", "x", "NAME", 1], ["x"]]}

    work(reply)
    lines = [json.loads(line) for line in (work.folder / ASKED).read_text().splitlines()]
    assert [(line["document"], line["stage"]) for line in lines] == [
        (name, stage) for stage in ("stage1", "stage2") for name in "abc"
    ]
    assert lines[0]["tokens_in"] == 100
    summary = work.summary
    assert (summary["documents"], summary["requests"], summary["tokens_in"]) == (3, 6, 600)
    assert summary["tokens_per_document"] == {"median": 220, "most": 220}
    assert summary["dropped"] == {"not four items": 6, "not in the text": 6}
    assert (work.folder / ASKED).stat().st_mode & 0o077 == 0


def test_what_could_not_be_used_is_counted_among_the_cost(work):
    def reply(request):
        error = BadAnswer("no")
        error.tokens_in, error.tokens_out, error.seconds = 300, 15, 1.5
        return error

    work(reply, CORPUS[:1])
    summary = work.summary
    assert (summary["tokens_in"], summary["tokens_out"], summary["seconds"]) == (300, 15, 1.5)


def test_a_run_holds_the_same_mentions_whatever_the_number_of_workers(work, tmp_path):
    many = [Document(f"d{n}", f"{text} Visit {n}.") for n in range(100) for text in (ONE, OTHER)]
    many = [Document(f"d{n}", one.content) for n, one in enumerate(many)]
    other = Work(tmp_path / "other")
    work(naming(VALUES), many, workers=1, detector="embedded+llm")
    other(naming(VALUES), many, workers=2, detector="embedded+llm")
    for name in ("stage1.jsonl", "mentions.jsonl", ASKED):
        assert (work.folder / name).read_bytes() == (other.folder / name).read_bytes()


# ── before anything is asked ────────────────────────────────────────────────────────────────────


def test_an_estimate_counts_the_first_stage_exactly_and_asks_nobody(work, tmp_path):
    settings = Settings(llm_cache=str(tmp_path / "none.sqlite"), llm_model="m", llm_url="http://x")
    stages = estimate(lambda: iter(CORPUS), settings)
    work(naming({}), llm_doubted="release")
    first = [request for request in work.model.asked if request.name == "stage1/1"]
    assert stages["stage1"].requests == len(first)
    assert stages["stage2"].requests == len(first)
    assert stages["stage1"].tokens_in < stages["stage2"].tokens_in
    assert list(estimate(lambda: iter([]), Settings(corpus_pass=False))) == ["stage1"]
