"""The view that every screen gets: of the game and the tray (station.contract.view)."""

from messages.message import Message
from station.contract.view import (
    DeviceView,
    OfferedDieView,
    OfferView,
    PlayerView,
    ReadingView,
    RowView,
    TableView,
)
from station.game.boxes import writable
from station.game.dice import tray
from station.game.dice.tray import Offer
from station.game.evolve import evolve
from station.game.feature import Feature, implementing
from station.game.log.player import Player
from station.game.log.slots import die_views
from station.game.log.state import Phase, State, totals
from station.game.players import seats
from station.game.sentences import announced, needed, problem_on_tray, undo_text, waiting_for
from station.game.situation import Situation
from station.game.steps.accept_roll import AcceptRoll, RollAccepted
from station.game.way import WAY, own
from station.rules import potentials

NO_DEVICE = DeviceView()


def snapshot(now: Situation, *, commands: tuple[str, ...] = (), camera: DeviceView = NO_DEVICE) -> TableView:
    """Everything a screen shows of the game; the table adds its own. commands: names of those on offer."""
    state, offer = now.state, now.offer
    rules, way = state.rules, WAY.of(state)
    dice = way.dice_views(state)
    mine = own(state) if state.running else state
    problem = problem_on_tray(state, offer) or (None if camera.ok else camera.message)
    return TableView(
        phase=tray.view_phase(state, offer).value,
        waiting_for=_waiting_for(now),
        problem=problem,
        rules=rules.id if rules else None,
        rules_title=rules.title if rules else None,
        starts=rules.starts if rules else None,
        categories=tuple(
            RowView(category, label, section.value, row)
            for category, label, section, row in (rules.rows if rules else ())
        ),
        columns=tuple(column.label for column in rules.columns) if rules else (),
        sums=rules.sums if rules else (),
        house_rules=state.house or None,
        game=state.game,
        active_player=state.active if state.running else None,
        throws_done=state.throws_done,
        throws_allowed=state.throws_allowed,
        rolls_left=state.rolls_left if state.running else 0,
        dice_count=state.dice_count,
        dice=dice,
        reading=_reading(state, offer),
        offer=_offer(now),
        players=tuple(_player(now, i, player) for i, player in enumerate(state.players)),
        undo=undo_text(state),
        announced=announced(state),
        needs=None if now.newer else needed(state),
        commands=commands,
        simulated=now.simulated,
        winner=tuple(state.players[i].name for i in state.winners),
        finished=state.phase is Phase.FINISHED,
        winners=state.winners,
        ended_by=state.ended_by,
        ended_early=state.ended_by == "early",
        dice_drawn=state.drawn and bool(state.dice),
        turn=tray.stage(state, offer),
        in_turns=way.in_turns,
        at_hand=way.dice_views(mine) if mine is not state else dice,
        awaits_player=way.awaits_player(state),
        camera=camera,
        parts=_parts([feature.of_table(now) for feature in implementing(Feature.of_table)]),
    )


def _waiting_for(now: Situation) -> Message:
    """The sentence for what the station waits for: of the last feature that has one, else of the game."""
    messages = (feature.waits_for(now) for feature in reversed(implementing(Feature.waits_for)))
    return next((each for each in messages if each is not None), None) or waiting_for(now.state, now.offer)


def _parts(found: list[object | None]) -> tuple[object, ...]:
    return tuple(part for part in found if part is not None)


def _reading(state: State, now: Offer) -> ReadingView:
    """The camera's reading, with the dice as they would count."""
    return ReadingView(
        status=now.status,
        faces=now.faces,
        reasons=now.reasons,
        fresh=now.fresh,
        dice=tuple(
            OfferedDieView(
                die.slot,
                die.face,
                die.colour,
                held=die.held,
                corrected=die.slot in now.corrected,
                unsure=die.slot in now.doubted,
            )
            for die in die_views(now.listed, {*state.held, *now.unmoved} if now.dice else ())
        ),
    )


def _offer(now: Situation) -> OfferView | None:
    """The throw that a box would confirm."""
    state, offer = now.state, now.offer
    if Phase.HOLDING not in WAY.of(state).scores_in or not AcceptRoll.available(now):
        return None
    if not seats.by_a_person(state.player):
        return None
    rules = state.played
    faces = tuple(die.face for die in offer.dice)
    rolled = evolve(state, RollAccepted(offer.dice))
    every = potentials(rules, state.player.sheet, faces, rolled.throws_done) if rolled.running else {}
    worth = {category: every[category] for category in writable(rolled, every)}
    return OfferView(faces, offer.unmoved, worth)


def _player(now: Situation, seat: int, player: Player) -> PlayerView:
    state, rules = now.state, now.state.rules
    total = totals(state, player)
    worth: dict[str, int] = {}
    here = WAY.of(state).own(state, seat)
    counts = seat == here.active and state.phase is not Phase.THROWING
    if rules and state.running and counts and here.dice and not now.newer:
        every = potentials(rules, player.sheet, here.faces, state.throws_done)
        worth = {category: every[category] for category in writable(here, every)}
    return PlayerView(
        name=player.name,
        gone=player.gone,
        boxes={category: player.sheet.points(category) for category in (rules.categories if rules else ())},
        potentials=worth,
        upper=total.upper,
        missing_for_bonus=total.missing_for_bonus,
        bonus=total.bonus,
        bonus_to_come=total.bonus_to_come,
        extra=total.extra,
        total=total.total,
        starts=player.starts,
        people=seats.people(player),
        by_a_person=seats.by_a_person(player),
        parts=_parts([feature.of_player(state, player) for feature in implementing(Feature.of_player)]),
    )
