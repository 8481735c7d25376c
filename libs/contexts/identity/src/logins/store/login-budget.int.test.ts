import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { later, NOW, useIdentity } from '../../testing/open-identity.ts';
import {
  countLoginAttempt,
  refundLoginAttempt,
  purgeLoginFailures,
  readLoginBlock,
  type Buckets,
} from './login-budget.store.ts';

const identity = useIdentity();

/** Returns buckets that no other test uses. */
const buckets = (pair: number, address = 100, name: number | undefined = 100): Buckets => {
  const id = newId();
  const two = [
    { name: `pair ${id}`, limit: pair },
    { name: `address ${id}`, limit: address },
  ] as const;
  return name === undefined ? two : [...two, { name: `name ${id}`, limit: name }];
};
const count = (spent: Buckets, at = NOW) => countLoginAttempt(identity().db, spent, at);
const refund = (spent: Buckets) => refundLoginAttempt(identity().db, spent);
const readBlock = (spent: Buckets, at = NOW) => readLoginBlock(identity().db, spent, at);
const countTimes = async (times: number, spent: Buckets, at = NOW) => {
  let passed = 0;
  for (let index = 0; index < times; index += 1) passed += (await count(spent, at)) ? 1 : 0;
  return passed;
};

describe('the limit on wrong passwords (ACC-14)', () => {
  it.each<[string, Buckets, number]>([
    ['per user and address', buckets(3), 3],
    ['per address', buckets(10, 4), 4],
    ['per user from all addresses', buckets(10, 10, 2), 2],
    ['that is exhausted first', buckets(5, 3, 4), 3],
    ['for an address at which the user is logged in', buckets(3, 10, undefined), 3],
  ])('%s allows the configured number of attempts', async (_case, spent, passed) => {
    expect(await countTimes(8, spent)).toBe(passed);
  });

  it('applies to any number of simultaneous attempts', async () => {
    for (const spent of [buckets(5), buckets(100, 5), buckets(100, 100, 5)]) {
      const outcomes = await Promise.all(Array.from({ length: 24 }, () => count(spent)));
      expect(outcomes.filter(Boolean)).toHaveLength(5);
    }
  });

  it('is shared by all names that are tried from the same address', async () => {
    const [one, other] = [buckets(10, 3), buckets(10, 3)];
    const shared: Buckets = [other[0], one[1]];
    expect(await countTimes(2, one)).toBe(2);
    expect(await countTimes(5, shared)).toBe(1);
    expect(await count(one)).toBe(false);
  });

  it('is not used up by a refused attempt: the larger limits remain unchanged', async () => {
    const spent = buckets(2, 3);
    await countTimes(10, spent);
    const next: Buckets = [buckets(2)[0], spent[1]];
    expect(await count(next)).toBe(true);
    expect(await count([buckets(2)[0], spent[1]])).toBe(false);
  });

  it('is restored for a correct password: legitimate logins use none of it', async () => {
    const spent = buckets(1, 1, 1);
    for (let login = 0; login < 5; login += 1) {
      expect(await count(spent)).toBe(true);
      await refund(spent);
    }
    expect(await readBlock(spent)).toBe(0);
  });

  it('never exceeds its size, however often it is restored', async () => {
    const spent = buckets(2);
    await refund(spent);
    await refund(spent);
    expect(await countTimes(5, spent)).toBe(2);
  });

  it('conforms to a model, for any order of attempts, restorations and times', async () => {
    const step = fc.oneof(
      fc.constant('attempt' as const),
      fc.constant('right' as const),
      fc.integer({ min: 1, max: 70 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 15 }), async (limit, steps) => {
        const spent = buckets(limit);
        let [seconds, start, failures] = [0, 0, 0];
        for (const each of steps) {
          if (typeof each === 'number') {
            seconds += each;
            continue;
          }
          if (failures > 0 && seconds - start >= 60) failures = 0;
          if (failures === 0) start = seconds;
          const passes = failures < limit;
          expect(await count(spent, later(seconds))).toBe(passes);
          if (!passes) continue;
          if (each === 'right') await refund(spent);
          else failures += 1;
        }
      }),
      { numRuns: 25, examples: [[1, ['right', 23, 'attempt', 37, 'right']]] },
    );
  });
});

describe('the time window of a limit (ACC-14)', () => {
  it('ends sixty seconds after its first failure, and the remaining time is reported until then', async () => {
    const spent = buckets(2);
    expect(await readBlock(spent)).toBe(0);
    await count(spent);
    await count(spent, later(50));
    expect(await readBlock(spent, later(50))).toBe(10);
    expect(await readBlock(spent, later(59.2))).toBe(1);
    expect(await readBlock(spent, later(60))).toBe(0);
    expect(await count(spent, later(59.999))).toBe(false);
    expect(await countTimes(5, spent, later(60))).toBe(2);
  });

  it('is the longest of several exhausted limits', async () => {
    const spent = buckets(1, 2);
    await count([buckets(9)[0], spent[1]]);
    await count(spent, later(20));
    expect(await readBlock(spent, later(30))).toBe(50);
  });

  it('is deleted once it has ended, and not before', async () => {
    const spent = buckets(2);
    await count(spent);
    await purgeLoginFailures(identity().db, later(60));
    expect(await count(spent, later(30))).toBe(true);
    expect(await count(spent, later(30))).toBe(false);
    expect(await purgeLoginFailures(identity().db, later(61))).toBeGreaterThanOrEqual(3);
    expect(await count(spent, later(30))).toBe(true);
  });
});

describe('the stored key of a limit (API-15)', () => {
  it('is a digest, so that a password typed as the user name is not stored anywhere', async () => {
    const typed = `hunter2-${newId()}`;
    await count([
      { name: `name:${typed} from 192.0.2.1`, limit: 5 },
      { name: 'address:192.0.2.1', limit: 25 },
    ]);
    const rows = await identity().query<{ row: string }>(
      `select f::text || encode(bucket, 'escape') as row from gateway.login_failure f`,
    );
    for (const { row } of rows) expect(row).not.toContain('hunter2');
  });

  it('has the same size for names of any length', async () => {
    await expect(count([{ name: 'x'.repeat(1_000_000), limit: 1 }, buckets(1)[1]])).resolves.toBe(true);
    const [row] = await identity().query<{ longest: number }>(
      'select max(length(bucket))::int as longest from gateway.login_failure',
    );
    expect(row?.longest).toBe(32);
  });
});
