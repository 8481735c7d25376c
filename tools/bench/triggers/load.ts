import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { summarize, type Latencies } from '../statistics.ts';

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly expectedStatus: number;
  /** Body of all requests: building a new one for each request would distort the result by the work of the client. */
  readonly body: Buffer;
}

export interface LoadResult extends Latencies {
  readonly perSecond: number;
}

const HEADERS = { 'content-type': 'application/json' };

/**
 * Keeps `concurrency` requests in progress for `seconds`.
 * @throws for any response other than the expected one
 */
export async function runClosedLoop(target: Target, concurrency: number, seconds: number): Promise<LoadResult> {
  const { pool, path } = connect(target, concurrency);
  const valuesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      await post(pool, path, target);
      valuesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return { ...summarize(valuesMs), perSecond: valuesMs.length / elapsedSeconds };
}

/** Sends `count` requests simultaneously, each on its own connection, and waits for the responses. */
export async function sendBurst(target: Target, count: number): Promise<void> {
  const { pool, path } = connect(target, count);
  await Promise.all(Array.from({ length: count }, () => post(pool, path, target)));
  await pool.close();
}

/**
 * Sends requests at a fixed rate, regardless of the responses. Latency counts from the time at which a request was due,
 * so that a stall is included for every request that had to wait.
 */
export async function runOpenLoop(target: Target, perSecond: number, seconds: number): Promise<LoadResult> {
  const { pool, path } = connect(target, 64);
  const valuesMs: number[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  const total = perSecond * seconds;
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1);
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / perSecond) * 1000;
      pending.push(
        post(pool, path, target).then(() => {
          valuesMs.push(performance.now() - dueAt);
        }),
      );
    }
    await delay(1);
  }
  await Promise.all(pending);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return { ...summarize(valuesMs), perSecond: valuesMs.length / elapsedSeconds };
}

function connect(target: Target, connections: number): { readonly pool: Pool; readonly path: string } {
  const url = new URL(target.url);
  return { pool: new Pool(url.origin, { connections, pipelining: 1 }), path: url.pathname };
}

async function post(pool: Pool, path: string, { name, body, expectedStatus }: Target): Promise<void> {
  const answer = await pool.request({ method: 'POST', path, headers: HEADERS, body });
  if (answer.statusCode !== expectedStatus)
    throw new Error(`${name} responded with ${answer.statusCode}: ${(await answer.body.text()).slice(0, 300)}`);
  await answer.body.dump();
}
