"""Names of players: how they are kept, which can be seen, and which look the same."""

import unicodedata
from collections.abc import Iterable

from messages.errors import RefusalError
from station.contract.fields import NAME_MAX

JOINERS = "\u200c\u200d"
"""They stand inside emoji and inside words of Persian and Indian languages, and show nothing themselves."""

BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0"
"""Letters and signs that show nothing, though Unicode does not count them as spaces."""

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
SEEN = frozenset("LNPS")

LOOKALIKES = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһԁԛԝѵкмтвнг", "aeopcyxijshdqwvkmtbhr", strict=True)),
        **dict(zip("αβεζηικμνορτυχγ", "abezhikmnoptuxy", strict=True)),
        **dict(zip("01", "oi", strict=True)),
    }
)
"""Letters drawn alike in Cyrillic, Greek and Latin, and digits like letters (Unicode TR 39, confusables)."""


def clean_name(name: str) -> str:
    """The name as it is kept: composed (NFC), trimmed, inner spaces single.

    Raises RefusalError `player/name` when nothing is left to be seen, or it is too long.

    >>> clean_name("  Ana   Maria ")
    'Ana Maria'
    """
    clean = " ".join(unicodedata.normalize("NFC", name).split()).strip(JOINERS)
    if not clean:
        raise RefusalError("player/name")
    if len(clean) > NAME_MAX:
        short = f"{clean[:NAME_MAX]}…"
        raise RefusalError("player/name_long", code="player/name", name=short, count=NAME_MAX)
    hidden = any(unicodedata.category(sign) in INVISIBLE and sign not in JOINERS for sign in clean)
    seen = any(unicodedata.category(sign)[0] in SEEN for sign in clean)
    if hidden or not seen or any(sign in BLANK for sign in clean):
        raise RefusalError("player/name_signs", code="player/name")
    return clean


def is_name(text: str) -> bool:
    """Whether the text is a name in the form in which it is stored.

    >>> is_name("Ana"), is_name(" Ana"), is_name("A" * 21)
    (True, False, False)
    """
    try:
        return clean_name(text) == text
    except RefusalError:
        return False


def looks(name: str) -> str:
    """The look of a name: two names with the same look are not distinguishable on a screen.

    >>> looks("Ana") == looks("ANA"), looks("Olli") == looks("0lli"), looks("Ana") == looks("Anna")
    (True, True, False)
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    visible = (sign for sign in plain if unicodedata.category(sign) not in INVISIBLE and sign not in BLANK)
    drawn = "".join(visible).translate(LOOKALIKES).replace("l", "i").replace("|", "i")
    return drawn.replace("rn", "m").replace("\ufe0f", "")


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as they are kept. Raises RefusalError `player/name` or `player/twice`."""
    clean: list[str] = []
    for name in names:
        one = clean_name(name)
        if looks(one) in map(looks, clean):
            raise RefusalError("player/twice", name=one)
        clean.append(one)
    return tuple(clean)
