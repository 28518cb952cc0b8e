"""Says which rules made a value relevant, and how much each weighs."""

from linkmask.detect.relevance import UNIT, weights
from linkmask.detect.relevance.rules import rules_by_span


def explain(text, found, context):
    """For each span, the rules that hold and their weights, the strongest first.

    The logistic function of their sum is the chance that the span is the person's.
    """
    explained = []
    for one, (common, own) in zip(found, rules_by_span(text, found, context), strict=True):
        table = weights(context.relevance)[one.type]
        weighed = [(rule, table[rule]) for rule in (*common, *own) if table[rule]]
        weighed.sort(key=lambda item: (-abs(item[1]), item[0]))
        explained.append({rule: weight * UNIT for rule, weight in weighed})
    return explained
