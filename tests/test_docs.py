"""README and docs are true: their commands and programs run, their links lead somewhere."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from linkmask import cli, config, formulas, schema

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = (ROOT / "docs", ROOT / "docs" / "results")
CLAIMS = ROOT / "examples" / "insurance" / "documents"
RESULTS = sorted(FOLDERS[1].glob("[a-z]*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"\s+# exit status (\d)$")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(page.read_text("utf-8")) if found == kind]


def having(*kinds: str) -> list[Path]:
    return [page for page in PAGES if any(blocks(page, kind) for kind in kinds)]


@pytest.fixture(scope="module")
def generate() -> Iterator[ModuleType]:
    """docs/generate.py, which is no module of the package."""
    sys.path.insert(0, str(ROOT / "docs"))
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "docs"))


# ── what is run ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def no_settings() -> Iterator[None]:
    """The environment of a reader who installed linkmask and set nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        for key in [key for key in os.environ if key.startswith("LINKMASK_")]:
            patch.delenv(key)
        yield


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, no_settings: None) -> Path:
    """A folder to run commands in, with half of the example corpus as claims/."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "claims").mkdir()
    for path in CLAIMS.iterdir():
        if path.name < "04":
            shutil.copy(path, folder / "claims")
    return folder


def run(page: Path, here: Path) -> None:
    """Run a page's commands and programs in their order, as a reader would."""
    for made in set(here.iterdir()) - {here / "claims"}:
        shutil.rmtree(made) if made.is_dir() else made.unlink()
    names: dict[str, object] = {}
    with contextlib.chdir(here):
        for kind, text in BLOCK.findall(page.read_text("utf-8")):
            if kind == "python":
                exec(compile(text, name(page), "exec"), names)
            for line in text.splitlines() if kind == "console" else ():
                command(line)


def command(line: str) -> None:
    assert line.startswith("$ "), f"console blocks hold commands to run: {line}"
    said = STATUS.search(line)
    typed = STATUS.sub("", line[2:])
    words = shlex.split(typed)
    if words[0] == "linkmask":  # in this process: starting another would take most of the time
        done = CliRunner().invoke(cli.main, words[1:])
        status, output = done.exit_code, done.output
    else:
        shell = subprocess.run(typed, shell=True, capture_output=True, text=True)
        status, output = shell.returncode, shell.stderr
    assert status == (int(said[1]) if said else 0), f"{line}\n{output}"


@pytest.mark.parametrize("page", having("console", "python"), ids=name)
def test_what_a_page_shows_runs(page: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every console block ends with the status it says (0 if none), every python block runs."""
    run(page, here)


def test_the_readme_shows_what_masking_really_does(
    tmp_path: Path, no_settings: None, generate: ModuleType
) -> None:
    """Else refresh it: python docs/generate.py --readme."""
    shutil.copytree(CLAIMS, tmp_path / "claims")
    run(ROOT / "README.md", tmp_path)
    assert generate.readme(tmp_path / "masked" / "documents") == generate.README.read_text("utf-8")


@pytest.mark.parametrize("page", having("toml"), ids=name)
def test_configuration_files_that_are_shown_are_valid(page: Path, tmp_path: Path) -> None:
    """Each loads, and sets at least one thing."""
    for text in blocks(page, "toml"):
        (tmp_path / "c.toml").write_text(text, "utf-8")
        assert config.load(tmp_path / "c.toml", environment={}) != config.Settings()


# ── what is written down ────────────────────────────────────────────────────────────────────────


def test_generated_pages_are_up_to_date(generate: ModuleType) -> None:
    """Else write them anew: make docs."""
    assert (generate.DOCS / "commands.md").read_text("utf-8") == generate.commands_page()
    assert (generate.DOCS / "settings.md").read_text("utf-8") == generate.settings_page()
    assert (generate.DOCS / "types.md").read_text("utf-8") == generate.types_page()
    assert (generate.DOCS / "adapters.md").read_text("utf-8") == generate.adapters_page()
    assert (generate.DOCS / "linkage.svg").read_text("utf-8") == generate.linkage_picture()


def test_every_setting_says_what_it_means(generate: ModuleType) -> None:
    fields = {n: said for each in generate.sections().values() for n, (_, said) in each.items()}
    assert fields.keys() == set(config.Settings.__struct_fields__)
    assert [setting for setting, meaning in fields.items() if not meaning] == []


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as a forge makes them."""
    text = re.sub(BLOCK, "", page.read_text("utf-8"))
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name a file, and a heading in it where they say so."""
    text = re.sub(BLOCK, "", page.read_text("utf-8"))
    for target, anchor in re.findall(r"\]\((?!\w+://)([^)#]*)#?([^)]*)\)", text):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_files_that_are_named_exist(page: Path) -> None:
    """A path is relative to the repository, the package, or the folder that the page is about."""
    package = ROOT / "src" / "linkmask"
    bases = (ROOT, package, package / page.stem)
    paths = re.findall(r"`([\w./]+\.py)`", page.read_text("utf-8"))
    assert [path for path in paths if not any((base / path).is_file() for base in bases)] == []


def tracked() -> Iterator[tuple[str, str]]:
    """Path and text of every text file of the repository but the annotated texts."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a checkout")
    for path in listed.stdout.split("\0"):
        file = ROOT / path
        if path and not path.startswith("training/texts") and file != Path(__file__):
            with contextlib.suppress(UnicodeDecodeError):
                yield path, file.read_text("utf-8")


