// Requests, and the stream of what others do. Nothing here knows what a request is for.

/** As long as an answer may take: a long poll is answered after half a minute. */
const patience = 60_000;

/** The server's answer. Throws where there was none. */
export async function send({ method, target, body }, token) {
  const headers = {};
  if (body !== undefined && body !== null) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(target, {
    method,
    headers,
    body: body === undefined || body === null ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: AbortSignal.timeout(patience),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const fields = {};
  for (const name of ["date", "retry-after"]) {
    const value = answer.headers.get(name);
    if (value !== null) fields[name] = value;
  }
  return { status: answer.status, ok: answer.ok, fields, bytes };
}

/** Follows the log. `told` gets `edits`, `reset` and, once, `ended`, as they come. */
export function follow({ by, target }, told) {
  return by === "stream" ? followStream(target, told) : followPolls(target, told);
}

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

function followPolls(target, told) {
  const controller = new AbortController();
  const signal = AbortSignal.any?.([controller.signal, AbortSignal.timeout(patience)]) ?? controller.signal;
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

/** The code of a problem; a proxy's answer has none. */
function code(bytes) {
  try { return JSON.parse(new TextDecoder().decode(bytes))?.code; } catch { return undefined; }
}

/** A time zone's file: from the device where it is of today, else from the server, else from the device. */
export async function findZone(name, keeping) {
  const kept = await keeping.zone(name).catch(() => undefined);
  if (kept && Date.now() - kept.at < 86_400_000) return { found: true, bytes: kept.bytes };
  try {
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
