import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * An entry as the API shows it, without the fields that are updated later (`details.reads`, `details.last_read_at`).
 */
export interface ChainedEntry {
  readonly id: string;
  readonly occurred_at: string;
  readonly actor: { readonly kind: string; readonly id: string | null };
  readonly source: string;
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly status: string;
  readonly details: unknown;
}

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Returns the digest that precedes the first seal of an account: SHA-256 of `steward audit log ACCOUNT_ID`. */
export const beginChain = (accountId: string): Buffer => sha256(`steward audit log ${accountId}`);

/**
 * Extends a chain, and returns its new digest. For each entry, in order, the next digest is the SHA-256 of 64 bytes:
 * the previous digest, followed by the SHA-256 of the entry as canonical JSON (RFC 8785).
 */
export function extendChain(digest: Buffer, entries: readonly ChainedEntry[]): Buffer {
  return entries.reduce<Buffer>((before, entry) => sha256(before, sha256(canonicalize(entry) as string)), digest);
}
