import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, releaseAfterAll } from '@steward/testing';
import { connectClient } from '../servers/connect-client.ts';
import { APPS, type AppName } from '../workspace.ts';
import { runToEnd, type Ended } from './run-to-end.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

describe('the start of the apps', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  beforeAll(async () => {
    suite = await startSuite({
      AWS_SECRET_ACCESS_KEY: 'canary-of-the-shell',
      SECRET_KEY_PREVIOUS: 'canary-Zk3vQ9xT7mLw2Rb8Yc5Nf1Hd6Gj4Ps0',
    });
    release(suite.stop);
  }, START_TIMEOUT_MS);

  /** Address of a port on which nothing is listening. */
  const CLOSED_PORT = '127.0.0.1:9';
  const LIMIT_SECONDS = 15;
  /** Five apps whose background tasks run once a second; a task that does not pause causes hundreds of transactions. */
  const WINDOW_SECONDS = 3;
  const MOST_TRANSACTIONS = 25 * WINDOW_SECONDS;

  /**
   * Runs an app to its end within a time limit. Measures the time that the app itself takes, which other load only
   * increases: one run below the limit is sufficient.
   */
  async function runToEndInTime(app: AppName, environment: Readonly<Record<string, string>>): Promise<Ended> {
    for (let tries = 1; ; tries += 1) {
      const ended = await runToEnd(app, environment);
      if (ended.seconds < LIMIT_SECONDS || tries === 3) return ended;
    }
  }

  it.each(APPS)(
    '%s reports an unreachable database in one line, without credentials, and exits with code 1',
    async (app) => {
      const environment = {
        ...suite.environment,
        PORT: '0',
        HEALTH_PORT: '0',
        DATABASE_URL: `postgres://user:hunter2hunter2@${CLOSED_PORT}/steward`,
      };
      const ended = await runToEndInTime(app, environment);
      expect(ended.code).toBe(1);
      expect(ended.seconds).toBeLessThan(LIMIT_SECONDS);
      expect(ended.stderr.split('\n')).toHaveLength(1);
      expect(ended.stderr).toContain('DATABASE_URL');
      expect(ended.stderr).toContain(CLOSED_PORT);
      expect(ended.stderr).not.toContain('hunter2');
    },
  );

  it.each(APPS)('%s reports an unreachable broker in one line and exits with code 1', async (app) => {
    const ended = await runToEndInTime(app, {
      ...suite.environment,
      PORT: '0',
      HEALTH_PORT: '0',
      NATS_URL: `nats://user:hunter2hunter2@${CLOSED_PORT}`,
    });
    expect(ended.code).toBe(1);
    expect(ended.seconds).toBeLessThan(LIMIT_SECONDS);
    expect(ended.stderr.split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain('NATS_URL');
    expect(ended.stderr).not.toContain('hunter2');
  });

  it.each(APPS)('%s has no secret in its environment, because other processes on the machine may read it', (app) => {
    const environment = readFileSync(`/proc/${suite.readPid(app)}/environ`, 'utf8');
    expect(environment).toContain('DATABASE_URL_FILE=');
    expect(environment).toContain('SECRET_KEY_FILE=');
    expect(/(?:^|\0)SECRET_KEY_FILE=/.test(environment)).toBe(app === 'api-gateway');
    for (const [what, secret] of Object.entries(suite.secrets)) {
      expect([what, environment.includes(secret)]).toEqual([what, false]);
    }
    expect(environment).not.toMatch(/canary|:\/\/[^/\0]*:[^/\0]*@/);
  });

  it.each([
    ['SECRET_KEY and its file', { SECRET_KEY_FILE: '/run/secrets/key' }, /SECRET_KEY and SECRET_KEY_FILE are both set/],
    ['a file that is not there', { SECRET_KEY: '', SECRET_KEY_FILE: '/nowhere' }, /SECRET_KEY_FILE does not exist/],
    ['an easy key', { SECRET_KEY: 'x'.repeat(40) }, /SECRET_KEY is too easy to guess/],
  ])('refuses %s, with one line', async (_what, change, expected) => {
    const ended = await runToEnd('api-gateway', { ...suite.environment, ...change });
    expect([ended.code, ended.stderr.split('\n').length]).toEqual([1, 1]);
    expect(ended.stderr).toMatch(expected);
  });

  it('reports every missing setting at once', async () => {
    const ended = await runToEnd('api-gateway', { PATH: suite.environment.PATH ?? '' });
    expect(ended.code).toBe(1);
    for (const variable of ['DATABASE_URL', 'NATS_URL', 'SECRET_KEY']) expect(ended.stderr).toContain(variable);
  });

  it('reports an invalid list entry and its variable, in one line', async () => {
    const ended = await runToEnd('api-gateway', {
      ...suite.environment,
      PORT: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, garbage',
      WEBHOOK_ALLOWED_PRIVATE_CIDRS: '10.0.0.0/99',
      WEBHOOK_ALLOWED_PORTS: '443,https',
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr.split('\n').map((line) => line.replace(/^.*cannot start: /, ''))).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES "garbage" is not an address/),
      expect.stringMatching(/^WEBHOOK_ALLOWED_PRIVATE_CIDRS "10.0.0.0\/99" is not a network/),
      'WEBHOOK_ALLOWED_PORTS must be a whole number from 1 to 65535',
    ]);
  });

  it('reports a port that is in use and the variable that changes it', async () => {
    const blocker = createServer();
    const port = await new Promise<number>((resolve) =>
      blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port)),
    );
    const ended = await runToEnd('api-gateway', { ...suite.environment, PORT: String(port) });
    blocker.close();
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`port ${port} .*in use.*PORT`));
  });

  it('is followed by few transactions while there is nothing to do', async () => {
    const client = await connectClient(suite.database.url);
    const countTransactions = async (): Promise<number> => {
      const { rows } = await client.query<{ count: string }>(
        'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
      );
      return Number(rows[0]?.count);
    };
    try {
      // Postgres counts the transactions of the start up to ten seconds later.
      await eventually(async () => {
        const before = await countTransactions();
        await delay(1000 * WINDOW_SECONDS);
        return (await countTransactions()) - before < MOST_TRANSACTIONS;
      });
    } finally {
      await client.end();
    }
  });

  it('refuses an incomplete schema, and names the command that helps (PROC-2)', async () => {
    const client = await connectClient(suite.database.url);
    const removed = await client.query(`delete from search.schema_migration returning *`);
    const behind = await runToEnd('search-indexer', { ...suite.environment, HEALTH_PORT: '0' });
    for (const row of removed.rows as { name: string; timestamp: string }[]) {
      await client.query('insert into search.schema_migration (name, "timestamp") values ($1, $2)', [
        row.name,
        row.timestamp,
      ]);
    }
    await client.query(
      `insert into search.schema_migration (name, "timestamp") values ('9999_contract_future', '2030-01-01')`,
    );
    const ahead = await runToEnd('search-indexer', { ...suite.environment, HEALTH_PORT: '0' });
    await client.query(`delete from search.schema_migration where name = '9999_contract_future'`);
    await client.end();
    expect([behind.code, ahead.code]).toEqual([1, 1]);
    expect(behind.stderr).toMatch(/behind .*npm run migrate/);
    expect(ahead.stderr).toMatch(/ahead .*9999_contract_future/);
  });
});
