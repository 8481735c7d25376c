import { isExactNumber } from '@steward/text';

/** Stands for an error, a value of an unexpected type, or anything that only the library evaluates. */
export const UNKNOWN = Symbol('unknown');

export function readMember(value: unknown, name: string): unknown {
  return isMap(value) && Object.hasOwn(value, name) ? known(value[name]) : UNKNOWN;
}

export function known(value: unknown): unknown {
  return value === undefined || isExactNumber(value) ? UNKNOWN : value;
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listItems(range: unknown): readonly unknown[] | undefined {
  if (Array.isArray(range)) return range;
  return isMap(range) ? Object.keys(range) : undefined;
}

export function negate(value: unknown): unknown {
  return typeof value === 'boolean' ? !value : UNKNOWN;
}

/**
 * Compares two values. Numbers are equal if they have the same value, regardless of their types; comparisons of two
 * lists or maps are left to the library.
 */
export function equate(left: unknown, right: unknown): unknown {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
  if (left === null || right === null) return left === right;
  if (typeof left === 'object' && typeof right === 'object') return UNKNOWN;
  if (typeof left === 'number' && typeof right === 'bigint') return isInteger(left, right);
  if (typeof left === 'bigint' && typeof right === 'number') return isInteger(right, left);
  return left === right;
}

function isInteger(value: number, integer: bigint): boolean {
  return Number.isInteger(value) && BigInt(value) === integer;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

type Order = (left: string | number | bigint, right: string | number | bigint) => boolean;

export function compare(left: unknown, right: unknown, isOrdered: Order): unknown {
  if (typeof left === 'string' && typeof right === 'string') return isOrdered(left, right);
  if (!isNumber(left) || !isNumber(right)) return UNKNOWN;
  return typeof left === typeof right ? isOrdered(left, right) : isOrdered(Number(left), Number(right));
}

export function testText(text: unknown, part: unknown, test: (text: string, part: string) => boolean): unknown {
  return typeof text === 'string' && typeof part === 'string' ? test(text, part) : UNKNOWN;
}

export function isIn(value: unknown, range: unknown): unknown {
  if (value === UNKNOWN) return UNKNOWN;
  if (isMap(range)) return typeof value === 'string' ? Object.hasOwn(range, value) && range[value] !== null : UNKNOWN;
  if (!Array.isArray(range)) return UNKNOWN;
  let isKnown = true;
  for (const item of range) {
    const isEqual = equate(known(item), value);
    if (isEqual === true) return true;
    if (isEqual !== false) isKnown = false;
  }
  return isKnown ? false : UNKNOWN;
}

export function readItem(value: unknown, key: unknown): unknown {
  return typeof key === 'string' ? readMember(value, key) : UNKNOWN;
}

/** Returns the number of characters of a string, items of a list or members of a map; `UNKNOWN` for other values. */
export function measure(value: unknown): unknown {
  if (typeof value === 'string') return BigInt([...value].length);
  if (Array.isArray(value)) return BigInt(value.length);
  return isMap(value) ? BigInt(Object.keys(value).length) : UNKNOWN;
}
