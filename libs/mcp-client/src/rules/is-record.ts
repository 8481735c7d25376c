import { isExactNumber } from '@steward/text';

/** An object of JSON: no list, and no number as it was written. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
