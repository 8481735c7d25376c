import type { InteractionEntry, SessionContentEntry, ToolCallEntry } from '../session-content.ts';
import { flattenText } from './flatten-text.ts';

/** What of a piece of content can be searched, and whether its body was held back. */
export interface SearchText {
  readonly text: string;
  readonly redactionState: 'clear' | 'metadata_only';
}

/** The search text of one piece of content (CORP-6, CORP-7). */
export function renderSearchText(
  entry: SessionContentEntry,
  options: { readonly captureContent: boolean },
): SearchText {
  switch (entry.kind) {
    case 'gateway_interaction':
      return options.captureContent
        ? { text: renderInteraction(entry), redactionState: 'clear' }
        : { text: renderInteractionMetadata(entry), redactionState: 'metadata_only' };
    case 'tool_call':
      return { text: renderToolCall(entry), redactionState: 'clear' };
    case 'transcript_message':
      return { text: flattenText(entry.content), redactionState: 'clear' };
    case 'operator_note':
    case 'flow_log':
      return { text: entry.text, redactionState: 'clear' };
  }
}

/** A session's title and summary; empty when it has neither, which removes its chunk. */
export function renderSessionSummary(session: {
  readonly title: string | null;
  readonly summary: string | null;
}): string {
  return joinLines([session.title, session.summary]);
}

function renderInteraction(entry: InteractionEntry): string {
  const metadata = [entry.modelAlias, entry.providerName, entry.status].filter(isPresent).join(' ');
  return joinLines([flattenText(entry.request), flattenText(entry.response), metadata]);
}

/** With capture off: model, provider, status and token counts, and nothing a prompt or a response could show through. */
function renderInteractionMetadata(entry: InteractionEntry): string {
  return [
    `model ${entry.modelAlias}`,
    `provider ${entry.providerName}`,
    isPresent(entry.status) ? `status ${entry.status}` : undefined,
    isPresent(entry.inputTokens) ? `${entry.inputTokens} input tokens` : undefined,
    isPresent(entry.outputTokens) ? `${entry.outputTokens} output tokens` : undefined,
  ]
    .filter(isPresent)
    .join(', ');
}

function renderToolCall(entry: ToolCallEntry): string {
  return joinLines([entry.toolName, flattenText(entry.arguments), flattenText(entry.result), entry.status]);
}

function joinLines(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => isPresent(part) && part !== '').join('\n');
}

function isPresent<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
