import { AppError } from '@steward/contracts';
import { checkBaseUrl } from '@steward/egress';
import { TRACKER_HOSTS, type TrackerKind } from '../../hosts/hosts.ts';
import type { TrackerRow } from '../../schema.ts';
import type { TrackerFields, TrackerPatch } from '../tracker.ts';

const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
/** Matches a token that consists of characters allowed in a header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;
const USERNAME = /^[\x21-\x39\x3b-\x7e]{1,200}$/;

export interface SaveRules {
  /** Origins for which http is allowed, in the format that `readOrigin` returns. */
  readonly insecureOrigins: readonly string[];
}

/**
 * Applies the changed fields to a connection, and checks each field individually (TRK-2 to TRK-4). A stored address is
 * not checked again.
 *
 * @param stored - the stored connection; undefined for a new one
 * @throws invalid_request with the field, invalid_base_url
 */
export function readTrackerFields(
  kind: TrackerKind,
  stored: TrackerRow | undefined,
  patch: TrackerPatch,
  { insecureOrigins }: SaveRules,
): TrackerFields {
  const name = patch.name ?? stored?.name ?? '';
  if (!NAME.test(name))
    throw refuse('name', 'must be 1 to 40 characters of a-z, 0-9 and -, not beginning or ending with -');
  const username = readUsername(kind, patch.username === undefined ? stored?.username : patch.username);
  const baseUrl = readBaseUrl(kind, stored, patch.baseUrl, insecureOrigins);
  checkToken(patch.token, stored, baseUrl);
  const repositories = patch.repositories ?? stored?.repositories ?? [];
  for (const [index, entry] of repositories.entries()) checkPattern(kind, entry, index);
  return { name, kind, baseUrl, username, repositories };
}

function readUsername(kind: TrackerKind, username: string | null = null): string | null {
  if (username === null) return null;
  if (kind !== 'jira') throw refuse('username', `is not used for ${TRACKER_HOSTS[kind].title}`);
  if (!USERNAME.test(username)) throw refuse('username', 'must be an email address, without spaces and colons');
  return username;
}

function checkToken(token: string | undefined, stored: TrackerRow | undefined, baseUrl: string): void {
  if (token !== undefined && !TOKEN.test(token)) throw refuse('token', 'must be 1 to 4096 visible ASCII characters');
  if (token !== undefined) return;
  if (stored === undefined) throw refuse('token', 'is missing');
  // If the address leads to another server, the token must be sent again: otherwise a user who may change the address
  // could have the stored token sent to a server of their own.
  if (new URL(stored.base_url).origin !== new URL(baseUrl).origin)
    throw refuse('token', 'must be sent again if base_url leads to another server');
}

function readBaseUrl(
  kind: TrackerKind,
  stored: TrackerRow | undefined,
  given: string | undefined,
  insecureOrigins: readonly string[],
): string {
  if (given === undefined && stored !== undefined) return stored.base_url;
  const { title, baseUrl: usual } = TRACKER_HOSTS[kind];
  const text = given ?? usual;
  if (text === undefined)
    throw refuse('base_url', `is missing: send the address of ${title}, for example https://example.atlassian.net`);
  const checked = checkBaseUrl(text, insecureOrigins, { field: 'base_url', secret: 'token' });
  if (checked.kind === 'invalid')
    throw new AppError('invalid_base_url', { message: checked.message, detail: { field: 'base_url' } });
  const isElsewhere = kind === 'linear' && checked.baseUrl !== usual && checked.hostname !== undefined;
  if (isElsewhere) throw refuse('base_url', `cannot be set: ${title} is available only at ${usual ?? ''}`);
  return checked.baseUrl;
}

/** Checks an entry: the name of a repository, or a pattern such as `acme/*` for all repositories below a path. */
function checkPattern(kind: TrackerKind, entry: string, index: number): void {
  const { pattern, words } = TRACKER_HOSTS[kind].repository;
  const named = entry.endsWith('/*') ? `${entry.slice(0, -1)}x` : entry;
  if (!pattern.test(named))
    throw refuse(`repositories.${index}`, `must be ${words}; "…/*" includes everything below a group or owner`);
}

/**
 * Returns whether a connection covers a repository: a connection that names no repositories covers everything that its
 * token can access. The comparison ignores case.
 */
export function coversRepository(repositories: readonly string[], repository: string): boolean {
  const wanted = repository.toLowerCase();
  return (
    repositories.length === 0 ||
    repositories.some((entry) => {
      const known = entry.toLowerCase();
      return known.endsWith('/*') ? wanted.startsWith(known.slice(0, -1)) : wanted === known;
    })
  );
}

function refuse(field: string, what: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${what}.`, detail: { field } });
}
