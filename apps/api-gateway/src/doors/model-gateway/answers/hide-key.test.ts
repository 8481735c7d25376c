import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { hideKey } from './hide-key.ts';

const KEY = ['sk', 'aB3dE5fG7'].join('-');
const refuse = (pieces: readonly string[], statusCode = 401) => ({
  statusCode,
  headers: {},
  body: Readable.from(pieces.map((piece) => Buffer.from(piece))),
});

describe('the key of a model (GW-5)', () => {
  it('is in no refusal, wherever that is cut; everything else stays, and its length', async () => {
    const pieces = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(KEY, KEY.slice(0, 7), KEY.slice(3))));
    await fc.assert(
      fc.asyncProperty(pieces, async (said) => {
        const hidden = await text(hideKey(refuse(said), KEY).body);
        expect(hidden).toBe(said.join('').replaceAll(KEY, '*'.repeat(KEY.length)));
      }),
    );
  });

  it('is not looked for in answers, nor where there is none to speak of', () => {
    const [answer, refusal] = [refuse(['x'], 200), refuse(['x'])];
    expect(hideKey(answer, KEY)).toBe(answer);
    expect(hideKey(refusal, 'none')).toBe(refusal);
    expect(hideKey(refusal, undefined)).toBe(refusal);
  });
});
