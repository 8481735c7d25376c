import fc from 'fast-check';
import { MOST_SESSION_LABELS } from '@steward/contracts';
import { mergeLabels } from './merge-labels.ts';

const many = (count: number) => Array.from({ length: count }, (_, at) => `k${at}:v`);

describe('labels found by an import (IMP-5)', () => {
  it.each<[string, string[], string[], string[] | undefined]>([
    ['take the place of the same keys alone', ['repo:a', 'person:ana'], ['repo:b'], ['person:ana', 'repo:b']],
    ['take the place of all of one key', ['repo:a', 'repo:b', 'x:y'], ['repo:c'], ['x:y', 'repo:c']],
    ['have their key before the first colon', ['url:http', 'u:x'], ['url:https://a'], ['u:x', 'url:https://a']],
    ['of a key that begins alike are others', ['repo:a'], ['repository:b'], ['repo:a', 'repository:b']],
    ['of a key in other letters are others', ['repo:a'], ['Repo:b'], ['repo:a', 'Repo:b']],
    ['change nothing when they are there', ['repo:a', 'person:ana'], ['repo:a'], undefined],
    ['change nothing when there are none', ['repo:a'], [], undefined],
    ['are all of a session that has none', [], ['repo:a', 'x:y'], ['repo:a', 'x:y']],
    ['fill the last place', many(MOST_SESSION_LABELS - 1), ['repo:a'], [...many(MOST_SESSION_LABELS - 1), 'repo:a']],
    ['are left out when there is no room (SESS-17)', many(MOST_SESSION_LABELS), ['repo:a'], undefined],
    ['need no room where they take a place', many(2), ['k1:w'], ['k0:v', 'k1:w']],
  ])('%s', (_what, present, found, merged) => {
    expect(mergeLabels(present, found)).toEqual(merged);
  });

  it('are idempotent, retain other keys, and never exceed the limit of a session', () => {
    const label = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
      .map((pair) => pair.join(':'));
    const labels = fc.uniqueArray(label, { maxLength: 8 });
    const keyOf = (text: string) => text.split(':')[0];
    fc.assert(
      fc.property(labels, labels, (present, found) => {
        const merged = mergeLabels(present, found) ?? present;
        expect(mergeLabels(merged, found)).toBeUndefined();
        expect(found.filter((each) => !merged.includes(each))).toEqual([]);
        const untouched = present.filter((each) => !found.some((other) => keyOf(other) === keyOf(each)));
        expect(untouched.filter((each) => !merged.includes(each))).toEqual([]);
        expect(merged.length).toBeLessThanOrEqual(MOST_SESSION_LABELS);
        expect(new Set(merged).size).toBe(merged.length);
      }),
    );
  });
});
