import { hash } from 'node:crypto';

const PREFIX = 'stw_';
/**
 * Prefix of execution tokens. It begins with the prefix of API keys, so that a search for Steward credentials finds it.
 */
const EXECUTION_PREFIX = 'stw_run_';
/** Prefix of portal tokens. It begins with the prefix of API keys for the same reason. */
const PORTAL_PREFIX = 'stw_ptl_';
const REFRESH_PREFIX = 'stw_rt_';
/**
 * Prefix of a browser's refresh tokens, which distinguishes them from those of programs: neither kind is accepted as
 * the other.
 */
const BROWSER_PREFIX = 'stw_bs_';
const INVITATION_PREFIX = 'stw_inv_';

/** Builds an API key: `stw_` + 32 random bytes as base64url. */
export function buildApiKey(randomBytes: (size: number) => Buffer): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Builds the credential of one run's agent. */
export function buildExecutionToken(randomBytes: (size: number) => Buffer): string {
  return `${EXECUTION_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Builds the credential in the address of a portal link. */
export function buildPortalToken(randomBytes: (size: number) => Buffer): string {
  return `${PORTAL_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Builds a refresh token, which can be exchanged for new tokens once. */
export function buildRefreshToken(randomBytes: (size: number) => Buffer): string {
  return `${REFRESH_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Builds a refresh token for a browser, which stores it as a cookie. */
export function buildBrowserToken(randomBytes: (size: number) => Buffer): string {
  return `${BROWSER_PREFIX}${randomBytes(32).toString('base64url')}`;
}

export function isBrowserToken(credential: string): boolean {
  return credential.startsWith(BROWSER_PREFIX);
}

/** Builds the token with which an invited user sets the first password, once. */
export function buildInvitationToken(randomBytes: (size: number) => Buffer): string {
  return `${INVITATION_PREFIX}${randomBytes(32).toString('base64url')}`;
}

export function isExecutionToken(credential: string): boolean {
  return credential.startsWith(EXECUTION_PREFIX);
}

export function isPortalToken(credential: string): boolean {
  return credential.startsWith(PORTAL_PREFIX);
}

export function isApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** Returns the hash of a credential; the credential itself is shown only once and is never stored. */
export function hashCredential(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Returns the hash of a credential as base64, which takes a fifth of the time of creating bytes and encoding them. */
export function nameCredential(key: string): string {
  return hash('sha256', key, 'base64');
}
