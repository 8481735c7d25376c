import { sql } from 'kysely';
import { textArray, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { MASK_VERSION } from '@steward/masking';
import { buildIndexWords, INDEX_VERSION } from '../../words/index-words.ts';
import { goesOn, makeVector } from './index-words.store.ts';

/**
 * Condition for chunks that were masked with older rules. The version is a literal, because with a parameter the
 * planner would not use the partial index for this version.
 */
const isOutdated = sql`mask_version < ${sql.lit(MASK_VERSION)}`;

export interface OutdatedPlace {
  readonly occurredAt: Date;
  readonly id: string;
}

export interface OutdatedChunk extends OutdatedPlace {
  readonly sessionId: string;
}

/** Returns an account's chunks that were masked with older rules, newest first. */
export async function listOutdatedChunks(
  db: AnyDatabase,
  page: { readonly accountId: string; readonly after: OutdatedPlace | undefined; readonly limit: number },
): Promise<OutdatedChunk[]> {
  const { accountId, after, limit } = page;
  const isBehind =
    after === undefined ? sql`true` : sql`(occurred_at, id) < (${after.occurredAt}::timestamptz, ${after.id}::uuid)`;
  const found = await sql<OutdatedChunk>`
    select runtime_session_id as "sessionId", occurred_at as "occurredAt", id from search.chunk
    where account_id = ${accountId} and ${isOutdated} and ${isBehind}
    order by occurred_at desc, id desc limit ${limit}
  `.execute(db);
  return found.rows;
}

/** Returns the sources of a session that have chunks masked with older rules, as `kind:id`. */
export async function listOutdatedSources(
  db: AnyDatabase,
  accountId: string,
  sessionId: string,
): Promise<ReadonlySet<string>> {
  const found = await sql<{ source: string }>`
    select distinct source_kind || ':' || source_id as source from search.chunk
    where account_id = ${accountId} and runtime_session_id = ${sessionId} and ${isOutdated}
  `.execute(db);
  return new Set(found.rows.map((row) => row.source));
}

export async function listOutdatedTexts(
  db: AnyDatabase,
  query: { readonly accountId: string; readonly sessionId: string; readonly limit: number },
): Promise<{ id: string; content: string; goesOn: boolean }[]> {
  const found = await sql<{ id: string; content: string; goesOn: boolean }>`
    select id, content, ${goesOn} as "goesOn" from search.chunk
    where account_id = ${query.accountId} and runtime_session_id = ${query.sessionId} and ${isOutdated} limit ${query.limit}
  `.execute(db);
  return found.rows;
}

/** Replaces the text of chunks in place. */
export async function updateMaskedTexts(
  trx: AnyTransaction,
  accountId: string,
  texts: readonly {
    readonly id: string;
    readonly content: string;
    readonly isMasked: boolean;
    readonly goesOn: boolean;
  }[],
): Promise<void> {
  const words = texts.map(({ content, goesOn: isOn }) => buildIndexWords(content, isOn));
  await sql`
    update search.chunk set content = masked.content, mask_version = ${MASK_VERSION}::smallint,
      tsv = ${makeVector(sql`masked.index_text`, sql`masked.derived`)}, index_version = ${INDEX_VERSION}::smallint,
      redaction_state = case when masked.is_masked and redaction_state = 'clear' then 'redacted' else redaction_state end
    from unnest(${texts.map(({ id }) => id)}::uuid[], ${textArray(texts.map(({ content }) => content))}::text[],
      ${texts.map(({ isMasked }) => isMasked)}::boolean[], ${textArray(words.map(({ text }) => text))}::text[],
      ${textArray(words.map(({ derived }) => derived))}::text[]) as masked (id, content, is_masked, index_text, derived)
    where chunk.account_id = ${accountId} and chunk.id = masked.id
  `.execute(trx);
}
