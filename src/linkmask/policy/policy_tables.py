"""Reads policies as tables: what a regulation demands of a type, and where it says so."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from linkmask.choices import POLICY_FOLDER, STRICTNESS, policy_names
from linkmask.errors import SettingsError, unknown_name
from linkmask.schema import types

Sensitivity = Literal["critical", "high", "medium", "low"]


class TypeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a policy says of one type: a block of its table."""

    sensitivity: Sensitivity
    covered: bool
    technique: str
    citation: str
    reason: str


class Policy(msgspec.Struct, frozen=True):
    """A regulation as a table.

    `priority`: of several policies that apply to a document, the one with the smallest number
    leads. `when`: the policy applies to a document that holds a value of one of these types; if
    empty, of any type that it covers. `otherwise`: it also applies to what it covers where no
    policy in use applies to a personal value. `limits`: the `theta_doc` and `theta_chain` that the
    policy requires; they replace looser limits of the settings.
    """

    name: str
    title: str
    priority: int
    claim: str
    when: frozenset[str]
    rules: Mapping[str, TypeRule]
    uncovered: frozenset[str]
    otherwise: bool = False
    limits: Mapping[str, float] = {}

    def knows(self, entity_type: str) -> bool:
        """Tell whether the table says anything of a type."""
        return entity_type in self.rules or entity_type in self.uncovered

    def covers(self, entity_type: str) -> bool:
        """Tell whether the regulation has something to say about values of a type."""
        rule = self.rules.get(entity_type)
        return rule is not None and rule.covered

    def gaps(self, types: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return those of some types that the table says nothing of, and its types beyond them."""
        named = self.rules.keys() | self.uncovered
        return [name for name in types if name not in named], sorted(named - set(types))


_KEYS = frozenset("name title priority when otherwise claim limits types uncovered".split())


@cache
def load(name: str) -> Policy:
    """Load a policy by its name, or by the path of a TOML file of one's own.

    Raises:
        SettingsError: there is no such policy, or its table is wrong; the message says at which
            line and key, and what would be right.
    """
    path = Path(name) if name.endswith(".toml") else POLICY_FOLDER / f"{name.lower()}.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = f"can't read policy {name!r}: {getattr(error, 'strerror', 'it is not UTF-8')}"
        if not name.endswith(".toml"):
            problem = unknown_name("policy", name, policy_names())
        raise SettingsError(problem) from None
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    return _Table(path, text, tree).policy()


class _Table:
    """A table while it is checked: knows at which line a key stands."""

    def __init__(self, path: Path, text: str, tree: Mapping[str, Any]) -> None:
        self.path, self.lines, self.tree = path, text.splitlines(), tree

    def policy(self) -> Policy:
        """Check the whole table and return it."""
        for key in sorted(self.tree.keys() - _KEYS):
            raise self.wrong(key, f"there is no such key; there are: {', '.join(sorted(_KEYS))}")
        text = {key: self._of(key, str, "a text") for key in ("name", "title", "claim")}
        priority = self._of("priority", int, "a whole number, 1 for the first to be asked")
        blocks = self._of("types", dict, "blocks such as [types.NAME]")
        uncovered = self.tree.get("uncovered", {})
        listed = uncovered.get("types", []) if isinstance(uncovered, dict) else None
        if listed is None or not _texts(listed) or uncovered.keys() - {"types"}:
            raise self.wrong("uncovered", "must hold types = [ … ], a list of types, and no more")
        rules = {name: self._rule(name, block) for name, block in blocks.items()}
        if twice := sorted(set(listed) & rules.keys()):
            raise self.wrong(f"types.{twice[0]}", "stands under uncovered as well: keep one")
        otherwise = self.tree.get("otherwise", False)
        if not isinstance(otherwise, bool):
            raise self.wrong("otherwise", "must be true or false")
        return Policy(
            **text,
            priority=priority,
            when=self._when(rules.keys() | set(listed)),
            rules=rules,
            uncovered=frozenset(listed),
            otherwise=otherwise,
            limits=self._limits(),
        )

    def _limits(self) -> dict[str, float]:
        limits = self.tree.get("limits", {})
        if not isinstance(limits, dict):
            raise self.wrong("limits", "must be a block [limits]")
        for key, value in limits.items():
            if key not in ("theta_doc", "theta_chain"):
                raise self.wrong(f"limits.{key}", "there are: theta_chain, theta_doc")
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise self.wrong(f"limits.{key}", "must be a number in [0, 1]")
        return limits

    def _when(self, tags: Set[str]) -> frozenset[str]:
        when = self.tree.get("when")
        if when == "personal":
            return frozenset()
        if not when or not _texts(when):
            raise self.wrong("when", 'must be "personal", or a list of types of which one will do')
        if strange := sorted(set(when) - tags):
            raise self.wrong("when", f"names {strange[0]}, of which the table says nothing")
        return frozenset(when)

    def _rule(self, name: str, block: Any) -> TypeRule:
        where = f"types.{name}"
        if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,60}", name):
            raise self.wrong(where, f"a type is written in capitals, such as {types.PATIENT_ID}")
        try:
            rule = msgspec.convert(block, TypeRule)
        except msgspec.ValidationError as error:
            problem, _, at = str(error).replace("`", "'").partition(" - at '$.")
            missing = re.search(r"field '(\w+)'", problem)
            key = at.rstrip("'") or (missing[1] if missing else "")
            if key == "sensitivity" and not missing:
                problem = f"must be one of {', '.join(get_args(Sensitivity))}"
            raise self.wrong(
                f"{where}.{key}" if key else where, problem[0].lower() + problem[1:]
            ) from None
        if rule.technique not in STRICTNESS:
            raise self.wrong(
                f"{where}.technique",
                f"there is no such technique; there are: {', '.join(STRICTNESS)}",
            )
        if not rule.covered and rule.technique != "keep":
            raise self.wrong(f"{where}.technique", 'must be "keep" where covered = false')
        for key in ("citation", "reason"):
            if not getattr(rule, key).strip():
                raise self.wrong(f"{where}.{key}", "must not be empty: every decision says why")
        return rule

    def _of(self, key: str, kind: type, what: str) -> Any:
        value = self.tree.get(key)
        if not isinstance(value, kind) or isinstance(value, bool) or not value:
            raise self.wrong(key, f"must be given, and be {what}")
        return value

    def wrong(self, key: str, problem: str) -> SettingsError:
        """Return an error that names the line where a key stands, or where its block begins."""
        return SettingsError(f"{self.path}, line {self._line(key)}: {key}: {problem}")

    def _line(self, key: str) -> int:
        *block, last = key.split(".")
        start = 0
        if block:
            heads = (f"[{key}]", f"[{'.'.join(block)}]")
            start = next((n for n, line in enumerate(self.lines) if line.strip() in heads), 0)
        found = (
            n
            for n, line in enumerate(self.lines[start:], start)
            if re.match(
                rf"\s*(?:\[?{re.escape(key)}\]|\[{re.escape(key)}[.\]]|{re.escape(last)}\s*=)", line
            )
        )
        return next(found, start) + 1


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
