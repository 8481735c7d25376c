import { MOST_SESSION_LABELS } from '@steward/contracts';

/**
 * Merges a session's labels with those that an import found: labels of the import replace labels with the same key.
 * Returns undefined if nothing changes, or if the limit would be exceeded.
 */
export function mergeLabels(present: readonly string[], found: readonly string[]): string[] | undefined {
  if (found.every((label) => present.includes(label))) return undefined;
  const keys = new Set(found.map(readKey));
  const merged = [...present.filter((label) => !keys.has(readKey(label))), ...found];
  return merged.length > MOST_SESSION_LABELS ? undefined : merged;
}

function readKey(label: string): string {
  return label.slice(0, label.indexOf(':'));
}
