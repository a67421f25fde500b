"""The state as every screen is told it: from the game and what the tray shows (station.contract.view)."""

from collections.abc import Iterable

from station.contract.commands import (
    HOLD_BUTTONS,
    AddPlayer,
    Choose,
    EndGame,
    EnterRoll,
    GameCommand,
    Ready,
    Rematch,
    SetHeld,
    Undo,
    Unready,
)
from station.contract.fields import PLAYERS_MAX
from station.contract.view import (
    ComputerView,
    DeviceView,
    DieView,
    OfferedDieView,
    PaymentView,
    PlayerView,
    ReadingView,
    RowView,
    RuleSetView,
    StakesView,
    TableView,
)
from station.game import announcing, common_round
from station.game.decide import may
from station.game.dice import sights, tray
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.log import together
from station.game.log.player import Player
from station.game.log.state import Phase, State, totals
from station.game.players import computer, seats, stakes
from station.game.players.computer import Move
from station.game.players.strengths import given_away
from station.game.sentences import announced, needed, problem_on_tray, undo_text, waiting_for
from station.rules import RuleSet, built_in, built_in_ids, potentials, sheet_totals

NO_DEVICE = DeviceView()


def snapshot(
    state: State,
    sight: Sight,
    *,
    simulated: bool = False,
    move: Move | None = None,
    draws: bool = False,
    house_rules: Iterable[RuleSet] = (),
    camera: DeviceView = NO_DEVICE,
) -> TableView:
    """Everything a screen shows of the game; the table adds its own.

    simulated: whether the command `throw` is there. house_rules: those that can be chosen besides those that
    come with the station. move: what the computer player whose turn it is has decided. draws: whether the
    station draws the dice of computer players.
    """
    now = tray.offer(state, sight)
    rules = state.rules
    problem = problem_on_tray(state, now) or (None if camera.ok else camera.message)
    return TableView(
        phase=tray.shown_phase(state, now).value,
        waiting_for=waiting_for(state, now, move, draws=draws),
        problem=problem,
        rules=rules.id if rules else None,
        rules_title=rules.title if rules else None,
        starts=rules.starts if rules else None,
        categories=tuple(
            RowView(box.category, box.label, box.section.value, box.row)
            for box in (rules.boxes if rules else ())
        ),
        columns=tuple(column.label for column in rules.columns) if rules else (),
        sums=rules.sums if rules else (),
        rule_sets=tuple(
            _rule_set(known) for known in (*(built_in(id_) for id_ in built_in_ids()), *house_rules)
        ),
        house_rules=state.house or None,
        game=state.game,
        active_player=state.active if state.running else None,
        throws_done=state.throws_done,
        throws_allowed=state.throws_allowed,
        rolls_left=state.rolls_left if state.running else 0,
        dice_count=state.dice_count,
        boxes_per_turn=rules.boxes_per_turn if rules else 1,
        dice=_dice(state),
        reading=_reading(state, now),
        players=tuple(_player(state, now, i, player) for i, player in enumerate(state.players)),
        undo=undo_text(state),
        announced=announced(state),
        needs=None if tray.newer_throw(state, now) else needed(state),
        commands=commands(state, now, simulated=simulated, move=move, draws=draws),
        simulated=simulated,
        winner=tuple(state.players[i].name for i in state.winners),
        finished=state.phase is Phase.FINISHED,
        winners=state.winners,
        ended_by=state.ended_by,
        ended_early=state.ended_by == "early",
        computer=ComputerView(move.keeps, move.box, move.slots, move.why) if move else None,
        dice_drawn=state.drawn and bool(state.dice),
        stakes=StakesView(*state.stakes) if state.stakes else None,
        settlement=settled(state),
        turn=tray.stage(state, now),
        announced_box=state.called or None,
        may_announce=() if tray.newer_throw(state, now) else announcing.announceable(state),
        simultaneous=state.simultaneous,
        waits_for=together.waited_for(state.players),
        dice_note=common_round.told_apart(state, now) if state.simultaneous else None,
        camera=camera,
    )


def settled(state: State) -> tuple[PaymentView, ...]:
    """Who owes whom at the end."""
    told = stakes.sentences(state)
    return tuple(
        PaymentView(each.payer, each.payee, str(each.amount), sentence)
        for each, sentence in zip(stakes.settlement(state), told, strict=True)
    )


def _rule_set(rules: RuleSet) -> RuleSetView:
    return RuleSetView(
        id=rules.id,
        title=rules.title,
        players_min=rules.players[0],
        players_max=min(rules.players[1], PLAYERS_MAX),
        starts=rules.starts,
        big_general=rules.first_throw_yacht_wins,
        throws_for_start=rules.first_die is not None,
        given_away=given_away(rules.id),
        together=rules.simultaneous,
    )


def _dice(state: State) -> tuple[DieView, ...]:
    """The dice as they count; of a round in which all play at once, in the colours that tell them apart."""
    told = dict(enumerate(state.colours, start=1))
    return tuple(
        DieView(die.slot, die.face, told.get(die.slot) or die.colour or None, held=die.slot in state.held)
        for die in state.dice
    )


