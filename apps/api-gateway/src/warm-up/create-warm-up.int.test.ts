import pg from 'pg';
import { captureOutput, createTestDatabase, eventually, type TestDatabase } from '@steward/testing';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

const readOutput = captureOutput();

interface WarmedUp {
  readonly is_complete: boolean;
  readonly requests: number;
  readonly unexpected: number;
}

const listLines = (): string[] =>
  readOutput()
    .split('\n')
    .filter((line) => line.includes('service.warmed_up'));

/** The line about the warm-up of a gateway; lines are written a little later. */
async function readLine(seenBefore: number): Promise<WarmedUp> {
  await eventually(() => listLines().length > seenBefore);
  return JSON.parse(listLines().at(-1) ?? '') as WarmedUp;
}

const run = async <T extends object>(database: TestDatabase, text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
};

/** Number of rows of each table. */
const COUNT_ROWS = `
  select schemaname || '.' || tablename as name,
    (xpath('/row/rows/text()', query_to_xml(format('select count(*) as rows from %I.%I', schemaname, tablename),
      false, true, '')))[1]::text as rows
  from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
    -- Its key is stored by the first start, not by the warm-up.
    and tablename <> 'push_key' order by 1`;

describe('the warm-up of a gateway (PROC-22)', () => {
  let gateway: TestGateway | undefined;
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });
  const start = async (seconds: string, prepare: (database: TestDatabase) => Promise<void>): Promise<TestGateway> => {
    const environment = { WARM_UP_SECONDS: seconds, LOG_LEVEL: 'info', HEALTH_PORT: '0' };
    gateway = await startTestGateway(environment, async () => {
      const database = await createTestDatabase();
      await prepare(database);
      return database;
    });
    return gateway;
  };

  it('opens the connections and sends requests that have no effect, before the port opens', async () => {
    const seen = listLines().length;
    let before: object[] = [];
    const { database, healthUrl } = await start('10', async (created) => {
      before = await run(created, COUNT_ROWS);
    });
    const line = await readLine(seen);
    // How many requests fit into the time depends on the machine.
    expect(line.unexpected).toBe(0);
    expect(line.requests).toBeGreaterThan(0);
    expect(await run(database, COUNT_ROWS)).toEqual(before);
    const opened = await run<{ name: string; count: string }>(
      database,
      'select application_name as name, count(*) as count from pg_stat_activity where datname = current_database() group by 1',
    );
    const counts = new Map(opened.map(({ name, count }) => [name, Number(count)]));
    expect(counts.get('steward-api-gateway')).toBe(10);
    expect(counts.get('steward-api-gateway-search')).toBe(8);
    const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
    expect(metrics).not.toContain('steward_http_request_duration_seconds_count{');
    expect(readOutput()).not.toMatch(/http\.request_served|search\.answered/);
  });

  it('does not delay the start any longer than it may', async () => {
    const seen = listLines().length;
    let holder: pg.Client | undefined;
    const started = await start('1', async (created) => {
      holder = new pg.Client({ connectionString: created.url });
      await holder.connect();
      await holder.query('begin; lock table gateway.runtime_session in access exclusive mode');
    });
    expect(await readLine(seen)).toMatchObject({ is_complete: false });
    await holder?.query('rollback');
    await holder?.end();
    const account = await started.registerAccount();
    await eventually(async () => {
      const { status } = await started.call('GET', '/api/v1/runtime-sessions', { token: account.accessToken });
      return status === 200;
    });
  });

  it('can be switched off', async () => {
    const { database } = await start('0', () => Promise.resolve());
    const [opened] = await run<{ count: string }>(
      database,
      "select count(*) as count from pg_stat_activity where datname = current_database() and application_name like '%-search'",
    );
    expect(Number(opened?.count)).toBe(0);
  });
});
