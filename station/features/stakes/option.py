"""The stakes of a game: an amount for each point, and one for a big general."""

from typing import Annotated

from pydantic import Field

from messages.errors import RefusalError
from station.contract.fields import AMOUNT, Amount, Body, Text
from station.game.log.options import GameOption
from station.game.log.words import quoted, unquoted
from station.rules import RuleSet

Agreed = tuple[()] | tuple[Amount, Amount, Annotated[Text, Field(max_length=4)]]
"""A point, a big general, the sign of the currency; empty when nothing is played for."""


class Stakes(Body):
    """What a game is played for: exact decimals as texts, in a currency or in matches."""

    per_point: Annotated[
        str, Field(max_length=40, description='Of each point of difference, such as "0.05".')
    ]
    big_general: Annotated[
        str | None, Field(max_length=40, description="Besides, from each, for a big general.")
    ] = None
    currency: Annotated[str, Field(max_length=4, description='Its sign, such as "€".')] = ""


def _keep(stakes: Stakes | None, rules: RuleSet) -> Agreed:
    """Raises RefusalError `stakes/amount`, `stakes/no_big_general`, `stakes/sign`."""
    if stakes is None:
        return ()
    for amount in (stakes.per_point, stakes.big_general or "0"):
        if not AMOUNT.fullmatch(amount):
            raise RefusalError("stakes/amount", amount=amount[:20])
    if stakes.big_general is not None and not rules.first_throw_yacht_wins:
        raise RefusalError("stakes/no_big_general", title=rules.title)
    if any(sign.isdigit() or sign.isspace() or not sign.isprintable() for sign in stakes.currency):
        raise RefusalError("stakes/sign")
    return (stakes.per_point, stakes.big_general or "0", stakes.currency)


def _request(agreed: Agreed) -> Stakes | None:
    if not agreed:
        return None
    point, general, sign = agreed
    return Stakes(per_point=point, big_general=None if general == "0" else general, currency=sign)


def _read(word: str) -> Agreed:
    point, general, *sign = unquoted(word).split()
    if not all(AMOUNT.fullmatch(amount) for amount in (point, general)):
        raise ValueError
    return point, general, " ".join(sign)


STAKES: GameOption[Agreed] = GameOption(
    name="stakes",
    usual=(),
    field=(Annotated[Stakes | None, Field(description="Left out, nothing is played for.")], None),
    request=_request,
    kept=Agreed,
    word="for",
    keep=_keep,
    write=lambda agreed: quoted(" ".join(agreed).rstrip()),
    read=_read,
)
