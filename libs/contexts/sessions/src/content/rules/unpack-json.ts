import { removeEscapes } from '@steward/masking';

/** Maximum nesting depth of JSON within strings; deeper levels are unescaped and not parsed. */
export const MAX_UNPACKED = 8;
/**
 * Maximum depth of objects and arrays in one string; deeper JSON is unescaped, since the functions that process it
 * recurse once per level.
 */
export const MAX_NESTED = 100;
/**
 * Maximum number of characters parsed for one value (for example, a request or a response), across all levels; longer
 * text is unescaped. This is more than three times the maximum length of the indexed part of a source.
 */
export const MOST_UNPACKED = 512 * 1024;

export type Unpacked =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Truncated JSON, or text that contains parts of JSON, with its escape sequences decoded. */
  | { readonly kind: 'unescaped'; readonly text: string }
  | { readonly kind: 'plain' };

const JSON_START = /^\s{0,64}[[{"]/;

/** Returns whether a string may contain JSON: a fast check, done for every string. */
export function looksLikeJson(text: string): boolean {
  return JSON_START.test(text) || text.includes('\\"');
}

/**
 * Returns the decoded content of a string: the value of an object, an array or a string written as JSON; for truncated
 * JSON, and for text with escaped quotes, the text with its escape sequences decoded. A Windows path, which has
 * backslashes but no escaped quotes, is not decoded.
 */
export function unpackJson(text: string, mayParse: boolean): Unpacked {
  if (mayParse && JSON_START.test(text) && !isNestedDeeper(text, MAX_NESTED)) {
    const value = parse(text);
    if (typeof value === 'string' || (typeof value === 'object' && value !== null)) return { kind: 'json', value };
  }
  const isCut = JSON_START.test(text) && /\\(?:[nrt"]|u[0-9A-Fa-f]{4})/.test(text);
  return isCut || text.includes('\\"') ? { kind: 'unescaped', text: removeEscapes(text) } : { kind: 'plain' };
}

/**
 * Returns whether brackets are nested more than `most` levels deep; brackets within strings are not counted. For text
 * that is not JSON the result is arbitrary.
 */
function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isInString = !isInString;
    else if (isInString) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
