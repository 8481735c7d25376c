import fc from 'fast-check';
import { takeWithin } from './take-within.ts';

const texts = (...lengths: number[]) => lengths.map((length) => ({ text: 'x'.repeat(length) }));

describe('the sources a pass may still write (CORP-14)', () => {
  it.each([
    [[10, 10, 10], 2, 2],
    [[10, 10, 10], 3, 3],
    [[10, 10, 10], 100, 3],
    [[2500, 10], 3, 1],
    [[2500, 10], 4, 2],
    [[], 5, 0],
  ])('of lengths %j within %i rows are %i', (lengths, rows, taken) => {
    expect(takeWithin(texts(...lengths), rows)).toHaveLength(taken);
  });

  it('are one at least, however long it is and however little is left', () => {
    expect(takeWithin(texts(100_000, 1), 1)).toHaveLength(1);
    expect(takeWithin(texts(1, 1), 0)).toHaveLength(1);
  });

  it('are the first of them, and come all in the end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000)), fc.integer({ min: 1, max: 10 }), (lengths, rows) => {
        let rest: readonly { text: string }[] = texts(...lengths);
        const seen: number[] = [];
        while (rest.length > 0) {
          const taken = takeWithin(rest, rows);
          seen.push(...taken.map(({ text }) => text.length));
          rest = rest.slice(taken.length);
        }
        expect(seen).toEqual(lengths);
      }),
    );
  });
});
