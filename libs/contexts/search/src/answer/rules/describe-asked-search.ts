import { createHash } from 'node:crypto';
import type { AskedSearch } from '../search-request.ts';
import { cleanQuery } from './read-search-task.ts';

/** Details of a request for the audit log: never the query words. */
export function describeAskedSearch({ query, details }: AskedSearch): Readonly<Record<string, unknown>> {
  const cleaned = cleanQuery(query ?? '');
  return cleaned === '' ? details : { query_hash: hashQuery(cleaned), query_chars: cleaned.length, ...details };
}

/** sha256 of the case-folded normalized query: an identical query is recognized, but the words cannot be read. */
function hashQuery(query: string): string {
  return `sha256:${createHash('sha256').update(query.toLowerCase()).digest('hex')}`;
}
