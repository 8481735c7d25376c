import { DEFAULT_TRUNCATE_BYTES, truncateBytes } from './truncate-bytes.ts';
import { readPath, splitPath } from './read-path.ts';
import { redactEveryContent } from './redact-content.ts';

/**
 * Values for placeholders. The values are data: their content is never treated as a placeholder, an override or a sign
 * of trust.
 */
export interface TemplateContext {
  readonly trigger_event: { readonly payload: unknown } & Readonly<Record<string, unknown>>;
  readonly execution: { readonly id: string };
}

export type RenderOutcome =
  | { readonly kind: 'rendered'; readonly text: string; readonly missing: readonly string[] }
  | { readonly kind: 'too_large'; readonly limit: number };

/**
 * Maximum size of a prompt, which is passed to the agent in one file and one stream; a larger prompt most likely
 * embeds something by mistake.
 */
export const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
/**
 * Limit of rendered text before truncation: `truncate` keeps the prompt small, but the whole value is rendered first. A
 * payload with 200 levels of nesting that is embedded at each level would be rendered at up to 200 times its size.
 */
export const MAX_RENDERED_BYTES = 64 * 1024 * 1024;

/**
 * One placeholder: a path, which may contain letters of any language, optionally followed by one `truncate` filter.
 * Bounded quantifiers keep the matching time linear in the length of the template.
 */
const PLACEHOLDER =
  /\{\{[ \t]{0,16}([\p{L}_][\p{L}\p{M}\p{N}_.[\]-]{0,500})[ \t]{0,16}(?:\|[ \t]{0,16}truncate(?:\([ \t]{0,16}(-?\d{0,12})[ \t]{0,16}\))?[ \t]{0,16})?\}\}/gu;

/**
 * Fills a prompt template in one pass. A missing path renders as an empty string and is listed in `missing`; objects
 * and arrays render as compact JSON; if the whole event or its whole payload is embedded, every `content_base64` is
 * redacted.
 */
export function renderTemplate(template: string, context: TemplateContext): RenderOutcome {
  const missing = new Set<string>();
  const values = createValueRenderer(context);
  const parts: string[] = [];
  let size = 0;
  let position = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [whole, path = '', digits] = match;
    const literal = template.slice(position, match.index);
    position = match.index + whole.length;
    const text = values.render(path);
    if (text === undefined) missing.add(path);
    const limit = readLimit(whole, digits);
    const value = text === undefined ? '' : limit === undefined ? text.text : cut(text, limit);
    size += Buffer.byteLength(literal) + Buffer.byteLength(value);
    if (size > MAX_PROMPT_BYTES) return { kind: 'too_large', limit: MAX_PROMPT_BYTES };
    if (values.renderedBytes() > MAX_RENDERED_BYTES) return { kind: 'too_large', limit: MAX_RENDERED_BYTES };
    parts.push(literal, value);
  }
  const tail = template.slice(position);
  if (size + Buffer.byteLength(tail) > MAX_PROMPT_BYTES) return { kind: 'too_large', limit: MAX_PROMPT_BYTES };
  return { kind: 'rendered', text: parts.join('') + tail, missing: [...missing] };
}

/**
 * Returns the byte limit of a placeholder: undefined without the filter; the default limit if the filter has no number
 * or a negative one.
 */
function readLimit(placeholder: string, digits: string | undefined): number | undefined {
  if (!placeholder.includes('|')) return undefined;
  const limit = digits === undefined || digits === '' || digits === '-' ? DEFAULT_TRUNCATE_BYTES : Number(digits);
  return limit < 0 ? DEFAULT_TRUNCATE_BYTES : limit;
}

interface RenderedValue {
  readonly text: string;
  /** The text in UTF-8; encoded only when the value is first truncated, because most values are never truncated. */
  bytes: Buffer | undefined;
}

function cut(value: RenderedValue, limit: number): string {
  value.bytes ??= Buffer.from(value.text, 'utf8');
  return truncateBytes(value.text, limit, value.bytes);
}

const WHOLE_EVENT = new Set(['trigger_event', 'trigger_event.payload']);

/**
 * Creates a renderer that renders each path once, and each object or array once even if its path occurs in several
 * notations.
 */
function createValueRenderer(context: TemplateContext) {
  const byPath = new Map<string, RenderedValue | undefined>();
  const byObject = new Map<object, RenderedValue>();
  let renderedBytes = 0;

  function make(value: unknown): RenderedValue {
    const text = renderValue(value);
    renderedBytes += text.length;
    return { text, bytes: undefined };
  }

  function find(path: string): RenderedValue | undefined {
    const found = readPath(context, splitPath(path));
    if (!found.found) return undefined;
    const { value } = found;
    if (WHOLE_EVENT.has(path)) return make(redactEveryContent(value));
    if (value === null || typeof value !== 'object') return make(value);
    const known = byObject.get(value) ?? make(value);
    byObject.set(value, known);
    return known;
  }

  return {
    /** Returns the rendered value at a path; undefined if the path does not exist. */
    render(path: string): RenderedValue | undefined {
      if (byPath.has(path)) return byPath.get(path);
      const value = find(path);
      byPath.set(path, value);
      return value;
    },
    renderedBytes: () => renderedBytes,
  };
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean);
}
