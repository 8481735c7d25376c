// eslint-disable-next-line no-control-regex -- NUL is exactly what has to go: Postgres text cannot hold it.
const NUL = /\u0000/g;

/** Replaces what Postgres text and JSON cannot hold (NUL, lone surrogates) by U+FFFD (decisions.md section 1). */
export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replace(NUL, '\uFFFD') : wellFormed;
}

/** The same for every string and key inside a JSON value. Returns the value itself when nothing had to change. */
export function toStorableJson<T>(value: T): T {
  return (needsRepair(value) ? repair(value) : value) as T;
}

function needsRepair(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\u0000');
  if (Array.isArray(value)) return value.some(needsRepair);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => needsRepair(key) || needsRepair(inner));
}

function repair(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(repair);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), repair(inner)]));
}
