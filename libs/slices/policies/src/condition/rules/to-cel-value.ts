import { celList, celMap, type CelInput } from '@bufbuild/cel';

/**
 * JSON as a condition sees it: maps, lists, texts, numbers, true, false and null, whatever the names of members are. Left to
 * itself the library takes an object with a text `$typeName` for a protobuf message, and reads the fields of that in place of its
 * members: a caller would write what the condition sees beside what the tool gets.
 */
export function toCelValue(value: unknown): CelInput {
  if (Array.isArray(value)) return celList(value.map(toCelValue));
  if (typeof value !== 'object' || value === null) return value as CelInput;
  return celMap(new Map(Object.entries(value).map(([name, member]) => [name, toCelValue(member)])));
}
