import { mergeChunks } from './merge-chunks.ts';

describe('the shown chunks of a session', () => {
  it.each([
    [['a', 'b'], ['c', 'd'], 3, ['a', 'c', 'b']],
    [['a', 'b'], ['b', 'a'], 3, ['a', 'b']],
    [[], ['c', 'd'], 1, ['c']],
    [['a', 'b', 'c'], ['d'], 10, ['a', 'd', 'b', 'c']],
    [['a'], ['b'], 0, []],
  ])('from %j and %j are merged, at most %s of them, to %j', (first, second, most, merged) => {
    expect(mergeChunks(first, second, most)).toEqual(merged);
  });
});
