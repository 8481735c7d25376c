import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { EmbeddingScope } from '../embedding-setting.ts';

/** Position of a walk, from which the embedding progress of a corpus is computed. */
export interface WalkPlace {
  readonly probedTo: string;
  /** Id of the first chunk that is in a call or waits for a retry; null if there is none. */
  readonly openFrom: string | null;
  /** True if the scope includes chunks after the walk position. */
  readonly hasMore: boolean;
}

export interface WalkPlaceKey {
  readonly accountId: string;
  /** Key of the walk that the setting requires; nothing is read for any other walk. */
  readonly walkFor: string;
  readonly scope: EmbeddingScope;
}

/** Number of chunks after the walk position that are read in the order of the primary key. */
const NEXT_CHUNKS = 1000;

/**
 * Returns the position of a walk. Usually only a few chunks follow this position, and all of them are read in the order
 * of the primary key: with a condition on summaries, the planner would read all summaries of the account, since it does
 * not take the position into account. If at least `NEXT_CHUNKS` chunks follow, and the first ones are not in the scope,
 * the planner chooses how to read the rest.
 */
export async function readWalkPlace(
  db: AnyDatabase,
  { accountId, walkFor, scope }: WalkPlaceKey,
): Promise<WalkPlace | undefined> {
  // The account id is passed as a value, not read from `work`, so that only one partition is planned.
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
