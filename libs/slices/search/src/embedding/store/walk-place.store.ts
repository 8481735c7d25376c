import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { EmbeddingScope } from '../embedding-setting.ts';

/** Where a walk is, for whoever asks how far a corpus is embedded. */
export interface WalkPlace {
  readonly probedTo: string;
  /** The first chunk that is in a call or to be tried again. */
  readonly openFrom: string | null;
  /** The scope wants chunks the walk has not come to. */
  readonly hasMore: boolean;
}

export interface WalkPlaceKey {
  readonly accountId: string;
  /** The walk that is asked for; of another nothing is read. */
  readonly walkFor: string;
  readonly scope: EmbeddingScope;
}

/** Chunks behind the walk that are looked at one by one. */
const NEXT_CHUNKS = 1000;

/**
 * As a rule few chunks are behind the walk, and all of them are looked at, along the primary key: asked for summaries alone, the
 * planner reads all the summaries of the account, since it cannot know where the walk is. Where a whole page holds nothing that is
 * wanted, the rest is asked for as the planner likes.
 */
export async function readWalkPlace(
  db: AnyDatabase,
  { accountId, walkFor, scope }: WalkPlaceKey,
): Promise<WalkPlace | undefined> {
  // By value: so that one partition is planned for.
  const isBehind = sql`account_id = ${accountId} and id > work.probed_to`;
  const next = sql`from search.chunk where ${isBehind} order by id limit ${NEXT_CHUNKS}`;
  const isWanted = sql`redaction_state <> 'metadata_only' and (${scope === 'full'} or source_kind = 'session_summary')`;
  const { rows } = await sql<WalkPlace>`
    select probed_to as "probedTo",
      (select chunk_id from search.embedding_task where account_id = work.account_id and state <> 'failed'
        order by chunk_id limit 1) as "openFrom",
      exists (select from (select redaction_state, source_kind ${next}) as next where ${isWanted})
        or ((select count(*) from (select ${next}) as next) = ${NEXT_CHUNKS}
          and exists (select from search.chunk where ${isBehind} and ${isWanted})) as "hasMore"
    from search.embedding_work work where account_id = ${accountId} and walk_for = ${walkFor}
  `.execute(db);
  return rows[0];
}
