"""What `linkmask.commands` offers."""

import ast
import inspect

from linkmask import commands


def test_every_name_that_type_checkers_see_is_there_at_run_time() -> None:
    """Names are loaded when they are first asked for, from a table of their own."""
    nodes = ast.walk(ast.parse(inspect.getsource(commands)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    ours = [one for one in imports if (one.module or "").startswith("linkmask.")]
    names = {alias.name for one in ours for alias in one.names}
    assert len(names) > 15
    assert {getattr(commands, name).__name__ for name in names} == names
