import { sql, type RawBuilder } from 'kysely';

/**
 * The tsvector of a chunk: its words, and behind them the parts of these, which are marked (C) and weigh less
 * (`RANKING.derivedWeight`).
 */
export function makeVector(text: RawBuilder<unknown>, derived: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_tsvector('simple', ${text}) || ${derived}::tsvector`;
}

/** Of a row of chunks: whether the next chunk of its source goes on where it ends. */
export const goesOn = sql`(chunk_index < chunk_count - 1 and not tail_omitted)`;
