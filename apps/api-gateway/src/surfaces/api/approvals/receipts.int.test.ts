import { captureOutput, eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';

const output = captureOutput();
const approvals = useApprovals({ LOG_LEVEL: 'warn' });
const { call, hold, read } = approvals;
const HOOK = 'http://127.0.0.1:9/approvals';

/** Simulates that a dispatcher posted to one of the receivers. */
const settle = async (url: string, error: string | null, at: string) => {
  const [endpointId] = [...(await approvals.readAddresses())].find(([, address]) => address === url) ?? [];
  await approvals.people.query(
    `insert into webhooks.acceptance (delivery_id, account_id, workflow_id, event_id, event_type, accepted_at, error)
     select d.id, d.account_id, e.source_id, d.event_id, d.event_type, $3, $2
     from webhooks.delivery d join webhooks.endpoint e on e.id = d.endpoint_id where e.id = $1`,
    [endpointId, error, at],
  );
};

describe('the delivery result of a workflow’s receivers (APR-14)', () => {
  it('is recorded in the request: an error is shown until a receiver has accepted it', async () => {
    const urls = [HOOK, `${HOOK}/2`, `${HOOK}/3`];
    const channel_configs = urls.map((url) => ({ kind: 'webhook', url }));
    await call('POST', '/approval-workflows', { name: 'told', channel_configs, is_default: true });
    const id = await hold();
    expect(await read(id)).toMatchObject({ webhook_posted_at: null, webhook_error: null });
    await settle(HOOK, 'HTTP 500', '2026-11-20T09:00:00Z');
    await eventually(async () => (await read(id)).webhook_error === 'HTTP 500');
    await settle(`${HOOK}/2`, null, '2026-11-20T09:05:00Z');
    await eventually(async () => (await read(id)).webhook_posted_at === '2026-11-20T09:05:00.000Z');
    expect((await read(id)).webhook_error).toBeNull();
    await settle(`${HOOK}/3`, 'HTTP 410', '2026-11-20T09:06:00Z');
    await eventually(async () => (await approvals.people.query('select 1 from webhooks.acceptance')).length === 0);
    expect(await read(id)).toMatchObject({ webhook_posted_at: '2026-11-20T09:05:00.000Z', webhook_error: null });
    // Receipts are found by a look for the work of all due tasks. If it failed, each of them would begin all the same.
    expect(output()).not.toContain('background_task.failed');
  });
});
