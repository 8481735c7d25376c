import type { OtlpAttributes } from './otlp-span.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A fault that makes a span invalid. */
export class InvalidSpanError extends Error {}

/**
 * Errors for invalid spans, each created only once, since a request may contain a million invalid spans and the stack
 * trace is not used.
 */
export const INVALID = {
  traceId: new InvalidSpanError('a trace id is not 16 bytes long, or it is zero'),
  spanId: new InvalidSpanError('a span id is not 8 bytes long, or it is zero'),
  list: new InvalidSpanError('a list value is not a list'),
  key: new InvalidSpanError('an attribute has no key'),
  time: new InvalidSpanError('a time value is not a time'),
} as const;

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns a list; a missing list is treated as empty, and a value that is not a list makes the span invalid. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw INVALID.list;
  return value;
}

/** Reads `{key, value}` entries; if a key is repeated, the last value applies. */
export function readAttributes(list: unknown): OtlpAttributes {
  return Object.fromEntries(
    toList(list).map((entry) => {
      const { key, value } = toFields(entry);
      if (typeof key !== 'string') throw INVALID.key;
      return [key, readAny(value)];
    }),
  );
}

/**
 * Returns the value of an `AnyValue`. Decoded messages inherit default values from their prototype, so only own
 * properties count: the sender has set only those.
 */
function readAny(value: unknown): unknown {
  const given = toFields(value);
  const has = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== null;
  if (has('stringValue')) return String(given['stringValue']);
  if (has('boolValue')) return given['boolValue'] === true;
  if (has('intValue')) return Number(String(given['intValue']));
  if (has('doubleValue')) return Number(given['doubleValue']);
  if (has('arrayValue')) return toList(toFields(given['arrayValue'])['values']).map(readAny);
  if (has('kvlistValue')) return readAttributes(toFields(given['kvlistValue'])['values']);
  if (has('bytesValue')) return '[bytes]';
  return undefined;
}

/**
 * Reads an id from hex digits (its form in JSON) or from bytes. Returns undefined if the form or the size is wrong, or
 * all bytes are zero.
 */
export function readId(value: unknown, bytes: number): string | undefined {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  if (typeof text !== 'string' || text.length !== bytes * 2 || !/^[0-9a-f]+$/i.test(text)) return undefined;
  return /^0+$/.test(text) ? undefined : text.toLowerCase();
}

/** Reads nanoseconds from a number, from a string of digits, or from the 64-bit integer of a decoded message. */
export function readNanos(value: unknown): bigint {
  const text = value === undefined || value === null ? '0' : String(value as number);
  if (!/^\d{1,20}$/.test(text)) throw INVALID.time;
  return BigInt(text);
}
