import { mergeLabels } from './merge-labels.ts';

describe('labels that an import found', () => {
  it.each<[string, string[], string[], string[] | undefined]>([
    ['take the place of the same keys alone', ['repo:a', 'person:ana'], ['repo:b'], ['person:ana', 'repo:b']],
    ['change nothing when they are there', ['repo:a', 'person:ana'], ['repo:a'], undefined],
    ['are left out when there is no room', Array.from({ length: 32 }, (_, at) => `k${at}:v`), ['repo:a'], undefined],
  ])('%s', (_what, present, found, merged) => {
    expect(mergeLabels(present, found)).toEqual(merged);
  });
});
