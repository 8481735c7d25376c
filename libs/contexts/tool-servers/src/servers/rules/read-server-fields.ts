import { AppError } from '@steward/contracts';
import { findOrigin, readAddressOrigin, type StoredAddress } from '@steward/crypto';
import { checkBaseUrl } from '@steward/egress';
import type { ToolServerFields, ToolServerPatch } from '../tool-server.ts';
import { findHeaderFault } from './find-header-fault.ts';
import { writeProgramAddress } from './program-address.ts';

/**
 * Matches a server name, which has no underscore, because two underscores separate the server name from the tool name.
 */
const NAME = /^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/;

/** The server name that tracker tools use. */
const RESERVED = 'tracker';

export type ReadServerFields = Omit<ToolServerFields, 'url'> & {
  /** New address; undefined leaves the stored one unchanged. */
  readonly url: string | undefined;
};

/**
 * Applies the changed fields to a server, and checks each field individually (MCP-2 to MCP-4). A stored address is not
 * checked again, so that a server whose address the operator no longer allows can still be disabled.
 *
 * @param stored - the stored fields; undefined for a new server, which needs an address or a command
 * @param insecureOrigins - origins for which http is allowed, in the format that `readOrigin` returns
 * @throws invalid_request with the field, invalid_base_url
 */
export function readServerFields(
  stored: Omit<ToolServerFields, 'url'> | undefined,
  patch: ToolServerPatch,
  insecureOrigins: readonly string[],
): ReadServerFields {
  const name = readName(stored?.name, patch.name);
  const fault = findHeaderFault(patch.headers ?? {});
  if (fault !== undefined) throw refuse('headers', fault);
  const isKept = patch.url === undefined && patch.command === undefined && stored !== undefined;
  const url = isKept ? undefined : readAddress(patch, insecureOrigins);
  return { name, url, isEnabled: patch.isEnabled ?? stored?.isEnabled ?? true };
}

function readName(stored: string | undefined, name = stored ?? ''): string {
  if (!NAME.test(name))
    throw refuse('name', 'must be 1 to 20 characters of a-z, 0-9 and -, not beginning or ending with -.');
  if (name === RESERVED && stored !== RESERVED) throw refuse('name', 'is reserved for the tools of trackers.');
  return name;
}

function readAddress({ url, command, headers = {} }: ToolServerPatch, insecureOrigins: readonly string[]): string {
  if (command === undefined) return readUrl(url ?? '', insecureOrigins);
  if (url !== undefined) throw refuse('url', 'can be set only for an HTTP server, not for a program.');
  if (Object.keys(headers).length > 0) throw refuse('headers', 'cannot be set for a program.');
  return writeProgramAddress(command);
}

function readUrl(text: string, insecureOrigins: readonly string[]): string {
  const checked = checkBaseUrl(text, insecureOrigins, { field: 'url', secret: 'headers', isWhole: true });
  if (checked.kind === 'valid') return checked.baseUrl;
  throw new AppError('invalid_base_url', { message: checked.message, detail: { field: 'url' } });
}

/**
 * Returns whether two addresses have the same origin. Headers are sent only to the service for which they were saved: a
 * user who may change the address must not be able to obtain them by changing the address.
 */
export function isSameService(stored: StoredAddress, nextUrl: string): boolean {
  return findOrigin(stored) === readAddressOrigin(nextUrl);
}

function refuse(field: string, what: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${what}`, detail: { field } });
}
