import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { NewSessionContent, SessionContentRow } from '../../schema.ts';

interface SessionKey {
  readonly accountId: string;
  readonly sessionId: string;
}

/** The original of a copied entry. */
export interface OriginalEntry {
  readonly id: string;
  readonly sessionId: string;
}

/**
 * Returns the originals of rows that were not inserted, by the id of the row: null if the session itself has the entry
 * under another external id, `gone` if the original has just been deleted. Rows without an origin, and rows whose
 * external id the session already has, are omitted. All rows are looked up in one statement. The originals are locked
 * until the end of the transaction, so that their deletion finds the copies.
 */
export async function findOriginals(
  trx: AnyTransaction,
  { accountId, sessionId }: SessionKey,
  rows: readonly NewSessionContent[],
): Promise<ReadonlyMap<string, OriginalEntry | 'gone' | null>> {
  const asked = rows.filter(({ origin }) => origin !== null);
  if (asked.length === 0) return new Map();
  const result = await sql<{ asked: string; id: string | null; session_id: string }>`
    select asked.id as asked, original.id, original.session_id
    from unnest(
      ${asked.map(({ id }) => id)}::uuid[], ${asked.map((row) => row.external_id)}::text[],
      ${asked.map(({ origin }) => origin)}::uuid[]
    ) asked (id, external_id, origin)
    left join lateral (
      select c.id, c.runtime_session_id as session_id from gateway.session_content c
      where c.account_id = ${accountId} and c.origin = asked.origin and c.copy_of is null for key share
    ) original on true
    where not exists (
      select from gateway.session_content own
      where own.account_id = ${accountId} and own.runtime_session_id = ${sessionId} and own.external_id = asked.external_id
    )
  `.execute(trx);
  const readFound = ({ id, session_id: found }: (typeof result.rows)[number]): OriginalEntry | 'gone' | null => {
    if (id === null) return 'gone';
    return found === sessionId ? null : { id, sessionId: found };
  };
  return new Map(result.rows.map((row) => [row.asked, readFound(row)]));
}

/**
 * Returns the ids of those copies whose bodies differ from the bodies of their originals, for example in the result of
 * a tool call.
 */
export async function listOtherCopies(
  db: AnyDatabase,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const result = await sql<{ id: string }>`
    select copy.id from gateway.session_content copy
    join gateway.session_content original on original.account_id = ${accountId} and original.id = copy.copy_of
    where copy.account_id = ${accountId} and copy.id = any (${[...ids]}::uuid[])
      and case
        when copy.content_object is null and original.content_object is null
          then copy.content::text is distinct from original.content::text
        else coalesce(copy.content_sha256, sha256(convert_to(copy.content::text, 'utf8')))
          is distinct from coalesce(original.content_sha256, sha256(convert_to(original.content::text, 'utf8')))
      end
  `.execute(db);
  return new Set(result.rows.map(({ id }) => id));
}

/**
 * Gives entries without tokens the tokens of one of their copies, so that a response that was recorded twice is counted
 * once. The rows are locked in the order of their ids, so that two imports do not deadlock.
 */
export async function adoptTokens(trx: AnyTransaction, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with bare as (
      select id from gateway.session_content
      where account_id = ${accountId} and id = any (${[...ids]}::uuid[]) and copy_of is null
        and input_tokens is null and output_tokens is null
      order by id for no key update
    ), measured as (
      select distinct on (copy.copy_of) copy.*
      from bare join gateway.session_content copy on copy.account_id = ${accountId} and copy.copy_of = bare.id
      where copy.input_tokens is not null or copy.output_tokens is not null
      order by copy.copy_of, copy.created_at, copy.id
    )
    update gateway.session_content c set
      input_tokens = m.input_tokens, output_tokens = m.output_tokens, cache_read_tokens = m.cache_read_tokens,
      cache_write_tokens = m.cache_write_tokens, reasoning_tokens = m.reasoning_tokens
    from measured m where c.account_id = ${accountId} and c.id = m.copy_of
  `.execute(trx);
}

export async function listCopiesOf(
  db: AnyDatabase,
  accountId: string,
  ids: readonly string[],
): Promise<readonly SessionContentRow[]> {
  if (ids.length === 0) return [];
  const result = await sql<SessionContentRow>`
    select * from gateway.session_content where account_id = ${accountId} and copy_of = any (${[...ids]}::uuid[])
  `.execute(db);
  return result.rows;
}

/**
 * Turns the oldest copies of deleted entries into originals, and makes the other copies refer to these originals.
 * Returns the entries that became originals.
 */
export async function adoptOrphans(
  trx: AnyTransaction,
  accountId: string,
  deletedIds: readonly string[],
): Promise<readonly SessionContentRow[]> {
  if (deletedIds.length === 0) return [];
  const result = await sql<SessionContentRow>`
    with orphans as (
      select id, first_value(id) over oldest as heir, first_value(runtime_session_id) over oldest as heir_session
      from gateway.session_content
      where account_id = ${accountId} and copy_of = any (${[...deletedIds]}::uuid[])
      window oldest as (partition by copy_of order by created_at, id)
    ), moved as (
      update gateway.session_content c set
        copy_of = case when orphans.heir = c.id then null else orphans.heir end,
        copy_of_session_id = case when orphans.heir = c.id then null else orphans.heir_session end
      from orphans where c.account_id = ${accountId} and c.id = orphans.id
      returning c.*
    )
    select * from moved where copy_of is null
  `.execute(trx);
  return result.rows;
}
