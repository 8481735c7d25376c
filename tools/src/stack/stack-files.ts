import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { completeBrokerPasswords, type BrokerPasswords } from '../broker/broker-users.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import type { StackProcess } from './end-orphans.ts';

/** Folder with all data of the local stack: ignored by git, deleted by `npm run reset`. */
export const LOCAL_DIRECTORY = resolve(WORKSPACE_ROOT, '.local');
export const LOG_DIRECTORY = resolve(LOCAL_DIRECTORY, 'logs');
/** Folder with one file per secret and app, because the environments of apps contain only the paths. */
export const SECRET_DIRECTORY = resolve(LOCAL_DIRECTORY, 'secrets');
const STATE_FILE = resolve(LOCAL_DIRECTORY, 'stack.json');
const SECRETS_FILE = resolve(LOCAL_DIRECTORY, 'secrets.json');
const DATABASE_URL_FILE = resolve(LOCAL_DIRECTORY, 'database-url');
const BROKER_URL_FILE = resolve(LOCAL_DIRECTORY, 'broker-url');

/** State of the running stack, for other tools. */
export interface StackState {
  readonly pid: number;
  /** Phase of the start: `starting` until every app is healthy. */
  readonly phase: 'starting' | 'ready';
  readonly apiUrl: string;
  readonly healthUrls: Readonly<Record<string, string>>;
  /** Processes that the stack has started, so that another process can end them. */
  readonly processes: readonly StackProcess[];
}

export interface StackSecrets {
  readonly secretKey: string;
  /** Previous keys, which are still accepted. */
  readonly previousSecretKeys?: readonly string[];
  readonly rolePasswords: Readonly<Record<string, string>>;
}

/** Additional secrets of the local stack: the logins at its own broker. */
export interface LocalSecrets extends StackSecrets {
  readonly brokerPasswords: BrokerPasswords;
}

/**
 * Stores the URL for tools that read from the running stack's database. It contains a password, so only the owner may
 * read the file.
 */
export function writeStackDatabaseUrl(url: string): void {
  writeFileSync(DATABASE_URL_FILE, url, { mode: 0o600 });
}

/** Stores the operator's login, for people who inspect the streams. */
export function writeStackBrokerUrl(url: string): void {
  writeFileSync(BROKER_URL_FILE, url, { mode: 0o600 });
}

/** Reads the URL of the database; returns undefined if no stack has been started from this folder. */
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

/** Claims the folder for this process. Returns the running stack, if there is one. */
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
    // These are the remains of a killed stack.
    rmSync(STATE_FILE, { force: true });
  }
}

export function releaseStack(): void {
  rmSync(STATE_FILE, { force: true });
}

/** Returns the stack started from this folder, if its process is still running. */
export function findRunningStack(): StackState | undefined {
  const state = readStackState();
  return state !== undefined && isStackProcess(state.pid) ? state : undefined;
}

/** Returns the last state of this folder's stack, unless it ended normally: the stack is running, or was killed. */
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
    // Process ids are reused; if /proc exists, the command line distinguishes a stack from other processes.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stack/start');
  } catch {
    return true;
  }
}

/**
 * Loads the secrets of this folder's stack, which are created only once, so that tokens and encrypted secrets remain
 * valid after a restart.
 */
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
