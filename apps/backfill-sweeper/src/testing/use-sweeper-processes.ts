import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { eventually, startAppProcess, startTestBroker, type AppProcess, type TestBroker } from '@steward/testing';
import { buildGate, type Gate } from './gate.ts';
import { UNINDEXED, useSweeper, type SweeperTests } from './use-sweeper.ts';

const MAIN = resolve(import.meta.dirname, '../main.ts');
const WORDS = 'sed over plum river code stone glass north'.split(' ');

export interface SweeperProcesses extends SweeperTests {
  readonly gate: Gate;
  start(environment?: Readonly<Record<string, string>>): Promise<AppProcess>;
  /** Creates an account with a number of unindexed sessions, each with some chunks. */
  storeHistory(sessions: number): Promise<string>;
  untilSwept(): Promise<void>;
  /** Resolves when the database has noticed the end of every sweeper. */
  untilGone(): Promise<void>;
  /** Returns the corpus without ids and creation times. */
  readCorpus(): Promise<readonly object[]>;
  forgetCorpus(): Promise<void>;
}

/**
 * Sets up the test file: the sweeper as separate processes that can be killed, with a gate that stops them at the step
 * that a test chooses.
 */
export function useSweeperProcesses(): SweeperProcesses {
  const running: AppProcess[] = [];
  let broker: TestBroker;
  let gate: Gate;
  // This is called before the database is closed, because that requires the gate's connection to be returned.
  afterAll(async () => {
    gate.release();
    await broker.stop();
  });
  const tests = useSweeper();
  beforeAll(async () => {
    broker = await startTestBroker();
    gate = await buildGate(tests.admin);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.kill()));
  });
  const query = async (text: string) => (await tests.admin.pool.query(text)).rows as object[];
  return {
    storeSessions: tests.storeSessions,
    urlForRole: tests.urlForRole,
    get admin() {
      return tests.admin;
    },
    get deps() {
      return tests.deps;
    },
    get gate() {
      return gate;
    },
    async start(environment = {}) {
      const child = await startAppProcess(MAIN, {
        DATABASE_URL: tests.urlForRole(APP_ROLES.backfillSweeper),
        NATS_URL: broker.urlFor('backfill-sweeper'),
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: '0',
        SESSION_SEARCH_BACKFILL_ENABLED: 'true',
        SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS: '0.1',
        SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS: '0',
        SESSION_SEARCH_REMASK_ENABLED: 'false',
        ...environment,
      });
      running.push(child);
      return child;
    },
    storeHistory: (sessions) =>
      tests.storeSessions(sessions, UNINDEXED, (index) => ({
        title: `session ${index}`,
        toolCall: {
          arguments: { command: `step ${index}` },
          result: Array.from({ length: (index % 5) * 150 }, (_, word) => WORDS[(word * index) % WORDS.length]).join(
            ' ',
          ),
        },
      })),
    async untilSwept() {
      await eventually(
        async () =>
          (
            await query(
              `select 1 from gateway.account left join backfill.watermark on account_id = id where state is distinct from 'complete'`,
            )
          ).length === 0,
      );
    },
    async untilGone() {
      await eventually(
        async () =>
          (
            await query(
              `select 1 from pg_stat_activity where datname = current_database() and usename = '${APP_ROLES.backfillSweeper}'
                 and application_name like 'steward-backfill-sweeper%'`,
            )
          ).length === 0,
      );
    },
    readCorpus: () =>
      query(
        `select account_id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at, role, content,
           content_hash, redaction_state, start_offset, end_offset, tail_omitted, status
         from search.chunk order by account_id, source_kind, source_id, chunk_index`,
      ),
    async forgetCorpus() {
      await query('truncate search.chunk, backfill.watermark');
    },
  };
}
