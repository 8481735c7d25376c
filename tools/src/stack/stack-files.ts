import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Everything the local stack keeps: ignored by git, wiped by `npm run reset`. */
export const LOCAL_DIRECTORY = resolve(WORKSPACE_ROOT, '.local');
export const LOG_DIRECTORY = resolve(LOCAL_DIRECTORY, 'logs');
const STATE_FILE = resolve(LOCAL_DIRECTORY, 'stack.json');
const SECRETS_FILE = resolve(LOCAL_DIRECTORY, 'secrets.json');
const DATABASE_URL_FILE = resolve(LOCAL_DIRECTORY, 'database-url');

/** The running stack as other tools find it. */
export interface StackState {
  readonly pid: number;
  /** `starting` until every app is healthy. */
  readonly phase: 'starting' | 'ready';
  readonly apiUrl: string;
  readonly healthUrls: Readonly<Record<string, string>>;
  readonly appPids: Readonly<Record<string, number>>;
}

export interface StackSecrets {
  readonly secretKey: string;
  readonly rolePasswords: Readonly<Record<string, string>>;
}

/** For tools that look at the running stack's database. Holds a password: the owner's eyes only. */
export function writeStackDatabaseUrl(url: string): void {
  writeFileSync(DATABASE_URL_FILE, url, { mode: 0o600 });
}

/** Undefined when no stack was started from this folder. */
export function readStackDatabaseUrl(): string | undefined {
  try {
    return readFileSync(DATABASE_URL_FILE, 'utf8');
  } catch {
    return undefined;
  }
}

export function writeStackState(state: StackState): void {
  writeFileSync(STATE_FILE, `${JSON.stringify(state, null, 2)}\n`);
}

/** Claims the folder for this process. Answers the stack that already runs, if one does. */
export function claimStack(state: StackState): StackState | undefined {
  mkdirSync(LOG_DIRECTORY, { recursive: true });
  for (;;) {
    try {
      writeFileSync(STATE_FILE, `${JSON.stringify(state, null, 2)}\n`, { flag: 'wx' });
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const running = findRunningStack();
    if (running !== undefined) return running;
    // Left behind by a stack that was killed.
    rmSync(STATE_FILE, { force: true });
  }
}

export function releaseStack(): void {
  rmSync(STATE_FILE, { force: true });
}

/** The stack started from this folder, if its process is alive. */
export function findRunningStack(): StackState | undefined {
  let state: StackState;
  try {
    state = JSON.parse(readFileSync(STATE_FILE, 'utf8')) as StackState;
  } catch {
    return undefined;
  }
  return isStackProcess(state.pid) ? state : undefined;
}

function isStackProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    // Process ids are reused: where /proc exists, the command line tells a stack from a stranger.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stack/start');
  } catch {
    return true;
  }
}

/** Secrets of this folder's stack: made once, so that tokens and encrypted secrets survive a restart. */
export function loadStackSecrets(): StackSecrets {
  try {
    return JSON.parse(readFileSync(SECRETS_FILE, 'utf8')) as StackSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secrets: StackSecrets = {
    secretKey: randomBytes(48).toString('base64url'),
    rolePasswords: Object.fromEntries(
      Object.values(APP_ROLES).map((role) => [role, randomBytes(24).toString('base64url')]),
    ),
  };
  writeFileSync(SECRETS_FILE, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
