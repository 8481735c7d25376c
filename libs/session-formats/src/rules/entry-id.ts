import { createHash } from 'node:crypto';

/** Maximum length of an entry id. External ids may have 255 characters; a suffix may follow. */
const MOST_CHARS = 240;

/** Returns 16 hex digits of a hash of the value. */
export function hashContent(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Creates an id from the index in the file and the content, for an entry to which its source gives no id. If the file
 * has only grown, its earlier entries get the same ids again.
 */
export function placedId(place: string | number, value: unknown): string {
  return `${place}:${hashContent(value)}`;
}

/** Returns the id of the source, or a shortened id that ends with a hash if the id is too long. */
export function boundedId(id: string): string {
  return id.length <= MOST_CHARS ? id : `${id.slice(0, 128)}:${hashContent(id)}`;
}
