import { isExactNumber } from './exact-json.ts';

// eslint-disable-next-line no-control-regex -- NUL is exactly what has to go: Postgres text cannot hold it.
const NUL = /\u0000/g;

/** Replaces characters that Postgres text and JSON cannot contain (NUL, lone surrogates) with U+FFFD (API-7). */
export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replace(NUL, '\uFFFD') : wellFormed;
}

/**
 * Applies `toStorableText` to every string and key inside a JSON value. Returns the value itself if nothing had to
 * change. Uses a list instead of recursion: `JSON.parse` accepts 100,000 nested arrays, for which recursion would
 * overflow the stack.
 */
export function toStorableJson<T>(value: T): T {
  return (needsRepair(value) ? repair(value) : value) as T;
}

/**
 * Returns whether `toStorableText` would change any string or key of a value. Allocates nothing per member: a large
 * body has 200,000 members, and is checked in the request path.
 */
function needsRepair(root: unknown): boolean {
  const pending: object[] = [];
  const breaks = (value: unknown): boolean => {
    if (typeof value === 'string') return !isStorable(value);
    if (isObject(value)) pending.push(value);
    return false;
  };
  if (breaks(root)) return true;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      if (next.some(breaks)) return true;
      continue;
    }
    const fields = next as Record<string, unknown>;
    for (const key in fields) {
      if (!isStorable(key) || breaks(fields[key])) return true;
    }
  }
  return false;
}

function repair(root: unknown): unknown {
  const pending: { readonly from: object; readonly to: object }[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return toStorableText(value);
    if (!isObject(value) || isExactNumber(value)) return value;
    const to = Array.isArray(value) ? [] : {};
    pending.push({ from: value, to });
    return to;
  };
  const result = copy(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, inner] of Object.entries(next.from)) {
      // The property is defined, not assigned: `__proto__` is an ordinary key in JSON.
      const property = { value: copy(inner), writable: true, enumerable: true, configurable: true };
      Object.defineProperty(next.to, toStorableText(key), property);
    }
  }
  return result;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
