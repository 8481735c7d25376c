import { countNoun } from '@steward/text';
import { cleanText, formatMinute, type Styles } from '../output.ts';

export interface SearchAnswer {
  readonly effective_mode: string;
  readonly mode: string;
  readonly results: readonly SearchItem[];
  readonly total: number;
  readonly total_is_exact: boolean;
  readonly next_cursor: string | null;
  readonly indexed_from: string | null;
  readonly backfill_complete: boolean;
  readonly degraded: { readonly reasons: readonly string[] };
  /** Hint for an empty result; missing in responses of an older service. */
  readonly hint?: string | null;
  readonly elapsed_ms: number;
}

interface SearchItem {
  readonly runtime_session_id: string;
  readonly session_source_type: string;
  readonly session_source_id: string;
  readonly session_reference: string | null;
  readonly title: string | null;
  /** Link to the session; missing in responses of an older service. */
  readonly url?: string | null;
  readonly last_activity_at: string;
  readonly match_reason: string;
  readonly matched_chunk_count: number;
  readonly snippets: readonly SearchSnippet[];
}

interface SearchSnippet {
  readonly source_kind: string;
  readonly occurred_at: string;
  readonly role: string | null;
  readonly text: string | null;
}

/** Formats a page of results as lines for a reader. */
export function formatSearchAnswer(answer: SearchAnswer, styles: Styles): string[] {
  const { results, total, next_cursor: cursor } = answer;
  const count = `${answer.total_is_exact ? '' : 'at least '}${countNoun(total, 'session')}`;
  const mode = answer.effective_mode === answer.mode ? answer.mode : `${answer.mode}, ran as ${answer.effective_mode}`;
  return [
    ...results.flatMap((item) => [...formatItem(item, styles), '']),
    styles.dim(`${count} (${mode}, ${Math.round(answer.elapsed_ms)} ms)`),
    ...describeGaps(answer),
    ...(cursor === null || cursor === undefined ? [] : [styles.dim(`next page: --cursor ${cursor}`)]),
  ];
}

function formatItem(item: SearchItem, styles: Styles): string[] {
  const reference = item.session_reference ?? `${item.session_source_type} ${item.session_source_id}`;
  const matches = countNoun(item.matched_chunk_count, 'match', 'matches');
  return [
    styles.bold(cleanText(item.title ?? reference)),
    styles.dim(
      cleanText(
        `  ${item.runtime_session_id}  ${formatMinute(item.last_activity_at)}  ${matches} (${item.match_reason})`,
      ),
    ),
    ...(typeof item.url === 'string' ? [styles.dim(cleanText(`  ${item.url}`))] : []),
    ...item.snippets.flatMap((snippet) => formatSnippet(snippet, styles)),
  ];
}

function formatSnippet(snippet: SearchSnippet, styles: Styles): string[] {
  const origin = snippet.role === null ? snippet.source_kind : `${snippet.source_kind}/${snippet.role}`;
  const text = formatMarks(snippet.text ?? '', styles).replaceAll(/\s*\n\s*/g, ' ');
  return [`  ${styles.dim(cleanText(`${formatMinute(snippet.occurred_at)} ${origin}:`))} ${text}`];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' };

/** Formats a snippet. Snippets are HTML with `<mark>` around the matches and everything else escaped. */
export function formatMarks(html: string, styles: Pick<Styles, 'mark'>): string {
  return html
    .split(/<mark>(.*?)<\/mark>/s)
    .map((part, index) => {
      const text = cleanText(
        part.replaceAll(/&(lt|gt|quot|amp|#39|#x27);/g, (_all, name: string) => ENTITIES[name] ?? ''),
      );
      return index % 2 === 1 ? styles.mark(text) : text;
    })
    .join('');
}

/**
 * Describes the gaps of a search. An empty page is less conclusive while history is not yet indexed, or if one part of
 * the search did not run.
 */
function describeGaps(answer: SearchAnswer): string[] {
  const gaps: string[] = [];
  if (answer.degraded.reasons.length > 0) gaps.push(`incomplete: ${answer.degraded.reasons.join(', ')}`);
  if (typeof answer.hint === 'string') gaps.push(cleanText(answer.hint));
  else if (answer.results.length === 0 && !answer.backfill_complete)
    gaps.push(`older history is not indexed yet (${describeStart(answer.indexed_from)})`);
  return gaps;
}

function describeStart(indexedFrom: string | null): string {
  return indexedFrom === null ? 'nothing is indexed so far' : `indexed from ${indexedFrom}`;
}
