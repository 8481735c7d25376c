import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '@steward/local-servers';
import { eventually, releaseAfterAll, startHttpReceiver } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

const console = useConsole();
const ENDPOINTS = '/api/v1/event-webhooks/endpoints';

describe('endpoints and their deliveries in the console', () => {
  const release = releaseAfterAll();

  async function open(path: string): Promise<Tab & { readonly api: Api; readonly username: string }> {
    const { username, api } = await registerPerson(console.suite().api);
    const tab = await (await console.visit()).open(path);
    await signIn(tab.page, username);
    await tab.page.getByRole('heading', { name: 'Endpoints' }).waitFor();
    return { ...tab, api, username };
  }

  /**
   * Adds an endpoint that responds with this status.
   * @returns its path
   */
  async function addEndpoint(api: Api, status: () => number): Promise<string> {
    const receiver = await startHttpReceiver((_request, response) => void response.writeHead(status()).end());
    release(() => receiver.close());
    const { body } = await api.call('POST', ENDPOINTS, { body: { url: receiver.url, event_types: [] } });
    return `/event-webhooks/endpoints/${String(body.id)}`;
  }

  const sendTest = (api: Api, endpoint: string) => api.call('POST', `/api/v1${endpoint}/test`);

  it('start with an example receiver that works', async () => {
    const { page, api } = await open('/event-webhooks/endpoints');
    const source = (await page.getByLabel('Example receiver').textContent()) ?? '';
    const port = await findFreePort();
    const { body } = await api.call('POST', ENDPOINTS, { body: { url: `http://127.0.0.1:${port}/`, event_types: [] } });
    const receiver = spawn(process.execPath, ['--input-type=module', '-e', source.replace('9000', String(port))], {
      env: { WEBHOOK_SECRET: String(body.secret) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(receiver, 'exit');
    release(async () => {
      receiver.kill();
      await exit;
    });
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).status === 400);
    await sendTest(api, `/event-webhooks/endpoints/${String(body.id)}`);
    const [said] = (await once(receiver.stdout, 'data')) as [Buffer];
    expect(said.toString()).toContain('webhook.test');
  });

  it('are paused after ten failures, and continue immediately when a user enables them (CON-24, WEB-25)', async () => {
    let answer = 500;
    const { page, api } = await open('/event-webhooks/endpoints');
    const endpoint = await addEndpoint(api, () => answer);
    for (let sent = 0; sent < 10; sent += 1) await sendTest(api, endpoint);
    await page.goto(`${console.suite().url}${endpoint}`);
    await page.getByText(/! Paused until \d\d:\d\d/).waitFor();
    answer = 200;
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('✓ Active').waitFor();
  });

  it('can be edited: only what was changed is sent (CON-39)', async () => {
    const tab = await open('/event-webhooks/endpoints');
    const { page, api } = tab;
    const body = { url: 'http://127.0.0.1:9/hook', event_types: ['session.ended', 'policy.denied'], group: 'old' };
    const { id } = (await api.call('POST', ENDPOINTS, { body })).body;
    await page.goto(`${console.suite().url}/event-webhooks/endpoints/${String(id)}`);
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON());
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit endpoint' });
    await form.getByRole('checkbox', { name: /^policy\.denied/ }).uncheck();
    await form.getByLabel('Group').fill('');
    await form.getByLabel('Description').fill('Billing');
    await console.inspect(tab, 'edit-endpoint');
    await form.getByRole('button', { name: 'Save endpoint' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByText('Events: session.ended.').waitFor();
    expect(sent).toEqual([{ description: 'Billing', event_types: ['session.ended'], group: null }]);
    // One of the two orders is not that of the catalog.
    const types = ['session.ended', 'policy.denied'];
    for (const [index, order] of [types, types.toReversed()].entries()) {
      await api.call('PATCH', `${ENDPOINTS}/${String(id)}`, { body: { event_types: order } });
      await page.reload();
      await page.getByRole('button', { name: 'Edit' }).click();
      await form.getByLabel('Description').fill(`Invoices ${index}`);
      await form.getByRole('button', { name: 'Save endpoint' }).click();
      await form.waitFor({ state: 'hidden' });
      expect(sent.at(-1)).toEqual({ description: `Invoices ${index}` });
    }
    tab.expectRefusal(`${ENDPOINTS}/${String(id)}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await form.getByLabel('URL').fill('http://user:secret@127.0.0.1/');
    await form.getByRole('button', { name: 'Save endpoint' }).click();
    await form.getByRole('alert').waitFor();
  });

  it('are limited to twenty; another one is refused before it is sent (WEB-23)', async () => {
    const { page, api } = await open('/event-webhooks/endpoints');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.call('POST', ENDPOINTS, { body: { url: `http://127.0.0.1:9/${index}`, event_types: ['session.ended'] } }),
      ),
    );
    await page.reload();
    const add = page.getByRole('button', { name: /^Add endpoint .*an account has at most 20 endpoints/ });
    await add.waitFor();
    await add.click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('keep their filters in the URL; the list keeps its scroll position when a row is closed (CON-11, WEB-26)', async () => {
    const { page, api, username } = await open('/event-webhooks/endpoints');
    const good = await addEndpoint(api, () => 200);
    const bad = await addEndpoint(api, () => 500);
    for (let sent = 0; sent < 25; sent += 1) await sendTest(api, good);
    await sendTest(api, bad);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByLabel('State').selectOption('Delivered');
    const table = page.getByRole('table', { name: 'Deliveries' });
    await eventually(async () => {
      await page.getByRole('button', { name: 'Filter' }).click();
      return (await table.getByRole('row').count()) === 26;
    });
    expect(new URL(page.url()).search).toBe('?status=delivered');
    const rows = await table.getByRole('link', { name: 'webhook.test' }).all();
    await rows.at(-1)?.scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    expect(before).toBeGreaterThan(0);
    await rows.at(-1)?.click();
    await page.getByRole('complementary', { name: 'Delivery' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Delivery' }).waitFor({ state: 'hidden' });
    expect(await page.evaluate('scrollY')).toBe(before);

    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      rows.at(-1)?.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await opened.getByRole('complementary', { name: 'Delivery' }).waitFor();
    const other = await (await console.visit()).open(new URL(page.url()).pathname + new URL(page.url()).search);
    await signIn(other.page, username);
    await other.page.getByRole('table', { name: 'Deliveries' }).waitFor();
    expect(await other.page.getByRole('table', { name: 'Deliveries' }).getByRole('row').count()).toBe(26);
    expect(await other.page.getByText('Pending', { exact: true }).count()).toBeLessThanOrEqual(1);
  });
});
