/**
 * Fields of a response with unknown content; functions that read them return null or an empty value for invalid values.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function readList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(readFields) : [];
}

/** Returns the string at a path, or a number converted to a string; null for any other value. */
export function readText(value: unknown, ...path: readonly string[]): string | null {
  const found = path.reduce<unknown>((at, key) => readFields(at)[key], value);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' ? found : null;
}

export function listTexts(value: unknown, key?: string): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries
    .map((entry) => (key === undefined || typeof entry === 'string' ? entry : readFields(entry)[key]))
    .filter((entry): entry is string => typeof entry === 'string');
}

/** Returns a path whose parts are encoded, so that none of them can lead to a different path. */
export function buildPath(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}
