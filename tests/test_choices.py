"""Names that settings take: spelled once, and bound to what they do."""

import ast
from pathlib import Path

import click
import pytest

from linkmask import choices, detect, schema
from linkmask.choices import bound
from linkmask.cli.options import PLAN_OPTIONS, READ_OPTIONS, SETTINGS_OPTIONS, STYLE_OPTIONS
from linkmask.plan import SOLVERS
from linkmask.redact.styles import STYLES
from syntax_trees import tree_of

SOURCE = Path(choices.__file__).parent


def greedy() -> str:
    return "greedy"


def _exact() -> str:
    return "exact"


def test_a_name_is_bound_to_the_function_that_bears_it() -> None:
    found = bound(("some:exact", "greedy"), (greedy, _exact))
    assert {name: function() for name, function in found.items()} == {
        "some:exact": "exact", "greedy": "greedy",
    }  # fmt: skip
    assert list(found) == ["some:exact", "greedy"]


@pytest.mark.parametrize("names", [("greedy",), ("greedy", "exact", "other")])
def test_a_name_without_a_function_or_a_function_without_a_name_is_an_error(names) -> None:
    with pytest.raises(LookupError):
        bound(names, (greedy, _exact))


def test_every_name_is_bound_by_its_step() -> None:
    assert tuple(SOLVERS) == choices.SOLVERS
    assert tuple(STYLES) == choices.STYLES
    assert all(detect.finders(name) for name in choices.DETECTORS)


def test_help_texts_name_every_preset_policy_and_style() -> None:
    """The names come from the registry: a new one is in the help without another edit."""
    options = click.Command("x", params=_params(SETTINGS_OPTIONS, PLAN_OPTIONS, STYLE_OPTIONS))
    said = {o.name: o.help for o in options.params}
    assert all(name in said["preset"] for name in choices.preset_names())
    assert all(name in said["policy"] for name in choices.policy_names())
    assert all(name in said["style"] for name in choices.WHOLE_STYLES)


def test_options_are_made_of_the_names() -> None:
    made = {
        o.name: o for o in click.Command("x", params=_params(PLAN_OPTIONS, READ_OPTIONS)).params
    }
    assert tuple(made["solver"].type.choices) == choices.SOLVERS
    assert all(name in made["detector"].help for name in choices.DETECTORS)


def _params(*groups) -> list[click.Parameter]:
    def command() -> None:
        """Take the options."""

    for option in [option for group in groups for option in group]:
        command = option(command)
    return click.command(command).params


def test_the_lists_are_spelled_nowhere_else() -> None:
    """No tuple, list or set of another module holds just the names of a registry.

    Nor does one hold several detectors or several solvers and nothing else. Studies of the
    testbench choose among detectors.
    """
    whole = (set(choices.LANGUAGES), set(choices.COUNTRIES))
    for path in SOURCE.rglob("*.py"):
        if path.name == "choices.py" or "testbench" in path.parts:
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
                texts = {getattr(one, "value", None) for one in node.elts}
                some = texts <= set(choices.DETECTORS) or texts <= set(choices.SOLVERS)
                assert not (some or texts in whole), f"{path}:{node.lineno}"


def test_each_language_without_word_lists_has_words_for_persons() -> None:
    """A language that a user's recognizer may name, and that detection does not know, leaks."""
    assert {*schema.words("register")["persons"]} == {*choices.LOCALES}
