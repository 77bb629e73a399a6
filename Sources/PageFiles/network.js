// Requests, and the stream of what others do. Nothing here knows what a request is for.

/** As long as an answer may take: a long poll is answered after half a minute. */
const patience = 60_000;

/**
 * TypeScript 4.8 knows neither `timeout` nor `any`, which Safari has from 17.4.
 *
 * @type {any}
 */
const signals = AbortSignal;

/**
 * The server's answer. Throws where there was none.
 *
 * @param {{ method: string, target: string, body?: unknown }} request
 */
export async function send({ method, target, body }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined && body !== null) headers["Content-Type"] = "application/json";
  const answer = await fetch(target, {
    method,
    headers,
    body: body === undefined || body === null ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: signals.timeout(patience),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  /** @type {Record<string, string>} */
  const fields = {};
  for (const name of ["date", "retry-after"]) {
    const value = answer.headers.get(name);
    if (value !== null) fields[name] = value;
  }
  return { status: answer.status, ok: answer.ok, fields, bytes };
}

/**
 * @typedef {object} Told
 * @property {"edits" | "reset" | "ended"} kind
 * @property {string} [cursor] of `edits`
 * @property {Uint8Array} [bytes] of `edits`
 * @property {boolean} [hadBegun] of `ended`
 */

/**
 * Follows the log. `told` gets `edits`, `reset` and, once, `ended`, as they come.
 *
 * @type {(way: { by: string, target: string }, told: (news: Told) => unknown) => () => void}
 */
export function follow({ by, target }, told) {
  return by === "stream" ? followStream(target, told) : followPolls(target, told);
}

/** @param {string} target @param {(news: Told) => unknown} told */
function followStream(target, told) {
  const source = new EventSource(target);
  let hadBegun = false;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    source.close();
    told({ kind: "ended", hadBegun });
  };
  source.onopen = () => { hadBegun = true; };
  source.onerror = end;
  source.addEventListener("edit", ({ data, lastEventId }) => {
    if (!isOver) told({ kind: "edits", cursor: lastEventId, bytes: new TextEncoder().encode(data) });
  });
  source.addEventListener("reset", () => { if (!isOver) told({ kind: "reset" }); });
  return () => { isOver = true; source.close(); };
}

/** @param {string} target @param {(news: Told) => unknown} told */
function followPolls(target, told) {
  const controller = new AbortController();
  const signal = signals.any?.([controller.signal, signals.timeout(patience)]) ?? controller.signal;
  fetch(target, { credentials: "same-origin", cache: "no-store", signal })
    .then(async (answer) => {
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (controller.signal.aborted) return;
      if (answer.status === 410 && code(bytes) === "cursor-diverged") return told({ kind: "reset" });
      if (answer.ok) told({ kind: "edits", bytes });
      told({ kind: "ended", hadBegun: answer.ok });
    })
    .catch(() => { if (!controller.signal.aborted) told({ kind: "ended", hadBegun: false }); });
  return () => controller.abort();
}

/**
 * The code of a problem; a proxy's answer has none.
 *
 * @param {Uint8Array} bytes
 */
function code(bytes) {
  try { return JSON.parse(new TextDecoder().decode(bytes))?.code; } catch { return undefined; }
}

/**
 * A time zone's file: from the device where it is of today, else from the server, else from the device.
 *
 * @param {string} name
 * @param {Pick<import("./keeping.js").Keeping, "zone" | "keepZone">} keeping
 * @returns {Promise<{ found: boolean | null, bytes?: Uint8Array }>}
 */
export async function findZone(name, keeping) {
  const kept = await keeping.zone(name).catch(() => undefined);
  if (kept && Date.now() - kept.at < 86_400_000) return { found: true, bytes: kept.bytes };
  try {
    /** @type {HeadersInit} */
    const headers = kept?.tag ? { "If-None-Match": kept.tag } : {};
    const path = name.split("/").map(encodeURIComponent).join("/");
    const answer = await fetch(`/v1/zones/${path}`, { headers, credentials: "same-origin", cache: "no-store" });
    if (answer.status === 404) return { found: false };
    const bytes = answer.ok ? new Uint8Array(await answer.arrayBuffer()) : kept?.bytes;
    if (!bytes || (!answer.ok && answer.status !== 304)) throw new Error(String(answer.status));
    const tag = answer.headers.get("etag");
    await keeping.keepZone({ name, bytes, tag, at: Date.now() }).catch(() => {});
    return { found: true, bytes };
  } catch {
    return kept ? { found: true, bytes: kept.bytes } : { found: null };
  }
}
