/**
 * Parses a readable query string: plain `key=value`, with a repeated key for a list. The router's default parses values
 * as JSON: it would turn `q=404` into a number, and lose the quotes of a phrase. A key without a value is ignored.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(params.keys())].flatMap((key) => {
      const values = params.getAll(key).filter((value) => value !== '');
      const [first] = values;
      return first === undefined ? [] : [[key, values.length > 1 ? values : first]];
    }),
  );
}

export function stringifySearch(values: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) params.append(key, String(one));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Values in a query string, by key. */
export type Texts<Key extends string> = { [Each in Key]?: string | undefined };

/** Picks the named keys as strings; everything else in a URL is omitted. */
export function pickTexts<Key extends string>(
  search: Readonly<Record<string, unknown>>,
  keys: readonly Key[],
): Texts<Key> {
  const picked: Texts<Key> = {};
  for (const key of keys) {
    const value = search[key];
    if (typeof value === 'string' && value.trim() !== '') picked[key] = value.trim();
  }
  return picked;
}
