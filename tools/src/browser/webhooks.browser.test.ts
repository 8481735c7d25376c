import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { connectClient } from '../servers/connect-client.ts';
import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

const console = useConsole();

describe('event webhooks in the console', () => {
  let receiver: HttpReceiver;
  let answer = 200;
  beforeAll(async () => {
    receiver = await startHttpReceiver((_request, response) => void response.writeHead(answer).end());
  });
  afterAll(() => receiver.close());

  const open = (path: string) => openAsOwner(console, path);

  async function addEndpoint({ page }: Tab): Promise<string> {
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add endpoint' });
    await form.getByLabel('URL').fill(receiver.url);
    await form.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Signing secret' });
    const secret = await dialog.getByText(/^whsec_/).innerText();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy secret' }).click();
    await dialog.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return secret;
  }

  /** Simulates that the earlier attempts, which take an hour, have been made. */
  async function tryForTheLastTime(): Promise<void> {
    const client = await connectClient(console.suite().database.url);
    await client.query(
      `update webhooks.delivery set attempt_count = 5, next_attempt_at = now(), claim_token = null, claim_until = null
        where endpoint_id in (select id from webhooks.endpoint where origin = $1)`,
      [new URL(receiver.url).origin],
    );
    await client.end();
  }

  it('show the secret of a new endpoint once, and deliver a test event live (WEB-22, WEB-24)', async () => {
    answer = 200;
    const tab = await open('/event-webhooks/endpoints');
    const { page } = tab;
    await page.getByText('An endpoint is a URL of your application').waitFor();
    await console.inspect(tab, 'endpoints-empty');
    const secret = await addEndpoint(tab);
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText(secret.slice(-4)).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor();
    await console.inspect(tab, 'endpoint');
    await page.getByRole('link', { name: 'webhook.test' }).click();
    const peek = page.getByRole('complementary', { name: 'Delivery' });
    await peek.getByText('200', { exact: true }).waitFor();
    await peek.getByText('Sent request').click();
    await peek.getByText('"type": "webhook.test"').waitFor();
    await console.inspect(tab, 'delivery');
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Send it again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Delivery' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('send the example of an event type, show the headers of its attempt, and send it again to one endpoint (CON-29)', async () => {
    answer = 200;
    const tab = await open('/event-webhooks/endpoints');
    const { page } = tab;
    await addEndpoint(tab);
    await page.getByRole('link', { name: receiver.url }).click();
    const before = receiver.requests.length;
    const form = await openDialog(page, 'Send an example');
    await form.getByLabel('Event type').selectOption('session.ended');
    await console.inspect(tab, 'send-example');
    await form.getByRole('button', { name: 'Send example' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor();
    await page.getByRole('link', { name: 'session.ended' }).click();
    const peek = page.getByRole('complementary', { name: 'Delivery' });
    await peek.getByText('Headers as sent').click();
    await peek.getByText('v1=(hidden)').waitFor();
    await console.inspect(tab, 'delivery-headers');
    await peek.getByRole('button', { name: 'Resend to this endpoint' }).click();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await eventually(() => receiver.requests.length === before + 2);
    const ids = receiver.requests.slice(before).map(({ headers }) => headers['x-service-event-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('show an error in an address next to its field (WEB-23)', async () => {
    const tab = await open('/event-webhooks/endpoints');
    tab.expectRefusal('/api/v1/event-webhooks/endpoints');
    const { page } = tab;
    const form = await openDialog(page, 'Add endpoint');
    await form.getByLabel('URL').fill('ftp://x');
    await form.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await form.getByRole('alert').innerText()).toMatch(/./);
    expect(await form.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
    await console.inspect(tab, 'add-endpoint');
  });

  /** Opens the page of an endpoint to which a test event was sent, once its delivery has this outcome. */
  async function sendTestEvent(outcome: string): Promise<Tab> {
    const tab = await open('/event-webhooks/endpoints');
    const { page } = tab;
    await addEndpoint(tab);
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText(outcome).waitFor();
    return tab;
  }

  /** Opens a failed delivery, on the page of its endpoint. */
  async function giveUp(): Promise<Tab> {
    answer = 500;
    const tab = await sendTestEvent('500');
    const { page } = tab;
    await tryForTheLastTime();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Dead').waitFor();
    answer = 200;
    return tab;
  }

  it('recover dead deliveries of a time range, after counting them (WEB-28)', async () => {
    const { page } = await giveUp();
    const before = receiver.requests.length;
    await page.getByRole('link', { name: /^Dead letters ?1$/ }).click();
    await page.getByRole('button', { name: 'Recover', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Recover dead letters' });
    await dialog.getByLabel('Since').fill('2020-01-01T00:00');
    await dialog.getByRole('button', { name: 'Count' }).click();
    await dialog.getByRole('button', { name: 'Send 1 again' }).waitFor();
    expect(receiver.requests.length).toBe(before);
    await dialog.getByRole('button', { name: 'Send 1 again' }).click();
    await dialog.getByText('Sent 1 of 1').waitFor();
    await eventually(() => receiver.requests.length > before);
    expect(receiver.requests.length).toBe(before + 1);
  });

  it('keep the position of rows when more events are delivered, and show new rows on request (CON-15, WEB-29)', async () => {
    answer = 200;
    const tab = await sendTestEvent('Delivered');
    const { page } = tab;
    const endpoint = page.url();
    await page.getByRole('link', { name: 'Deliveries' }).click();
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await rows.nth(1).waitFor();
    const second = await page.context().newPage();
    await second.goto(endpoint);
    await second.getByRole('button', { name: 'Send test event' }).click();
    await second.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(2).waitFor();
    await page.getByRole('button', { name: '1 new delivery' }).waitFor();
    expect(await rows.count()).toBe(2);
    await console.inspect(tab, 'new-deliveries');
    await page.getByRole('button', { name: '1 new delivery' }).click();
    await rows.nth(2).waitFor();
    expect(await page.getByRole('button', { name: /new deliver/ }).count()).toBe(0);
  });

  it('resend dead deliveries one by one, with the same event id (WEB-27)', async () => {
    const tab = await giveUp();
    const { page } = tab;
    const before = receiver.requests.length;
    const eventId = receiver.requests.at(-1)?.headers['x-service-event-id'];
    await page.getByRole('link', { name: 'Dead letters' }).click();
    await page.getByRole('table', { name: 'Dead letters' }).waitFor();
    await console.inspect(tab, 'dead-letters');
    await page.getByRole('button', { name: 'Replay event' }).click();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Replayed').waitFor();
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor();
    expect(receiver.requests.length).toBe(before + 1);
    expect(receiver.requests.at(-1)?.headers['x-service-event-id']).toBe(eventId);
    await console.inspect(tab, 'deliveries');
  });
});
