"""What each condition of detection's Python is worth: the change of the finds without it.

    python benchmarks/conditions.py FOLDER [--only PART…] [--kind KIND…] [--each N] [--unused]

FOLDER holds `f0.npz`, as for benchmarks/ablation.py. Read are the documents of fold 0 of all
annotated sets, the texts about nobody, the unseen texts of benchmarks/languages and
benchmarks/locales, and a part of the insurance corpora. The modules of `linkmask.detect` are loaded
with a switch at each condition, which this program adds to their syntax trees:

branch    the test of an `if`, `elif`, conditional expression or comprehension: switched off, it is
          false, so that its branch is never taken
or, and   one operand: switched off, it is false in an `or` and true in an `and`
function  one that returns a truth value, an iterator or perhaps None: switched off, it returns
          False, nothing or None

A first reading notes in which texts a condition decides something. With `--unused`, all folds are
read, and the conditions that decide nothing in any text are printed. Without it, one after another
is switched off, and at most N of these texts of each set are read again. Not loaded with switches
are the tagger, the engine of recognizers, and word features.

texts     texts in which the condition decides something
changed   those of them read again whose finds change
true, false, typed   as in benchmarks/ablation.py, of the texts read again
unseen    the same three, without texts that rules were written on
scores    mentions with the same span whose relevance changes by more than .02
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

LEFT_OUT = (
    "ner", "prompted", "other_detectors", "recognizers", "register.noise", "lexicon.word_features",
    "patterns.own", "corpus_pass.entry_rows", "budget",
)  # fmt: skip
"""Parts of `linkmask.detect` that are loaded as they are."""
WRITTEN_ON = {"own", "insurance"}
"""Sets that rules were written on."""
CHANGED = 0.02
"""Difference of relevance from which on it counts as changed."""


class Condition(NamedTuple):
    """A place in the sources that can be switched off."""

    module: str
    line: int
    kind: str
    text: str


class Switches:
    """The conditions, the texts in which each decided something, and which one is off."""

    def __init__(self) -> None:
        self.conditions: list[Condition] = []
        self.decided: dict[int, set[Any]] = defaultdict(set)
        self.text: Any = None
        self.off = -1

    def add(self, module: str, line: int, kind: str, text: str) -> int:
        """Register a condition and return its number."""
        self.conditions.append(Condition(module, line, kind, text))
        return len(self.conditions) - 1

    def holds(self, number: int, value: Any) -> Any:
        """Return what a test or an operand of an `or` is worth."""
        if number == self.off:
            return False
        if value and self.text is not None:
            self.decided[number].add(self.text)
        return value

    def fails(self, number: int, value: Any) -> Any:
        """Return what an operand of an `and` is worth."""
        if number == self.off:
            return value or True
        if not value and self.text is not None:
            self.decided[number].add(self.text)
        return value

    def function(self, number: int, neutral: Any) -> Callable[[Any], Any]:
        """Return a decorator of a function that may return what says nothing."""

        def decorate(decorated: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(decorated)
            def called(*given: Any, **named: Any) -> Any:
                if number == self.off:
                    return iter(()) if neutral == () else neutral
                found = decorated(*given, **named)
                if self.text is None:
                    return found
                if neutral == ():
                    found = list(found)
                if found:
                    self.decided[number].add(self.text)
                return iter(found) if neutral == () else found

            return called

        return decorate


SWITCHES = Switches()


class Transformer(ast.NodeTransformer):
    """Adds a switch to each condition of a module."""

    def __init__(self, module: str) -> None:
        self.module = module

    def _call(self, method: str, node: ast.expr, kind: str) -> ast.expr:
        number = SWITCHES.add(self.module, node.lineno, kind, ast.unparse(node)[:70])
        target = ast.Attribute(ast.Name("__switches__", ast.Load()), method, ast.Load())
        return ast.Call(target, [ast.Constant(number), self.visit(node)], [])

    def visit_If(self, node: ast.If) -> ast.If:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            node.test = self._call("holds", node.test, "branch")
        node.body = [self.visit(one) for one in node.body]
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test = self._call("holds", node.test, "branch")
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        either = isinstance(node.op, ast.Or)
        method, kind = ("holds", "or") if either else ("fails", "and")
        node.values = [self._call(method, one, kind) for one in node.values]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        names = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
        if "cache" in names:
            return node
        node.decorator_list = [
            one for one in node.decorator_list if not ast.unparse(one).startswith("lru_cache")
        ]
        line = node.lineno
        self.generic_visit(node)
        returns = ast.unparse(node.returns) if node.returns else ""
        neutral: dict[str, ast.expr] = {
            "bool": ast.Constant(False),
            "Iterator": ast.Tuple([], ast.Load()),
        }
        given = neutral.get(returns.partition("[")[0])
        if "| None" in returns:
            given = ast.Constant(None)
        if given is not None and not names & {"property", "contextmanager"}:
            number = SWITCHES.add(self.module, line, "function", node.name)
            target = ast.Attribute(ast.Name("__switches__", ast.Load()), "function", ast.Load())
            node.decorator_list.append(ast.Call(target, [ast.Constant(number), given], []))
        return node


class Loader(SourceFileLoader):
    """Loads a module with switches."""

    def get_code(self, fullname: str) -> Any:
        """Return the code of the changed syntax tree."""
        tree = Transformer(fullname).visit(ast.parse(self.get_data(self.path)))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")

    def exec_module(self, module: Any) -> None:
        """Run the module with the switches at hand."""
        module.__switches__ = SWITCHES
        super().exec_module(module)


class Finder(MetaPathFinder):
    """Finds the modules that are loaded with switches."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return how a module is loaded, None if as it is."""
        part = name.removeprefix("linkmask.detect").lstrip(".")
        if not name.startswith("linkmask.detect") or any(
            part == one or part.startswith(f"{one}.") for one in LEFT_OUT
        ):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.origin:
            loader = Loader(name, spec.origin)
            found = ModuleSpec(name, loader, origin=spec.origin)
            found.submodule_search_locations = spec.submodule_search_locations
            found.has_location = True
            return found
        return None


