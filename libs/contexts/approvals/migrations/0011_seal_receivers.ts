import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Receivers of a workflow: their origins in plaintext, their addresses sealed together. Plaintext addresses were stored
 * by an earlier release: the gateway, which has the key, moves them.
 */
export const sealReceivers: Migration = {
  async up(db) {
    await sql`
      alter table approvals.approval_workflow
        -- Null: sealed. Such a release fails over it rather than take a workflow for one without receivers.
        alter column channel_configs drop not null,
        -- Of channel_configs and approval_webhook_url, sealed for this workflow. Null: there are none.
        add column receivers_sealed bytea,
        -- The same with origins for addresses.
        add column receivers_shown jsonb,
        add constraint approval_workflow_receivers_check
          check (channel_configs is not null or (receivers_sealed is not null and receivers_shown is not null))
    `.execute(db);
  },
};
