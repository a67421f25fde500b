// Names of things the scripts hand each other. What the station says is in contract.d.ts (`make check` makes it from
// the API's description).

type Point = [number, number];

/** The entries of the catalogue that scripts say: a script of its own for each language, loaded before the page's. */
declare const WORDS: Record<string, string | Record<string, string>>;

interface Window {
  /** Safari up to 14.0 */
  webkitAudioContext: typeof AudioContext;
}

/** What `h` describes: an element, or a text. */
type Child = Described | string | number;
type Children = Child | null | undefined | false | Children[];

interface Described {
  tag: string;
  props: Props;
  children: Child[];
}

/** Of a field that somebody types into, ticks or chooses from. */
type Entered = Event & { currentTarget: EventTarget & { value: string; checked: boolean } };

/** Attributes, and what is none: `key` tells siblings apart, `vars` are style properties, `on…` are handlers. */
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

/** Every word of a closed set, once: one that is missing, or none of them, is an error. */
type EachOf<Word, One = Word> = [Word] extends [never] ? [] : One extends Word ? [One, ...EachOf<Exclude<Word, One>>] : never;

type State = Api.TableView;
type Room = Api.RoomShape;
/** What the live line says of the room before this screen has asked for its own part. */
type PublicRoom = Partial<Room>;
type Row = Api.RowView;
type Player = Api.PlayerView;

/** What is asked for, and for how long an answer is awaited. */
interface Asked extends RequestInit {
  limit_ms?: number;
}

/** An error: its sentence, its code, and what stands in the sentence. */
interface Failure {
  message: string;
  code: string;
  values: { changes?: Change[] };
}

/**
 * Sends a command for the state that was shown when it was made; gives the state after it, or null. `refused` is
 * told why not, and gives true where it has said so itself.
 */
type Command = (name: string, fields?: object, refused?: (error: Failure) => boolean) => Promise<State | null>;

/** The table's page. `looked`: the name of whose copy is looked up here, where all play at once; until the game ends. `refused`: commands that are not for this screen. `lines`: how often the line was opened. */
interface SheetPage extends TablePage {
  refused: string[];
  busy: object | null;
  connected: boolean | null;
  picture: number;
  again: boolean;
  looked: string | null;
  /** The turn that this phone plays for somebody else. */
  playsFor: string;
  lines: number;
}

/** What taps on the tray do. */
interface TrayActions {
  hold: (slot: number) => unknown;
  correct: (item: Api.DieView, offered?: boolean, answer?: Command) => unknown;
  /** `ways`: what else there is to put right, each a command, its words, and what it does. */
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
  /** `faces`, `fault`: as they were typed before, and why they were not taken. */
  type: (faces?: number[], fault?: string) => unknown;
  longPress: () => Props;
}

/** What taps need of the table's page. `inTurn`: for what may be tapped in quick succession; `asked`: the command of a dialog that opens now. */
interface TapTools {
  command: Command;
  inTurn: (send: () => unknown) => void;
  asked: () => Command;
  /** Whose decision a tap is, where all play at once. */
  whose: () => { player?: number };
  shownDice: (state: State, player?: number) => State["dice"];
}

/** What a correction would change in a later box: `values.changes` of `box/changes_others`. */
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

/** What has changed, in words. `keys`: the boxes a score wrote, `next`: what the table waits for now. */
interface News {
  kind: string;
  text: string;
  keys?: string[];
  next?: string;
}

type Choice = Api.SlotChance | Api.BoxChance;

/** A hint, and what the odds add to it; without anything to decide there is nothing in it. */
interface Hint extends Partial<Api.TableHint> {
  words?: string;
  chance?: number;
  error?: number;
  exact?: boolean;
  choices?: Choice[];
}

/** What features say of the column of a player besides its name, as it is asked for; each under a word of its own. */
type Column = Record<string, string | undefined>;

/** A column of the form. `nobody`: no person plays there. `say`: something else is said of it. */
interface AskedSeat {
  name: string;
  index: number;
  column: Column;
  nobody: boolean;
  say: (said: Column) => void;
}

/** The game that the form asks for. `said`: what features say of it, each under words of its own; a reload finds it again. */
interface NewGame {
  players: string[];
  rules: Api.RulesShape | undefined;
  state: State;
  said: Record<string, string>;
  draw: () => void;
}

/** What a part may do on its screen; the television only shows. `inTurn`, `asked`: as in TapTools. */
interface PartTools extends Partial<Pick<TapTools, "command" | "inTurn" | "asked">> {
  draw: () => void;
  hint?: Hint | null;
}