sys.meta_path.insert(0, Finder())

from benchmarks.ablation import Change, Key, Text, compare, texts

from benchmarks import annotated, languages, yields
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import candidate_search, ner
from linkmask.detect.ner import model
from linkmask.graph import entities
from linkmask.records import Document, Mention

HERE = Path(__file__).parent


def all_texts(every: bool = False) -> dict[Key, Text]:
    """Return the texts that are read, with what is marked in them."""
    found = texts(0, every)
    for one in languages.texts(HERE / "languages" / "unseen.jsonl"):
        marks = [(value.start, value.end, "", False) for value in one.values]
        found["languages", one.id] = Text(one.text, marks)
    for each in annotated.read(str(HERE / "locales" / "unseen.txt")):
        marks = [(m.start, m.end, m.type, m.ignore) for m in each.marked]
        found["locales", each.id] = Text(each.text, marks)
    found.update(_posts(HERE.parents[1] / "shared" / "data" / "panorama" / "panorama_dev.jsonl"))
    for n, marked in enumerate(yields.marked_texts(["insurance"], 0)):
        if every or n % 5 == 0:
            marks = [(*mark, False) for mark in marked.marks]
            found["insurance", str(n)] = Text(marked.text, marks)
    return found


def _posts(path: Path) -> Iterator[tuple[Key, Text]]:
    """Yield forum posts and profiles, with the words by which what they tell is known as marks."""
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        record = json.loads(line)
        facts = [fact for one in record["meta"]["subjects"] for fact in one["facts"]]
        words = {str(fact["keyword"]) for fact in facts}
        marks = [
            (*hit.span(), "", False)
            for word in sorted(words)
            for hit in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", record["text"])
        ]
        yield ("posts", record["id"]), Text(record["text"], marks)


