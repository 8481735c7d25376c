import { createHash } from 'node:crypto';
import type { AskedSearch } from '../search-request.ts';
import { cleanQuery } from './read-search-task.ts';

/** What the audit log says of a request: never the words that were searched. */
export function describeAskedSearch({ query, details }: AskedSearch): Readonly<Record<string, unknown>> {
  const cleaned = cleanQuery(query ?? '');
  return cleaned === '' ? details : { query_hash: hashQuery(cleaned), query_chars: cleaned.length, ...details };
}

/** sha256 over the case-folded normalised query: the same question is recognised, the words are not readable. */
function hashQuery(query: string): string {
  return `sha256:${createHash('sha256').update(query.toLowerCase()).digest('hex')}`;
}
