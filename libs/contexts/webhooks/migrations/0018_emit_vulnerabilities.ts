import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const EMITTED = `('flow.execution.finished', 'session.ended', 'cra.reportable_vulnerability')`;
const OWN = `account_id = (select l.account_id from gateway.leased() l)`;

/**
 * A flow worker also emits the vulnerabilities that a run found, under the same rules as the other two events of a run
 * (0011).
 */
export const emitVulnerabilities: Migration = {
  async up(db) {
    await sql`
      alter policy leased on webhooks.event with check (${sql.raw(`${OWN} and type in ${EMITTED}`)})
    `.execute(db);
    await sql`
      alter policy leased on webhooks.delivery with check (${sql.raw(
        `${OWN} and event_type in ${EMITTED} and generation = 1 and attempt_count = 0 and exists (
           select from webhooks.endpoint e where e.id = endpoint_id and e.account_id = delivery.account_id
         )`,
      )})
    `.execute(db);
  },
};
