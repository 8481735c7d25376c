import { blankEscapes } from './blank-escapes.ts';
import { HIDDEN, type Credential, type Find } from './credential.ts';
import { extendFind } from './extend-find.ts';
import { findInCommands } from './find-in-commands.ts';
import { findInContext } from './find-in-context.ts';
import { findInPercents } from './find-in-percents.ts';
import { findKubernetesSecrets } from './find-kubernetes-secrets.ts';
import { findLabelled } from './find-labelled.ts';
import { findLongRuns } from './find-long-runs.ts';
import { findPrivateKeys } from './find-private-keys.ts';
import { findTokens } from './find-tokens.ts';
import { listCredentials } from './list-credentials.ts';

/** A masked text, and the credentials that were found in it. */
export interface MaskedText {
  readonly text: string;
  /** Credentials of the original text, each once, in order of appearance. */
  readonly credentials: readonly Credential[];
}

/**
 * Masks the credentials in any free text: prose, code, logs, complete or truncated JSON, and JSON inside strings. It
 * runs on every text in the request path, so each step reads the text only once.
 */
export function findCredentials(text: string): MaskedText {
  const found = findAll(text);
  if (found.length === 0) return { text, credentials: [] };
  const credentials = new Map<string, Credential>();
  for (const find of found) {
    for (const credential of listCredentials(text, find)) {
      if (!credentials.has(credential.secret)) credentials.set(credential.secret, credential);
    }
  }
  return { text: hide(text, found), credentials: [...credentials.values()] };
}

/** Returns the text with every credential in it replaced by `[redacted]`. */
export function maskCredentials(text: string): string {
  const found = findAll(text);
  return found.length === 0 ? text : hide(text, found);
}

/** Maximum depth of nested encoded texts. */
const DEEPEST_ENCODING = 2;

function findAll(text: string, depth = 0): Find[] {
  const found: Find[] = [];
  const plain = blankEscapes(text);
  const findIn = depth < DEEPEST_ENCODING ? (decoded: string): Find[] => findAll(decoded, depth + 1) : undefined;
  findTokens(plain, found);
  findPrivateKeys(plain, found);
  findLabelled(plain, text, found);
  findLongRuns(plain, found, findIn);
  findInContext(plain, found);
  findInCommands(plain, found);
  findKubernetesSecrets(plain, found);
  if (findIn !== undefined) findInPercents(text, findIn, found);
  if (found.length === 0) return found;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  // `reach` is the furthest end of the earlier passages: a passage that ends at or before it lies within them, and is
  // not extended.
  let reach = 0;
  return found.map((find) => {
    const whole = find.end > reach ? extendFind(plain, find) : find;
    reach = Math.max(reach, whole.end);
    return whole;
  });
}

/** Replaces passages; passages that overlap are replaced as one. */
function hide(text: string, found: readonly Find[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of found) {
    if (start >= from) parts.push(text.slice(from, start), HIDDEN);
    from = Math.max(from, end);
  }
  return parts.join('') + text.slice(from);
}
