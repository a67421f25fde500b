"""Settings: defaults that work, bounds that hold, mistakes that are named."""

from pathlib import Path

import pytest

from messages import catalogue
from messages.errors import BadInputError
from station.config import Pins, load_settings, parse


def test_every_setting_has_a_title_and_a_default():
    settings = load_settings(None)
    assert settings == parse({})

    def look(model, where):
        for name, field in model.model_fields.items():
            assert field.title, f"{where}{name}"
            if hasattr(field.annotation, "model_fields"):
                look(field.annotation, f"{where}{name}.")
            else:
                assert field.description, f"{where}{name}"

    look(type(settings), "")


def test_options_stand_above_the_file(tmp_path):
    file = tmp_path / "station.toml"
    file.write_text('port = 9000\ncamera = "usb:1"\n[pins]\nconfirm_button = 3\n[simulated]\npace = 2\n')
    config = load_settings(file, port=9001, camera=None, data=Path("games"))
    assert (config.port, config.camera, config.data) == (9001, "usb:1", Path("games"))
    assert (config.pins.confirm_button, config.simulated.pace) == (3, 2.0)


@pytest.mark.needs_feature("computer_players")
def test_a_mark_and_line_ends_of_windows_are_no_mistake(tmp_path):
    file = tmp_path / "station.toml"
    file.write_bytes(b"\xef\xbb\xbfport = 9001\r\n[computer]\r\npause_s = 2.0\r\n")
    config = load_settings(file)
    assert (config.port, config.computer.pause_s) == (9001, 2.0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "There is no setting 'prot'"),
        ("[pins]\nconfirm = 3", "There is no setting 'pins.confirm' (there are hold_buttons"),
        ("port = 'http'", "The setting 'port' is wrong: it should be a valid integer."),
        ("keep_pictures = 'maybe'", "The setting 'keep_pictures' is wrong: it should be a valid boolean."),
        pytest.param(
            "[computer]\npause_s = 'long'",
            "The setting 'computer.pause_s' is wrong: it should be a number.",
            marks=pytest.mark.needs_feature("computer_players"),
        ),
        ('names = ["https://yacht.example.org"]', "is no host name"),
        ('frames = ["homeassistant.local:8123"]', "is no address of pages"),
        ('frames = ["http://homeassistant.local:8123/"]', "is no address of pages"),
        ('frames = ["http://*.example.org"]', "is no address of pages"),
        ('frames = ["https://a.example; script-src *"]', "is no address of pages"),
        ('frames = ["http://a.example:99999"]', "is no address of pages"),
        ('[proxy]\naddresses = ["the proxy"]', "is no address such as 127.0.0.1"),
        ('[proxy]\naddresses = ["192.168.1.7/24"]', "is no address such as 127.0.0.1"),
        ('[proxy]\nheaders = ["X-Real-IP"]', "The setting 'proxy.headers"),
        ("port = 70000", "The setting 'port' is wrong: it should be less than or equal to 65535."),
        ("buttons = 'many'", "The setting 'buttons' is wrong"),
        ("[pins]\nconfirm_button = 28", "The setting 'pins.confirm_button' is wrong"),
        ("[pins]\nconfirm_button = 17", "pin 17 is given to hold button 1 and to confirm button"),
        ("[pins]\nhold_buttons = [5, 6]", "The setting 'pins.hold_buttons"),
        ("[press]\nlong_s = 0.01", "The setting 'press.long_s' is wrong"),
        ("language = 'xx'", "no catalogue of the language 'xx'; there are en"),
        ("key = 'key.pem'", "a key is named, and no certificate it belongs to; name that too."),
        ("port = ", "is not TOML"),
        ("\xff", "is not TOML"),
        ("port = " + "1" * 5000, "far too long"),
        ("port = " + "[" * 5000, "far too long"),
    ],
)
def test_a_mistake_is_named_with_its_key_and_file(tmp_path, text, sentence):
    file = tmp_path / "station.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        load_settings(file)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(f"{file}: ") or f" {file} " in str(caught.value)
    for language in ("de", "fr"):
        assert "nput should" not in catalogue.text(caught.value.message, language)


def test_a_file_that_is_missing_or_no_text_is_said(tmp_path):
    with pytest.raises(BadInputError, match="There is no settings file"):
        load_settings(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="cannot be read"):
        load_settings(tmp_path / "binary.toml")


def test_the_shipped_settings_file_is_one():
    load_settings(Path(__file__).parents[2] / "systemd" / "station.toml")


def test_the_default_wiring_fits_the_odd_side_of_the_header():
    odd_side = {2, 3, 4, 17, 27, 22, 10, 9, 11, 5, 6, 13, 19, 26}
    assert {pin for _, pin in Pins().used()} <= odd_side


def test_a_pin_can_be_left_out_or_added():
    config = parse({"pins": {"undo_button": 14, "encoder": [15, 18, 23], "buzzer": 24}})
    assert {str(part): pin for part, pin in config.pins.used()}["knob push"] == 23
