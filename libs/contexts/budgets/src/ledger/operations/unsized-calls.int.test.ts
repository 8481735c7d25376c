import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { buildRequest, openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

describe('a hard budget', () => {
  it('refuses calls of unknown size if the account is configured to do so, without reporting that a limit was reached (BUD-6)', async () => {
    const account = newId();
    const budget = await budgets.add(account, { refusesUnsized: true });
    const unsized = buildRequest('0.1', { isUnsized: true });
    const refusal = { kind: 'unsized_call', budgetId: budget?.id, resetsAt: undefined };
    expect(await budgets.reserve(account, [unsized, buildRequest('0.1')])).toMatchObject([
      refusal,
      { kind: 'reserved' },
    ]);
    const { rows } = await sql`select from budgets.crossing where account_id = ${account}`.execute(budgets.db);
    expect(rows).toEqual([]);
    await budgets.update(account, budget?.id ?? '', { isHard: false });
    expect(await budgets.reserve(account, [unsized])).toMatchObject([{ kind: 'reserved' }]);
    await budgets.update(account, budget?.id ?? '', { isHard: true, refusesUnsized: false });
    expect(await budgets.reserve(account, [buildRequest('0.1', { isUnsized: true })])).toMatchObject([
      { kind: 'reserved' },
    ]);
  });
});
