import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes entries whose id begins with a trace id, by trace: this finds the session of the other spans (OTLP-3). */
export const indexTracedContent: Migration = {
  async up(db) {
    await sql`
      create index session_content_trace_index
      on gateway.session_content (account_id, external_id collate "C", runtime_session_id)
      where external_id ~ '^[0-9a-f]{32}:'
    `.execute(db);
  },
};
