import { DEFAULT_TRUNCATE_BYTES, truncateBytes } from './truncate-bytes.ts';
import { readPath, splitPath } from './read-path.ts';
import { redactContent } from './redact-content.ts';

/** What placeholders can refer to. Values are data: what they hold is never taken as a placeholder, an override or a signal of trust. */
export interface TemplateContext {
  readonly trigger_event: { readonly payload: unknown } & Readonly<Record<string, unknown>>;
  readonly execution: { readonly id: string };
}

export type RenderOutcome =
  | { readonly kind: 'rendered'; readonly text: string; readonly missing: readonly string[] }
  | { readonly kind: 'too_large'; readonly limit: number };

/** A prompt is handed to the agent as one file and one stream; beyond this the template embeds something by mistake. */
export const MAX_PROMPT_BYTES = 8 * 1024 * 1024;

/** One placeholder: a path, optionally one `truncate` filter. Bounded quantifiers keep the match linear in the template. */
const PLACEHOLDER =
  /\{\{[ \t]{0,16}([A-Za-z_][\w.[\]-]{0,500})[ \t]{0,16}(?:\|[ \t]{0,16}truncate(?:\([ \t]{0,16}(-?\d{0,12})[ \t]{0,16}\))?[ \t]{0,16})?\}\}/g;

/**
 * Fills a prompt template in one pass. A missing path renders as an empty string and is listed in `missing`; objects and
 * arrays render as compact JSON; whole-event embeds redact every `content_base64`.
 */
export function renderTemplate(template: string, context: TemplateContext): RenderOutcome {
  const missing: string[] = [];
  const rendered = new Map<string, string>();
  const parts: string[] = [];
  let size = 0;
  let position = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [whole, path = '', limit] = match;
    const literal = template.slice(position, match.index);
    position = match.index + whole.length;
    // The same placeholder twice is rendered once: a template cannot make the work grow faster than its output.
    let value = rendered.get(whole);
    if (value === undefined) {
      value = renderPlaceholder(path, readLimit(whole, limit), context, missing);
      rendered.set(whole, value);
    }
    size += Buffer.byteLength(literal) + Buffer.byteLength(value);
    if (size > MAX_PROMPT_BYTES) return { kind: 'too_large', limit: MAX_PROMPT_BYTES };
    parts.push(literal, value);
  }
  const tail = template.slice(position);
  if (size + Buffer.byteLength(tail) > MAX_PROMPT_BYTES) return { kind: 'too_large', limit: MAX_PROMPT_BYTES };
  return { kind: 'rendered', text: parts.join('') + tail, missing };
}

/** Undefined without the filter; the default for the bare form and for a negative number. */
function readLimit(placeholder: string, digits: string | undefined): number | undefined {
  if (!placeholder.includes('|')) return undefined;
  const limit = digits === undefined || digits === '' || digits === '-' ? DEFAULT_TRUNCATE_BYTES : Number(digits);
  return limit < 0 ? DEFAULT_TRUNCATE_BYTES : limit;
}

const WHOLE_EVENT = new Set(['trigger_event', 'trigger_event.payload']);

function renderPlaceholder(
  path: string,
  limit: number | undefined,
  context: TemplateContext,
  missing: string[],
): string {
  const found = readPath(context, splitPath(path));
  if (!found.found) {
    missing.push(path);
    return '';
  }
  const text = renderValue(WHOLE_EVENT.has(path) ? redactContent(found.value) : found.value);
  return limit === undefined ? text : truncateBytes(text, limit);
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean);
}
