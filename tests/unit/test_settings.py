import pytest

from geoscout.settings import Settings, load_settings
from geoscout_places.errors import SettingsError


def test_defaults_need_nothing_and_a_flag_that_is_not_given_changes_nothing():
    assert load_settings(environment={}) == Settings()
    assert load_settings(environment={"GEOSCOUT_HOME": "x"}, flags={"home": None}).home == "x"


def test_flags_win_over_environment_and_environment_over_file(tmp_path):
    file = tmp_path / "geoscout.toml"
    file.write_text('home = "from file"\nextras = false\n')

    by_environment = load_settings(file, {"GEOSCOUT_HOME": "from environment"})
    by_flag = load_settings(file, {"GEOSCOUT_HOME": "from environment"}, {"home": "from flag"})

    assert (by_environment.home, by_environment.extras) == ("from environment", False)
    assert by_flag.home == "from flag"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('hone = "x"\n', "no setting is called 'hone'; nearest is 'home'"),
        ("home = ", "is not TOML"),
        (None, "cannot read settings file"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused(tmp_path, text, said):
    file = tmp_path / "geoscout.toml"
    if text is not None:
        file.write_text(text)

    with pytest.raises(SettingsError, match=said):
        load_settings(file, {})


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("EXTRA", "the environment: no setting is called 'extra'"),
        ("EXTRAS", "extras must be bool, not 'perhaps'"),
    ],
)
def test_a_variable_that_cannot_be_understood_is_refused(name, said):
    with pytest.raises(SettingsError, match=said):
        load_settings(environment={f"GEOSCOUT_{name}": "perhaps"})


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("0", False), ("TRUE", True)])
def test_environment_text_is_read_as_the_type_of_the_setting(text, value):
    assert load_settings(environment={"GEOSCOUT_EXTRAS": text}).extras is value
