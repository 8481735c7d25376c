import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { NewSessionContent } from '../../schema.ts';

export interface ReplacedContent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly copyOf: string | null;
  readonly copyOfSessionId: string | null;
}

interface SessionKey {
  readonly accountId: string;
  readonly sessionId: string;
}

/**
 * Returns the ids of the given entries of which an older revision is stored under the same external id. Uses one query
 * for all entries.
 */
export async function findOlderRevisions(
  trx: AnyTransaction,
  { accountId, sessionId }: SessionKey,
  rows: readonly NewSessionContent[],
): Promise<ReadonlySet<string>> {
  const asked = rows.filter(({ revision }) => revision > 0);
  if (asked.length === 0) return new Set();
  const result = await sql<{ id: string }>`
    select asked.id
    from unnest(
      ${asked.map(({ id }) => id)}::uuid[], ${asked.map((row) => row.external_id)}::text[],
      ${asked.map(({ revision }) => revision)}::integer[], ${asked.map(({ kind }) => kind)}::text[]
    ) asked (id, external_id, revision, kind)
    join gateway.session_content c on c.account_id = ${accountId} and c.runtime_session_id = ${sessionId}
      and c.external_id = asked.external_id and c.revision < asked.revision and c.kind = asked.kind
  `.execute(trx);
  return new Set(result.rows.map((row) => row.id));
}

/**
 * Time until the object of a replaced body is removed: a reader that read the row before the replacement may still open
 * the object.
 */
const REMOVAL_DELAY_SECONDS = 900;

/**
 * Overwrites the session's entry that has the same external id; the id and the time of the entry do not change. Returns
 * the entry if the new version differs in more than the revision, otherwise undefined. If the replaced body was in the
 * object store, its object is removed later. The caller must have locked the session.
 */
export async function replaceContent(
  trx: AnyTransaction,
  row: NewSessionContent,
): Promise<ReplacedContent | undefined> {
  const sizeBytes = row.contentJson === null ? 0 : Buffer.byteLength(row.contentJson);
  const result = await sql<ReplacedContent & { isOther: boolean }>`
    with before as (
      select id, (role, model_alias, tool_name, status, input_tokens, output_tokens, cache_read_tokens,
        cache_write_tokens, reasoning_tokens, coalesce(content_sha256, sha256(convert_to(content::text, 'utf8')))
        ) is distinct from (
          ${row.role}::text, ${row.model_alias}::text, ${row.tool_name}::text, ${row.status}::text,
          ${row.input_tokens}::integer, ${row.output_tokens}::integer, ${row.cache_read_tokens}::integer,
          ${row.cache_write_tokens}::integer, ${row.reasoning_tokens}::integer, sha256(convert_to(${row.contentJson}::text, 'utf8'))
        ) as is_other, content_object
      from gateway.session_content
      where account_id = ${row.account_id} and runtime_session_id = ${row.runtime_session_id}
        and external_id = ${row.external_id}
      for no key update
    ), removal as (
      insert into gateway.content_removal (account_id, runtime_session_id, object_key, due_at)
      select ${row.account_id}::uuid, ${row.runtime_session_id}::uuid, content_object,
        clock_timestamp() + make_interval(secs => ${REMOVAL_DELAY_SECONDS})
      from before where content_object is not null
    )
    update gateway.session_content c set
      role = ${row.role}, model_alias = ${row.model_alias}, tool_name = ${row.tool_name}, status = ${row.status},
      input_tokens = ${row.input_tokens}, output_tokens = ${row.output_tokens},
      cache_read_tokens = ${row.cache_read_tokens}, cache_write_tokens = ${row.cache_write_tokens},
      reasoning_tokens = ${row.reasoning_tokens}, revision = ${row.revision},
      content = ${row.contentJson}::json, content_object = null, content_object_bytes = null, content_sha256 = null,
      content_captured = ${row.contentJson !== null}, content_size_bytes = ${sizeBytes}
    from before
    where c.account_id = ${row.account_id} and c.id = before.id
    returning c.id, c.occurred_at as "occurredAt", c.copy_of as "copyOf", c.copy_of_session_id as "copyOfSessionId", before.is_other as "isOther"
  `.execute(trx);
  const [found] = result.rows;
  return found?.isOther === true ? found : undefined;
}

/**
 * Returns the keys (`nameFormer`) of the entries that an earlier release stored under their former id, in the same
 * session and with the same time.
 */
export async function findFormerEntries(
  trx: AnyTransaction,
  { accountId, sessionId }: SessionKey,
  entries: readonly { readonly formerId: string; readonly occurredAt: Date }[],
): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set();
  const result = await sql<{ former_id: string; occurred_at: Date }>`
    select former.former_id, former.occurred_at
    from unnest(${entries.map(({ formerId }) => formerId)}::text[], ${entries.map(({ occurredAt }) => occurredAt)}::timestamptz[])
      former (former_id, occurred_at)
    join gateway.session_content c on c.account_id = ${accountId} and c.runtime_session_id = ${sessionId}
      and c.external_id = former.former_id and c.occurred_at = former.occurred_at
  `.execute(trx);
  return new Set(result.rows.map((row) => nameFormer(row.former_id, row.occurred_at)));
}

/**
 * Returns the key of an entry with an id from an earlier release. The key includes the time, because such ids were not
 * unique.
 */
export function nameFormer(formerId: string, occurredAt: Date | undefined): string {
  return `${formerId} ${String(occurredAt?.getTime())}`;
}

/**
 * Adds tokens from later imports to existing entries without tokens: a call recorded by the gateway gets the tokens
 * from its transcript, and entries of an earlier import get those from a newer import. Returns the ids of the originals
 * of those updated entries that are copies.
 */
export async function addTokens(
  trx: AnyTransaction,
  { accountId, sessionId }: SessionKey,
  rows: readonly NewSessionContent[],
): Promise<readonly string[]> {
  const measured = rows.filter((row) => (row.input_tokens ?? row.output_tokens) !== null);
  if (measured.length === 0) return [];
  const column = <Key extends keyof NewSessionContent>(key: Key) => measured.map((row) => row[key]);
  const { rows: added } = await sql<{ copy_of: string | null }>`
    update gateway.session_content c set
      input_tokens = m.input_tokens, output_tokens = m.output_tokens, cache_read_tokens = m.cache_read_tokens,
      cache_write_tokens = m.cache_write_tokens, reasoning_tokens = m.reasoning_tokens
    from unnest(
      ${column('external_id')}::text[], ${column('kind')}::text[],
      ${column('input_tokens')}::integer[], ${column('output_tokens')}::integer[],
      ${column('cache_read_tokens')}::integer[], ${column('cache_write_tokens')}::integer[],
      ${column('reasoning_tokens')}::integer[]
    ) m (external_id, kind, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens)
    where c.account_id = ${accountId} and c.runtime_session_id = ${sessionId} and c.external_id = m.external_id
      and c.kind = m.kind and c.input_tokens is null and c.output_tokens is null
    returning c.copy_of
  `.execute(trx);
  return added.flatMap(({ copy_of: original }) => original ?? []);
}
