import type { SecretBox } from './secret-box.ts';

/** An address as stored in a row: its path and query may contain a credential, its origin does not (ACC-48). */
export interface StoredAddress {
  /**
   * Address in plaintext, written by a release that did not encrypt addresses. If present, it is the newer value, since
   * such a release may still be running.
   */
  readonly url: string | null;
  readonly sealed: Buffer | null;
  /** Origin of the address, `scheme://host:port`; null if the address is stored in plaintext. */
  readonly origin: string | null;
}

/** Columns of an encrypted address; writing them deletes the plaintext address. */
export interface SealedAddress extends StoredAddress {
  readonly url: null;
  readonly sealed: Buffer;
  readonly origin: string;
}

export function sealAddress(address: string, context: string, box: Pick<SecretBox, 'seal'>): SealedAddress {
  return { url: null, sealed: box.seal(address, context), origin: readAddressOrigin(address) };
}

/**
 * Returns the plaintext of an address.
 * @throws if the address was encrypted with another key, or belongs to another row
 */
export function openAddress({ url, sealed }: StoredAddress, context: string, box: Pick<SecretBox, 'open'>): string {
  if (url !== null) return url;
  if (sealed === null) throw new Error('a row without an address');
  return box.open(sealed, context);
}

/**
 * Returns the plaintext of an address; undefined if it cannot be decrypted, for example because the key is permanently
 * lost. Lists then still show the origin, and the address can be replaced.
 */
export function tryOpenAddress(
  address: StoredAddress,
  context: string,
  box: Pick<SecretBox, 'open'>,
): string | undefined {
  try {
    return openAddress(address, context, box);
  } catch {
    return undefined;
  }
}

/** Returns the origin of a stored address; no key is needed. */
export function findOrigin({ url, origin }: StoredAddress): string {
  return url === null ? (origin ?? '') : readAddressOrigin(url);
}

/** Returns the origin of an address; empty if the address is not a valid URL, or has no host. */
export function readAddressOrigin(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, host } = new URL(address);
  return host === '' ? '' : `${protocol}//${host}`;
}
