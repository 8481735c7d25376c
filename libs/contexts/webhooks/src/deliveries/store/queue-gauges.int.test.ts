import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { openWebhooks } from '../../testing/open-webhooks.ts';
import { readQueueGauges } from './queue-gauges.store.ts';

const suite = useOpened(openWebhooks);
describe('queue gauges', () => {
  it('reports how long the oldest due delivery has been waiting, excluding held ones', async () => {
    const accountId = newId();
    const endpointId = await suite().addEndpoint(accountId);
    await suite().emit(accountId);
    await sql`update webhooks.delivery set next_attempt_at = now() - interval '90 s'`.execute(suite().admin);
    const gauges = await readQueueGauges(suite().dispatcher);
    expect(gauges.oldestDueSeconds).toBeGreaterThanOrEqual(90);
    expect(gauges).toMatchObject({
      pending: 1,
      breakers: { closed: 1, open: 0, half_open: 0 },
      fullestOutboxes: [{ accountId, pending: 1 }],
      recoveriesRunning: 0,
      recoveryRemaining: 0,
    });
    await sql`update webhooks.endpoint set active = false where id = ${endpointId}`.execute(suite().admin);
    expect((await readQueueGauges(suite().dispatcher)).oldestDueSeconds).toBe(0);
  });
});
