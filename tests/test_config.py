"""Settings: presets, layers, and what is said when one is wrong."""

from pathlib import Path

import pytest

from linkmask import schema
from linkmask.config import Settings, load, preset_names
from linkmask.errors import SettingsError


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
    ],
)
def test_a_wrong_setting_is_named(overrides: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load(overrides=overrides, environment={})


def test_an_unknown_preset_names_those_there_are() -> None:
    with pytest.raises(SettingsError, match="insurance, strict, thesis"):
        load(preset="hipster", environment={})


def test_a_broken_file_is_named_with_its_place(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("theta_doc = = 3")
    with pytest.raises(SettingsError, match=r"c\.toml.*line 1"):
        load(config, environment={})


@pytest.mark.parametrize("path", sorted(schema.FOLDER.glob("*.toml")), ids=lambda p: p.stem)
def test_every_schema_has_weights_in_range_and_aliases_to_its_own_types(path: Path) -> None:
    table = schema.load(path.stem)
    assert table.types
    assert all(0 <= weight <= 1 for weight in table.weights.values())
    assert set(table.aliases.values()) <= set(table.types)


def test_a_weight_for_an_unknown_type_is_refused() -> None:
    with pytest.raises(SettingsError, match="NICKNAME"):
        schema.load("insurance").with_weights({"NICKNAME": 0.5})
