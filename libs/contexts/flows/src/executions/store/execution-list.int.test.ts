import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import type { FlowRow } from '../../schema.ts';
import { openFlows, type OpenFlows } from '../../testing/open-flows.ts';
import { listExecutions, findExecution, type ExecutionFilter } from './execution.store.ts';

let suite: OpenFlows;
const flows: FlowRow[] = [];
const ids: string[] = [];
beforeAll(async () => {
  suite = await openFlows();
  const accountId = newId();
  for (let index = 0; index < 2; index += 1) flows.push(await suite.addFlow({}, accountId));
  for (let index = 0; index < 7; index += 1) ids.unshift((await suite.start(flows[index % 2] as FlowRow)).id);
  await suite.start(await suite.addFlow());
});
afterAll(() => suite.close());

const accountOf = (): string => flows[0]?.account_id ?? '';
const list = async (filter: Partial<ExecutionFilter> = {}) =>
  (await listExecutions(suite.gateway, { accountId: accountOf(), limit: 50, ...filter })).map(({ id }) => id);

describe('the executions of an account', () => {
  it('are listed newest first, and only those of the account (API-11, API-10)', async () => {
    expect(await list()).toEqual(ids);
    expect(await list({ accountId: newId() })).toEqual([]);
  });

  it.each([1, 2, 3, 7])(
    'are paged by %s without gaps, with one additional row to detect the next page (API-11)',
    async (limit) => {
      const seen: string[] = [];
      for (let beforeId: string | undefined; ;) {
        const page = await list({ limit, beforeId });
        seen.push(...page.slice(0, limit));
        if (page.length <= limit) break;
        expect(page).toHaveLength(limit + 1);
        beforeId = page[limit - 1];
      }
      expect(seen).toEqual(ids);
    },
  );

  it('are filtered by flow, by status, or by both', async () => {
    const [first = ''] = ids;
    await sql`update flows.execution set status = 'FAILED', failure_category = 'unknown', finished_at = now()
      where id = ${first}`.execute(suite.admin);
    const flowId = flows[0]?.id ?? '';
    expect(await list({ flowId })).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect(await list({ status: 'FAILED' })).toEqual([first]);
    expect(await list({ status: 'PENDING', flowId })).toEqual(ids.filter((_, index) => index % 2 === 0 && index > 0));
  });

  it('are filtered by trigger time, with an inclusive start and an exclusive end (EXEC-25)', async () => {
    const at = new Map<string, Date>();
    for (const id of ids) at.set(id, (await findExecution(suite.gateway, accountOf(), id))?.created_at as Date);
    const [newest = '', second = ''] = ids;
    for (const [since, until] of [
      [at.get(second), undefined],
      [undefined, at.get(second)],
      [at.get(second), at.get(newest)],
      [new Date(0), new Date('9999-01-01')],
    ]) {
      const within = (time: Date) => (since === undefined || time >= since) && (until === undefined || time < until);
      expect(await list({ since, until })).toEqual(ids.filter((id) => within(at.get(id) as Date)));
    }
  });

  it('are found by part of their flow’s name or of their id, ignoring case (EXEC-25)', async () => {
    const [flow] = flows;
    const ofFlow = ids.filter((_, index) => index % 2 === 0);
    expect(await list({ query: flow?.name.slice(2).toUpperCase() })).toEqual(ofFlow);
    expect(await list({ query: ids[3]?.slice(4).toUpperCase() })).toEqual([ids[3]]);
    for (const query of ['%', '_', '\\', 'no such flow']) expect(await list({ query })).toEqual([]);
  });

  it('are found by their id, but only in their own account (API-10)', async () => {
    const [first = ''] = ids;
    expect((await findExecution(suite.gateway, accountOf(), first))?.id).toBe(first);
    expect(await findExecution(suite.gateway, newId(), first)).toBeUndefined();
    expect(await findExecution(suite.gateway, accountOf(), newId())).toBeUndefined();
  });

  it('are retained when their flow is deleted (FLOW-5)', async () => {
    const flow = await suite.addFlow({}, accountOf());
    const { id } = await suite.start(flow);
    await sql`delete from flows.flow where id = ${flow.id}`.execute(suite.admin);
    expect((await findExecution(suite.gateway, accountOf(), id))?.flow_name).toBe(flow.name);
  });
});
