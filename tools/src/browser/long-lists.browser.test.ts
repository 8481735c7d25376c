import { GROWING_KINDS } from '../../bench/growth/growing-kinds.ts';
import { connectClient } from '../servers/connect-client.ts';
import { openAsOwner } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const ROWS = 10_000;
/** The service's default. */
const PAGE = 50;
const LISTS = [
  ['sessions', '/sessions', 'Sessions'],
  ['deliveries', '/event-webhooks/deliveries', 'Deliveries'],
  ['executions', '/executions', 'Executions'],
  ['model calls', '/usage/calls', 'Model calls'],
] as const;

describe('a list with ten thousand rows (CON-35)', () => {
  it.each(LISTS)('shows one page of %s at %s, and the next one on request', async (kind, path, name) => {
    const { page, api } = await openAsOwner(console, '/settings/account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    const accountId = String((await api.call('GET', '/api/v1/users/me')).body.account_id);
    const client = await connectClient(console.suite().database.url);
    await client.query(GROWING_KINDS.find((each) => each.name === kind)?.insert ?? '', [accountId, ROWS]);
    await client.end();
    await page.goto(path);
    const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr');
    await rows.nth(PAGE - 1).waitFor();
    expect(await rows.count()).toBe(PAGE);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByRole('table', { name, exact: true }).and(page.locator('[aria-busy=false]')).waitFor();
    expect(await rows.count()).toBe(PAGE);
  });
});
