import { isExactNumber } from '@steward/text';

/** Returns true for a JSON object: not for a list, and not for a number in its original notation. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
