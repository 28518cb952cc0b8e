"""Settings: presets, layers, and what is said when one is wrong."""

import json
from pathlib import Path

import click
import pytest

import linkmask
from linkmask import cli, schema
from linkmask.choices import policy_names
from linkmask.config import Settings, checked, load, preset_names
from linkmask.config.validation import choices
from linkmask.detect import DETECTORS
from linkmask.errors import SettingsError
from linkmask.plan import SOLVERS
from linkmask.redact.styles import STYLES


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_loads_and_its_floor_is_made_of_types_its_schema_has(name: str) -> None:
    settings = load(preset=name, environment={})
    assert settings.preset == name
    assert set(settings.floor) <= set(schema.load(settings.schema).types)


def test_preset_thesis_is_the_published_configuration() -> None:
    """formulas.md §11.1; floor off."""
    thesis = load(preset="thesis", environment={})
    assert (thesis.filter_strength, thesis.type_filter, thesis.top_k) == (0.4, True, 0)
    assert (thesis.edge_threshold, thesis.chain_length) == (0.5, 2)
    assert (thesis.high, thesis.medium) == (0.75, 0.5)
    assert (thesis.theta_doc, thesis.theta_chain) == (0.95, 0.5)
    assert thesis.rho == (0.5, 0.7, 1.0)
    assert (thesis.solver, thesis.style, thesis.scope) == ("knapsack", "value", "documents")
    assert thesis.floor == ()


def test_the_defaults_of_settings_are_those_of_preset_insurance() -> None:
    assert load(preset="insurance", environment={}) == Settings()


def test_preset_general_also_masks_staff_whatever_the_risk() -> None:
    """They act on the document's person in an official role."""
    assert load(preset="general", environment={}).floor == (*Settings().floor, "PROVIDER")


