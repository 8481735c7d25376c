import { describeBlob, readBlobMark } from './describe-blob.ts';
import { firstText, isFields, type Fields } from './json-access.ts';

/**
 * Keys of values that are removed: signatures and encrypted state, which are long and contain no words, and cache
 * settings.
 */
const DROPPED_KEYS: ReadonlySet<string> = new Set([
  'signature',
  'thinking_signature',
  'thoughtSignature',
  'encrypted_content',
  'encryptedContent',
  'cache_control',
]);
const DROPPED_TYPES: ReadonlySet<unknown> = new Set(['redacted_thinking', 'step-start']);

const DATA_URL = /^data:([\w.+-]{1,64}\/[\w.+-]{1,64})(?:;[\w.+=-]{1,64}){0,4};base64,/;
const MEDIA = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;
const BASE64_KEYS: ReadonlySet<string> = new Set(['data', 'b64_json', 'bytes', 'blob', 'base64']);
const BASE64_ONLY = /^[A-Za-z0-9+/=_-]+$/;
const LEAST_BINARY_LENGTH = 256;

const MAX_DEPTH = 200;
/** Maximum number of nested JSON strings that are parsed; deeper ones stay strings. */
const MAX_UNPACKED = 4;
const MOST_UNPACKED_CHARS = 512 * 1024;

/**
 * Returns a JSON value without signatures, encrypted state and cache settings; base64 data in it is replaced by its
 * type and size.
 */
export function cleanContent(value: unknown): unknown {
  return clean(value, undefined, 0, undefined);
}

/**
 * Cleans arguments and results of tools like `cleanContent`. A value that is a JSON string is parsed first, so that its
 * words are separate.
 */
export function cleanToolValue(value: unknown): unknown {
  return clean(unpack(value, 0), undefined, 0, undefined);
}

/**
 * Cleans one value.
 * @param media - Media type of the object that contains the value
 */
function clean(value: unknown, key: string | undefined, depth: number, media: string | undefined): unknown {
  if (typeof value === 'string') return describeBinary(value, key, media);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return value
      .filter((entry) => !(isFields(entry) && DROPPED_TYPES.has(entry['type'])))
      .map((entry) => clean(entry, key, depth + 1, media));
  }
  const named = findMedia(value as Fields);
  const kept = Object.entries(value).filter(([name]) => !DROPPED_KEYS.has(name));
  return Object.fromEntries(kept.map(([name, entry]) => [name, clean(entry, name, depth + 1, named)]));
}

function findMedia(fields: Fields): string | undefined {
  const { media_type, mediaType, mime_type, mimeType, mime } = fields;
  const named = firstText(media_type, mediaType, mime_type, mimeType, mime);
  return named !== undefined && MEDIA.test(named) ? named : undefined;
}

function describeBinary(text: string, key: string | undefined, media: string | undefined): string {
  const url = DATA_URL.exec(text);
  const body = url === null ? text : text.slice(url[0].length);
  const left = readBlobMark(body);
  if (url !== null) return describeBlob(url[1], left ?? body.length);
  if (left !== undefined) return describeBlob(media, left);
  const isBinary = text.length >= LEAST_BINARY_LENGTH && key !== undefined && BASE64_KEYS.has(key);
  return isBinary && BASE64_ONLY.test(text) ? describeBlob(media, text.length) : text;
}

/**
 * Parses an object or array from a string, in which it may be encoded as JSON several times. Any other value stays
 * unchanged.
 */
function unpack(value: unknown, level: number): unknown {
  if (typeof value !== 'string' || level >= MAX_UNPACKED || value.length > MOST_UNPACKED_CHARS) return value;
  if (!/^\s{0,64}[[{"]/.test(value) || !isModest(value)) return value;
  try {
    const parsed = JSON.parse(value) as unknown;
    if (typeof parsed === 'string') return unpack(parsed, level + 1);
    return typeof parsed === 'object' && parsed !== null && isWithin(parsed, MAX_DEPTH) ? parsed : value;
  } catch {
    return value;
  }
}

/**
 * Maximum number of values in a JSON string that is parsed, more than any message contains: parsed values take many
 * times the memory of the text.
 */
const MOST_SIGNS = 200_000;

/**
 * Returns the value if it is an object or array, or the object or array parsed from a JSON string; undefined for
 * anything else, and for a JSON string with too many values or levels.
 */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? value : undefined;
  if (!/^\s{0,64}[[{]/.test(value) || !isModest(value)) return undefined;
  try {
    const parsed = JSON.parse(value) as unknown;
    return isWithin(parsed, MAX_DEPTH) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isModest(text: string): boolean {
  if (text.length <= MOST_SIGNS) return true;
  let signs = 0;
  for (const { index } of text.matchAll(/[[{,]/g)) if (index >= 0 && (signs += 1) > MOST_SIGNS) return false;
  return true;
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((entry) => isWithin(entry, levels - 1));
}
