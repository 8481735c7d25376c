import fc from 'fast-check';
import { computeFree, dealQuotas, type OutboxShard } from './outbox-quotas.ts';

const anyShards = fc
  .array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 8 })
  .map((counts) => counts.map((pending, shard): OutboxShard => ({ shard, pending, quota: 0, bound: 0 })));
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

describe('quotas of an outbox', () => {
  it('add up to the limit, and the counts add up to the number of rows, regardless of their previous values', () => {
    fc.assert(
      fc.property(
        anyShards,
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 0, max: 40 }),
        (shards, bound, added) => {
          const dealt = dealQuotas({ shards, complete: true }, bound, added);
          expect(total(dealt.map(({ quota }) => quota))).toBe(bound);
          expect(total(dealt.map(({ pending }) => pending))).toBe(total(shards.map(({ pending }) => pending)) + added);
        },
      ),
    );
  });

  it('keep their sum if only some shards are available, and omit excluded shards', () => {
    fc.assert(
      fc.property(anyShards, fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 40 }), (some, room, added) => {
        const usable = some.map((shard) => ({ ...shard, quota: shard.pending + room, bound: 900 }));
        const shards = [...usable, { shard: 9, pending: 3, quota: 100, bound: 0 }];
        const held = { shards, complete: false };
        expect(computeFree(held, 900)).toBe(room * usable.length);
        const dealt = dealQuotas(held, 900, added);
        expect(total(dealt.map(({ quota }) => quota))).toBe(total(usable.map(({ quota }) => quota)));
        expect(dealt.some(({ shard }) => shard === 9)).toBe(false);
      }),
    );
  });

  it('distribute the remaining quota to as many shards as can still store another event of the same size', () => {
    const shards = [0, 1, 2, 3].map((shard): OutboxShard => ({ shard, pending: 0, quota: 0, bound: 0 }));
    const rooms = dealQuotas({ shards, complete: true }, 90, 20).map(({ quota, pending }) => quota - pending);
    expect(rooms).toEqual([24, 23, 23, 0]);
    const overfull = dealQuotas({ shards, complete: true }, 10, 20);
    expect(overfull.every(({ quota, pending }) => pending + 1 > quota)).toBe(true);
  });
});
