import { celList, celMap, type CelInput } from '@bufbuild/cel';
import { isExactNumber, readExactNumber } from '@steward/text';

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Above 2^53 an integer keeps its exact value. Undefined: conditions have no number of this value. */
function toCelNumber(read: number | string): number | bigint | undefined {
  if (typeof read === 'number') return read;
  if (!/^-?\d{1,19}$/.test(read)) return undefined;
  const value = BigInt(read);
  return value >= LEAST && value <= MOST ? value : undefined;
}

/** Whether it contains a number that conditions cannot represent: `1e400`, or more digits than a double holds. */
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
 * JSON as a condition sees it: maps, lists, strings, numbers, true, false and null, whatever the names of members. By
 * default the library takes an object with a string `$typeName` for a protobuf message, and reads its fields instead of
 * its members: a caller could show the condition something other than what the tool gets.
 */
export function toCelValue(value: unknown): CelInput {
  if (Array.isArray(value)) return celList(value.map(toCelValue));
  if (typeof value !== 'object' || value === null) return value as CelInput;
  if (isExactNumber(value)) return toCelNumber(readExactNumber(value)) as CelInput;
  return celMap(new Map(Object.entries(value).map(([name, member]) => [name, toCelValue(member)])));
}
