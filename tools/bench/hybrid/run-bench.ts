import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import { createSeededRandom } from '@steward/testing';
import { createApi } from '../../src/demo/api.ts';
import { connectClient } from '../../src/servers/connect-client.ts';
import { printTable } from '../print-table.ts';
import { wordOfRank } from '../search/corpus.ts';
import { listQueryClasses, type QueryClass } from '../search/query-classes.ts';
import { startBenchSuite, type BenchAccount, type BenchSuite } from '../search/start-bench-suite.ts';
import { percentile } from '../statistics.ts';
import { loadVectors } from './load-vectors.ts';
import type { HybridOptions } from './options.ts';
import { startProvider } from './start-provider.ts';
import { createVectorMaker, type MakeVector } from './vector-maker.ts';

const MODEL = 'bench-model';
const MODES = ['keyword', 'semantic', 'hybrid'] as const;
const TARGET_MS = 60;
/** Reasons that are expected: a response may contain them in addition to its results. */
const HARMLESS = new Set(['fusion_candidates_truncated']);

/** Runs `npm run bench -- hybrid`, which measures the duration of the search modes, at the requested size. */
export async function runBench(options: HybridOptions): Promise<void> {
  const progress = (line: string) => console.error(line);
  const makeVector = createVectorMaker(options.width, options.seed);
  const provider = await startProvider(makeVector);
  const suite = await startBenchSuite(
    { ...options, concurrencies: [1], seconds: 1, withSqlite: false, withIngest: false, profile: undefined },
    progress,
    {
      SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: provider.origin,
      SESSION_EMBEDDING_PRICE_PER_MTOK_USD: '{"default": 0.001}',
      // The backfill would rebuild the corpus. Like `settle`, this prevents all work other than the measured work.
      SESSION_SEARCH_BACKFILL_ENABLED: 'false',
    },
  );
  const client = new Pool(suite.apiUrl, { connections: 1 });
  try {
    await prepare(suite, options, { makeVector, baseUrl: `${provider.origin}/v1`, progress });
    for (const [name, account] of Object.entries({ large: suite.large, small: suite.small })) {
      await measure(client, { name, account }, options);
    }
  } finally {
    await client.close();
    await suite.stop();
    await provider.close();
  }
}

async function prepare(
  suite: BenchSuite,
  options: HybridOptions,
  given: {
    readonly makeVector: MakeVector;
    readonly baseUrl: string;
    readonly progress: (line: string) => void;
  },
): Promise<void> {
  const { databaseUrl, directory, large, small } = suite;
  const marker = resolve(directory, `vectors-by-session-${options.width}`);
  if (!existsSync(marker)) {
    await loadVectors({ ...options, ...given, databaseUrl, largeAccountId: large.id, model: MODEL });
    writeFileSync(marker, '');
  }
  for (const { token } of [large, small]) {
    const body = { enabled: true, model_identifier: MODEL, base_url: given.baseUrl, daily_cap_usd: 1000 };
    const api = createApi(suite.apiUrl).withToken(token);
    await api.call('PUT', '/api/v1/runtime-sessions/settings/embedding', { body });
  }
  await settle(databaseUrl, given.baseUrl);
}

/**
 * Replaces the provider of the last run by this one, and marks the corpus as embedded, so that only the work to be
 * measured runs.
 */
async function settle(databaseUrl: string, baseUrl: string): Promise<void> {
  const client = await connectClient(databaseUrl);
  try {
    await client.query('update search.vector_space set base_url = $1', [baseUrl]);
    await client.query(
      `update search.embedding_work set due_at = 'infinity', held_until = 'infinity',
         walk_for = (select format('["%s","%s","%s","%s"]', provider, base_url, model_identifier, scope)
           from search.embedding_setting setting where setting.account_id = embedding_work.account_id),
         probed_to = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
    );
    // The vectors are read once, so that the figures are those of a server that has been running for a while.
    await client.query('select sum(vector_norm(vector::vector)) from search.chunk_vector');
    const { rows } = await client.query<{ segment: string }>(
      'select segment from search.vector_space where segment is not null',
    );
    for (const { segment } of rows) {
      await client.query(`select sum(vector_norm(vector::vector)) from search.${segment}`);
    }
  } finally {
    await client.end();
  }
}

/** Lists the classes of word searches, and a class of questions, which are searched by meaning. */
function listClasses(seed: number): QueryClass[] {
  const random = createSeededRandom(seed + 99);
  const pick = (from: number, to: number): string => wordOfRank(from + Math.floor(random() * (to - from)));
  const question: QueryClass = {
    name: 'question',
    next: () => ({ query: Array.from({ length: 7 }, (_, place) => pick(5 * 4 ** place, 20 * 4 ** place)).join(' ') }),
  };
  const names = ['rare word', 'common word', 'usual word', 'two words', 'phrase', 'exclusion', 'time filter'];
  return [question, ...listQueryClasses(seed).filter(({ name }) => names.includes(name))];
}

async function measure(
  client: Pool,
  { name, account }: { readonly name: string; readonly account: BenchAccount },
  options: HybridOptions,
): Promise<void> {
  const rows: (readonly (string | number)[])[] = [];
  const all: number[] = [];
  for (const queryClass of listClasses(options.seed)) {
    const bodies = Array.from({ length: options.queries }, () => queryClass.next());
    for (const mode of MODES) {
      const times: { first: number[]; again: number[] } = { first: [], again: [] };
      const reasons = new Set<string>();
      for (const turn of ['first', 'again'] as const) {
        for (const body of bodies) {
          const startedAt = performance.now();
          const answer = await ask(client, account, { ...body, mode });
          times[turn].push(performance.now() - startedAt);
          if (answer.effective_mode !== mode) reasons.add(`ran as ${answer.effective_mode}`);
          for (const reason of answer.degraded.reasons) if (!HARMLESS.has(reason)) reasons.add(reason);
        }
      }
      if (mode === 'hybrid') all.push(...times.again);
      rows.push([
        `${queryClass.name}, ${mode}`,
        percentile(times.first, 0.5),
        percentile(times.first, 0.95),
        percentile(times.again, 0.5),
        percentile(times.again, 0.95),
        [...reasons].join(' '),
      ]);
    }
  }
  console.log(
    `\n${name} account of ${options.chunks} chunks and vectors of ${options.width}, one at a time (milliseconds)`,
  );
  printTable(['class', 'first p50', 'first p95', 'again p50', 'again p95', 'remarks'], rows);
  const p95 = percentile(all, 0.95);
  console.log(
    `hybrid, all classes: p95 ${p95.toFixed(1)} ms, target ${TARGET_MS} ms: ${p95 < TARGET_MS ? 'met' : 'missed'}`,
  );
}

interface Answer {
  readonly effective_mode: string;
  readonly degraded: { readonly reasons: readonly string[] };
}

async function ask(client: Pool, account: BenchAccount, body: object): Promise<Answer> {
  const answer = await client.request({
    method: 'POST',
    path: '/api/v1/runtime-sessions/search',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}
