"""Certificates that will not do are told in a sentence, before anything listens."""

import subprocess
from pathlib import Path

import pytest

from station import network, tls
from station.cli import run
from station.errors import BadInputError


def openssl(folder: Path, name: str, *more: str) -> tuple[Path, Path]:
    """A certificate and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-subj", "/CN=yacht.local", "-keyout", key, "-out", certificate, *(more or ["-nodes"])],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("certificates")


@pytest.fixture(scope="module")
def pair(folder: Path) -> tuple[Path, Path]:
    return openssl(folder, "good")


def test_a_pair_of_files_or_both_in_one(pair, folder):
    certificate, key = pair
    tls.context(certificate, key)
    both = folder / "both.pem"
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    tls.context(both)


@pytest.mark.parametrize(
    ("certificate", "key", "sentence"),
    [
        ("nowhere.pem", "good-key.pem", "There is no certificate .*nowhere.pem"),
        ("good.pem", "nowhere.pem", "There is no key .*nowhere.pem"),
        (".", "good-key.pem", "cannot be read"),
        ("good.pem", "other-key.pem", "does not belong to the certificate"),
        ("good.pem", None, "name the key's file with --key"),
        ("good.pem", "locked-key.pem", "locked with a pass phrase"),
        ("good-key.pem", "good-key.pem", "There is no certificate in"),
        ("good.pem", "good.pem", "There is no private key in"),
        ("cut.pem", "good-key.pem", "cannot be used"),
    ],
)
def test_files_that_will_not_do(pair, folder, certificate, key, sentence):
    openssl(folder, "other")
    openssl(folder, "locked", "-passout", "pass:secret")
    (folder / "cut.pem").write_bytes(pair[0].read_bytes()[:200])
    with pytest.raises(BadInputError, match=sentence):
        tls.context(folder / certificate, None if key is None else folder / key)


def test_the_command_says_it_and_leaves_nothing_behind(pair, tmp_path, capsys):
    data = tmp_path / "data"
    common = ["run", "--camera", "simulated", "--buttons", "none", "--port", "0", "--data", str(data)]
    assert run([*common, "--certificate", str(pair[1]), "--key", str(pair[1])]) == 2
    assert "There is no certificate in" in capsys.readouterr().err
    assert run([*common, "--key", str(pair[1])]) == 2
    assert "a key is named, and no certificate" in capsys.readouterr().err
    assert not data.exists()


def test_a_front_that_never_started_stops(pair):
    listening = network.listen("127.0.0.1", 0)
    front = tls.TlsFront(listening, tls.context(*pair), ("127.0.0.1", 1))
    front.stop()
    assert listening.fileno() == -1
