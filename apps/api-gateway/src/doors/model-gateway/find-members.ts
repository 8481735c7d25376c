/** Where the value of a top-level member stands in a JSON text, in bytes. */
export interface MemberRange {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Of a key, as it is written: every character may be an escape of six. */
const MAX_KEY_BYTES = 256;

/**
 * Finds members of the object that a JSON text is, each as often as it is there, without parsing anything else: a body of
 * many megabytes is neither copied nor made into objects. Values are not checked, whoever the text is for does that.
 *
 * @returns undefined for what is no object, or breaks off
 */
export function findMembers(bytes: Buffer, names: ReadonlySet<string>): MemberRange[] | undefined {
  const found: MemberRange[] = [];
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return undefined;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_OBJECT) return isAtEnd(bytes, at + 1) ? found : undefined;
  for (;;) {
    if (bytes[at] !== QUOTE) return undefined;
    const keyEnd = endOfString(bytes, at);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    const start = skipSpace(bytes, colon + 1);
    const end = endOfValue(bytes, start);
    if (end <= start) return undefined;
    const name = readKey(bytes.subarray(at, keyEnd));
    if (name !== undefined && names.has(name)) found.push({ name, start, end });
    const next = skipSpace(bytes, end);
    if (bytes[next] === CLOSE_OBJECT) return isAtEnd(bytes, next + 1) ? found : undefined;
    if (bytes[next] !== COMMA) return undefined;
    at = skipSpace(bytes, next + 1);
  }
}

function readKey(bytes: Buffer): string | undefined {
  if (bytes.byteLength > MAX_KEY_BYTES) return undefined;
  try {
    return JSON.parse(bytes.toString()) as string;
  } catch {
    return undefined;
  }
}

function isAtEnd(bytes: Buffer, from: number): boolean {
  return skipSpace(bytes, from) === bytes.byteLength;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

/** Behind its last quote; behind everything when there is none. */
function endOfString(bytes: Buffer, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let escapes = quote;
    while (bytes[escapes - 1] === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return bytes.byteLength + 1;
}

function endOfValue(bytes: Buffer, start: number): number {
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
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bytes.byteLength + 1;
}
