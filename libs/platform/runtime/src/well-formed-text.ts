// eslint-disable-next-line no-control-regex -- NUL is exactly what has to go: Postgres text cannot hold it.
const NUL = /\u0000/g;

/** Replaces what Postgres text and JSON cannot hold (NUL, lone surrogates) by U+FFFD (decisions.md section 1). */
export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replace(NUL, '\uFFFD') : wellFormed;
}

/**
 * The same for every string and key inside a JSON value. Returns the value itself when nothing had to change.
 * Works off a list instead of calling itself: `JSON.parse` accepts 100,000 nested arrays, and a call per level overflows the stack.
 */
export function toStorableJson<T>(value: T): T {
  return (needsRepair(value) ? repair(value) : value) as T;
}

function needsRepair(root: unknown): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (!isStorable(value)) return true;
    } else if (Array.isArray(value)) {
      for (const inner of value) pending.push(inner);
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (!isStorable(key)) return true;
        pending.push(inner);
      }
    }
  }
  return false;
}

function repair(root: unknown): unknown {
  const pending: { readonly from: object; readonly to: object }[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return toStorableText(value);
    if (!isObject(value)) return value;
    const to = Array.isArray(value) ? [] : {};
    pending.push({ from: value, to });
    return to;
  };
  const result = copy(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, inner] of Object.entries(next.from)) {
      // Defined, not assigned: `__proto__` is an ordinary key in JSON.
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
