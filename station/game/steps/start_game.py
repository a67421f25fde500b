"""A game begins: who plays and how, by which rules, who starts, and for what."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, Field, create_model

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import PLAYERS_MAX, Body, Count, Flag, Name, Word
from station.contract.names import checked_names
from station.contract.new_game import Starter
from station.features.listed import FEATURES, GAME_OPTIONS, SEAT_OPTIONS
from station.game.feature import Feature, Start, implementing
from station.game.log.event import Event, Leaves, lists
from station.game.log.event_fields import Category, House, Index, Lying, Players
from station.game.log.options import USUAL, Options, SeatOption, chosen, with_fields
from station.game.log.player import Player, Seat
from station.game.log.state import Phase, State, left, rule_set, with_player
from station.game.log.words import quoted, unquoted
from station.game.players import seats, starting
from station.game.situation import GameCommand, Situation
from station.rules import RuleSet

DEFAULT_RULES = "yacht-1938"


@with_fields(SEAT_OPTIONS)
class PlayerAsked(Body):
    """A column of the sheet: a person, a computer player, or a team whose members throw in turn."""

    name: Name


@with_fields(GAME_OPTIONS)
class StartGame(GameCommand):
    """Begin a game; left out, the players are those who joined, and the rules the last ones."""

    whose: ClassVar[Whose] = Whose.ANYBODY
    command: Literal["start_game"] = "start_game"
    players: Annotated[
        tuple[Name | PlayerAsked, ...] | None,
        Field(min_length=1, max_length=PLAYERS_MAX, description="In the order in which they throw."),
    ] = None
    rules: Annotated[Word | None, Field(description="The last rule set when left out.")] = None
    starter: Starter = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While none is played."""
        return not now.state.running

    def decide(self, now: Situation) -> "tuple[GameStarted, ...]":
        """Start with the named players, or those in the lobby."""
        game = now.next_game()  # taken, whatever comes of it
        state, house = now.state, now.house_text(self.rules)
        if state.running:
            raise RefusalError("game/running")
        requested = seats.of_table(state) if self.players is None else of_request(self.players)
        if self.rules is None and state.rules is not None:
            house = state.house
        rules = rule_set(self.rules or (state.rules.id if state.rules else DEFAULT_RULES), house)
        event = begun(now, game, house, Start(rules, requested, self.starter))
        agreed = {option: option.keep(option.value_in(self), rules) for option in GAME_OPTIONS}
        return (replace(event, options=chosen(agreed)),)


