import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { bareEnvironment } from '@steward/testing';
import { UNINDEXED, useSweeper } from '../testing/use-sweeper.ts';

const MAIN = resolve(import.meta.dirname, 'main.ts');

describe('npm run backfill (CORP-22)', () => {
  const tests = useSweeper();
  const storeHistory = (sessions: number) =>
    tests.storeSessions(sessions, UNINDEXED, (index) => ({ toolCall: { arguments: { step: index } } }));
  const countChunks = async (accountId: string): Promise<number> =>
    (await tests.admin.pool.query('select from search.chunk where account_id = $1', [accountId])).rowCount ?? 0;

  /** Runs the program; returns its exit code and its output. */
  async function run(args: readonly string[], environment: Record<string, string> = {}) {
    const env = {
      ...bareEnvironment(),
      DATABASE_URL: tests.urlForRole(APP_ROLES.backfillSweeper),
      SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS: '0',
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '2',
      ...environment,
    };
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
      return { code: 0, stdout, stderr };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  }

  it('only reports with --dry-run, runs one pass without options, and processes everything with --all', async () => {
    const accountId = await storeHistory(5);
    const told = await run(['--account', accountId, '--dry-run']);
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toContain('state: not_started');
    expect(told.stdout).toContain(
      'remaining: 5 sessions, about 5 of them without indexed content; expected chunks for each of these: 1',
    );
    expect(told.stdout).toContain('about 2250 s');
    expect(await countChunks(accountId)).toBe(0);

    const once = await run(['--account', accountId]);
    expect([once.code, once.stderr]).toEqual([0, '']);
    expect(once.stdout).toContain('2 rows written');
    expect(once.stdout).toContain('remaining: 3 sessions');
    expect(await countChunks(accountId)).toBe(2);

    const whole = await run(['--account', accountId, '--all']);
    expect(whole.stdout).toMatch(/3 rows written in .* s; the account is completely indexed/);
    expect(await countChunks(accountId)).toBe(5);
  });

  it('exits with 1 and does nothing if another process is working on the account', async () => {
    const accountId = await storeHistory(1);
    const other = await tests.admin.pool.connect();
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`backfill:${accountId}`]);
      const busy = await run(['--account', accountId, '--all']);
      expect(busy.code).toBe(1);
      expect(busy.stdout).toContain('another process is indexing this account');
    } finally {
      await other.query('rollback');
      other.release();
    }
  });

  it.each([
    ['a missing account', [], {}, 2, 'backfill: the option --account with the id of the account to index is missing'],
    ['an unknown option', ['--acount', 'x'], {}, 2, "backfill: Unknown option '--acount'"],
    [
      'an unreachable database',
      ['--account', newId()],
      { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
      1,
      'DATABASE_URL',
    ],
  ])('reports an error in one line: %s', async (_what, args, environment, code, line) => {
    const refused = await run(args, environment);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(line);
    expect(refused.stderr).not.toContain('    at ');
  });

  it('refuses an unknown account', async () => {
    const id = newId();
    const refused = await run(['--account', id]);
    expect([refused.code, refused.stderr]).toEqual([1, `backfill: the account ${id} does not exist\n`]);
  });
});
