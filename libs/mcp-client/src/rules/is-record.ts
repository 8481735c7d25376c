import { isExactNumber } from '@steward/text';

/** Returns true for a JSON object, but not for a list or a number in its original notation. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
