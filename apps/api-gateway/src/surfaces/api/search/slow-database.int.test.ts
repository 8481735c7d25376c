import pg from 'pg';
import { eventually } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

const SEARCHES = 24;
const SLOTS = 4;

let gateway: TestGateway;
let account: TestAccount;
/** Connection that locks the table. */
let admin: pg.Client;
/** A connection that is not in a transaction, so that every query sees the current state. */
let observer: pg.Client;

async function openStuck(table: string, settings: Readonly<Record<string, string>>): Promise<void> {
  gateway = await startTestGateway(settings);
  account = await gateway.registerAccount();
  admin = new pg.Client({ connectionString: gateway.database.url });
  observer = new pg.Client({ connectionString: gateway.database.url });
  await Promise.all([admin.connect(), observer.connect()]);
  await admin.query(`begin; lock table ${table} in access exclusive mode`);
}
afterEach(async () => {
  await admin.query('rollback');
  await Promise.all([admin.end(), observer.end()]);
  await gateway.close();
});

/** Searches; returns the error code, or whether the search succeeded or was cancelled. */
function search(query: string, signal?: AbortSignal): Promise<string> {
  return fetch(`${gateway.url}/api/v1/runtime-sessions/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    ...(signal === undefined ? {} : { signal }),
  }).then(
    async (answer) => ((await answer.json()) as { detail?: { code: string } }).detail?.code ?? 'answered',
    () => 'gone',
  );
}

/** Runs more concurrent searches than the gateway has connections, on a corpus that does not respond. */
describe('a corpus table that does not respond', () => {
  const openStuckCorpus = (budgetMs: number): Promise<void> =>
    openStuck('search.chunk', {
      SESSION_SEARCH_TIMEOUT_MS: String(budgetMs),
      SESSION_SEARCH_MAX_CONCURRENT: String(SLOTS),
    });
  const countWaiting = async (application: string): Promise<number> => {
    const found = await observer.query<{ count: string }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
      [application],
    );
    return Number(found.rows[0]?.count);
  };
  const searchAtOnce = (count: number, signal?: AbortSignal) =>
    Promise.all(Array.from({ length: count }, () => search('anything', signal)));
  const readMe = () => gateway.call('GET', '/api/v1/users/me', { token: account.accessToken });

  it('does not keep any search running beyond its time limit (SRCH-28, LIM-25)', async () => {
    const BUDGET_MS = 5000;
    await openStuckCorpus(BUDGET_MS);
    const startedAt = performance.now();
    expect(new Set(await searchAtOnce(SEARCHES))).toEqual(new Set(['search_timeout']));
    // If each budget had started only when the search got its slot, the searches would have taken six seconds.
    expect(performance.now() - startedAt).toBeLessThan(5 * BUDGET_MS);
  });

  it('does not delay other requests (SRCH-27)', async () => {
    // Searches with a slot wait until the table is unlocked, however long all this takes.
    await openStuckCorpus(60_000);
    const answers = searchAtOnce(SEARCHES);
    await eventually(async () => (await countWaiting('steward-api-gateway-search')) === SLOTS);
    expect((await readMe()).status).toBe(200);
    // This request is answered while the searches wait.
    expect(await countWaiting('steward-api-gateway-search')).toBe(SLOTS);
    await admin.query('rollback');
    expect(await answers).toContain('answered');
  });

  it('frees every slot when the clients disconnect', async () => {
    // No search times out here, so every cancellation is caused by the clients.
    await openStuckCorpus(60_000);
    const controller = new AbortController();
    const first = searchAtOnce(SLOTS, controller.signal);
    await eventually(async () => (await countWaiting('steward-api-gateway-search')) === SLOTS);
    // These searches wait for a slot for at most five seconds, the maximum for one request.
    const behind = searchAtOnce(SEARCHES - SLOTS, controller.signal);
    expect((await readMe()).status).toBe(200);
    controller.abort();
    const answers = (await Promise.all([first, behind])).flat();
    expect(new Set(answers)).toEqual(new Set(['gone']));
    await eventually(async () => (await countWaiting('steward-api-gateway-search')) === 0);
    await eventually(async () => (await countWaiting('steward-api-gateway-coverage')) === 0);
    const audited = await eventually(async () => {
      const log = await gateway.call('GET', '/api/v1/audit-log?action=query', { token: account.accessToken });
      return log.body.items.length >= SEARCHES && log.body.items;
    });
    expect(new Set(audited.map((row: { details: { error_code: string } }) => row.details.error_code))).toEqual(
      new Set(['client_gone']),
    );
    await admin.query('rollback');
    expect(await search('anything')).toBe('answered');
  });
});

/** The search itself is fast, but its coverage cannot be determined. */
describe('a coverage query that does not respond', () => {
  const openStuckCoverage = (budgetMs: number): Promise<void> =>
    openStuck('backfill.watermark', { SESSION_SEARCH_TIMEOUT_MS: String(budgetMs) });
  const waitUntilRunning = (count: number) =>
    eventually(async () => {
      const { rows } = await observer.query(
        `select 1 from pg_stat_activity where datname = current_database() and state = 'active'
           and application_name = 'steward-api-gateway-coverage'`,
      );
      return rows.length === count;
    });

  it('is cancelled immediately when its client disconnects', async () => {
    await openStuckCoverage(60_000);
    const controller = new AbortController();
    const answer = search('anything', controller.signal);
    await waitUntilRunning(1);
    controller.abort();
    expect(await answer).toBe('gone');
    await waitUntilRunning(0);
    await admin.query('rollback');
    expect(await search('anything')).toBe('answered');
  });

  it('is cancelled when its search fails', async () => {
    await openStuckCoverage(60_000);
    expect(await search('-excluded')).toBe('query_has_no_terms');
    await waitUntilRunning(0);
  });

  it('does not keep its search running beyond the time limit, and is then cancelled', async () => {
    await openStuckCoverage(2000);
    expect(await search('anything')).toBe('search_timeout');
    await waitUntilRunning(0);
    await admin.query('rollback');
    // On a busy machine a search may need more than the budget.
    await eventually(async () => (await search('anything')) === 'answered');
  });
});
