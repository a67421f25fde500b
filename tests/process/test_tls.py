"""Certificates that will not do are told in a sentence, before anything listens."""

import subprocess
from pathlib import Path

import pytest

from messages.errors import BadInputError
from station.cli import run
from station.server import tls


def openssl(folder: Path, name: str, *more: str) -> tuple[Path, Path]:
    """A certificate and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-subj", "/CN=yacht.local", "-addext", "keyUsage=critical,digitalSignature,keyCertSign",
         "-keyout", key, "-out", certificate, *(more or ["-nodes"])],
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


def made_then(
    folder: Path, name: str, *, begins: str, ends: str, usage: str = "serverAuth"
) -> tuple[Path, Path]:
    """A certificate of another authority and its key; times as YYYYMMDDHHMMSSZ.

    OpenSSL 3.0 makes none of a time past but as an authority, with its books.
    """
    authority, authority_key = openssl(folder, "house")
    certificate, key, request = (folder / f"{name}{end}" for end in (".pem", "-key.pem", ".csr"))
    settings = folder / "authority.cnf"
    settings.write_text(
        "[ca]\ndefault_ca = house\n[house]\nnew_certs_dir = .\ndatabase = books\nrand_serial = yes\n"
        "default_md = sha256\npolicy = any\n[any]\ncommonName = supplied\n"
        f"[leaf]\nbasicConstraints = critical,CA:FALSE\nextendedKeyUsage = {usage}\n"
        "keyUsage = critical,digitalSignature\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n"
        "subjectAltName = DNS:yacht.example.org,IP:192.168.1.20\n"
    )
    (folder / "books").write_text("")
    for command in (
        ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=yacht", "-keyout", key, "-out", request],
        ["ca", "-batch", "-notext", "-config", settings, "-extensions", "leaf", "-cert", authority,
         "-keyfile", authority_key, "-startdate", begins, "-enddate", ends, "-in", request,
         "-out", certificate],
    ):  # fmt: skip
        subprocess.run(["openssl", *command], check=True, capture_output=True, cwd=folder)
    return certificate, key


@pytest.mark.thorough
def test_a_certificate_tells_its_names_and_times_whenever_it_is_asked(pair, folder, tmp_path):
    details = tls.read(tls.context(*pair), pair[0])
    assert (details.ends - details.begins).days == 30, "one that signs itself, made now"
    both = folder / "both-read.pem"
    both.write_bytes(pair[1].read_bytes() + pair[0].read_bytes())
    assert tls.read(tls.context(both), both) == details
    for begins, ends in (("20200101000000Z", "20210203040506Z"), ("20900101000000Z", "20910203040506Z")):
        leaf, key = made_then(tmp_path, "leaf", begins=begins, ends=ends)
        details = tls.read(tls.context(leaf, key), leaf)
        assert details.names == ("yacht.example.org",)
        assert [f"{each:%Y%m%d%H%M%S}Z" for each in (details.begins, details.ends)] == [begins, ends]


@pytest.mark.slow
def test_a_certificate_for_something_else_is_told(tmp_path):
    leaf, key = made_then(
        tmp_path, "mail", begins="20200101000000Z", ends="20900101000000Z", usage="emailProtection"
    )
    with pytest.raises(BadInputError, match=r"Screens will not take the certificate .*mail\.pem"):
        tls.read(tls.context(leaf, key), leaf)


def test_the_command_says_it_and_leaves_nothing_behind(pair, tmp_path, capsys):
    data = tmp_path / "data"
    common = ["run", "--camera", "simulated", "--buttons", "none", "--port", "0", "--data", str(data)]
    assert run([*common, "--certificate", str(pair[1]), "--key", str(pair[1])]) == 2
    assert "There is no certificate in" in capsys.readouterr().err
    assert run([*common, "--key", str(pair[1])]) == 2
    assert "a key is named, and no certificate" in capsys.readouterr().err
    assert not data.exists()
