// The service worker: it keeps one whole version of the page, and starts the page from that. Everything
// of a version has the version in its name, so that a page never gets a file of another one. What is
// not of the page goes to the network untouched.

const base = "/client/{version}/";
const files = "{files}".split(" ");
const cacheName = "goals-{version}";
const page = `${base}index.html`;

async function install() {
  const cache = await caches.open(cacheName);
  // All or nothing: a version of which a file is missing is not taken.
  await Promise.all([cache.addAll(files.map((name) => base + name)), addPage(cache)]);
  await self.skipWaiting();
}

/**
 * The document, which the browser has from `/`, so that the server only says that it is still that one.
 *
 * @param {Cache} cache
 */
async function addPage(cache) {
  const answer = await fetch("/");
  const isOfVersion = answer.ok && (await answer.clone().text()).includes(base);
  if (!isOfVersion) throw new Error("The server has another version by now.");
  await cache.put(page, answer);
}

/** A page that runs goes on with its own version, so that one stays as well. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith("goals-") && name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** @param {Request} request */
async function served(request) {
  const { pathname } = new URL(request.url);
  const name = pathname === "/" ? page : pathname;
  return (await caches.match(name, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname === "/" || (pathname.startsWith("/client/") && pathname !== "/client/worker.js")) {
    event.respondWith(served(event.request));
  }
});
