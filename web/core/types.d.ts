// Types that the scripts share. The station's API is in contract.d.ts, which `make check` generates from its description.

type Point = [number, number];

/** The catalogue entries that scripts use; a separate script for each language, loaded before the page's. */
declare const WORDS: Record<string, string | Record<string, string>>;

interface Window {
  /** Safari up to 14.0 */
  webkitAudioContext: typeof AudioContext;
}

/** An element that `h` describes, or a text. */
type Child = Described | string | number;
type Children = Child | null | undefined | false | Children[];

interface Described {
  tag: string;
  props: Props;
  children: Child[];
}

/** The input event of a text field, checkbox or select. */
type Entered = Event & { currentTarget: EventTarget & { value: string; checked: boolean } };

/** Attributes, and besides them: `key` identifies a sibling, `vars` are CSS properties, `on…` are event handlers. */
interface Props {
  key?: string | number;
  vars?: Record<string, string | number>;
  onclick?: (event: MouseEvent) => unknown;
  onchange?: (event: Entered) => unknown;
  oninput?: (event: Entered) => unknown;
  onload?: (event: Event) => unknown;
  onerror?: (event: Event) => unknown;
  onsubmit?: (event: SubmitEvent & { currentTarget: HTMLFormElement }) => unknown;
  onkeydown?: (event: KeyboardEvent) => unknown;
  onpointerdown?: (event: PointerEvent & { currentTarget: Element }) => unknown;
  onpointermove?: (event: PointerEvent & { currentTarget: Element }) => unknown;
  ontoggle?: (event: Event & { currentTarget: HTMLDetailsElement }) => unknown;
  [name: string]: unknown;
}

/** One of several to choose from. */
type Labelled = [value: string, label: Children];

/** A tuple with every member of a closed set once; the compiler rejects a missing or foreign one. */
type EachOf<Word, One = Word> = [Word] extends [never] ? [] : One extends Word ? [One, ...EachOf<Exclude<Word, One>>] : never;

type State = Api.TableView;
type Room = Api.RoomShape;
/** The room as the live line sends it to every screen, without what concerns this screen alone. */
type PublicRoom = Partial<Room>;
type Row = Api.RowView;
type Player = Api.PlayerView;

/** Options of `fetch`, and the time limit of the whole response. */
interface RequestOptions extends RequestInit {
  limit_ms?: number;
}

/** An error: its sentence, its code, and the values in the sentence. */
interface Failure {
  message: string;
  code: string;
  values: { changes?: Change[] };
}

/**
 * Sends a command for the state that was on screen; returns the state after it, or null where it was refused. `refused`
 * handles the error, and returns true if it has shown the sentence itself.
 */
type Command = (name: string, fields?: object, refused?: (error: Failure) => boolean) => Promise<State | null>;

/** The table's page. `looked`: the player whose copy is on this screen, where all play at once. `refused`: commands this screen may not send. `lines`: how often the live line was opened. */
interface SheetPage extends TablePage {
  refused: string[];
  busy: object | null;
  connected: boolean | null;
  picture: number;
  again: boolean;
  looked: string | null;
  /** The turn that this phone plays for another player. */
  playsFor: string;
  lines: number;
}

/** The actions of taps on the tray. */
interface TrayActions {
  hold: (slot: number) => unknown;
  correct: (item: Api.DieView, offered?: boolean, answer?: Command) => unknown;
  /** `ways`: other corrections, each a command, its label and its action. */
  fix: (dice: Api.DieView[], offered: boolean, ways: [string, string, () => unknown][]) => unknown;
  missed: () => unknown;
  again: () => unknown;
  accept: () => unknown;
  throw: () => unknown;
  undo: () => unknown;
  keep: () => unknown;
  rematch: (order: string) => unknown;
  press: (button: string, long: boolean) => unknown;
  force: () => unknown;
  /** `faces`, `fault`: the roll typed before, and why it was refused. */
  type: (faces?: number[], fault?: string) => unknown;
  longPress: () => Props;
}

/** What taps need of the table's page. `inTurn`: queues taps in quick succession; `dialogCommand`: the command for a dialog that opens now. */
interface TapTools {
  command: Command;
  inTurn: (send: () => unknown) => void;
  dialogCommand: () => Command;
  /** The player a tap is for, where all play at once. */
  whose: () => { player?: number };
  diceOf: (state: State, player?: number) => State["dice"];
}

/** A change that a correction makes to a later box: `values.changes` of `box/changes_others`. */
interface Change {
  message: string;
  box: string;
  category: string;
  player: string;
  was: number;
  now: number;
  why: string;
}

interface TablePage {
  state: State | null;
  room: PublicRoom;
  you: Api.You | null;
  fresh: string[];
}

/** A change at the table, in words. `keys`: the boxes it filled; `next`: what the table waits for now. */
interface News {
  kind: string;
  text: string;
  keys?: string[];
  next?: string;
}

type Choice = Api.SlotChance | Api.BoxChance;

/** A hint with the odds of its choices; empty where there is nothing to decide. */
interface Hint extends Partial<Api.TableHint> {
  words?: string;
  chance?: number;
  error?: number;
  exact?: boolean;
  choices?: Choice[];
}

/** Fields that features add to a player's column in the form, each under its own key. */
type Column = Record<string, string | undefined>;

/** A column of the form. `nobody`: no person plays there. `say`: changes its fields. */
interface LobbySeat {
  name: string;
  index: number;
  column: Column;
  nobody: boolean;
  say: (changes: Column) => void;
}

/** The game to start. `options`: the fields that features add to it, each under its own key; they survive a reload. */
interface NewGame {
  players: string[];
  rules: Api.RulesShape | undefined;
  state: State;
  options: Record<string, string>;
  draw: () => void;
}

