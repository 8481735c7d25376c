import { sql } from 'kysely';
import type { SliceMigration } from '@steward/database';

const ROWS_PER_BATCH = 10_000;

/**
 * Queues the rows of the audit log from before the trigger for their seals, in batches: writers do not wait. Nothing
 * seals until all steps are applied, so that a row cannot be sealed and queued again.
 */
export const queueAudits: SliceMigration = {
  isOnline: true,
  async up(db) {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const { rows } = await sql<{ last: string | null }>`
        with batch as (
          select id, account_id from gateway.audit_log where id > ${after} order by id limit ${ROWS_PER_BATCH}
        ), queued as (
          insert into gateway.audit_unsealed (audit_id, account_id) select id, account_id from batch
          on conflict (audit_id) do nothing
        )
        select max(id::text) as last from batch
      `.execute(db);
      const last = rows[0]?.last;
      if (typeof last !== 'string') return;
      after = last;
    }
  },
};
