/**
 * Maximum lengths (LIM-99): of one string, of one string in comments and files, and of all strings of a result
 * together.
 */
const MAX_TEXT = 20_000;
const MAX_SMALL_TEXT = 4_000;
const MAX_ALL = 100_000;
const SMALL: ReadonlySet<string> = new Set(['comments', 'files']);

/**
 * Returns a tracker's response for agents: long strings are truncated, with a note; items beyond the limit are omitted
 * and counted.
 */
export function boundAnswer(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let left = MAX_ALL;
  const cut = (text: string, most: number): string => {
    const kept = Math.max(Math.min(most, left), 0);
    left -= Math.min(text.length, kept);
    if (text.length <= kept) return text;
    return `${text.slice(0, kept)}\n[truncated by Steward: showing ${kept} of ${text.length} characters]`;
  };
  const walk = (value: unknown, most: number): unknown => {
    if (typeof value === 'string') return cut(value, most);
    if (Array.isArray(value)) return value.map((entry) => walk(entry, most));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, most)]));
  };
  const bounded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(answer)) {
    if (!Array.isArray(value)) {
      bounded[key] = walk(value, MAX_TEXT);
      continue;
    }
    const entries: unknown[] = [];
    for (const entry of value) {
      if (left <= 0) break;
      entries.push(walk(entry, SMALL.has(key) ? MAX_SMALL_TEXT : MAX_TEXT));
    }
    bounded[key] = entries;
    if (entries.length < value.length) bounded[`${key}_omitted`] = value.length - entries.length;
  }
  return bounded;
}
