import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import type { JsonObject } from './edit-json.ts';

/**
 * Edits the text of a configuration. Additions are inserted into the text, so that its comments and order are
 * preserved. The result is parsed again, so that a result that differs from the requested configuration is never
 * returned.
 *
 * @throws if the text is not valid TOML, or if a value inside a table would have to change
 */
export function editToml(text: string, edit: (config: JsonObject) => JsonObject): string {
  const before = parse(text) as JsonObject;
  const after = edit(before);
  const [top, tables] = listAdded(before, after);
  const kept = withoutLines(text, Object.keys(top));
  const head = Object.keys(top).length === 0 ? '' : `${stringify(top)}\n`;
  const tail = tables.map((table) => `\n${stringify(table)}`).join('');
  const gap = kept === '' || kept.endsWith('\n') ? '' : '\n';
  const edited = `${head}${kept}${gap}${tail}`;
  if (isSame(edited, after)) return edited;
  throw new TypeError(
    'the file contains another value for a setting that the enrollment adds, or an inline table that cannot be extended',
  );
}

function isSame(text: string, wanted: JsonObject): boolean {
  try {
    return isDeepStrictEqual(toPlain(parse(text)), toPlain(wanted));
  } catch {
    // The key is defined twice, or added to a closed table.
    return false;
  }
}

/** Removes the prototypes that the parser assigns to some tables. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Returns new top-level values, which come before all tables, and the tables with only their new keys. */
function listAdded(before: JsonObject, after: JsonObject): [JsonObject, JsonObject[]] {
  const changed = Object.entries(after).filter(([key, value]) => !isDeepStrictEqual(value, before[key]));
  const isTable = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
  return [
    Object.fromEntries(changed.filter(([, value]) => !isTable(value))),
    changed
      .filter(([, value]) => isTable(value))
      .map(([key, value]) => ({ [key]: keepNew(before[key], value as JsonObject) })),
  ];
}

/**
 * Returns the new items at the end of a list, or the new keys of a table. A changed key is also returned; it is then
 * defined twice, which the check of the resulting TOML detects.
 */
function keepNew(before: unknown, after: JsonObject): unknown {
  const old = (before ?? {}) as JsonObject;
  const entries = Object.entries(after).filter(([key, value]) => !isDeepStrictEqual(value, old[key]));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const known = old[key];
      return [key, Array.isArray(value) && Array.isArray(known) ? value.slice(known.length) : value];
    }),
  );
}

/** Removes the lines before the first table that set one of these keys. */
function withoutLines(text: string, keys: readonly string[]): string {
  const lines = text.split(/(?<=\n)/);
  const firstTable = lines.findIndex((line) => /^\s*\[/.test(line));
  const end = firstTable === -1 ? lines.length : firstTable;
  return lines
    .filter((line, at) => at >= end || !keys.some((key) => new RegExp(`^\\s*${key}\\s*=`).test(line)))
    .join('');
}
