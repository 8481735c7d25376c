export interface ObjectPlace {
  readonly accountId: string;
  readonly sessionId: string;
  readonly id: string;
  readonly revision: number;
}

/** Prefix of the keys of all objects with content. */
export const ALL_OBJECTS = 'content/';
/** Number of random bytes in a key; the key contains them as hexadecimal digits. */
export const KEY_NONCE_BYTES = 8;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const KEY = new RegExp(`^content/(${UUID})/(${UUID})/(${UUID})-(\\d{1,10})-[0-9a-f]{${KEY_NONCE_BYTES * 2}}$`);

/**
 * Returns the key of a new object. Each attempt to store a body uses a new nonce, so an object is never overwritten.
 */
export function buildObjectKey({ accountId, sessionId, id, revision }: ObjectPlace, nonce: string): string {
  return `${buildSessionPrefix({ accountId, sessionId })}${id}-${revision}-${nonce}`;
}

/** Returns the prefix of the keys of all objects of a session. */
export function buildSessionPrefix({ accountId, sessionId }: Pick<ObjectPlace, 'accountId' | 'sessionId'>): string {
  return `${ALL_OBJECTS}${accountId}/${sessionId}/`;
}

/** Returns the content that the key of an object identifies; undefined for any other key. */
export function readObjectKey(key: string): ObjectPlace | undefined {
  const [, accountId, sessionId, id, revision] = KEY.exec(key) ?? [];
  if (accountId === undefined || sessionId === undefined || id === undefined) return undefined;
  return { accountId, sessionId, id, revision: Number(revision) };
}
