import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { refuse } from '../exit-codes.ts';

/**
 * Fingerprints of the applied value of a field and of the value that the service showed afterwards, since both may
 * contain a secret.
 */
export interface AppliedField {
  readonly applied: string;
  readonly observed: string;
}

export interface AppliedObject {
  readonly id: string;
  /** True if an apply created the object; only such objects are ever deleted. */
  readonly made: boolean;
  readonly fields: Readonly<Record<string, AppliedField>>;
}

export interface State {
  readonly version: 1;
  readonly account_id: string;
  readonly salt: string;
  readonly objects: Readonly<Record<string, AppliedObject>>;
}

/** Beginning of the fingerprint of a value that contains a secret. */
const SECRET_MARK = 's:';

export const STATE_FILE = '.steward-state.json';

/**
 * Reads the record of the last apply; returns an empty one if there is none.
 * @throws refused if it belongs to another account
 */
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
    throw refuse(`${path} belongs to another account: log in to that account, or name another file with --state.`);
  return state;
}

function parse(text: string, path: string): State {
  try {
    const state = JSON.parse(text) as State;
    if (state.version === 1 && typeof state.salt === 'string' && typeof state.objects === 'object') return state;
  } catch {
    // The error is reported below.
  }
  throw refuse(
    `${path} is not a state file of "steward apply". Remove it to start without a state: --prune then deletes nothing.`,
  );
}

/** Replaces the file atomically: if the command is killed, the previous file remains. */
export function writeState(path: string, state: State): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(state, undefined, 2)}\n`);
  renameSync(temporary, path);
}

/**
 * Returns a fingerprint that shows whether two values are equal without storing the values. Values that contain a
 * secret are hashed with a slow function, since the file may be in a repository.
 */
export function fingerprint(value: unknown, salt: string, isSecret: boolean): string {
  const text = canonical(value);
  if (!isSecret) return createHmac('sha256', salt).update(text).digest('base64url').slice(0, 22);
  return `${SECRET_MARK}${scryptSync(text, salt, 16).toString('base64url')}`;
}

/** Returns true if the value that was applied contained a secret. */
export function wasSecret(field: AppliedField | undefined): boolean {
  return field?.applied.startsWith(SECRET_MARK) === true;
}

/** Returns a value as text in which the order of the names of its fields is irrelevant. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
