/** The shell of Goals for browsers. The forms of edits, goals and histories are those of openapi.yaml. */

export type ID = string;
/** RFC 3339. */
export type Instant = string;
/** `YYYY-MM-DD`. */
export type Day = string;

export interface Goal {
  id: ID;
  title: string;
  colour: string;
  interval: "daily" | "weekly" | "monthly";
  frequency: number;
  unit: string | null;
  active: boolean;
  progress: number | null;
  completion: number | null;
  period: { start: Day; end: Day } | null;
  streak: { current: number; longest: number };
  today: number | null;
  state: "open" | "met" | "excused" | null;
  /** How many edits of this device the server's log has not brought back. */
  waiting: number;
}

/** A goal that is active has every number. */
export interface ActiveGoal extends Goal {
  progress: number;
  completion: number;
  period: { start: Day; end: Day };
  today: number;
  state: "open" | "met" | "excused";
}

/** What a person gives a goal. What is left out of an `add` or `update` takes its default. */
export interface Properties {
  title: string;
  colour?: string;
  interval?: Goal["interval"];
  frequency?: number;
  unit?: string | null;
}

interface AnyEdit {
  /** Made where it is missing. */
  id?: ID;
  /** When it happened. The engine's now where it is missing. */
  at?: Instant;
}

export interface AddEdit extends AnyEdit { type: "add"; goal: Properties & { id: ID } }
export interface DeleteEdit extends AnyEdit { type: "delete"; goal: ID }
export interface UpdateEdit extends AnyEdit { type: "update"; goal: Properties & { id: ID } }
export interface AlterEdit extends AnyEdit { type: "alter"; goal: ID; changes: Partial<Properties> }
export interface SetActivityEdit extends AnyEdit { type: "setActivity"; activity: Record<ID, boolean> }
/** `before` is null for the end of the list. */
export interface MoveEdit extends AnyEdit { type: "move"; goal: ID; before: ID | null }
/** `by` is 1 where it is missing; `day` is the day that it is meant for. */
export interface BumpEdit extends AnyEdit { type: "bump"; goal: ID; by?: number; day?: Day; note?: string }
export interface SkipEdit extends AnyEdit { type: "skip"; goal: ID; day?: Day }
export interface ConfigureEdit extends AnyEdit { type: "configure"; timeZone?: string; weekStart?: string; dayStart?: string }
export interface UndoEdit extends AnyEdit { type: "undo"; edit: ID }

/** An edit, as in `POST /v1/edits`. */
export type Edit =
  | AddEdit | DeleteEdit | UpdateEdit | AlterEdit | SetActivityEdit | MoveEdit | BumpEdit | SkipEdit | ConfigureEdit | UndoEdit;

/** What the engine answers to `history`: as `GET /v1/goals/{id}/history`. */
export interface History {
  days: { date: Day; count: number; notes?: string[] }[];
  periods: {
    start: Day;
    end: Day;
    count: number;
    frequency: number;
    state: "met" | "missed" | "skipped" | "paused" | "pending";
  }[];
  streak: { current: number; longest: number };
  total: number;
  completionRate: number | null;
}

/** What the engine answers to `goals`. */
export interface State {
  version: number;
  /** Null until the account's time zone is there. */
  goals: Goal[] | null;
  standing:
    | { is: "loading" | "inStep" | "asking" | "signedOut" }
    | { is: "waiting"; until: Instant; cause: "unreachable" | "asked" | "status" | "nonsense"; status?: number }
    | { is: "otherAccount"; account: ID };
  /** Whether the log is being read from its start. */
  isCatchingUp: boolean;
  pending: OwnEdit[];
  rejected: OwnEdit[];
  /** The titles of deleted goals that edits of this device name. */
  gone: Record<ID, string>;
  calendar: { timeZone: string; weekStart: string; dayStart: string };
  /** Null before the first sign-in. */
  account: ID | null;
  /** The milliseconds by which the device's clock is behind. */
  clockOffset: number;
}

/** Why an edit was rejected: of one that is `invalid` with where, as JSON pointers into it. */
export interface Rejection {
  code?: string;
  detail?: string;
  errors?: { pointer: string; detail?: string }[];
}

/** An edit of this device. */
export interface OwnEdit extends Rejection {
  edit: Edit & { id: ID; at: Instant };
  standing: "due" | "acknowledged" | "recorded" | "rejected";
}

export interface Made {
  ids: ID[];
  /** False where the disk is full or fails; the edits are then withdrawn. */
  isKept: boolean;
  rejected: Rejection[];
  unchanged: ID[];
}

/** Where goals are turned on and off: not begun, or which of them are on by now. */
export type Screen = "displaying" | { editing: Record<ID, boolean> };

/** What a person should know: what the engine tells (`docs/decisions/0016-engine.md`), or `evicted`. */
export interface Notice {
  notice: string;
  [member: string]: unknown;
}

/** Events: `show`, `notice` (`detail`: a `Notice`), `signedout`, `failed` (`detail`: an `Error`). */
export class Goals extends EventTarget {
  addEventListener(type: "notice", listener: (event: CustomEvent<Notice>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: "failed", listener: (event: CustomEvent<Error>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  readonly state: State | null;
  /** With a `goal`, no other is in `goals`. */
  ask(question: { ask: "goals"; goal?: ID }): Promise<State>;
  /** A window of 365 days where `from` or `to` is missing; `to` is the day after the last. */
  ask(question: { ask: "history"; goal: ID; from?: Day; to?: Day }): Promise<History>;
  /** A step on a screen where goals are turned on and off, with the edit that it makes. */
  ask(question: { ask: "screen"; state: Screen; step: "edit" | "save" | "cancel" | { toggle: ID } }): Promise<{ state: Screen; edit: Edit | null }>;
  ask(question: { ask: string; [member: string]: unknown }): Promise<unknown>;
  edit(...edits: Edit[]): Promise<Made>;
  dismiss(ids: ID[]): Promise<void>;
  refresh(): Promise<void>;
  /** Begins a session with the server that the page itself comes from. Resolves to the status of the server's answer: 204 where it went well. */
  signIn(secret: string | { code: string }): Promise<number>;
  signOut(): Promise<void>;
}

export function newID(): ID;
