"""A plain backtracking matcher that counts its steps: what an expression costs, without a clock.

It walks the tree that `re` parses an expression into, as `re` does, without its short cuts: so the
count is at least that of `re`. One step is one look at one node of the tree.
"""

import re
import sys
from collections.abc import Callable
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], bool]
"""What comes after a node: from where it ended to whether all the rest matches."""
Step = Callable[[int, Then], bool]
CATEGORIES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
}
CATEGORIES.update(
    {
        op.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
        op.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
        op.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
    }
)
sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))  # a call for each node that is open
SINGLE = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}


class Counter:
    """An expression read for counting; `steps` grows with every match that is tried."""

    def __init__(self, expression: re.Pattern[str]) -> None:
        self.steps = 0
        self.text = ""
        self.groups: dict[int, tuple[int, int]] = {}
        tree = _parser.parse(expression.pattern, expression.flags)
        self.tree = self._row(list(tree), expression.flags)

    def count(self, text: str) -> int:
        """Return the steps of finding the expression in a text from begin to end, as `finditer`."""
        self.text, self.steps = text, 0
        start = 0
        while start <= len(text):
            start = max(self.match(text, start), start + 1)
        return self.steps

    def match(self, text: str, start: int) -> int:
        """Return where the match ends that begins at `start`, −1 if there is none."""
        self.text = text
        self.groups.clear()
        ends: list[int] = []
        found = self.tree(start, lambda end: ends.append(end) is None)
        return ends[-1] if found else -1

    def _row(self, nodes: list[Any], flags: int) -> Step:
        steps = [self._node(code, value, flags) for code, value in nodes]

        def run(at: int, then: Then, number: int = 0) -> bool:
            if number == len(steps):
                return then(at)
            return steps[number](at, lambda end: run(end, then, number + 1))

        return run

    def _node(self, code: Any, value: Any, flags: int) -> Step:
        if code in SINGLE:
            return self._one(self._character(code, value, flags))
        if code is op.BRANCH:
            return self._branch([self._row(list(row), flags) for row in value[1]])
        if code is op.SUBPATTERN:
            group, add, remove, inner = value
            return self._group(group, self._row(list(inner), (flags | add) & ~remove))
        if code in {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}:
            return self._repeat(code, value, flags)
        if code is op.ATOMIC_GROUP:
            return self._atomic(self._row(list(value), flags))
        if code in {op.ASSERT, op.ASSERT_NOT}:
            return self._look(code, value, flags)
        if code is op.GROUPREF:
            return self._again(value)
        if code is op.GROUPREF_EXISTS:
            return self._if(value, flags)
        assert code is op.AT, code
        return self._at(value, flags)

    def _character(self, code: Any, value: Any, flags: int) -> Callable[[str], bool]:
        """Return whether a character is the one, or of the set, that a node asks for."""
        if code is op.ANY:
            return lambda c: c != "\n"
        if code is not op.IN:
            value = [(op.LITERAL, value)] if code is op.LITERAL else [
                (op.NEGATE, None), (op.LITERAL, value),
            ]  # fmt: skip
        negate = value[0][0] is op.NEGATE
        known: dict[str, bool] = {}

        def of(c: str) -> bool:
            forms = {c, c.lower(), c.upper()} if flags & re.IGNORECASE else {c}
            return any(
                _in(kind, what, form, flags) for kind, what in value[negate:] for form in forms
            )

        def ask(c: str) -> bool:
            if c not in known:
                known[c] = of(c) != negate
            return known[c]

        return ask

    def _one(self, fits: Callable[[str], bool]) -> Step:
        def run(at: int, then: Then) -> bool:
            self.steps += 1
            return at < len(self.text) and fits(self.text[at]) and then(at + 1)

        return run

    def _branch(self, rows: list[Step]) -> Step:
        def run(at: int, then: Then) -> bool:
            self.steps += 1
            return any(row(at, then) for row in rows)

        return run

    def _group(self, group: int | None, inner: Step) -> Step:
        def run(at: int, then: Then) -> bool:
            def close(end: int) -> bool:
                if group is not None:
                    self.groups[group] = at, end
                return then(end)

            return inner(at, close)

        return run

    def _repeat(self, code: Any, value: Any, flags: int) -> Step:
        least, most, nodes = value
        inner = self._row(list(nodes), flags)
        if len(nodes) == 1 and nodes[0][0] in SINGLE and code is not op.MIN_REPEAT:
            fits = self._character(*nodes[0], flags)
            return self._run(fits, least, most, code is op.POSSESSIVE_REPEAT)

        def run(at: int, then: Then, count: int = 0) -> bool:
            def more(end: int) -> bool:
                return (end > at or count < least) and run(end, then, count + 1)

            self.steps += 1
            if count < least:
                return inner(at, more)
            if code is op.MIN_REPEAT:
                return then(at) or (count < most and inner(at, more))
            return (count < most and inner(at, more)) or then(at)

        return self._atomic(run) if code is op.POSSESSIVE_REPEAT else run

    def _run(self, fits: Callable[[str], bool], least: int, most: int, possessive: bool) -> Step:
        """Repeat a single character in a loop, giving back one at a time."""

        def run(at: int, then: Then) -> bool:
            end, last = at, min(at + most, len(self.text))
            while end < last and fits(self.text[end]):
                end += 1
            self.steps += end - at + 1
            if end - at < least:
                return False
            if possessive:
                return then(end)
            for back in range(end, at + least - 1, -1):
                self.steps += 1
                if then(back):
                    return True
            return False

        return run

    def _atomic(self, inner: Step) -> Step:
        def run(at: int, then: Then) -> bool:
            ends: list[int] = []
            return inner(at, lambda end: ends.append(end) is None) and then(ends[-1])

        return run

    def _look(self, code: Any, value: Any, flags: int) -> Step:
        direction, nodes = value
        inner, width = self._row(list(nodes), flags), nodes.getwidth()[0]

        def run(at: int, then: Then) -> bool:
            self.steps += 1
            start = at - width if direction < 0 else at
            held = start >= 0 and inner(start, lambda end: direction > 0 or end == at)
            return held == (code is op.ASSERT) and then(at)

        return run

    def _if(self, value: Any, flags: int) -> Step:
        group, *ways = value
        held, other = (self._row(list(nodes or ()), flags) for nodes in ways)
        return lambda at, then: (held if group in self.groups else other)(at, then)

    def _again(self, group: int) -> Step:
        def run(at: int, then: Then) -> bool:
            self.steps += 1
            start, end = self.groups.get(group, (0, -1))
            said = self.text[start:end]
            return end >= start and self.text.startswith(said, at) and then(at + len(said))

        return run

    def _at(self, where: Any, flags: int) -> Step:
        def word(c: str) -> bool:
            return _in(op.CATEGORY, op.CATEGORY_WORD, c, flags)

        def holds(at: int) -> bool:
            if where in {op.AT_BEGINNING, op.AT_BEGINNING_STRING}:
                return at == 0
            if where is op.AT_END:
                return self.text[at:] in ("", "\n")
            if where is op.AT_END_STRING:
                return at == len(self.text)
            before = at > 0 and word(self.text[at - 1])
            edge = before != (at < len(self.text) and word(self.text[at]))
            return edge == (where is op.AT_BOUNDARY)

        def run(at: int, then: Then) -> bool:
            self.steps += 1
            return holds(at) and then(at)

        return run


def _in(kind: Any, what: Any, c: str, flags: int) -> bool:
    if kind is op.CATEGORY:  # with `re.ASCII`, a character beyond is no letter, digit or blank
        return CATEGORIES[what]("-" if flags & re.ASCII and not c.isascii() else c)
    low, high = what if kind is op.RANGE else (what, what)
    return len(c) == 1 and low <= ord(c) <= high
