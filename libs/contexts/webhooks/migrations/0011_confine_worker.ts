import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const EMITTED = `('flow.execution.finished', 'session.ended')`;
const OWN = `account_id = (select l.account_id from gateway.leased() l)`;

/** For each table, the rows that a flow worker sees, and those that it may write. */
const CONFINED = [
  ['endpoint', OWN, OWN],
  ['outbox_shard', OWN, OWN],
  ['outbox_counter', OWN, OWN],
  ['event', OWN, `${OWN} and type in ${EMITTED}`],
  [
    'delivery',
    OWN,
    `${OWN} and event_type in ${EMITTED} and generation = 1 and attempt_count = 0 and exists (
       select from webhooks.endpoint e where e.id = endpoint_id and e.account_id = delivery.account_id
     )`,
  ],
] as const;

/** A flow worker emits the two events of a run, to endpoints of the account whose execution it has leased. */
export const confineWorker: Migration = {
  async up(db) {
    for (const [table, seen, written] of CONFINED) {
      const name = sql.id('webhooks', table);
      await sql`alter table ${name} enable row level security`.execute(db);
      await sql`create policy granted on ${name} using (true)`.execute(db);
      await sql`
        create policy leased on ${name} as restrictive to steward_flow_trigger
        using (${sql.raw(seen)}) with check (${sql.raw(written)})
      `.execute(db);
    }
    // The receivers of an event are selected without the address, which may contain the receiver's credential.
    await sql`revoke select on webhooks.endpoint from steward_flow_trigger`.execute(db);
    await sql`
      grant select (id, account_id, source, source_id, event_types, refusal_reason, deleted_at) on webhooks.endpoint
      to steward_flow_trigger
    `.execute(db);
  },
};
