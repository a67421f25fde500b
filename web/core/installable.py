"""The station as an app on a phone's home screen: its manifest, and the page for when it does not answer."""

from flask import Blueprint, Response, jsonify, render_template


def create(asset: object) -> Blueprint:
    """The blueprint. asset: gives the address of a file of the pages."""
    assert callable(asset)  # noqa: S101 - web.core.assets puts it there
    pages = Blueprint("installable", __name__)

    @pages.get("/manifest.webmanifest")
    def manifest() -> Response:
        icons = [
            {"src": asset(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ]
        icons += [{**icon, "purpose": "maskable"} for icon in icons]
        response = jsonify(
            {
                "name": "Yacht Station",
                "short_name": "Yacht",
                "start_url": "/",
                "scope": "/",
                "display": "standalone",
                "background_color": "#174637",
                "theme_color": "#174637",
                "icons": icons,
            }
        )
        response.mimetype = "application/manifest+json"
        return response

    @pages.get("/service-worker.js")
    def worker() -> Response:
        """At the top of the site, so that all of it is its; the address inside changes with the pages."""
        script = f'importScripts("{asset("service_worker.js")}");\n'
        response = Response(script, mimetype="text/javascript")
        response.headers["Cache-Control"] = "no-cache"
        return response

    @pages.get("/offline")
    def offline() -> str:
        return render_template("offline.html")

    return pages
