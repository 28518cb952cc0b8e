"""The learned resolver keeps the disjoint spans with the largest sum, and what is certain first."""

from itertools import combinations, pairwise
from random import Random

from training.resolver import Span, heaviest, resolved, spans

from linkmask.detect.candidates import Candidate


def span(start: int, end: int, kind: str = "EVENT", score: float = 0.5) -> Span:
    return Span(start, end, kind, (Candidate(start, end, kind, "patterns", "x", score),))


def test_no_other_disjoint_spans_weigh_more() -> None:
    """Checked by brute force over all subsets of eight random spans."""
    for seed in range(40):
        draw = Random(seed)
        starts = [draw.randrange(12) for _ in range(8)]
        weighed = [(span(at, at + draw.randint(1, 5)), draw.randint(1, 9) / 10) for at in starts]
        best = 0.0
        for size in range(9):
            for some in combinations(weighed, size):
                order = sorted(one[:2] for one, _ in some)
                if all(a[1] <= b[0] for a, b in pairwise(order)):
                    best = max(best, sum(weight for _, weight in some))
        kept = heaviest(weighed)
        weights = {id(one): weight for one, weight in weighed}
        assert abs(sum(weights[id(one)] for one in kept) - best) < 1e-9


def test_what_is_certain_stays_whatever_its_chance() -> None:
    certain, longer = span(3, 6, score=1.0), span(0, 9)
    assert resolved([certain, longer], lambda one: (float(one is longer), 1.0)) == [certain]


def test_a_rules_find_of_the_floor_comes_before_a_longer_fact() -> None:
    name, fact = span(3, 6, "NAME"), span(0, 9, "UNIQUE_FACT")
    assert resolved([name, fact], lambda one: (float(one is fact), 1.0)) == [name]


def test_a_rules_span_and_the_taggers_are_proposed_together() -> None:
    rule = Candidate(0, 5, "NAME", "lexicon", "listed", 0.7)
    tagger = Candidate(3, 9, "NAME", "ner", "name", 0.9)
    assert [one[:3] for one in spans([rule, tagger])] == [
        (0, 5, "NAME"),
        (0, 9, "NAME"),
        (3, 9, "NAME"),
    ]
