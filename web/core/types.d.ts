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
interface Told {
  message: string;
  code: string;
  values: { changes?: Change[] };
}

/**
 * Sends a command for the state that was shown when it was made; gives the state after it, or null. `refused` is
 * told why not, and gives true where it has said so itself.
 */
type Command = (name: string, fields?: object, refused?: (error: Told) => boolean) => Promise<State | null>;

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
  bank: () => unknown;
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
  kind: Api.NewsView["kind"] | "turn" | "record";
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
