import fc from 'fast-check';
import { sql } from 'kysely';
import { openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';
import { BUDGET_PERIODS, startOf } from './period.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

it('a period starts in the database when it starts here', async () => {
  const at = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(fc.array(at, { minLength: 50, maxLength: 100 }), async (dates) => {
      const { rows } = await sql<{ period: (typeof BUDGET_PERIODS)[number]; at: Date; start: Date }>`
        select period, at, budgets.start_of(period, at) as start
        from unnest(${[...BUDGET_PERIODS]}::text[]) as period, unnest(${dates}::timestamptz[]) as at
      `.execute(budgets.db);
      expect(rows.map(({ start }) => start)).toEqual(rows.map((row) => startOf(row.period, row.at)));
    }),
    { numRuns: 10 },
  );
});
