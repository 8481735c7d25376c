import { sql, type RawBuilder } from 'kysely';
import { executePrepared, type AnyTransaction } from '@steward/database';
import { isKept } from '../../deletion/store/deleted-session.store.ts';
import { nameSegment } from '../../vectors/store/chunk-vector.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import type { EmbeddingScope } from '../embedding-setting.ts';
import type { EmbeddableText } from '../rules/fit-batches.ts';

export interface WalkPage {
  /**
   * A page of chunks, ordered by id: those in the scope that have no vector and are not in a call, waiting or set
   * aside.
   */
  readonly texts: readonly EmbeddableText[];
  /** Last id of the page; undefined if there are no chunks after `after`. */
  readonly lastId: string | undefined;
  readonly isEnd: boolean;
}

export interface WalkQuery {
  readonly accountId: string;
  readonly scope: EmbeddingScope;
  /** Space of the vectors; undefined before the first vector exists. */
  readonly space: VectorSpace | undefined;
  readonly after: string;
  /** Number of rows read. */
  readonly limit: number;
}

/**
 * Returns the condition for chunks that are embedded: neither content with only metadata nor deleted content is sent.
 * Unless the scope is `full`, only titles and summaries of sessions are sent.
 */
const isWanted = ({ accountId, scope }: Pick<WalkQuery, 'accountId' | 'scope'>): RawBuilder<boolean> =>
  sql`redaction_state <> 'metadata_only' and (${scope === 'full'}::boolean or source_kind = 'session_summary')
    and ${isKept(accountId)}`;

/** Selects the next chunks of an account in the order of the primary key. */
export async function readWalkPage(trx: AnyTransaction, query: WalkQuery): Promise<WalkPage> {
  const { accountId, space, after, limit } = query;
  const segment = space?.segment ?? null;
  const isInSegment =
    segment === null
      ? sql``
      : sql`and not exists (select from ${nameSegment(segment)} moved where moved.chunk_id = page.id)`;
  const statement = sql<{ id: string; text: string | null }>`
    with page as materialized (
      select id, case when ${isWanted(query)} then content end as content
      from search.chunk where account_id = ${accountId}::uuid and id > ${after}::uuid order by id limit ${limit}::int
    )
    select id, case when content is not null and not exists (
        select from search.embedding_task task where task.account_id = ${accountId}::uuid and task.chunk_id = page.id
      ) and not exists (
        select from search.chunk_vector vector where vector.space_id = ${space?.id ?? null}::uuid and vector.chunk_id = page.id
      ) ${isInSegment} then content end as text
    from page order by id
  `;
  // With a segment, the statement is not prepared, because the name of the segment is part of the SQL text.
  const { rows } =
    segment === null ? await executePrepared(trx, 'embedding-page', statement) : await statement.execute(trx);
  return {
    texts: rows.flatMap(({ id, text }) => (text === null ? [] : [{ chunkId: id, text }])),
    lastId: rows.at(-1)?.id,
    isEnd: rows.length < limit,
  };
}

/**
 * Returns the texts of chunks, ordered by id; chunks that were deleted, are out of scope or have only metadata are not
 * included.
 */
export async function readTexts(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly scope: EmbeddingScope; readonly chunkIds: readonly string[] },
): Promise<EmbeddableText[]> {
  const { rows } = await sql<EmbeddableText>`
    select id as "chunkId", content as text from search.chunk
    where account_id = ${key.accountId} and id = any(${key.chunkIds}::uuid[]) and ${isWanted(key)} order by id
  `.execute(trx);
  return rows;
}

/**
 * Locks chunks until the end of the transaction, and returns the ids of those that still have the text that was sent.
 */
export async function holdSentTexts(
  trx: AnyTransaction,
  accountId: string,
  sent: readonly EmbeddableText[],
): Promise<ReadonlySet<string>> {
  const chunkIds = sent.map(({ chunkId }) => chunkId);
  const { rows: held } = await sql<{ id: string }>`
    select id from search.hold_chunks(${accountId}, ${chunkIds}::uuid[])
  `.execute(trx);
  const texts = await readTexts(trx, { accountId, scope: 'full', chunkIds: held.map(({ id }) => id) });
  const present = new Map(texts.map(({ chunkId, text }) => [chunkId, text]));
  return new Set(sent.filter(({ chunkId, text }) => present.get(chunkId) === text).map(({ chunkId }) => chunkId));
}
