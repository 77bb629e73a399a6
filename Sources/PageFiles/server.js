// What only the server knows of an account: its name, its tokens, its export. None of it works offline.

import { reason } from "./reason.js";
import { undoneOf } from "./state.js";
import { text } from "./texts.js";

/** @typedef {import("./state.js").AnyEdit} AnyEdit */
/** @typedef {AnyEdit & { version: number, recordedAt: string, device: string | null }} Recorded an edit of the log */
/** @typedef {{ id: string, name: string, scope: string, goal?: string, madeBy: string | null, lastUsedAt: string | null }} Token */
/** @typedef {{ name: string, timeZoneChosen: boolean }} Account */

/** What the server said against a request, in words for a person. */
export class Refused extends Error {
  /** @param {number} status @param {import("./goals.js").Rejection | null} problem */
  constructor(status, problem) {
    super(reason(problem ?? {}));
    this.name = "Refused";
    this.status = status;
    this.code = problem?.code;
    this.errors = problem?.errors ?? [];
  }
}

/**
 * Why a request did not go well, in words for a person.
 *
 * @param {any} error
 * @returns {string}
 */
export const whyNot = (error) => (error.name === "Refused" ? error.message : text("needsServer"));

/**
 * @param {string} method
 * @param {string} target
 * @param {string | File} [body]
 * @returns {Promise<any>}
 */
async function ask(method, target, body, type = "application/json") {
  const answer = await fetch(target, {
    method, body, headers: body === undefined ? {} : { "Content-Type": type }, credentials: "same-origin", cache: "no-store",
  });
  const isJSON = answer.headers.get("content-type")?.endsWith("json");
  const found = isJSON ? await answer.json() : null;
  if (!answer.ok) throw new Refused(answer.status, found);
  return found;
}

/** @type {() => Promise<Account>} */
export const readAccount = () => ask("GET", "/v1/account");
/**
 * The token that this session was opened with.
 *
 * @type {() => Promise<Token>}
 */
export const readToken = () => ask("GET", "/v1/token");
/** @type {() => Promise<Token[]>} */
export const readTokens = async () => (await ask("GET", "/v1/tokens")).tokens;
/** @type {(token: { name: string, scope: string, goal?: string, link?: boolean }) => Promise<Token & { token?: string, link?: string }>} */
export const addToken = (token) => ask("POST", "/v1/tokens", JSON.stringify(token));
/** @param {string} id */
export const revokeToken = (id) => ask("DELETE", `/v1/tokens/${id}`);

/**
 * A page of the edits, newest first: of a goal, where one is named, and back from a cursor.
 *
 * @param {string} [goal]
 * @param {string} [after]
 * @returns {Promise<{ edits: Recorded[], more: boolean, cursor: string }>}
 */
export async function readEdits(goal, after) {
  const page = await ask("GET", `/v1/edits?${new URLSearchParams({ order: "newest", limit: "30", ...(goal && { goal }), ...(after && { after }) })}`);
  // Of a goal, the server looks at a part of the log for a page, and may find none there.
  return page.edits.length || !page.more ? page : readEdits(goal, page.cursor);
}
/**
 * The goals as they were listed at a version.
 *
 * @type {(version: number) => Promise<import("./goals.js").Goal[]>}
 */
export const readGoals = async (version) => (await ask("GET", `/v1/goals?version=${version}`)).goals;

/** @param {File} file */
export const importLog = (file) => ask("POST", "/v1/import", file, "application/x-ndjson");

/**
 * The edit that skipped a goal last and was not taken back; undefined where it is not among the last.
 *
 * @param {string} goal
 * @returns {Promise<string | undefined>}
 */
export async function lastSkip(goal) {
  /** @type {{ edits: Recorded[] }} */
  const { edits } = await ask("GET", `/v1/edits?goal=${goal}&order=newest&limit=100`);
  const undone = undoneOf(edits);
  return edits.find(({ type, id }) => type === "skip" && !undone.has(id))?.id;
}

/**
 * The time zone that a person means, as the server spells it; null where there is none. What nobody can say, the
 * server decides later.
 *
 * @param {string} words
 */
export async function zoneNamed(words) {
  const plain = words.trim().replaceAll(" ", "_");
  /** @param {string} one */
  const isSame = (one) => one.toLowerCase() === plain.toLowerCase();
  const name = Intl.supportedValuesOf?.("timeZone").find(isSame) ?? plain;
  if (await isZone(name)) return name;
  try {
    const { timeZone } = Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return (await isZone(timeZone)) ? timeZone : null;
  } catch {
    return null;
  }
}

/** @param {string} name */
async function isZone(name) {
  const path = name.split("/").map(encodeURIComponent).join("/");
  const answer = await fetch(`/v1/zones/${path}`, { credentials: "same-origin" }).catch(() => null);
  return answer?.status !== 404;
}
