import type { Find } from './credential.ts';
import { TOKEN_RULES } from './token-rules.ts';

interface Reader {
  readonly id: string;
  readonly rest: RegExp;
  readonly isLong: boolean;
}

const READERS = new Map<string, Reader[]>();
for (const { id, starts, rest, isLong = false } of TOKEN_RULES) {
  const reader = { id, rest: new RegExp(rest, 'y'), isLong };
  for (const start of starts) READERS.set(start, [...(READERS.get(start) ?? []), reader]);
}

const escape = (text: string): string => text.replaceAll(/[.$/+-]/g, String.raw`\$&`);
// The prefixes are in reverse alphabetical order: `sk_live_` is before `sk_`, and prefixes that begin alike are
// adjacent, which makes the regular expression fast.
const STARTS = [...READERS.keys()].sort((a, b) => (a < b ? 1 : -1));
/** Matches any of the prefixes. The look-behind skips nearly all positions in ordinary text. */
const START = new RegExp(`(?<![A-Za-z0-9])(?:${STARTS.map(escape).join('|')})`, 'g');

/** Finds credentials identified by their prefix. */
export function findTokens(text: string, found: Find[]): void {
  START.lastIndex = 0;
  for (let hit = START.exec(text); hit !== null; hit = START.exec(text)) {
    const rest = START.lastIndex;
    for (const reader of READERS.get(hit[0]) ?? []) {
      if (reader.isLong && /[_+/-]/.test(text.charAt(hit.index - 1))) continue;
      reader.rest.lastIndex = rest;
      if (!reader.rest.test(text)) continue;
      const end = reader.rest.lastIndex;
      found.push({ start: hit.index, end, rule: reader.id });
      START.lastIndex = end;
      break;
    }
  }
}
