const KEY = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*)(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

/**
 * Returns the key if it means the same in a path and in a URL, and cannot refer to a place outside the store.
 * @throws Error for any other key
 */
export function requireKey(key: string): string {
  if (key.length > 512 || !KEY.test(key)) throw new Error('not a key of an object store');
  return key;
}
