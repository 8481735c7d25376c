import { resolve } from 'node:path';
import { Pool } from 'undici';
import { startProgress } from '../../src/start-progress.ts';
import { ignoreFigure, type CollectFigure } from '../collect-figures.ts';
import { printTable } from '../print-table.ts';
import { median } from '../statistics.ts';
import { measureClosedLoop, type Measured } from './closed-loop.ts';
import { measureIngest } from './ingest.ts';
import type { BenchOptions } from './options.ts';
import { listQueryClasses, type QueryClass } from './query-classes.ts';
import { openRawSql } from './raw-sql.ts';
import { openSqlite } from './sqlite.ts';
import { startBenchSuite, type BenchAccount, type BenchSuite } from './start-bench-suite.ts';

const SEARCH = '/api/v1/runtime-sessions/search';
/** Number of queries timed individually for the ratios. */
const RATIO_QUERIES = 60;

/** Runs `npm run bench -- search`. */
export async function runBench(options: BenchOptions): Promise<void> {
  const progress = startProgress();
  const suite = await startBenchSuite(options, progress);
  const client = new Pool(suite.apiUrl, { connections: Math.max(...options.concurrencies) });
  try {
    for (const [name, account] of Object.entries({ large: suite.large, small: suite.small })) {
      for (const concurrency of options.concurrencies) {
        console.log(`\n${name} account of ${options.chunks} chunks, ${concurrency} at once (milliseconds)`);
        await measureClasses(client, account, concurrency, options);
      }
    }
    await measureRatios(client, suite, options, { progress });
    if (options.withIngest) await reportIngest(suite, options);
  } finally {
    await client.close();
    await suite.stop();
  }
}

/** Compares only the searches that are not also measured with raw SQL and in SQLite. */
export async function compareSearches(options: BenchOptions, queries: number, collect: CollectFigure): Promise<void> {
  const progress = startProgress();
  const suite = await startBenchSuite(options, progress);
  const client = new Pool(suite.apiUrl, { connections: 1 });
  try {
    await measureRatios(client, suite, options, { progress, collect, queries });
  } finally {
    await client.close();
    await suite.stop();
  }
}

async function ask(client: Pool, account: BenchAccount, body: object): Promise<void> {
  const answer = await client.request({
    method: 'POST',
    path: SEARCH,
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text}`);
}

async function measureClasses(
  client: Pool,
  account: BenchAccount,
  concurrency: number,
  options: BenchOptions,
): Promise<void> {
  const rows: (readonly (string | number)[])[] = [];
  for (const queryClass of listQueryClasses(options.seed)) {
    const measured: Measured = await measureClosedLoop(concurrency, options.seconds, () =>
      ask(client, account, queryClass.next()),
    );
    rows.push([queryClass.name, measured.p50, measured.p95, measured.p99, measured.perSecond]);
  }
  printTable(['class', 'p50', 'p95', 'p99', 'a second'], rows);
}

/**
 * Runs the same queries one at a time, taking turns between HTTP, the SQL of the service, and SQLite. Returns the
 * medians and their ratios.
 */
async function measureRatios(
  client: Pool,
  suite: BenchSuite,
  options: BenchOptions,
  {
    progress,
    collect = ignoreFigure,
    queries = RATIO_QUERIES,
  }: { readonly progress: (line: string) => void; readonly collect?: CollectFigure; readonly queries?: number },
): Promise<void> {
  const sqlite = options.withSqlite
    ? openSqlite(resolve(suite.directory, 'fts5.sqlite'), options, progress)
    : undefined;
  try {
    for (const [place, [name, account]] of Object.entries({ large: suite.large, small: suite.small }).entries()) {
      const raw = await openRawSql(suite.databaseUrl, account.id);
      const rows: (readonly (string | number)[])[] = [];
      for (const queryClass of listQueryClasses(options.seed + 1)) {
        let replayed = { plain: Number.NaN, prepared: Number.NaN };
        const times = await timeInTurn(queryClass, queries, {
          plain: async (body) => (replayed = await raw.replay(body.query, body.filters)).plain,
          prepared: () => Promise.resolve(replayed.prepared),
          // HTTP runs last, because the first one to run loads the data into the cache for the others.
          http: (body) => timed(() => ask(client, account, body)),
          sqlite: (body) => Promise.resolve(sqlite?.search(place, body.query, body.filters) ?? Number.NaN),
        });
        const measure = `search, ${queryClass.name} of the ${name} account: ms`;
        collect({ measure, contender: 'steward', value: times.http });
        collect({ measure, contender: 'raw SQL', value: times.plain });
        if (sqlite !== undefined) collect({ measure, contender: 'SQLite FTS5', value: times.sqlite });
        rows.push([
          queryClass.name,
          times.http,
          times.plain,
          times.http / times.plain,
          times.http / times.prepared,
          times.sqlite,
          times.sqlite / times.http,
        ]);
      }
      await raw.close();
      console.log(`\n${name} account, one at a time, medians of ${queries} (milliseconds)`);
      printTable(['class', 'HTTP', 'raw SQL', 'HTTP / raw', 'HTTP / prepared', 'SQLite FTS5', 'SQLite / HTTP'], rows);
    }
  } finally {
    sqlite?.close();
  }
}

type Body = ReturnType<QueryClass['next']>;

async function timeInTurn<Name extends string>(
  queryClass: QueryClass,
  queries: number,
  contenders: Readonly<Record<Name, (body: Body) => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let index = 0; index < queries; index += 1) {
    const body = queryClass.next();
    for (const name of names) times[name].push(await contenders[name](body));
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
}

async function timed(call: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

async function reportIngest(suite: BenchSuite, options: BenchOptions): Promise<void> {
  const figures = await measureIngest(suite.databaseUrl, suite.writer.id, options.seconds);
  console.log('\nwriting one message in its transaction, medians of 3 (writes a second)');
  printTable(
    ['text', 'at once', 'without chunks', 'with chunks', 'cost'],
    figures.map((each) => [
      each.text,
      String(each.concurrency),
      each.plainPerSecond,
      each.chunkedPerSecond,
      each.ratio,
    ]),
  );
}
