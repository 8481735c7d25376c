/** As deep as the routes take JSON in; what an agent or a provider nests deeper would overflow every serialiser behind. */
const MAX_DEPTH = 200;

/** Whether a parsed value is nested deeper than is stored. Works off a list: a call per level would overflow first. */
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
