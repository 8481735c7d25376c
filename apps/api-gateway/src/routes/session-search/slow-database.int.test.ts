import pg from 'pg';
import { eventually } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-gateway.ts';

const SEARCHES = 24;

/** More searches at a time than the gateway has connections, on a corpus that does not answer. */
describe('a corpus that does not answer', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let admin: pg.Client;
  /** Outside of a transaction, where every look is a new one. */
  let observer: pg.Client;

  beforeEach(async () => {
    gateway = await startTestGateway({ SESSION_SEARCH_TIMEOUT_MS: '1500', SESSION_SEARCH_MAX_CONCURRENT: '4' });
    account = await gateway.registerAccount();
    admin = new pg.Client({ connectionString: gateway.database.url });
    observer = new pg.Client({ connectionString: gateway.database.url });
    await Promise.all([admin.connect(), observer.connect()]);
    await admin.query('begin; lock table search.chunk in access exclusive mode');
  });
  afterEach(async () => {
    await admin.query('rollback');
    await Promise.all([admin.end(), observer.end()]);
    await gateway.close();
  });

  const search = (signal?: AbortSignal): Promise<string> =>
    fetch(`${gateway.url}/api/v1/runtime-sessions/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'anything' }),
      ...(signal === undefined ? {} : { signal }),
    }).then(
      async (answer) => ((await answer.json()) as { detail?: { code: string } }).detail?.code ?? 'answered',
      () => 'gone',
    );
  const countWaiting = async (application: string): Promise<number> => {
    const found = await observer.query<{ count: string }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
      [application],
    );
    return Number(found.rows[0]?.count);
  };
  const readMe = () => gateway.call('GET', '/api/v1/users/me', { token: account.accessToken });

  it('ends every search at its time budget and holds up no other request', async () => {
    const startedAt = performance.now();
    const answers = Promise.all(Array.from({ length: SEARCHES }, () => search()));
    await eventually(async () => (await countWaiting('steward-api-gateway-search')) === 4);
    expect((await readMe()).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(new Set(await answers)).toEqual(new Set(['search_timeout']));
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });

  it('frees every slot when the clients are gone', async () => {
    const controller = new AbortController();
    const answers = Promise.all(Array.from({ length: SEARCHES }, () => search(controller.signal)));
    await eventually(async () => (await countWaiting('steward-api-gateway-search')) === 4);
    const abortedAt = performance.now();
    controller.abort();
    expect(new Set(await answers)).toEqual(new Set(['gone']));
    await eventually(async () => (await countWaiting('steward-api-gateway-search')) === 0);
    // Long before the budget would have ended them.
    expect(performance.now() - abortedAt).toBeLessThan(1000);
    const audited = await eventually(async () => {
      const log = await gateway.call('GET', '/api/v1/audit-log?action=query', { token: account.accessToken });
      return log.body.items.length >= SEARCHES && log.body.items;
    });
    expect(new Set(audited.map((row: { details: { error_code: string } }) => row.details.error_code))).toEqual(
      new Set(['client_gone']),
    );
    await admin.query('rollback');
    expect(await search()).toBe('answered');
  });
});
