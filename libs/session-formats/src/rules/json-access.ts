export type Fields = Readonly<Record<string, unknown>>;

export const NO_FIELDS: Fields = {};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toFields(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS;
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Returns the value if it is a non-empty string. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the first value that is a non-empty string. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (toText(value) !== undefined) return value as string;
  return undefined;
}

const MOST_TOKENS = 2_147_483_647;

export function toCount(...values: readonly unknown[]): number | undefined {
  return values.find(
    (value): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS,
  );
}

const MS_FROM = 1e11;
/** Latest accepted time: not every system can represent years with more than four digits. */
const LATEST_MS = Date.parse('9999-01-01T00:00:00Z');

/**
 * Returns the first value that is a time: ISO 8601 (without an offset: UTC, as SDKs write it), or seconds or
 * milliseconds since 1970.
 */
export function toTime(...values: readonly unknown[]): Date | undefined {
  for (const value of values) {
    const time = readTime(value);
    if (time !== undefined && time > 0 && time < LATEST_MS) return new Date(time);
  }
  return undefined;
}

const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return value < MS_FROM ? value * 1000 : value;
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(WITHOUT_OFFSET.test(value) ? `${value.replace(' ', 'T')}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}