/** How the pages show a game in which people do not take turns: each has a copy of the dice. */
interface Way {
  /** Whose copy a screen shows and acts for. `looked`: the name of who was looked up there. */
  seatOf: (state: State, you: Api.You | null, looked: string | null) => number;
  /** Whether the table waits for who sits there. */
  waits: (state: State, seat: number) => boolean;
  /** The state as one player has it. */
  seenBy: (state: State, seat: number) => State;
  /** The faces of everybody's copy. */
  faces: (state: State) => number[][];
  /** The state as the sheet on the television has it. */
  onTheWall: (state: State) => State;
  /** The box that was picked there; empty for none. */
  picked: (state: State, seat: number) => string;
  /** What there is to say of the dice. */
  note: (state: State) => Children;
  roll: (state: State, seat: number, actions: TrayActions, best: number[] | null | undefined) => Children;
  steps: (state: State, seat: number, act: (command: string) => unknown) => Children;
  /** `seated`: whether the screen belongs to one of the players. */
  aids: (state: State, seat: number, seated: boolean, tools: { command: Command; look: (player: number) => unknown }) => Children;
  /** For the television; null as long as there are none. `chances`: to win, as far as known. */
  copies: (state: State, chances: () => number[]) => Children;
}

/** What a feature brings to the page of calibration, in `station/features/NAME/page/NAME.calibrate.js`. */
interface CalibrationPart {
  /** Beside the steps. */
  card: (tools: import("../calibration/calibrated.js").Tools) => Children;
  /** Over the picture. */
  marks: (info: Api.CalibrationReport) => Described[];
}

/**
 * What a feature brings to the pages, in `station/features/NAME/page/NAME.js`; what it has nothing to say about, it leaves
 * out. The server lists all in `parts.js`.
 */
interface PagePart {
  /** How it is played, where people do not take turns. */
  way?: (state: State) => Way | null;
  /** Past games may be others now. */
  again?: () => void;
  /** What comes on top of the points in boxes, of each player. */
  onTop?: { label: string; of: (player: Player) => number };
  /** People who share the seat. */
  names?: (player: Player) => string[];
  /** Whether no person plays there. */
  nobody?: (player: Player) => boolean;
  /** Slots of the dice that are kept, where it is decided. */
  keeps?: (state: State) => number[] | undefined;
  /** Whether the next step is one of its own. */
  goesOn?: (state: State) => boolean;
  /** How many boxes a turn fills. */
  boxes?: (state: State) => number;
  /** The one box to which the turn is bound. */
  bound?: (state: State) => string | null;
  /** How a box is chosen where a tap does not say all. */
  choose?: (state: State, row: Row, asked: () => Command) => Promise<unknown> | null;
  /** The slot of the die for which the first hold button acts. */
  buttonsFrom?: (state: State) => number;
  /** Beside the hold buttons. */
  buttons?: (state: State, tools: PartTools) => Children;
  /** Whether the dice of this turn are thrown elsewhere, or drawn: what lies here is nobody's. */
  elsewhere?: (state: State) => boolean;
  /** The command by which dice are thrown, where it is none of the tray. */
  throwsBy?: (state: State) => string | null;
  /** The address of a die's picture, where this tray's camera has none. */
  picture?: (state: State, slot: number) => string | null;
  /** What was told last, if it is new; what the table waits for now is added. */
  happened?: (state: State, before: State) => News | null;
  /** What is called out of a throw. */
  call?: (state: State) => { kind: string; words: string; call: string | null } | null;
  /** A step was taken, and is shown. */
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
  /** A word by which it is thrown for who starts; `proposed`: whether rules have it so. */
  starter?: { word: string; proposed: (rules: Api.RulesShape) => boolean };
  /** What the form of a new game asks. */
  game?: {
    /** Whether nobody starts by such rules. */
    nobodyStarts?: (rules: Api.RulesShape) => boolean;
    /** As it was in the game on the table. */
    seed?: (said: NewGame["said"], state: State, rules: Api.RulesShape | undefined) => void;
    form?: (game: NewGame) => Children;
    /** Fields of the command. */
    asks?: (game: NewGame) => object;
    /** Whether what is wanted is not known yet: the game would begin without it. */
    pending?: (game: NewGame) => boolean;
  };
  /** What it asks of each seat. */
  seat?: {
    /** A kind of column to add. */
    column?: { label: string; name: string; said: Column };
    seed?: (player: Player) => Column;
    form?: (seat: AskedSeat, game: NewGame) => Children;
    /** Fields of the seat in the command. */
    asks?: (seat: AskedSeat, game: NewGame) => object;
    /** Whether no person plays there. */
    nobody?: (column: Column) => boolean;
    /** Whether who sits there has no dice to throw. */
    drawn?: (column: Column) => boolean;
  };
}
