import pg from 'pg';

/**
 * The statement with its values in place of `$1`, `$2`, …, so that its plan is made for them where the session keeps plans
 * for any values (`plan_cache_mode`). The values become quoted literals, whose type Postgres infers as it does a parameter's.
 *
 * @throws TypeError for a value that is no string, number or Date, and for one with a NUL, which ends a message
 */
export function inlineValues(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => pg.escapeLiteral(writeValue(values[Number(place) - 1])));
}

function writeValue(value: unknown): string {
  if (typeof value === 'string' && !value.includes('\u0000')) return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`A ${typeof value} cannot be part of a statement's text.`);
}
