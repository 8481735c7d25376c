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

interface Load {
  readonly atOnce: number;
  readonly count: number;
  readonly stream: boolean;
}

/** Keeps a number of calls in progress until a number of responses has arrived, each read by `read`. */
async function keepOpen(
  way: Way,
  { atOnce, count, stream }: Load,
  read: (answer: Dispatcher.ResponseData, sentAt: number) => Promise<void>,
): Promise<void> {
  const body = writeBody(way, stream);
  const { pool, path } = connect(way, atOnce);
  let left = count;
  const client = async (_: unknown, index: number): Promise<void> => {
    const headers = pickHeaders(way, index);
    while (left > 0) {
      left -= 1;
      const sentAt = performance.now();
      await read(await pool.request({ method: 'POST', path, headers, body }), sentAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  await pool.close();
}

/**
 * Measures calls without streaming.
 * @throws on any response other than 200
 */
export async function measureUnary(way: Way, atOnce: number, count: number): Promise<Latencies> {
  const valuesMs: number[] = [];
  await keepOpen(way, { atOnce, count, stream: false }, async (answer, sentAt) => {
    const text = await answer.body.text();
    valuesMs.push(performance.now() - sentAt);
    if (answer.statusCode !== 200)
      throw new Error(`${way.name} responded with ${answer.statusCode}: ${text.slice(0, 300)}`);
  });
  return summarize(valuesMs);
}

export async function measureStreams(way: Way, atOnce: number, count: number): Promise<StreamTimes> {
  const [firstMs, wholeMs]: [number[], number[]] = [[], []];
  await keepOpen(way, { atOnce, count, stream: true }, async (answer, sentAt) => {
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
