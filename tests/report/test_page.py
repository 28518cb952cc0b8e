"""The report page: right numbers, nothing from outside, no value unless asked, nothing hostile."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from linkmask.config import Settings, load
from linkmask.records import (
    Chains,
    Finding,
    Incidence,
    Links,
    Plan,
    PlanSize,
    Risk,
    SetAside,
    TreatedChains,
)
from linkmask.report.audit import RunFigures, audit
from linkmask.report.page import render
from linkmask.report.page.graph_picture import GraphPicture
from linkmask.report.page.terms import TERMS, anchor

VOID = {"meta", "link", "br", "hr", "img", "input"}
SVG = {"path", "rect", "circle", "text", "g", "svg", "title", "desc"}


class Page(HTMLParser):
    """Checks that tags are balanced; collects text, ids, anchors, tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


def page(small, planned=True, values=None, **given):
    made = small.audit(planned, **given)
    plan, after = (small.plan, small.after) if planned else (None, None)
    return render(made, small.incidence, small.before, plan=plan, after=after, values=values)


def empty() -> tuple[Incidence, Risk, Plan, Settings]:
    """A run over no document."""
    none, ints = np.zeros(0), np.zeros(0, dtype=np.int32)
    incidence = Incidence(
        [], [], (), np.zeros(1, dtype=np.int64), ints, none, ints, ints, none, none
    )
    pairs = np.zeros((0, 2), dtype=np.int32)
    risk = Risk(none, Links(ints, ints, none), Chains(pairs, none, {}))
    treated = TreatedChains(
        pairs, none, none, none, np.zeros(0, dtype=np.int8), np.zeros(0, dtype=np.bool_)
    )
    plan = Plan(ints, [], none, ints, none, none, treated, PlanSize(0, 0, True, "cover"), ints)
    return incidence, risk, plan, load(environment={})


def test_numbers_are_those_reckoned_by_hand(small):
    """u(2 of 4) = log 2.5 / log 5 = 0.5693; R(a1) = 1 − 0.4307 · 0.6584 · 0.8254 = 0.766."""
    text = Page(page(small)).text
    assert "2 of 4 entities masked in 4 documents; all of them released." in text
    assert "Links left 0 from 1" in text
    assert "Key: the documents in the picture" in text
    assert re.search(r"a1 0\.766 0\.175", text)  # what is left of a1: 0.3174 · 0.55
    assert re.search(r"a1 – b2 3 entities 0\.766 0\.175", text)
    assert "with N = 4" in text
    assert "all types 1 0 1 2" in text  # floor, document, chain, kept
    assert "proven minimal" in text


def test_one_look_says_what_was_masked_what_is_exposed_and_what_was_lost(small):
    """Shares of −log(1 − c) over all documents, reckoned by hand, c up to 0.999."""
    held = small.incidence
    weight = [0.0] * 4
    for d in range(4):
        for k in range(held.start[d], held.start[d + 1]):
            e = held.entity[k]
            c = held.relevance[k] * held.uniqueness[e] * held.weight[e]
            weight[e] -= math.log(1 - min(c, 0.999))
    readable = sum(weight[small.number[kind]] for kind in ("AGE", "LOCATION"))
    text = Page(page(small)).text
    assert text.index("At a glance") < text.index("Documents 4")
    assert "What was masked 2 of 4 distinct values are masked, in 5 places" in text
    assert f"What an attacker still gets {100 * readable / sum(weight):.1f} %" in text
    assert "What a reader lost 50.0 %" in text  # 4 of 8 pairs: the small corpus has no characters
    assert "At a glance" not in Page(page(small, planned=False)).text


def test_the_riskiest_document_of_a_kept_entity_is_one_that_holds_it(small):
    """Also where reports name entities by labels, whose order is not that of the ids."""
    for salt in (b"", b"0123456789abcdef", b"another salt here"):
        salted = replace(small, incidence=replace(small.incidence, salt=salt))
        text = Page(page(salted)).text
        assert re.search(r"AGE 0\.\d+ 1 0\.489", text)  # it stands in b2 alone
        assert re.search(r"LOCATION 0\.\d+ 3 0\.489", text)


