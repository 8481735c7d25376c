import { resolve } from 'node:path';
import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { readEmbeddingState, saveEmbeddingSetting, type EmbeddingState } from '@steward/search';
import { eventually, scaleLimit, startAppProcess, type AppProcess } from '@steward/testing';
import { startProvider, type TestProvider } from './start-provider.ts';
import { SECRET_KEY, useIndexer } from './use-indexer.ts';

const MAIN = resolve(import.meta.dirname, '../main.ts');

const DAY_MS = 24 * 3_600_000;
/** Minimum time left of the day when a test starts; longer than any test takes. */
const LEFT_OF_DAY_MS = scaleLimit(60_000);

type Patch = Parameters<typeof saveEmbeddingSetting>[1]['patch'];

/** Starts indexers as in `useIndexer`, a provider, and accounts that embed with it; for the tests of one file. */
export function useEmbedding() {
  const indexer = useIndexer();
  const box = createSecretBox(SECRET_KEY, KEY_PURPOSES.embedding);
  const processes = new Set<AppProcess>();
  let provider: TestProvider;
  beforeEach(async () => {
    // Spending is counted per day, and pauses end with the day: no test may span two days.
    await eventually(() => DAY_MS - (Date.now() % DAY_MS) > LEFT_OF_DAY_MS);
    provider = await startProvider();
  });
  afterEach(async () => {
    await Promise.all([...processes].map((each) => each.kill()));
    processes.clear();
    await provider.close();
    // Ensures that accounts of earlier tests have no work left.
    await indexer.admin().pool.query('truncate search.embedding_work, search.embedding_call, search.embedding_task');
  });

  const buildEnvironment = (change: Readonly<Record<string, string>> = {}): Record<string, string> =>
    indexer.buildEnvironment({
      SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: new URL(provider.url).origin,
      // One dollar per million tokens: one cent for a thousand texts of ten tokens each.
      SESSION_EMBEDDING_PRICE_PER_MTOK_USD: '{"model-a": 1, "model-b": 1}',
      SESSION_EMBEDDING_BATCH_SIZE: '10',
      SESSION_EMBEDDING_RECONCILE_SECONDS: '0.5',
      // Calls that a test delays do not time out before the test releases them.
      SESSION_EMBEDDING_TIMEOUT_SECONDS: '300',
      ...change,
    });

  async function save(accountId: string, patch: Patch): Promise<void> {
    const insecureOrigins = [new URL(provider.url).origin];
    await transact({ db: indexer.admin().db }, async (trx) => {
      const saved = await saveEmbeddingSetting(trx, { accountId, patch, insecureOrigins, now: new Date() }, box);
      if (saved.kind === 'refused') throw new Error(`refused: ${saved.code}`);
    });
  }
  const read = (accountId: string): Promise<EmbeddingState> =>
    readEmbeddingState(indexer.admin().db, { accountId, now: new Date() });
  const countEmbedded = async (accountId: string): Promise<number> => (await read(accountId)).corpus.embedded;

  return {
    indexer,
    get provider() {
      return provider;
    },
    save,
    read,
    countEmbedded,
    startIndexer: (change?: Readonly<Record<string, string>>) => indexer.startIndexer(buildEnvironment(change)),
    async startProcess(change?: Readonly<Record<string, string>>): Promise<AppProcess> {
      // The log shows when the process has started.
      const started = await startAppProcess(MAIN, buildEnvironment({ LOG_LEVEL: 'info', ...change }));
      processes.add(started);
      return started;
    },
    /** Adds an account that embeds all of its chunks, without messages about them. */
    async addAccount(texts: readonly string[], patch: Patch = {}): Promise<string> {
      const accountId = newId();
      await indexer.insertTexts(accountId, texts);
      const details = { isEnabled: true, scope: 'full', modelIdentifier: 'model-a', baseUrl: provider.url };
      await save(accountId, { ...details, ...patch });
      return accountId;
    },
    /** Reads the ledger entries of the account's calls, cheapest first. */
    readNoted: async (accountId: string) =>
      (
        await indexer.admin().pool.query<{ source: string; model: string; tokens: number | null; usd: number }>(
          `select source, model_identifier as model, tokens::int, cost_usd::float8 as usd from search.embedding_usage
           where account_id = $1 order by usd, source`,
          [accountId],
        )
      ).rows,
    untilEmbedded: (accountId: string, count: number) =>
      eventually(async () => (await countEmbedded(accountId)) === count),
    /** Waits until the walk of the account has ended: after that, chunks are found only by messages or look-backs. */
    untilAtRest: (accountId: string) =>
      eventually(async () => {
        const { rowCount } = await indexer
          .admin()
          .pool.query(
            'select from search.embedding_work where account_id = $1 and held_until < now() and due_at > now()',
            [accountId],
          );
        return rowCount === 1;
      }),
    /** Simulates the passage of time: pauses and look-backs are over. Pending calls are not affected. */
    async letTimePass(): Promise<void> {
      // Locks the table, so that calls of claims that have just been committed are seen.
      await indexer.admin().pool.query(
        `begin;
         lock table search.embedding_work in exclusive mode;
         update search.embedding_work work set due_at = now(), held_until = '-infinity', look_back_at = now()
         where due_at < 'infinity' and not exists (select from search.embedding_call where account_id = work.account_id);
         commit`,
      );
      await indexer.admin().pool.query(`update search.embedding_task set not_before = now() where state = 'waiting'`);
      // Wakes the indexer, like a chunk of another account does: otherwise it checks once per second.
      await indexer.announce();
    },
    /**
     * Ends the leases of ended processes. This also includes the pending calls of a live process: stop that process
     * first.
     */
    async endLeases(): Promise<void> {
      await indexer.admin().pool.query('update search.embedding_call set lease_until = now()');
      await indexer
        .admin()
        .pool.query(
          `update search.embedding_work set due_at = now(), held_until = '-infinity' where due_at < 'infinity'`,
        );
    },
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await indexer.admin().pool.query(text, [...values])).rows as Row[];
    },
  };
}

/** Creates texts that are all different. */
export const makeTexts = (count: number, name = 'text'): string[] =>
  Array.from({ length: count }, (_, index) => `${name} number ${String(index).padStart(5, '0')}`);
