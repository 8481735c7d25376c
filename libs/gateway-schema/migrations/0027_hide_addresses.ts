import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit log contained addresses of receivers and tool servers with their paths, which are often the credential
 * (ACC-47).
 */
export const hideAddresses: Migration = {
  async up(db) {
    await sql`
      update gateway.audit_log
      set details = regexp_replace(details::text, '(https?://)([^/@?#"\\s]*@)?([^/@?#"\\s]+)([/?#][^"\\s]+)?', '\\1\\3/[hidden]', 'g')::jsonb
      where resource_type in ('approval_workflow', 'mcp_server') and details::text ~ 'https?://[^/?#"]+([/?#][^"\\s]|@)'
    `.execute(db);
  },
};
