import { isCredentialName } from '@steward/masking';
import { looksLikeJson, MAX_UNPACKED, MOST_UNPACKED, unpackJson } from './unpack-json.ts';

/** Fields that contain the words of a conversation in the request and response formats of common model providers. */
const READABLE_KEYS: ReadonlySet<string> = new Set([
  'system',
  'instructions',
  'messages',
  'prompt',
  'input',
  'choices',
  'message',
  'output',
  'candidates',
  'contents',
  'content',
  'parts',
  'text',
  'output_text',
  'refusal',
  'thinking',
  'reasoning',
]);

/**
 * Structural fields. They are omitted next to a readable field, since otherwise every message would match "text" or
 * "user".
 */
const SHAPE_KEYS: ReadonlySet<string> = new Set(['type', 'role', 'object', 'index', 'finish_reason', 'stop_reason']);
const SHAPE_VALUES: ReadonlySet<unknown> = new Set([
  ...['user', 'human', 'assistant', 'system', 'developer', 'tool', 'function', 'model'],
  ...['text', 'input_text', 'output_text', 'message', 'response', 'list', 'chat.completion', 'chat.completion.chunk'],
  ...['tool_use', 'tool_result', 'tool_call', 'function_call', 'thinking', 'reasoning', 'image', 'image_url', 'base64'],
  ...['stop', 'end_turn', 'length', 'max_tokens', 'tool_calls', 'stop_sequence', 'completed'],
]);

const DATA_URL = /^data:([\w.+-]{1,64}\/[\w.+-]{1,64});base64,/;
const BASE64_ONLY = /^[A-Za-z0-9+/=_-]+$/;
const BINARY_KEYS: ReadonlySet<string> = new Set(['data', 'b64_json', 'content_base64', 'bytes', 'blob']);
const LEAST_BINARY_LENGTH = 256;

/**
 * Returns the readable text of a JSON value: first the words of the conversation, unchanged; then every other field as
 * `name: value`, one per line. Structural fields and binary attachments are omitted (an attachment is represented by
 * its size); everything else that a client stored is included.
 *
 * Compact JSON is not used for the rest, because its escape sequences would become part of the words: after `\n` the
 * text-search parser reads "nword" where a person wrote "word". For the same reason, JSON inside a string is parsed
 * too, and truncated JSON, which cannot be parsed, is unescaped.
 */
export function flattenText(value: unknown): string {
  const readable: string[] = [];
  const rest: string[] = [];
  collect(value, undefined, { readable, rest, unpacked: 0, budget: { left: MOST_UNPACKED } }, true);
  for (const line of rest) readable.push(line);
  return readable.join('\n');
}

interface Sinks {
  readonly readable: string[];
  readonly rest: string[];
  /** Current depth of JSON inside strings. */
  readonly unpacked: number;
  /**
   * Number of characters of JSON in strings that may still be parsed. It is limited, because even a small body may
   * contain a very large number of values.
   */
  readonly budget: { left: number };
}

/**
 * Adds the text of a value.
 * @param isReadable - whether the path to this value consists of conversation fields only
 */
function collect(value: unknown, key: string | undefined, sinks: Sinks, isReadable: boolean): void {
  if (value === null || value === undefined || value === '') return;
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, key, sinks, isReadable);
    return;
  }
  if (typeof value === 'object') {
    collectFields(value as Record<string, unknown>, sinks, isReadable);
    return;
  }
  if (typeof value === 'string' && collectEmbedded(value, key, sinks, isReadable)) return;
  const text = typeof value === 'string' ? describeBinary(value, key) : String(value as number | boolean);
  if (isReadable) sinks.readable.push(text);
  else sinks.rest.push(key === undefined ? text : `${key}: ${isCredentialName(key) ? quote(value) : text}`);
}

/**
 * Adds the text of JSON in a string. Tools return such strings, often nested in another string. Returns true if the
 * string was JSON or contained parts of JSON.
 */
function collectEmbedded(text: string, key: string | undefined, sinks: Sinks, isReadable: boolean): boolean {
  if (!looksLikeJson(text)) return false;
  const mayParse = sinks.unpacked < MAX_UNPACKED && text.length <= sinks.budget.left;
  const embedded = unpackJson(text, mayParse);
  if (embedded.kind === 'plain') return false;
  if (embedded.kind === 'json') sinks.budget.left -= text.length;
  const inner = { ...sinks, unpacked: sinks.unpacked + 1 };
  if (embedded.kind === 'json') collect(embedded.value, key, inner, isReadable && typeof embedded.value === 'string');
  else if (isReadable) sinks.readable.push(embedded.text);
  else sinks.rest.push(key === undefined ? embedded.text : `${key}: ${embedded.text}`);
  return true;
}

/**
 * Returns a value in quotes, so that the masking rules detect where the value ends, as in `password: "correct horse"`.
 */
function quote(value: unknown): string {
  return JSON.stringify(String(value));
}

function collectFields(fields: Record<string, unknown>, sinks: Sinks, isReadable: boolean): void {
  const isConversation = isReadable && hasReadableKey(fields);
  for (const key in fields) {
    const value = fields[key];
    if (isConversation && isShapeMarker(key, value)) continue;
    collect(value, key, sinks, isConversation && READABLE_KEYS.has(key));
  }
}

function hasReadableKey(fields: Record<string, unknown>): boolean {
  for (const key in fields) if (READABLE_KEYS.has(key)) return true;
  return false;
}

function isShapeMarker(key: string, value: unknown): boolean {
  return SHAPE_KEYS.has(key) && (typeof value === 'number' || SHAPE_VALUES.has(value));
}

function describeBinary(text: string, key: string | undefined): string {
  const media = DATA_URL.exec(text)?.[1];
  if (media !== undefined) return `[${media}, ${text.length} characters of base64]`;
  const isBinary = text.length >= LEAST_BINARY_LENGTH && key !== undefined && BINARY_KEYS.has(key);
  return isBinary && BASE64_ONLY.test(text) ? `[${text.length} characters of base64]` : text;
}
