import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { deleteRuntimeSession, purgeDeletedSession } from '@steward/slice-sessions';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import { printTable } from '../print-table.ts';
import { summarize, type Latencies } from '../statistics.ts';
import { appendMessages, makeSegment, openSession, run, storeLongSession, writeMessage } from './long-session.ts';
import { readOptions } from './options.ts';

/** Of a writer between two messages: they are to be disturbed, not to disturb. */
const PAUSE_MS = 10;

/** Latency of writers idle and while a long session is deleted. */
export async function runBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  await runWithCleanup(async (stops) => {
    const { database } = await openBenchDatabase(stops, 'bench-deletion');
    const { db } = database;
    const accountId = newId();
    const segment = await makeSegment(db, accountId);
    const sessionIds = await Promise.all(Array.from({ length: options.writers }, () => openSession(db, accountId)));
    const [idle, busy]: [number[], number[]] = [[], []];
    const deletions: { readonly requestMs: number; readonly seconds: number }[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const sessionId = await storeLongSession(db, { accountId, segment, chunks: options.chunks });
      // What storing it left to do is none of either's matter.
      await database.pool.query('vacuum analyze');
      const writing = { db, accountId, sessionIds };
      idle.push(...(await writeUntil(writing, delay(options.idleSeconds * 1000))));
      const deleting = deleteWhole(db, { accountId, sessionId });
      busy.push(...(await writeUntil(writing, deleting)));
      deletions.push(await deleting);
    }
    print(options.chunks, summarize(idle), summarize(busy), deletions);
  });
}

interface Writing {
  readonly db: AnyDatabase;
  readonly accountId: string;
  readonly sessionIds: readonly string[];
}

/** Each writer one message after the other until `end`; milliseconds of each. */
async function writeUntil({ db, accountId, sessionIds }: Writing, end: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = end.finally(() => (isOver = true));
  const times: number[] = [];
  await Promise.all([
    over,
    ...sessionIds.map(async (sessionId) => {
      for (let seed = 0; !isOver; seed += 1) {
        const text = writeMessage(seed);
        const startedAt = performance.now();
        await appendMessages(db, { accountId, sessionId }, [text]);
        times.push(performance.now() - startedAt);
        await delay(PAUSE_MS);
      }
    }),
  ]);
  return times;
}

/** The request, then what the sweeper does, with its rests. */
async function deleteWhole(db: AnyDatabase, key: { readonly accountId: string; readonly sessionId: string }) {
  const startedAt = performance.now();
  const { kind } = await run(db, (trx) => deleteRuntimeSession(trx, key));
  if (kind !== 'deleted') throw new Error(`the session was not deleted: ${kind}`);
  const requestMs = performance.now() - startedAt;
  for (;;) {
    const begunAt = performance.now();
    if ((await purgeDeletedSession(db)) === undefined) break;
    await delay(performance.now() - begunAt);
  }
  return { requestMs, seconds: (performance.now() - startedAt) / 1000 };
}

function print(
  chunks: number,
  idle: Latencies,
  busy: Latencies,
  deletions: readonly { readonly requestMs: number; readonly seconds: number }[],
): void {
  console.log(`\nStoring a message, idle and while a session of ${chunks} chunks is deleted`);
  const row = (name: string, { count, p50Ms, p99Ms, maxMs }: Latencies) => [name, count, p50Ms, p99Ms, maxMs];
  printTable(
    ['', 'messages', 'p50 ms', 'p99 ms', 'max ms'],
    [
      row('idle', idle),
      row('deleting', busy),
      ['ratio', Number.NaN, busy.p50Ms / idle.p50Ms, busy.p99Ms / idle.p99Ms, busy.maxMs / idle.maxMs],
    ],
  );
  console.log('\nDeletions');
  printTable(
    ['request ms', 'until nothing was left, s'],
    deletions.map(({ requestMs, seconds }) => [requestMs, seconds]),
  );
}
