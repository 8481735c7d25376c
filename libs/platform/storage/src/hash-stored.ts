import { createHash } from 'node:crypto';
import type { ObjectStore } from './object-store.ts';

/**
 * Returns the hexadecimal sha256 of the stored object; undefined if there is none.
 * @throws StoreError
 */
export async function hashStored(
  store: Pick<ObjectStore, 'open'>,
  key: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const stored = await store.open(key, signal);
  if (stored === undefined) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of stored.stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
