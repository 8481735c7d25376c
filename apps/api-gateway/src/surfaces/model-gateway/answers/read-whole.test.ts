import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { readBeginning } from './read-beginning.ts';
import { readWhole } from './read-whole.ts';

const LIMIT = 64 * 1024;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const answerOf = (body: PassThrough, headers: Record<string, string>, statusCode = 200) => ({
  statusCode,
  headers,
  body,
});
const pieces = fc.array(fc.record({ text: fc.string({ minLength: 1, unit: 'binary-ascii' }), waits: fc.boolean() }));
const join = (written: readonly { text: string }[]): string => written.map(({ text }) => text).join('');

/** Writes parts, each in the same tick as the one before or in a later one. */
async function write(body: PassThrough, written: readonly { text: string; waits: boolean }[]): Promise<void> {
  for (const { text, waits } of written) {
    if (waits) await nextTurn();
    body.write(text, 'latin1');
  }
}

/** Reads what a client would receive before the error. */
async function readUntilError(body: AsyncIterable<Buffer>): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const chunk of body) text += chunk.toString('latin1');
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}

describe('a short response', () => {
  it('is received as a whole, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (written) => {
        const [body, text] = [new PassThrough(), join(written)];
        const reading = readWhole(answerOf(body, { 'content-length': String(text.length) }));
        await write(body, written);
        body.end();
        const { whole } = await reading;
        expect(whole?.toString('latin1')).toBe(text);
      }),
    );
  });

  it('that has arrived with its head is returned at once, and its body ends', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), async (written, endsLater) => {
        const [body, text] = [new PassThrough(), join(written)];
        fc.pre(text !== '');
        for (const { text: part } of written) body.write(part, 'latin1');
        if (!endsLater) body.end();
        const answer = readWhole(answerOf(body, { 'content-length': String(text.length) }));
        expect((answer as { whole?: Buffer }).whole?.toString('latin1')).toBe(text);
        const ended = once(body, 'end');
        if (endsLater) body.end();
        await ended;
      }),
    );
  });

  it('that is aborted is passed on as far as it has arrived, also after its beginning was read', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(20), async (written, enough) => {
        const [body, text] = [new PassThrough(), join(written)];
        const reading = readWhole(answerOf(body, { 'content-length': String(text.length + 1) }));
        await write(body, written);
        await nextTurn();
        body.destroy(new Error('reset'));
        const answer = await reading;
        expect(answer.whole).toBeUndefined();
        const begun =
          text.length < enough ? answer : (await readBeginning(answer, LIMIT, (read) => read.length >= enough)).answer;
        await nextTurn();
        const received = await readUntilError(begun.body);
        expect(received).toEqual({ text, error: new Error('reset') });
      }),
    );
  });

  it('that ends early without an error is passed on with an error', async () => {
    const body = new PassThrough();
    const reading = readWhole(answerOf(body, { 'content-length': '10' }));
    body.write('{"id"');
    await nextTurn();
    body.destroy();
    const { error, text } = await readUntilError((await reading).body);
    expect([text, error]).toEqual(['{"id"', new Error('the response was incomplete')]);
  });
});

describe('a response that is passed on as it arrives', () => {
  it.each([['{"id":'], ['']])('is slow; it begins with the part that has arrived: %s', async (begun) => {
    const body = new PassThrough();
    const answer = answerOf(body, { 'content-length': '10' });
    const reading = readWhole(answer, 1);
    body.write(begun);
    expect(await reading).toBe(answer);
    const received = readUntilError(answer.body);
    body.end('"end"');
    expect(await received).toEqual({ text: `${begun}"end"`, error: undefined });
  });

  it('is slow, and is aborted before its next reader listens', async () => {
    const body = new PassThrough();
    const answer = await readWhole(answerOf(body, { 'content-length': '10' }), 1);
    body.destroy(new Error('reset'));
    await nextTurn();
    expect(await readUntilError(answer.body)).toEqual({ text: '', error: new Error('reset') });
  });

  it.each<[string, object, number?]>([
    ['is an event stream', { 'content-length': '5', 'content-type': 'text/event-stream' }],
    ['is encoded', { 'content-length': '5', 'content-encoding': 'compress' }],
    ['has no declared length', {}],
    ['has an invalid length', { 'content-length': 'five' }],
    ['is long', { 'content-length': String(LIMIT + 1) }],
    ['is a refusal, which may be repeated without its body', { 'content-length': '5' }, 503],
  ])('%s', async (_what, headers, statusCode = 200) => {
    const body = new PassThrough();
    const answer = answerOf(body, headers as Record<string, string>, statusCode);
    expect(await readWhole(answer)).toBe(answer);
    body.end('12345');
    expect((await buffer(answer.body)).toString()).toBe('12345');
  });
});