def test_command_line_beats_environment_beats_file_beats_preset(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('preset = "strict"\n[plan]\ntheta_chain = 0.3\nrho_high = 0.1\nseed = 3\n')
    environment = {"LINKMASK_RHO_HIGH": "0.2", "LINKMASK_SEED": "4"}
    settings = load(config, None, {"seed": "5"}, environment)
    assert (settings.theta_doc, settings.theta_chain) == (0.85, 0.3)
    assert (settings.rho_high, settings.seed) == (0.2, 5)


def test_settings_of_a_run_stay_where_nothing_else_is_given() -> None:
    run = load(preset="strict", overrides={"seed": 9}, environment={})
    again = load(overrides={"theta_doc": 0.9}, environment={}, base=run)
    assert (again.preset, again.seed, again.theta_doc, again.theta_chain) == ("strict", 9, 0.9, 0.4)


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"theta_dok": 0.9}, "did you mean 'theta_doc'"),
        ({"theta_doc": 1.5}, "theta_doc"),
        ({"solver": "magic"}, "solver"),
        ({"chain_length": 5}, "chain_length"),
        ({"medium": 0.9}, "exceeds high"),
        ({"chunk_size": 10, "chunk_overlap": 6}, "exceeds half of chunk_size"),
        ({"chunk_overlap": 6}, "exceeds half of chunk_size"),
    ],
)
def test_a_wrong_setting_is_named(overrides: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load(overrides=overrides, environment={})


def test_an_unknown_preset_names_those_there_are() -> None:
    with pytest.raises(SettingsError, match="insurance, release, strict, thesis"):
        load(preset="hipster", environment={})


def test_a_broken_file_is_named_with_its_place(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("theta_doc = = 3")
    with pytest.raises(SettingsError, match=r"c\.toml.*line 1"):
        load(config, environment={})


def test_a_setting_that_a_file_gives_in_two_tables_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('text_field = "who"\n[corpus]\ntext_field = "content"\n')
    with pytest.raises(SettingsError, match=r"c\.toml gives 'text_field' twice"):
        load(config)


@pytest.mark.parametrize("path", sorted(schema.FOLDER.glob("*.toml")), ids=lambda p: p.stem)
def test_every_schema_has_weights_in_range_and_aliases_to_its_own_types(path: Path) -> None:
    table = schema.load(path.stem)
    assert table.types
    assert all(0 <= weight <= 1 for weight in table.weights.values())
    assert set(table.aliases.values()) <= set(table.types)


def test_a_weight_for_an_unknown_type_is_refused() -> None:
    with pytest.raises(SettingsError, match="NICKNAME"):
        schema.load("insurance").with_weights({"NICKNAME": 0.5})


# ── one validation for all doors ────────────────────────────────────────────────────────────────


def doors(given: dict[str, object], folder: Path) -> dict[str, str]:
    """What each door says to some settings, by door: "" where it lets them in."""
    config = folder / "c.toml"
    lines = []
    for name, value in given.items():
        lines += (
            [f"[{name}]", *(f"{k} = {json.dumps(v)}" for k, v in value.items())]
            if isinstance(value, dict)
            else [f"{name} = {json.dumps(value)}"]
        )
    config.write_text("\n".join(lines))
    environment = {
        f"LINKMASK_{name.upper()}": value if isinstance(value, str) else ",".join(value)
        for name, value in given.items()
        if not isinstance(value, dict)
    }
    command = ["scan", "in", "-o", "run", "--config", str(config)]
    ways = {
        "load": lambda: load(overrides=given, environment={}),
        "file": lambda: load(config, environment={}),
        "environment": lambda: load(environment=environment),
        "Settings": lambda: linkmask.scan(["text"], Settings(**given)),
        "plan": lambda: linkmask.scan(["text"], Settings(workers=1)).plan(Settings(**given)),
        "command line": lambda: cli.main(command, standalone_mode=False),
    }
    said = {}
    for door, way in ways.items():
        try:
            way()
            said[door] = ""
        except SettingsError as error:
            said[door] = str(error)
        except click.exceptions.Exit:
            said[door] = "refused"
    if not environment:
        del said["environment"]
    return said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"floor": ["BIRTDATE"]}, "did you mean 'BIRTHDATE'"),
        ({"style": "pseudonim"}, "did you mean 'pseudonym'"),
        ({"styles": {"NAME": "surogate"}}, "did you mean 'surrogate'"),
        ({"styles": {"NAMES": "surrogate"}}, "did you mean 'NAME'"),
        ({"weights": {"NAMES": 0.5}}, "did you mean 'NAME'"),
        ({"detector": "embeded"}, "did you mean 'embedded'"),
        ({"solver": "graedy"}, "did you mean 'greedy'"),
        ({"countries": ["usa"]}, "did you mean 'us'"),
        ({"languages": ["eng"]}, "did you mean 'en'"),
        ({"policy": ["gdprr"]}, "did you mean 'gdpr'"),
        ({"always_mask": ["Denver"]}, "linkmask plan RUN --mask VALUE"),
        ({"never_mask": ["0123", "f" * 32]}, "number 1 is no id"),
    ],
)
def test_what_names_nothing_is_refused_at_every_door(
    given: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files, environment, options and Python refuse alike, and say what was likely meant."""
    for door, answer in doors(given, tmp_path).items():
        if door == "command line":
            answer = capsys.readouterr().err
        assert said in answer, door
        assert "Denver" not in answer, door


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("floor", '["NAME", "EMAIL"]', ("NAME", "EMAIL")),
        ("floor", "['NAME','EMAIL']", ("NAME", "EMAIL")),
        ("floor", "[]", ()),
        ("weights", '{"NAME": 0.5}', {"NAME": 0.5}),
        ("styles", '{NAME = "redact"}', {"NAME": "redact"}),
        ("key_file", "[one]", "[one]"),
    ],
)
def test_a_list_or_table_is_taken_as_a_file_writes_it(name: str, text: str, value: object) -> None:
    for at in (
        {"overrides": {name: text}, "environment": {}},
        {"environment": {f"LINKMASK_{name.upper()}": text}},
    ):
        assert getattr(load(**at), name) == value


def test_a_list_that_does_not_end_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"floor: what was given .* is no TOML"):
        load(overrides={"floor": '["NAME"'}, environment={})


def test_a_server_in_a_list_is_the_detector_that_it_is_by_itself() -> None:
    address = "http://127.0.0.1:5002/analyze"
    for text in (address, f'["{address}"]'):
        assert load(overrides={"other_detectors": text}, environment={}).other_detectors == (
            address,
        )


def test_names_are_taken_in_any_letter_case() -> None:
    given = {"policy": "GDPR,Hipaa", "style": "Redact", "detector": "RULES", "solver": "Exact"}
    settings = load(preset="Strict", overrides={**given, "countries": "US"}, environment={})
    assert (settings.preset, settings.policy) == ("strict", ("gdpr", "hipaa"))
    assert (settings.style, settings.detector, settings.solver) == ("redact", "rules", "exact")
    assert settings.countries == ("us",)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("strict", "str is no settings"),
        ({"flor": []}, "did you mean 'floor'"),
        ({"preset": "strct"}, "did you mean 'strict'"),
        (Settings(preset="strict", workers=1), r"use linkmask.load\(preset='strict'\)"),
    ],
)
def test_settings_in_python_that_would_do_nothing_are_refused(given: object, said: str) -> None:
    """A preset that is but named has the default's limits."""
    with pytest.raises(SettingsError, match=said):
        checked(given)


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_that_was_read_is_taken_and_a_dict_may_name_one(name: str) -> None:
    loaded = load(preset=name, environment={})
    assert checked(loaded) == checked({"preset": name}) == loaded
    assert checked({"preset": name, "workers": 3}).workers == 3


def test_an_entity_is_not_both_always_and_never_masked() -> None:
    both = {"always_mask": ["a" * 32], "never_mask": ["a" * 32]}
    with pytest.raises(SettingsError, match="choose one"):
        load(overrides=both, environment={})


def test_the_names_that_settings_take_are_those_of_the_registries() -> None:
    names = choices(Settings)
    assert set(names["detector"]) == set(DETECTORS)
    assert set(names["style"]) == set(STYLES)
    assert list(names["policy"]) == policy_names()
    assert set(names["solver"]) == set(SOLVERS)
