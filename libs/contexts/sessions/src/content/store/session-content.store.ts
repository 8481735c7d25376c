import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { ContentFacts, SessionContent } from '../session-content.ts';
import type { SessionContentKind } from '@steward/contracts';
import { tables, type NewSessionContent, type SessionContentRow } from '../../schema.ts';

/**
 * Converts a row. A body in the object store is not opened here: readers use `openContent`.
 */
export function toSessionContent(row: SessionContentRow): SessionContent {
  return {
    ...toContentFacts(row, row.content_captured),
    content: row.content,
    contentError: row.content_object === null ? null : 'unavailable',
  };
}

/** Converts the columns of a row other than its body. */
export function toContentFacts(row: Omit<NewSessionContent, 'contentJson'>, contentCaptured: boolean): ContentFacts {
  const { copy_of: copyOf, copy_of_session_id: copyOfSessionId } = row;
  // The tokens of a copy are counted for its original.
  const isCounted = copyOf === null;
  return {
    id: row.id,
    runtimeSessionId: row.runtime_session_id,
    kind: row.kind,
    occurredAt: row.occurred_at,
    role: row.role,
    externalId: row.external_id,
    apiKeyId: row.api_key_id,
    modelAlias: row.model_alias,
    providerName: row.provider_name,
    toolName: row.tool_name,
    status: row.status,
    inputTokens: isCounted ? row.input_tokens : null,
    outputTokens: isCounted ? row.output_tokens : null,
    cacheReadTokens: isCounted ? row.cache_read_tokens : null,
    cacheWriteTokens: isCounted ? row.cache_write_tokens : null,
    reasoningTokens: isCounted ? row.reasoning_tokens : null,
    costUsd: row.cost_usd,
    copyOf: copyOf === null || copyOfSessionId === null ? null : { id: copyOf, sessionId: copyOfSessionId },
    contentCaptured,
    createdAt: row.created_at,
  };
}

/**
 * Order and conflict clause for rows with an origin: if two concurrent imports contain copies of the same entries, both
 * lock the rows in the same order. Unlike `BY_EXTERNAL_ID`, the clause also omits entries that another session already
 * has.
 */
const BY_ORIGIN = sql`order by r.origin nulls last on conflict do nothing`;
const BY_EXTERNAL_ID = sql`on conflict (account_id, runtime_session_id, external_id) where external_id is not null do nothing`;

/**
 * Inserts all rows in one statement and returns the stored ids. A row whose external id the session already has is
 * omitted. Each column is one array parameter, so a thousand messages need 25 parameters instead of 25,000. The bodies
 * are passed as one JSON array, because the driver would escape a list of strings character by character, which takes a
 * second for two million quotes.
 */
export async function insertContent(
  trx: AnyTransaction,
  rows: readonly NewSessionContent[],
): Promise<ReadonlySet<string>> {
  const column = <Key extends keyof NewSessionContent>(key: Key) => rows.map((row) => row[key]);
  const hasOrigins = rows.some(({ origin, copy_of: copyOf }) => origin !== null && copyOf === null);
  const sizes = rows.map((row) => (row.contentJson === null ? 0 : Buffer.byteLength(row.contentJson)));
  const bodies = `[${rows.map((row) => row.contentJson ?? 'null').join(',')}]`;
  const statement = sql<{ id: string }>`
    insert into gateway.session_content (
      account_id, id, runtime_session_id, kind, occurred_at, role, external_id, api_key_id, model_alias, provider_name,
      tool_name, status, input_tokens, output_tokens, cost_usd, cache_read_tokens, cache_write_tokens, reasoning_tokens, revision,
      origin, copy_of, copy_of_session_id, content, content_captured, content_size_bytes, created_at
    )
    select
      r.account_id, r.id, r.runtime_session_id, r.kind, r.occurred_at, r.role, r.external_id, r.api_key_id, r.model_alias,
      r.provider_name, r.tool_name, r.status, r.input_tokens, r.output_tokens, r.cost_usd,
      r.cache_read_tokens, r.cache_write_tokens, r.reasoning_tokens, r.revision, r.origin, r.copy_of, r.copy_of_session_id,
      case when r.size_bytes > 0 then r.content end, r.size_bytes > 0, r.size_bytes, r.created_at
    from rows from (unnest(
      ${column('account_id')}::uuid[], ${column('id')}::uuid[], ${column('runtime_session_id')}::uuid[],
      ${column('kind')}::text[], ${column('occurred_at')}::timestamptz[], ${column('role')}::text[],
      ${column('external_id')}::text[], ${column('api_key_id')}::uuid[], ${column('model_alias')}::text[],
      ${column('provider_name')}::text[], ${column('tool_name')}::text[], ${column('status')}::text[],
      ${column('input_tokens')}::integer[], ${column('output_tokens')}::integer[], ${column('cost_usd')}::numeric[],
      ${column('cache_read_tokens')}::integer[], ${column('cache_write_tokens')}::integer[],
      ${column('reasoning_tokens')}::integer[], ${column('revision')}::integer[],
      ${column('origin')}::uuid[], ${column('copy_of')}::uuid[], ${column('copy_of_session_id')}::uuid[],
      ${sizes}::integer[], ${column('created_at')}::timestamptz[]
    ), json_array_elements(${bodies}::json)) as r (
      account_id, id, runtime_session_id, kind, occurred_at, role, external_id, api_key_id, model_alias,
      provider_name, tool_name, status, input_tokens, output_tokens, cost_usd, cache_read_tokens, cache_write_tokens,
      reasoning_tokens, revision, origin, copy_of, copy_of_session_id, size_bytes, created_at, content
    )
    ${hasOrigins ? BY_ORIGIN : BY_EXTERNAL_ID}
    returning id
  `;
  const result = await executePrepared(
    trx,
    hasOrigins ? 'sessions.insert-originals' : 'sessions.insert-content',
    statement,
  );
  return new Set(result.rows.map((row) => row.id));
}