def test_words_of_tables_lead_to_what_they_mean_and_every_list_to_a_next_step(small):
    seen = Page(page(small))
    ids = set(seen.all("id"))
    assert {"term-contribution-c", "term-stage", "term-gain-served"} <= ids
    assert {f"#{one}" for one in ids if one.startswith("term-") and one != "term-relevance"} & set(
        seen.all("href")
    )
    assert {anchor(term) for term in TERMS.values()} <= ids
    for command in ("review RUN", "explain RUN --entity ID", "explain RUN --document ID"):
        assert f"linkmask {command}" in seen.text


def test_verdict_comes_first_and_is_good_only_when_all_is_well(small):
    text = Page(page(small)).text
    assert text.index("Under the limits") < text.index("Counts")
    assert "Every document lies below 0.95" in text
    assert "Verification found no masked value left" in text
    line = "The check looks for what was detected, and not what detection misses."
    assert text.index(line) < text.index("Counts")
    assert "Read a random sample: linkmask review." in text


def test_chains_are_said_to_be_those_of_before_masking(small):
    text = Page(page(small)).text
    assert "The same chains after masking: 1 between 0.116 and 0.116." in text
    assert "Chains are those" not in Page(page(small, planned=False)).text


def test_pairs_of_entity_and_document_are_not_called_mentions(small):
    text = Page(page(small)).text
    assert "Entity–document pairs 8" in text
    assert "Mentions" not in text


def test_the_riskiest_documents_say_what_drives_their_risk(small):
    """b2 keeps age and place: 0.44 and 0.0873, so R = 0.489; a1 the place alone."""
    text = Page(page(small)).text
    assert re.search(r"b2 0\.\d+ 0\.489 0\.116 AGE 0\.440, LOCATION 0\.087", text)
    assert "driven by" in text


def test_links_are_weakened_below_the_threshold_not_cut(small):
    text = Page(page(small)).text
    assert "weakened below 0.3" in text
    assert "cut by masking" not in text


def test_pairs_that_were_not_compared_stand_against_the_verdict(small):
    links = replace(small.before.links, blocked=12)
    some = replace(small, before=replace(small.before, links=links))
    text = Page(page(some)).text
    assert "Not shown to be under the limits" in text
    assert "12 pairs of documents were not compared: raise group_budget." in text


def test_decisions_of_a_person_are_counted(small):
    ids = small.incidence.entities
    chosen = {"never_mask": (ids[small.number["LOCATION"]],), "always_mask": (ids[0], ids[1])}
    decided = replace(small, settings=load(overrides=chosen, environment={}))
    text = Page(page(decided)).text
    assert "Of these, 2 entities are masked because somebody decided so (plan --mask)" in text
    assert "1 entity stays because somebody decided so (plan --keep)." in text
    assert "somebody" not in Page(page(small)).text.replace("about somebody", "").replace(
        "somebody could follow", ""
    )


def test_unmet_chains_name_the_stage_their_risk_is_of(small):
    assert "when the chain stage began" in Page(page(small.unmet())).text


def test_an_unmet_limit_is_said_with_its_reason(small):
    text = Page(page(small.unmet())).text
    assert "Not under the limits" in text
    assert "1 chain above target." in text
    assert "no entity left that lowers its risk" in text


def test_set_aside_documents_and_findings_are_counted_by_reason(small, aside, findings):
    html = page(small, set_aside=aside, findings=findings)
    text = Page(html).text
    assert "Under the limits, with documents set aside" in text
    assert "2 documents set aside and not released" in text
    assert "read not valid JSON 1 e5" in text
    assert "leftover 1 a masked value, in a known form, still stands" in text
    assert "1 finding kept a document from being released." in text


def test_without_verification_the_verdict_says_so(small):
    assert "Under the limits, not verified" in Page(page(small, findings=None)).text


def test_a_scan_says_that_nothing_was_masked(small):
    text = Page(page(small, planned=False)).text
    assert "Scan only: nothing was masked" in text
    assert "What was masked" not in text
    assert "after masking" not in text


