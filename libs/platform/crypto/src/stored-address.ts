import type { SecretBox } from './secret-box.ts';

/** An address as it stands in a row: its path and query may be a credential, where it leads is none (ACC-48). */
export interface StoredAddress {
  /** In clear, by a release that sealed none. While it is there it is the newer one: such a release may run for a while yet. */
  readonly url: string | null;
  readonly sealed: Buffer | null;
  /** `scheme://host:port`; null beside an address in clear. */
  readonly origin: string | null;
}

/** What replaces an address in clear. */
export interface SealedAddress extends StoredAddress {
  readonly url: null;
  readonly sealed: Buffer;
  readonly origin: string;
}

export function sealAddress(address: string, context: string, box: Pick<SecretBox, 'seal'>): SealedAddress {
  return { url: null, sealed: box.seal(address, context), origin: readAddressOrigin(address) };
}

/** @throws when the key is another one, or the address is another row's */
export function openAddress({ url, sealed }: StoredAddress, context: string, box: Pick<SecretBox, 'open'>): string {
  if (url !== null) return url;
  if (sealed === null) throw new Error('a row without an address');
  return box.open(sealed, context);
}

/** Undefined where its key is lost for good: lists show where it led all the same, and a new one takes its place. */
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

/** Known without a key. */
export function findOrigin({ url, origin }: StoredAddress): string {
  return url === null ? (origin ?? '') : readAddressOrigin(url);
}

/** Empty for what is no address of a host. */
export function readAddressOrigin(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, host } = new URL(address);
  return host === '' ? '' : `${protocol}//${host}`;
}
