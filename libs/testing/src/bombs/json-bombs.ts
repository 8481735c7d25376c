/**
 * Returns JSON of this many bytes that consists of empty lists: parsing it takes ten times as much memory as writing
 * it.
 */
export function emptyLists(sizeBytes: number): Buffer {
  return Buffer.from(`[${'[],'.repeat(Math.floor(sizeBytes / 3) - 1)}[]]`);
}

/** Returns an object with this many members with different names. */
export function manyMembers(count: number): Buffer {
  const members = Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`);
  return Buffer.from(`{${members.join(',')}}`);
}

/** Returns nested lists. */
export function deepLists(levels: number): Buffer {
  return Buffer.from('['.repeat(levels) + ']'.repeat(levels));
}
