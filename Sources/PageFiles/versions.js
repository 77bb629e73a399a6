// The service worker, which lets the page start without a server, and a newer one take its place.

const script = "/client/worker.js";

/**
 * @param {() => void} told says that a newer version is there, where the page can't just be loaded again
 * @param {() => boolean} isIdle whether nothing would be lost by that
 */
export async function followVersions(told, isIdle) {
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
    document.addEventListener("visibilitychange", () => { if (!document.hidden) registration.update().catch(() => {}); });
  } catch (error) {
    // Without TLS there is none; the page then needs the server to start.
    console.info(error.message);
  }
}
