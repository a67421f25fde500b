"""A self-signed certificate of the station: phones warn once, and the connection is encrypted."""

import ipaddress
import subprocess
from collections.abc import Iterable
from pathlib import Path

from messages.atomic_write import replace_file
from messages.errors import FailedError, os_error_as

NAME = "https.pem"
"""In the data folder: certificate and key. Copies do not hold it: another machine makes its own."""
DAYS = 800
"""Safari takes none that is good for longer than 825 days."""
MAKING_S = 30.0
"""The time limit; a Pi Zero takes one second."""
RECIPE = """[req]
distinguished_name = name
x509_extensions = station
prompt = no
[name]
CN = Yacht Station
[station]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""


def make(path: Path, names: Iterable[str]) -> None:
    """Put a new certificate and its key at `path`, which only the station can read.

    names: names and addresses it is for. Raises FailedError with a sentence.
    """
    recipe = RECIPE.format(names=",".join(f"{_kind(name)}:{name}" for name in dict.fromkeys(names)))
    command = (
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", str(DAYS), "-config", "/dev/stdin", "-keyout", "-", "-out", "-",
    )  # fmt: skip
    try:
        made = subprocess.run(  # noqa: S603 - all words are of this file
            command, input=recipe.encode(), capture_output=True, timeout=MAKING_S, check=True
        )
    except FileNotFoundError:
        raise FailedError("https/no-openssl") from None
    except subprocess.SubprocessError as error:
        output = getattr(error, "stderr", None) or str(error).encode()
        raise FailedError("https/not-made", why=output.decode(errors="replace").strip()[-200:]) from None
    with os_error_as(lambda why: FailedError("https/not-made", why=why)):
        replace_file(path, made.stdout, 0o600)


def _kind(name: str) -> str:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "DNS"
    return "IP"
