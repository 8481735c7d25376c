import { celList, celMap, type CelInput } from '@bufbuild/cel';

/** A map that knows members whose value is null: the library's own says that they are not there. */
function buildMap(members: ReadonlyMap<string, CelInput>): CelInput {
  const map = celMap(members);
  return Object.assign(map, { has: (key: unknown) => members.has(key as string) });
}

/**
 * JSON as a condition sees it: maps, lists, texts, numbers, true, false and null, whatever the names of members are. Left to
 * itself the library takes an object with a text `$typeName` for a protobuf message, and reads the fields of that in place of its
 * members: a caller would write what the condition sees beside what the tool gets.
 */
export function toCelValue(value: unknown): CelInput {
  if (Array.isArray(value)) return celList(value.map(toCelValue));
  if (typeof value !== 'object' || value === null) return value as CelInput;
  return buildMap(new Map(Object.entries(value).map(([name, member]) => [name, toCelValue(member)])));
}
