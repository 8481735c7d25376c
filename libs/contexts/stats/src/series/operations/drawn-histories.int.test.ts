import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { purgeSums } from '../../index.ts';
import { openStats, type OpenStats } from '../../testing/open-stats.ts';
import type { SeriesStep } from '../steps.ts';

let stats: OpenStats;
beforeAll(async () => {
  stats = await openStats();
});
afterAll(() => stats.close());

const START = Date.parse('2026-10-20T00:00:00Z');
const HOUR_MS = 3_600_000;
/** Number of hours in the period, which includes the end of daylight saving time in Europe and America. */
const HOURS = 24 * 16;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

/** Generates one event of a history; events are not in the order of their times. */
const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      minute: fc.integer({ min: 0, max: HOURS * 60 - 1 }),
      picodollars: fc.bigInt({ min: 0n, max: 10n ** 15n }),
      alias: fc.constantFrom('fast', 'slow', null),
      isAssumed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('known' as const), picodollars: fc.bigInt({ min: 0n, max: 10n ** 15n }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollUp' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const) }) },
);

interface Row {
  at: number;
  picodollars: bigint;
  alias: string | null;
}

const text = (picodollars: bigint) =>
  `${picodollars / 10n ** 12n}.${String(picodollars % 10n ** 12n).padStart(12, '0')}`;

describe('series of randomly generated histories (STATS-4, STATS-5)', () => {
  it('equal the sums of the rows, to the last decimal, for steps in every time zone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(...ZONES),
        fc.constantFrom<SeriesStep>('hour', 'day'),
        fc.tuple(fc.integer({ min: 0, max: HOURS - 1 }), fc.integer({ min: 1, max: HOURS })),
        async (events, timeZone, step, [first, length]) => {
          const accountId = newId();
          const rows: Row[] = [];
          const assumed: { id: string; row: Row }[] = [];
          for (const happened of events) {
            if (happened.kind === 'rollUp') await stats.rollUp();
            // Calls remain counted after their rows are deleted by retention or on request.
            else if (happened.kind === 'delete')
              await stats.write('delete from models.usage where account_id = $1', [accountId]);
            else if (happened.kind === 'call') {
              const row = {
                at: START + happened.minute * 60_000,
                picodollars: happened.picodollars,
                alias: happened.alias,
              };
              const source = happened.isAssumed ? 'assumed' : 'provider';
              const id = await stats.call(accountId, {
                at: new Date(row.at),
                cost: text(row.picodollars),
                alias: row.alias,
                source,
              });
              rows.push(row);
              if (happened.isAssumed) assumed.push({ id, row });
            } else {
              const taken = assumed.pop();
              if (taken === undefined) continue;
              const { rowCount } = await stats.write('select from models.usage where account_id = $1 and id = $2', [
                accountId,
                taken.id,
              ]);
              if (rowCount === 0) continue;
              await stats.call(accountId, {
                at: new Date(taken.row.at),
                id: taken.id,
                cost: text(happened.picodollars),
                alias: 'other',
              });
              Object.assign(taken.row, { picodollars: happened.picodollars, alias: 'other' });
            }
          }
          const from = new Date(START + first * HOUR_MS);
          const to = new Date(Math.min(from.getTime() + length * HOUR_MS, START + HOURS * HOUR_MS));
          const series = await stats.read(accountId, 'spend', { from, to, step, timeZone, groupBy: 'model' });
          const ends = [...series.times.slice(1), series.to];
          expect(series.times[0]?.getTime()).toBeLessThanOrEqual(from.getTime());
          expect(series.to.getTime()).toBeGreaterThanOrEqual(to.getTime());
          for (const time of series.times)
            expect(
              new Intl.DateTimeFormat('en-GB', { timeZone, minute: '2-digit', hour: '2-digit' }).format(time),
            ).toMatch(step === 'day' ? /^00:00$/ : /:(?:00|30)$/);
          const sum = (found: readonly Row[]) =>
            Number(text(found.reduce((total, { picodollars }) => total + picodollars, 0n)));
          const of = (found: readonly Row[]) =>
            series.times.map((time, place) =>
              found.filter(({ at }) => at >= time.getTime() && at < (ends[place] as Date).getTime()),
            );
          expect(series.total.values.cost_usd).toEqual(of(rows).map(sum));
          expect(series.total.values.count).toEqual(of(rows).map(({ length: count }) => count));
          expect(series.total.sums.cost_usd).toBe(sum(of(rows).flat()));
          for (const { key, values } of series.groups)
            expect(values.cost_usd).toEqual(of(rows.filter(({ alias }) => alias === key)).map(sum));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('lose only aggregates that are older than their retention age', async () => {
    const accountId = newId();
    for (const at of ['2026-11-01T10:00:00Z', '2026-11-20T10:00:00Z']) await stats.call(accountId, { at, cost: '1' });
    await stats.rollUp();
    await purgeSums(stats.db, { now: new Date('2026-11-21T00:00:00Z'), retentionDays: 10 });
    const read = await stats.read(accountId, 'spend', { step: 'day', from: new Date('2026-10-25T00:00:00Z') });
    expect(read.total.sums).toEqual({ cost_usd: 1, count: 1 });
  });
});

describe('a series while aggregates are computed', () => {
  it('counts each row exactly once at any time (STATS-4)', async () => {
    const accountId = newId();
    const at = '2026-11-20T10:00:00Z';
    let written = 0;
    const reads: Promise<void>[] = [];
    const check = async (least: number) => {
      const { total } = await stats.read(accountId, 'spend');
      expect(total.sums.count).toBeGreaterThanOrEqual(least);
      expect(total.sums.cost_usd).toBe(total.sums.count);
    };
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([stats.call(accountId, { at, cost: '1' }), stats.call(accountId, { at, cost: '1' })]);
      written += 2;
      reads.push(
        check(written),
        stats.rollUp().then(() => undefined),
        stats.rollUp().then(() => undefined),
      );
    }
    await Promise.all(reads);
    expect((await stats.read(accountId, 'spend')).total.sums).toEqual({ cost_usd: 40, count: 40 });
    expect(await stats.waiting()).toBe(0);
  });
});
