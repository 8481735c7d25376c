import { sql, type RawBuilder } from 'kysely';

/**
 * Builds the SQL for the tsvector of a chunk: its words, followed by their parts, which have the label C and a lower
 * weight (`RANKING.derivedWeight`).
 */
export function makeVector(text: RawBuilder<unknown>, derived: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofText = sql`to_tsvector('simple', ${text})`;
  return sql`case when ${derived} = '' then ${ofText} else ${ofText} || ${derived}::tsvector end`;
}

/** SQL for a row of chunks: whether the next chunk of its source directly continues the text. */
export const goesOn = sql`(chunk_index < chunk_count - 1 and not tail_omitted)`;
