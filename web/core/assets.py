"""The files of the pages under an address that changes with their content: kept for a year, never stale."""

import hashlib
from pathlib import Path

from flask import Blueprint, Flask, Response, send_from_directory

YEAR_S = 31_536_000
STATIC = Path(__file__).parent.parent / "static"


def fingerprint(folder: Path) -> str:
    """A short name for the content of all files below `folder`: modules import each other relatively."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def install(app: Flask) -> None:
    """Serve the static files; templates call `asset("css/base.css")` for the address of one."""
    name = fingerprint(STATIC)
    files = Blueprint("assets", __name__)

    @files.get("/assets/<version>/<path:path>")
    def asset_file(version: str, path: str) -> Response:
        response = send_from_directory(STATIC, path)
        if version == name:
            response.headers["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
        return response

    def asset(path: str) -> str:
        return f"/assets/{name}/{path}"

    app.register_blueprint(files)
    app.jinja_env.globals["asset"] = asset