def test_no_document_gives_a_page_too():
    incidence, risk, plan, settings = empty()
    made = audit(incidence, risk, settings, RunFigures(), plan=plan, after=risk, findings=[])
    assert "Nothing to mask" in Page(render(made, incidence, risk, plan=plan, after=risk)).text


def test_nothing_masked_gives_a_page_too(small):
    plan = replace(
        small.plan,
        masked=small.plan.masked[:0],
        stage=[],
        gain=small.plan.gain[:0],
        served=small.plan.served[:0],
        after=small.before.documents,
        size=PlanSize(0, 0, True, "cover"),
    )
    quiet = replace(small, plan=plan, after=small.before)
    text = Page(page(quiet)).text
    assert "0 of 4 entities masked" in text
    assert "none had to be masked" in text


@pytest.mark.parametrize("planned", [True, False])
def test_no_value_stands_on_the_page_unless_given(small, planned):
    html = page(small, planned)
    for mention in small.mentions:
        if len(mention.original) > 2:
            assert mention.original.lower() not in html.lower()
            assert mention.value not in html
    assert "This report holds no value" in html


def test_given_values_are_shown_and_the_page_calls_itself_private(small):
    text = Page(page(small, values={one[:12]: value for one, value in small.values.items()})).text
    assert "Ada Quill" in text
    assert "Harbour Town" in text
    assert "keep it as private as the originals" in text


def test_something_new_in_the_masked_text_is_said_at_the_head(small, findings):
    new = Finding("a1", "new-value", "not found before masking: 1 NAME", blocking=False)
    said = "It found something new in the masked text (1 finding of kind new-value)"
    text = Page(page(small, findings=[new])).text
    assert said in text
    assert "linkmask verify OUT --json says in which documents" in text
    assert said not in Page(page(small)).text


@pytest.mark.parametrize(("alone", "said"), [(1, "1 document without a link is"), (2, "link are")])
def test_documents_without_a_link_are_counted_in_their_number(alone, said):
    assert f"{said} not drawn." in GraphPicture([], [], 3, 1, 3 + alone, 0.95, 0.3).words()


def test_a_plan_that_was_kept_is_not_said_to_be_solved(small):
    size = replace(small.plan.size, proven=False, solver="kept")
    text = Page(page(replace(small, plan=replace(small.plan, size=size)))).text
    assert "masked 1 entity, as the plan that was applied has it." in text
    assert "was not computed" not in text


def test_a_number_of_which_nothing_is_proven_is_not_called_minimal(small):
    """So it is by solver exact, too, where costs differ."""
    size = replace(small.plan.size, lower_bound=0, proven=False, solver="exact")
    text = Page(page(replace(small, plan=replace(small.plan, size=size)))).text
    assert "proves it where each mask costs the same (cost “count”, no questions)" in text
    assert "proven" not in text


def test_ids_and_names_that_hold_values_are_warned_of(small):
    made = small.audit()
    counts = {**made.counts, "leaking_ids": 2, "leaking_documents": 3}
    html = render(
        replace(made, counts=counts), small.incidence, small.before, plan=small.plan,
        after=small.after,
    )  # fmt: skip
    text = Page(html).text
    said = "A masked value, or a person's name, stands in the file name or the id of 3 documents"
    assert said in text
    assert "documents whose ids hold one are called by their number" in text


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></svg><b>",
    "\u202etxt.exe\x1b[31m\ud800\x00",
]


def test_hostile_ids_values_and_names_are_only_text(small_with):
    small = small_with(HOSTILE)
    values = {entity: HOSTILE[k] for k, entity in enumerate(small.incidence.entities)}
    made = small.audit(set_aside=[SetAside(HOSTILE[0], "read", HOSTILE[1])])
    made = replace(made, input={**made.input, "name": HOSTILE[2]})
    html = render(
        made, small.incidence, small.before, plan=small.plan, after=small.after, values=values
    )
    seen = Page(html)
    assert "<script>alert(1)</script>" in seen.text  # as text, with nothing of it carried out
    assert not {"script", "img", "b", "iframe", "object"} & set(seen.tags)
    assert not [name for _, name, _ in seen.attributes if name.startswith("on")]
    assert not re.search("[\u202e\x1b\x00\ud800]", html)
    html.encode("utf-8")


