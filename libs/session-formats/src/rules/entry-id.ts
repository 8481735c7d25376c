import { createHash } from 'node:crypto';

/** External ids have 255; a mark may follow. */
const MOST_CHARS = 240;

/** 16 hex digits of a value's content. */
export function hashContent(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16);
}

/** For a source without ids: its place in the file and its content. A file that only grows gives the same ones again. */
export function placedId(place: string | number, value: unknown): string {
  return `${place}:${hashContent(value)}`;
}

/** An id of the source as it is, or, when it is longer than an external id may be, one made from it. */
export function boundedId(id: string): string {
  return id.length <= MOST_CHARS ? id : `${id.slice(0, 128)}:${hashContent(id)}`;
}
