import { MAX_CHUNKS } from '../rules/split-into-chunks.ts';

/**
 * SQL for a row of `search.chunk`: the index of the last chunk before the text that is omitted from the source of the
 * row; null if nothing is omitted. Only a source with the maximum number of chunks has a gap. The account must be the
 * parameter $1: if it were a column of the row, every partition would be scanned.
 */
export const SELECT_GAP = `case when chunk_count = ${MAX_CHUNKS} then (
    select cut.chunk_index from search.chunk cut where cut.account_id = $1
      and cut.source_kind = chunk.source_kind and cut.source_id = chunk.source_id and cut.tail_omitted
    limit 1) end`;
