"""The files of the pages under an address that changes with their content: kept for a year, never stale.

Scripts and style sheets stand beside their routes, below this folder and the application's, and in the
folders of features; a browser sees them all in one folder, `/assets/<fingerprint>/`, so scripts import each
other as neighbours. The words of the scripts stand there, too, a file for each language, and `parts.js`
and `calibrate_parts.js`, the lists of what features bring to the pages.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Flask, Response, abort
from jinja2 import FileSystemLoader
from markupsafe import Markup

from messages import catalogue
from web.core import i18n

YEAR_S = 31_536_000
CORE = Path(__file__).parent
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""What a browser may ask for."""

IMPORT = re.compile(rb'^(?:import|export)\b[^;]*?"\./([\w.-]+)";', re.MULTILINE)

MORE = re.compile(r"\w+\.\w+\.css")
"""What a feature adds to a style sheet: `stakes.table.css` to `table.css`."""

COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*)\n", re.MULTILINE)


def without_comments(script: bytes) -> bytes:
    r"""The script without the lines that are nothing but comment, which are a quarter of what goes out.

    >>> without_comments(b"// Says why.\n/**\n * @type {number}\n */\nlet one = 1; // why\n")
    b'let one = 1; // why\n'
    >>> without_comments(b"/** @type {number} */ (one)\n/** two */\n")
    b'/** @type {number} */ (one)\n'
    """
    return COMMENT.sub(b"", script)


def _files(*folders: Path) -> tuple[Path, ...]:
    """All below these folders."""
    return tuple(sorted({path for folder in folders for path in folder.rglob("*")}))


def _listed(parts: Sequence[Path], ending: str) -> bytes:
    """The script that has what each feature brings, where its folder has a script of its name and ending."""
    names = [folder.parent.name for folder in parts if (folder / f"{folder.parent.name}{ending}").exists()]
    lines = [f'import {{ part as {name} }} from "./{name}{ending}";' for name in names]
    return "\n".join((*lines, f"export const parts = [{', '.join(names)}];\n")).encode()


def _assets(files: tuple[Path, ...], parts: Sequence[Path] = ()) -> dict[str, bytes]:
    """What a browser may ask for, by the name alone."""
    found = {"parts.js": _listed(parts, ".js"), "calibrate_parts.js": _listed(parts, ".calibrate.js")}
    for path in (each for each in files if each.suffix in KINDS):
        if path.name in found:
            raise ValueError(f"two files of the pages are called {path.name}")
        content = path.read_bytes()
        found[path.name] = without_comments(content) if path.suffix == ".js" else content
    for name in [name for name in found if MORE.fullmatch(name)]:
        found[name.partition(".")[2]] += found.pop(name)
    return found


def fingerprint(files: Mapping[str, bytes]) -> str:
    """A short name for the content of all files and words: scripts import each other without one.

    Of the words as they are written, of which scripts say some: to read them all would delay the start.
    """
    digest = hashlib.blake2b(repr(i18n.BROWSER).encode(), digest_size=6)
    for name, content in files.items():
        digest.update(name.encode() + content)
    for language in catalogue.languages():
        digest.update(catalogue.written(language))
    return digest.hexdigest()


@cache
def _read(folders: tuple[Path, ...], parts: tuple[Path, ...]) -> tuple[dict[str, bytes], str, list[Path]]:
    """What a browser may request, its fingerprint, and the folders of templates; once for each process."""
    files = _files(*folders)
    found = _assets(files, parts)
    return found, fingerprint(found), sorted({path.parent for path in files if path.suffix == ".html"})


def install(app: Flask, parts: Sequence[Path] = ()) -> None:
    """Serve the files below this folder and the application's, and find the templates there.

    parts: folders with what features bring to the pages, each in a folder of the feature's name.
    Templates call `asset("base.css")` for the address of a file, and `script("tv.js")` for the elements that
    load a script, at once with everything it imports and its words. `app.extensions["pages"]` is the version
    of all of them.
    """
    found, version, templates = _read((CORE, Path(app.root_path), *parts), tuple(parts))
    app.jinja_loader = FileSystemLoader(templates)
    routes = Blueprint("assets", __name__)

    def file_response(content: bytes, kind: str, wanted: str) -> Response:
        # without a charset: modules are UTF-8 always, style sheets as their page is
        response = Response(content, content_type=kind)
        if wanted == version:
            response.headers["Cache-Control"] = f"max-age={YEAR_S}, immutable"
        return response

    @routes.get("/assets/<wanted>/<name>")
    def asset_file(wanted: str, name: str) -> Response:
        return file_response(found.get(name) or abort(HTTPStatus.NOT_FOUND), KINDS[Path(name).suffix], wanted)

    @routes.get("/assets/<wanted>/words/<language>.js")
    def words(wanted: str, language: str) -> Response:
        if language not in catalogue.languages():
            abort(HTTPStatus.NOT_FOUND)
        return file_response(b"const WORDS = %b;\n" % i18n.of_browser(language), KINDS[".js"], wanted)

    def asset(name: str) -> str:
        return f"/assets/{version}/{name}"

    @cache
    def imported(name: str) -> tuple[str, ...]:
        """The scripts that one imports, directly or through others."""
        names = [name]
        for each in names:  # it grows meanwhile
            there = (script.decode() for script in IMPORT.findall(found[each]))
            names += [script for script in there if script not in names]
        return tuple(names[1:])

    def script(name: str) -> Markup:
        link = Markup('<link rel="modulepreload" href="{}">\n')
        words = Markup('<script defer src="{}"></script>\n')  # runs before the module, which stands below it
        return (
            words.format(asset(f"words/{i18n.language()}.js"))
            + Markup("").join(link.format(asset(each)) for each in imported(name))
            + Markup('<script type="module" src="{}"></script>').format(asset(name))
        )

    app.extensions["pages"] = version
    app.register_blueprint(routes)
    app.jinja_env.globals.update(asset=asset, script=script)
