import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { sql } from 'kysely';
import type { AttemptVerdict } from '../../deliveries/rules/outcome.ts';
import { openGate, writeOutcomes } from '../../deliveries/store/settle.store.ts';
import { conclude, openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { readDelivery } from './read-delivery.ts';

describe('a delivery that is read while an attempt is recorded', () => {
  let webhooks: OpenWebhooks;
  beforeAll(async () => {
    webhooks = await openWebhooks();
  });
  afterAll(() => webhooks.close());

  it.each<AttemptVerdict>(['failed', 'delivered', 'dead'])(
    'is shown as before or as after, never mixed: %s',
    async (verdict) => {
      const accountId = newId();
      await webhooks.addEndpoint(accountId);
      await webhooks.emit(accountId);
      const claimed = (await webhooks.claim()).find((each) => each.accountId === accountId);
      if (claimed === undefined) throw new Error('nothing was claimed');
      const read = () => readDelivery(webhooks.gateway, { accountId }, claimed.id);
      const before = await read();

      // At this point the delivery has been read but the attempts have not, and both change in one transaction.
      const reading = await webhooks.admin.transaction().execute(async (trx) => {
        await sql`lock table webhooks.attempt in access exclusive mode`.execute(trx);
        const begun = read();
        await eventually(async () => {
          const { rows } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%webhooks%attempt%'
          `.execute(webhooks.admin);
          return rows.length > 0;
        });
        await writeOutcomes(trx, [conclude(claimed, verdict)], openGate);
        return { begun };
      });

      const seen = await reading.begun;
      const after = await read();
      expect([before?.attempts.length, after?.attempts.length]).toEqual([0, 1]);
      expect([before, after]).toContainEqual(seen);
    },
  );
});
