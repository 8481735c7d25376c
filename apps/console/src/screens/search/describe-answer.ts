import type { SearchAnswer } from '../../api/answers.ts';

const REASONS: Readonly<Record<SearchAnswer['degraded']['reasons'][number], string>> = {
  semantic_not_enabled: 'Search by meaning is switched off for this account; words were searched.',
  semantic_disabled_by_deployment: 'Search by meaning is switched off for this deployment; words were searched.',
  semantic_daily_cap_reached: 'Today’s cap for search by meaning is spent; words were searched.',
  semantic_provider_error: 'The provider of search by meaning did not answer; words were searched.',
  semantic_provider_misconfigured: 'Search by meaning is not set up rightly; words were searched.',
  semantic_model_mismatch: 'What is stored was embedded by another model; words were searched.',
  semantic_no_vectors: 'Nothing is embedded yet; words were searched.',
  semantic_backfill_incomplete: 'Some content is not embedded yet and could not be found by its meaning.',
  fusion_candidates_truncated: 'More may match than these modes look at.',
};

/** "3 sessions", and no more certain than the search is. */
export function countSessions({ total, total_is_exact: isExact }: SearchAnswer): string {
  const count = `${new Intl.NumberFormat('en').format(total)} ${total === 1 ? 'session' : 'sessions'}`;
  return isExact ? count : `At least ${count}`;
}

/** What the answer does not cover, a sentence each; of an empty answer also why, and what to try. */
export function listReservations(answer: SearchAnswer): string[] {
  const isEmpty = answer.results.length === 0;
  const isBehind = !answer.backfill_complete && answer.indexed_from !== null;
  return [
    ...(isEmpty
      ? [answer.hint ?? 'Nothing matches. Words match as they are written: try another form, or fewer of them.']
      : []),
    ...(isBehind
      ? [`Older sessions are still being indexed; those since ${toDate(answer.indexed_from)} are searched.`]
      : []),
    ...answer.degraded.reasons.map((reason) => REASONS[reason]),
  ];
}

function toDate(moment: string | null): string {
  return moment === null ? '' : new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(new Date(moment));
}
