import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { completeBrokerPasswords, type BrokerPasswords } from '../broker/broker-users.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import type { StackProcess } from './end-orphans.ts';

/** Everything the local stack keeps: ignored by git, wiped by `npm run reset`. */
export const LOCAL_DIRECTORY = resolve(WORKSPACE_ROOT, '.local');
export const LOG_DIRECTORY = resolve(LOCAL_DIRECTORY, 'logs');
/** A file per secret and app: their environments hold only the paths. */
export const SECRET_DIRECTORY = resolve(LOCAL_DIRECTORY, 'secrets');
const STATE_FILE = resolve(LOCAL_DIRECTORY, 'stack.json');
const SECRETS_FILE = resolve(LOCAL_DIRECTORY, 'secrets.json');
const DATABASE_URL_FILE = resolve(LOCAL_DIRECTORY, 'database-url');
const BROKER_URL_FILE = resolve(LOCAL_DIRECTORY, 'broker-url');

/** The running stack as other tools find it. */
export interface StackState {
  readonly pid: number;
  /** `starting` until every app is healthy. */
  readonly phase: 'starting' | 'ready';
  readonly apiUrl: string;
  readonly healthUrls: Readonly<Record<string, string>>;
  /** Everything it started, for whoever has to end it in its stead. */
  readonly processes: readonly StackProcess[];
}

export interface StackSecrets {
  readonly secretKey: string;
  /** Former keys, still accepted. */
  readonly previousSecretKeys?: readonly string[];
  readonly rolePasswords: Readonly<Record<string, string>>;
}

/** What the local stack keeps besides: the logins at its own broker. */
export interface LocalSecrets extends StackSecrets {
  readonly brokerPasswords: BrokerPasswords;
}

/** For tools that look at the running stack's database. Holds a password: the owner's eyes only. */
export function writeStackDatabaseUrl(url: string): void {
  writeFileSync(DATABASE_URL_FILE, url, { mode: 0o600 });
}

/** For people who look at the streams: the operator's login. */
export function writeStackBrokerUrl(url: string): void {
  writeFileSync(BROKER_URL_FILE, url, { mode: 0o600 });
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
  const state = readStackState();
  return state !== undefined && isStackProcess(state.pid) ? state : undefined;
}

/** What the last stack of this folder wrote of itself, if it did not end by itself: it runs, or it was killed. */
export function readStackState(): StackState | undefined {
  try {
    return JSON.parse(readFileSync(STATE_FILE, 'utf8')) as StackState;
  } catch {
    return undefined;
  }
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
export function loadStackSecrets(): LocalSecrets {
  const present = readStackSecrets();
  const secrets: LocalSecrets = {
    ...(present ?? {
      secretKey: randomBytes(48).toString('base64url'),
      rolePasswords: Object.fromEntries(
        Object.values(APP_ROLES).map((role) => [role, randomBytes(24).toString('base64url')]),
      ),
    }),
    brokerPasswords: completeBrokerPasswords(present?.brokerPasswords),
  };
  writeFileSync(SECRETS_FILE, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

function readStackSecrets(): (StackSecrets & Partial<LocalSecrets>) | undefined {
  try {
    return JSON.parse(readFileSync(SECRETS_FILE, 'utf8')) as StackSecrets & Partial<LocalSecrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