def remember_tagger(folder: Path) -> None:
    """Read with the tagger of a fold, and each text once."""
    tagger = model.Model(folder / "f0.npz")
    ner.shipped = lambda: tagger
    seen: dict[Any, list[Any]] = {}
    find_all = ner.finds

    def finds(read: Any) -> list[Any]:
        read = list(read)
        asked = [(text, scope.language) for text, scope in read]
        new = [one for key, one in zip(asked, read, strict=True) if key not in seen]
        for one, found in zip(new, find_all(new), strict=True):
            seen[one[0], one[1].language] = found
        return [list(seen[key]) for key in asked]

    ner.finds, ner.find = finds, lambda text, scope: finds([(text, scope)])[0]
    candidate_search.finders.cache_clear()


def mentions(key: Key, text: Text, settings: Settings) -> list[Mention]:
    """Return what the first pass finds in a text."""
    candidate_search._remembered.cache_clear()
    return detect.first_pass(Document(key[1], text.content, {}), settings, entities.canonical)


def spans(found: Collection[Mention]) -> list[tuple[int, int, str]]:
    """Return the spans and types of mentions."""
    return [(one.start, one.end, one.type) for one in found]


def scores_changed(before: Sequence[Mention], after: Sequence[Mention]) -> int:
    """Return how many mentions with the same span have another relevance."""
    old = {(one.start, one.end): one.relevance for one in before}
    return sum(abs(old.get((m.start, m.end), m.relevance) - m.relevance) > CHANGED for m in after)


def chosen(keys: Collection[Key], read: dict[Key, Text], each: int) -> Iterator[Key]:
    """Yield the shortest texts of each set."""
    seen: Counter[str] = Counter()
    for key in sorted(keys, key=lambda one: (len(read[one].content), one)):
        seen[key[0]] += 1
        if seen[key[0]] <= each:
            yield key


def measured(
    number: int, read: dict[Key, Text], before: dict[Key, list[Mention]], each: int
) -> list[str]:
    """Return the cells of the row of one condition."""
    keys = SWITCHES.decided[number]
    total, unseen = Change(0, 0, 0), Change(0, 0, 0)
    changed = scores = 0
    SWITCHES.text, SWITCHES.off = None, number
    try:
        for key in chosen(keys, read, each):
            after = mentions(key, read[key], Settings())
            scores += scores_changed(before[key], after)
            if spans(after) == spans(before[key]):
                continue
            changed += 1
            change = compare(read[key], spans(before[key]), spans(after))
            total = Change(*map(sum, zip(total, change, strict=True)))
            if key[0] not in WRITTEN_ON:
                unseen = Change(*map(sum, zip(unseen, change, strict=True)))
    except Exception as error:
        return [str(len(keys)), type(error).__name__, "", "", ""]
    finally:
        SWITCHES.off = -1
    without = sum(key[0] not in WRITTEN_ON for key in keys)
    shown = ("/".join(f"{n:+}" for n in one) for one in (total, unseen))
    return [f"{len(keys)} ({without})", str(changed), *shown, str(scores)]


def main() -> None:
    """Print a row for each condition."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[""], help="parts of names of modules")
    parser.add_argument("--kind", nargs="*", default=["branch", "or", "and", "function"])
    parser.add_argument("--each", type=int, default=6, help="texts of a set, at most")
    parser.add_argument("--unused", action="store_true", help="those that decide nothing")
    given = parser.parse_args()
    remember_tagger(given.folder)
    read = all_texts(given.unused)
    before = {}
    for SWITCHES.text, text in read.items():
        before[SWITCHES.text] = mentions(SWITCHES.text, text, Settings())
    SWITCHES.text = None
    print(f"{len(read)} texts, {len(SWITCHES.conditions)} conditions", flush=True)
    for number, one in enumerate(SWITCHES.conditions):
        if given.unused and SWITCHES.decided[number]:
            continue
        if one.kind in given.kind and any(part in one.module for part in given.only):
            cells = measured(number, read, before, given.each)
            name = one.module.removeprefix("linkmask.detect.")
            print("\t".join([f"{name}:{one.line}", one.kind, one.text, *cells]), flush=True)


if __name__ == "__main__":
    main()
