import { Pool, type Dispatcher } from 'undici';
import { percentile, summarize, type Latencies } from '../statistics.ts';

/** Path to the same provider. */
export interface Way {
  readonly name: string;
  readonly url: string;
  /** Headers of each client. Clients of several accounts take turns. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly model: string;
}

export interface StreamTimes {
  readonly firstByteP50Ms: number;
  readonly firstByteP99Ms: number;
  readonly wholeP50Ms: number;
}

const MESSAGES = [{ role: 'user', content: 'Say in a few words what a gateway of models is good for.' }];
const writeBody = ({ model }: Way, stream: boolean): string =>
  JSON.stringify({ model, max_tokens: 100, stream, messages: MESSAGES });

export interface UnaryTimes<Cost> extends Latencies {
  /** Slowest of the first calls of the clients, which they send at the same time. */
  readonly firstMaxMs: number;
  /** Cost of a call, over all that were answered after the lead-in. */
  readonly cost: Cost;
}

type Read = (answer: Dispatcher.ResponseData, sentAt: number, isFirst: boolean) => Promise<void>;

/** Lets clients, each of which has one call in progress, make calls while `isLeft`, which is asked before each. */
async function makeCalls(
  way: Way,
  { atOnce, stream }: { readonly atOnce: number; readonly stream: boolean },
  isLeft: () => boolean,
  read: Read,
): Promise<void> {
  const body = writeBody(way, stream);
  const { pool, path } = connect(way, atOnce);
  const client = async (_: unknown, index: number): Promise<void> => {
    const headers = pickHeaders(way, index);
    for (let nth = 0; isLeft(); nth += 1) {
      const sentAt = performance.now();
      await read(await pool.request({ method: 'POST', path, headers, body }), sentAt, nth === 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  await pool.close();
}

function countDown(count: number): () => boolean {
  let left = count;
  return () => (left -= 1) >= 0;
}

/**
 * Measures calls without streaming, those that are sent when the clients have made calls for some time: what an account
 * that has been idle costs is thereby seen in the first calls alone, since the gateway leases parts of budgets to
 * accounts that repeat their calls.
 * @throws on any response other than 200
 */
export async function measureUnary<Cost>(
  way: Way,
  { atOnce, count, leadInMs }: { readonly atOnce: number; readonly count: number; readonly leadInMs: number },
  startCost: () => (calls: number) => Cost,
): Promise<UnaryTimes<Cost>> {
  const [firstMs, valuesMs]: [number[], number[]] = [[], []];
  const beginsAt = performance.now() + leadInMs;
  let readCost: ((calls: number) => Cost) | undefined;
  const isFurther = countDown(count);
  let answered = 0;
  const isLeft = (): boolean => {
    if (performance.now() < beginsAt) return true;
    readCost ??= startCost();
    return isFurther();
  };
  await makeCalls(way, { atOnce, stream: false }, isLeft, async (answer, sentAt, isFirst) => {
    const text = await answer.body.text();
    const tookMs = performance.now() - sentAt;
    if (isFirst) firstMs.push(tookMs);
    if (sentAt >= beginsAt) valuesMs.push(tookMs);
    if (readCost !== undefined) answered += 1;
    if (answer.statusCode !== 200)
      throw new Error(`${way.name} responded with ${answer.statusCode}: ${text.slice(0, 300)}`);
  });
  const cost = (readCost ?? startCost())(answered);
  return { ...summarize(valuesMs), firstMaxMs: Math.max(...firstMs), cost };
}

export async function measureStreams(way: Way, atOnce: number, count: number): Promise<StreamTimes> {
  const [firstMs, wholeMs]: [number[], number[]] = [[], []];
  await makeCalls(way, { atOnce, stream: true }, countDown(count), async (answer, sentAt) => {
    let isFirst = true;
    for await (const _chunk of answer.body) {
      if (isFirst) firstMs.push(performance.now() - sentAt);
      isFirst = false;
    }
    wholeMs.push(performance.now() - sentAt);
  });
  return {
    firstByteP50Ms: percentile(firstMs, 0.5),
    firstByteP99Ms: percentile(firstMs, 0.99),
    wholeP50Ms: percentile(wholeMs, 0.5),
  };
}

/** Opens this many streams, and keeps them open while `look` runs. */
export async function holdStreams<T>(way: Way, count: number, look: () => Promise<T>): Promise<T> {
  const body = writeBody(way, true);
  const { pool, path } = connect(way, count);
  const leaving = new AbortController();
  const opened = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const headers = pickHeaders(way, index);
      const { body: answer } = await pool.request({ method: 'POST', path, headers, body, signal: leaving.signal });
      await new Promise((resolve) => answer.once('data', resolve));
      return answer.on('error', () => undefined);
    }),
  );
  const seen = await look();
  leaving.abort();
  for (const answer of opened) answer.destroy();
  await pool.destroy();
  return seen;
}

function pickHeaders({ headers }: Way, index: number): Record<string, string> {
  return { 'content-type': 'application/json', ...headers[index % headers.length] };
}

function connect({ url }: Way, connections: number): { readonly pool: Pool; readonly path: string } {
  const { origin, pathname } = new URL(url);
  return { pool: new Pool(origin, { connections, pipelining: 1 }), path: pathname };
}
