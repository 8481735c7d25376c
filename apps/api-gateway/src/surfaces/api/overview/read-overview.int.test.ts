import { newId } from '@steward/crypto';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { insertRun } from '../../../testing/insert-run.ts';

const { call, check, hold, decide, owner, people } = useApprovals();
const read = async (token?: string) => (await call('GET', '/overview', undefined, token)).body as unknown;

/** Inserts completed deliveries of these events; `generation` counts how often an event was sent. */
const insertDeliveries = (accountId: string, eventIds: readonly string[], generation: number, status: string) =>
  people.query(
    `insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
       attempt_count, occurred_at, created_at)
     select webhooks.new_id(), $1::uuid, $1::uuid, event_id, 'webhook.test', $3, $4, 6, now(), now()
     from unnest($2::uuid[]) event_id`,
    [accountId, eventIds, generation, status],
  );

describe('the overview', () => {
  it('counts pending requests, dead deliveries and running executions of the caller’s account only (API-19)', async () => {
    expect(await read()).toEqual({
      ...{ pending_approvals: 0, dead_deliveries: 0, running_executions: 0 },
      agents_stopped: false,
    });
    const { accountId } = owner();
    const [repaired, dead] = [newId(), newId()];
    await insertDeliveries(accountId, [repaired, dead], 1, 'dead');
    await insertDeliveries(accountId, [repaired], 2, 'delivered');
    await insertDeliveries(newId(), [dead], 1, 'dead');
    for (const account of [accountId, newId()])
      await insertRun((text, values) => people.query(text, values), { accountId: account, sessionId: newId() });
    await hold({ arguments: { version: '1' } });
    await decide(await hold({ arguments: { version: '2' } }), 'approve');
    await check({ tool_name: 'drop' });
    expect(await read()).toMatchObject({ pending_approvals: 1, dead_deliveries: 1, running_executions: 1 });
  });

  it('counts at most a hundred objects (API-19)', async () => {
    const events = Array.from({ length: 101 }, () => newId());
    await insertDeliveries(owner().accountId, events, 1, 'dead');
    expect(await read()).toMatchObject({ dead_deliveries: 100 });
  });

  it('omits a count that the caller is not allowed to see (API-19)', async () => {
    const { body } = await call('POST', '/auth/api-keys', { name: 'screen', scopes: ['view_flows'] });
    expect(await read(body.key as string)).toEqual({
      pending_approvals: null,
      dead_deliveries: null,
      running_executions: 0,
      agents_stopped: false,
    });
  });

  it('reports to every caller whether the kill switch is engaged (API-19)', async () => {
    const { body } = await call('POST', '/auth/api-keys', { name: 'screen', scopes: ['view_flows'] });
    for (const engaged of [true, false]) {
      await call('PUT', '/account/kill-switch', { engaged });
      expect(await read(body.key as string)).toMatchObject({ agents_stopped: engaged });
    }
  });
});
