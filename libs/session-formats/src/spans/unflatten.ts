import type { Fields } from '../rules/json-access.ts';

type Branch = Map<string, unknown>;

/** Maximum number of levels, more than any convention uses. */
const MOST_LEVELS = 12;

/**
 * Converts `p.0.role`, `p.0.content`, `p.1.role` to `[{role, content}, {role}]`; returns undefined if no key has the
 * prefix.
 */
export function unflatten(attributes: Fields, prefix: string): unknown {
  const root: Branch = new Map();
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const path = key.slice(prefix.length + 1).split('.');
    if (path.length <= MOST_LEVELS) put(root, path, value);
  }
  return root.size === 0 ? undefined : build(root);
}

function put(root: Branch, path: readonly string[], value: unknown): void {
  let branch = root;
  for (const name of path.slice(0, -1)) {
    const next = branch.get(name);
    if (next instanceof Map) branch = next as Branch;
    else {
      const made: Branch = new Map();
      branch.set(name, made);
      branch = made;
    }
  }
  const last = path.at(-1) ?? '';
  if (!(branch.get(last) instanceof Map)) branch.set(last, value);
}

function build(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Branch)].map(([name, entry]) => [name, build(entry)] as const);
  if (!entries.every(([name]) => /^\d{1,6}$/.test(name))) return Object.fromEntries(entries);
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, entry]) => entry);
}
