"""Payments at the end of a game that was played for stakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from messages.message import Message
from station.features.stakes.option import STAKES
from station.game.log.state import Phase, State, totals

BIG_GENERAL_POINTS = 60
"""Points that a big general adds for its thrower in the settlement: as much as a small one."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment at the end: seats, and an exact amount above 0. sign: of the currency, or ""."""

    payer: int
    payee: int
    amount: Decimal
    sign: str = ""

    @property
    def amount_text(self) -> Message:
        """The amount as it is written: "1.35", "€1.35"."""
        whole, _, part = str(self.amount).partition(".")
        kind = ("exact" if part else "whole") + ("_sign" if self.sign else "")
        return Message(f"stakes/amounts/{kind}", whole=whole, part=part, sign=self.sign)


def settlement(state: State) -> tuple[Payment, ...]:
    """The payments of the other players to the winners once the game is over; empty without stakes.

    Each owes the difference of points at so much a point. After a big general its thrower has 60 points
    more for this, never less than the other, and gets what was agreed for it on top. Winners that
    share a game share what is owed them; what cannot be divided goes to the first of them.

    >>> settlement(State())
    ()
    """
    agreed = STAKES.of(state)
    if state.phase is not Phase.FINISHED or not agreed:
        return ()
    per_point, big_general, sign = agreed
    general = state.ended_by == "big_general"
    found: list[Payment] = []
    for payer, player in enumerate(state.players):
        if player.gone or payer in state.winners:
            continue
        best = max((totals(state, state.players[i]).total for i in state.winners), default=0)
        ahead = best - totals(state, player).total + (BIG_GENERAL_POINTS if general else 0)
        owed = max(ahead, 0) * Decimal(per_point) + (Decimal(big_general) if general else 0)
        found += _shared(payer, owed, state.winners, sign)
    return tuple(found)


def _shared(payer: int, owed: Decimal, winners: Sequence[int], sign: str) -> list[Payment]:
    """The debts, shared among the winners in the smallest unit of the amounts."""
    if not winners:
        return []
    exponent = owed.as_tuple().exponent
    part = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    each, over = divmod(int(owed / part), len(winners))
    shares = [(payee, (each + (number < over)) * part) for number, payee in enumerate(winners)]
    return [Payment(payer, payee, amount, sign) for payee, amount in shares if amount]


def sentence(state: State, payment: Payment) -> Message:
    """A payment as people read it: "Ben pays Ana 1.35"."""
    payer, payee = state.players[payment.payer].name, state.players[payment.payee].name
    return Message("stakes/pays", payer=payer, payee=payee, amount=payment.amount_text)
