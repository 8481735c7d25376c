/**
 * Returns the chunks shown for a session: the best of each half in turn, without duplicates. Begins with `first`, the
 * list of the half that ranks the session higher.
 */
export function mergeChunks(first: readonly string[], second: readonly string[], most: number): string[] {
  const merged = new Set<string>();
  for (let place = 0; place < Math.max(first.length, second.length); place += 1) {
    for (const list of [first, second]) {
      const id = list[place];
      if (id !== undefined && merged.size < most) merged.add(id);
    }
  }
  return [...merged];
}
