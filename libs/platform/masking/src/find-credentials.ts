import { blankEscapes } from './blank-escapes.ts';
import { HIDDEN, type Credential, type Find } from './credential.ts';
import { extendFind } from './extend-find.ts';
import { findInCommands } from './find-in-commands.ts';
import { findInContext } from './find-in-context.ts';
import { findLabelled } from './find-labelled.ts';
import { findLongRuns } from './find-long-runs.ts';
import { findPrivateKeys } from './find-private-keys.ts';
import { findTokens } from './find-tokens.ts';
import { readSecrets } from './read-secrets.ts';

/** A text without its credentials, and what they were. */
export interface MaskedText {
  readonly text: string;
  /** Each once, in the order they stand. */
  readonly credentials: readonly Credential[];
}

/**
 * Masks the credentials in a free text of any kind: prose, code, logs, JSON whole or cut, also inside of a string. Runs on
 * every text on the request path: each step reads the text once.
 */
export function findCredentials(text: string): MaskedText {
  const found = findAll(text);
  if (found.length === 0) return { text, credentials: [] };
  const credentials = new Map<string, Credential>();
  for (const { start, end, rule, secret = [start, end] } of found) {
    for (const value of readSecrets(text.slice(...secret), rule)) {
      if (!credentials.has(value)) credentials.set(value, { rule, secret: value });
    }
  }
  return { text: hide(text, found), credentials: [...credentials.values()] };
}

/** The text with every credential in it replaced by `[redacted]`. */
export function maskCredentials(text: string): string {
  const found = findAll(text);
  return found.length === 0 ? text : hide(text, found);
}

function findAll(text: string): Find[] {
  const found: Find[] = [];
  const plain = blankEscapes(text);
  findTokens(plain, found);
  findPrivateKeys(plain, found);
  findLabelled(plain, text, found);
  findLongRuns(plain, found);
  findInContext(plain, found);
  findInCommands(plain, found);
  if (found.length === 0) return found;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  // What lies in a passage that was read to its end already is not read once more.
  let reach = 0;
  return found.map((find) => {
    const whole = find.end > reach ? extendFind(plain, find) : find;
    reach = Math.max(reach, whole.end);
    return whole;
  });
}

/** Passages that touch or overlap are one. */
function hide(text: string, found: readonly Find[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of found) {
    if (start >= from) parts.push(text.slice(from, start), HIDDEN);
    from = Math.max(from, end);
  }
  return parts.join('') + text.slice(from);
}
