/** The JSON value with every text in it, names of keys too, as `redact` leaves it. */
export function redactJson(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => redactJson(entry, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), redactJson(inner, redact)]));
}
