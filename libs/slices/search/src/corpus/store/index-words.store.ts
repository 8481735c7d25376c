import { sql, type RawBuilder } from 'kysely';

/**
 * The tsvector of a chunk: its words, and behind them the parts of these, which are marked (C) and weigh less
 * (`RANKING.derivedWeight`).
 */
export function makeVector(text: RawBuilder<unknown>, derived: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_tsvector('simple', ${text}) || ${derived}::tsvector`;
}
