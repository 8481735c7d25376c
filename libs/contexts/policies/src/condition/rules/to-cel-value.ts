import { celList, celMap, type CelInput } from '@bufbuild/cel';
import { isExactNumber, readExactNumber } from '@steward/text';

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * Converts an exact number, so that an integer above 2^53 keeps its value; returns undefined if conditions have no
 * number with this value.
 */
function toCelNumber(read: number | string): number | bigint | undefined {
  if (typeof read === 'number') return read;
  if (!/^-?\d{1,19}$/.test(read)) return undefined;
  const value = BigInt(read);
  return value >= LEAST && value <= MOST ? value : undefined;
}

/**
 * Returns whether a value contains a number that conditions cannot represent exactly, because it is neither a double
 * nor a 64-bit integer, for example `1e400`.
 */
export function holdsUnreadableNumber(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!isExactNumber(value)) for (const inner of Object.values(value)) open.push(inner);
    else if (toCelNumber(readExactNumber(value)) === undefined) return true;
  }
  return false;
}

/**
 * Converts JSON to the values that a condition sees: maps with members of any name, lists, strings, numbers, true,
 * false and null. Without this conversion, the library would treat an object with a string `$typeName` as a protobuf
 * message and read its fields instead of its members; a caller could then show the condition something other than what
 * the tool gets.
 */
export function toCelValue(value: unknown): CelInput {
  if (Array.isArray(value)) return celList(value.map(toCelValue));
  if (typeof value !== 'object' || value === null) return value as CelInput;
  if (isExactNumber(value)) return toCelNumber(readExactNumber(value)) as CelInput;
  return celMap(new Map(Object.entries(value).map(([name, member]) => [name, toCelValue(member)])));
}
