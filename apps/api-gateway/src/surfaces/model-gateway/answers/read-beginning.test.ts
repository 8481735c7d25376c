import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { readBeginning } from './read-beginning.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const answerOf = (body: Readable) => ({ statusCode: 200, headers: {}, body });

/** Writes parts, each in the same tick as the one before or in a later one. */
async function write(body: PassThrough, pieces: readonly { text: string; waits: boolean }[]): Promise<void> {
  for (const { text, waits } of pieces) {
    if (waits) await nextTurn();
    body.write(text, 'latin1');
  }
}

describe('the beginning of a response', () => {
  const pieces = fc.array(fc.record({ text: fc.string({ minLength: 1, unit: 'binary-ascii' }), waits: fc.boolean() }));

  it('is read, and the whole response remains available to the next reader, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(20), fc.nat(40), async (written, enough, most) => {
        const body = new PassThrough();
        const writing = write(body, written).then(() => body.end());
        const whole = written.map(({ text }) => text).join('');
        const { text, answer } = await readBeginning(answerOf(body), most, (read) => read.length >= enough);
        await writing;
        expect(whole.startsWith(text)).toBe(true);
        expect(text.length).toBeGreaterThanOrEqual(Math.min(enough, most, whole.length));
        expect((await buffer(answer.body)).toString('latin1')).toBe(whole);
      }),
    );
  });

  it('results in an error if the response is aborted while it is read', async () => {
    const body = new PassThrough();
    body.write('{"id"');
    const reading = readBeginning(answerOf(body), 100);
    await nextTurn();
    body.destroy(new Error('reset'));
    await expect(reading).rejects.toThrow('reset');
  });

  it('results in an error if the response was aborted before', async () => {
    const body = new PassThrough().on('error', () => undefined);
    body.destroy(new Error('reset'));
    await nextTurn();
    await expect(readBeginning(answerOf(body), 100)).rejects.toThrow('reset');
  });

  it('results in an error for a later reader if the response is aborted before', async () => {
    const body = new PassThrough();
    body.write('{"id"');
    const { answer } = await readBeginning(answerOf(body), 100, () => true);
    body.destroy(new Error('reset'));
    await nextTurn();
    await expect(buffer(answer.body)).rejects.toThrow();
  });
});
