/** JSON of this many bytes that is nothing but empty lists: each costs its reader ten times what it costs here. */
export function emptyLists(sizeBytes: number): Buffer {
  return Buffer.from(`[${'[],'.repeat(Math.floor(sizeBytes / 3) - 1)}[]]`);
}

/** An object with this many members of different names. */
export function manyMembers(count: number): Buffer {
  const members = Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`);
  return Buffer.from(`{${members.join(',')}}`);
}

/** Lists within lists. */
export function deepLists(levels: number): Buffer {
  return Buffer.from('['.repeat(levels) + ']'.repeat(levels));
}
