"""The page of the first start: how far it is, what is missing, and the way to the station."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from messages.catalogue import languages, text
from messages.message import Message
from station.card.steps import PORT, STEPS

OWN_NAMES = {"de": "Deutsch", "en": "English", "fr": "Français"}


@dataclass(frozen=True, slots=True)
class StartProgress:
    """How far the first start is. trouble: what is missing at the moment, until it is tried again."""

    step: int
    trouble: Message | None = None
    done: bool = False


def words(progress: StartProgress, language: str) -> str:
    """The step in words.

    >>> words(StartProgress(4), "en")
    '4 of 7: installing packages'
    """
    name = tuple(STEPS)[progress.step - 1]
    what = Message(f"card/step/{name}")
    return text(Message("card/page/step", step=progress.step, steps=len(STEPS), what=what), language)


def as_json(progress: StartProgress, station: str) -> str:
    """The same for a program."""
    return json.dumps(
        {
            "step": progress.step,
            "steps": len(STEPS),
            "name": tuple(STEPS)[progress.step - 1],
            "trouble": progress.trouble and progress.trouble.key,
            "done": progress.done,
            "station": station,
        }
    )


def html(progress: StartProgress, language: str, station: str) -> str:
    """The page. station: where the station will be."""

    def t(key: str) -> str:
        return escape(text(Message(key), language))

    if progress.done:
        content = f'<p><a id="there" href="{escape(station)}">{t("card/page/there")}</a></p>'
    else:
        lines = "".join(
            f'<li class="{_state(number, progress.step)}">{t(f"card/step/{name}")}</li>'
            for number, name in enumerate(STEPS, 1)
        )
        trouble = ""
        if progress.trouble:
            what = escape(text(progress.trouble, language))
            trouble = f'<p class="trouble" role="alert">{what} {t("card/page/again")}</p>'
        content = (
            f'<p id="step" role="status">{escape(words(progress, language))}</p>'
            f'<progress max="{len(STEPS)}" value="{progress.step - 1}" aria-labelledby="step"></progress>'
            f"{trouble}<ol>{lines}</ol><p>{t('card/page/long')} {t('card/page/power')}</p>"
        )
    others = " · ".join(
        f'<a href="/?language={each}" lang="{each}" hreflang="{each}">{OWN_NAMES.get(each, each)}</a>'
        for each in languages()
        if each != language
    )
    return _PAGE.format(
        language=language, title=t("card/page/title"), content=content, others=others,
        station=escape(station), retry=f"0;url={escape(station)}" if progress.done else "5",
    )  # fmt: skip


def _state(number: int, reached: int) -> str:
    if number == reached:
        return "now"
    return "done" if number < reached else "later"


def wanted_language(query: str, accepted: str, default: str) -> str:
    """The language of the address, else the first of the browser's that there is, else the card's.

    >>> wanted_language("", "nl, de-AT;q=0.8, fr;q=0.9", "en"), wanted_language("language=fr", "de", "en")
    ('fr', 'fr')
    """
    requested = parse_qs(query).get("language", [""])[0]
    ranked: list[tuple[float, int, str]] = []
    for part in accepted.split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            ranked.append((-float(weight or 1), len(ranked), name.strip()[:2].lower()))
        except ValueError:
            continue
    names = (requested, *(name for _, _, name in sorted(ranked)))
    return next((name for name in names if name in languages()), default)


def handler(
    progress: Callable[[], StartProgress], default: str, name: Callable[[], str]
) -> type[BaseHTTPRequestHandler]:
    """What answers on port 80. default: the card's language. name: this machine's."""

    class PageHandler(BaseHTTPRequestHandler):
        timeout = 30

        def do_GET(self) -> None:
            """Show the page at every address, and /progress.json for programs."""
            address = urlsplit(self.path)
            host = urlsplit(f"//{self.headers.get('Host', '')}").hostname or f"{name()}.local"
            station = f"http://{f'[{host}]' if ':' in host else host}:{PORT}/"
            if address.path == "/progress.json":
                kind, body = "application/json", as_json(progress(), station)
            else:
                accepted = self.headers.get("Accept-Language", "")
                language = wanted_language(address.query, accepted, default)
                kind, body = "text/html", html(progress(), language, station)
            data = body.encode()
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called there
            """Nobody's visits go into the log."""

    return PageHandler


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<noscript><meta http-equiv="refresh" content="{retry}"></noscript>
<style>
:root {{ color-scheme: light dark; font: 18px/1.5 system-ui, sans-serif }}
body {{ max-width: 34rem; margin: 2rem auto; padding: 0 1rem }}
progress {{ width: 100%; height: 1.2rem }}
#step {{ font-size: 1.3rem; font-weight: 600 }}
.trouble {{ border-left: .4rem solid #c0392b; padding-left: .8rem }}
.done::marker {{ content: "✓ " }}
.now {{ font-weight: 600 }}
.later {{ opacity: .7 }}
footer a {{ display: inline-block; padding: .6rem }}
</style>
<header><h1>{title}</h1></header>
<main>{content}</main>
<footer>{others}</footer>
<script>
const station = "{station}";
async function look() {{
  try {{
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    const old = document.querySelector("main");
    if (fresh.innerHTML !== old.innerHTML) old.replaceWith(fresh);
    if (document.getElementById("there")) location.replace(station);
  }} catch {{
    await fetch(station, {{ mode: "no-cors" }}).then(() => location.replace(station), () => 0);
  }}
  setTimeout(look, 2000);
}}
look();
</script>
</html>
"""
