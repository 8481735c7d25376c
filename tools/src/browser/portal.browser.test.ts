import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { registerPerson } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const EVENTS = '/api/v1/event-webhooks';

describe('the webhook portal', () => {
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.close());

  /** Creates an account with an endpoint in the group of a portal link, and one outside it. */
  async function openLink(frameOrigins: readonly string[] = []) {
    const { api } = await registerPerson(console.suite().api);
    const post = async (path: string, body: object) => (await api.call('POST', `${EVENTS}${path}`, { body })).body;
    const inside = await post('/endpoints', { url: receiver.url, group: 'customer-1' });
    await post('/endpoints', { url: `${receiver.url}/of-others` });
    const fields = { group: 'customer-1', event_types: ['session.ended', 'policy.denied'] };
    const link = await post('/portal-links', { ...fields, frame_origins: frameOrigins });
    const { pathname, hash } = new URL(String(link.url));
    return { api, inside, link, address: `${console.suite().url}${pathname}${hash}` };
  }

  it('shows the endpoints of its group alone, sends an example, and shows and resends the delivery (HOOK-50)', async () => {
    const { address } = await openLink();
    const tab = await (await console.visit()).open(address);
    const { page } = tab;
    const endpoints = page.getByRole('list', { name: 'Endpoints' });
    await endpoints.getByRole('heading', { name: receiver.url }).waitFor();
    expect(await endpoints.getByRole('heading').count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('');
    const before = receiver.requests.length;
    await page.getByRole('button', { name: 'Send an example' }).click();
    const form = page.getByRole('dialog', { name: 'Send an example' });
    await form.getByLabel('Event type').selectOption('session.ended');
    await console.inspect(tab, 'portal-example');
    await form.getByRole('button', { name: 'Send example' }).click();
    await page.getByRole('button', { name: 'Deliveries' }).click();
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await deliveries.getByText('Delivered').waitFor();
    await deliveries.getByRole('button', { name: 'Attempts (1)' }).click();
    await page.getByRole('list', { name: 'Attempts' }).getByText('200').waitFor();
    await console.inspect(tab, 'portal-deliveries');
    await deliveries.getByRole('button', { name: 'Resend' }).click();
    await deliveries.getByText('Sent again.').waitFor();
    await eventually(() => receiver.requests.length === before + 2);
  });

  it('adds an endpoint, shows its secret once, edits and disables it (HOOK-50)', async () => {
    const { address, api } = await openLink();
    const tab = await (await console.visit()).open(address);
    tab.expectRefusal(`${EVENTS}/endpoints`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'Add endpoint' });
    await form.getByLabel('policy.denied').check();
    await form.getByLabel('URL').fill('http://receiver.example.com/hook');
    await form.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await form.getByRole('alert').innerText()).toContain('https://');
    await console.inspect(tab, 'portal-add');
    await form.getByLabel('URL').fill('https://receiver.example.com/hook');
    await form.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Signing secret' });
    const secret = await dialog.getByText(/^whsec_/).innerText();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const card = page.getByRole('listitem').filter({ hasText: 'https://receiver.example.com/hook' });
    await card.getByText('policy.denied').waitFor();
    expect(await page.content()).not.toContain(secret);
    await card.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit endpoint' });
    await edit.getByLabel('Description').fill('ours');
    await edit.getByRole('button', { name: 'Save' }).click();
    await card.getByText('ours').waitFor();
    await card.getByRole('button', { name: 'Disable' }).click();
    await card.getByText('Disabled').waitFor();
    await console.inspect(tab, 'portal');
    const { body } = await api.call('GET', `${EVENTS}/endpoints`);
    const { items } = body as unknown as { readonly items: readonly { readonly url: string }[] };
    const [added] = items.filter(({ url }) => url.startsWith('https:'));
    expect(added).toMatchObject({ group: 'customer-1', active: false, event_types: ['policy.denied'] });
  });

  it('works in a frame of a page of a named origin (HOOK-56)', async () => {
    let portal = '';
    const host = await startHttpReceiver((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>Host</title><iframe title="Webhooks" src="${portal}"></iframe>`);
    });
    try {
      const { origin } = new URL(host.url);
      portal = (await openLink([origin])).address;
      const tab = await (await console.visit()).open('about:blank');
      tab.expectVisit(origin);
      await tab.page.goto(host.url);
      const frame = tab.page.frameLocator('iframe');
      await frame.getByRole('heading', { name: receiver.url }).waitFor();
    } finally {
      await host.close();
    }
  });

  it('says that a revoked link no longer works', async () => {
    const { api, address, link } = await openLink();
    const tab = await (await console.visit()).open(address);
    tab.expectRefusal(`${EVENTS}/endpoints`);
    await tab.page.getByRole('heading', { name: receiver.url }).waitFor();
    await api.call('DELETE', `${EVENTS}/portal-links/${String(link.id)}`);
    await tab.page.getByText('This link has expired').waitFor();
    await console.inspect(tab, 'portal-ended');
  });
});
