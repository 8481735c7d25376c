import { cleanText, formatJson, formatMinute, type Styles } from '../output.ts';

export interface SessionItem {
  readonly id: string;
  readonly session_source_type: string;
  readonly session_source_id: string;
  readonly session_reference: string | null;
  readonly title: string | null;
  readonly labels: readonly string[];
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly end_reason: string | null;
}

export interface ContentItem {
  readonly kind: string;
  readonly occurred_at: string;
  readonly role: string | null;
  readonly tool_name: string | null;
  readonly model_alias: string | null;
  readonly status: string | null;
  readonly content_captured: boolean;
  readonly content: unknown;
  /** Missing in responses of an earlier version. */
  readonly content_error?: string | null;
}

/** Formats a session as two lines for a reader. */
export function formatSession(session: SessionItem, styles: Styles): string[] {
  const reference = session.session_reference ?? `${session.session_source_type} ${session.session_source_id}`;
  const end =
    session.ended_at === null ? 'open' : `ended ${formatMinute(session.ended_at)} (${session.end_reason ?? 'unknown'})`;
  const facts = [session.id, formatMinute(session.started_at), end, ...session.labels];
  return [styles.bold(cleanText(session.title ?? reference)), styles.dim(cleanText(`  ${facts.join('  ')}`))];
}

/** Formats an entry: a line with its kind, then its text. */
export function formatContent(item: ContentItem, styles: Styles): string[] {
  const who = [item.kind, item.role ?? item.tool_name ?? item.model_alias, item.status].filter((part) => part !== null);
  const text = typeof item.content === 'string' ? item.content : formatJson(item.content, 2);
  return [
    styles.dim(cleanText(`${formatMinute(item.occurred_at)} ${who.join(' ')}`)),
    ...listLines(item, text).map((line) => `  ${line}`),
  ];
}

function listLines({ content_captured: isCaptured, content_error: error = null }: ContentItem, text: string): string[] {
  if (error !== null) return [error === 'unavailable' ? '(cannot be read at the moment)' : '(lost)'];
  return isCaptured ? cleanText(text).split('\n') : ['(not captured)'];
}
