import type { CallToolResult } from '@modelcontextprotocol/server';
import type { presentSearchAnswer } from '@steward/api';

type Answer = ReturnType<typeof presentSearchAnswer>;
type Result = Answer['results'][number];

/**
 * Default size of a search result for agents: smaller than a page for people, because the result stays in the agent's
 * context.
 */
export const AGENT_DEFAULTS = { limit: 5, max_snippets_per_session: 1, max_characters: 8_000 } as const;
/** Fields of a search result that are only useful for tuning searches; they are returned with `explain`. */
const ONLY_EXPLAINED: ReadonlySet<string> = new Set([
  'document_id',
  'rank',
  'keyword_score',
  'similarity',
  'first_match_at',
  'last_match_at',
  'elapsed_ms',
]);
const MOST_IN_A_LINE = 240;

export interface AgentAnswer {
  readonly answer: Answer;
  /** Maximum length of the text and the structured content together. */
  readonly maxCharacters: number;
  readonly isExplained: boolean;
}

/**
 * Returns a search result for agents: structured content, and a text with one line per session for clients that only
 * show text. Items that do not fit are removed from the end, with a note.
 */
export function presentForAgent({ answer, maxCharacters, isExplained }: AgentAnswer): CallToolResult {
  const { results } = answer;
  for (let shown = results.length; ; shown -= 1) {
    const result = write(answer, results.slice(0, shown), { omitted: results.length - shown, isExplained });
    if (shown === 0 || JSON.stringify(result).length <= maxCharacters) return result;
  }
}

function write(
  answer: Answer,
  results: readonly Result[],
  { omitted, isExplained }: { readonly omitted: number; readonly isExplained: boolean },
): CallToolResult {
  const left = omitted === 0 ? {} : { results_omitted: omitted, next_cursor: null };
  const structured = trim({ ...answer, results, ...left }, isExplained) as Record<string, unknown>;
  return { content: [{ type: 'text', text: describe(answer, results, omitted) }], structuredContent: structured };
}

/**
 * Returns the value without fields that are null and, unless `explain` was requested, without the fields that are only
 * returned with it.
 */
function trim(value: unknown, isExplained: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => trim(entry, isExplained));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => member !== null && (isExplained || !ONLY_EXPLAINED.has(name)),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, trim(member, isExplained)]));
}

function describe({ total, hint }: Answer, results: readonly Result[], omitted: number): string {
  const head = `${results.length} of ${total} sessions${omitted === 0 ? '' : `; ${omitted} did not fit, use offset or max_characters`}.`;
  const lines = results.map(({ runtime_session_id: id, title, last_activity_at: at, snippets }) => {
    const text = toPlainText(String(snippets[0]?.text ?? ''));
    return `- ${id} (${new Date(at).toISOString().slice(0, 10)}) ${title ?? ''}${text === '' ? '' : `: ${text}`}`;
  });
  return [head, ...(hint === null ? [] : [hint]), ...lines.map((line) => line.slice(0, MOST_IN_A_LINE))].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Converts a snippet to plain text; the highlighting marks are its only tags. */
function toPlainText(html: string): string {
  return html
    .replace(/<\/?mark>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
