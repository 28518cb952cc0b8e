"""Changes of risks, of what is chosen by them, and of who attacks."""

from package_changes.change import Change

SOLVER = """
from linkmask.plan.chains import treat_chains

NEEDS_ALL_CHAINS = False


def solve(stage, settings):
    return treat_chains(stage, settings, lambda candidates, risk, target: [])
"""
WITH_MANY_CHAINS = """
import linkmask
callers = {"Ottoline Brandvold": "(906) 555-0143", "Piotr Nowak": "(906) 555-0199"}
about = "her asthma", "her gout"
texts = [f"{who} called from {one} about {what}." for who, one in callers.items() for what in about]
asked = {"chain_budget": 1}
for solver in ("nothing", "greedy"):
    settings = linkmask.load(overrides={**asked, "solver": solver}, environment={})
    try:
        print(linkmask.scan(texts, settings).plan().size.solver)
    except linkmask.LinkmaskError as error:
        print(str(error).partition("; ")[2])
"""
WEIGHS_A_CHAIN = """
import pathlib, linkmask
from unittest.mock import patch
from linkmask.commands import explain_run, mask_files
from linkmask.formulas import compiling
from linkmask.graph import assess
folder = pathlib.Path(linkmask.__file__).parents[1] / "in"
folder.mkdir()
about = {"Ottoline Brandvold": "her asthma", "Ms. Brandvold": "her gout"}
both = [f"{name} called from (906) 555-0143 about {what}." for name, what in about.items()]
for number, text in enumerate(both):
    (folder / f"{number}.txt").write_text(text)
settings = linkmask.load(environment={})
scan = linkmask.scan(both, settings)


def right(chain, strength, risks):
    (chain,), (strength,) = chain, strength
    return 0 < chain and abs(chain - strength * max(risks)) < 1e-12


def of_loops():
    risk = assess(scan.incidence, settings)
    return right(risk.chains.risk, risk.links.strength, risk.documents)


def in_sql():
    from linkmask.adapters.duckdb import DuckTables
    from linkmask.pipeline import sql
    from linkmask.pipeline.sql.statements import statement
    tables = DuckTables(threads=1)
    sql.tables_of(tables, scan.incidence)
    sql.load(tables, 2)
    sql.find_links(tables, settings)
    limits = dict.fromkeys(("theta", "rho_high", "rho_medium", "high_from", "medium_from"), 0.0)
    tables.keep("chain", statement("chain", links="link", **limits))
    read = [tables.read(f"select * from {name}")[column].to_pylist()
            for name, column in (("chain", "before"), ("risk", "risk"))]
    return right(read[0], scan.risk.links.strength, read[1])


print(of_loops())
with patch.object(compiling, "COMPILE_FROM", 0):  # for this alone: compiling takes a minute
    print(of_loops())
print(in_sql())
mask_files(folder, folder.with_name("out"), settings)
page = (folder.with_name("out") / "report.html").read_text()
print("hop = strength × the larger of R₁ and R₂" in page)
answer = explain_run(folder.with_name("out.run"), pair=("0", "1")).text
print("chain risk = strength × the larger of R₁ and R₂:" in answer)
"""
ATTACK = """
from linkmask.testbench.attacks.base import AttackTable

LENGTHS = AttackTable("How long the texts are", "In characters.")


def longest(target):
    return {"persons": [], "pooled": {"longest": max(map(len, target.defended.texts))}}
"""
ATTACKS_A_CORPUS = """
from types import SimpleNamespace
from linkmask.testbench.attacks import ATTACKS, BETTER, columns, tables
from linkmask.testbench.cells import Grid
target = SimpleNamespace(defended=SimpleNamespace(texts=["one", "three"]))
print("longest" in Grid().attacks, ATTACKS["longest"].run(target)["pooled"])
[own] = [table for table in tables(system=False) if table.title == "How long the texts are"]
print(columns(own), BETTER["longest"])
"""

CHANGES: dict[str, Change] = {
    "a solver": Change(
        [
            ("choices.py", '"knapsack", "exact")', '"knapsack", "exact", "nothing")'),
            ("plan/nothing.py", "", SOLVER),
        ],
        WITH_MANY_CHAINS,
        "nothing\ntake solver cover or nothing",
    ),
    "another formula of a chain's risk": Change(
        [
            (
                "formulas/risks.py",
                "return strength * (1.0 + (left_risk + right_risk) / 2.0) / 2.0",
                "return strength * max(left_risk, right_risk)",
            ),
            (
                "formulas/risks.py",
                "{strength} * (1e0 + ({left} + {right}) / 2e0) / 2e0",
                "{strength} * greatest({left}, {right})",
            ),
            (
                "formulas/risks.py",
                "{strength} × (1 + ({left} + {right}) / 2) / 2",
                "{strength} × the larger of {left} and {right}",
            ),
        ],
        WEIGHS_A_CHAIN,
        "True\nTrue\nTrue\nTrue\nTrue",
    ),
    "an attack": Change(
        [
            ("testbench/attacks/longest.py", "", ATTACK),
            (
                "testbench/attacks/__init__.py",
                "from linkmask.testbench.attacks.oracle",
                "from linkmask.testbench.attacks.longest import LENGTHS, longest\n"
                "from linkmask.testbench.attacks.oracle",
            ),
            (
                "testbench/attacks/__init__.py",
                '    "oracle": Attack(',
                '    "longest": Attack("the texts", "-", "measures them", longest, False, '
                '(("characters", "longest"),), LENGTHS, {"longest": -1}),\n'
                '    "oracle": Attack(',
            ),
        ],
        ATTACKS_A_CORPUS,
        "True {'longest': 5}\n[('characters', 'longest', 'longest')] -1",
    ),
}
