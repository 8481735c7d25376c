import { AppError } from '@steward/contracts';

/** One text field may hold up to 2 MiB of UTF-8 (LIM-17). */
export const TEXT_FIELD_LIMIT_BYTES = 2 * 1024 * 1024;

/**
 * Refuses a body in which one string, at any depth, is longer than a text field may be.
 * @param sizeBytes - size of the raw body: JSON is never shorter than the strings in it, so a small body does not need
 * to be walked
 * @throws invalid_request naming the field, the limit and the size
 */
export function refuseOversizedText(body: unknown, sizeBytes: number): void {
  if (sizeBytes <= TEXT_FIELD_LIMIT_BYTES) return;
  const found = findOversizedText(body);
  if (found === undefined) return;
  const { actual } = found;
  const field = found.path.reverse().join('.').slice(0, 200);
  throw new AppError('invalid_request', {
    message: `"${field}" has ${actual} bytes of text; a field can have at most ${TEXT_FIELD_LIMIT_BYTES}.`,
    detail: { field, limit: TEXT_FIELD_LIMIT_BYTES, actual, overage: actual - TEXT_FIELD_LIMIT_BYTES },
  });
}

/**
 * Returns the path and the size of a string that is longer than a text field may be (LIM-17). The path is built on
 * return, innermost first, because strings within the limit do not need one.
 */
export function findOversizedText(value: unknown): { readonly path: string[]; readonly actual: number } | undefined {
  if (typeof value === 'string') {
    // A UTF-16 code unit takes at most three bytes of UTF-8, so the bytes of most strings do not need to be counted.
    if (value.length * 3 <= TEXT_FIELD_LIMIT_BYTES) return undefined;
    const actual = Buffer.byteLength(value);
    return actual > TEXT_FIELD_LIMIT_BYTES ? { path: [], actual } : undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const found = findOversizedText(fields[key]);
    if (found === undefined) continue;
    found.path.push(key);
    return found;
  }
  return undefined;
}