@dataclass(frozen=True, slots=True)
class GameStarted(Leaves):
    """A game began. game: its number in the store; previous: the number of the one before, 0 if none.

    house: the text of house rules (docs/house-rules.md), so that the log can be replayed when their file
    has changed or gone; empty for rules that come with the station. starter: how the starter is chosen,
    a word of `station.contract.new_game.Starter`, empty for a named one; first: the seat that does, from
    0, unless it is thrown for.
    options: what it was begun with. seating: the same for each player; empty where all is as usual.
    """

    kind: ClassVar[str] = "game_started"
    word: ClassVar[str] = "start"
    begins_game: ClassVar[bool] = True
    begins_turn: ClassVar[bool] = True
    game: Count
    previous: Count
    rules: Category
    players: Players
    house: House = ""
    left: Lying = ()
    rolling: Flag = False
    first: Index = 0
    starter: Category = ""
    options: Options = USUAL
    seating: tuple[Options, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The columns that the game begins with."""
        seating = self.seating or (USUAL,) * len(self.players)
        return tuple(Seat(*each) for each in zip(self.players, seating, strict=True))

    def apply(self, state: State) -> State:
        """The first turn begins, or the throwing for it."""
        players = tuple(_seated(Player(each.name, options=each.options)) for each in self.seats)
        rules = rule_set(self.rules, self.house, as_played=True)
        begun = State(Phase.THROWING, self.game, rules, players, house=self.house, lying=state.lying)
        begun = replace(begun, starter=self.starter, options=self.options, active=self.first)
        begun = with_player(begun, self.first, starts=True)
        for feature in implementing(Feature.begun):
            begun = feature.begun(begun)
        return left(begun, self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Players who would leave."""
        return Message("undo/start", names=self.players)

    def command(self) -> StartGame:
        """The request for a game; a drawn, due or last starter is requested by the seat."""
        players = [
            {"name": each.name} | {option.name: option.request(option.of(each)) for option in SEAT_OPTIONS}
            for each in self.seats
        ]
        agreed = {option.name: option.request(option.of(self)) for option in GAME_OPTIONS if option.field}
        starter = self.starter if _is_found_out(self.starter) else self.first or None
        body = {"players": players, "rules": self.rules, "starter": starter, **agreed}
        return StartGame.model_validate(body)

    def words(self) -> list[str]:
        """Numbers, rules and names, then the options that are not as usual, each a word and its value."""
        names = [quoted(name) for name in self.players]
        house = ["with", quoted(self.house)] if self.house else []
        return [self.word, str(self.game), str(self.previous), self.rules, *names, *house, *self._options()]

    def _options(self) -> list[str]:
        first = ["first", str(self.first)] if self.first else []
        starter = ["by", self.starter] if self.starter else []
        agreed = [
            each
            for option in GAME_OPTIONS
            if (value := option.of(self)) != option.usual
            for each in (option.word, option.write(value))
        ]
        seated = [
            each
            for option, values in self._columns()
            if any(value != option.usual for value in values)
            for each in (option.word, option.write(values))
        ]
        return [*first, *starter, *agreed, *seated]

    def _columns(self) -> Iterator[tuple[SeatOption[Any], tuple[Any, ...]]]:
        """Each option of a seat with its values for all."""
        for option in SEAT_OPTIONS:
            yield option, tuple(option.of(seat) for seat in self.seats)

    @classmethod
    def of_words(cls, words: list[str]) -> Self:
        """Read back `words`' work."""
        game, previous, rules, *rest = words
        names = list(takewhile(lambda word: word.startswith('"'), rest))
        options = iter(rest[len(names) :])
        given = dict(zip(options, options, strict=True))
        house = unquoted(given.pop("with", '""'))
        first, starter = int(given.pop("first", "0")), given.pop("by", "")
        players = tuple(unquoted(name) for name in names)
        agreed = {
            option: option.read(given.pop(option.word)) for option in GAME_OPTIONS if option.word in given
        }
        columns = {
            option: option.read(given.pop(option.word)) for option in SEAT_OPTIONS if option.word in given
        }
        if given or not 0 <= first < len(players):
            raise ValueError
        return cls(
            int(game),
            int(previous),
            rules,
            players,
            house,
            first=first,
            starter=starter,
            options=chosen(agreed),
            seating=seating_of(columns, len(players)),
        )

    def to_json(self) -> dict[str, Any]:
        """The options as fields of their own; those of seats as lists, empty where all are as usual."""
        body = Event.to_json(self)
        del body["options"], body["seating"]
        agreed = {option.name: lists(option.of(self)) for option in GAME_OPTIONS}
        columns = {
            option.listed: lists(values) if any(value != option.usual for value in values) else []
            for option, values in self._columns()
        }
        return {**body, **agreed, **columns}

    @classmethod
    def of_json(cls, body: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote. Raises ValueError, also where a list misses a player."""
        own = {"options", "seating"}
        given = KEPT.model_validate({name: body[name] for name in KEPT.model_fields.keys() & body.keys()})
        event = super(GameStarted, cls).of_json({key: value for key, value in body.items() if key not in own})
        count = len(event.players)
        if event.first >= max(count, 1):
            raise ValueError(count)
        columns = {option: values for option in SEAT_OPTIONS if (values := getattr(given, option.listed))}
        agreed = {option: getattr(given, option.name) for option in GAME_OPTIONS}
        return replace(event, options=chosen(agreed), seating=seating_of(columns, count))


def _is_found_out(starter: str) -> bool:
    """Whether the starting player is determined during the game."""
    return any(starter == feature.starter for feature in FEATURES if feature.starter)


def _stored_options() -> type[BaseModel]:
    fields: dict[str, Any] = {option.name: (option.kept, option.usual) for option in GAME_OPTIONS}
    fields |= {option.listed: (tuple.__class_getitem__((option.kept, ...)), ()) for option in SEAT_OPTIONS}
    return create_model("FeatureValue", **fields)


KEPT = _stored_options()
"""The options in the log, each with its bounds."""


def seating_of(columns: Mapping[SeatOption[Any], Sequence[Any]], count: int) -> tuple[Options, ...]:
    """The options of so many seats from the values of each; empty where all is as usual.

    Raises ValueError where something has not a value for each seat.
    """
    if any(len(values) != count for values in columns.values()):
        raise ValueError(count)
    found = tuple(
        chosen({option: values[seat] for option, values in columns.items()}) for seat in range(count)
    )
    return found if any(each != USUAL for each in found) else ()


def _seated(player: Player) -> Player:
    for feature in implementing(Feature.seated):
        player = feature.seated(player)
    return player


def of_request(players: Sequence[str | PlayerAsked]) -> tuple[Seat, ...]:
    """The seats of a request.

    Raises RefusalError for names that will not do, for options that cannot be, and for options of people
    where no person plays.
    """
    requests = [each if isinstance(each, PlayerAsked) else PlayerAsked(name=each) for each in players]
    names = checked_names(each.name for each in requests)
    columns = {option: option.keep([option.value_in(each) for each in requests]) for option in SEAT_OPTIONS}
    found = tuple(
        Seat(name, chosen({option: values[i] for option, values in columns.items()}))
        for i, name in enumerate(names)
    )
    for seat in found:
        if not seats.by_a_person(seat):
            for option in SEAT_OPTIONS:
                if option.people_only and option.of(seat) != option.usual:
                    raise RefusalError(option.people_only, name=seat.name)
    return found


def begun(now: Situation, game: int, house: str, start: Start) -> GameStarted:
    """The event of a game whose own options are as usual. Raises RefusalError."""
    rules, state = start.rules, now.state
    check_count(rules, len(start.seats))
    for feature in implementing(Feature.check):
        feature.check(start)
    names = tuple(each.name for each in start.seats)
    first, word = starting.chosen(state, names, start.starter, now.draw)
    lying, rolling = now.left
    seating = tuple(each.options for each in start.seats)
    return GameStarted(
        game,
        state.game,
        rules.id,
        names,
        house,
        lying,
        rolling,
        first,
        word,
        seating=seating if any(each != USUAL for each in seating) else (),
    )


def check_count(rules: RuleSet, count: int) -> None:
    """Raise RefusalError where the rules take more players, or fewer."""
    fewest, most = rules.players
    if count < fewest:
        raise RefusalError("player/too_few", title=rules.title, count=fewest)
    if count > most:
        raise RefusalError("player/too_many", title=rules.title, count=most)
