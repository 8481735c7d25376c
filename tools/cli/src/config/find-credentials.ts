import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { readBaseUrl } from './base-url.ts';
import {
  findConfigPath,
  isReadableByOthers,
  readLogin,
  writeLogin,
  type StoredLogin,
  type StoredTokens,
} from './config-file.ts';
import { holdLock } from './hold-lock.ts';

/** URL and credential for requests. */
export interface Credentials {
  readonly url: string;
  readonly credential: { readonly kind: 'key'; readonly key: string } | SessionCredential;
}

export interface SessionCredential {
  readonly kind: 'session';
  readonly tokens: StoredTokens;
  /** Stores renewed tokens for the next command. */
  save(tokens: StoredTokens): void;
  /** Reads the stored tokens again, since another command may have renewed them. */
  readStored(): StoredTokens | undefined;
  /** Runs `work` while no other command renews tokens: if a refresh token is sent twice, its login ends. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Finds the URL and the credential for requests. STEWARD_URL and STEWARD_API_KEY take precedence over the stored login.
 * A stored credential is sent only to the URL with which it was stored. `fallbackUrl` is used for a key from the
 * environment if no URL is set.
 */
export function findCredentials(
  context: Pick<CliContext, 'env' | 'output'>,
  fallbackUrl?: string,
): Credentials | undefined {
  const { env, output } = context;
  const path = findConfigPath(env);
  const envUrl = readSetting(env.STEWARD_URL);
  const envKey = readSetting(env.STEWARD_API_KEY);
  const url = envUrl === undefined ? undefined : readBaseUrl(envUrl, 'STEWARD_URL');
  if (envKey !== undefined) {
    output.keepSecret(envKey);
    const target = url ?? fallbackUrl ?? readLogin(path)?.url;
    if (target === undefined)
      throw refuse('STEWARD_API_KEY is set but STEWARD_URL is not: set STEWARD_URL to the URL of the service.');
    return { url: target, credential: { kind: 'key', key: envKey } };
  }
  const login = readLogin(path);
  if (login === undefined || (url !== undefined && url !== login.url)) return undefined;
  if (isReadableByOthers(path)) output.note(`warning: ${path} can be read by other users; run: chmod 600 ${path}`);
  return readCredentials(login, path, output);
}

/** Returns the credentials of a stored login. */
export function readCredentials(
  login: StoredLogin,
  path: string,
  output: CliContext['output'],
): Credentials | undefined {
  const { url, apiKey, tokens } = login;
  if (apiKey !== undefined) {
    output.keepSecret(apiKey);
    return { url, credential: { kind: 'key', key: apiKey } };
  }
  if (tokens === undefined) return undefined;
  output.keepSecret(tokens.accessToken);
  output.keepSecret(tokens.refreshToken);
  const credential: SessionCredential = {
    kind: 'session',
    tokens,
    save: (changed) => writeLogin(path, { url, tokens: changed }),
    readStored() {
      const stored = readLogin(path);
      return stored?.url === url ? stored.tokens : undefined;
    },
    alone: (work) => holdLock(`${path}.lock`, work),
  };
  return { url, credential };
}

/**
 * Finds the credentials.
 * @throws refused, naming both ways to log in
 */
export function requireCredentials(context: Pick<CliContext, 'env' | 'output'>): Credentials {
  const found = findCredentials(context);
  if (found !== undefined) return found;
  const url = readSetting(context.env.STEWARD_URL);
  throw refuse(
    url === undefined
      ? 'Not logged in. Run "steward login", or set STEWARD_URL and STEWARD_API_KEY.'
      : 'There is no login for the URL in STEWARD_URL. Run "steward login", or set STEWARD_API_KEY.',
  );
}

/** Returns the value of an environment variable. CI systems pass an undefined variable as an empty string. */
function readSetting(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}
