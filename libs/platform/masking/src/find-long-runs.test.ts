import fc from 'fast-check';
import type { Find } from './credential.ts';
import { findLongRuns } from './find-long-runs.ts';

const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_-])/g;
/** Text of which every four characters of base64 decode to text, so that each passage is decoded. */
const ENCODED = Buffer.from('a text that is long enough to be decoded, whatever it is').toString('base64');

/** Returns the passages that are decoded. */
function listDecoded(text: string): string[] {
  const decoded: string[] = [];
  const found: Find[] = [];
  findLongRuns(text, found, (inner) => {
    decoded.push(inner);
    return [];
  });
  return decoded;
}

describe('words long enough to be a key or a text in base64 (MASK-1)', () => {
  it('are found where a regular expression finds them', () => {
    const piece = fc.oneof(
      fc.integer({ min: 16, max: ENCODED.length }).map((length) => ENCODED.slice(0, length)),
      fc.constantFrom('=', '==', '===', ' ', '.', ', ', '\u017f', 'ž', 'word', '-', '_'),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const runs = [...text.matchAll(RUN)].map(([run]) => run).filter((run) => /^YSB0ZXh0IHRoYXQg/.test(run));
        expect(listDecoded(text)).toEqual(runs.map((run) => Buffer.from(run, 'base64').toString('utf8')));
      }),
      { numRuns: 3000 },
    );
  });
});
