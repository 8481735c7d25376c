import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { refuse } from '../exit-codes.ts';

/** One field as it was applied, and as the service showed it afterwards: fingerprints, since both may hold a secret. */
export interface AppliedField {
  readonly applied: string;
  readonly observed: string;
}

export interface AppliedObject {
  readonly id: string;
  /** An apply made it; only such are ever deleted. */
  readonly made: boolean;
  readonly fields: Readonly<Record<string, AppliedField>>;
}

export interface State {
  readonly version: 1;
  readonly account_id: string;
  readonly salt: string;
  readonly objects: Readonly<Record<string, AppliedObject>>;
}

export const STATE_FILE = '.steward-state.json';

/** Reads the record of the last apply; an empty one if there is none. @throws refused if it is of another account */
export function readState(path: string, accountId: string): State {
  const empty: State = { version: 1, account_id: accountId, salt: randomBytes(16).toString('hex'), objects: {} };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
    throw refuse(`${path} cannot be read: ${(error as Error).message}`);
  }
  const state = parse(text, path);
  if (state.account_id !== accountId)
    throw refuse(`${path} is of another account: log in to that one, or name another file with --state.`);
  return state;
}

function parse(text: string, path: string): State {
  try {
    const state = JSON.parse(text) as State;
    if (state.version === 1 && typeof state.salt === 'string' && typeof state.objects === 'object') return state;
  } catch {
    // Said below.
  }
  throw refuse(`${path} is no state of an apply. Remove it to begin anew: then nothing is deleted by --prune.`);
}

/** Replaces the file in one step: a killed command leaves the former. */
export function writeState(path: string, state: State): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(state, undefined, 2)}\n`);
  renameSync(temporary, path);
}

/** Tells whether two values are the same without keeping them. What holds a secret is hashed slowly: the file may be in a repository. */
export function fingerprint(value: unknown, salt: string, isSecret: boolean): string {
  const text = canonical(value);
  if (!isSecret) return createHmac('sha256', salt).update(text).digest('base64url').slice(0, 22);
  return `s:${scryptSync(text, salt, 16).toString('base64url')}`;
}

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
