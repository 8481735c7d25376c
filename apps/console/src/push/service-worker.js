/*
 * Shows the notices of push services, and opens their pages. It handles no requests and stores nothing, so that pages
 * and API responses always come from the service.
 */
globalThis.addEventListener('install', () => void globalThis.skipWaiting());
globalThis.addEventListener('activate', (event) => event.waitUntil(globalThis.clients.claim()));

globalThis.addEventListener('push', (event) => {
  const { title = 'Steward', body = '', path = '/', tag } = readMessage(event.data);
  event.waitUntil(globalThis.registration.showNotification(title, { body, tag, data: { path } }));
});

globalThis.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path));
});

function readMessage(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Opens a page of this origin, in a window of the console that is already open if there is one. */
async function openPage(path) {
  const url = new URL(path ?? '/', globalThis.location.origin);
  if (url.origin !== globalThis.location.origin) return;
  const [open] = await globalThis.clients.matchAll({ type: 'window' });
  if (open === undefined) {
    await globalThis.clients.openWindow(url.href);
    return;
  }
  await open.focus();
  await open.navigate(url.href);
}