/** The tools of a part on its screen; the television has no commands. `inTurn`, `dialogCommand`: as in TapTools. */
interface PartTools extends Partial<Pick<TapTools, "command" | "inTurn" | "dialogCommand">> {
  draw: () => void;
  hint?: Hint | null;
}

/** How the pages show a game without turns, in which each player has a copy of the dice. */
interface Way {
  /** The seat a screen shows and plays for. `looked`: the player chosen on that screen. */
  seatOf: (state: State, you: Api.You | null, looked: string | null) => number;
  /** Whether the table waits for that seat. */
  waits: (state: State, seat: number) => boolean;
  /** The state from one player's seat. */
  seenBy: (state: State, seat: number) => State;
  /** The faces of every player's copy. */
  faces: (state: State) => number[][];
  /** The state for the sheet on the television. */
  onTheWall: (state: State) => State;
  /** The category picked at that seat; empty for none. */
  picked: (state: State, seat: number) => string;
  /** A note about the dice. */
  note: (state: State) => Children;
  roll: (state: State, seat: number, actions: TrayActions, best: number[] | null | undefined) => Children;
  steps: (state: State, seat: number, act: (command: string) => unknown) => Children;
  /** `seated`: whether the screen belongs to one of the players. */
  aids: (state: State, seat: number, seated: boolean, tools: { command: Command; look: (player: number) => unknown }) => Children;
  /** All copies, for the television; null before the first throw. `chances`: to win, empty while unknown. */
  copies: (state: State, chances: () => number[]) => Children;
}

/** A feature's part of the calibration page, in `station/features/NAME/page/NAME.calibrate.js`. */
interface CalibrationPart {
  /** A card beside the steps. */
  card: (tools: import("../calibration/calibrated.js").Tools) => Children;
  /** Drawings over the picture. */
  marks: (info: Api.CalibrationReport) => Described[];
}

/**
 * A feature's part of the pages, in `station/features/NAME/page/NAME.js`; all members are optional. The server lists all
 * parts in `parts.js`.
 */
interface PagePart {
  /** The way of a game without turns. */
  way?: (state: State) => Way | null;
  /** Past games may have changed. */
  again?: () => void;
  /** Points of a player outside the boxes. */
  onTop?: { label: string; of: (player: Player) => number };
  /** People who share the seat. */
  names?: (player: Player) => string[];
  /** Whether no person plays there. */
  nobody?: (player: Player) => boolean;
  /** Slots of the dice to keep, where that is decided. */
  keeps?: (state: State) => number[] | undefined;
  /** Whether the part itself has the next step. */
  goesOn?: (state: State) => boolean;
  /** How many boxes a turn fills. */
  boxes?: (state: State) => number;
  /** The one box to which the turn is bound. */
  bound?: (state: State) => string | null;
  /** Asks for what a tap on a box leaves open; null where it leaves nothing open. */
  choose?: (state: State, row: Row, dialogCommand: () => Command) => Promise<unknown> | null;
  /** The slot of the die that the first hold button holds. */
  buttonsFrom?: (state: State) => number;
  /** Buttons beside the hold buttons. */
  buttons?: (state: State, tools: PartTools) => Children;
  /** Whether the dice of this turn are thrown elsewhere or drawn, so that this tray does not count. */
  elsewhere?: (state: State) => boolean;
  /** The command that throws dice, where the tray does not. */
  throwsBy?: (state: State) => string | null;
  /** The address of a die's picture, where this tray's camera has none. */
  picture?: (state: State, slot: number) => string | null;
  /** The latest news, if it is new; the caller adds what the table waits for now. */
  happened?: (state: State, before: State) => News | null;
  /** The call for a great throw. */
  call?: (state: State) => { kind: string; words: string; call: string | null } | null;
  /** A step was taken and is on screen. */
  seen?: (state: State, before: State) => void;
  /** Below the headline of a game, on the table and the television. */
  facts?: (state: State, tools: PartTools) => Children;
  /** Below the facts of the television. */
  television?: (state: State) => Children;
  /** Above the steps of a turn. */
  turn?: (state: State, tools: PartTools) => Children;
  /** Beside the steps of a turn. */
  steps?: (state: State, tools: PartTools) => Children;
  /** Below the steps, and when a game is over. */
  aids?: (state: State, tools: PartTools) => Children;
  /** When a game is over. */
  end?: (state: State) => Children;
  /** A value of `starter` for which people throw dice; `proposed`: whether the rules start so. */
  starter?: { word: string; proposed: (rules: Api.RulesShape) => boolean };
  /** The part's fields in the form of a new game. */
  game?: {
    /** Whether nobody starts under these rules. */
    nobodyStarts?: (rules: Api.RulesShape) => boolean;
    /** Fills the options from the game on the table. */
    seed?: (options: NewGame["options"], state: State, rules: Api.RulesShape | undefined) => void;
    form?: (game: NewGame) => Children;
    /** Its fields in the command. */
    fields?: (game: NewGame) => object;
    /** Whether a value it needs is still unknown, so that the game cannot start yet. */
    pending?: (game: NewGame) => boolean;
  };
  /** The part's fields for each seat of that form. */
  seat?: {
    /** A kind of column people can add, with its first fields. */
    column?: { label: string; name: string; fields: Column };
    seed?: (player: Player) => Column;
    form?: (seat: LobbySeat, game: NewGame) => Children;
    /** The seat's fields in the command. */
    fields?: (seat: LobbySeat, game: NewGame) => object;
    /** Whether no person plays there. */
    nobody?: (column: Column) => boolean;
    /** Whether the station draws the dice of that seat. */
    drawn?: (column: Column) => boolean;
  };
}
