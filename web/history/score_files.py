"""Old score files: the form in the history, and the games that it imports."""

from collections.abc import Sequence
from datetime import datetime

from messages.errors import BadInputError
from messages.message import Message
from station import games
from station.rules import built_in_ids
from station.store import score_file
from web.core import i18n
from web.core.collaborators import GameArchive


def known() -> dict[str, str]:
    """The rule sets by which old games can have been played: id -> title in the reader's language."""
    return {each: i18n.sentence(games.rules_of(each).title) for each in (*built_in_ids(), *games.texts())}


def bring(archive: GameArchive, content: bytes, rules_id: str) -> Sequence[str]:
    """Add the games of a file; what is wrong with which line, and then nothing is added.

    Raises BadInputError for a file without games and rules that nobody knows, StoreError.
    """
    games.check(rules_id, games.texts())
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError("score-file/no-text", code="input/bad", path="CSV") from error
    found, faults = score_file.read(text, rules_id, datetime.now().astimezone().date())
    if not faults and not found:
        raise BadInputError("score-file/empty", code="input/bad", path="CSV")
    if not faults:
        archive.add_past(found)
    return [i18n.sentence(Message("score-file/line", line=each.line, why=each.why)) for each in faults]
