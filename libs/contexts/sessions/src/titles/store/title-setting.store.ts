import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { RuntimeSessionRow } from '../../schema.ts';

/**
 * Returns the id of the model that generates the titles of an account's sessions (SESS-38); undefined if titles are
 * derived by rule.
 */
export async function findTitleModel(db: AnyDatabase, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ ai_model_id: string }>`
    select ai_model_id from gateway.title_setting where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.ai_model_id;
}

export async function saveTitleModel(
  trx: AnyTransaction,
  { accountId, aiModelId, now }: { readonly accountId: string; readonly aiModelId: string | null; readonly now: Date },
): Promise<void> {
  if (aiModelId === null) await sql`delete from gateway.title_setting where account_id = ${accountId}`.execute(trx);
  else {
    await sql`
      insert into gateway.title_setting (account_id, ai_model_id, updated_at) values (${accountId}, ${aiModelId}, ${now})
      on conflict (account_id) do update set ai_model_id = excluded.ai_model_id, updated_at = excluded.updated_at
    `.execute(trx);
  }
}

/**
 * Stores the title that a model generated from `titleHint`; if `title` is null, only records that the model was asked.
 * Returns undefined if the hint of the session has changed since, or if its title was set by a client or imported.
 */
export async function setAskedTitle(
  trx: AnyTransaction,
  { accountId, id, titleHint }: { readonly accountId: string; readonly id: string; readonly titleHint: string | null },
  title: string | null,
): Promise<RuntimeSessionRow | undefined> {
  const result = await sql<RuntimeSessionRow>`
    update gateway.runtime_session set
      title = coalesce(${title}::text, title),
      title_origin = case when ${title}::text is null then title_origin else 'generated' end,
      title_asked_of = title_hint, updated_at = clock_timestamp()
    where account_id = ${accountId} and id = ${id} and title_hint = ${titleHint}
      and (title_origin is null or title_origin = 'generated')
    returning *
  `.execute(trx);
  return result.rows[0];
}
