import { AppError } from '@steward/contracts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Returns the position after white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

/** Returns the position after the closing quote, or after the end of the bytes if there is none. */
export function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; ;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.byteLength + 1;
    let escapes = quote;
    while (bytes[escapes - 1] === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
    // In code and in JSON inside JSON, several escaped quotes are close together: checking the next bytes one by one
    // takes a tenth of the time of another search.
    const near = Math.min(bytes.byteLength, quote + NEAR_BYTES);
    for (at = quote + 1; at < near; at += 1) {
      if (bytes[at] === BACKSLASH) at += 1;
      else if (bytes[at] === QUOTE) return at + 1;
    }
  }
}

const NEAR_BYTES = 64;
/** Maximum depth, the same as for every body (LIM-16). */
const MAX_DEPTH = 200;

/**
 * Returns the position after a value, which is not validated, or after the end of the bytes if the value is incomplete.
 * @throws malformed_json if the value is nested too deeply
 */
export function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return endOfContainer(bytes, start);
  let at = start;
  for (; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= 0x20 || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) break;
  }
  return at;
}

function endOfContainer(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.byteLength; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      // The enclosing object also counts as a level.
      if (depth >= MAX_DEPTH) throw new AppError('malformed_json', { message: TOO_DEEP });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bytes.byteLength + 1;
}

const TOO_DEEP = `The JSON body is nested deeper than ${MAX_DEPTH} levels.`;
/** Maximum number of turns of one conversation. */
const MAX_ENTRIES = 100_000;

export interface EntryRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the positions of the array's entries; undefined if the bytes are not a complete array, or if the array has
 * too many entries.
 */
export function findEntries(bytes: Buffer): EntryRange[] | undefined {
  if (bytes[0] !== OPEN_ARRAY) return undefined;
  const found: EntryRange[] = [];
  let start = skipSpace(bytes, 1);
  if (bytes[start] === CLOSE_ARRAY) return start + 1 === bytes.byteLength ? found : undefined;
  for (;;) {
    const end = endOfValue(bytes, start);
    if (end <= start) return undefined;
    if (found.length === MAX_ENTRIES) return undefined;
    found.push({ start, end });
    const next = skipSpace(bytes, end);
    if (bytes[next] === CLOSE_ARRAY) return next + 1 === bytes.byteLength ? found : undefined;
    if (bytes[next] !== COMMA) return undefined;
    start = skipSpace(bytes, next + 1);
  }
}
