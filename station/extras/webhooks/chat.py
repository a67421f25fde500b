"""Happenings as lines in a chat: the request that each service documents, and its words.

Discord: https://discord.com/developers/docs/resources/webhook#execute-webhook
Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
ntfy: https://docs.ntfy.sh/publish/
Matrix: https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
"""

import html
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

from messages.catalogue import text
from messages.message import Message
from station.contract.happening import HappeningKind
from station.extras.webhooks import Chat
from station.extras.webhooks.sender import Destination, Request, as_json, number, secret
from station.integrations.happenings import TableEvent

DISCORD_MAX = 2000
"""Characters of a message."""
MARKDOWN = re.compile(r"[\\*_~`|<>#()\[\]]")


def chat(settings: Chat, station: str, language: str) -> Destination:
    """A room of people, who read a sentence in that language; late only of how a game ended."""
    template = TEMPLATES[settings.kind]

    def request(happening: TableEvent, late: bool) -> Request | None:  # noqa: FBT001 - as of any receiver
        if happening.kind not in settings.events or (late and happening.kind is not HappeningKind.GAME_OVER):
            return None
        words = text(sentence(happening, station), language)
        return template(settings, words, station, number(station, happening))

    return Destination(settings.name, settings.url, request)


def sentence(happening: TableEvent, station: str) -> Message:
    """The sentence for a throw, a box or the end of a game."""
    values = happening.values
    if happening.kind is HappeningKind.GAME_OVER:
        scores = tuple(f"{each['name']} {each['total']}" for each in values["scores"])
        winners = tuple(values["winners"])
        if not winners:
            return Message("chat/over", station=station, scores=scores)
        return Message("chat/won", count=len(winners), names=winners, station=station, scores=scores)
    values_of_sentence = {"station": station, "name": values["name"] or station}
    if happening.kind == "great_throw":
        return Message("chat/great", **values_of_sentence, faces=tuple(values["faces"]))
    values_of_sentence |= {key: values[key] for key in ("label", "total")}
    if values["points"] is None:
        return Message("chat/emptied", **values_of_sentence)
    return Message("chat/box", **values_of_sentence, points=values["points"])


def _discord(settings: Chat, words: str, station: str, which: str) -> Request:
    """No name in it is a sign of Markdown, and none calls anybody."""
    del settings, station, which
    plain = MARKDOWN.sub(r"\\\g<0>", words)[:DISCORD_MAX]
    return as_json({"content": plain, "allowed_mentions": {"parse": []}})


def _slack(settings: Chat, words: str, station: str, which: str) -> Request:
    del settings, station, which
    return as_json({"text": html.escape(words, quote=False), "mrkdwn": False})


def _ntfy(settings: Chat, words: str, station: str, which: str) -> Request:
    del which
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Title": f"Yacht Station {station}",
        "Tags": "game_die",
    }
    return Request("", words.encode(), headers | _bearer(settings.token_file))


def _matrix(settings: Chat, words: str, station: str, which: str) -> Request:
    """The same number is the same message to the server, however often it is sent."""
    del station
    room, which = quote(settings.room or "", safe=""), quote(which, safe="")
    path = f"/_matrix/client/v3/rooms/{room}/send/m.room.message/{which}"
    body = {"msgtype": "m.text", "body": words, "m.mentions": {}}
    return as_json(body, path=path, method="PUT", headers=_bearer(settings.token_file))


def _bearer(path: Path | None) -> dict[str, str]:
    return {} if path is None else {"Authorization": f"Bearer {secret(path).decode()}"}


TEMPLATES: Mapping[str, Callable[[Chat, str, str, str], Request]] = {
    "discord": _discord,
    "slack": _slack,
    "ntfy": _ntfy,
    "matrix": _matrix,
}
"""(settings, words, station, the number of what happened) -> what is sent."""
