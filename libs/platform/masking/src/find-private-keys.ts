import type { Find } from './credential.ts';

const START = '-----BEGIN ';
const KIND = 'PRIVATE KEY';
const END = '-----END ';
const DASHES = '-----';
/** Maximum length of the first line in characters; the first line of every key is shorter. */
const HEADER_LENGTH = 64;
const LONGEST_KEY = 32_768;
/** Matches lines of base64 and of headers such as `Proc-Type: 4,ENCRYPTED`. */
const BODY =
  /(?:\s{0,64}\n\s{0,64}(?:[A-Za-z-]{2,30}: [^\n]{0,200}|[A-Za-z0-9+/=]{1,256})(?=\s|$)|\s{1,64}[A-Za-z0-9+/=]{32,256}(?=\s|$))*/y;

/**
 * Finds private keys. A key in PEM form ends at its end line or, if this line is missing or too far away, at the end of
 * the key-like text; a key in PuTTY's form ends at the end of the text.
 */
export function findPrivateKeys(text: string, found: Find[]): void {
  const findEnd = createEndSearch(text);
  for (let start = text.indexOf(START); start >= 0;) {
    const header = readHeader(text, start);
    const end = header.isKey ? findKeyEnd(text, { start, header: header.end, end: findEnd(start) }) : header.end;
    // The key may be missing: in a program that only mentions the first line, no key follows it.
    if (end > header.end) found.push({ start, end, rule: 'private-key' });
    start = text.indexOf(START, end);
  }
  const putty = text.indexOf('PuTTY-User-Key-File-');
  const lines = putty < 0 ? -1 : text.indexOf('Private-Lines:', putty);
  if (lines >= 0) found.push({ start: lines, end: text.length, rule: 'private-key' });
}

function readHeader(text: string, start: number): { readonly isKey: boolean; readonly end: number } {
  const line = text.slice(start, start + HEADER_LENGTH);
  const close = line.indexOf(DASHES, START.length);
  const end = close < 0 ? START.length : close + DASHES.length;
  return { isKey: line.slice(0, close < 0 ? HEADER_LENGTH : end).includes(KIND), end: start + end };
}

/**
 * Returns a function that finds the next end line. It searches for each end line once, not once for each begin line
 * before it.
 */
function createEndSearch(text: string): (start: number) => number {
  let known = 0;
  return (start) => {
    if (known >= 0 && known <= start) known = text.indexOf(END, start);
    return known;
  };
}

interface Key {
  readonly start: number;
  readonly header: number;
  /** Position of the next end line; negative if there is none. */
  readonly end: number;
}

function findKeyEnd(text: string, key: Key): number {
  if (key.end < 0 || key.end - key.start > LONGEST_KEY) {
    BODY.lastIndex = key.header;
    BODY.exec(text);
    return BODY.lastIndex;
  }
  const close = text.indexOf(DASHES, key.end + END.length);
  return close < 0 || close > key.end + HEADER_LENGTH ? key.end + END.length : close + DASHES.length;
}
