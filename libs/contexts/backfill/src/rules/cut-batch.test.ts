import fc from 'fast-check';
import type { ContentPlace } from '@steward/sessions';
import { cutBatch } from './cut-batch.ts';

const place = (sessionId: string, id: string, sizeBytes = 1): ContentPlace => ({
  sessionId,
  id,
  kind: 'tool_call',
  occurredAt: new Date(0),
  sizeBytes,
});
const missingAll = () => true;
const ROOMY = { sources: 100, bytes: 1000 };
const listed = (places: readonly ContentPlace[], isListFull = false) => ({
  sessionIds: ['a', 'b', 'c'],
  places,
  isListFull,
});

describe('the part of a list of content that is processed at once', () => {
  const places = [place('a', '1'), place('a', '2'), place('b', '3'), place('c', '4')];

  it('is the whole list if it is within the limits', () => {
    const cut = cutBatch(listed(places), missingAll, ROOMY);
    expect(cut).toEqual({ missing: places, wholeSessions: 3, within: undefined });
  });

  it.each([
    ['within a session', 1, 0, { sessionId: 'a', after: places[0] }],
    ['between two sessions', 2, 1, undefined],
    ['before the last session', 3, 2, undefined],
  ])('ends %s', (_where, sources, wholeSessions, within) => {
    const cut = cutBatch(listed(places), missingAll, { ...ROOMY, sources });
    expect(cut).toEqual({ missing: places.slice(0, sources), wholeSessions, within });
  });

  it('does not count existing chunks', () => {
    const cut = cutBatch(listed(places), ({ id }) => id === '4', { ...ROOMY, sources: 1 });
    expect(cut).toEqual({ missing: [places[3]], wholeSessions: 3, within: undefined });
  });

  it('contains at least one source, however large it is', () => {
    const large = [place('a', '1', 5000), place('a', '2', 5000)];
    const cut = cutBatch(listed(large), missingAll, ROOMY);
    expect(cut).toEqual({ missing: [large[0]], wholeSessions: 0, within: { sessionId: 'a', after: large[0] } });
  });

  it('does not count a session as complete that may continue after the list', () => {
    const cut = cutBatch(listed(places.slice(0, 3), true), missingAll, ROOMY);
    expect(cut).toMatchObject({ wholeSessions: 1, within: { sessionId: 'b', after: places[2] } });
  });

  it('covers every source exactly once if each part begins where the previous one ended', () => {
    const sizes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(50)), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 80 }), (drawn, sources, bytes) => {
        const all = drawn
          .map(([sessionId, size], index) => place(sessionId, String(index), size))
          .sort((one, other) => (one.sessionId < other.sessionId ? -1 : one.sessionId > other.sessionId ? 1 : 0));
        let rest = listed(all);
        const seen: string[] = [];
        while (rest.sessionIds.length > 0) {
          const { missing, wholeSessions, within } = cutBatch(rest, missingAll, { sources, bytes });
          expect(missing.length).toBeLessThanOrEqual(sources);
          seen.push(...missing.map(({ id }) => id));
          const done = new Set(rest.sessionIds.slice(0, wholeSessions));
          const read = within === undefined ? -1 : rest.places.indexOf(within.after);
          const left = rest.places.filter((each, index) => !done.has(each.sessionId) && index > read);
          rest = { sessionIds: rest.sessionIds.slice(wholeSessions), places: left, isListFull: false };
        }
        expect(seen).toEqual(all.map(({ id }) => id));
      }),
    );
  });
});
