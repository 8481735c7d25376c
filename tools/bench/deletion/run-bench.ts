import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { deleteRuntimeSession, purgeDeletedSession } from '@steward/sessions';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import { printTable } from '../print-table.ts';
import { summarize, type Latencies } from '../statistics.ts';
import { appendMessages, makeSegment, openSession, run, storeLongSession, writeMessage } from './long-session.ts';
import type { DeletionBenchOptions } from './options.ts';

/** Pause of a writer between two messages in milliseconds, so that its load does not slow down the deletion. */
const PAUSE_MS = 10;

/** Pause in proportion to the duration of a batch, as made by the sweeper. */
const REST = 3;
/** Duration of a turn: deletion and pauses alternate, so that other load on the machine affects both. */
const TURN_MS = 500;

/** Measures the latency of writers while nothing else runs and while a long session is deleted. */
export async function runBench(options: DeletionBenchOptions): Promise<void> {
  await runWithCleanup(async (stops) => {
    const { database } = await openBenchDatabase(stops, 'bench-deletion');
    const { db } = database;
    const accountId = newId();
    const segment = await makeSegment(db, accountId);
    const sessionIds = await Promise.all(Array.from({ length: options.writers }, () => openSession(db, accountId)));
    const times: Times = { idle: [], deleting: [] };
    const requests: number[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const sessionId = await storeLongSession(db, { accountId, segment, chunks: options.chunks });
      // This is done now, so that the background work affects neither measurement.
      await database.pool.query('vacuum analyze');
      const startedAt = performance.now();
      const { kind } = await run(db, (trx) => deleteRuntimeSession(trx, { accountId, sessionId }));
      if (kind !== 'deleted') throw new Error(`the session was not deleted: ${kind}`);
      requests.push(performance.now() - startedAt);
      await writeMeanwhile({ db, accountId, sessionIds }, times);
    }
    print(options.chunks, { idle: summarize(times.idle), deleting: summarize(times.deleting) }, requests);
  });
}

type Times = Readonly<Record<'idle' | 'deleting', number[]>>;

interface Writing {
  readonly db: AnyDatabase;
  readonly accountId: string;
  readonly sessionIds: readonly string[];
}

/**
 * Each writer writes messages sequentially until all deleted sessions are gone; collects the latencies in milliseconds,
 * by phase.
 */
async function writeMeanwhile({ db, accountId, sessionIds }: Writing, times: Times): Promise<void> {
  let turn: keyof Times | undefined = 'idle';
  const readTurn = (): keyof Times | undefined => turn;
  const purge = async (): Promise<void> => {
    for (let isLeft = true; isLeft;) {
      turn = 'idle';
      await delay(TURN_MS);
      turn = 'deleting';
      isLeft = await purgeFor(db, TURN_MS);
    }
    turn = undefined;
  };
  const write = async (sessionId: string): Promise<void> => {
    for (let seed = 0; ; seed += 1) {
      const before = readTurn();
      if (before === undefined) return;
      const startedAt = performance.now();
      await appendMessages(db, { accountId, sessionId }, [writeMessage(seed)]);
      if (readTurn() === before) times[before].push(performance.now() - startedAt);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all([purge(), ...sessionIds.map(write)]);
}

/** Does the sweeper's work, including its pauses, for this long. Returns false if nothing is left. */
async function purgeFor(db: AnyDatabase, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const begunAt = performance.now();
    if ((await purgeDeletedSession(db, [])) === undefined) return false;
    await delay(REST * (performance.now() - begunAt));
  }
  return true;
}

function print(
  chunks: number,
  { idle, deleting }: Record<keyof Times, Latencies>,
  requestsMs: readonly number[],
): void {
  console.log(`\nStoring a message, idle and while a session of ${chunks} chunks is deleted`);
  const row = (name: string, { count, p50Ms, p99Ms, maxMs }: Latencies) => [name, count, p50Ms, p99Ms, maxMs];
  printTable(
    ['', 'messages', 'p50 ms', 'p99 ms', 'max ms'],
    [
      row('idle', idle),
      row('deleting', deleting),
      ['ratio', Number.NaN, deleting.p50Ms / idle.p50Ms, deleting.p99Ms / idle.p99Ms, deleting.maxMs / idle.maxMs],
    ],
  );
  console.log(`\nThe requests took ${requestsMs.map((ms) => ms.toFixed(0)).join(' and ')} ms.`);
}
