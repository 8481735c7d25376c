import type { SearchAnswer } from '../../api/answers.ts';

const REASONS: Readonly<Record<SearchAnswer['degraded']['reasons'][number], string>> = {
  semantic_not_enabled: 'Semantic search is disabled for this account; keyword results are shown.',
  semantic_disabled_by_deployment: 'Semantic search is disabled in this deployment; keyword results are shown.',
  semantic_daily_cap_reached: 'Today’s embedding cap is reached; keyword results are shown.',
  semantic_provider_error: 'The embedding provider reported an error or did not respond; keyword results are shown.',
  semantic_provider_misconfigured: 'Semantic search is not configured correctly; keyword results are shown.',
  semantic_model_mismatch: 'The stored content was embedded with another model; keyword results are shown.',
  semantic_no_vectors: 'No content is embedded yet; keyword results are shown.',
  semantic_backfill_incomplete: 'Some content is not embedded yet and cannot be found by meaning.',
  fusion_candidates_truncated: 'There may be further matches that this search mode did not examine.',
};

/** Describes the number of found sessions: "3 sessions" or, if the number is not exact, "At least 3 sessions". */
export function countSessions({ total, total_is_exact: isExact }: SearchAnswer): string {
  const count = `${new Intl.NumberFormat('en').format(total)} ${total === 1 ? 'session' : 'sessions'}`;
  return isExact ? count : `At least ${count}`;
}

/** Returns the reasons why the result may be incomplete, one sentence each; for an empty result, preceded by a hint. */
export function listReservations(answer: SearchAnswer): string[] {
  const isEmpty = answer.results.length === 0;
  const isBehind = !answer.backfill_complete && answer.indexed_from !== null;
  return [
    ...(isEmpty ? [answer.hint ?? 'No matches. Only exact word forms match: try another form, or fewer words.'] : []),
    ...(isBehind
      ? [
          `Older sessions are still being indexed; only sessions since ${toDate(answer.indexed_from)} are fully searched.`,
        ]
      : []),
    ...answer.degraded.reasons.map((reason) => REASONS[reason]),
  ];
}

function toDate(moment: string | null): string {
  return moment === null ? '' : new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(new Date(moment));
}
