import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { settleAttempts } from '../../deliveries/operations/settle-attempts.ts';
import { BREAKER_RULES, conclude, openWebhooks } from '../../testing/open-webhooks.ts';
import { listDeliveries } from '../store/delivery.store.ts';
import { purgeHistory } from './purge-history.ts';

const suite = useOpened(openWebhooks);
describe('history', () => {
  it('drops days past retention and unreferenced events, but retains pending deliveries of any age (HOOK-34)', async () => {
    const accountId = newId();
    await suite().addEndpoint(accountId);
    const [oldDone, oldPending] = [newId(), newId()];
    await suite().emit(accountId, oldDone);
    const [claimed] = await suite().claim();
    await settleAttempts(suite().dispatcher, [conclude(claimed!, 'delivered')], BREAKER_RULES);
    await suite().emit(accountId, oldPending);
    await sql`update webhooks.event set created_at = now() - interval '40 days' where account_id = ${accountId}`.execute(
      suite().admin,
    );
    await sql`update webhooks.delivery set created_at = now() - interval '40 days'`.execute(suite().admin);
    await sql`update webhooks.delivery_done set finished_at = now() - interval '20 days'`.execute(suite().admin);
    const purged = await purgeHistory(suite().dispatcher, { retentionDays: 14 });
    expect(purged.eventsDeleted).toBe(1);
    const left = await listDeliveries(suite().gateway, { accountId }, { beforeId: undefined, limit: 10 });
    expect(left.map((delivery) => delivery.eventId)).toEqual([oldPending]);
    const { rows } = await sql<{ id: string }>`select id from webhooks.event where account_id = ${accountId}`.execute(
      suite().admin,
    );
    expect(rows).toEqual([{ id: oldPending }]);
  });

  it('creates the partitions of the next days, and moves rows into them from the default partition', async () => {
    const day = new Date(Date.now() + 10 * 86_400_000);
    await sql`
      insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms)
      values (${newId()}, ${newId()}, 1, ${day}, 1)
    `.execute(suite().admin);
    const { rows } = await sql<{ action: string; partition_name: string }>`
      select * from webhooks.maintain_partitions(14, 12)
    `.execute(suite().dispatcher);
    expect(rows.filter((row) => row.action === 'created').length).toBe(10);
    const name = `attempt_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const found = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(`webhooks.${name}`)}`.execute(
      suite().admin,
    );
    expect(found.rows[0]?.n).toBe(1);
  });
});
