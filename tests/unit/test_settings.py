import pytest

from geoscout.settings import Settings, load_settings
from geoscout_places.errors import SettingsError


def test_defaults_need_nothing():
    assert load_settings(environment={}) == Settings()


def test_flags_win_over_environment_and_environment_over_file(tmp_path):
    file = tmp_path / "geoscout.toml"
    file.write_text('home = "from file"\nextras = false\n')

    by_environment = load_settings(file, {"GEOSCOUT_HOME": "from environment"})
    by_flag = load_settings(file, {"GEOSCOUT_HOME": "from environment"}, {"home": "from flag"})

    assert (by_environment.home, by_environment.extras) == ("from environment", False)
    assert by_flag.home == "from flag"


def test_flag_not_given_changes_nothing():
    assert load_settings(environment={"GEOSCOUT_HOME": "here"}, flags={"home": None}).home == "here"


def test_unknown_key_is_refused_with_the_nearest_name(tmp_path):
    file = tmp_path / "geoscout.toml"
    file.write_text('hone = "x"\n')

    with pytest.raises(SettingsError, match="no setting is called 'hone'; nearest is 'home'"):
        load_settings(file, {})


def test_unknown_variable_is_refused():
    with pytest.raises(SettingsError, match="the environment: no setting is called 'extra'"):
        load_settings(environment={"GEOSCOUT_EXTRA": "1"})


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("0", False), ("TRUE", True)])
def test_environment_text_is_read_as_the_type_of_the_setting(text, value):
    assert load_settings(environment={"GEOSCOUT_EXTRAS": text}).extras is value


def test_value_of_the_wrong_type_is_refused():
    with pytest.raises(SettingsError, match="extras must be bool, not 'perhaps'"):
        load_settings(environment={"GEOSCOUT_EXTRAS": "perhaps"})


def test_broken_file_is_refused(tmp_path):
    file = tmp_path / "geoscout.toml"
    file.write_text("home = ")

    with pytest.raises(SettingsError, match="is not TOML"):
        load_settings(file, {})


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="cannot read settings file"):
        load_settings(tmp_path / "none.toml", {})
