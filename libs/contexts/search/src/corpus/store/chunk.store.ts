import { sql } from 'kysely';
import type { SourceKind } from '@steward/contracts';
import { executeDeferred, textArray, type AnyTransaction } from '@steward/database';
import { MASK_VERSION } from '@steward/masking';
import { INDEX_VERSION, type IndexWords } from '../../words/index-words.ts';
import type { RedactionState } from '../chunk-source.ts';
import { makeVector } from './index-words.store.ts';

export interface SourceKey {
  readonly accountId: string;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
}

export interface NewChunk extends SourceKey {
  readonly runtimeSessionId: string;
  readonly chunkIndex: number;
  readonly chunkCount: number;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly content: string;
  readonly words: IndexWords;
  readonly contentHash: Buffer;
  readonly redactionState: RedactionState;
  readonly startOffset: number;
  readonly endOffset: number;
  /** Whether this chunk is followed by a part of the source's text that is in no chunk. */
  readonly gapFollows: boolean;
  readonly modelAlias: string | null;
  readonly providerName: string | null;
  readonly runtimePrincipalId: string | null;
  readonly apiKeyId: string | null;
  readonly flowId: string | null;
  readonly status: string | null;
}

/**
 * Serializes writers of the same sources until the end of the transaction. The locks are taken in the order of the
 * list.
 */
export async function lockSources(trx: AnyTransaction, keys: readonly SourceKey[]): Promise<void> {
  if (keys.length === 0) return;
  const names = keys.map((key) => `search.chunk:${key.accountId}:${key.sourceKind}:${key.sourceId}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) name`.execute(trx);
}

/** Returns a hash of the stored state of each source, by `kind:id`; sources without chunks are not included. */
export async function findSourceHashes(trx: AnyTransaction, keys: readonly SourceKey[]): Promise<Map<string, Buffer>> {
  const rows = await sql<{ source_kind: SourceKind; source_id: string; content_hash: Buffer }>`
    select distinct on (chunk.source_kind, chunk.source_id) chunk.source_kind, chunk.source_id, chunk.content_hash
    from unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.sourceKind)}::text[],
      ${keys.map((key) => key.sourceId)}::text[]) as wanted (account_id, source_kind, source_id)
    join search.chunk using (account_id, source_kind, source_id)
  `.execute(trx);
  return new Map(rows.rows.map((row) => [`${row.source_kind}:${row.source_id}`, row.content_hash]));
}

export async function deleteSources(trx: AnyTransaction, keys: readonly SourceKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from search.chunk using unnest(${keys.map((key) => key.accountId)}::uuid[],
      ${keys.map((key) => key.sourceKind)}::text[], ${keys.map((key) => key.sourceId)}::text[])
      as gone (account_id, source_kind, source_id)
    where chunk.account_id = gone.account_id and chunk.source_kind = gone.source_kind and chunk.source_id = gone.source_id
  `.execute(trx);
}

/**
 * SQL for a new UUID v7; ids ascend in the order of the rows. The time is that of the database's clock, because code
 * that walks the corpus by ids must not miss rows of a process whose own clock is slow.
 */
const NEXT_ID = sql`(
    select (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7' || lpad(to_hex(place % 4096), 3, '0') || substr(gen_random_uuid()::text, 19))::uuid
    from lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') hex
  )`;

/**
 * Stores any number of chunks in one statement, since a round trip costs more than the rows. The statement is sent
 * together with the next one of the transaction.
 */
export async function insertChunks(trx: AnyTransaction, chunks: readonly NewChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const column = <Key extends keyof NewChunk>(key: Key): NewChunk[Key][] => chunks.map((chunk) => chunk[key]);
  const words = column('words');
  // The indexed text nearly always equals the content. In this case, the text is sent only once.
  const indexTexts = chunks.map(({ content, words: { text } }) => (text === content ? null : text));
  await executeDeferred(
    trx,
    'search.insert-chunks',
    sql`
    insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count,
      occurred_at, indexed_at, role, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted,
      model_alias, provider_name, runtime_principal_id, api_key_id, flow_id, status, mask_version, tsv, index_version)
    select account_id, ${NEXT_ID}, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
      clock_timestamp(), role, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted, model_alias,
      provider_name, runtime_principal_id, api_key_id, flow_id, status, ${MASK_VERSION}::smallint,
      ${makeVector(sql`coalesce(index_text, content)`, sql`derived`)}, ${INDEX_VERSION}::smallint
    from unnest(${column('accountId')}::uuid[], ${column('runtimeSessionId')}::uuid[],
      ${column('sourceKind')}::text[], ${column('sourceId')}::text[], ${column('chunkIndex')}::smallint[],
      ${column('chunkCount')}::smallint[], ${column('occurredAt')}::timestamptz[], ${column('role')}::text[],
      ${textArray(column('content'))}::text[], ${column('contentHash')}::bytea[], ${column('redactionState')}::text[],
      ${column('startOffset')}::integer[], ${column('endOffset')}::integer[], ${column('gapFollows')}::boolean[],
      ${column('modelAlias')}::text[], ${column('providerName')}::text[], ${column('runtimePrincipalId')}::text[],
      ${column('apiKeyId')}::uuid[], ${column('flowId')}::uuid[], ${column('status')}::text[],
      ${textArray(indexTexts)}::text[], ${textArray(words.map(({ derived }) => derived))}::text[]) with ordinality
      as new (account_id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at, role,
      content, content_hash, redaction_state, start_offset, end_offset, tail_omitted, model_alias, provider_name,
      runtime_principal_id, api_key_id, flow_id, status, index_text, derived, place)
    on conflict (account_id, source_kind, source_id, chunk_index) do nothing
  `,
  );
}
