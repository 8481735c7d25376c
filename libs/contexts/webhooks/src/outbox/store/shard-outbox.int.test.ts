import { newId } from '@steward/crypto';
import { migrateSlice } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { useOpened } from '@steward/testing';
import { sql } from 'kysely';
import { webhooksMigrations } from '../../../migrations/index.ts';

const clone = useOpened(openClone);

it('keeps the count when one row per account is migrated to eight shards', async () => {
  const { admin } = clone();
  await sql`drop schema webhooks cascade`.execute(admin.db);
  await sql`create schema webhooks`.execute(admin.db);
  const before = Object.entries(webhooksMigrations.migrations).filter(([name]) => name < '0010');
  await migrateSlice(admin.db, { ...webhooksMigrations, migrations: Object.fromEntries(before) });
  const [full, empty] = [newId(), newId()];
  await sql`
    insert into webhooks.outbox_counter (account_id, pending, refused_count) values (${full}, 4321, 5), (${empty}, 0, 0)
  `.execute(admin.db);
  const later = Object.entries(webhooksMigrations.migrations).filter(([name]) => name < '0011');
  await migrateSlice(admin.db, { ...webhooksMigrations, migrations: Object.fromEntries(later) });
  const { rows } = await sql<{ account_id: string; shards: number; pending: number; bound: number }>`
    select account_id, count(*)::int as shards, sum(pending)::int as pending, max(bound) as bound
    from webhooks.outbox_shard group by account_id order by 3 desc
  `.execute(admin.db);
  // The quotas have not been distributed yet, so the first emit reads all shards of the account.
  expect(rows).toEqual([
    { account_id: full, shards: 8, pending: 4321, bound: 0 },
    { account_id: empty, shards: 8, pending: 0, bound: 0 },
  ]);
});
