import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

const add = (accountId: string) => budgets.add(accountId, { scope: 'flow', scopeId: newId() });

describe('the budgets of an account (LIM-54)', () => {
  it('are limited to 200 under simultaneous requests, separately for each account', async () => {
    const accountId = newId();
    const first = await add(accountId);
    await sql`
      insert into budgets.budget
      select (jsonb_populate_record(budget, jsonb_build_object('id', gen_random_uuid(), 'scope_id', gen_random_uuid()))).*
      from budgets.budget budget, generate_series(1, 198) where id = ${first!.id}
    `.execute(budgets.db);
    const both = await Promise.allSettled([add(accountId), add(accountId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(add(accountId)).rejects.toMatchObject({ code: 'quota_reached', detail: { limit: 200 } });
    expect(await budgets.list(accountId)).toHaveLength(200);
    await add(newId());
    await budgets.remove(accountId, first!.id);
    await add(accountId);
  });
});
