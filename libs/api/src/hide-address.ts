import { AppError, type Permission, type Principal } from '@steward/contracts';
import { findOrigin, tryOpenAddress, type SecretBox, type StoredAddress } from '@steward/crypto';

const HIDDEN = '/[hidden]';

/**
 * Replaces the path, the query and the fragment of an address with a placeholder, because for many receivers they are
 * the credential (ACC-47).
 */
export function hideAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname, search, hash } = new URL(address);
  if (host === '') return address;
  return `${protocol}//${host}${/^\/?$/.test(pathname) && search === '' && hash === '' ? pathname : HIDDEN}`;
}

/** Returns the full address for callers who may change it, and the address with a hidden path for all others. */
export function showAddress(address: string, { permissions }: Principal, permission: Permission): string {
  return permissions.has(permission) ? address : hideAddress(address);
}

/**
 * Returns the address that a row stores. If the address cannot be decrypted, for example because its key is permanently
 * lost, its path is hidden.
 */
export function readStored(stored: StoredAddress, context: string, box: Pick<SecretBox, 'open'>): string {
  return tryOpenAddress(stored, context, box) ?? hidePath(findOrigin(stored));
}

/** Formats an address of which only the origin is known. */
export function hidePath(origin: string): string {
  return `${origin}${HIDDEN}`;
}

/**
 * Refuses an address in the form in which the API returns it, with a hidden path. @throws invalid_url naming the field
 */
export function refuseHidden(address: string, field: string): void {
  if (!address.endsWith(HIDDEN)) return;
  const message = `"${field}" is returned without its path: omit it, or send it in full.`;
  throw new AppError('invalid_url', { message, detail: { field } });
}
