import { eventually } from '@steward/testing';
import type { Worker } from 'node:worker_threads';
import { FAULTS } from './faults.ts';
import { MODEL } from './model.ts';
import { startEmbeddingServer, type EmbeddingServer } from './start-embedding-server.ts';
import { startEncoder } from './start-encoder.ts';

let server: EmbeddingServer;
const threads: Worker[] = [];
beforeAll(async () => {
  const encoder = await startEncoder(1, { onThread: (thread) => void threads.push(thread) });
  server = await startEmbeddingServer({ encoder, port: 0, apiKey: 'key' });
});
afterAll(() => server.close());
afterEach(() => server.setFault(undefined));

interface Answer {
  readonly data: readonly { readonly index: number; readonly embedding: number[] | string }[];
  readonly usage: { readonly prompt_tokens: number };
  readonly error: { readonly code: string | null; readonly param: string | null };
}

async function ask(body: object, headers: Record<string, string> = { authorization: 'Bearer key' }) {
  const response = await fetch(`${server.baseUrl}/embeddings`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, ...body }),
  });
  return { status: response.status, headers: response.headers, answer: (await response.json()) as Answer };
}

async function embed(input: readonly string[]): Promise<number[][]> {
  const { answer } = await ask({ input });
  return answer.data.map(({ embedding }) => embedding as number[]);
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, number, place) => sum + number * (b[place] ?? 0), 0);

describe('the embedding server', () => {
  it('places sentences with the same meaning closer together than sentences with the same words', async () => {
    const [failed, denied, dinner] = await embed([
      'The deployment failed because the disk was full.',
      'Rolling out the release did not work: no space left on the drive.',
      'The dinner failed because the guests were full.',
    ]);
    expect(dot(failed!, denied!)).toBeGreaterThan(dot(failed!, dinner!));
  });

  it('handles a string like a list with one string, counts tokens, and returns unit vectors with 512 dimensions', async () => {
    const [one, list] = [await ask({ input: 'a short text' }), await ask({ input: ['a short text'] })];
    expect(one.answer).toEqual(list.answer);
    expect(one.answer.usage.prompt_tokens).toBeGreaterThan(2);
    const vector = one.answer.data[0]!.embedding as number[];
    expect([vector.length, Math.hypot(...vector)]).toEqual([512, expect.closeTo(1)]);
  });

  it('returns base64 and fewer dimensions on request, and normalizes the shortened vectors', async () => {
    const { answer } = await ask({ input: 'x', encoding_format: 'base64', dimensions: 64 });
    const bytes = Buffer.from(answer.data[0]!.embedding as string, 'base64');
    const numbers = Array.from({ length: 64 }, (_, place) => bytes.readFloatLE(place * 4));
    expect([bytes.length, Math.hypot(...numbers)]).toEqual([256, expect.closeTo(1)]);
  });

  it.each([{ input: '' }, { input: [] }, { input: ['a', ''] }, { input: [1, 2] }, {}, { input: 'a', dimensions: 0 }])(
    'refuses %j',
    async (body) => {
      expect((await ask(body)).status).toBe(400);
    },
  );

  it('accepts only its own model name and key, and lists the model', async () => {
    expect(await ask({ input: 'a', model: 'other' })).toMatchObject({
      status: 404,
      answer: { error: { code: 'model_not_found', param: 'model' } },
    });
    expect((await ask({ input: 'a' }, {})).status).toBe(401);
    const models = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toEqual([MODEL]);
  });

  it('accepts any text, including invalid Unicode', async () => {
    const { status } = await ask({
      input: ['日本語のテキスト', '\ud800', '\u0000', '😀'.repeat(50), 'a'.repeat(3000)],
    });
    expect(status).toBe(200);
  });
});

describe('simulated faults of the embedding server', () => {
  it.each([
    ['unauthorized', 401],
    ['rate_limited', 429],
    ['failing', 500],
    ['redirecting', 307],
  ] as const)('%s responds with %i, as often as requested', async (fault, status) => {
    server.setFault(fault, 1);
    const { status: first, headers } = await ask({ input: 'a' });
    expect([first, headers.get('retry-after')]).toEqual([status, fault === 'rate_limited' ? '1' : null]);
    expect((await ask({ input: 'a' })).status).toBe(200);
  });

  it('can be set while the server is running', async () => {
    const set = (body: object) => fetch(`${server.origin}/fault`, { method: 'PUT', body: JSON.stringify(body) });
    expect((await set({ fault: 'failing' })).status).toBe(200);
    expect((await ask({ input: 'a' })).status).toBe(500);
    expect((await set({ fault: 'unheard of' })).status).toBe(400);
    await set({});
    expect((await ask({ input: 'a' })).status).toBe(200);
    expect(FAULTS).toContain('slow');
  });

  it('include refusing base64, reordering, wrong dimensions and invalid numbers', async () => {
    server.setFault('no_base64');
    expect((await ask({ input: 'a', encoding_format: 'base64' })).status).toBe(400);
    expect((await ask({ input: 'a' })).status).toBe(200);
    server.setFault('wrong_order');
    expect((await ask({ input: ['a', 'b'] })).answer.data.map(({ index }) => index)).toEqual([1, 0]);
    server.setFault('wrong_width');
    expect((await embed(['a', 'b'])).map((vector) => vector.length)).toEqual([512, 2]);
    server.setFault('not_a_number');
    expect(await embed(['a'])).toEqual([[null]]);
  });
});

describe('a model thread that crashes', () => {
  /** Text that takes minutes, so that its thread can be terminated in the meantime. */
  const LONG = 'a long text '.repeat(1600);

  it('fails its request with 503; the next requests are processed by its replacement', async () => {
    const before = server.countCalls();
    const open = ask({ input: LONG });
    await eventually(() => server.countCalls() === before + 1);
    const waiting = ask({ input: 'waiting' });
    await eventually(() => server.countCalls() === before + 2);
    await threads.at(-1)!.terminate();
    const { status, answer } = await open;
    expect([status, answer.error.code]).toEqual([503, 'model_unavailable']);
    expect((await waiting).status).toBe(200);
    // Includes the case of a thread that dies while idle.
    await threads.at(-1)!.terminate();
    expect((await ask({ input: 'next' })).status).toBe(200);
    expect(threads).toHaveLength(3);
  });

  it('is reported if it cannot be restarted; then every request is refused', async () => {
    const failed = Promise.withResolvers<Error>();
    const started: Worker[] = [];
    const encoder = await startEncoder(1, {
      onThread: (thread) => {
        // Each replacement of the first thread ends before it has read its model.
        if (started.push(thread) > 1) void thread.terminate();
      },
      onFailure: failed.resolve,
    });
    const own = await startEmbeddingServer({ encoder, port: 0 });
    await started[0]!.terminate();
    expect((await failed.promise).message).toContain('a thread of the model ended before it was ready');
    const body = JSON.stringify({ model: MODEL, input: 'a' });
    expect((await fetch(`${own.baseUrl}/embeddings`, { method: 'POST', body })).status).toBe(503);
    await own.close();
  });
});
