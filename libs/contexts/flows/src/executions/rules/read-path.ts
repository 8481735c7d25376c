/**
 * Returns the value at a path such as `a.b.0.c` (or `a.b[0].c`), which is given as its segments. Reads own properties
 * of objects and elements of arrays, but never prototypes. Returns `found: false` if any segment is missing.
 */
export function readPath(
  value: unknown,
  segments: readonly string[],
): { found: true; value: unknown } | { found: false } {
  let current = value;
  for (const segment of segments) {
    if (Array.isArray(current)) {
      if (!/^\d{1,9}$/.test(segment) || Number(segment) >= current.length) return { found: false };
      current = current[Number(segment)] as unknown;
    } else if (current !== null && typeof current === 'object' && Object.hasOwn(current, segment)) {
      current = (current as Record<string, unknown>)[segment];
    } else return { found: false };
  }
  return { found: true, value: current };
}

/** Returns the segments of a path such as `a.b[0]`. */
export function splitPath(path: string): string[] {
  return path.replaceAll(/\[(\d{1,9})\]/g, '.$1').split('.');
}
