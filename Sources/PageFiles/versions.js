// The service worker, which lets the page start without a server, a newer one that takes its place, and its end where
// another program has the address.

const script = "/client/worker.js";

/**
 * @param {() => void} told says that a newer version is there, where the page can't just be loaded again
 * @param {() => boolean} isIdle whether nothing would be lost by that
 * @param {() => boolean} isSent whether no edit of this device waits to be sent
 */
export async function followVersions(told, isIdle, isSent) {
  if (!("serviceWorker" in navigator)) return;
  let hadOne = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first one is of this very version.
    if (!hadOne) hadOne = true;
    else if (document.hidden && isIdle()) location.reload();
    else told();
  });
  try {
    const url = window.trustedTypes
      ? trustedTypes.createPolicy("goals", { createScriptURL: (name) => (name === script ? name : "") }).createScriptURL(script)
      : script;
    const registration = await navigator.serviceWorker.register(url, { scope: "/" });
    const look = () => registration.update().catch(() => giveWay(registration, isSent)).catch(() => {});
    document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
    if (navigator.serviceWorker.controller) await look();
  } catch (error) {
    // Without TLS there is none; the page then needs the server to start.
    console.info(error.message);
  }
}

/**
 * Unregisters the worker if another program answers at this address, so that the next visit leads there and not to a page
 * that has lost its server. A server that can't be reached, a proxy that says so, or one that asks to sign in is no other
 * program. A page that waits to send something stays: its server may come back.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {() => boolean} isSent
 */
async function giveWay(registration, isSent) {
  const { status, ok, headers } = await fetch(script, { cache: "no-store", redirect: "manual" });
  const isOther = ok ? !headers.get("content-type")?.includes("javascript") : status === 404;
  if (isOther && isSent()) await registration.unregister();
}