def test_every_document_that_is_cited_is_in_the_repository() -> None:
    """A name in capitals before a section or ".md" is a tracked file's."""
    files = dict(tracked())
    stems = {Path(path).stem for path in files}
    cited = {
        (path, said)
        for path, text in files.items()
        for said in re.findall(r"\b([A-Z]{4,})(?:\.md\b| ?§)|\bSPEC\b", text)
    }
    assert {(path, said) for path, said in cited if said not in stems} == set()


def test_every_numbered_rule_that_is_cited_is_on_its_page() -> None:
    """`formulas.md §9.6` is the sixth item below the heading "9." of docs/formulas.md."""
    pages = {page.stem: page.read_text("utf-8") for page in PAGES}
    cites = re.compile(r"\b(\w+)\.md §(\d+)(?:\.(\d+))?(?:–(?:\d+\.)?(\d+))?")
    found = [(path, *cited) for path, text in tracked() for cited in cites.findall(text)]
    for path, page, section, item, last in found:
        end = (section, last or item) if item else (last or section, "")
        for head, number in ((section, item), end):
            assert _has(pages.get(page, ""), head, number), (path, page, head, number)
    assert len(found) > 100


def _has(page: str, head: str, item: str) -> bool:
    section = re.search(rf"^## {head}\. .*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return bool(section and (not item or re.search(rf"^{item}\. ", section[0], re.MULTILINE)))


def test_the_picture_is_small() -> None:
    """What a clone carries along; python docs/generate.py --picture takes it anew."""
    assert 5_000 < (ROOT / "docs" / "report.png").stat().st_size < 200_000


def test_every_page_is_in_the_table_of_contents() -> None:
    """The README of its folder links to it."""
    contents = {folder: (folder / "README.md").read_text("utf-8") for folder in FOLDERS}
    pages = [page for page in PAGES[2:] if page.name != "README.md"]
    assert [name(p) for p in pages if f"({p.name})" not in contents[p.parent]] == []


@pytest.mark.parametrize("page", RESULTS, ids=name)
def test_every_table_of_results_names_its_command_and_its_data(page: Path) -> None:
    """Each section of docs/results says how its figures were made and from what."""
    _, *sections = re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE)
    tables = [section for section in sections if "\n|---" in section]
    silent = [t.splitlines()[0] for t in tables if not _says_how(t)]
    assert tables
    assert silent == []


def _says_how(section: str) -> bool:
    return bool(re.search(r"\bCommand\b", section) and re.search(r"\b[Dd]ata\b[ :]", section))


def every(command: click.Command) -> Iterator[click.Command]:
    """A command with all below it."""
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from every(below)


OTHERS = set(
    """--max-model-len --rm --network --read-only --tmpfs --user --retry --retry-delay --fail
    --retry-all-errors --no-index --find-links""".split()
)
"""Options of other programs that pages show."""


def options_of_scripts() -> set[str]:
    """What the scripts beside the package (benchmarks, training, docs, tests) take."""
    rooms = ("benchmarks", "training", "docs", "tests")
    scripts = [p for room in rooms for p in (ROOT / room).glob("*.py")]
    return {o for p in scripts for o in re.findall(r"\"(--[a-z][a-z-]+)\"", p.read_text("utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_options_that_are_named_exist(page: Path) -> None:
    options = {o for c in every(cli.main) for p in c.params for o in p.opts}
    others = options_of_scripts() | OTHERS | {"--help", "--version"}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.read_text("utf-8")))
    assert named <= options | others


# ── what is worked out ──────────────────────────────────────────────────────────────────────────


def test_the_worked_example_is_right() -> None:
    """The numbers of docs/graph.md and docs/plan.md, by the formulas of the package."""
    import numpy as np

    frequency = np.array([4, 2, 3, 1], dtype=np.int32)
    u = formulas.uniqueness(frequency, 40)
    types = ("MEDICAL_CONDITION", "EVENT_DATE", "AGE", "INDIRECT_IDENTIFIER")
    ceiling = u * [schema.load("insurance").weights[kind] for kind in types]
    start, entity = np.array([0, 3, 6]), np.array([0, 1, 2, 0, 1, 3])
    relevance = np.array([0.95, 0.90, 0.80, 0.70, 0.80, 0.90])
    rows = formulas.make_rows(start, entity, relevance, np.array(ceiling))

    def of(*masked: int) -> list[float]:
        flags = np.isin(np.arange(4), masked)
        risks = formulas.document_risks(rows, flags)
        strength = formulas.edge_strength(rows, flags, 0, 1)
        return [*risks, strength, formulas.chain_risk(rows, flags, [0, 1])]

    shown = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("graph", "plan")}
    goal = formulas.target(of()[3], 1, 0.5, 0.5, 0.7)
    for number in [*u, *(relevance * ceiling[entity]), *of()]:
        assert f"{number:.3f}" in shown["graph"]
    for number in [goal, *of(0), of(1)[3]]:
        assert f"{number:.3f}" in shown["plan"]
    assert of(0)[3] < goal
    assert of(1)[3] < goal
