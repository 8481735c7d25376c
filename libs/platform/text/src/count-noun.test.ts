import { countNoun } from './count-noun.ts';

describe('a count with its noun', () => {
  it.each([
    [0, 'file', undefined, '0 files'],
    [1, 'file', undefined, '1 file'],
    [2, 'file', undefined, '2 files'],
    [1, 'entry', 'entries', '1 entry'],
    [3, 'entry', 'entries', '3 entries'],
  ])('%s %s, %s: %s', (count, noun, plural, text) => {
    expect(countNoun(count, noun, plural)).toBe(text);
  });
});
