import { createHash } from 'node:crypto';
import { isExactNumber, readExactNumber } from '@steward/text';

/**
 * Returns the SHA-256 of a JSON value. The hash does not depend on the order of object keys, nor on the notation of a
 * number whose value a double can hold exactly.
 */
export function hashJson(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (isExactNumber(value)) {
    const read = readExactNumber(value);
    return typeof read === 'string' ? value : read;
  }
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
