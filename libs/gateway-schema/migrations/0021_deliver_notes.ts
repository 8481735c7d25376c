import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds the delivery state of a note: the lease of its current delivery, its withdrawal, and notes that wait for a
 * session that does not exist yet. The text of such a note is stored here: content needs a session.
 */
export const deliverNotes: Migration = {
  async up(db) {
    await sql`
      alter table gateway.operator_note
        alter column runtime_session_id drop not null,
        add column execution_id uuid,
        add column text text,
        add column cancelled_at timestamptz(3),
        add column claim_token uuid,
        add column claimed_until timestamptz(3),
        add constraint operator_note_text_check check (runtime_session_id is not null or text is not null),
        add constraint operator_note_claim_check check ((claim_token is null) = (claimed_until is null)),
        add constraint operator_note_end_check check (
          cancelled_at is null or (delivered_at is null and claim_token is null)
        )
    `.execute(db);
    await sql`drop index gateway.operator_note_pending_index`.execute(db);
    // Queried before every model call: most accounts have no notes.
    await sql`
      create index operator_note_pending_index on gateway.operator_note (account_id, runtime_session_id, id)
      where delivered_at is null and cancelled_at is null
    `.execute(db);
    await sql`
      create index operator_note_agent_index on gateway.operator_note (account_id, managed_agent_id, id)
      where delivered_at is null and cancelled_at is null
    `.execute(db);
  },
};
