import { eventually } from '@steward/testing';
import type { Page } from 'playwright-core';
import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** Simulates the push service of the browser, which tests cannot reach. */
async function playPushService(page: Page): Promise<void> {
  await page.evaluate(`
    const made = { toJSON: () => ({ endpoint: 'https://push.example.test/send/x', keys: ${JSON.stringify(KEYS)} }), unsubscribe: () => true };
    Object.assign(PushManager.prototype, {
      subscribe: () => Promise.resolve(made),
      getSubscription: () => Promise.resolve(null),
    });
    Object.assign(Notification, { requestPermission: () => Promise.resolve('granted') });`);
}

describe('notices in a browser of a person', () => {
  it('are chosen on the account page, shown by the service worker, and removed (CON-37, NTC-9)', async () => {
    const tab = await openAsOwner(console, '/settings/account');
    const { page } = tab;
    await page.context().grantPermissions(['notifications']);
    await page.getByText('No browser gets notices.').waitFor();
    await playPushService(page);
    expect(await page.evaluate("navigator.serviceWorker.getRegistration('/')")).toBeUndefined();
    const form = await openDialog(page, 'Push notices to this browser');
    await form.getByLabel('A budget reached a threshold').uncheck();
    await console.inspect(tab, 'push-notices');
    await form.getByRole('button', { name: 'Save notices' }).click();
    const row = page
      .getByRole('table', { name: 'Browsers that receive notices' })
      .getByRole('row', { name: /\(this one\)/ });
    await row.getByText('A call waits for approval').waitFor();
    await console.inspect(tab, 'browsers-with-notices');

    const devTools = await page.context().newCDPSession(page);
    const registrations: string[] = [];
    devTools.on('ServiceWorker.workerRegistrationUpdated', (update) =>
      registrations.push(...update.registrations.map(({ registrationId }) => registrationId)),
    );
    await devTools.send('ServiceWorker.enable');
    const registrationId = await eventually(() => registrations[0]);
    const worker = await eventually(() => page.context().serviceWorkers()[0]);
    // A browser without a user interface shows no notices.
    await worker.evaluate(
      'self.registration.showNotification = async (title, { body, tag }) => { self.shown = { title, body, tag }; }',
    );
    const message = { title: 'Approval needed: deploy', body: 'Agent: bot', path: '/approvals/1', tag: 'one' };
    const { origin } = new URL(page.url());
    await devTools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) });
    const shown = await eventually(() => worker.evaluate('self.shown'));
    expect(shown).toEqual({ title: message.title, body: message.body, tag: message.tag });
    expect(await page.evaluate('caches.keys()')).toEqual([]);

    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No browser gets notices.').waitFor();
  });
});

describe('the page', () => {
  it('can be installed: it has a manifest with icons that are there (CON-37)', async () => {
    const { page } = await openAsOwner(console, '/settings/account');
    const manifest = (await page.evaluate(`(async () => {
      const links = [...document.querySelectorAll('link[rel=manifest], link[rel=apple-touch-icon]')];
      const found = await (await fetch(links.find(({ rel }) => rel === 'manifest').href)).json();
      const files = [...found.icons.map(({ src }) => src), ...links.map(({ href }) => href)];
      const responses = await Promise.all(files.map((file) => fetch(file)));
      return { ...found, types: responses.map(({ status, headers }) => status + ' ' + headers.get('content-type')) };
    })()`)) as { types: string[] };
    expect(manifest).toMatchObject({
      display: 'standalone',
      start_url: '/overview',
      icons: [
        { sizes: '192x192', purpose: 'any' },
        { sizes: '512x512', purpose: 'any' },
        { sizes: '512x512', purpose: 'maskable' },
      ],
    });
    expect([...new Set(manifest.types)].sort()).toEqual([
      '200 application/manifest+json; charset=utf-8',
      '200 image/png',
    ]);
  });
});
