import { celList, celMap, type CelInput } from '@bufbuild/cel';
import { isExactNumber, readExactNumber } from '@steward/text';

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Past 2^53 an integer is what it was written as, not its neighbour. Undefined: conditions have no number of this value. */
function toCelNumber(read: number | string): number | bigint | undefined {
  if (typeof read === 'number') return read;
  if (!/^-?\d{1,19}$/.test(read)) return undefined;
  const value = BigInt(read);
  return value >= LEAST && value <= MOST ? value : undefined;
}

/** Whether it holds a number that conditions cannot see as it was written: `1e400`, more digits than a double holds. */
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
 * JSON as a condition sees it: maps, lists, texts, numbers, true, false and null, whatever the names of members are. Left to
 * itself the library takes an object with a text `$typeName` for a protobuf message, and reads the fields of that in place of its
 * members: a caller would write what the condition sees beside what the tool gets.
 */
export function toCelValue(value: unknown): CelInput {
  if (Array.isArray(value)) return celList(value.map(toCelValue));
  if (typeof value !== 'object' || value === null) return value as CelInput;
  if (isExactNumber(value)) return toCelNumber(readExactNumber(value)) as CelInput;
  return celMap(new Map(Object.entries(value).map(([name, member]) => [name, toCelValue(member)])));
}
