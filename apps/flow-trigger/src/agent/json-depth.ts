/**
 * Maximum depth, which is also the maximum that API routes accept; deeper values from an agent or a provider could
 * overflow the stack when they are serialized.
 */
const MAX_DEPTH = 200;

/**
 * Returns true if a parsed value is nested too deeply to be stored. The function is iterative, because a recursive
 * function would itself overflow the stack.
 */
export function isNestedTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue;
      for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') next.push(inner);
    }
    level = next;
  }
  return false;
}
