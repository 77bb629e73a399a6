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

/** An edit, as in `POST /v1/edits`. `id` is made where it is missing, and the engine says when it happened. */
export interface Edit {
  id?: ID;
  at?: Instant;
  type: "add" | "delete" | "update" | "alter" | "setActivity" | "move" | "bump" | "skip" | "configure" | "undo";
  [member: string]: unknown;
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
  calendar: { timeZone: string; weekStart: string; dayStart: string };
  /** Null before the first sign-in. */
  account: ID | null;
  /** The milliseconds by which the device's clock is behind. */
  clockOffset: number;
}

/** An edit of this device. */
export interface OwnEdit {
  edit: Edit & { id: ID; at: Instant };
  standing: "due" | "acknowledged" | "recorded" | "rejected";
  code?: string;
  detail?: string;
}

export interface Made {
  ids: ID[];
  /** False where the disk is full or fails; the edits are then withdrawn. */
  isKept: boolean;
  rejected: { code?: string; detail?: string }[];
  unchanged: ID[];
}

/** Events: `show`, `notice` (`detail`: the engine's `tell`, or the `notice` `evicted`), `signedout`, `failed` (`detail`: an `Error`). */
export class Goals extends EventTarget {
  readonly state: State | null;
  ask(question: { ask: string; [member: string]: unknown }): Promise<unknown>;
  edit(...edits: Edit[]): Promise<Made>;
  dismiss(ids: ID[]): Promise<void>;
  refresh(): Promise<void>;
  /** Resolves to the status of the server's answer: 204 where it went well. */
  signIn(token: string): Promise<number>;
  signOut(): Promise<void>;
}

export function newID(): ID;
