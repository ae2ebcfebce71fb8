// One build of the page, kept whole: after the first visit it needs no network. A new build is fetched beside it, file
// by file against its digest, and takes over when no page of the old one is open. No page ever gets files of two builds.
const BUILD = "bgtools-@build@";
const FILES = "@files@";

async function kept() {
  const cache = await caches.open(BUILD);
  await Promise.all(Object.entries(FILES).map(async ([name, digest]) => {
    const answer = await fetch(name, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const bytes = await answer.clone().arrayBuffer();
    const found = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");
    if (found !== digest) throw new Error(`${name} is of another build`);
    await cache.put(name, answer);
  }));
}
self.addEventListener("install", (event) => event.waitUntil(kept()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("bgtools-") && name !== BUILD) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener("fetch", (event) => {
  const address = event.request.url.split(/[?#]/)[0], inside = new URL("./", self.location).href;
  if (event.request.method !== "GET" || !address.startsWith(inside)) return;
  const name = address.slice(inside.length) || "index.html";
  if (!Object.hasOwn(FILES, name)) return;
  event.respondWith(caches.open(BUILD).then((cache) => cache.match(new URL(name, inside))).then((found) => found || Response.error()));
});
