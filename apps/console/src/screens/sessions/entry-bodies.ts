import type { TimelineEntry } from '../../api/answers.ts';

export interface Body {
  /** Name of the body in the content of a call; empty if the content has no named bodies. */
  readonly name: string;
  readonly text: string;
}

/**
 * Maximum number of characters of a body that are shown; the rest is folded, because rendering all bodies of a long
 * session takes gigabytes of memory.
 */
const SHOWN_CHARACTERS = 4000;
/** Matches sequences of base64 characters that are long enough to be treated as encoded bytes. */
const ENCODED = /(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{2000,}={0,2}/g;

export function describeKind(entry: TimelineEntry): string {
  return entry.copy_of === null ? nameKind(entry) : `${nameKind(entry)}, copied from another session`;
}

function nameKind({ kind, role, tool_name: tool, model_alias: model }: TimelineEntry): string {
  switch (kind) {
    case 'tool_call':
      return `Tool call ${tool ?? ''}`.trim();
    case 'gateway_interaction':
      return `Model call ${model ?? ''}`.trim();
    case 'operator_note':
      return 'Operator note';
    case 'flow_log':
      return 'Log';
    case 'transcript_message':
      return `Message${role === null ? '' : ` of ${role}`}`;
  }
}

/**
 * Returns the bodies of an entry as text; a call has one body for each member of its content, for example for its
 * result.
 */
export function listBodies({ kind, content }: Pick<TimelineEntry, 'kind' | 'content'>): Body[] {
  if (content === null || content === undefined) return [];
  if ((kind === 'tool_call' || kind === 'gateway_interaction') && typeof content === 'object')
    return Object.entries(content)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => ({ name, text: toText(value) }));
  return [{ name: '', text: toText(content) }];
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.replaceAll(ENCODED, (bytes) => `[${formatSize(Math.round(bytes.length * 0.75))} of base64-encoded data]`);
}

/** Returns the shown part of a long text, and the size of the rest. */
export function foldText(text: string): { readonly shown: string; readonly hiddenSize?: string } {
  if (text.length <= SHOWN_CHARACTERS) return { shown: text };
  // The end must not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(SHOWN_CHARACTERS - 1)) ? SHOWN_CHARACTERS - 1 : SHOWN_CHARACTERS;
  return { shown: text.slice(0, end), hiddenSize: formatSize(text.length - end) };
}

function formatSize(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
