import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { readServerChoices, removeDataDirectory, startPostgres } from '@steward/local-servers';
import { migrateAll } from '@steward/migrations';
import { connectClient } from '../../src/servers/connect-client.ts';
import { LOCAL_DIRECTORY } from '../../src/stack/stack-files.ts';
import { startProgress, type Say } from '../../src/start-progress.ts';
import { printTable } from '../print-table.ts';
import { percentile } from '../statistics.ts';
import {
  describeVector,
  generateQueries,
  generateVectors,
  listAccounts,
  listFilters,
  type CorpusAccount,
} from './corpus.ts';
import { buildMask, findExact } from './exact.ts';
import { openLance } from './lancedb.ts';
import type { BenchOptions } from './options.ts';
import { openVectorStore } from './postgres.ts';

/**
 * Number of results that are evaluated, and the number that is requested (the depth, since a session has several
 * chunks).
 */
const JUDGED = 10;
const DEPTHS = [10, 200] as const;
const MEASURED = ['small', 'medium', 'large'];
const LEAST_RECALL = 0.95;
const MOST_P95_MS = 80;

type VectorStore = Awaited<ReturnType<typeof openVectorStore>>;

/** Runs `npm run bench -- vectors`. */
export async function runBench(options: BenchOptions): Promise<void> {
  const progress = startProgress();
  const directory = resolve(
    LOCAL_DIRECTORY,
    `bench-vectors-by-session-${options.vectors}-${options.width}-${options.seed}`,
  );
  mkdirSync(directory, { recursive: true });
  const lance = options.withPeer ? await openLance(resolve(directory, 'lancedb')) : undefined;
  const dataDirectory = resolve(directory, 'postgres');
  const shared = { ...readServerChoices(process.env), progress, onExit: progress };
  const postgres = await startPostgres({ ...shared, existingUrl: undefined, dataDirectory, durable: true });
  try {
    const store = await openVectorStore(await prepareDatabase(postgres.url, progress));
    try {
      await loadOnce(store, options, { marker: resolve(directory, 'loaded'), progress });
      const rows: Row[] = [];
      for (const account of listAccounts(options.vectors, options.seed)) {
        if (!MEASURED.includes(account.name)) continue;
        rows.push(...(await measureAccount({ store, lance, options, progress }, account)));
      }
      report(rows);
    } finally {
      await store.close();
    }
  } finally {
    await postgres.stop();
    if (options.wipe) {
      await removeDataDirectory(dataDirectory);
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

async function prepareDatabase(adminUrl: string, progress: Say): Promise<string> {
  const admin = await connectClient(adminUrl);
  const found = await admin.query("select 1 from pg_database where datname = 'bench'");
  if (found.rowCount === 0) await admin.query('create database bench');
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = '/bench';
  const rolePasswords = Object.fromEntries(Object.values(APP_ROLES).map((role) => [role, 'bench']));
  await migrateAll({ databaseUrl: url.href, rolePasswords, log: progress });
  return url.href;
}

async function loadOnce(
  store: VectorStore,
  options: BenchOptions,
  { marker, progress }: { readonly marker: string; readonly progress: Say },
): Promise<void> {
  if (!existsSync(marker)) {
    for (const account of listAccounts(options.vectors, options.seed)) {
      const space = await store.findSpace(account, options.width);
      const vectors = generateVectors(account, options.width);
      if (account.name !== 'large') {
        await store.loadShared(space, vectors);
        continue;
      }
      progress(`loading ${account.count} vectors of the large account, then its index`);
      await store.loadSegment(space, vectors);
    }
    progress('moving what outgrew the shared table');
    const startedAt = performance.now();
    const moved = await store.moveGrown();
    const perSecond = Math.round(moved / ((performance.now() - startedAt) / 1000));
    progress(`${moved} vectors moved into a table of their own (${perSecond} a second)`);
    writeFileSync(marker, '');
  }
  await store.warmUp();
}

interface Row {
  readonly account: string;
  readonly leaves: string;
  readonly matching: number;
  readonly depth: number;
  readonly ours: Measured;
  readonly peer: Measured | undefined;
}

interface Measured {
  readonly recall: number;
  /** Number of queries with fewer results than exist. */
  readonly starved: number;
  readonly p50: number;
  readonly p95: number;
}

interface BenchDeps {
  readonly store: VectorStore;
  readonly lance: Awaited<ReturnType<typeof openLance>> | undefined;
  readonly options: BenchOptions;
  readonly progress: Say;
}

async function measureAccount({ store, lance, options, progress }: BenchDeps, account: CorpusAccount): Promise<Row[]> {
  const { width } = options;
  const vectors = generateVectors(account, width);
  const queries = generateQueries(vectors, account, width, options.queries);
  const filters = listFilters(account.count);
  const masks = filters.map((filter) => buildMask(filter, account.count));
  progress(`${account.name}: comparing ${queries.length} queries with all ${account.count} vectors`);
  const truth = queries.map((query) => findExact(vectors, query, { filters, masks, limit: JUDGED }));
  if (lance !== undefined) progress(`${account.name}: LanceDB`);
  const askPeer = await lance?.open(account.name, vectors, width);
  const space = await store.findSpace(account, width);
  await store.analyze(space);
  const rows: Row[] = [];
  for (const depth of DEPTHS) {
    for (const [place, { leaves, filter, where }] of filters.entries()) {
      const matching = masks[place]?.reduce((sum, each) => sum + each, 0) ?? 0;
      const expected = truth.map((found) =>
        (found[place] ?? []).map((index) => describeVector(index, account.count).chunkId),
      );
      const task = { queries, expected, least: Math.min(depth, matching) };
      rows.push({
        account: account.name,
        leaves,
        matching,
        depth,
        ours: await measure(task, (query) => store.search(space, query, filter, depth)),
        peer: askPeer === undefined ? undefined : await measure(task, (query) => askPeer(query, where, depth)),
      });
    }
  }
  return rows;
}

/** Runs one query at a time; the first tenth of the queries runs twice, and is counted once. */
async function measure(
  {
    queries,
    expected,
    least,
  }: {
    readonly queries: readonly Float32Array[];
    readonly expected: readonly (readonly string[])[];
    readonly least: number;
  },
  ask: (query: Float32Array) => Promise<string[]>,
): Promise<Measured> {
  for (const query of queries.slice(0, Math.ceil(queries.length / 10))) await ask(query);
  const times: number[] = [];
  let [hits, wanted, starved] = [0, 0, 0];
  for (const [index, query] of queries.entries()) {
    const startedAt = performance.now();
    const found = await ask(query);
    times.push(performance.now() - startedAt);
    if (found.length < least) starved += 1;
    const first = new Set(found.slice(0, JUDGED));
    hits += (expected[index] ?? []).filter((id) => first.has(id)).length;
    wanted += expected[index]?.length ?? 0;
  }
  return {
    recall: wanted === 0 ? 1 : hits / wanted,
    starved,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}

function report(rows: readonly Row[]): void {
  for (const depth of DEPTHS) {
    console.log(
      `\n${depth} nearest asked for: recall of the first ${JUDGED}, milliseconds, queries with fewer than there are`,
    );
    printTable(
      [
        'account',
        'filter leaves',
        'vectors',
        'recall',
        'p50',
        'p95',
        'starved',
        'LanceDB: recall',
        'p50',
        'p95',
        'starved',
      ],
      rows
        .filter((row) => row.depth === depth)
        .map(({ account, leaves, matching, ours, peer }) => [
          account,
          leaves,
          matching,
          ...[ours, peer].flatMap((each) => [
            each?.recall.toFixed(3) ?? '-',
            each?.p50 ?? Number.NaN,
            each?.p95 ?? Number.NaN,
            String(each?.starved ?? '-'),
          ]),
        ]),
    );
  }
  const least = Math.min(...rows.map(({ ours }) => ours.recall));
  const slowest = Math.max(...rows.map(({ ours }) => ours.p95));
  const starved = rows.reduce((sum, { ours }) => sum + ours.starved, 0);
  console.log('');
  printTable(
    ['target', 'measured', ''],
    [
      [`recall@10 at least ${LEAST_RECALL}, every account and filter`, least.toFixed(3), say(least >= LEAST_RECALL)],
      ['no query answered with fewer than there are', String(starved), say(starved === 0)],
      [`p95 below ${MOST_P95_MS} ms`, slowest.toFixed(1), say(slowest < MOST_P95_MS)],
    ],
  );
}

function say(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}
