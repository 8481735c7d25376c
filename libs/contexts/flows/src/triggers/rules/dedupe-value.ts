import { toStorableJson } from '@steward/text';
import { digest } from './idempotency.ts';
import { readPath, splitPath } from '../../executions/rules/read-path.ts';

/**
 * Maximum length of a value: index entries are limited in size, so longer values are replaced by a digest. Equal
 * digests mean equal values.
 */
const MAX_LENGTH = 200;

/** Matches strings that begin with a mark (`json:` or `sha256:`); such a string is not stored unchanged. */
const RESERVED = /^(?:json|sha256):/;

/**
 * Returns the value at a flow's `dedupe_path` as a string for comparison; null if there is no path, no such value, or
 * the value is null. The strings are equal if and only if the JSON values are equal: 5 is not "5", and the order of
 * object keys is ignored. Most strings are stored unchanged, so that they also match rows that were written by versions
 * without marks; strings that begin with a mark, and all other values, are marked as JSON.
 */
export function readDedupeValue(path: string | undefined, payload: unknown): string | null {
  if (path === undefined || path === '') return null;
  const found = readPath(payload, splitPath(path));
  if (!found.found || found.value === null) return null;
  const value = toStorableJson(found.value);
  const text = typeof value === 'string' && !RESERVED.test(value) ? value : `json:${JSON.stringify(sortKeys(value))}`;
  return text.length <= MAX_LENGTH ? text : `sha256:${digest(text).toString('hex')}`;
}

/**
 * Returns the same value with sorted object keys. The recursion is bounded, because bodies have at most 200 levels of
 * nesting.
 */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
