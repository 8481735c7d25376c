import { AppError } from '@steward/contracts';
import { endOfString, endOfValue, skipSpace } from './json-bytes.ts';

/** Byte range of a top-level member's value in a JSON document. */
export interface MemberRange {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const [QUOTE, COLON, COMMA] = [0x22, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
/** Maximum number of members of one object: no known model call has a hundred (LIM-79). */
export const MAX_MEMBERS = 4096;
/** Reported as the name of a member whose name cannot be read, or is too long. */
const UNREADABLE = '(unreadable)';
/** Maximum length of a key as written, in bytes; a character that is written as an escape sequence takes six bytes. */
const MAX_KEY_BYTES = 256;
/** Matches keys that need no decoding. In practice, nearly all keys are of this kind. */
const SIMPLE_KEY = /^\w*$/;

/**
 * Finds members of a JSON object, including repeated ones, without parsing anything else: a body of many megabytes is
 * neither copied nor converted to objects. Values are not validated; the receiver does that.
 *
 * @param isWanted - called with each name, in which escape sequences are decoded
 * @returns undefined for anything but a complete object
 * @throws payload_too_large for more than `MAX_MEMBERS`, malformed_json if a value is nested too deeply
 */
export function findMembers(bytes: Buffer, isWanted: (name: string) => boolean): MemberRange[] | undefined {
  const found: MemberRange[] = [];
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return undefined;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_OBJECT) return isAtEnd(bytes, at + 1) ? found : undefined;
  for (let count = 1; ; count += 1) {
    if (count > MAX_MEMBERS) throw refuseMembers();
    if (bytes[at] !== QUOTE) return undefined;
    const keyEnd = endOfString(bytes, at);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    const start = skipSpace(bytes, colon + 1);
    const end = endOfValue(bytes, start);
    if (end <= start) return undefined;
    const name = readKey(bytes, at, keyEnd) ?? UNREADABLE;
    if (isWanted(name)) found.push({ name, start, end });
    const next = skipSpace(bytes, end);
    if (bytes[next] === CLOSE_OBJECT) return isAtEnd(bytes, next + 1) ? found : undefined;
    if (bytes[next] !== COMMA) return undefined;
    at = skipSpace(bytes, next + 1);
  }
}

function refuseMembers(): AppError {
  return new AppError('payload_too_large', {
    message: `An object in the body has too many members: at most ${MAX_MEMBERS} are accepted.`,
    detail: { limit: MAX_MEMBERS },
  });
}

function readKey(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start > MAX_KEY_BYTES) return undefined;
  const text = bytes.toString('latin1', start + 1, end - 1);
  if (SIMPLE_KEY.test(text)) return text;
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}

function isAtEnd(bytes: Buffer, from: number): boolean {
  return skipSpace(bytes, from) === bytes.byteLength;
}