def test_page_is_balanced_and_anchors_lead_somewhere(small):
    seen = Page(page(small))
    ids = seen.all("id")
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in seen.all("href") if href.startswith("#")} <= set(ids)
    labels = {name for value in seen.all("aria-labelledby") for name in value.split()}
    assert labels <= set(ids)
    assert ("html", "lang", "en") in seen.attributes
    assert seen.tags.count("h1") == 1
    assert seen.tags.count("table") == seen.tags.count("caption")


def test_page_asks_for_nothing(small):
    html = page(small)
    seen = Page(html)
    assert not re.search(r"https?://|url\(|@import", html)
    assert not seen.all("src")
    assert all(href.startswith("#") or href == "data:," for href in seen.all("href"))
    assert not {"script", "iframe", "object", "embed", "base", "form"} & set(seen.tags)
    assert not seen.all("style")  # the policy below forbids them


def test_policy_allows_its_own_style_and_nothing_else(small):
    html = page(small)
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    policy = Page(html).all("content")[0]
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")


def test_settings_that_differ_from_the_preset_are_named(small):
    text = Page(page(small)).text
    assert "Preset “insurance” with 2 settings changed." in text
    assert "edge_threshold 0.3 0.5" in text


def test_same_run_gives_the_same_page(small):
    assert page(small) == page(small)


def test_risk_just_below_a_limit_is_not_rounded_up_to_it(small):
    after = small.plan.after.copy()
    after[0] = 0.94999
    near = replace(small, plan=replace(small.plan, after=after))
    assert "&lt;0.950" in page(near)


def test_links_and_chains_of_many_documents_stay_under_a_megabyte():
    """Long ids, thousands of set-aside reasons and links: lists are cut, and say so."""
    n = 3000
    draw = np.random.default_rng(1)
    left, right = np.triu_indices(120, k=1)
    strength = draw.uniform(0.5, 0.99, len(left))
    ids = [f"{k:05}-" + "x" * 300 for k in range(n)]
    entity = np.repeat(np.arange(n, dtype=np.int32), 1)
    incidence = Incidence(
        ids, [f"{k:032x}" for k in range(n)], ("NAME",), np.arange(n + 1), entity, np.ones(n),
        np.zeros(n, dtype=np.int32), np.ones(n, dtype=np.int32), np.ones(n), np.ones(n),
    )  # fmt: skip
    pairs = np.stack([left, right], axis=1).astype(np.int32)
    order = np.argsort(-strength)
    chains = Chains(pairs[order], strength[order], {"HIGH": len(left)})
    links = Links(left.astype(np.int32), right.astype(np.int32), strength)
    before = Risk(np.ones(n), links, chains)
    aside = [SetAside(name, "read", f"reason {k}") for k, name in enumerate(ids)]
    settings = load(environment={})
    made = audit(incidence, before, settings, RunFigures(name="many"), set_aside=aside)
    html = render(made, incidence, before)
    seen = Page(html)
    assert len(html.encode()) < 1_000_000
    assert "The first 50 of 3,000 reasons." in seen.text
    assert "Shown are 60 documents out of 120 linked ones" in seen.text


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", block))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_words_stand_out_from_every_ground_by_at_least_4_5_to_1(small, scheme):
    """WCAG 2 AA, for text; 3 to 1 for the parts of bars and pictures."""
    style = re.search(r"<style>(.*?)</style>", page(small), re.DOTALL)[1]
    palette = colours(re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme])

    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(palette[one]), luminance(palette[other])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for ground in ("paper", "card", "good-back", "warn-back", "bad-back", "calm-back"):
        assert contrast("ink", ground) >= 7
    for ground in ("paper", "card"):
        for words in ("soft", "accent", "high", "medium", "low", "good"):
            assert contrast(words, ground) >= 4.5, (words, ground)
        for part in ("floor", "document", "chain"):
            assert contrast(part, ground) >= 3, (part, ground)
