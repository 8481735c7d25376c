import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import pg from 'pg';
import { bundlePath } from '../build/bundle-apps.ts';
import { APPS, type AppName } from '../workspace.ts';
import { startSuite, type Suite } from './start-suite.ts';

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs an app that is expected not to come up. */
function runToEnd(app: AppName, environment: Readonly<Record<string, string>>): Promise<Ended> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bundlePath(app)], {
      env: { ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.once('exit', (code) =>
      resolve({ code, stderr: stderr.trim(), seconds: (performance.now() - startedAt) / 1000 }),
    );
  });
}

describe('start of the apps', () => {
  let suite: Suite;
  beforeAll(async () => {
    suite = await startSuite();
  }, 120_000);
  afterAll(() => suite.stop(), 60_000);

  /** Nothing listens there. */
  const CLOSED_PORT = '127.0.0.1:9';

  it.each(APPS)(
    '%s names an unreachable database in one line, without credentials, and ends with code 1',
    async (app) => {
      const environment = {
        ...suite.environment,
        PORT: '0',
        HEALTH_PORT: '0',
        DATABASE_URL: `postgres://user:hunter2hunter2@${CLOSED_PORT}/steward`,
      };
      const ended = await runToEnd(app, environment);
      expect(ended.code).toBe(1);
      expect(ended.seconds).toBeLessThan(15);
      expect(ended.stderr.split('\n')).toHaveLength(1);
      expect(ended.stderr).toContain('DATABASE_URL');
      expect(ended.stderr).toContain(CLOSED_PORT);
      expect(ended.stderr).not.toContain('hunter2');
    },
  );

  it.each(APPS)(
    '%s names an unreachable broker in one line and ends with code 1',
    async (app) => {
      const ended = await runToEnd(app, {
        ...suite.environment,
        PORT: '0',
        HEALTH_PORT: '0',
        NATS_URL: `nats://user:hunter2hunter2@${CLOSED_PORT}`,
      });
      expect(ended.code).toBe(1);
      expect(ended.seconds).toBeLessThan(15);
      expect(ended.stderr.split('\n')).toHaveLength(1);
      expect(ended.stderr).toContain('NATS_URL');
      expect(ended.stderr).not.toContain('hunter2');
    },
    20_000,
  );

  it('names every missing setting at once', async () => {
    const ended = await runToEnd('api-gateway', { PATH: suite.environment.PATH ?? '' });
    expect(ended.code).toBe(1);
    for (const variable of ['DATABASE_URL', 'NATS_URL', 'SECRET_KEY']) expect(ended.stderr).toContain(variable);
  });

  it('names the port in use and the variable that changes it', async () => {
    const blocker = createServer();
    const port = await new Promise<number>((resolve) =>
      blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port)),
    );
    const ended = await runToEnd('api-gateway', { ...suite.environment, PORT: String(port) });
    blocker.close();
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`port ${port} .*in use.*PORT`));
  });

  it('refuses a schema behind or ahead of the build, naming the command that helps', async () => {
    const client = new pg.Client({ connectionString: suite.database.url });
    await client.connect();
    const removed = await client.query(`delete from search.schema_migration returning *`);
    const behind = await runToEnd('search-indexer', { ...suite.environment, HEALTH_PORT: '0' });
    for (const row of removed.rows as { name: string; timestamp: string }[]) {
      await client.query('insert into search.schema_migration (name, "timestamp") values ($1, $2)', [
        row.name,
        row.timestamp,
      ]);
    }
    await client.query(
      `insert into search.schema_migration (name, "timestamp") values ('9999_from_the_future', '2030-01-01')`,
    );
    const ahead = await runToEnd('search-indexer', { ...suite.environment, HEALTH_PORT: '0' });
    await client.query(`delete from search.schema_migration where name = '9999_from_the_future'`);
    await client.end();
    expect([behind.code, ahead.code]).toEqual([1, 1]);
    expect(behind.stderr).toMatch(/behind .*npm run migrate/);
    expect(ahead.stderr).toMatch(/ahead .*9999_from_the_future/);
  });
});
