import { createHash } from 'node:crypto';
import type { AskedSearch } from '../search-request.ts';
import { cleanQuery } from './read-search-task.ts';

/** Returns details of a request for the audit log, but never the words of the query. */
export function describeAskedSearch({ query, details }: AskedSearch): Readonly<Record<string, unknown>> {
  const cleaned = cleanQuery(query ?? '');
  return cleaned === '' ? details : { query_hash: hashQuery(cleaned), query_chars: cleaned.length, ...details };
}

/**
 * Returns the SHA-256 digest of the lowercased query: equal queries can be recognized, but the words cannot be read.
 */
function hashQuery(query: string): string {
  return `sha256:${createHash('sha256').update(query.toLowerCase()).digest('hex')}`;
}