def _reading(state: State, now: Offer) -> ReadingView:
    """What the camera shows; the dice as they would count."""
    return ReadingView(
        status=now.status,
        faces=now.faces,
        reasons=now.reasons,
        fresh=now.fresh,
        dice=tuple(
            OfferedDieView(
                die.slot,
                die.face,
                die.colour or None,
                held=bool(now.dice) and die.slot in state.held,
                corrected=die.slot in now.corrected,
                unsure=die.slot in now.doubted,
            )
            for die in now.listed
        ),
    )


def _player(state: State, now: Offer, seat: int, player: Player) -> PlayerView:
    total, rules = totals(state, player), state.rules
    worth: dict[str, int] = {}
    own = state.at_table(seat).own if state.simultaneous else state
    counts = seat == own.active and not (state.simultaneous and state.phase is Phase.THROWING)
    if rules and state.running and counts and own.dice and not tray.newer_throw(state, now):
        every = potentials(rules, player.sheet, own.faces, state.throws_done)
        worth = {category: every[category] for category in announcing.writable(own, every)}
    return PlayerView(
        name=player.name,
        gone=player.gone,
        boxes={category: player.sheet.points(category) for category in (rules.categories if rules else ())},
        potentials=worth,
        upper=total.upper,
        missing_for_bonus=total.missing_for_bonus,
        bonus=total.bonus,
        bonus_to_come=sheet_totals(rules, player.sheet).bonus - total.bonus if rules else 0,
        extra=total.extra,
        total=total.total,
        for_start=player.for_start,
        starts=player.starts,
        dice=_dice(own) if state.simultaneous else (),
        ready=player.copy.ready,
        chosen=player.copy.chosen,
        computer=player.computer or None,
        members=player.members,
        home=player.home or None,
        without_tray=player.without_tray,
        member=seats.member(state, player),
        handicap=player.sheet.handicap,
    )


def commands(state: State, now: Offer, *, simulated: bool, move: Move | None, draws: bool) -> tuple[str, ...]:
    """Names of the commands that can be carried out now, given good fields."""
    count = state.dice_count
    held = {die.slot: die.face for die in state.held_dice}
    trials: tuple[GameCommand, ...] = (
        EnterRoll(faces=tuple(held.get(slot, 1) for slot in range(1, count + 1))),
        SetHeld(slots=state.own.held),
        Undo(),
        EndGame(),
        Rematch(),
        AddPlayer(name="\N{WHITE MEDIUM STAR}"),
    )
    found: list[str] = [trial.command for trial in trials if may(state, trial)]
    if may(state, Choose()) and not tray.newer_throw(state, now):
        found.append("choose")
    if not state.running:
        found.append("start_game")
    wrong = now.missing or (now.untouched and not state.simultaneous)
    if state.running and now.ready and now.fresh and not wrong and "enter_roll" in found:
        found.append("accept_roll")
    found += _fixing(now) if "enter_roll" in found else []
    if state.dice and state.running and "correct_die" not in found:
        found.append("correct_die")
    newer = tray.newer_throw(state, now)
    may_score = {Phase.CHOOSING} if state.simultaneous else {Phase.HOLDING, Phase.CHOOSING}
    if state.dice and state.phase in may_score and not newer:
        found.append("score_box")
    found += ["keep_roll"] if newer else ["announce_box"] * bool(announcing.announceable(state))
    found += ["change_bank"] * (len(state.dice) > len(HOLD_BUTTONS))
    found += _of_people(state)
    found += _of_copies(state)
    if any(player.sheet.entries for player in state.players):
        found.append("correct_box")
    if simulated and "enter_roll" in found:
        found.append("throw")
    if "enter_roll" in found and state.player.without_tray:
        found.append("draw_roll")
    if (move and computer.carried_out(state, move)) or (draws and computer.may_draw(state, move)):
        found.append("computer_move")
    return (*found, "press")


def _of_copies(state: State) -> list[str]:
    """Commands of the copies, for any of those who are in the round."""
    if not state.simultaneous or not state.running:
        return []
    waiting = together.waited_for(state.players)
    are_ready = set(together.in_round(state.players)) - set(waiting)
    found = ["ready"] if any(may(state, Ready(player=seat)) for seat in waiting) else []
    found += ["unready"] if any(may(state, Unready(player=seat)) for seat in are_ready) else []
    return [*found, "choose_player"]


def _of_people(state: State) -> list[str]:
    """Commands that change who plays, in the order they sit."""
    there = sum(not player.gone for player in state.players)
    if state.phase is Phase.FINISHED or not there:
        return []
    removable = there > (0 if state.rules is None else 1)
    return ["rename_player", "move_player", *(["remove_player"] if removable else [])]


def _fixing(now: Offer) -> list[str]:
    """Commands by which people may set the dice on the tray right."""
    if not now.fresh or now.status not in sights.RESTING:
        return []
    found = ["correct_die", "not_a_die"] if now.listed else []
    if not now.dice and len(now.listed) < now.wanted:
        found.append("missed_die")
    return [*found, "read_again"] if now.fixed else found
