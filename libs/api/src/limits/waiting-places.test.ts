import fc from 'fast-check';
import { createWaitingPlaces, type PlaceLimit } from './waiting-places.ts';

const LIMITS = { perAccount: 4, perCredential: 3, inAll: 6 };

it('never assigns more than the limit of an account, one of its keys or the process, and all slots are finally returned (LIM-9)', () => {
  const holder = fc.record({
    accountId: fc.constantFrom('a', 'b', 'c'),
    key: fc.constantFrom('1', '2'),
    isByUser: fc.boolean(),
  });
  // Occasionally a slot is released, sometimes twice.
  const step = fc.oneof(holder, fc.record({ leaves: fc.nat() }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const counts: number[] = [];
      const places = createWaitingPlaces({ ...LIMITS, what: 'waits', onTaken: (count) => counts.push(count) });
      const taken: { accountId: string; id: string; leave: () => void }[] = [];
      const left: (() => void)[] = [];
      const count = (has: (place: (typeof taken)[number]) => boolean) => taken.filter(has).length;
      for (const next of steps) {
        if ('leaves' in next) {
          const [place] = taken.splice(next.leaves % (taken.length + 1), 1);
          place?.leave();
          if (place !== undefined) left.push(place.leave);
          left[0]?.();
          continue;
        }
        const { accountId, key, isByUser } = next;
        const id = `${accountId}${key}`;
        const leave = places.enterIfFree({ accountId, userId: isByUser ? id : 'of the key', ...apiKey(isByUser, id) });
        const isFree =
          count((place) => place.accountId === accountId) < LIMITS.perAccount &&
          count((place) => place.id === id) < LIMITS.perCredential &&
          taken.length < LIMITS.inAll;
        expect(leave !== undefined).toBe(isFree);
        if (leave !== undefined) taken.push({ accountId, id, leave });
        expect(counts.at(-1) ?? 0).toBe(taken.length);
      }
      for (const { leave } of taken) leave();
      expect(counts.at(-1) ?? 0).toBe(0);
    }),
  );
});

const apiKey = (isByUser: boolean, id: string) => ({ apiKeyId: isByUser ? undefined : id });

it.each<[PlaceLimit, object, object]>([
  ['credential', { perAccount: 2, perCredential: 1 }, { code: 'rate_limited', status: 429, detail: { limit: 1 } }],
  ['account', { perAccount: 1 }, { code: 'rate_limited', status: 429, detail: { limit: 1 } }],
  ['process', { perAccount: 2, inAll: 1 }, { code: 'unavailable', status: 503 }],
])('refuses according to the limit of the %s, and reports which one (LIM-9)', (reached, limits, refusal) => {
  const refused: PlaceLimit[] = [];
  const onRefused = (limit: PlaceLimit): void => void refused.push(limit);
  const places = createWaitingPlaces({ perAccount: 1, ...limits, what: 'waits', variable: 'MOST', onRefused });
  const holder = { accountId: 'a', userId: 'u', apiKeyId: undefined };
  const leave = places.enter(holder);
  expect(() => places.enter(holder)).toThrow(
    expect.objectContaining({ ...refusal, retryAfterSeconds: expect.any(Number) as number }) as Error,
  );
  expect(places.enterIfFree(holder)).toBeUndefined();
  expect(refused).toEqual([reached, reached]);
  leave();
  places.enter(holder)();
});