/** Returns the session's entry with this external id. */
export async function findContentByExternalId(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string; readonly externalId: string },
): Promise<SessionContent | undefined> {
  const row = await tables(db)
    .selectFrom('gateway.session_content')
    .selectAll()
    .where('account_id', '=', key.accountId)
    .where('runtime_session_id', '=', key.sessionId)
    .where('external_id', '=', key.externalId)
    .executeTakeFirst();
  return row === undefined ? undefined : toSessionContent(row);
}

export interface TimelineKey {
  readonly accountId: string;
  readonly sessionId: string;
}

/** A position in the timeline of a session. */
export interface TimelinePlace {
  readonly occurredAt: Date;
  readonly id: string;
}

export interface PlacedContent extends TimelinePlace {
  readonly kind: SessionContentKind;
  readonly sizeBytes: number;
}

const PLACE = ['id', 'occurred_at as occurredAt', 'kind', 'content_size_bytes as sizeBytes'] as const;

/** Returns the position of a row of a session's timeline by its id. */
export async function findTimelinePlace(
  db: AnyDatabase,
  { accountId, sessionId, id }: TimelineKey & { readonly id: string },
): Promise<PlacedContent | undefined> {
  return tables(db)
    .selectFrom('gateway.session_content')
    .select(PLACE)
    .where('account_id', '=', accountId)
    .where('runtime_session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type TimelineOrder = 'asc' | 'desc';

/**
 * Returns position and size of the next rows of a session's timeline, oldest or newest first. Their bodies are read
 * later, when it is known how many fit in a page.
 */
export async function listTimelinePlaces(
  db: AnyDatabase,
  key: TimelineKey & {
    /** Position after which the returned rows begin, in the requested order. */
    readonly after?: TimelinePlace | undefined;
    readonly kind?: SessionContentKind | undefined;
    readonly order?: TimelineOrder | undefined;
    readonly limit: number;
  },
): Promise<PlacedContent[]> {
  const { after, kind, order = 'asc' } = key;
  let query = tables(db)
    .selectFrom('gateway.session_content')
    .select(PLACE)
    .where('account_id', '=', key.accountId)
    .where('runtime_session_id', '=', key.sessionId)
    .orderBy('occurred_at', order)
    .orderBy('id', order)
    .limit(key.limit);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  const isBehind = order === 'asc' ? sql`>` : sql`<`;
  if (after !== undefined)
    query = query.where(sql<boolean>`(occurred_at, id) ${isBehind} (${after.occurredAt}, ${after.id}::uuid)`);
  return query.execute();
}

/** Position of a piece of content in the order of an account's content. */
export interface ContentPlace {
  readonly sessionId: string;
  readonly id: string;
  readonly kind: SessionContentKind;
  readonly occurredAt: Date;
  readonly sizeBytes: number;
}

/**
 * Returns the positions of the next content of the given sessions, in the order of the sessions and oldest first within
 * each session. Of the first session, only rows after `after` are returned.
 */
export async function listContentPlaces(
  db: AnyDatabase,
  key: {
    readonly accountId: string;
    readonly sessionIds: readonly string[];
    readonly after: Pick<ContentPlace, 'occurredAt' | 'id'> | undefined;
    readonly limit: number;
  },
): Promise<readonly ContentPlace[]> {
  const { accountId, sessionIds, after, limit } = key;
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(session.place > 1 or (occurred_at, id) > (${after.occurredAt}::timestamptz, ${after.id}::uuid))`;
  const result = await sql<ContentPlace>`
    select content.* from unnest(${[...sessionIds]}::uuid[]) with ordinality session (id, place) cross join lateral (
      select runtime_session_id as "sessionId", id, kind, occurred_at as "occurredAt", content_size_bytes as "sizeBytes"
      from gateway.session_content where account_id = ${accountId} and runtime_session_id = session.id and ${isBehind}
      order by occurred_at, id limit ${limit}
    ) content
    order by session.place, content."occurredAt", content.id limit ${limit}
  `.execute(db);
  return result.rows;
}

export async function listContent(
  db: AnyDatabase,
  accountId: string,
  ids: readonly string[],
): Promise<SessionContentRow[]> {
  if (ids.length === 0) return [];
  return tables(db)
    .selectFrom('gateway.session_content')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${[...ids]}::uuid[])`)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute();
}
