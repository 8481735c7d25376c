import type { LinkSettings } from '../session-link.ts';
import { presentHeading, presentPlace } from './session-heading.ts';
import type { SearchAnswerSchema } from './search-schemas.ts';
import type { AnswerBody } from '@steward/http';
import type { HalfExplanation, ResultSnippet, ScoreExplanation, SearchAnswer, SearchResult } from '@steward/search';

export function presentSearchAnswer(
  answer: SearchAnswer,
  settings: LinkSettings,
): AnswerBody<typeof SearchAnswerSchema> {
  const { coverage } = answer;
  return {
    query: answer.query,
    mode: answer.mode,
    effective_mode: answer.effectiveMode,
    results: answer.results.map((result) => presentResult(result, settings)),
    total: answer.total,
    total_is_exact: answer.totalIsExact,
    limit: answer.limit,
    offset: answer.offset,
    next_cursor: answer.nextCursor,
    indexed_from: coverage.indexedFrom,
    indexed_through: coverage.indexedThrough,
    backfill_complete: coverage.backfillComplete,
    backfill_state: coverage.backfillState,
    metadata_only_from: coverage.metadataOnlyFrom,
    metadata_only_through: coverage.metadataOnlyThrough,
    truncated_sources: coverage.truncatedSources,
    embedded_through: answer.embeddedThrough,
    degraded: answer.degraded,
    hint: answer.hint,
    elapsed_ms: answer.elapsedMs,
  };
}

function presentResult(result: SearchResult, settings: LinkSettings) {
  const { session, match, explanation } = result;
  return {
    ...presentHeading(session, settings),
    score: result.score,
    match_reason: result.matchReason,
    keyword_score: result.keywordScore,
    similarity: result.similarity,
    matched_chunk_count: match?.matchedChunkCount ?? 0,
    first_match_at: match?.firstMatchAt ?? null,
    last_match_at: match?.lastMatchAt ?? null,
    snippets: result.snippets.map(presentSnippet),
    ...(explanation === undefined ? {} : { explain: presentExplanation(explanation) }),
  };
}

function presentSnippet(snippet: ResultSnippet) {
  return {
    ...presentPlace(snippet),
    text: snippet.html,
    rank: snippet.rank,
    match_reason: snippet.matchReason,
    similarity: snippet.similarity,
  };
}

function presentExplanation({ chunks, fusion, ...explanation }: ScoreExplanation) {
  return {
    ...explanation,
    ...(fusion === undefined
      ? {}
      : {
          fusion: {
            constant: fusion.constant,
            keyword: presentHalf(fusion.keyword),
            semantic: presentHalf(fusion.semantic),
          },
        }),
    chunks: chunks.map(({ documentId, weight, titleBonus, terms }) => ({
      document_id: documentId,
      weight,
      title_bonus: titleBonus,
      terms,
    })),
  };
}

/**
 * Presents the keyword half or the semantic half of an explanation. The fields keep their names, but are listed here so
 * that a new field of the type is not added to the response automatically.
 */
function presentHalf(half: HalfExplanation | null) {
  return half === null ? null : { rank: half.rank, weight: half.weight, contribution: half.contribution };
}
