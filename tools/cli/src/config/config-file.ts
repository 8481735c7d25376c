import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { refuse } from '../exit-codes.ts';

/** Stored data of a login: an API key, or the tokens of a password login. */
export interface StoredLogin {
  readonly url: string;
  readonly apiKey?: string;
  readonly tokens?: StoredTokens;
}

export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Time after which the access token has to be renewed, in the format of ISO 8601. */
  readonly expiresAt: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns `$XDG_CONFIG_HOME/steward/config.json`; a relative XDG_CONFIG_HOME is ignored (XDG base directory
 * specification).
 */
export function findConfigPath(env: Env): string {
  const xdg = env.XDG_CONFIG_HOME ?? '';
  const home = xdg.startsWith('/') ? xdg : join(env.HOME ?? homedir(), '.config');
  return join(home, 'steward', 'config.json');
}

export function readLogin(path: string): StoredLogin | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw refuse(`The configuration ${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    const login = JSON.parse(text) as StoredLogin;
    if (typeof login.url === 'string') return login;
  } catch {
    // The parser's message would quote the file, which may contain a credential.
  }
  throw refuse(`The configuration ${path} is damaged. Log in again: steward login`);
}

/** Returns true if other users may read the file. */
export function isReadableByOthers(path: string): boolean {
  try {
    return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

/**
 * Stores a login. The file is readable only by its owner from the start, and replaced atomically, so that another
 * process never reads a partial file.
 */
export function writeLogin(path: string, login: StoredLogin): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

export function deleteLogin(path: string): boolean {
  const existed = statSync(path, { throwIfNoEntry: false }) !== undefined;
  rmSync(path, { force: true });
  return existed;
}
