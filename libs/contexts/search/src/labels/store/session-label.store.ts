import { sql, type RawBuilder } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * Replaces the searchable labels of a session. The caller must have locked the session's row, so that concurrent
 * writers are serialized.
 */
export async function replaceSessionLabels(
  trx: AnyTransaction,
  session: { readonly accountId: string; readonly sessionId: string; readonly labels: readonly string[] },
): Promise<void> {
  const { accountId, sessionId } = session;
  const labels = [...session.labels];
  await sql`
    with gone as (
      delete from search.session_label
      where account_id = ${accountId} and runtime_session_id = ${sessionId} and label <> all (${labels}::text[])
    )
    insert into search.session_label (account_id, label, runtime_session_id)
    select ${accountId}, label, ${sessionId} from unnest(${labels}::text[]) as given (label)
    on conflict do nothing
  `.execute(trx);
}

/** Returns a subquery for the ids of the account's sessions with a label; other contexts use it in their statements. */
export function selectLabelledSessions(accountId: string, label: string): RawBuilder<{ runtime_session_id: string }> {
  return sql`
    select runtime_session_id from search.session_label where account_id = ${accountId}::uuid and label = ${label}
  `;
}
